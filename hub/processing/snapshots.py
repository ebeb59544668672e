"""Snapshots of orders: a newer one restates the amount and the lines until the commission is payable; pure.

Of all snapshots that arrive in time the one with the highest version counts (of equal versions the larger content), and
of all moments at which the platform said that an order stands the last one. Both are maxima, so no order of arrival can
change where they end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from hub.domain.money import format_money, to_minor
from hub.domain.orders.commission import Rule, Terms
from hub.domain.orders.facts import OrderSnapshot
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.undone import SUPERSEDED, RefundSet, newest_set, read_refund_set, refund_set_text, undone
from hub.processing.commissions import Pricing, advance, life_of, reprice
from hub.processing.events import order_lines
from hub.processing.ledger_rows import Commission, Conversion, lines_to_json

ALREADY_KNOWN = "already_known"
CURRENCY_CHANGED = "currency_changed"
AMOUNT_DIFFERS = "amount_differs"
REFUND_GONE = "refund_gone"


class Restated(NamedTuple):
    """What a snapshot made of an order: `skip_reason` is None if it changed it.

    `change` says what the snapshot states otherwise, for the event's explanation; `review` is why a person must look.
    `gone` are refunds that the platform has no longer, too late to take them back, as a question's details.
    """

    conversion: Conversion
    commission: Commission | None
    skip_reason: str | None
    change: dict[str, Any] | None = None
    review: str | None = None
    gone: dict[str, Any] | None = None


def first_sight(conversion: Conversion, snapshot: OrderSnapshot) -> Conversion:
    """Return a new conversion that remembers which snapshot its amounts are from."""
    return conversion._replace(
        snapshot_version=snapshot.version,
        stands_at=_last(None, snapshot.stands_at, conversion.received_at),
        refund_set=_refund_set(None, snapshot),
    )


def restate(
    conversion: Conversion, commission: Commission | None, snapshot: OrderSnapshot, facts: Iterable[StatusFact],
    pricing: Callable[[Conversion], Pricing], received_at: int, now: int,
) -> Restated:  # fmt: skip
    """Return what a snapshot that was received at `received_at` makes of a known order; times are ms UTC.

    `pricing` returns the rules for parts of the order that its frozen terms do not know.
    """
    if conversion.snapshot_version is None:
        return Restated(conversion, commission, ALREADY_KNOWN)
    facts = tuple(facts)
    standing = conversion._replace(stands_at=_last(conversion.stands_at, snapshot.stands_at, received_at))
    standing, gone = _with_refunds(standing, commission, snapshot, facts, now)
    return _restated(conversion, standing, commission, snapshot, facts, pricing, now)._replace(gone=gone)


def _restated(
    conversion: Conversion, standing: Conversion, commission: Commission | None, snapshot: OrderSnapshot,
    facts: Sequence[StatusFact], pricing: Callable[[Conversion], Pricing], now: int,
) -> Restated:  # fmt: skip
    """Return what a snapshot makes of an order of which it is known whether it stands and which refunds it has."""
    moved = commission if standing == conversion else _advanced(standing, commission, facts, now)
    reason = None if moved is not commission else ALREADY_KNOWN
    stated = _as_stated(standing, snapshot)
    currency = snapshot.currency or conversion.currency
    if currency == conversion.currency and _content(stated) == _content(conversion):
        newest = max(snapshot.version, conversion.snapshot_version or 0)
        return Restated(standing._replace(snapshot_version=newest), moved, reason)
    if _rank(stated) < _rank(conversion):
        return Restated(standing, moved, SUPERSEDED if reason else None)
    late = None if moved is None else _too_late(moved, standing, facts, now)
    refused = CURRENCY_CHANGED if currency != conversion.currency else late
    change = {"applied": refused is None, **_change(conversion, stated, currency)}
    if refused is not None:
        return Restated(standing, moved, refused, change, refused if late is None else AMOUNT_DIFFERS)
    if moved is not None:
        moved = reprice(moved, stated, frozen(pricing(stated), moved.terms), facts, now)
    return Restated(stated, moved, None, change)


def _with_refunds(
    standing: Conversion, commission: Commission | None, snapshot: OrderSnapshot, facts: Sequence[StatusFact], now: int
) -> tuple[Conversion, dict[str, Any] | None]:  # fmt: skip
    """Return the order with the refunds that it has by now, or as it was and what is gone if that comes too late."""
    known = _refund_set(standing.refund_set, snapshot)
    if known == standing.refund_set:
        return standing, None
    stated = standing._replace(refund_set=known)
    if commission is None or not facts:
        return stated, None
    gone = sorted(undone(facts, stated.last_word).keys() - undone(facts, standing.last_word).keys())
    if not gone or _too_late(commission, standing, facts, now) is None:
        return stated, None
    return standing, {"refunds": gone}


def _refund_set(known: str | None, snapshot: OrderSnapshot) -> str | None:
    """Return which refunds an order has by the newest of what is known and what a snapshot states."""
    if snapshot.refund_ids is None:
        return known
    newest = newest_set(read_refund_set(known), RefundSet(snapshot.version, frozenset(snapshot.refund_ids)))
    return None if newest is None else refund_set_text(newest)


def frozen(pricing: Pricing, terms: Terms) -> Pricing:
    """Return the rules with those that the terms were frozen with in the place of today's."""
    products, campaigns = dict(pricing.product_rules), dict(pricing.product_campaign_rules)
    rest: dict[str, Rule | None] = {}
    for level in terms.levels:
        rule = None if level.type is None or level.value is None else Rule(level.type, level.value)
        if level.external_product_id is None:
            rest[level.level] = rule
        else:
            _put(products if level.level == "PRODUCT" else campaigns, level.external_product_id, rule)
    return pricing._replace(
        product_rules=products,
        product_campaign_rules=campaigns,
        new_customer_rule=rest.get("NEW_CUSTOMER"),
        campaign_rule=rest.get("CAMPAIGN", pricing.campaign_rule),
        merchant_rule=rest.get("MERCHANT", pricing.merchant_rule),
        platform_rule=rest.get("PLATFORM") or pricing.platform_rule,
    )


