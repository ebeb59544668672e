"""Check that an order's deliveries end in the same ledger in whatever order they arrive, and however often."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Final

from attrs import evolve, frozen

from hub.domain.connectors.connector import Connector
from hub.domain.connectors.scenes import Scene
from hub.domain.money import to_minor
from hub.domain.orders.commission import OrderLine, Rule, resolve, settle
from hub.domain.orders.facts import Fact, OrderCreated, OrderRefunded, OrderSnapshot
from hub.domain.orders.lifecycle import StatusFact, fold
from hub.domain.orders.terms import Refund
from hub.domain.orders.undone import LastWord, RefundSet, newest_set
from hub.processing.events import Event, status_fact
from hub.testing.connector_checks import outcome
from hub.testing.connector_scenes import PLAYS, scene_outcome
from hub.testing.outcomes import RECEIVED_AT
from hub.testing.samples import Sample

DAY: Final = 86_400_000
MOST_ORDERS: Final = 24
STORIES: Final = (
    ("created", "paid", "delivered", "refunded"),
    ("created", "paid", "delivered", "edited"),
    ("created", "paid", "cancelled"),
    ("paid", "created"),
)
"""The steps that are played in every order."""

Arrival = tuple[str, tuple[Fact, ...]]
"""A delivery's name and the facts that it states about one order."""


@frozen
class Ledger:
    """How an order's commission ends under a rule of 10 percent and a hold of two weeks."""

    created: OrderCreated | None
    state: str
    hold_until: int | None
    amount_minor: int


def check_stories(connector: Connector, samples: Sequence[Sample], scenes: dict[str, Scene]) -> list[str]:
    """Play every story in many orders, each delivery twice; return a sentence for each that ends differently."""
    stories = [*sample_stories(connector, samples), *scene_stories(connector, scenes)]
    return [fault for story in stories if (fault := _played_in_any_order(story)) is not None]


def sample_stories(connector: Connector, samples: Iterable[Sample]) -> Iterator[tuple[Arrival, ...]]:
    """Yield the samples of one order as a story; one that contradicts the others' order or refunds is in another."""
    stories: dict[str, list[list[Arrival]]] = {}
    for sample in samples:
        facts = outcome(connector, sample).facts
        order = next((fact.order_id for fact in facts if hasattr(fact, "order_id")), None)
        if order is None or sample.options:
            continue
        known = stories.setdefault(order, [])
        fitting = next((story for story in known if _agree([*story, (sample.title, facts)])), None)
        if fitting is None:
            known.append([(sample.title, facts)])
        else:
            fitting.append((sample.title, facts))
    yield from (tuple(story) for order in stories.values() for story in order if len(story) > 1)


def scene_stories(connector: Connector, scenes: dict[str, Scene]) -> Iterator[tuple[Arrival, ...]]:
    """Yield the simulated store's stories, of which every step must fit the others."""
    play = evolve(PLAYS[0], currency="USD")
    for steps in STORIES:
        known = [step for step in steps if step in scenes]
        arrivals = [(step, scene_outcome(connector, scenes[step](play)).facts) for step in known]
        if len(arrivals) > 1:
            yield tuple(arrivals)


def ledger(story: Iterable[Arrival]) -> Ledger:
    """Return how a story ends that arrives so: known keys are dropped, an order counts as it was first stated."""
    created: OrderCreated | None = None
    newest: OrderSnapshot | None = None
    stands_at = 0
    refunds: RefundSet | None = None
    news: dict[str, tuple[str, Fact]] = {}
    for name, facts in story:
        for fact in facts:
            if isinstance(fact, OrderCreated):
                created = created or fact
            elif isinstance(fact, OrderSnapshot):
                newest = fact if newest is None else max(newest, fact, key=_version)
                stands_at = max(stands_at, fact.stands_at or 0)
                if fact.refund_ids is not None:
                    refunds = newest_set(refunds, RefundSet(fact.version, frozenset(fact.refund_ids)))
            elif hasattr(fact, "status"):
                news.setdefault(fact.key, (name, fact))
    if created is None:
        return Ledger(None, "PENDING", None, 0)
    ordered_at = created.ordered_at or 0
    stated = [status_fact(_event(name), fact, "USD", ordered_at, late=False) for name, fact in news.values()]
    return _settled(_restated(created, newest), stated, LastWord(stands_at, refunds))


def _version(snapshot: OrderSnapshot) -> tuple[int, str]:
    return snapshot.version, str(snapshot)


def _restated(created: OrderCreated, newest: OrderSnapshot | None) -> OrderCreated:
    if newest is None:
        return created
    return evolve(created, amount=newest.amount, lines=newest.lines, paid_total=newest.paid_total)


def _settled(created: OrderCreated, news: Iterable[StatusFact], last: LastWord) -> Ledger:
    currency = created.currency or "USD"
    lines = [
        OrderLine(x.external_product_id, x.quantity, 0 if x.amount is None else to_minor(x.amount, currency))
        for x in created.lines
    ]
    order = to_minor(created.amount, currency)
    paid = order if created.paid_total is None else to_minor(created.paid_total, currency)
    terms = resolve(
        order, currency, currency, lines, product_rules={}, product_campaign_rules={},
        campaign_rule=Rule("PERCENTAGE", "10"), merchant_rule=None, platform_rule=Rule("PERCENTAGE", "5"),
    )  # fmt: skip

    def full(refunds: Sequence[Refund]) -> bool:
        return settle(terms, paid, lines, refunds).fully_refunded

    life = fold(news, hold_ms=14 * DAY, paid_at=None, now=RECEIVED_AT + 1, fully_refunded=full, last=last)
    amount = settle(terms, paid, lines, life.refunds).amount_minor if life.refunds else terms.amount_minor
    return Ledger(created, life.state, life.hold_until, amount)


def _event(name: str) -> Event:
    return Event("", name, "webhook", None, name, None, None, RECEIVED_AT, 0, None)


def _played_in_any_order(story: tuple[Arrival, ...]) -> str | None:
    due = ledger(story)
    for order in _orders(story):
        end = ledger([*order, *order])
        if end != due:
            names, others = (" -> ".join(name for name, _ in each) for each in (story, order))
            return f"{names} ends as {_said(due)}, but {others} as {_said(end)}"
    return None


def _orders(story: tuple[Arrival, ...]) -> Iterator[Sequence[Arrival]]:
    if len(story) <= 4:
        yield from permutations(story)
        return
    shuffled, dice = list(story), random.Random(7)
    yield story[::-1]
    for _ in range(MOST_ORDERS):
        dice.shuffle(shuffled)
        yield tuple(shuffled)


def _agree(story: Sequence[Arrival]) -> bool:
    known: dict[str, Fact] = {}
    pinned = [fact for _, facts in story for fact in facts if isinstance(fact, OrderCreated | OrderRefunded)]
    return all(_same(known.setdefault(fact.key, fact), fact) for fact in pinned)


def _same(one: Fact, other: Fact) -> bool:
    if isinstance(one, OrderRefunded) and isinstance(other, OrderRefunded):
        return (one.amount, one.lines) == (other.amount, other.lines)
    return one == other


def _said(end: Ledger) -> str:
    order = "no order" if end.created is None else f"an order of {end.created.amount}"
    return f"{order}, {end.state}, {end.amount_minor} minor units, hold {end.hold_until}"
