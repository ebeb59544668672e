"""The scenes of a simulated store state their own facts: what was played is what the connector reads.

A scene is written twice: as the platform's body, and as the play that it was made from. So it finds what golden files
cannot: a click that is dropped, a currency that is misread, a time in another zone, a refund that is taken as whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from hub.api import parse_body
from hub.domain.connectors.connector import Connector, Context
from hub.domain.connectors.options import read_options
from hub.domain.connectors.scenarios import sent_headers
from hub.domain.connectors.scenes import ORDER_STEPS, Delivery, Play, Scene
from hub.domain.orders.facts import (
    Fact,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderGone,
    OrderNews,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    OrderSnapshot,
)
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
CHAINS: Final = (
    ("created", "paid", "delivered", "refunded"),
    ("created", "paid", "delivered", "edited"),
    ("created", "paid", "cancelled"),
)
"""What follows what in one order's life."""
ENDINGS: Final = (OrderCancelled, OrderGone, OrderReturned, OrderRefunded)
OWN_ENDINGS: Final[Mapping[str, tuple[type[Fact], ...]]] = {
    "refunded": (OrderRefunded,),
    "cancelled": (OrderCancelled, OrderGone, OrderRefunded),
}
"""What ends an order, all of it or a part, in the scene of which step; a cancellation may give the money back."""
MOVING: Final = (OrderPaid, OrderDelivered, OrderCancelled, OrderReturned)
"""News that happen once to an order, so that their keys may not move."""
WORTHS: Final = ("created", "priced")
"""The steps that place an order, and say what it is worth a second time."""


def check_scenes(connector: Connector, scenes: Mapping[str, Scene], excused: Mapping[str, str]) -> list[str]:
    """Return a sentence for each scene that does not state its fact; empty for a connector without scenes.

    `excused` are the steps that its platform does not have, each with the reason.
    """
    faults = list(_missing(scenes, excused))
    for play in PLAYS:
        played = {step: called(partial(scene, play)) for step, scene in scenes.items()}
        read = {step: scene_outcome(connector, made) for step, made in played.items() if made.signed}
        for step, made in played.items():
            found = _hello(connector, made) if not made.signed else _step_faults(step, made, read[step], play)
            faults += [f"the scene {step}: {fault}" for fault in found]
        faults += [f"the scene {fault}" for chain in CHAINS for fault in _forgotten(read, chain)]
        faults += [f"the scene {fault}" for chain in CHAINS for fault in _moved(read, chain)]
        faults += [f"the scene {fault}" for fault in _changed_worths(played, read)]
        faults += [f"the scene edited: {fault}" for fault in _edit_faults(played, read)]
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
    yield from _ending_faults(step, facts)
    yield from _moment_faults(facts, play)


def _created_faults(step: str, delivery: Delivery, facts: list[Fact], play: Play) -> Iterator[str]:
    order = next((fact for fact in facts if isinstance(fact, OrderCreated)), None)
    if order is None:
        if step in WORTHS:
            yield "it does not state OrderCreated"
        return
    if order.click_id != play.click_id:
        yield f"its click is {order.click_id!r}, not the play's {play.click_id!r}"
    if order.currency != play.currency:
        yield f"its currency is {order.currency!r}, not the play's {play.currency}"
    if step in WORTHS and delivery.amount is None:
        yield "it does not say its `amount`, what the order is worth: Delivery(..., amount=Decimal(...))"
    elif step in WORTHS and order.amount != delivery.amount:
        yield f"its amount is {order.amount}, but the scene says {delivery.amount}"
    if step == "priced":
        yield from _price_faults(delivery, order)


