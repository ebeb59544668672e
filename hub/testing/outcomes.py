"""What the hub makes of one delivery, as JSON that a person can check and a golden file can hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import attrs
from attrs import evolve, frozen

from hub.domain.connectors.connector import Body, Connector, Context, Uninteresting, Unmappable
from hub.domain.connectors.deliveries import erasure_of
from hub.domain.money import MoneyError
from hub.domain.orders.facts import FACTS_OF_KIND, Fact
from hub.plugin_runtime.facts import check_facts, delivered_facts
from hub.testing.calls import called
from hub.testing.samples import Sample, is_kind

RECEIVED_AT = 1_893_456_000_000
"""When samples are received: 2030-01-01T00:00:00Z, later than every moment in them."""

LATER_FIELDS = frozenset({"as_of", "beside_goods", "born", "customer", "refund_ids"})
"""Fields of facts that came after `hub.api` 1.0."""


@frozen
class Outcome:
    """What a body states: its facts, or the `refusal` ("unmappable" or "uninteresting") and its `sentence`."""

    facts: tuple[Fact, ...] = ()
    refusal: str | None = None
    sentence: str | None = None
    is_test: bool = False
    erasure: Any = None

    def document(self) -> dict[str, Any]:
        """Return the outcome as plain JSON: money as text, times in ms UTC."""
        flags: dict[str, Any] = {"test": True} if self.is_test else {}
        if self.erasure is not None:
            return {**flags, "erasure": _plain(self.erasure)}
        if self.refusal is not None:
            return {**flags, self.refusal: self.sentence}
        return {**flags, "facts": [fact_document(fact) for fact in self.facts]}

    def text(self) -> str:
        """Return the document as a golden file holds it."""
        return json.dumps(self.document(), indent=2, ensure_ascii=False) + "\n"


def context_of(sample: Sample, options: Any) -> Context:
    """Return the context that a sample is translated in."""
    return Context("sample-1", RECEIVED_AT, "USD", options, sample.headers)


def outcome_of(connector: Connector, topic: str, body: Body, context: Context) -> Outcome:
    """Translate a body as the worker does; raise `CallFault` if the connector does what no plugin may do."""
    return called(lambda: _outcome_of(connector, topic, body, context))


def _outcome_of(connector: Connector, topic: str, body: Body, context: Context) -> Outcome:
    outcome = Outcome(is_test=bool(connector.is_test(body, context.headers)))
    try:
        if not is_kind(connector, topic) and (erasure := erasure_of(connector, topic, body)) is not None:
            return evolve(outcome, erasure=erasure)
        return evolve(outcome, facts=tuple(facts_of(connector, topic, body, context)))
    except Uninteresting as reason:
        return evolve(outcome, refusal="uninteresting", sentence=str(reason))
    except (Unmappable, MoneyError) as reason:
        return evolve(outcome, refusal="unmappable", sentence=str(reason))


def facts_of(connector: Connector, topic: str, body: Body, context: Context) -> Iterable[Fact]:
    """Return the facts of a body of a topic, or of a webhook kind if the connector has no such topic."""
    if is_kind(connector, topic):
        kept = FACTS_OF_KIND[topic]
        facts = [fact for fact in connector.translate_webhook(topic, body, context) if isinstance(fact, kept)]
        check_facts(facts, context.currency)
        return facts
    return delivered_facts(connector, topic, body, context)


def fact_document(fact: Fact) -> dict[str, Any]:
    """Return one fact as plain JSON, its class under "fact"."""
    return {"fact": type(fact).__name__, **_plain(fact)}


def _plain(value: Any) -> Any:
    if attrs.has(type(value)):
        stated = {field.name: _plain(getattr(value, field.name)) for field in attrs.fields(type(value))}
        # Golden files of plugins stay as they are when a fact gets a field that they say nothing in.
        return {name: inner for name, inner in stated.items() if inner is not None or name not in LATER_FIELDS}
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return format(value, "f") if isinstance(value, Decimal) else value
