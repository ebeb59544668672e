"""A store's connection: its secrets, what arrived over it, and the requests to erase it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, TypeVar

from attrs import frozen

from hub.domain.words import ConnectionStatus, Mode
from hub.records.orders import MERCHANT, NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant

CONNECTION: Final = "con_01936f3e8c7a7b3e9d5a4c2b1f0e8d91"


@frozen
class SecretDocument:
    """A secret of a connection, without the secret itself."""

    id: Annotated[str, Note("The secret's id.", "sec_01936f3e8c7a7b3e9d5a4c2b1f0e8d95")]
    created_at: Annotated[int, Instant("Since when it is valid.", NOON)]
    expires_at: Annotated[int | None, Instant("When it ends; null while it has no end.", "")]


@frozen
class ErasureDocument:
    """A request of a platform to erase everything of a connection; it is executed at `due_at`."""

    connection_id: Annotated[str, Note("The connection.", CONNECTION)]
    event_id: Annotated[str, Note("The delivery that asks for it.", "evt_01936f3e8c7a7b3e9d5a4c2b1f0e8d85")]
    subject: Annotated[str, Note("The shop, as the platform names it.", "shop.example")]
    requested_at: Annotated[int, Instant("When it was asked for.", NOON)]
    due_at: Annotated[int, Instant("When it is executed.", NOON)]


@frozen
class TopicDocument:
    """What arrived under a topic."""

    topic: Annotated[str | None, Note("As the platform names it; null without one.", "order.created")]
    deliveries: Annotated[int, Note("How many arrived.", 12)]
    outcomes: Annotated[dict[str, int], Note("Deliveries by the status of their event.", {"PROCESSED": 12})]
    first_at: Annotated[int, Instant("When the first of them arrived.", NOON)]
    last_at: Annotated[int, Instant("When the last of them arrived.", NOON)]


@frozen(kw_only=True, slots=False)
class ConnectionDocument:
    """A connection without its secrets."""

    id: Annotated[str, Note("The hub's id.", CONNECTION)]
    url: Annotated[str, Note("Where its deliveries go.", f"https://hub.example/connect/{CONNECTION}", "uri")]
    connector: Annotated[str, Note("The platform's connector.", "woocommerce")]
    title: Annotated[str | None, Note("A name to recognise it by; null without one.", "Our shop")]
    merchant_id: Annotated[str, Note("Whose store it is.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Fjord & Fern")]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    status: Annotated[ConnectionStatus, Note("CLOSED ones take no deliveries.", "ACTIVE")]
    options: Annotated[dict[str, str], Note("The connector's options, by name.", {"product_key": "sku"})]
    site: Annotated[str | None, Note("Where its deliveries come from; null until known.", "shop.example")]
    secrets: Annotated[tuple[SecretDocument, ...], Note("Its secrets, the oldest first.")]
    created_at: Annotated[int, Instant("When it was created.", NOON)]
    closed_at: Annotated[int | None, Instant("When it was closed; null while it is not.", "")]


@frozen(kw_only=True, slots=False)
class ConnectionWithSteps(ConnectionDocument):
    """A connection with what there is to do on its platform, and the requests to erase it that wait."""

    steps: Annotated[list[str], Note("What there is to do on the platform, in order.")]
    erasures: Annotated[list[ErasureDocument], Note("The requests to erase it that wait.")]


@frozen(kw_only=True, slots=False)
class ConnectionCheckDocument(ConnectionDocument):
    """A connection and what arrived over it."""

    topics: Annotated[list[TopicDocument], Note("What arrived, by topic.")]
    last_delivery_at: Annotated[int | None, Instant("When anything last arrived; null before.", "")]
    order_news: Annotated[dict[str, int], Note("What was reported of orders, by status.", {"paid": 9})]
    newest_orders: Annotated[int, Note("How many of the newest orders were looked at.", 9)]
    newest_orders_with_click: Annotated[int, Note("How many of those have a click.", 7)]
    refused_today: Annotated[dict[str, int], Note("Refusals of the last 24 hours by error code.", {})]
    problems: Annotated[list[str], Note("What is wrong, a sentence each.", ())]
    notes: Annotated[list[str], Note("What else there is to know, a sentence each.", ())]
    ok: Annotated[bool, Note("Whether there are no problems, whatever else there is to know.", True)]


Shown = TypeVar("Shown", bound=ConnectionDocument)


def read_connection(cls: type[Shown], row: Row, url: str, **more: Any) -> Shown:
    """Return the record of a row of the list `connections` or of `connection_anywhere`, with what it has more.

    `url` is where the connection's deliveries go.
    """
    secrets = tuple(
        SecretDocument(each["id"], each["createdAt"], each["expiresAt"]) for each in json.loads(row["secrets"])
    )
    return read_row(cls, row, id=row["connection_id"], url=url, site=row["source"], secrets=secrets, **more)


def connection_document(row: Row, url: str) -> ConnectionDocument:
    """Return a connection as it is listed; see `read_connection`."""
    return read_connection(ConnectionDocument, row, url)
