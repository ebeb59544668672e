"""What happened in the demo before it started: some weeks of clicks and orders of every outcome, as a plan.

The plan is drawn from a fixed seed, so each demo has the same history up to its first moment. It says what the buyers
and the shops did; what the hub made of that is the hub's own decision when the plan is played (see play.py).
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any, Final

from attrs import define, field, frozen

from hub.demo.network import TrackedLink
from hub.domain.instants import format_instant

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
BUSY: Final = (1.0, 0.9, 0.9, 1.0, 1.2, 1.5, 1.4)
"""How busy a weekday is, from Monday on."""
ORDER_SHARE: Final = 0.065
"""Orders per click."""
WITHOUT_CLICK: Final = 0.14
"""The share of orders whose buyers' click was lost on the way; half of them used the affiliate's coupon."""
FATES: Final = (
    ("delivered", 60),
    ("part-refunded", 9),
    ("returned", 6),
    ("refunded", 5),
    ("cancelled", 8),
    ("confirmed", 6),
    ("silent", 6),
)


@frozen
class PlannedClick:
    """A buyer's visit of a link."""

    at: int
    link: TrackedLink
    place: int
    """Its place in the plan, by which an order names it."""


@frozen
class Message:
    """A request of a shop's server; `click` is the place of the click whose id belongs into the body, if any.

    `event_id` is the shop's own id of a webhook, None for other requests.
    """

    at: int
    link: TrackedLink
    path: str
    body: dict[str, Any]
    click: int | None = None
    event_id: str | None = None


@define
class Plan:
    """Everything that happened, each list by time."""

    clicks: list[PlannedClick] = field(factory=list)
    messages: list[Message] = field(factory=list)


def plan_history(links: list[TrackedLink], start: int, days: int, seed: int = 17) -> Plan:
    """Return the history of `days` days from `start` (ms UTC) on."""
    chance, plan, end = Random(seed), Plan(), start + days * DAY_MS  # noqa: S311 - a story, not a secret
    orders = 0
    for day in range(days):
        midnight = start + day * DAY_MS
        busy = BUSY[(midnight // DAY_MS + 3) % 7]
        for link in links:
            for _ in range(round(link.weight * busy * chance.uniform(0.5, 1.5))):
                click = PlannedClick(midnight + int(DAY_MS * chance.triangular(0, 1, 0.8)), link, len(plan.clicks))
                plan.clicks.append(click)
                if chance.random() < ORDER_SHARE:
                    orders += 1
                    _order(plan, click, f"{link.seller.orders}-{100 + orders}", end, chance)
    plan.clicks.sort(key=lambda click: click.at)
    plan.messages = sorted((each for each in plan.messages if each.at < end), key=lambda message: message.at)
    return plan


def _order(plan: Plan, click: PlannedClick, number: str, end: int, chance: Random) -> None:
    """Add an order and its news to the plan."""
    link, at = click.link, click.at + int(chance.triangular(2, 600, 20) * 60_000)
    amount = Decimal(link.seller.prices[link.product]) * chance.choice((1, 1, 1, 1, 2, 2, 3))
    body: dict[str, Any] = {
        "externalOrderId": number,
        "externalProductId": link.product,
        "orderAmount": str(amount),
        "currency": link.seller.currency,
        "orderedAt": format_instant(at),
    }
    place: int | None = click.place
    if chance.random() < WITHOUT_CLICK:
        place = None
        if link.coupon is not None and chance.random() < 0.5:
            body["couponCode"] = link.coupon
    plan.messages.append(Message(at, link, "/v1/conversions", body, place))
    if chance.random() < 0.02:  # the shop reports it once more, a day later
        plan.messages.append(Message(at + DAY_MS, link, "/v1/conversions", body, place))
    fate = chance.choices([name for name, _ in FATES], [weight for _, weight in FATES])[0]
    for status, hours, extra in _news(fate, amount, chance):
        then = at + int(hours * HOUR_MS)
        if then < end:
            plan.messages.append(_status(link, number, status, then, place, extra))


def _news(fate: str, amount: Decimal, chance: Random) -> list[tuple[str, float, dict[str, Any]]]:
    """Return what the shop says of an order later: (status, hours after the order, further fields)."""
    if fate == "silent":
        return []
    if fate == "cancelled":
        return [("cancelled", chance.uniform(1, 30), {"reason": "The buyer changed their mind"})]
    if fate == "confirmed":
        return [("confirmed", chance.uniform(1, 5), {})]
    arrived = chance.uniform(30, 96)
    news: list[tuple[str, float, dict[str, Any]]] = [("delivered", arrived, {})]
    later = arrived + chance.uniform(20, 200)
    if fate == "returned":
        news.append(("returned", later, {"reason": "Sent back unopened"}))
    if fate == "refunded":
        news.append(("refunded", later, {"reason": "Arrived broken"}))
    if fate == "part-refunded":
        part = (amount * Decimal(chance.choice((25, 40, 50))) / 100).quantize(Decimal("0.01"))
        news.append(("order-refunded", later, {"refund_id": "R-1", "refund_amount": str(part), "reason": "A scratch"}))
    return news


def _status(link: TrackedLink, number: str, status: str, at: int, click: int | None, extra: dict[str, Any]) -> Message:
    if status == "order-refunded":
        body = {"external_order_id": number, "occurred_at": format_instant(at), **extra}
        return Message(at, link, "/v1/webhooks/order-refunded", body, event_id=f"refund-of-{number}")
    body = {"externalOrderId": number, "status": status, "statusUpdatedAt": format_instant(at), **extra}
    return Message(at, link, "/v1/order-status", body, click)
