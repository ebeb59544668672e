"""Senders take turns: whoever has little waiting does not wait for the one who has much."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.batcher import Batcher, BatcherFull, Limits
from hub.fair_queue import FairQueue, fair_shares

Item = tuple[str, int]


@given(st.lists(st.sampled_from("abc")))
def test_every_item_comes_out_once_and_each_senders_items_in_their_order(senders: list[str]) -> None:
    queue: FairQueue[Item] = FairQueue()
    for number, sender in enumerate(senders):
        queue.append(sender, (sender, number))
    out = [queue.popleft() for _ in range(len(queue))]
    assert len(queue) == 0
    by_sender: dict[str, list[int]] = defaultdict(list)
    for sender, number in out:
        by_sender[sender].append(number)
    assert by_sender == {s: [n for n, each in enumerate(senders) if each == s] for s in set(senders)}


@given(st.lists(st.sampled_from("aaaab"), min_size=1))
def test_no_sender_is_overtaken_twice_by_another(senders: list[str]) -> None:
    queue: FairQueue[Item] = FairQueue()
    for number, sender in enumerate(senders):
        queue.append(sender, (sender, number))
    while len(queue):
        both_wait = queue.waiting_of("a") > 1 and queue.waiting_of("b") > 1
        first, second = queue.popleft()[0], queue.popleft()[0] if len(queue) else None
        assert not both_wait or {first, second} == {"a", "b"}


def test_an_item_that_is_put_back_comes_out_first() -> None:
    queue: FairQueue[Item] = FairQueue()
    for item in (("a", 1), ("b", 2), ("a", 3)):
        queue.append(item[0], item)
    first = queue.popleft()
    queue.appendleft(first[0], first)
    assert [queue.popleft() for _ in range(3)] == [("a", 1), ("b", 2), ("a", 3)]


def test_items_that_are_no_longer_wanted_are_dropped_and_the_turns_stay() -> None:
    queue: FairQueue[Item] = FairQueue()
    for item in (("a", 1), ("b", 2), ("c", 3), ("a", 4), ("c", 5)):
        queue.append(item[0], item)
    queue.keep(lambda item: item[1] not in (1, 2))
    assert sorted(queue) == [("a", 4), ("c", 3), ("c", 5)]
    assert [queue.popleft() for _ in range(len(queue))] == [("a", 4), ("c", 3), ("c", 5)]


async def batches_of(sender_of: Callable[[Item], str | None]) -> list[list[Item]]:
    """The batches in which a hundred items of one sender and then one of another are written, ten at a time."""
    batches: list[list[Item]] = []

    async def write(items: list[Item]) -> list[None]:
        batches.append(items)
        await asyncio.sleep(0)
        return [None] * len(items)

    batcher = Batcher("fairness", write, Limits(items=10, waiting=1_000), sender_of=sender_of)
    await batcher.start()
    await asyncio.gather(*(batcher.submit(("loud", number)) for number in range(100)), batcher.submit(("quiet", 0)))
    await batcher.stop()
    return batches


async def test_a_sender_with_one_item_is_in_the_first_batch_beside_one_with_a_hundred() -> None:
    batches = await batches_of(lambda item: item[0])
    assert ("quiet", 0) in batches[0]


async def test_without_turns_it_would_be_in_the_last() -> None:
    """The control."""
    batches = await batches_of(lambda _: None)
    assert ("quiet", 0) in batches[10]


async def test_one_sender_can_fill_half_of_the_queue_only() -> None:
    written = asyncio.Event()

    async def write(items: list[Item]) -> list[None]:
        await written.wait()
        return [None] * len(items)

    batcher = Batcher("fairness", write, Limits(items=1, waiting=10), sender_of=lambda item: item[0])
    await batcher.start()
    loud = [batcher.submit(("loud", number)) for number in range(5)]
    with pytest.raises(BatcherFull, match="of this account"):
        await batcher.submit(("loud", 5))
    quiet = batcher.submit(("quiet", 0))
    written.set()
    await asyncio.gather(*loud, quiet)
    await batcher.stop()


@given(st.lists(st.integers(0, 50), max_size=20), st.integers(0, 100))
def test_shares_waste_nothing_and_nobody_has_more_than_one_who_still_waits(waiting: list[int], total: int) -> None:
    shares = fair_shares(waiting, total)
    assert sum(shares) == min(total, sum(waiting))
    assert all(share <= count for share, count in zip(shares, waiting, strict=True))
    unserved = [share for share, count in zip(shares, waiting, strict=True) if share < count]
    assert not unserved or max(shares) <= min(unserved) + 1
