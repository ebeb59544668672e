"""Turns: one task for each name and no more than allowed, whatever becomes of the work."""

from __future__ import annotations

import asyncio

from hub.storage import StoreUnavailable
from hub.turns import Turns


async def test_a_name_has_one_turn_and_all_have_few() -> None:
    """Work without a turn is closed, so nothing warns of it; a turn that ends, however, makes room for another."""
    turns, gate, over = Turns("tests", 2), asyncio.Event(), list[str]()

    async def wait(fault: Exception | None = None) -> None:
        await gate.wait()
        if fault is not None:
            raise fault

    assert turns.begin("a", wait(StoreUnavailable("away")), over.append)
    assert not turns.begin("a", wait(), over.append)
    assert turns.begin("b", wait(ValueError("a bug")), over.append)
    assert not turns.begin("c", wait(), over.append)
    gate.set()
    await turns.ended()
    assert sorted(over) == ["a", "b"]
    assert turns.begin("a", wait())
    await turns.stop()


async def test_it_looks_again_after_a_fault_and_stops_everything() -> None:
    """The store's absence costs a longer pause; stopping cancels the look and the turns alike."""
    turns, looks, cancelled, often = Turns("tests", 1), list[int](), list[bool](), asyncio.Event()

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(True)

    async def begin() -> None:
        looks.append(len(looks))
        turns.begin("a", forever())
        if len(looks) == 3:
            often.set()

    turns.look_for(begin, lambda: 0.0)
    await often.wait()
    await turns.stop()
    seen = len(looks)
    await asyncio.sleep(0.01)
    assert (len(looks), cancelled) == (seen, [True])
