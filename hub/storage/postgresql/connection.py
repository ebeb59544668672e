"""PostgreSQL connections with the hub's settings, and the meaning of PostgreSQL's error codes."""

from __future__ import annotations

from typing import Any

import asyncpg

from hub.storage.errors import BadValue, Conflict, NotAllNew, SchemaMoved, StoreError, StoreUnavailable
from hub.storage.migrations.postgresql import SCHEMA_MOVED
from hub.storage.postgresql.address import read_address

CONNECT_SECONDS = 10.0
"""How long to wait for a new connection, or for the end of an old one."""
ANSWER_SECONDS = 40.0
"""Longer than the server's own statement timeout: without an answer by then, the connection is dead."""

GIVEN_UP_SECONDS = 2.0
"""How long to wait for the end of a transaction, or of a statement, that its caller has given up. The server ends a
statement within milliseconds or not at all: what tells it to may overtake the statement on a busy machine, and is
forgotten then. The connection is closed rather than waited for."""

NOT_ALL_NEW = "HB001"
"""The SQLSTATE that the function `require_rows` of the schema raises."""
# Each is a SQLSTATE or its class (two characters). Any other is a fault of the program and is not translated.
_CONFLICTS = ("23503", "23505")
_VALUE_FAULTS = ("22", "23")
_TRANSIENT = ("08", "25", "40", "53", "54", "55", "57", "58", "3D", "28", "XX")

AWAY = (OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What asyncpg and the system raise if the server is away or the connection is lost."""
FAULTS = (asyncpg.PostgresError, *AWAY)


async def connect_alone(url: str) -> Any:
    """Return a connection without time limits, for migrations and moves; raise StoreUnavailable or StoreError."""
    address = read_address(url)
    try:
        return await asyncpg.connect(address.url, timeout=CONNECT_SECONDS, **address.session(limited=False))
    except ValueError as error:
        raise StoreError(f"The database address is not valid: {error}.") from error
    except FAULTS as error:
        raise translate(error) from error


def translate(error: Exception) -> Exception:
    """Return the store's error for one of asyncpg's; return a fault of the program itself (wrong SQL) unchanged."""
    if isinstance(error, asyncpg.DataError | ValueError):  # refused before it was sent
        return BadValue(f"The database refused a value: {error}")
    if isinstance(error, asyncpg.PostgresError):
        return _by_state(error)
    return StoreUnavailable(f"The database cannot be reached now: {str(error) or type(error).__name__}.")


def _by_state(error: Any) -> Exception:
    state = error.sqlstate or ""
    if state == NOT_ALL_NEW:
        return NotAllNew(str(error))
    if state == SCHEMA_MOVED:
        return SchemaMoved(str(error))
    if state in _CONFLICTS:
        return Conflict(str(error))
    if state.startswith(_VALUE_FAULTS):
        return BadValue(f"The database refused a value: {error}")
    if state.startswith(_TRANSIENT) or isinstance(error, asyncpg.exceptions.InvalidCachedStatementError):
        return StoreUnavailable(f"The database cannot answer now: {error}")
    fault_of_program: Exception = error
    return fault_of_program
