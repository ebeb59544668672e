"""API keys with their owners, their secrets and the addresses that they may be used from."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Final

import orjson
from attrs import field, frozen

from hub.clock import Clock
from hub.http.client_address import Network
from hub.sealing import Sealer
from hub.storage import Row, Store
from hub.ttl_cache import TtlCache
from hub.validation.inputs import MerchantTerms

KEY_ID: Final = re.compile(r"ak_(?:test|live)_[0-9A-Za-z]{8,64}")

MOST_PROOFS: Final = 10_000
PROVED_MS: Final = 3_600_000


@frozen
class Caller:
    """The sender of a request: one account (a merchant in test or live mode) and the key that it used."""

    account_id: str
    mode: str
    merchant_id: str
    merchant: MerchantTerms
    key_id: str | None


NOBODY: Final = Caller("", "", "", MerchantTerms("", ()), None)
"""The caller of a request whose account is not known; such requests are logged under account ""."""


@frozen
class Key:
    """An API key with its opened secret; times are milliseconds UTC."""

    caller: Caller
    secret: bytes = field(repr=False)
    networks: tuple[Network, ...]
    expires_at: int | None
    revoked_at: int | None
    merchant_status: str
    signature_version: int = 1
    """The lowest version of the signature that the key takes."""

    def fault(self, now: int) -> str | None:
        """Return the errorCode if the key, or its merchant, is not to be served at `now` (ms UTC); else None."""
        if self.revoked_at is not None:
            return "key_revoked"
        if self.expires_at is not None and self.expires_at <= now:
            return "key_expired"
        if self.caller.mode == "live" and self.merchant_status != "APPROVED":
            return "merchant_suspended" if self.merchant_status == "SUSPENDED" else "merchant_not_approved"
        return None


class ApiKeyCache:
    """Finds keys, at most two seconds stale; remembers from where each was proved lately by a genuine signature."""

    def __init__(self, store: Store, sealer: Sealer, clock: Clock) -> None:
        self._store = store
        self._sealer = sealer
        self._cache = TtlCache(self._load, clock)
        self._proved_at: dict[tuple[str | None, str], int] = {}
        """When each key was last proved from each address, in ms UTC, the newest last."""

    async def find(self, key_id: str, now: int) -> Key | None:
        """Return the key of this id, None if there is none; `now` is milliseconds UTC.

        Raises `StoreUnavailable`, or `SealingFault` if the master key is the wrong one.
        """
        return await self._cache.get(key_id, now) if KEY_ID.fullmatch(key_id) else None

    def note_proof(self, key_id: str | None, client: str, now: int) -> None:
        """Remember that a genuine signature of the key came from the address `client` at `now` (ms UTC)."""
        self._proved_at.pop((key_id, client), None)
        self._proved_at[key_id, client] = now
        if len(self._proved_at) > MOST_PROOFS:
            del self._proved_at[next(iter(self._proved_at))]

    def is_proved_lately(self, key_id: str | None, client: str, now: int) -> bool:
        """Return whether the key was proved from this address within the hour, which a mere key id does not show."""
        proved_at = self._proved_at.get((key_id, client))
        return proved_at is not None and now - proved_at < PROVED_MS

    async def _load(self, key_id: str) -> Key | None:
        row = await self._store.fetch_one("key_with_merchant", key_id=key_id)
        return None if row is None else _key(row, self._sealer.open(row["sealed_secret"], key_id))


def _key(row: Row, secret: bytes) -> Key:
    terms = MerchantTerms.from_row(row)
    return Key(
        caller=Caller(row["account_id"], row["mode"], row["merchant_id"], terms, row["key_id"]),
        secret=secret,
        networks=tuple(ip_network(text) for text in orjson.loads(row["allowed_cidrs"])),
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
        merchant_status=row["merchant_status"],
        signature_version=row["signature_version"],
    )
