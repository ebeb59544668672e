"""Rates by volume before they count: the last orders with the tiers that are tried, beside what they really add.

Places are known only once all orders of a period were read, so what is kept of each order is what the tiers could add
to it: some numbers, and no text but its number. Refunds count on neither side, as in a preview of any rate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from typing import Any, Final

from attrs import define, field, frozen

from hub.clock import Clock
from hub.domain.books.book_time import month_of, span_of_month
from hub.domain.durations import DAY
from hub.domain.orders.commission import Rule
from hub.domain.orders.rate_versions import rate_at
from hub.domain.orders.volume_rates import (
    CountedOrder,
    Volume,
    VolumeRates,
    VolumeVersion,
    added_by,
    tiers_reached,
    volume_faults,
    volume_from_json,
    volume_words,
)
from hub.operations.campaigns.campaigns import campaign_named
from hub.operations.errors import InvalidFields
from hub.operations.money.books.books import zone_of_books
from hub.operations.money.rates.priced_orders import checked_days, each_page_since
from hub.operations.money.rates.rule_preview import PreviewDocument, PreviewSums, preview_document
from hub.operations.money.rates.volume_bonuses import versions_of
from hub.processing.decision_context import load_merchants, load_own_rates, load_rate_changes
from hub.processing.ledger_rows import Commission, Conversion
from hub.storage import Row, Store, Tx, pick_records
from hub.validation.constraints import Fault
from hub.validation.volume_constraint import Volume as VolumeField

READER: Final = VolumeField()
Places = tuple[str, str]
"""An affiliate and a month, of which places are counted."""


@frozen
class _Seen:
    """An order as the preview keeps it: what it earned, and what each rate would add."""

    order: CountedOrder
    affiliate_id: str
    earned_minor: int
    adds: Mapping[Rule, int]


@define
class _Orders:
    by_month: defaultdict[Places, list[_Seen]] = field(factory=lambda: defaultdict(list))


async def preview_volume(
    store: Store, clock: Clock, *, campaign: str, volume: Mapping[str, Any], days: int,
    note: Callable[[int], None] | None = None,
) -> PreviewDocument:  # fmt: skip
    """Show what a campaign's orders of the last days would earn with rates by volume, `volume` as the API has them.

    Raise `OperatorFault` if the campaign is unknown, and for days or tiers that cannot be used.
    """
    since = clock() - checked_days(days) * DAY
    async with store.read() as tx:
        row = await campaign_named(tx, campaign)
        account_id, campaign_id = row["account_id"], row["campaign_id"]
        currency = (await load_merchants(tx, [account_id]))[account_id].currency
        versions, zone = await versions_of(tx, account_id, campaign_id), await zone_of_books(tx)
    tried = checked_volume(volume, currency)
    periods = {each.period for each in (tried, *(each.rates for each in versions)) if each is not None}
    begins = 0 if "EVER" in periods else span_of_month(month_of(since, zone), zone)[0]
    found = _Orders()
    rules = {tier.rule for each in (tried, *(v.rates for v in versions)) if each is not None for tier in each.tiers}

    async def keep(tx: Tx, rows: Sequence[Row]) -> None:
        conversions = pick_records(Conversion, rows)
        await _keep(tx, [each for each in conversions if each.campaign_id == campaign_id], rules, zone, found)

    await each_page_since(store, account_id, begins, keep, note)
    sums = _compared(found, versions, tried, currency, since)
    return preview_document(sums, campaign_id, volume_words(volume, currency), days)


def checked_volume(stated: Mapping[str, Any], currency: str) -> VolumeRates:
    """Return rates by volume as the API's body has them; raise `InvalidFields` for what cannot be used."""
    try:
        rates = volume_from_json(READER.read(stated))
    except Fault as fault:
        raise InvalidFields({"volumeRates": "; ".join(f"`{path}` {text}" for path, text in fault.problems)}) from None
    faults = volume_faults(rates, currency)
    if faults:
        raise InvalidFields({"volumeRates": f"The tiers {'; '.join(faults)}."})
    return rates


async def _keep(tx: Tx, conversions: Sequence[Conversion], rules: set[Rule], zone: tzinfo, found: _Orders) -> None:
    """Keep what the rates would add to these orders, those of which nothing is left but their places too."""
    if not conversions:
        return
    keys = [(each.account_id, each.conversion_id) for each in conversions]
    commissions = {each.conversion_id: each for each in await tx.records(Commission, "load_commissions",
                                                                         conversions=keys)}  # fmt: skip
    has_own = await _own_rates(tx, conversions)
    for each in conversions:
        commission = commissions.get(each.conversion_id)
        if commission is None or commission.state == "REJECTED":
            continue
        terms = commission.terms
        adds = {rule: 0 if has_own(each) else added_by(rule, terms, each.paid_minor, each.lines, ()) for rule in rules}
        order = CountedOrder(each.ordered_at, each.external_order_id, each.currency, terms.base_minor)
        place = (commission.affiliate_id, month_of(each.ordered_at, zone))
        found.by_month[place].append(_Seen(order, commission.affiliate_id, terms.amount_minor, adds))


async def _own_rates(tx: Tx, conversions: Sequence[Conversion]) -> Callable[[Conversion], bool]:
    """Return a function that says whether an order's affiliate had a rate of its own at the order's time."""
    account_id = conversions[0].account_id
    members = [(account_id, each.campaign_id or "", each.affiliate_id or "") for each in conversions]
    now = await load_own_rates(tx, members)
    changes = await load_rate_changes(tx, {account_id: min(each.ordered_at for each in conversions)}, ())

    def has_own(each: Conversion) -> bool:
        member = (account_id, each.campaign_id or "", each.affiliate_id or "")
        mine = changes.get((account_id, "MEMBER", f"{member[1]}/{member[2]}"), ())
        return rate_at(now.get(member), mine, each.ordered_at) is not None

    return has_own


def _compared(
    found: _Orders, versions: Sequence[VolumeVersion], tried: VolumeRates, currency: str, since: int
) -> PreviewSums:
    """Return the sums of the orders since a moment (ms UTC), as they are and with the tiers that are tried."""
    sums = PreviewSums()
    volumes: dict[str, Volume] = {}
    for affiliate_id, month in sorted(found.by_month):
        orders = found.by_month[affiliate_id, month]
        before = volumes.get(affiliate_id, Volume())
        counted = [each.order for each in orders]
        now = {each.order: each.tier for each in tiers_reached(counted, versions, currency, before)}
        then = {each.order: each.tier for each in tiers_reached(counted, [VolumeVersion(0, tried)], currency, before)}
        for each in orders:
            before = before.with_order(each.order, currency)
            if each.order.placed_at >= since:
                had, has = (tiers[each.order] for tiers in (now, then))
                sums.add_amounts(
                    each.order.external_order_id, each.order.currency, affiliate_id,
                    each.earned_minor + (0 if had is None else each.adds[had.rule]),
                    each.earned_minor + (0 if has is None else each.adds[has.rule]),
                )  # fmt: skip
        volumes[affiliate_id] = before
    return sums
