"""The secrets of a connection as they are stored: sealed, each under its own name."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from hub.domain.connectors.deliveries import secret_identity
from hub.ids import new_id
from hub.sealing import Sealer


class StoredSecret(TypedDict):
    """A sealed secret as it is stored; times in ms UTC, and without `expiresAt` it does not end.

    `webhook` is the platform's id of the webhook whose deliveries it proves, where the platform made it.
    """

    id: str
    sealed: str
    createdAt: int
    expiresAt: int | None
    webhook: NotRequired[str]


def sealed_secret(sealer: Sealer, connection_id: str, secret: str, now: int) -> StoredSecret:
    """Return a secret as it is stored from `now` (ms UTC) on."""
    secret_id = new_id("sec")
    text = sealer.seal(secret.encode(), secret_identity(connection_id, secret_id))
    return {"id": secret_id, "sealed": text, "createdAt": now, "expiresAt": None}


def live_secrets(stored: list[StoredSecret], now: int) -> list[StoredSecret]:
    """Return those that have not ended at `now` (ms UTC)."""
    return [each for each in stored if each["expiresAt"] is None or each["expiresAt"] > now]
