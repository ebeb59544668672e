"""Connections with their owners, their connectors and the secrets that their platforms sign with."""

from __future__ import annotations

import re
from typing import Final

import orjson
from attrs import field, frozen

from hub.clock import Clock
from hub.domain.connectors.deliveries import secret_identity
from hub.merchant_api.api_keys import Caller
from hub.sealing import Sealer
from hub.storage import Row, Store
from hub.ttl_cache import TtlCache
from hub.validation.inputs import MerchantTerms

CONNECTION_ID: Final = re.compile(r"con_[0-9a-f]{32}")


@frozen
class Secret:
    """An opened secret of a connection; `expires_at` is milliseconds UTC, None for never."""

    value: bytes = field(repr=False)
    expires_at: int | None


@frozen
class Connection:
    """A connection with its connector's name and its secrets."""

    connection_id: str
    caller: Caller
    connector: str
    secrets: tuple[Secret, ...]
    is_open: bool
    source: str | None = None

    def live_secrets(self, now: int) -> list[bytes]:
        """Return the secrets that are valid at `now` (ms UTC)."""
        return [each.value for each in self.secrets if each.expires_at is None or each.expires_at > now]


class ConnectionCache:
    """Finds connections, at most two seconds stale."""

    def __init__(self, store: Store, sealer: Sealer, clock: Clock) -> None:
        self._store = store
        self._sealer = sealer
        self._cache = TtlCache(self._load, clock)

    async def find(self, connection_id: str, now: int) -> Connection | None:
        """Return the connection of this id, None if there is none; `now` is milliseconds UTC.

        Raises `StoreUnavailable`, or `SealingFault` if the master key is the wrong one.
        """
        return await self._cache.get(connection_id, now) if CONNECTION_ID.fullmatch(connection_id) else None

    def forget(self) -> None:
        """Look connections up again from now on."""
        self._cache.forget()

    async def site(self, connection: Connection, named: str) -> str:
        """Return the site that a connection belongs to: the first one that its deliveries name.

        Raises `StoreUnavailable`.
        """
        if connection.source is not None:
            return connection.source
        async with self._store.write() as tx:
            where = {"account_id": connection.caller.account_id, "connection_id": connection.connection_id}
            await tx.run("keep_connection_source", **where, source=named)
            row = await tx.one("connection_at_door", connection_id=connection.connection_id)
        return named if row is None else str(row["source"])

    async def _load(self, connection_id: str) -> Connection | None:
        row = await self._store.fetch_one("connection_at_door", connection_id=connection_id)
        return None if row is None else self._connection(row)

    def _connection(self, row: Row) -> Connection:
        connection_id = row["connection_id"]
        terms = MerchantTerms.from_row(row)
        secrets = tuple(
            Secret(self._sealer.open(entry["sealed"], secret_identity(connection_id, entry["id"])), entry["expiresAt"])
            for entry in orjson.loads(row["secrets"])
        )
        return Connection(
            connection_id=connection_id,
            caller=Caller(row["account_id"], row["mode"], row["merchant_id"], terms, None),
            connector=row["connector"],
            secrets=secrets,
            is_open=row["status"] == "ACTIVE",
            source=row["source"],
        )
