"""Give a connector hostile bodies: whatever they hold, it answers with facts or a refusal, never another error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from hub.api import parse_body
from hub.domain.connectors.connector import Body, Connector, Context, Uninteresting, Unmappable
from hub.domain.connectors.options import read_options
from hub.domain.money import MoneyError
from hub.domain.orders.facts import FACTS_OF_KIND
from hub.testing.calls import CallFault, called
from hub.testing.connector_checks import fact_faults
from hub.testing.hostility import BODIES, NO_BODIES, Path, paths, shape, spoilt
from hub.testing.outcomes import RECEIVED_AT, outcome_of
from hub.testing.samples import Sample, is_kind

MOST_FAULTS = 20
"""One slip shows at hundreds of places; this many are enough to see it."""


def check_hostility(connector: Connector, samples: Sequence[Sample], part: int = 0, parts: int = 1) -> list[str]:
    """Spoil every place of every sample in every way, and try bodies that are none; return what went wrong.

    Of several `parts`, each spoils every so many places, from the one with its number on; together they spoil all.
    """
    return list(islice(_faults(connector, samples, part, parts), MOST_FAULTS))


def check_parser() -> list[str]:
    """Return what the parser takes that is not a JSON object it should pass on: NaN, depth, endless numbers."""
    faults = []
    for raw in NO_BODIES:
        try:
            parse_body(raw)
        except Unmappable:
            continue
        faults.append(f"the parser takes {raw[:40]!r}")
    return faults


def _faults(connector: Connector, samples: Sequence[Sample], part: int, parts: int) -> Iterator[str]:
    plain = Context("hostile-1", RECEIVED_AT, "USD", read_options(connector.options, {}), {})
    topics = [topic.name for topic in connector.topics] + [k for k in FACTS_OF_KIND if is_kind(connector, k)]
    for topic in topics:
        for body in BODIES:
            yield from _survives(connector, topic, body, plain, repr(body)[:60])
    for raw in (*NO_BODIES[:10], b"\xff" * 100):
        yield from _guarded("handshake", partial(connector.handshake, {}, raw))
    for sample, body, at in islice(_places(connector, samples), part, None, parts):
        options = read_options(connector.options, sample.options)
        context = Context("hostile-1", RECEIVED_AT, "USD", options, sample.headers)
        for what, hostile in spoilt(body, at):
            yield from _survives(connector, sample.topic, hostile, context, f"{sample.title}: {what}")


def _places(connector: Connector, samples: Sequence[Sample]) -> Iterator[tuple[Sample, dict[str, Any], Path]]:
    """Yield each place of the samples' bodies, with its sample and body."""
    tried: set[object] = set()
    for sample in samples:
        try:
            body = parse_body(sample.raw)
        except Unmappable:
            continue
        for at in paths(body):
            # The same place in another sample is worth a second try only if it holds another type.
            alike = (_translation(connector, sample.topic), shape(at), _kind_of(body, at))
            if alike not in tried:
                tried.add(alike)
                yield sample, body, at


def _survives(connector: Connector, topic: str, body: Body, context: Context, what: str) -> Iterator[str]:
    try:
        stated = outcome_of(connector, topic, body, context)
    except CallFault as fault:
        yield f"{what} {fault}"
    else:
        for fact in stated.facts:
            yield from (f"{what}: {fault}" for fault in fact_faults(fact))
    yield from _guarded(f"{what}: recognises", partial(connector.recognises, body))
    if is_kind(connector, topic):
        return
    # All kinds read a body alike up to which facts are kept: one of an order and one of a product see enough.
    for kind in ("order-refunded", "product-updated"):
        act = partial(_webhook, connector, kind, body, context)
        yield from _guarded(f"{what}: as the webhook {kind}", act)


def _webhook(connector: Connector, kind: str, body: Body, context: Context) -> object:
    return list(connector.translate_webhook(kind, body, context))


def _guarded(what: str, act: Any) -> Iterator[str]:
    try:
        called(act)
    except (Unmappable, Uninteresting, MoneyError):
        return
    except CallFault as fault:
        yield f"{what} {fault}"


def _translation(connector: Connector, topic: str) -> object:
    """Return what reads a topic: topics that share their function and payload class are one."""
    known = next((each for each in connector.topics if each.name == topic), None)
    return topic if known is None else (known.translate, known.payload)


def _kind_of(body: Any, at: tuple[str | int, ...]) -> str:
    value = body
    for step in at:
        value = value[step]
    return type(value).__name__
