"""A platform's own delivery read as facts, by the connector, the options and the topic of its connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

import attrs
import orjson
from attrs import frozen

from hub.api import parse_body, storable
from hub.domain.connector import Body, Connector, Context, Uninteresting, Unmappable
from hub.domain.deliveries import erasure_of, known_topic
from hub.domain.facts import Fact, ProductStockUpdated
from hub.domain.money import CURRENCIES, MoneyError
from hub.domain.options import OptionsFault, read_options
from hub.intake.stored_body import raw_body
from hub.plugin_host.payloads import read_payload
from hub.plugin_host.registry import Registry
from hub.processing.events import EXPIRED, Event, EventFacts
from hub.processing.webhooks import TEST_DELIVERY, check_money, facts_of
from hub.storage import Row, Tx

LONGEST_ID: Final = 255
HIGHEST: Final = 2**53

Key = tuple[str, str]


@frozen
class Connection:
    """What the worker needs of a connection: its connector's name, its options as typed, and whether money is real."""

    connector: str
    options: Mapping[str, str]
    live: bool


async def load_connections(tx: Tx, events: Iterable[Event]) -> dict[Key, Connection]:
    """Return the connections that these events came over, by account id and connection id."""
    keys = sorted({(e.account_id, e.connection_id) for e in events if e.connection_id is not None})
    rows = await tx.all("load_connections", connections=keys) if keys else []
    return {(r["account_id"], r["connection_id"]): _connection(r) for r in rows}


def read_delivery(event: Event, connection: Connection, registry: Registry, currency: str) -> EventFacts:
    """Read one delivery; `currency` is the merchant's. Whatever the body holds, it raises nothing."""
    if event.body is None:
        return EventFacts(event, fault=EXPIRED)
    connector = registry.named(connection.connector)
    if connector is None:
        return EventFacts(
            event,
            fault=f"unmappable: no installed plugin has the connector {connection.connector!r}; "
            "install it again and replay the event",
        )
    try:
        return _read(event, raw_body(event.body), connector, connection, currency)
    except Uninteresting as reason:
        return EventFacts(event, skip=f"uninteresting: {reason}")
    except OptionsFault as fault:
        return EventFacts(event, fault=f"unmappable: the connection's options do not hold: {fault}")
    except (Unmappable, MoneyError, ValueError) as fault:
        return EventFacts(event, fault=f"unmappable: {fault}")


def delivered_facts(connector: Connector, topic: str | None, body: Body, context: Context) -> tuple[Fact, ...]:
    """Return the facts of a body of a topic, fit to be kept; raise `Unmappable`, `MoneyError` or `Uninteresting`."""
    known = known_topic(connector, topic, body)
    facts = tuple(known.translate(read_payload(known.payload, body), context))
    if not facts:
        raise Uninteresting(f"this body of {topic} states nothing that the hub counts")
    check_facts(facts, context.currency)
    return facts


def check_facts(facts: Iterable[Fact], currency: str) -> None:
    """Raise `Unmappable` or `MoneyError` for facts that the hub could not keep or tell apart."""
    subjects = set()
    for fact in facts:
        subjects.add(_subject(fact))
        for value in _values(fact):
            _check_value(value)
        named = getattr(fact, "currency", None)
        if named is not None and named not in CURRENCIES:
            raise Unmappable(f"{named!r} is not an ISO 4217 currency")
    if len(subjects) > 1:
        raise Unmappable("the body speaks of several orders or products")
    check_money(facts, currency)


def _read(event: Event, raw: bytes, connector: Connector, connection: Connection, currency: str) -> EventFacts:
    body = parse_body(raw)
    headers: dict[str, str] = {} if event.headers is None else orjson.loads(event.headers)
    if connection.live and connector.is_test(body, headers):
        return EventFacts(event, skip=TEST_DELIVERY)
    if (erasure := erasure_of(connector, event.topic, body)) is not None:
        return EventFacts(event, erasure=erasure)
    options = read_options(connector.options, connection.options)
    context = Context(delivery_digest(raw), event.received_at, currency, options, headers)
    return facts_of(event, delivered_facts(connector, event.topic, body, context))


def delivery_digest(raw: bytes) -> str:
    """Return the name of a delivery: it follows from the signed bytes alone, whatever the headers say."""
    return sha256(raw).hexdigest()[:32]


def _connection(row: Row) -> Connection:
    return Connection(row["connector"], orjson.loads(row["options"]), row["mode"] == "live")


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


def _values(value: Any) -> Iterator[Any]:
    """Every text and number in a fact, however deep it is nested."""
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
