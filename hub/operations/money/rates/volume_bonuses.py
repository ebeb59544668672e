"""What rates by volume add: one bonus for each affiliate, campaign, month and currency, from its own explanation.

A month is reckoned once it is over and none of its orders is on hold any more. What is booked is the difference between
what the month's orders add by now and what was booked of it before: a late order, or a refund after the payout, books
the rest in the same way. So whatever comes in whichever order, the sum is the same.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from attrs import frozen

from hub.clock import Clock
from hub.domain.books.book_time import month_of, span_of_month
from hub.domain.orders.rate_versions import rate_at
from hub.domain.orders.volume_rates import (
    VOLUME_CAUSE,
    CountedOrder,
    Reached,
    Volume,
    VolumeVersion,
    added_by,
    tiers_reached,
    volume_from_json,
)
from hub.ids import new_id
from hub.operations.money.books.books import books_zone, zone_of_books
from hub.operations.money.rates.volume_orders import Earned, earned_orders, follow_orders
from hub.processing.adjustments import BY_RULE, Adjustment
from hub.processing.correction_fees import entries_with_fees
from hub.processing.decision_context import load_merchants, load_own_rates, load_rate_changes
from hub.processing.noted_rows import note_rows
from hub.processing.notices import tell_of_corrections
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

VOLUME_SECONDS: Final = 60
"""How often the hub looks whether a month can be reckoned."""
MONTHS_AT_ONCE: Final = 100
ORDERS_AT_ONCE: Final = 500


@frozen
class VolumeMonth:
    """The month of one affiliate and campaign, with its first moment and that of the next (ms UTC)."""

    account_id: str
    campaign_id: str
    affiliate_id: str
    month: str
    since: int
    until: int

    @property
    def key(self) -> dict[str, str]:
        """Whose month it is, as the parameters of queries."""
        return {
            "account_id": self.account_id,
            "campaign_id": self.campaign_id,
            "affiliate_id": self.affiliate_id,
        }

    @property
    def cause(self) -> str:
        """What its corrections and entries name as their cause."""
        return f"{VOLUME_CAUSE}{self.campaign_id}:{self.month}"


class Result(NamedTuple):
    """A row of `store_volumes_reached`."""

    account_id: str
    conversion_id: str
    place: int | None
    tier_from: str | None
    type: str | None
    value: str | None
    added_minor: int


class VolumeBonuses:
    """Books what rates by volume add."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def book(self) -> int:
        """Read what changed, then reckon the months that are over; return how many corrections were booked."""
        await follow_orders(self._store, self._clock)
        zone = await books_zone(self._store)
        booked = 0
        while True:
            async with self._store.read() as tx:
                current = month_of(self._clock(), zone)
                rows = await tx.all("volume_months_due", current=current, limit=MONTHS_AT_ONCE)
            for row in rows:
                since, until = span_of_month(row["month"], zone)
                month = VolumeMonth(
                    row["account_id"], row["campaign_id"], row["affiliate_id"], row["month"], since, until
                )
                async with self._store.write() as tx:
                    booked += await _reckon(tx, month, self._clock())
            if not rows:  # a month may have let the next one be reckoned again
                return booked


async def _reckon(tx: Tx, month: VolumeMonth, now: int) -> int:
    """Reckon a month that is over (`now` is ms UTC); while orders are on hold it waits for their next change."""
    await tx.lock_orders([("", f"volume {month.account_id} {month.campaign_id} {month.affiliate_id}")])
    await tx.run("end_volume_month", month=month.month, **month.key)
    versions = await versions_of(tx, month.account_id, month.campaign_id)
    merchant = (await load_merchants(tx, [month.account_id]))[month.account_id]
    ever = any(each.rates is not None and each.rates.period == "EVER" for each in versions)
    before = await tx.one("volume_before", before=month.since, currency=merchant.currency, **month.key)
    rows = await tx.all("volume_orders_between", since=month.since, until=month.until, **month.key)
    assert before is not None  # noqa: S101 - a query of sums always has a row
    if any(row["standing"] == "OPEN" for row in rows) or (ever and before["open"]):
        return 0
    volume = Volume(before["orders"], before["minor"]) if ever else Volume()
    results, sums = await _results(tx, month, rows, versions, merchant.currency, volume)
    stored = {row["conversion_id"]: row for row in rows}
    changed = [each for each in results if _differs(stored[each.conversion_id], each)]
    if changed:
        await tx.run("store_volumes_reached", reached=changed)
    made = await _book(tx, month, sums, now, live=merchant.live)
    if ever:
        await _want_next(tx, month)
    return made


def _differs(row: Row, result: Result) -> bool:
    return any(row[name] != getattr(result, name) for name in Result._fields[2:])


async def _want_next(tx: Tx, month: VolumeMonth) -> None:
    """Let the affiliate's next month be reckoned, too: its volume begins with that of the months before."""
    following = await tx.one("next_volume_order", since=month.until, **month.key)
    if following is not None:
        zone = await zone_of_books(tx)
        await tx.run("want_volume_months", months=[(*month.key.values(), month_of(following["placed_at"], zone))])


