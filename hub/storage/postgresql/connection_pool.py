"""A pool of PostgreSQL connections: asyncpg's, with this package's settings, limits and errors."""

from __future__ import annotations

import contextlib
from time import monotonic
from typing import Any, Final, Self

import asyncpg

from hub.storage.errors import StoreError
from hub.storage.postgresql.address import Address
from hub.storage.postgresql.connection import ANSWER_SECONDS, CONNECT_SECONDS, FAULTS, GIVEN_UP_SECONDS, translate

LONG_WAIT_SECONDS: Final = 1.0
"""Who waits this long for a connection does so because too few may be open, not because many came at once."""


class ConnectionPool:
    """Lends connections, a limited number at a time; further callers wait their turn."""

    def __init__(self, pool: Any, most: int) -> None:
        self._pool = pool
        self._most = most
        self._lent = 0
        self.exhausted_at: float | None = None
        """When (`monotonic`) somebody last waited long because all were lent, or the server had no more to give."""

    @classmethod
    async def open(cls, address: Address, least: int, most: int) -> Self:
        """Connect; raise StoreUnavailable if the server cannot be reached, StoreError if the address is not valid."""
        try:
            return cls(
                await asyncpg.create_pool(
                    address.url,
                    min_size=least,
                    max_size=most,
                    timeout=CONNECT_SECONDS,
                    command_timeout=ANSWER_SECONDS,
                    reset=_keep_session,
                    **address.session(),
                ),
                most,
            )
        except ValueError as error:
            raise StoreError(f"The database address is not valid: {error}.") from error
        except FAULTS as error:
            raise translate(error) from error

    async def acquire(self) -> Any:
        """Return a connection, which may have died unnoticed; raise StoreUnavailable if there is none to be had."""
        asked, all_lent = monotonic(), self._lent >= self._most
        try:
            connection = await self._pool.acquire(timeout=CONNECT_SECONDS)
        except FAULTS as error:
            all_lent = all_lent or isinstance(error, asyncpg.TooManyConnectionsError)
            asked -= LONG_WAIT_SECONDS
            raise translate(error) from error
        finally:
            if all_lent and (now := monotonic()) - asked >= LONG_WAIT_SECONDS:
                self.exhausted_at = now
        self._lent += 1
        return connection

    async def release(self, connection: Any) -> None:
        """Take back a connection; close it if a statement that was given up goes on."""
        self._lent -= 1
        with contextlib.suppress(*FAULTS):
            await self._pool.release(connection, timeout=GIVEN_UP_SECONDS)

    async def close(self) -> None:
        """Wait until every connection is back, and close them."""
        with contextlib.suppress(*FAULTS):
            await self._pool.close()


def is_dead(connection: Any) -> bool:
    """Return whether the connection is known to be closed."""
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:  # the pool has closed it already
        return True


async def _keep_session(connection: Any) -> None:
    """Do nothing when a connection goes back: no session state needs a reset, which saves a round trip."""
