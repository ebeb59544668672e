"""A batch takes what is on its way when it could begin, since each batch costs a commit."""

from __future__ import annotations

import asyncio

import pytest

from hub import batcher as batching
from hub.batcher import Batcher, Limits

LIMITS = Limits(items=10, waiting=100)


async def batches_of(*turns: int) -> list[list[int]]:
    """The batches of requests that each take so many turns of the event loop to submit."""
    batches: list[list[int]] = []

    async def write(items: list[int]) -> list[int]:
        batches.append(items)
        return items

    batcher = Batcher("gathering", write, LIMITS)
    await batcher.start()

    async def request(turns: int) -> int:
        for _ in range(turns):
            await asyncio.sleep(0)
        return await batcher.submit(turns)

    assert await asyncio.gather(*map(request, turns)) == list(turns)
    await batcher.stop()
    return batches


async def test_requests_on_their_way_from_the_socket_join_the_batch() -> None:
    assert await batches_of(0, 3) == [[0, 3]]


async def test_a_batch_does_not_wait_for_those_that_come_later() -> None:
    assert await batches_of(0, 20) == [[0], [20]]


async def test_control_without_the_turns_each_would_be_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "GATHERING_TURNS", 0)
    assert await batches_of(0, 3) == [[0], [3]]
