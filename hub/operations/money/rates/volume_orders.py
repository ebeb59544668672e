"""The orders of campaigns whose rate rises by volume, read behind the change feed so that no order waits for it.

What is read is what an order counts: whether it is past its hold, and what is left of it. Each change of that wants its
month to be reckoned (hub/operations/money/rates/volume_bonuses.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Final, NamedTuple

from hub.clock import Clock
from hub.domain.books.book_time import month_of
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.refunds import settle
from hub.domain.orders.terms import Refund
from hub.domain.orders.undone import standing_refunds
from hub.domain.words import VolumeStanding
from hub.operations.money.books.books import zone_of_books
from hub.processing.adjustments import REVERSING, due_back
from hub.processing.change_numbers import number_account
from hub.processing.ledger_rows import Commission, Conversion, FactRow
from hub.storage import Row, Store, Tx

AT_ONCE: Final = 200
"""How many changes one transaction reads."""
STANDINGS: Final[Mapping[str, VolumeStanding]] = {
    "HOLD": "OPEN", "APPROVED": "OPEN", "PAYABLE": "COUNTED", "PAID": "COUNTED",
}  # fmt: skip
"""What a commission's state means for its order; an order that earns nothing yet, or no more, is left out."""
Key = tuple[str, str]
"""(account id, conversion id)"""


class VolumeOrder(NamedTuple):
    """A row of `put_volume_orders`; `placed_at` is ms UTC, amounts are minor units after all refunds."""

    account_id: str
    conversion_id: str
    campaign_id: str
    affiliate_id: str
    external_order_id: str
    placed_at: int
    standing: str
    currency: str
    base_minor: int
    left_over: int


class Earned(NamedTuple):
    """An order with its commission and facts."""

    conversion: Conversion
    commission: Commission
    facts: Sequence[StatusFact]

    @property
    def refunds(self) -> list[Refund]:
        """What went back of the order, before or after the payout."""
        return standing_refunds(self.facts, self.conversion.last_word)

    @property
    def is_gone(self) -> bool:
        """Whether all of a paid order was taken back after its payout."""
        return any(fact.refund is None and fact.late and fact.status in REVERSING for fact in self.facts)


async def follow_orders(store: Store, clock: Clock) -> int:
    """Read what changed of the orders of campaigns with rates by volume; return how many count otherwise by now."""
    async with store.read() as tx:
        readings = await tx.all("volume_readings")
    changed = 0
    for reading in readings:
        await number_account(store, clock, reading["account_id"])
        place: tuple[int, str] | None = (reading["number"], reading["record_id"])
        while place is not None:
            async with store.write() as tx:
                place, found = await _follow_some(tx, reading["account_id"], place)
            changed += found
    return changed


async def _follow_some(tx: Tx, account_id: str, after: tuple[int, str]) -> tuple[tuple[int, str] | None, int]:
    """Read the next changes of an account; return the place behind them, None at the end, and how many orders."""
    rows = await tx.all(
        "changes_of_account", account_id=account_id, number=after[0], record_type="conversion", record_id=after[1],
        types=["conversion"], limit=AT_ONCE,
    )  # fmt: skip
    if not rows:
        return None, 0
    end = (rows[-1]["number"], rows[-1]["record_id"])
    moved = await tx.run(
        "move_volume_reading", account_id=account_id, number=end[0], record_id=end[1],
        from_number=after[0], from_record_id=after[1],
    )  # fmt: skip
    if not moved:  # another node reads, or the campaign's first tiers let it begin again
        return None, 0
    found = await _put_orders(tx, [(account_id, row["record_id"]) for row in rows])
    return (end if len(rows) == AT_ONCE else None), found


async def _put_orders(tx: Tx, keys: Sequence[Key]) -> int:
    known = {(row["account_id"], row["conversion_id"]): row for row in await tx.all("volume_orders", conversions=keys)}
    orders = await _orders(tx, keys)
    # One that is gone (a test account was emptied, an attribution taken back) does not count any more.
    gone = [_gone(row) for key, row in known.items() if key not in orders]
    changed = [each for each in [*orders.values(), *gone] if _differs(known.get(each[:2]), each)]
    if not changed:
        return 0
    zone = await zone_of_books(tx)
    months = {_month(each, zone) for each in changed}
    months |= {_month(_stored(known[each[:2]]), zone) for each in changed if each[:2] in known}
    await tx.run("put_volume_orders", orders=changed)
    await tx.run("want_volume_months", months=sorted(months))
    return len(changed)


async def _orders(tx: Tx, keys: Sequence[Key]) -> dict[Key, VolumeOrder]:
    return {key: volume_order(each) for key, each in (await earned_orders(tx, keys)).items()}


async def earned_orders(tx: Tx, keys: Sequence[Key]) -> dict[Key, Earned]:
    """Return those of these orders that earn by a campaign which has, or had, rates by volume."""
    conversions = await tx.records(Conversion, "volume_conversions", conversions=keys)
    mine = [(each.account_id, each.conversion_id) for each in conversions]
    commissions = {
        (each.account_id, each.conversion_id): each
        for each in await tx.records(Commission, "load_commissions", conversions=mine)
    }
    orders = [(each.account_id, each.external_order_id) for each in conversions]
    facts: dict[Key, list[StatusFact]] = {}
    for row in await tx.records(FactRow, "load_facts", orders=orders):
        facts.setdefault((row.account_id, row.external_order_id), []).append(row.fact)
    found = {}
    for each in conversions:
        key = (each.account_id, each.conversion_id)
        if key in commissions:
            found[key] = Earned(each, commissions[key], facts.get((each.account_id, each.external_order_id), ()))
    return found


def volume_order(earned: Earned) -> VolumeOrder:
    """Return what an order counts for rates by volume."""
    conversion, commission = earned.conversion, earned.commission
    standing, base, left = STANDINGS.get(commission.state, "LEFT_OUT"), commission.base_minor, commission.amount_minor
    if commission.state == "PAID":
        settled = settle(commission.terms, conversion.paid_minor, conversion.lines, earned.refunds)
        base = settled.base_minor
        left -= due_back(commission.terms, conversion, commission.amount_minor, earned.facts)
        if earned.is_gone or settled.fully_refunded:
            standing, base = "LEFT_OUT", 0
    return VolumeOrder(
        conversion.account_id, conversion.conversion_id, conversion.campaign_id or "", commission.affiliate_id,
        conversion.external_order_id, conversion.ordered_at, standing, conversion.currency, base, left,
    )  # fmt: skip


def _gone(row: Row) -> VolumeOrder:
    return _stored(row)._replace(standing="LEFT_OUT", base_minor=0, left_over=0)


def _stored(row: Row) -> VolumeOrder:
    return VolumeOrder(*(row[name] for name in VolumeOrder._fields))


def _differs(known: Row | None, order: VolumeOrder) -> bool:
    return known is None or _stored(known) != order


def _month(order: VolumeOrder, zone: tzinfo) -> tuple[str, str, str, str]:
    return order.account_id, order.campaign_id, order.affiliate_id, month_of(order.placed_at, zone)
