"""What the acts on connections return, and a secret as it is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypedDict

from hub.domain.delivery_addresses import address_fault
from hub.domain.instants import format_instant, instant_or_none
from hub.operations.system.erasures import ErasureDocument
from hub.plugin_host.catalog import Declaration
from hub.storage import Row


class StoredSecret(TypedDict):
    """A sealed secret as it is stored; times in ms UTC, and without `expiresAt` it does not end."""

    id: str
    sealed: str
    createdAt: int
    expiresAt: int | None


class SecretDocument(TypedDict):
    """A secret of a connection, without the secret itself."""

    id: str
    createdAt: str
    expiresAt: str | None


class CreatedConnection(TypedDict):
    """A connection that was just created; `secret` is null unless the hub issued it, `steps` are for the platform."""

    id: str
    url: str
    secret: str | None
    steps: list[str]


class ConnectionDocument(TypedDict):
    """A connection without its secrets; `url` is where its deliveries go, `site` whence they come, null until known."""

    id: str
    url: str
    connector: str
    title: str | None
    merchantId: str
    merchantName: str
    mode: str
    status: str
    options: dict[str, str]
    site: str | None
    secrets: list[SecretDocument]
    createdAt: str
    closedAt: str | None


class ConnectionWithSteps(ConnectionDocument):
    """A connection with what there is to do on its platform, and the requests to erase it that wait."""

    steps: list[str]
    erasures: list[ErasureDocument]


class AddedSecret(TypedDict):
    """A secret that was just added; `secret` is null unless the hub issued it."""

    id: str
    secretId: str
    secret: str | None


class ExpiredSecret(TypedDict):
    """A secret and the time at which it ends."""

    id: str
    secretId: str
    expiresAt: str


class TopicDocument(TypedDict):
    """What arrived under a topic; `outcomes` are deliveries by the status of their event."""

    topic: str | None
    deliveries: int
    outcomes: dict[str, int]
    firstAt: str
    lastAt: str


class ConnectionCheckDocument(ConnectionDocument):
    """A connection and what arrived over it.

    `orderNews` are facts by status, `refusedToday` the refusals of the last 24 hours by error code; `problems` and
    `notes` are sentences; without problems the check is `ok`, whatever else there is to know.
    """

    topics: list[TopicDocument]
    lastDeliveryAt: str | None
    orderNews: dict[str, int]
    newestOrders: int
    newestOrdersWithClick: int
    refusedToday: dict[str, int]
    problems: list[str]
    notes: list[str]
    ok: bool


def connection_document(row: Row, url: str) -> ConnectionDocument:
    """Return the document of a row of the list `connections` or `connection_anywhere`; `url` is where deliveries go."""
    return {
        "id": row["connection_id"],
        "url": url,
        "connector": row["connector"],
        "title": row["title"],
        "merchantId": row["merchant_id"],
        "merchantName": row["merchant_name"],
        "mode": row["mode"],
        "status": row["status"],
        "options": json.loads(row["options"]),
        "site": row["source"],
        "secrets": [
            {"id": e["id"], "createdAt": format_instant(e["createdAt"]), "expiresAt": instant_or_none(e["expiresAt"])}
            for e in json.loads(row["secrets"])
        ],
        "createdAt": format_instant(row["created_at"]),
        "closedAt": instant_or_none(row["closed_at"]),
    }


def platform_steps(
    connector: Declaration, connection_id: str, url: str, secret: str | None, *, has_secret: bool
) -> list[str]:
    """Return what there is to do on the platform, with the URL and the secret filled in; `secret` only if it is new."""
    steps = connector_steps(connector, connection_id, url, secret)
    if not has_secret and connector.auth is not None:
        steps.append(f"Give the hub the secret that the platform shows: hub connection secret add {connection_id}")
    if connector.has_package:
        steps.append(f"The file to install, at the terminal: hub connection package {connection_id} --output FILE")
    if connector.requests is not None:
        steps.append(f"The credentials, at the terminal: hub connection credentials {connection_id} --from FILE")
    if connector.auth is not None and (fault := address_fault(url, connector.sender)) is not None:
        steps.insert(0, fault)
    steps.append(f"Place a test order, then see what arrived: hub connection check {connection_id}")
    return steps


def connector_steps(connector: Declaration, connection_id: str, url: str, secret: str | None) -> list[str]:
    """Return the steps that the connector itself declares, with the URL and the secret filled in."""
    values = {"{url}": url, "{id}": connection_id, "{secret}": secret or "(the secret of this connection)"}
    return [_fill(step, values) for step in connector.steps]


def _fill(step: str, values: Mapping[str, str]) -> str:
    for placeholder, value in values.items():
        step = step.replace(placeholder, value)
    return step
