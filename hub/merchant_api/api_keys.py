"""API keys and merchants' tokens with their owners, their secrets and the addresses that they may be used from."""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Final

import orjson
from attrs import field, frozen

from hub.clock import Clock
from hub.domain.durations import DAY
from hub.http.client_address import Network
from hub.operations.users.api_tokens import SEEN_EVERY_MS, note_token_use
from hub.operations.users.token_scopes import scopes_that_count
from hub.sealing import Sealer
from hub.storage import Row, Store
from hub.ttl_cache import TtlCache
from hub.validation.inputs import MerchantTerms

KEY_ID: Final = re.compile(r"ak_(?:test|live)_[0-9A-Za-z]{8,64}")
TOKEN_ID: Final = re.compile(r"tok_[0-9a-f]{32}")

MOST_PROOFS: Final = 10_000
PROVED_MS: Final = 8 * DAY
"""Longer than a week: a shop that only uploads a weekly file proves its key by the one before."""


@frozen
class Caller:
    """The sender of a request: one account (a merchant in test or live mode) and the key, or the token, that it used.

    `scopes` bound a token, and `user_id` is its person, if it has one; a key has neither.
    """

    account_id: str
    mode: str
    merchant_id: str
    merchant: MerchantTerms
    key_id: str | None
    scopes: frozenset[str] | None = None
    user_id: str | None = None


NOBODY: Final = Caller("", "", "", MerchantTerms("", ()), None)
"""The caller of a request whose account is not known; such requests are logged under account ""."""


@frozen
class Key:
    """An API key with its opened secret, or a token with its digest; times are milliseconds UTC."""

    caller: Caller
    secret: bytes = field(repr=False)
    networks: tuple[Network, ...]
    expires_at: int | None
    revoked_at: int | None
    merchant_status: str
    signature_version: int = 1
    """The lowest version of the signature that the key takes."""
    is_refused: bool = False
    """Whether the account takes signatures alone, and this is a token."""

    def fault(self, now: int) -> str | None:
        """Return the errorCode if the key, or its merchant, is not to be served at `now` (ms UTC); else None."""
        scopes = self.caller.scopes  # a token's, which signs nothing
        if self.revoked_at is not None:
            return "key_revoked" if scopes is None else "token_revoked"
        if self.expires_at is not None and self.expires_at <= now:
            return "key_expired" if scopes is None else "token_expired"
        if self.caller.mode == "live" and self.merchant_status != "APPROVED":
            return "merchant_suspended" if self.merchant_status == "SUSPENDED" else "merchant_not_approved"
        if scopes is not None and not scopes:
            return "token_owner_gone"
        return "signature_required" if self.is_refused else None


class ApiKeyCache:
    """Finds keys, at most two seconds stale; remembers from where each was proved lately by a genuine signature."""

    def __init__(self, store: Store, sealer: Sealer, clock: Clock) -> None:
        self._store = store
        self._sealer = sealer
        self._cache = TtlCache(self._load, clock)
        self._proved_at: dict[tuple[str | None, str], int] = {}
        """When each key was last proved from each address, in ms UTC, the newest last."""
        self._used_at: dict[str, int] = {}
        """When the use of each token was last noted, in ms UTC, the oldest first."""

    async def find(self, key_id: str, now: int, *, is_token: bool = False) -> Key | None:
        """Return the key, or the merchant's token, of this id, None if there is none; `now` is milliseconds UTC.

        Raises `StoreUnavailable`, or `SealingFault` if the master key is the wrong one.
        """
        known = TOKEN_ID if is_token else KEY_ID
        return await self._cache.get(key_id, now) if known.fullmatch(key_id) else None

    def forget(self) -> None:
        """Look keys up again from now on; what was proved stays proved."""
        self._cache.forget()

    async def note_use(self, token_id: str, client: str, now: int) -> None:
        """Store when and from where a token was used, at most once a minute."""
        if now - self._used_at.get(token_id, 0) < SEEN_EVERY_MS:
            return
        self._used_at.pop(token_id, None)
        self._used_at[token_id] = now
        await note_token_use(self._store, now, token_id, client)
        if len(self._used_at) > MOST_PROOFS:
            del self._used_at[next(iter(self._used_at))]

    def note_proof(self, key_id: str | None, client: str, now: int) -> None:
        """Remember that a genuine signature of the key came from the address `client` at `now` (ms UTC)."""
        self._proved_at.pop((key_id, client), None)
        self._proved_at[key_id, client] = now
        if len(self._proved_at) > MOST_PROOFS:
            del self._proved_at[next(iter(self._proved_at))]

    def is_proved_lately(self, key_id: str | None, client: str, now: int) -> bool:
        """Return whether the key was proved from this address in the last days, which a mere key id does not show."""
        proved_at = self._proved_at.get((key_id, client))
        return proved_at is not None and now - proved_at < PROVED_MS

    async def _load(self, key_id: str) -> Key | None:
        if key_id.startswith("tok_"):
            row = await self._store.fetch_one("token_by_id", token_id=key_id)
            return None if row is None or row["account_id"] is None else _token(row)
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


def _token(row: Row) -> Key:
    terms = MerchantTerms.from_row(row)
    scopes, person = scopes_that_count(row), row["user_id"]
    return Key(
        caller=Caller(row["account_id"], row["mode"], row["merchant_id"], terms, row["token_id"], scopes, person),
        secret=row["secret_hash"].encode("ascii"),
        networks=tuple(ip_network(text) for text in orjson.loads(row["allowed_cidrs"])),
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
        merchant_status=row["merchant_status"],
        is_refused=bool(row["signed_only"]),
    )
