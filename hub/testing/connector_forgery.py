"""Send every sample again under every other topic: no topic may make another topic's body take something away.

Topics in headers are not signed. Anybody with one captured delivery can therefore send its bytes, with their genuine
signature, under another topic. Reading them so may state less or nothing; it must not erase, cancel, return, refund or
sell out what the genuine reading does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from hub.api import parse_body
from hub.domain.connectors.connector import Connector, HeaderPlace, Topic, Unmappable
from hub.domain.connectors.options import read_options
from hub.domain.orders.facts import Fact, OrderCancelled, OrderRefunded, OrderReturned
from hub.domain.orders.product_facts import ProductStockUpdated
from hub.testing.outcomes import Outcome, context_of, outcome_of
from hub.testing.samples import Sample, is_kind

SOLD_OUT = frozenset({"outofstock", "soldout", "unavailable", "discontinued"})


def check_forged_topics(connector: Connector, samples: Sequence[Sample]) -> list[str]:
    """Return a sentence for each sample that another topic turns into a loss.

    A topic in the body is signed with it, and one that is fixed cannot be another: both have nothing to forge. The
    same bytes under two topics of a family are one delivery, and count once.
    """
    if not isinstance(connector.topic, HeaderPlace):
        return []
    topics = {topic.name: topic for topic in connector.topics}
    faults: list[str] = []
    for sample in samples:
        if not is_kind(connector, sample.topic) and sample.topic in topics:
            own = topics[sample.topic]
            others = [topic for topic in connector.topics if not _alike(own, topic)]
            faults += _forged(connector, sample, others)
    return faults


def losses(outcome: Outcome) -> set[str]:
    """Return what an outcome takes away, each as "cancels the order 7"."""
    if outcome.erasure is not None:
        subject = "the whole connection" if outcome.erasure.order_ids is None else "orders"
        return {f"erases {subject}"} if outcome.erasure.act == "redact" else set()
    return {loss for fact in outcome.facts if (loss := _loss(fact)) is not None}


def _loss(fact: Fact) -> str | None:
    for kind, word in ((OrderCancelled, "cancels"), (OrderReturned, "returns"), (OrderRefunded, "refunds")):
        if isinstance(fact, kind):
            return f"{word} the order {fact.order_id}"
    if not isinstance(fact, ProductStockUpdated):
        return None
    word = "".join(letter for letter in (fact.stock_status or "").lower() if letter.isalnum())
    gone = word in SOLD_OUT or (fact.quantity is not None and fact.quantity <= 0)
    return f"sells out {fact.external_product_id or fact.item_id}" if gone else None


def _forged(connector: Connector, sample: Sample, others: Sequence[Topic]) -> Iterator[str]:
    try:
        body = parse_body(sample.raw)
    except Unmappable:
        return
    context = context_of(sample, read_options(connector.options, sample.options))
    genuine = losses(outcome_of(connector, sample.topic, body, context))
    for other in others:
        place = connector.topic.name.lower() if isinstance(connector.topic, HeaderPlace) else ""
        forged = evolve(context, headers={**context.headers, place: other.name})
        for loss in sorted(losses(outcome_of(connector, other.name, body, forged)) - genuine):
            yield (
                f"{sample.title}: the same bytes under the topic {other.name} {loss}; state the fields that a body "
                f"of {other.name} must have (`required`) or may have (`allowed`)"
            )


def _alike(one: Topic, other: Topic) -> bool:
    return one.name == other.name or (one.family is not None and one.family == other.family)
