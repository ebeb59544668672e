"""Rates by volume in the books: one bonus a month, right under refunds, payouts and any order of arrival."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.domain.books.fees import fee_of
from hub.domain.books.ledger import Entry, deltas
from hub.domain.instants import format_instant
from hub.domain.money import divide_half_up
from hub.domain.orders.volume_rates import VOLUME_CAUSE
from hub.operations.affiliates.memberships import Member, set_membership, set_own_rate
from hub.operations.campaigns.campaign_changes import CampaignForm, edit_campaign
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.books.adjustments import first_adjustments
from hub.operations.money.rates import volume_orders
from hub.operations.money.rates.fees import set_fee
from hub.operations.money.rates.volume_bonuses import VolumeBonuses
from hub.operations.money.rates.volume_preview import preview_volume
from hub.operations.orders.conversions import conversions_of_order
from hub.records.wire import write
from tests.ledger.test_payouts import create, named, release
from tests.ledger.test_state_machine import template
from tests.ledger.test_verify import entries_of, holds, jobs_of
from tests.processing.harness import DAY, NOON, Harness

HOUR = 3_600_000
FIRST = NOON - 19 * DAY
"""Noon of 1 November 2026; the clock of a harness stands at the 20th."""
LONG = 300
"""Days for which a click counts."""


def volume(*tiers: tuple[str, str], measure: str = "ORDERS", period: str = "MONTH") -> dict[str, Any]:
    """Tiers of percentages."""
    return {"period": period, "measure": measure, "tiers": [
        {"from": begins, "commissionType": "PERCENTAGE", "commissionValue": value} for begins, value in tiers
    ]}  # fmt: skip


async def begin(harness: Harness, rates: dict[str, Any] | None, at: int = NOON - 60 * DAY) -> tuple[str, str]:
    """A campaign of 10 % that has these tiers since a moment, and a click in it."""
    campaign_id = await harness.campaign(days=LONG)
    now = harness.clock.now
    harness.clock.now = at
    await edit_campaign(harness.store, harness.clock, campaign_id, CampaignForm({"volumeRates": rates}))
    harness.clock.now = now
    return campaign_id, await harness.click(campaign_id, before_ms=90 * DAY)


async def report(harness: Harness, click: str, number: str, at: int, amount: str = "100.00", **body: Any) -> None:
    await harness.order(number, amount, clickId=click, orderedAt=format_instant(at), orderStatus="confirmed", **body)
    await harness.work()


async def book(harness: Harness) -> list[tuple[str, str]]:
    """End the holds that are over and reckon the months; return the corrections by volume, the oldest first."""
    await jobs_of(harness).release_holds()
    await VolumeBonuses(harness.store, harness.clock).book()
    found = await first_adjustments(harness.store, Wanted(limit=200))
    return [(each["amount"], each["currency"]) for each in reversed(found) if each["kind"] == "volume"]


async def test_from_the_third_order_of_a_month_the_affiliate_earns_more(harness: Harness) -> None:
    """Booked once: after the month, and after the last hold; what it adds stands with each order and in the books."""
    campaign_id, click = await begin(harness, volume(("3", "12"), ("5", "15")))
    for number in range(6):
        await report(harness, click, f"O-{number}", FIRST + number * DAY)
    harness.clock.advance(9 * DAY)  # 29 November: five holds are over
    assert await book(harness) == []
    harness.clock.advance(3 * DAY)  # 2 December: the month is over, and so are all holds
    assert await book(harness) == [("14.00", "USD")]
    assert await book(harness) == [("14.00", "USD")]
    made = (await first_adjustments(harness.store, Wanted()))[0]
    assert (made["kind"], made["status"], made["createdBy"]) == ("volume", "APPROVED", "rule")
    assert made["reason"].startswith("Volume rate of ")
    assert "2026-11" in made["reason"]
    entries = [each for each in await entries_of(harness) if each.kind == "adjusted"]
    assert [(each.debit, each.credit, each.amount_minor) for each in entries] == [("merchant", "adjustments", 1_400)]
    assert entries[0].cause == f"{VOLUME_CAUSE}{campaign_id}:2026-11"
    await holds(harness.store)


async def test_it_waits_for_the_last_hold_of_the_month_but_not_for_what_is_pending(harness: Harness) -> None:
    _, click = await begin(harness, volume(("2", "12")))
    await report(harness, click, "O-1", FIRST)
    await report(harness, click, "O-2", FIRST + DAY)
    await harness.order("O-3", clickId=click, orderedAt=format_instant(FIRST + 2 * DAY))
    await harness.work()
    harness.clock.advance(5 * DAY)
    await report(harness, click, "O-4", FIRST + 24 * DAY)
    harness.clock.advance(12 * DAY)
    assert await book(harness) == []
    harness.clock.advance(10 * DAY)
    assert await book(harness) == [("4.00", "USD")]
    await harness.status("O-3", "delivered")
    await harness.work()
    harness.clock.advance(15 * DAY)
    assert await book(harness) == [("4.00", "USD"), ("2.00", "USD")]
    await holds(harness.store)


async def test_an_amount_of_all_orders_goes_on_over_the_months(harness: Harness) -> None:
    """150.00 before November's first order, of which the rest of October was cancelled."""
    _, click = await begin(harness, volume(("150.00", "20"), measure="AMOUNT", period="EVER"))
    await report(harness, click, "O-0", FIRST - 30 * DAY, "100.00")
    await report(harness, click, "O-1", FIRST - 20 * DAY, "50.00")
    await report(harness, click, "O-2", FIRST - 10 * DAY, "70.00")
    await harness.status("O-2", "cancelled")
    await harness.work()
    await report(harness, click, "O-3", FIRST, "10.00")
    harness.clock.advance(40 * DAY)
    assert await book(harness) == [("1.00", "USD")]
    # An order of September, reported last: October's second order is behind 150.00 by now, too.
    await report(harness, click, "O-late", FIRST - 40 * DAY, "60.00")
    harness.clock.advance(15 * DAY)
    assert await book(harness) == [("1.00", "USD"), ("5.00", "USD")]
    await holds(harness.store)


