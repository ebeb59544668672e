"""The pace of whoever reads very much in many short transactions, so that those who work meanwhile hardly notice it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from hub.storage.named_queries.query import NamedQueries
from hub.storage.transaction import Driver, Transaction, Tx


class Pace:
    """Lets its user work for a share of the time (0 to 1, above 0): before each step it rests for what is left.

    What a step took is the time since the last rest, the wait for the database included. So both machines are spared:
    the one that reads, and the one that answers.
    """

    def __init__(
        self,
        share: float,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._rest_by_work = 1 / share - 1
        self._clock = clock
        self._sleep = sleep
        self._began: float | None = None

    async def rest(self) -> None:
        """Rest for as long as the step before this one asks; the first step begins at once."""
        if self._began is not None:
            await self._sleep((self._clock() - self._began) * self._rest_by_work)
        self._began = self._clock()


class PacedTransaction(Transaction):
    """A transaction that only reads, and begins after a rest."""

    def __init__(self, pace: Pace, driver: Driver, queries: NamedQueries) -> None:
        super().__init__(driver, queries, write=False)
        self._pace = pace

    async def __aenter__(self) -> Tx:
        """Rest, then open the transaction; raise StoreUnavailable if the database cannot."""
        await self._pace.rest()
        return await super().__aenter__()