def _price_faults(delivery: Delivery, order: OrderCreated) -> Iterator[str]:
    """Check what the scene says a second time of the price beside the amount; a platform without coupons says none."""
    if delivery.paid_total is None or delivery.pieces is None:
        yield "it does not say its `paid_total` and `pieces`: Delivery(..., paid_total=Decimal(...), pieces=3)"
    elif order.paid_total != delivery.paid_total:
        yield f"its paid_total is {order.paid_total}, but the scene says {delivery.paid_total}"
    if order.coupon_code != delivery.coupon:
        yield f"its coupon is {order.coupon_code!r}, but the scene says {delivery.coupon!r}"
    pieces = sum(line.quantity for line in order.lines)
    if delivery.pieces is not None and pieces != delivery.pieces:
        yield f"its lines have {pieces} pieces, but the scene says {delivery.pieces}"


def _ending_faults(step: str, facts: list[Fact]) -> Iterator[str]:
    """Check that a scene ends the order by its own step alone."""
    for fact in facts:
        if isinstance(fact, ENDINGS) and not isinstance(fact, OWN_ENDINGS.get(step, ())):
            yield f"it states {type(fact).__name__}, an end of the order that is not its own"


def _changed_worths(played: Mapping[str, Delivery], read: Mapping[str, Outcome]) -> Iterator[str]:
    """Check that the order stays worth what it was placed for: news and refunds change nothing of it, edits do."""
    due = played["created"].amount if "created" in played else None
    for step in NEWS:
        for fact in read[step].facts if due is not None and step in read else ():
            if isinstance(fact, OrderCreated | OrderSnapshot) and fact.amount != due:
                yield (
                    f"{step}: {type(fact).__name__} has the amount {fact.amount}, but created was worth {due}; "
                    "a refund is a fact of its own"
                )


def _edit_faults(played: Mapping[str, Delivery], read: Mapping[str, Outcome]) -> Iterator[str]:
    """Check that an edit counts: a newer snapshot with what the order is worth by then."""
    if "edited" not in read:
        return
    due = played["edited"].amount
    now, before = (_snapshot_of(read.get(step)) for step in ("edited", "delivered"))
    if due is None:
        yield "it does not say its `amount`, what the order is worth by then: Delivery(..., amount=Decimal(...))"
    if now is None:
        yield "it does not state OrderSnapshot, so what is edited after the first sight never counts"
        return
    if due is not None and now.amount != due:
        yield f"its snapshot's amount is {now.amount}, but the scene says {due}"
    if before is not None and now.version <= before.version:
        yield f"its snapshot has the version {now.version}, not a later one than before the edit ({before.version})"


def _snapshot_of(found: Outcome | None) -> OrderSnapshot | None:
    facts = () if found is None else found.facts
    return next((fact for fact in facts if isinstance(fact, OrderSnapshot)), None)


def _missing(scenes: Mapping[str, Scene], excused: Mapping[str, str]) -> Iterator[str]:
    """Check that the store plays every step of an order, or says why its platform has none of it."""
    for step in ORDER_STEPS if scenes else ():
        if step not in scenes and step not in excused:
            yield (
                f"there is no scene {step}; if the platform has nothing like it, list {step!r} under [scenes] in "
                "samples/exceptions.toml with the reason"
            )
        if step in scenes and step in excused:
            yield f"the scene {step} is there, but listed under [scenes] in samples/exceptions.toml"


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


def _moved(read: Mapping[str, Outcome], chain: tuple[str, ...]) -> Iterator[str]:
    """Check that no key of what happens once is another one in a later delivery: a hold would begin anew with each."""
    said: dict[type[Fact], tuple[str, str]] = {}
    for step in chain:
        for fact in read[step].facts if step in read else ():
            if isinstance(fact, MOVING):
                before, key = said.setdefault(type(fact), (step, fact.key))
                if key != fact.key:
                    yield f"{step}: {type(fact).__name__} has the key {fact.key!r}, but {before} gave it {key!r}"


def _hello(connector: Connector, delivery: Delivery) -> Iterator[str]:
    headers = {name.lower(): value for name, value in delivery.headers.items()}
    if called(lambda: connector.handshake(headers, delivery.body)) is not True:
        yield "it is unsigned, and `handshake` does not recognise it"
