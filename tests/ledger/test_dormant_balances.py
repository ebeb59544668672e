"""Balances that nobody is paid: listed with what is missing, until something comes to them or a run has them."""

from __future__ import annotations

from hub.config.payout_section import PayoutSettings
from hub.operations.money.payouts.dormant_balances import dormant_balances
from tests.ledger.test_payouts import create, named, payable
from tests.processing.harness import DAY, Harness


async def found(harness: Harness, days: int = 365, minimum: str = "0") -> list[tuple[str, int, list[str]]]:
    settings = PayoutSettings(minimum=minimum)
    rows = await dormant_balances(harness.store, harness.clock, settings, days)
    return [(row["amount"], row["days"], list(row["missing"])) for row in rows]


async def test_what_nobody_is_paid_is_listed_with_what_is_missing(harness: Harness) -> None:
    await payable(harness, "100.00", payee=None)
    assert await found(harness) == []
    harness.clock.advance(400 * DAY)
    assert await found(harness) == [("5.00", 400, ["no_payee"])]
    assert await found(harness, minimum="25") == [("5.00", 400, ["below_minimum", "no_payee"])]
    assert await found(harness, days=401) == []


async def test_what_a_run_has_or_something_came_to_is_not_dormant(harness: Harness) -> None:
    await payable(harness, "100.00", payee=None)
    harness.clock.advance(400 * DAY)
    await named(harness)
    harness.clock.advance(4 * DAY)
    assert await found(harness) == [("5.00", 404, [])]
    await create(harness)
    assert await found(harness) == []


async def test_control_what_came_lately_wakes_it(sqlite_live: Harness) -> None:
    await payable(sqlite_live, "100.00", payee=None)
    sqlite_live.clock.advance(400 * DAY)
    assert len(await found(sqlite_live)) == 1
    await payable(sqlite_live, "100.00", start=1, payee=None)
    assert await found(sqlite_live) == []