async def test_rates_that_go_before_it_stay_and_currencies_are_kept_apart(sqlite_live: Harness) -> None:
    """New customers' rate and a rate of the affiliate's own; each currency has a line of its own."""
    harness = sqlite_live
    campaign_id, click = await begin(harness, volume(("2", "20")))
    new = {"newCustomerCommissionType": "PERCENTAGE", "newCustomerCommissionValue": "11"}
    await edit_campaign(harness.store, harness.clock, campaign_id, CampaignForm(new))
    await report(harness, click, "O-1", FIRST)
    await report(harness, click, "O-2", FIRST + HOUR, "50.00", currency="EUR")
    await report(harness, click, "O-3", FIRST + 2 * HOUR)
    harness.clock.advance(HOUR)
    await report(harness, click, "O-4", harness.clock(), metadata={"newCustomer": True})
    await set_membership(harness.store, harness.clock, Member(campaign_id, harness.affiliate_id), "APPROVED")
    harness.clock.advance(HOUR)
    await set_own_rate(harness.store, harness.clock, Member(campaign_id, harness.affiliate_id), "PERCENTAGE:12")
    await report(harness, click, "O-5", harness.clock())
    harness.clock.advance(20 * DAY)
    assert sorted(await book(harness)) == [("10.00", "USD"), ("5.00", "EUR")]
    await holds(harness.store)


async def test_refunds_take_their_share_back_after_the_payout_too(sqlite_live: Harness) -> None:
    """And an order that is cancelled after it was paid moves those behind it down; the fee follows to the cent."""
    harness = sqlite_live
    _, click = await begin(harness, volume(("3", "12.5")))
    await set_fee(harness.store, harness.clock, harness.merchant_id, "7")
    harness.clock.advance(HOUR)
    for number in range(4):
        await report(harness, click, f"O-{number}", FIRST + number * DAY, "33.33")
    harness.clock.advance(20 * DAY)
    assert await book(harness) == [("1.68", "USD")]
    await named(harness)
    harness.clock.advance(4 * DAY)
    await release(harness, (await create(harness))["id"])
    await harness.webhook("order-refunded", "d-1", external_order_id="O-3", refund_id="r-1", refund_amount="10.00")
    await harness.work()
    assert await book(harness) == [("1.68", "USD"), ("-0.25", "USD")]
    await harness.status("O-0", "cancelled")
    await harness.work()
    booked = await book(harness)
    assert booked[2:] == [("-0.84", "USD")]
    left = 168 - 25 - 84
    fees = [each for each in await entries_of(harness) if each.kind == "fee" and each.cause.startswith(VOLUME_CAUSE)]
    assert sum(each.amount_minor if each.credit == "fees" else -each.amount_minor for each in fees) == fee_of(left, "7")
    await holds(harness.store)


