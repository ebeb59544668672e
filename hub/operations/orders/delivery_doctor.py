"""What is wrong with a delivery that was refused, from what its shop's people know of it and what the hub knows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from attrs import frozen

from hub.domain.connectors.connector import Auth, Headers
from hub.domain.connectors.deliveries import body_digest, secret_identity
from hub.domain.connectors.delivery_diagnosis import DeliveryDiagnosis, KnownSecrets, SentDelivery, diagnose_delivery
from hub.operations.connections.connections import ConnectionAdmin
from hub.operations.lists import Wanted
from hub.operations.orders.request_log import account_requests
from hub.platform_sync.connection_secrets import StoredSecret
from hub.storage import Row, Store

MOST_OTHERS: Final = 50
"""Of how many other connections of the same platform the secrets are tried."""


class Arrived(NamedTuple):
    """What the log kept of a refused delivery: its body's length in bytes, and its digest."""

    body_bytes: int
    body_digest: str


@frozen
class DeliveryOpinion:
    """What the signature doctor says of a delivery.

    `same_body` says whether the body that was pasted is the one that arrived, None if the log does not have it.
    """

    diagnosis: DeliveryDiagnosis
    is_open: bool
    has_secret: bool
    arrived: Arrived | None
    same_body: bool | None


@frozen
class PastedDelivery:
    """A delivery as a person pasted it: `headers` by their names in lower case, and the body's text."""

    headers: Headers
    body: str


async def arrived_delivery(store: Store, account_id: str, request_id: str) -> Arrived | None:
    """Return what the log kept of a refused request of an account, None if it has none or that was no delivery."""
    page = await account_requests(store, account_id, Wanted({"refused": 1, "text": request_id}))
    found = next((each for each in page.entries if each.request_id == request_id), None)
    kept: Mapping[str, Any] = {} if found is None else found.detail or {}
    return Arrived(kept["bodyBytes"], kept["bodySha256Begins"]) if "bodySha256Begins" in kept else None


async def diagnose_pasted(
    admin: ConnectionAdmin, account_id: str, connection_id: str, auth: Auth, pasted: PastedDelivery,
    arrived: Arrived | None,
) -> DeliveryOpinion:  # fmt: skip
    """Return what is wrong with a delivery to a connection of this account, which its connector verifies by `auth`.

    A form loses whether its lines ended in LF or CR LF: the body counts with line feeds unless only the other fits.
    """
    now = admin.clock()
    async with admin.store.read() as tx:
        rows = await tx.all("connections_of_account", account_id=account_id)
    row = next(each for each in rows if each["connection_id"] == connection_id)
    secrets = _known_secrets(admin, row, rows, now)
    proof = pasted.headers.get(auth.header.lower(), "")
    bodies = dict.fromkeys(text.encode() for text in (pasted.body, pasted.body.replace("\n", "\r\n")))
    found = {body: diagnose_delivery(auth, secrets, SentDelivery(proof, body, pasted.headers), now) for body in bodies}
    body = next((each for each, diagnosis in found.items() if diagnosis.genuine), next(iter(bodies)))
    same = None if arrived is None else arrived.body_digest in {body_digest(each) for each in bodies}
    return DeliveryOpinion(found[body], row["status"] == "ACTIVE", bool(secrets.live), arrived, same)


def _known_secrets(admin: ConnectionAdmin, row: Row, rows: list[Row], now: int) -> KnownSecrets:
    live, ended = _secrets(admin, row, now)
    others: dict[str, list[bytes]] = {}
    for each in [each for each in rows if each["connector"] == row["connector"] and each is not row][:MOST_OTHERS]:
        others.setdefault(each["title"] or each["connection_id"], []).extend(_secrets(admin, each, now)[0])
    return KnownSecrets(live, ended, others)


def _secrets(admin: ConnectionAdmin, row: Row, now: int) -> tuple[list[bytes], list[bytes]]:
    """Return the live and the ended secrets of a connection."""
    stored: list[StoredSecret] = json.loads(row["secrets"])
    live, ended = list[bytes](), list[bytes]()
    for each in stored:
        is_live = each["expiresAt"] is None or each["expiresAt"] > now
        identity = secret_identity(row["connection_id"], each["id"])
        (live if is_live else ended).append(admin.sealer.open(each["sealed"], identity))
    return live, ended
