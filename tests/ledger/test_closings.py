"""Months that are closed: by two people, nothing is booked into them any more, and whoever does so by SQL is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from hub.config.payout_section import PayoutSettings
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import set_books
from hub.operations.money.invoices.merchant_invoices import issue_invoices
from hub.operations.money.ledger.closings import close_month, list_months, propose_close
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.trail import Actor, acting_as
from hub.processing import post_entries
from tests.ledger.test_merchant_invoices import month_of
from tests.ledger.test_payouts import pay, payable, refund
from tests.ledger.test_verify import entries_of, holds
from tests.processing.harness import DAY, Harness

SECOND = Actor("user", "usr_second", "page")
PLAIN = PayoutSettings()


async def closed(harness: Harness, *, invoiced: bool = True) -> str:
    """A month with payouts that is over, and closed by two people."""
    await payable(harness, "1000.00", "50.00")
    await pay(harness)
    month = month_of(harness)
    harness.clock.advance(31 * DAY)
    if invoiced:
        await issue_invoices(harness.store, harness.clock, harness.merchant_id, month)
    await propose_close(harness.store, harness.clock, month, anyway=not invoiced)
    with acting_as(SECOND):
        await close_month(harness.store, harness.clock, PLAIN, month)
    return month


async def test_one_person_proposes_and_another_one_closes(harness: Harness) -> None:
    """Not before the month is over, nor while it is not invoiced; each step again changes nothing."""
    store, clock = harness.store, harness.clock
    await payable(harness, "1000.00")
    await pay(harness)
    month = month_of(harness)
    with pytest.raises(OperatorFault, match="an hour after its end"):
        await propose_close(store, clock, month)
    clock.advance(31 * DAY)
    with pytest.raises(OperatorFault, match="not invoiced any more: issue the invoices. Or say --anyway"):
        await propose_close(store, clock, month)
    with pytest.raises(OperatorFault, match="Nobody has proposed"):
        await close_month(store, clock, PLAIN, month)
    await issue_invoices(store, clock, harness.merchant_id, month)
    proposed = await propose_close(store, clock, month)
    assert await propose_close(store, clock, month) == proposed
    with pytest.raises(OperatorFault, match="another person closes it: you did the first act yourself"):
        await close_month(store, clock, PLAIN, month)
    with acting_as(SECOND):
        done = await close_month(store, clock, PLAIN, month)
        assert await close_month(store, clock, PLAIN, month) == done
    assert (done["closedBy"], done["entries"]) == ("usr_second", len(await entries_of(harness)))
    assert await list_months(store) == [done]
    with pytest.raises(OperatorFault, match="closed already, with a later month"):
        await propose_close(store, clock, f"{int(month[:4]) - 1}{month[4:]}")
    await holds(store)


async def test_what_is_known_late_is_booked_in_the_open_month(harness: Harness) -> None:
    """By its cause, even on a node whose clock stands in the closed month; and nothing of it is invoiced any more."""
    month = await closed(harness)
    number = len(await entries_of(harness))
    harness.clock.advance(-20 * DAY)
    assert month_of(harness) == month
    await refund(harness, "O-0", "r-1", "200.00")
    late = (await entries_of(harness))[number:]
    assert [each.kind for each in late] == ["adjusted"]
    harness.clock.advance(20 * DAY)
    until = (await list_months(harness.store))[0]["month"]
    assert until == month
    assert all(each.posted_at >= harness.clock() - 31 * DAY for each in late)
    await holds(harness.store)


async def test_control_without_the_guard_it_is_booked_into_the_closed_month_and_named(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = await closed(harness)
    monkeypatch.setattr(post_entries, "max", lambda now, _closed: now, raising=False)
    harness.clock.advance(-20 * DAY)
    await refund(harness, "O-0", "r-1", "200.00")
    harness.clock.advance(20 * DAY)
    faults = [each["message"] for each in (await verify_ledger(harness.store))["faults"]]
    assert any(f"is booked into {month}, which was closed before" in each for each in faults)


async def test_a_closed_month_is_not_invoiced_any_more(harness: Harness) -> None:
    """And keeps its time zone, which is that of its days."""
    month = await closed(harness, invoiced=False)
    with pytest.raises(OperatorFault, match="the time zone stays"):
        await set_books(harness.store, harness.clock, "Europe/Berlin")
    assert await issue_invoices(harness.store, harness.clock, harness.merchant_id, month) == []
    await holds(harness.store)


async def test_a_chain_that_is_written_anew_is_not_the_one_that_was_closed(
    sqlite_live: Harness, sqlite_url: str
) -> None:
    """Whoever can change entries can also recompute the chain and its head; the close has the old hash."""
    await closed(sqlite_live)
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("UPDATE closed_ends SET hash = 'ffff'")
    faults = [each["message"] for each in (await verify_ledger(sqlite_live.store))["faults"]]
    assert any("is not the last one of" in each for each in faults)
    assert any(each.startswith("The end of a chain in the close of") for each in faults)