async def test_the_proof_of_fees_names_one_that_is_not_the_sums(sqlite_live: Harness, monkeypatch: Any) -> None:
    """The control: fees of the parts by themselves are a cent off, and `hub ledger verify` says so."""
    harness = sqlite_live
    monkeypatch.setattr("hub.domain.books.fees.fee_of_more", lambda _before, amount, rate: fee_of(amount, rate))
    _, click = await begin(harness, volume(("2", "20")))
    await set_fee(harness.store, harness.clock, harness.merchant_id, "50")
    harness.clock.advance(2 * HOUR)
    await report(harness, click, "O-1", FIRST, "10.00")
    await report(harness, click, "O-2", FIRST + DAY, "0.10")
    harness.clock.advance(20 * DAY)
    assert await book(harness) == [("0.01", "USD")]
    await report(harness, click, "O-3", FIRST + 2 * DAY, "0.10")
    harness.clock.advance(20 * DAY)
    assert await book(harness) == [("0.01", "USD"), ("0.01", "USD")]
    with pytest.raises(AssertionError, match="The fee behind entry"):
        await holds(harness.store)


async def test_what_is_tried_is_what_is_booked_and_each_order_says_why(harness: Harness) -> None:
    """The preview of tiers that count already changes nothing; of higher ones it has the difference of each order."""
    campaign_id, click = await begin(harness, volume(("3", "12")))
    for number in range(4):
        await report(harness, click, f"O-{number}", FIRST + number * DAY)
    await harness.order("O-9", clickId=click, orderedAt=format_instant(FIRST))
    await harness.work()
    store, clock = harness.store, harness.clock
    same = await preview_volume(store, clock, campaign=campaign_id, volume=volume(("3", "12")), days=30)
    assert (same["priced"], same["changed"]) == (5, 0)
    more = await preview_volume(store, clock, campaign=campaign_id, volume=volume(("2", "12"), ("4", "15")), days=30)
    # The pending order is tried with the others: places are those of all that may yet earn.
    assert more["totals"] == [{"currency": "USD", "before": "56.00", "after": "64.00", "difference": "8.00"}]
    found = {}
    for seen in ("before", "after"):
        for order_id in ("O-0", "O-3", "O-9"):
            (record,) = await conversions_of_order(store, clock, order_id)
            found[seen, order_id] = write(record.volume) if record.volume else None
        clock.advance(20 * DAY)
        assert await book(harness) == [("4.00", "USD")]
    reached = {"month": "2026-11", "standing": "COUNTED", "place": 4, "begins": "3", "commissionType": "PERCENTAGE",
               "commissionValue": "12", "amount": "2.00"}  # fmt: skip
    none = {"begins": None, "commissionType": None, "commissionValue": None, "amount": "0.00", "month": "2026-11"}
    assert found["before", "O-3"] is None  # the job has not read it yet
    assert found["after", "O-3"] == reached
    assert found["after", "O-0"] == {**none, "standing": "COUNTED", "place": 1}
    assert found["after", "O-9"] == {**none, "standing": "LEFT_OUT", "place": None}
    with pytest.raises(InvalidFields, match="must rise"):
        await preview_volume(store, clock, campaign=campaign_id, volume=volume(("3", "12"), ("3", "13")), days=30)
    with pytest.raises(OperatorFault, match="can be priced"):
        await preview_volume(store, clock, campaign=campaign_id, volume=volume(("3", "12")), days=0)


async def test_a_campaign_without_tiers_is_never_read(harness: Harness) -> None:
    _, click = await begin(harness, None)
    await report(harness, click, "O-1", FIRST)
    harness.clock.advance(40 * DAY)
    assert await book(harness) == []
    async with harness.store.read() as tx:
        assert await tx.all("volume_readings") == []


async def test_bad_tiers_are_refused_with_every_fault(sqlite_live: Harness) -> None:
    campaign_id = await sqlite_live.campaign()
    bad: list[tuple[Any, str]] = [
        ("PERCENTAGE", "must be a JSON object"),
        ({"period": "MONTH", "measure": "ORDERS", "tiers": []}, "must be an array of 1 to 10 tiers"),
        ({"period": "WEEK", "measure": "ORDERS", "tiers": [{"from": 11}]}, "`volumeRates.period`"),
        (volume(("1", "12")), "2nd order or a later"),
        (volume(("5", "12"), ("5", "13")), "must rise"),
    ]
    for given_, words in bad:
        with pytest.raises(InvalidFields) as refused:
            fields = CampaignForm({"volumeRates": given_})
            await edit_campaign(sqlite_live.store, sqlite_live.clock, campaign_id, fields)
        assert words in refused.value.faults["volumeRates"]


