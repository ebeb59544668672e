"""What the acts on a platform's access return."""

from __future__ import annotations

import json
from typing import Any, TypedDict

from hub.domain.connectors.request_logins import Credential
from hub.domain.instants import format_instant, instant_or_none
from hub.ids import id_at
from hub.platform_sync.webhooks import HookDocument
from hub.storage import Row, Tx

NEWEST_READS = 10
MOST_ORDERS = 50
"""How many of the orders that a reading brought news of are named."""
MOST_FETCHES = 100


class CredentialField(TypedDict):
    """A credential that is typed: `shown` is its value if it is no secret and was given."""

    name: str
    label: str
    secret: bool
    hint: str
    shown: str


class ReadDocument(TypedDict):
    """A reading; `news` are the orders that it brought news of, `created` how many the hub did not know."""

    id: str
    kind: str
    status: str
    since: str
    pages: int
    items: int
    unknownOrders: int
    outcomes: dict[str, int]
    news: list[str]
    reason: str | None
    continuesAt: str | None
    createdAt: str
    finishedAt: str | None


class FetchDocument(TypedDict):
    """An order or product that a delivery only named; `continuesAt` is null if it was given up."""

    kind: str
    id: str
    deliveries: int
    attempts: int
    reason: str | None
    continuesAt: str | None
    since: str


class PlatformDocument(TypedDict):
    """What a connection's platform is asked with, and what came of it.

    `canAsk` says whether the connector declares requests, `hasCredentials` whether there are any. `certainUntil` is the
    moment before which nothing was missed, null before the first reading ended. `consentReady` says whether the store's
    owner can agree on a page of the platform; where that takes an app, the operator has one. `consentFault` is why the
    keys that the store posted last did not work. `readsOrders` and `readsProducts` say whether it is asked for these,
    `readsEvery` how many minutes are between readings of a store that sends nothing by itself, else 0. `lastLook` says
    whether the platform is asked for each order once more before its hold ends (ask, off), null if it cannot be.
    """

    id: str
    canAsk: bool
    hasCredentials: bool
    fields: list[CredentialField]
    consent: str | None
    consentReady: bool
    consentFields: list[CredentialField]
    consentFault: str | None
    consentFaultSince: str | None
    readsOrders: bool
    readsProducts: bool
    readsEvery: int
    checkedAt: str | None
    fault: str | None
    faultSince: str | None
    certainUntil: str | None
    nextAt: str | None
    webhooks: list[HookDocument]
    webhooksWanted: list[str]
    webhooksAt: str | None
    lastLook: str | None
    reads: list[ReadDocument]
    fetches: list[FetchDocument]


def credential_field(declared: Credential, shown: dict[str, str]) -> CredentialField:
    """Return the field of a credential with what may be shown of it."""
    return {
        "name": declared.name,
        "label": declared.label,
        "secret": declared.is_secret,
        "hint": declared.hint,
        "shown": "" if declared.is_secret else shown.get(declared.name, ""),
    }


async def read_documents(tx: Tx, account_id: str, connection_id: str) -> list[ReadDocument]:
    """Return the newest readings of a connection, newest first."""
    where = {"account_id": account_id, "connection_id": connection_id}
    return [await read_document(tx, row, where) for row in await tx.all("newest_reads", **where, limit=NEWEST_READS)]


async def read_document(tx: Tx, row: Row, where: dict[str, str]) -> ReadDocument:
    """Return the document of a row of `newest_reads` or `read_of`."""
    about: dict[str, Any] = {**where, "read_id": row["read_id"], "since": id_at("evt", row["created_at"] - 1_000)}
    outcomes = {each["status"]: each["events"] for each in await tx.all("outcomes_of_read", **about)}
    news = await tx.all("orders_of_read", **about, limit=MOST_ORDERS) if outcomes.get("PROCESSED") else []
    return {
        "id": row["read_id"],
        "kind": row["kind"],
        "status": row["status"],
        "since": format_instant(row["since"]),
        "pages": row["pages"],
        "items": row["items"],
        "unknownOrders": row["unknown"],
        "outcomes": outcomes,
        "news": [each["external_order_id"] for each in news],
        "reason": row["fault"],
        "continuesAt": instant_or_none(row["due_at"]),
        "createdAt": format_instant(row["created_at"]),
        "finishedAt": instant_or_none(row["finished_at"]),
    }


async def fetch_documents(tx: Tx, account_id: str, connection_id: str) -> list[FetchDocument]:
    """Return what waits to be fetched for a connection, or was given up, the oldest first."""
    where = {"account_id": account_id, "connection_id": connection_id}
    return [
        {
            "kind": row["kind"],
            "id": row["item_id"],
            "deliveries": row["wanted"],
            "attempts": row["attempts"],
            "reason": row["fault"],
            "continuesAt": instant_or_none(row["due_at"]),
            "since": format_instant(row["created_at"]),
        }
        for row in await tx.all("fetches_of_connection", **where, limit=MOST_FETCHES)
    ]


def shown_hooks(row: Row) -> list[HookDocument]:
    """Return the webhooks as they were last seen, of a row of `platform_access_of`."""
    found: list[HookDocument] = json.loads(row["hooks"])
    return found
