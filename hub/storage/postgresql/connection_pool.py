"""Connections to PostgreSQL: asyncpg's pool opens and counts them, and some lie ready to be handed out at once."""

from __future__ import annotations

import contextlib
from typing import Any, Self

import asyncpg

from hub.storage.errors import StoreError
from hub.storage.postgresql.connection import ANSWER_SECONDS, CONNECT_SECONDS, FAULTS, LIMITS, SETTINGS, translate

_STATEMENTS = 500


class ConnectionPool:
    """Lends connections; at most so many are open at a time, and whoever finds none waits its turn.

    asyncpg's pool takes a task, and so a turn of the event loop, to lend a connection and another to take it back,
    which under load is as long as the statement between them. So the first few that come back stay here until the next
    asks, unless somebody already waits for one in the pool.
    """

    def __init__(self, pool: Any, keep: int) -> None:
        """Keep at most so many ready; asyncpg's pool closes what it has had for long and nobody took."""
        self._pool = pool
        self._keep = keep
        self._idle: list[Any] = []
        self._waiting = 0

    @classmethod
    async def open(cls, url: str, least: int, most: int) -> Self:
        """Connect; raise StoreUnavailable where the server cannot be reached, StoreError where no address is given."""
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
                    reset=_as_it_is,
                ),
                keep=least,
            )
        except ValueError as error:
            raise StoreError(f"The database address is not understood: {error}.") from error
        except FAULTS as error:
            raise translate(error) from error

    async def acquire(self) -> Any:
        """Return a connection, which may have died without a sign; raise StoreUnavailable where none can be had."""
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
        """Take back what was borrowed."""
        if self._waiting or len(self._idle) >= self._keep or is_dead(connection):
            await self._release(connection)
        else:
            self._idle.append(connection)

    async def close(self) -> None:
        """Wait for what is lent and close every connection."""
        self._keep = 0
        while self._idle:
            await self._release(self._idle.pop())
        with contextlib.suppress(*FAULTS):
            await self._pool.close()

    async def _release(self, connection: Any) -> None:
        with contextlib.suppress(*FAULTS):
            await self._pool.release(connection)


def is_dead(connection: Any) -> bool:
    """Whether it is known by now that the connection is closed."""
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:  # the pool has thrown it away already
        return True


async def _as_it_is(connection: Any) -> None:
    """Do nothing when a connection goes back: no session state is left to reset, which spares a round trip."""