# Any order of arrival -------------------------------------------------------------------------------------------------

Placed = tuple[int, int, str, int]
"""Of an order: the day, its cents, what came of it, and the cents that were refunded."""
histories = st.lists(
    st.tuples(st.integers(0, 45), st.integers(1, 20_000), st.sampled_from(["", "", "cancelled", "refund"]),
              st.integers(1, 9_000)),
    min_size=1, max_size=6,
)  # fmt: skip


def left_of(order: Placed) -> int:
    _, cents, what, refunded = order
    return 0 if what == "cancelled" else max(0, cents - refunded) if what == "refund" else cents


def model(history: list[Placed], period: str) -> int:
    """What the affiliate earns in all, reckoned by hand: the place of each order that counts says its rate."""
    earned, places = 0, Counter[str]()
    for order in sorted(history, key=lambda each: each[0]):  # stable: orders of one moment stay by their numbers
        if left := left_of(order):
            month = "ever" if period == "EVER" else "october" if order[0] < 16 else "november"
            places[month] += 1
            rate = 20 if places[month] >= 4 else 15 if places[month] >= 2 else 10
            earned += divide_half_up(left * rate, 100)
    return earned


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


async def tell(harness: Harness, click: str, what: str, number: int, order: Placed) -> None:
    """Report one piece of an order's history, as of its own time."""
    at = FIRST + (order[0] - 16) * DAY
    if what == "order":
        await report(harness, click, f"O-{number}", at, money(order[1]))
    elif what == "cancelled":
        await harness.status(f"O-{number}", "cancelled", at + DAY)
    else:
        await harness.webhook("order-refunded", f"d-{number}", external_order_id=f"O-{number}", refund_id="r",
                              refund_amount=money(order[3]), occurred_at=format_instant(at + DAY))  # fmt: skip
    await harness.work()


def lived(history: list[Placed], period: str, events: list[tuple[str, int]], pauses: set[int]) -> list[Entry]:
    """The entries after the events came in this order, with payouts in the pauses between them."""
    folder = Path(tempfile.mkdtemp())
    try:
        file = shutil.copyfile(template(), folder / "hub.db")
        return asyncio.run(_live(f"sqlite:///{file}", history, period, events, pauses))
    finally:
        shutil.rmtree(folder)


async def _live(
    url: str, history: list[Placed], period: str, events: list[tuple[str, int]], pauses: set[int]
) -> list[Entry]:
    harness = await Harness.open(url, mode="live")
    try:
        _, click = await begin(harness, volume(("2", "15"), ("4", "20"), period=period))
        await named(harness)
        harness.clock.advance(15 * DAY)
        for step, (what, number) in enumerate(events):
            await tell(harness, click, what, number, history[number])
            if step in pauses:
                harness.clock.advance(20 * DAY)
                await book(harness)
                with suppress(OperatorFault):  # there may be nothing to pay
                    await release(harness, (await create(harness))["id"])
        harness.clock.advance(20 * DAY)
        await book(harness)
        await holds(harness.store)
        return await entries_of(harness)
    finally:
        await harness.close()


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(histories, st.sampled_from(["MONTH", "EVER"]), st.data())
def test_any_order_of_arrival_ends_in_the_same_books(history: list[Placed], period: str, data: st.DataObject) -> None:
    """However orders, cancellations and refunds come in, and whatever was paid between them."""
    events = [("order", number) for number in range(len(history))]
    events += [(order[2], number) for number, order in enumerate(history) if order[2]]
    shuffled = data.draw(st.permutations(events))
    pauses = data.draw(st.sets(st.integers(0, len(events) - 1), max_size=2))
    places: Counter[str] = Counter()
    for entry in lived(history, period, shuffled, pauses):
        for place, minor in deltas(entry):
            places[place] += minor
    assert -places["merchant"] == model(history, period)
    assert sum(places.values()) == 0


def test_the_control_misses_what_comes_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the news of orders that are known, a cancellation after the payout leaves the bonus as it was."""
    history: list[Placed] = [(20, 10_000, "cancelled", 0), (21, 90_000, "", 0)]
    late = [("order", 0), ("order", 1), ("cancelled", 0)]
    assert _owed(lived(history, "MONTH", late, {1})) == model(history, "MONTH")
    monkeypatch.setattr(volume_orders, "_differs", lambda known, _order: known is None)
    assert _owed(lived(history, "MONTH", late, {1})) != model(history, "MONTH")


def _owed(entries: list[Entry]) -> int:
    return -sum(minor for entry in entries for place, minor in deltas(entry) if place == "merchant")
