"""The facts of one body: a connector is asked, and what it states is checked before anybody relies on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import attrs

from hub.api import storable
from hub.domain.connectors.connector import Body, Connector, Context, Uninteresting, Unmappable
from hub.domain.connectors.deliveries import known_topic
from hub.domain.money import PLATFORM_CURRENCIES, to_minor
from hub.domain.orders.facts import FACTS_OF_KIND, Fact, OrderRefunded, lines_fault
from hub.domain.orders.product_facts import ProductStockUpdated
from hub.plugin_host.fact_json import WrongValue, fact_to_json
from hub.plugin_host.payloads import read_payload

LONGEST_ID: Final = 255
LONGEST_CUSTOMER: Final = 320
HIGHEST: Final = 2**53
MOST_FACTS: Final = 1_000
"""One body states at most this many facts: an order of a thousand lines is still one fact."""


def webhook_facts(connector: Connector, kind: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Return the facts of a v1 webhook that its kind may state; raise `Unmappable`, `MoneyError` or `Uninteresting`."""
    given = _limited(connector.translate_webhook(kind, body, context))
    facts = tuple(fact for fact in given if isinstance(fact, FACTS_OF_KIND[kind]))
    if not facts:
        raise Unmappable(f"the body states nothing that a {kind} webhook may say")
    _check_texts(facts)
    check_money(facts, context.currency)
    subjects = {getattr(f, "order_id", None) or getattr(f, "external_product_id", None) for f in facts}
    if len(subjects) > 1:
        raise Unmappable("the body speaks of several orders or products")
    return facts


def delivered_facts(connector: Connector, topic: str | None, body: Body, context: Context) -> tuple[Fact, ...]:
    """Return the facts of a body of a topic, fit to be kept; raise `Unmappable`, `MoneyError` or `Uninteresting`."""
    known = known_topic(connector, topic, body)
    facts = _limited(known.translate(read_payload(known.payload, body), context))
    if not facts:
        raise Uninteresting(f"this body of {topic} states nothing that the hub counts")
    check_facts(facts, context.currency)
    return facts


def check_facts(facts: Iterable[Fact], currency: str) -> None:
    """Raise `Unmappable` or `MoneyError` for facts that the hub could not keep or tell apart."""
    subjects = set()
    for fact in facts:
        subjects.add(_subject(fact))
        named = getattr(fact, "currency", None)
        if named is not None and named not in PLATFORM_CURRENCIES:
            raise Unmappable(f"{named!r} is not an ISO 4217 currency")
    if len(subjects) > 1:
        raise Unmappable("the body speaks of several orders or products")
    _check_texts(facts)
    check_money(facts, currency)


def check_money(facts: Iterable[Fact], currency: str) -> None:
    """Raise `MoneyError` for amounts that the hub could not keep, before anything is claimed for the event.

    Raise `Unmappable` for a refund that does not say how much went back, and for too many lines.
    """
    facts = tuple(facts)
    if (fault := lines_fault(facts)) is not None:
        raise Unmappable(fault)
    for fact in facts:
        born = getattr(fact, "born", None)
        if born is not None and not 0 < len(born) <= LONGEST_ID:
            raise Unmappable(f"what makes the order this one must be a text of 1 to {LONGEST_ID} characters")
        customer = getattr(fact, "customer", None)
        if customer is not None and len(customer) > LONGEST_CUSTOMER:
            raise Unmappable(f"what names the customer must be a text of at most {LONGEST_CUSTOMER} characters")
        if isinstance(fact, OrderRefunded) and not fact.says_how_much:
            raise Unmappable("the refund says neither how much money went back nor for which lines")
        amounts = [getattr(fact, "amount", None), getattr(fact, "paid_total", None)]
        amounts += [line.amount for line in getattr(fact, "lines", ())]
        for amount in amounts:
            if amount is not None:
                to_minor(amount, getattr(fact, "currency", None) or currency)


def _limited(given: Iterable[Fact]) -> tuple[Any, ...]:
    """Return what was given; raise `WrongValue` for too much of it, and for what is not a fact."""
    if not isinstance(given, Iterable):
        raise WrongValue(f"gives a {type(given).__name__} where facts are due")
    facts = tuple(islice(given, MOST_FACTS + 1))
    if len(facts) > MOST_FACTS:
        raise WrongValue(f"gives more than {MOST_FACTS:,} facts for one body")
    for fact in facts:
        fact_to_json(fact)  # for its faults: what is checked after this has the types that it should have
    return facts


def _subject(fact: Fact) -> tuple[str, str]:
    order_id = getattr(fact, "order_id", None)
    kind, subject = (
        ("order", order_id) if order_id is not None else ("product", getattr(fact, "external_product_id", ""))
    )
    if isinstance(fact, ProductStockUpdated) and not subject and fact.item_id:
        kind, subject = "item", fact.item_id
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_ID:
        raise Unmappable(f"the id of the {kind} must be a text of 1 to {LONGEST_ID} characters")
    return kind, subject


def _check_texts(facts: Iterable[Fact]) -> None:
    for fact in facts:
        for value in _values(fact):
            _check_value(value)


def _values(value: Any) -> Iterator[Any]:
    """Yield every text and number in a fact, however deep it is nested."""
    if attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            yield from _values(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _values(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _values(inner)
    else:
        yield value


def _check_value(value: Any) -> None:
    if isinstance(value, str):
        storable(value)
    elif isinstance(value, int) and abs(value) > HIGHEST:
        raise Unmappable("a number is too large to be kept")
