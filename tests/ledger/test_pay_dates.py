"""Runs by a schedule: drafted once on their day, released by people, and shown to affiliates before."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, timedelta
from typing import Any, Final

import pytest
from attrs import evolve

from hub.config.payout_section import PayoutSettings
from hub.domain.books.book_time import day_of, first_moment
from hub.domain.payouts.pay_dates import LATE_DAYS, cutoff_of, last_pay_date, next_pay_date, pay_days
from hub.operations import lists
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.pay_dates import ScheduledRuns, next_payouts
from hub.operations.money.payouts.payout_runs import cancel_run, first_runs
from hub.operations.money.rates.payabilities import hold_payments
from hub.operations.trail import TIMER, Actor, acting_as
from hub.storage import Store
from tests.ledger.conftest import FOLDERS
from tests.ledger.test_payouts import create, payable, release
from tests.ledger.test_verify import holds
from tests.processing.harness import DAY, Harness
from tests.sqlite_first import on_both

MONTHLY: Final = PayoutSettings(pay_day="15")
ANN, BOB = Actor("user", "usr_ann", "page"), Actor("user", "usr_bob", "page")


def go_to_the_15th(harness: Harness) -> date:
    """The clock at the next 15th, its first moment."""
    due = next_pay_date(15, day_of(harness.clock() + DAY, UTC))
    harness.clock.advance(first_moment(due, UTC) - harness.clock())
    return due


async def draft(harness: Harness, settings: PayoutSettings = MONTHLY) -> int:
    return await ScheduledRuns(harness.store, harness.clock, settings).draft()


async def runs(harness: Harness) -> list[Any]:
    return await first_runs(harness.store, lists.Wanted({"mode": "live"}, lists.ALL))


@on_both("database_url")
async def test_two_timers_at_once_make_one_draft(harness: Harness, database_url: str) -> None:
    """Not before the day; not again after a cancel. Control: without the note of the pay date it is made again."""
    await payable(harness, "100.00")
    harness.clock.advance(4 * DAY)
    go_to_the_15th(harness)
    harness.clock.advance(-1)
    assert await draft(harness) == 0
    harness.clock.advance(1)
    assert sorted(await asyncio.gather(*(draft(harness) for _ in range(2)))) == [0, 1]
    (run,) = await runs(harness)
    assert (run["status"], run["createdBy"], run["items"][0]["amount"]) == ("DRAFT", TIMER.id, "5.00")
    await cancel_run(harness.store, harness.clock, run["id"], "Not this month")
    assert await draft(harness) == 0
    async with await Store.open(database_url, query_folders=FOLDERS) as tampering, tampering.write() as tx:
        assert await tx.run("forget_pay_dates", currency="") == 1
    assert await draft(harness) == 1
    await holds(harness.store)


async def test_the_clock_is_neither_pair_of_eyes(sqlite_live: Harness) -> None:
    """Ann alone is held to her limit, and so is Bob; once Ann has taken the draft over, Bob is the second person."""
    harness, strict = sqlite_live, evolve(MONTHLY, four_eyes_above="9.00")
    await payable(harness, "200.00")
    go_to_the_15th(harness)
    assert await draft(harness, strict) == 1
    (run,) = await runs(harness)
    for actor in (ANN, BOB, TIMER):
        with acting_as(actor), pytest.raises(OperatorFault, match="in the place of the clock"):
            await release(harness, run["id"], strict)
    with acting_as(ANN):
        taken = await create(harness, strict)
        assert (taken["id"], taken["createdBy"]) == (run["id"], ANN.id)
        with pytest.raises(OperatorFault, match="you did the first act yourself"):
            await release(harness, run["id"], strict)
    with acting_as(BOB):
        assert (await create(harness, strict))["createdBy"] == ANN.id
        assert (await release(harness, run["id"], strict))["status"] == "RELEASED"
    await holds(harness.store)


async def test_what_one_releases_below_the_limit_counts_as_paid_alone(sqlite_live: Harness) -> None:
    """Control: the same run, created by Ann and released by Bob, counts for nobody."""
    harness, strict = sqlite_live, evolve(MONTHLY, four_eyes_above="9.00")
    await payable(harness, "100.00")
    go_to_the_15th(harness)
    await draft(harness, strict)
    with acting_as(ANN):
        await release(harness, (await runs(harness))[0]["id"], strict)
    async with harness.store.read() as tx:
        (alone,) = await tx.all("lone_payments_since", since=harness.clock() - DAY)
    assert (alone["actor_id"], alone["minor"]) == (ANN.id, 500)
    await payable(harness, "100.00", start=5)
    with acting_as(ANN):
        run = await create(harness, strict)
    with acting_as(BOB):
        await release(harness, run["id"], strict)
    async with harness.store.read() as tx:
        assert await tx.all("lone_payments_since", since=harness.clock() - DAY) == []


async def test_a_run_that_waits_is_not_followed_by_another(sqlite_live: Harness) -> None:
    """The schedule waits for it up to a week, and the pay date is still drafted once it is out of the way."""
    harness = sqlite_live
    await payable(harness, "100.00")
    go_to_the_15th(harness)
    with acting_as(ANN):
        waiting = await create(harness)
    assert await draft(harness) == 0
    await cancel_run(harness.store, harness.clock, waiting["id"], "The clock does it")
    harness.clock.advance((LATE_DAYS + 1) * DAY)
    assert await draft(harness) == 0
    harness.clock.advance(-DAY)
    assert await draft(harness) == 1


async def test_days_and_net_days_by_currency(sqlite_live: Harness) -> None:
    """A currency without a day of its own is left to people, and what was payable too late to the next date."""
    harness = sqlite_live
    await payable(harness, "100.00")
    go_to_the_15th(harness)
    assert await draft(harness, PayoutSettings(pay_day="EUR:15")) == 0
    late = PayoutSettings(pay_day="USD:15", net_days=60)
    (row,) = await next_payouts(harness.store, harness.clock, late, harness.affiliate_id)
    assert (row["payable"], row["due"], row["missing"]) == ("5.00", "0.00", ["nothing_due"])
    assert await draft(harness, late) == 0
    (after,) = await next_payouts(harness.store, harness.clock, late, harness.affiliate_id)
    assert after["payDate"] > row["payDate"], "the date that had nothing to pay is over"
    harness.clock.advance(50 * DAY)
    go_to_the_15th(harness)
    assert await draft(harness, late) == 1
    assert (await runs(harness))[0]["currency"] == "USD"


async def test_an_affiliate_reads_what_is_missing_for_its_next_pay_date(sqlite_live: Harness) -> None:
    harness = sqlite_live

    async def coming(settings: PayoutSettings = MONTHLY) -> Any:
        return await next_payouts(harness.store, harness.clock, settings, harness.affiliate_id)

    assert await coming(PayoutSettings()) == []
    (empty,) = await coming()
    assert (empty["currency"], empty["due"], empty["missing"]) == (None, None, ["nothing_due", "no_payee"])
    await payable(harness, "100.00", payee=None)
    (row,) = await coming(evolve(MONTHLY, minimum="25"))
    due = next_pay_date(15, day_of(harness.clock(), UTC))
    assert (row["currency"], row["payDate"], row["minimum"]) == ("USD", due.isoformat(), "25.00")
    assert row["missing"] == ["below_minimum", "no_payee"]
    await payable(harness, "100.00", start=3)
    await hold_payments(harness.store, harness.clock, harness.affiliate_id, "Asked about")
    assert (await coming())[0]["missing"] == ["on_hold"]
    with pytest.raises(OperatorFault, match="aff_unknown"):
        await next_payouts(harness.store, harness.clock, MONTHLY, "aff_unknown")


def test_pay_days_are_read_and_others_refused() -> None:
    assert pay_days("") == {}
    assert pay_days("15") == {"": 15}
    assert pay_days("EUR:1, USD:28") == {"EUR": 1, "USD": 28}
    for wrong in ("0", "29", "x", "EUR:", "XXQ:1", "1,EUR:2", "EUR:1,EUR:2", "1,2"):
        with pytest.raises(ValueError, match=r"."):
            pay_days(wrong)


def test_pay_dates_enclose_every_day() -> None:
    """The last one is today or before, the next today or after, and they are the same on the day itself."""
    for number in range(800):
        today = date(2027, 1, 1) + timedelta(days=number)
        for day in (1, 15, 28):
            last, coming = last_pay_date(day, today), next_pay_date(day, today)
            assert last <= today <= coming
            assert last.day == coming.day == day
            assert (last == coming) == (today.day == day)
            assert (coming - last).days <= 31
    assert cutoff_of(date(2026, 12, 15), 15, UTC) == first_moment(date(2026, 11, 30), UTC)
