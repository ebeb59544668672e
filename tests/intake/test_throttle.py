"""Long work gives way: it rests three times as long as it worked while requests come, and hardly at all otherwise."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest
from attrs import define

from hub.intake.throttle import LONGEST_REST_SECONDS, RESTS, Throttle


@define
class Source:
    last_submitted: float = 0.0


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    taken: list[float] = []

    async def rest(seconds: float) -> None:
        taken.append(seconds)

    monkeypatch.setattr("hub.intake.throttle.asyncio.sleep", rest)
    return taken


async def test_it_rests_while_requests_come_in_at_any_source(rests: list[float]) -> None:
    quiet, busy = Source(), Source(monotonic())
    await Throttle(quiet, busy).pause(0.004)
    assert rests == [pytest.approx(0.004 * RESTS)]


async def test_it_only_lets_the_loop_turn_where_nobody_waits(rests: list[float]) -> None:
    """The control: without a request there is nothing to give way to."""
    await Throttle(Source(), Source(monotonic() - 1)).pause(0.004)
    assert rests == [0]


async def test_a_long_step_does_not_stop_it_for_long(rests: list[float]) -> None:
    await Throttle(Source(monotonic())).pause(60)
    assert rests == [LONGEST_REST_SECONDS]


async def test_others_get_their_turn_between_two_steps() -> None:
    turns = 0

    async def request() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(request())
    for _ in range(5):
        await Throttle(Source()).pause(0.001)
    beside.cancel()
    assert turns >= 4
