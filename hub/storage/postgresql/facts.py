"""What an operator has to know of a PostgreSQL server before a hub relies on it."""

from __future__ import annotations

from typing import Any, Final

import asyncpg
from attrs import frozen

from hub.storage.errors import StoreUnavailable
from hub.storage.postgresql.address import read_address

CONNECT_SECONDS: Final = 5.0
_FACTS: Final = """
SELECT current_setting('server_version_num')::int AS version_number, current_setting('server_version') AS version,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
       pg_is_in_recovery() AS is_replica, current_setting('fsync') = 'on' AS is_durable,
       pg_encoding_to_char(encoding) AS encoding, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
FROM pg_database WHERE datname = current_database()
"""


@frozen
class ServerFacts:
    """A server: its release, how many connections it has and takes, whether it writes and keeps, its clock (ms UTC)."""

    version_number: int
    version: str
    most: int
    used: int
    is_replica: bool
    is_durable: bool
    encoding: str
    now: int


_AS_OF: Final = """
SELECT CASE WHEN pg_is_in_recovery() THEN (extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000)::bigint END
"""


async def state_of_replica(url: str) -> int:
    """Return up to which moment (ms UTC) a replica has what was committed on its primary.

    Raise `StoreUnavailable` if it does not answer, or is none.
    """
    found = await _asked(url, _AS_OF)
    if found is None or found[0] is None:
        raise StoreUnavailable("It is no replica, or has nothing of its primary yet.")
    return int(found[0])


async def newest_sign_of(url: str) -> int | None:
    """Return the newest moment (ms UTC) at which a process of the hub served, as a server knows it; None for never.

    Raise `StoreUnavailable` if it does not answer, or has no hub.
    """
    found = await _asked(url, "SELECT max(seen_at) FROM nodes")
    return None if found is None or found[0] is None else int(found[0])


async def clock_of(url: str) -> int:
    """Return what a server's clock says now (ms UTC); raise `StoreUnavailable` if it does not answer."""
    found = await _asked(url, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    return int(found[0])


async def server_facts(url: str) -> ServerFacts:
    """Ask a server, by a connection of its own; raise `StoreUnavailable` if it does not answer."""
    row = await _asked(url, _FACTS)
    if row is None:
        raise StoreUnavailable("PostgreSQL does not know its own database.")
    return ServerFacts(**row)


async def _asked(url: str, sql: str) -> Any:
    try:
        address = read_address(url)
        connection = await asyncpg.connect(
            address.url, timeout=CONNECT_SECONDS, command_timeout=CONNECT_SECONDS, **address.session()
        )
        try:
            return await connection.fetchrow(sql)
        finally:
            await connection.close()
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as fault:
        raise StoreUnavailable(f"PostgreSQL does not answer: {fault}.") from fault
