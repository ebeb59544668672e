"""When the worker looks for reports of orders that were reported before, and how far it reads."""

from __future__ import annotations

import pytest

from hub.processing import due_events
from hub.processing.due_events import RepeatedReports
from tests.processing.harness import Harness


async def waiting(harness: Harness) -> int:
    """Return how many repeated reports were not compared yet."""
    async with harness.store.read() as tx:
        return len(await tx.all("repeated_reports_due", account_id="", repeat_id="", limit=100))


async def test_beside_events_reports_are_compared_after_some_batches(
    sqlite_harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders that never stop coming keep no question from being asked; an idle worker asks at once."""
    monkeypatch.setattr(due_events, "BATCHES_BETWEEN", 1)
    await sqlite_harness.order("A")
    await sqlite_harness.work()
    await sqlite_harness.order("A", "12.00")
    left = []
    for number in range(2):
        await sqlite_harness.order(f"B-{number}")
        await sqlite_harness.worker.run_once()
        left.append(await waiting(sqlite_harness))
    assert left == [1, 0]
    await sqlite_harness.order("A", "13.00")
    await sqlite_harness.worker.run_once()
    assert await waiting(sqlite_harness) == 0


async def test_reports_of_undecided_orders_hide_no_others(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look goes on behind the slice before, and begins anew after the last."""
    monkeypatch.setattr(due_events, "COMPARED_AT_ONCE", 1)
    repeated, seen = RepeatedReports(), list[list[str]]()
    for order in ("A", "A", "B", "B"):
        await harness.order(order)
    async with harness.store.read() as tx:
        for _ in range(4):
            rows = await repeated.due(tx, busy=False)
            assert repeated.note(rows) == []
            seen.append([row["external_order_id"] for row in rows or ()])
    assert seen == [["A"], ["B"], [], ["A"]]
