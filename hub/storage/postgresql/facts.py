"""What an operator has to know of a PostgreSQL server before a hub relies on it."""

from __future__ import annotations

from typing import Final

import asyncpg
from attrs import frozen

from hub.storage.errors import StoreUnavailable

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


async def server_facts(url: str) -> ServerFacts:
    """Ask a server, by a connection of its own; raise `StoreUnavailable` if it does not answer."""
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, command_timeout=CONNECT_SECONDS)
        try:
            row = await connection.fetchrow(_FACTS)
        finally:
            await connection.close()
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as fault:
        raise StoreUnavailable(f"PostgreSQL does not answer: {fault}.") from fault
    if row is None:
        raise StoreUnavailable("PostgreSQL does not know its own database.")
    return ServerFacts(**row)
