"""Pools of PostgreSQL connections: asyncpg's pool opens and counts them, and a few idle ones are lent at once.

asyncpg's pool takes a task, and so a turn of the event loop, to lend a connection and another to take it back. Under
load that takes as long as the statement between them. So the first few connections that come back stay in a list here
until the next caller, unless another caller is already waiting in asyncpg's pool: then the connection goes back there,
or that caller would wait forever. Everything runs on the event loop, so the list needs no lock.
"""

from __future__ import annotations

import contextlib
from typing import Any, Self

import asyncpg

from hub.storage.errors import StoreError
from hub.storage.postgresql.connection import ANSWER_SECONDS, CONNECT_SECONDS, FAULTS, LIMITS, SETTINGS, translate

_STATEMENTS = 500


class ConnectionPool:
    """Lends connections, a limited number at a time; further callers wait their turn."""

    def __init__(self, pool: Any, keep: int) -> None:
        """Make a pool that keeps at most `keep` idle connections itself; asyncpg's pool closes idle ones in time."""
        self._pool = pool
        self._keep = keep
        self._idle: list[Any] = []
        self._waiting = 0

    @classmethod
    async def open(cls, url: str, least: int, most: int) -> Self:
        """Connect; raise StoreUnavailable if the server cannot be reached, StoreError if the address is not valid."""
        try:
            return cls(
                await asyncpg.create_pool(
                    url,
                    min_size=least,
                    max_size=most,
                    timeout=CONNECT_SECONDS,
                    command_timeout=ANSWER_SECONDS,
                    statement_cache_size=_STATEMENTS,
                    max_cached_statement_lifetime=0,
                    server_settings=SETTINGS | LIMITS,
                    reset=_keep_session,
                ),
                keep=least,
            )
        except ValueError as error:
            raise StoreError(f"The database address is not valid: {error}.") from error
        except FAULTS as error:
            raise translate(error) from error

    async def acquire(self) -> Any:
        """Return a connection, which may have died unnoticed; raise StoreUnavailable if there is none to be had."""
        while self._idle:
            connection = self._idle.pop()
            if not is_dead(connection):
                return connection
            await self._release(connection)
        self._waiting += 1
        try:
            return await self._pool.acquire(timeout=CONNECT_SECONDS)
        except FAULTS as error:
            raise translate(error) from error
        finally:
            self._waiting -= 1

    async def release(self, connection: Any) -> None:
        """Take back a connection."""
        if self._waiting or len(self._idle) >= self._keep or is_dead(connection):
            await self._release(connection)
        else:
            self._idle.append(connection)

    async def close(self) -> None:
        """Wait until every connection is back, and close them."""
        self._keep = 0
        while self._idle:
            await self._release(self._idle.pop())
        with contextlib.suppress(*FAULTS):
            await self._pool.close()

    async def _release(self, connection: Any) -> None:
        with contextlib.suppress(*FAULTS):
            await self._pool.release(connection)


def is_dead(connection: Any) -> bool:
    """Return whether the connection is known to be closed."""
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:  # the pool has closed it already
        return True


async def _keep_session(connection: Any) -> None:
    """Do nothing when a connection goes back: no session state needs a reset, which saves a round trip."""