async def _results(
    tx: Tx, month: VolumeMonth, rows: Sequence[Row], versions: Sequence[VolumeVersion], currency: str, before: Volume
) -> tuple[list[Result], dict[str, int]]:
    """Return what each order of a month reached, and what that adds in all by currency."""
    ids = {row["external_order_id"]: row["conversion_id"] for row in rows}
    counted = [
        CountedOrder(row["placed_at"], row["external_order_id"], row["currency"], row["base_minor"])
        for row in rows if row["standing"] == "COUNTED"
    ]  # fmt: skip
    reached = {ids[each.order.external_order_id]: each for each in tiers_reached(counted, versions, currency, before)}
    added = await _added(tx, month, {key: each for key, each in reached.items() if each.tier is not None})
    sums: dict[str, int] = defaultdict(int)
    results = []
    for row in rows:
        conversion_id = row["conversion_id"]
        found, minor = reached.get(conversion_id), added.get(conversion_id)
        tier = None if found is None or minor is None else found.tier
        sums[row["currency"]] += minor or 0
        results.append(
            Result(
                month.account_id,
                conversion_id,
                None if found is None else found.place,
                None if tier is None else tier.begins,
                None if tier is None else tier.rule.type,
                None if tier is None else tier.rule.value,
                minor or 0,
            )
        )
    return results, sums


async def _added(tx: Tx, month: VolumeMonth, reached: Mapping[str, Reached]) -> dict[str, int]:
    """Return what the tiers add to orders, by conversion; one whose affiliate has a rate of its own is left out."""
    if not reached:
        return {}
    own = await _own_rates(tx, month, [each.order.placed_at for each in reached.values()])
    added: dict[str, int] = {}
    ids = [key for key, each in reached.items() if not own(each.order.placed_at)]
    for start in range(0, len(ids), ORDERS_AT_ONCE):
        keys = [(month.account_id, conversion_id) for conversion_id in ids[start : start + ORDERS_AT_ONCE]]
        for (_, conversion_id), earned in (await earned_orders(tx, keys)).items():
            added[conversion_id] = _added_to(earned, reached[conversion_id])
    return added


def _added_to(earned: Earned, reached: Reached) -> int:
    if reached.tier is None or earned.is_gone:
        return 0
    conversion = earned.conversion
    return added_by(reached.tier.rule, earned.commission.terms, conversion.paid_minor, conversion.lines, earned.refunds)


async def _own_rates(tx: Tx, month: VolumeMonth, moments: Iterable[int]) -> Callable[[int], bool]:
    """Return a function that says whether the affiliate had a rate of its own at a moment (ms UTC)."""
    member = (month.account_id, month.campaign_id, month.affiliate_id)
    now = (await load_own_rates(tx, [member])).get(member)
    changes = await load_rate_changes(tx, {month.account_id: min(moments)}, ())
    mine = changes.get((month.account_id, "MEMBER", f"{month.campaign_id}/{month.affiliate_id}"), ())
    return lambda moment: rate_at(now, mine, moment) is not None


async def _book(tx: Tx, month: VolumeMonth, sums: Mapping[str, int], now: int, *, live: bool) -> int:
    """Book the difference between what a month's orders add and what was booked of it, by currency."""
    rows = await tx.all(
        "volume_booked", account_id=month.account_id, affiliate_id=month.affiliate_id, fact_key=month.cause
    )
    booked = {row["currency"]: row["minor"] for row in rows}
    differences = {each: sums.get(each, 0) - booked.get(each, 0) for each in sorted({*sums, *booked})}
    changed = {currency: minor for currency, minor in differences.items() if minor}
    campaign = await _title_of(tx, month) if changed else ""
    made = [
        _correction(month, campaign, minor, currency, now, again=currency in booked)
        for currency, minor in changed.items()
    ]  # fmt: skip
    if made:
        entries = await entries_with_fees(tx, made, now)
        await tx.run("insert_adjustments", adjustments=made)
        await post(tx, entries, now)
        await note_rows(tx, now, {"adjustments": [(each.account_id, each.adjustment_id) for each in made]})
        if live:
            await tell_of_corrections(tx, now, made)
    return len(made)


async def _title_of(tx: Tx, month: VolumeMonth) -> str:
    row = await tx.one("title_of_campaign", account_id=month.account_id, campaign_id=month.campaign_id)
    return month.campaign_id if row is None else str(row["title"])


def _correction(month: VolumeMonth, campaign: str, minor: int, currency: str, now: int, *, again: bool) -> Adjustment:
    reason = f"Volume rate of {campaign} for {month.month}"
    reason += ", recalculated after a late order, a refund or another change." if again else "."
    return Adjustment(
        month.account_id, new_id("adj"), month.affiliate_id, "volume", minor, currency, reason, None, None,
        month.cause, None, "APPROVED", BY_RULE, now, BY_RULE, now, None,
    )  # fmt: skip


async def versions_of(tx: Tx, account_id: str, campaign_id: str) -> list[VolumeVersion]:
    """Return the tiers that a campaign has had."""
    rows = await tx.all("volume_versions", account_id=account_id, campaign_id=campaign_id)
    return [
        VolumeVersion(row["since"], None if row["rates"] is None else volume_from_json(json.loads(row["rates"])))
        for row in rows
    ]
