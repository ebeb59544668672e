"""The scenes of a simulated store state their own facts: what was played is what the connector reads.

A scene is written twice: as the platform's body, and as the play that it was made from. So it finds what golden files
cannot: a click that is dropped, a currency that is misread, a time in another zone, a refund that is taken as whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from hub.api import parse_body
from hub.domain.connector import Connector, Context
from hub.domain.facts import (
    Fact,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderNews,
    OrderPaid,
    OrderRefunded,
)
from hub.domain.options import read_options
from hub.domain.scenarios import sent_headers
from hub.domain.scenes import Delivery, Play, Scene
from hub.testing.calls import called
from hub.testing.connector_checks import keys
from hub.testing.outcomes import RECEIVED_AT, Outcome, outcome_of

MINUTE: Final = 60_000
HOUR: Final = 3_600_000
PLAYS: Final = (
    Play("5001", "clk_" + "0" * 32, "EUR", RECEIVED_AT - 30 * 24 * HOUR),
    Play("5002", None, "GBP", RECEIVED_AT - 200 * 24 * HOUR),
)
"""Two orders: with and without a click, in winter and in summer, neither in the merchant's currency (USD)."""
NEWS: Final[Mapping[str, type[OrderNews]]] = {
    "paid": OrderPaid,
    "delivered": OrderDelivered,
    "refunded": OrderRefunded,
    "cancelled": OrderCancelled,
}
CHAINS: Final = (("created", "paid", "delivered", "refunded"), ("created", "paid", "cancelled"))
"""What follows what in one order's life."""


def check_scenes(connector: Connector, scenes: Mapping[str, Scene]) -> list[str]:
    """Return a sentence for each scene that does not state its fact; empty for a connector without scenes."""
    faults: list[str] = []
    for play in PLAYS:
        played = {step: called(partial(scene, play)) for step, scene in scenes.items()}
        read = {step: scene_outcome(connector, made) for step, made in played.items() if made.signed}
        for step, made in played.items():
            found = _hello(connector, made) if not made.signed else _step_faults(step, made, read[step], play)
            faults += [f"the scene {step}: {fault}" for fault in found]
        faults += [f"the scene {fault}" for chain in CHAINS for fault in _forgotten(read, chain)]
    return list(dict.fromkeys(faults))


def scene_outcome(connector: Connector, delivery: Delivery) -> Outcome:
    """Return what a simulated delivery states."""
    headers = sent_headers(connector, delivery.topic, delivery.headers, "scene-1")
    context = Context("scene-1", RECEIVED_AT, "USD", read_options(connector.options, {}), headers)
    return outcome_of(connector, delivery.topic, parse_body(delivery.body), context)


def _step_faults(step: str, delivery: Delivery, found: Outcome, play: Play) -> Iterator[str]:
    if step == "test":
        if not found.is_test and found.refusal != "uninteresting":
            yield "`is_test` does not recognise it, so a test would count as an order"
        return
    if step == "ping":
        return
    if found.refusal is not None:
        yield f"it is {found.refusal}: {found.sentence}"
        return
    facts = [fact for fact in found.facts if getattr(fact, "order_id", play.order_id) == play.order_id]
    if len(facts) < len(found.facts):
        yield f"it states facts of another order than the play's {play.order_id}"
    yield from _created_faults(step, delivery, facts, play)
    if step in NEWS:
        stated = [fact for fact in facts if isinstance(fact, NEWS[step])]
        if not stated:
            yield f"it does not state {NEWS[step].__name__}"
        yield from (fault for fact in stated for fault in _refund_faults(delivery, fact, facts))
    yield from _moment_faults(facts, play)


def _created_faults(step: str, delivery: Delivery, facts: list[Fact], play: Play) -> Iterator[str]:
    order = next((fact for fact in facts if isinstance(fact, OrderCreated)), None)
    if order is None:
        if step == "created":
            yield "it does not state OrderCreated"
        return
    if order.click_id != play.click_id:
        yield f"its click is {order.click_id!r}, not the play's {play.click_id!r}"
    if order.currency != play.currency:
        yield f"its currency is {order.currency!r}, not the play's {play.currency}"
    if step == "created" and delivery.amount is None:
        yield "it does not say its `amount`, what the order is worth: Delivery(..., amount=Decimal(...))"
    elif step == "created" and order.amount != delivery.amount:
        yield f"its amount is {order.amount}, but the scene says {delivery.amount}"


def _refund_faults(delivery: Delivery, fact: Fact, facts: list[Fact]) -> Iterator[str]:
    if not isinstance(fact, OrderRefunded):
        return
    order = next((each for each in facts if isinstance(each, OrderCreated)), None)
    if fact.whole or (order is not None and fact.amount is not None and fact.amount >= order.amount):
        yield "its refund takes back the whole order; the scene takes back a part"
    if delivery.amount is None:
        yield "it does not say its `amount`, the money that goes back: Delivery(..., amount=Decimal(...))"
    elif fact.amount is not None and fact.amount != delivery.amount:
        yield f"its refund is {fact.amount}, but the scene says {delivery.amount}"


def _moment_faults(facts: list[Fact], play: Play) -> Iterator[str]:
    for fact in facts:
        for name in ("ordered_at", "occurred_at"):
            at = getattr(fact, name, None)
            if at is not None and not play.placed_at - MINUTE <= at <= play.placed_at + HOUR:
                yield (
                    f"{type(fact).__name__}.{name} is {(at - play.placed_at) / HOUR:+.1f} h from when the order was "
                    "placed; a step follows within an hour (another zone, or another unit?)"
                )


def _forgotten(read: Mapping[str, Outcome], chain: tuple[str, ...]) -> Iterator[str]:
    """Check that a later snapshot of an order states again what an earlier one stated."""
    said: dict[str, str] = {}
    for step in chain:
        if step not in read or not any(isinstance(fact, OrderCreated) for fact in read[step].facts):
            continue
        stated = set(keys(read[step].facts))
        yield from (
            f"{step}: it does not say again {key!r}, which {said[key]} said" for key in said if key not in stated
        )
        said |= dict.fromkeys(stated, step)


def _hello(connector: Connector, delivery: Delivery) -> Iterator[str]:
    headers = {name.lower(): value for name, value in delivery.headers.items()}
    if called(lambda: connector.handshake(headers, delivery.body)) is not True:
        yield "it is unsigned, and `handshake` does not recognise it"