def _advanced(
    conversion: Conversion, commission: Commission | None, facts: Sequence[StatusFact], now: int
) -> Commission | None:
    if commission is None:
        return None
    return advance(commission, conversion, life_of(commission, conversion, facts, now), now)


def _as_stated(conversion: Conversion, snapshot: OrderSnapshot) -> Conversion:
    currency = snapshot.currency or conversion.currency
    order_minor = to_minor(snapshot.amount, currency)
    paid_minor = order_minor if snapshot.paid_total is None else to_minor(snapshot.paid_total, currency)
    return conversion._replace(
        order_minor=order_minor,
        paid_minor=paid_minor,
        lines_json=lines_to_json(order_lines(snapshot, order_minor, currency)),
        snapshot_version=snapshot.version,
    )


def _content(conversion: Conversion) -> tuple[int, int, str]:
    return conversion.order_minor, conversion.paid_minor, conversion.lines_json


def _rank(conversion: Conversion) -> tuple[int, int, int, str]:
    return conversion.snapshot_version or 0, *_content(conversion)


def _too_late(commission: Commission, conversion: Conversion, facts: Sequence[StatusFact], now: int) -> str | None:
    """Return why the commission cannot be restated any more, None if it can."""
    if commission.paid_at is not None:
        return "commission_paid"
    if commission.awaits_platform:
        return None  # its hold is over, but what the shop says now still counts
    state = life_of(commission, conversion, facts, now).state
    return "not_allowed_from_payable" if state == "PAYABLE" else None


def _change(before: Conversion, after: Conversion, currency: str) -> dict[str, Any]:
    """Return what differs as {version, orderAmount, currency, lines}, each {before, after}, money as text."""
    change: dict[str, Any] = {
        "version": {"before": before.snapshot_version, "after": after.snapshot_version},
        "orderAmount": {
            "before": format_money(before.order_minor, before.currency),
            "after": format_money(after.order_minor, currency),
        },
    }
    if currency != before.currency:
        change["currency"] = {"before": before.currency, "after": currency}
    if before.lines_json != after.lines_json:
        change["lines"] = {"before": _shown(before, before.currency), "after": _shown(after, currency)}
    return change


def _shown(conversion: Conversion, currency: str) -> list[dict[str, Any]]:
    return [
        {
            "externalProductId": line.external_product_id,
            "quantity": line.quantity,
            "amount": format_money(line.amount_minor, currency),
        }
        for line in conversion.lines
    ]


def _last(known: int | None, stands_at: int | None, received_at: int) -> int | None:
    if stands_at is None:
        return known
    return max(known or 0, min(stands_at, received_at))


def _put(rules: dict[str, Rule], product: str, rule: Rule | None) -> None:
    if rule is None:
        rules.pop(product, None)
    else:
        rules[product] = rule
