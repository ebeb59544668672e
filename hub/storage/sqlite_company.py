"""Transactions that wait to be committed with another: a commit costs all of them what it costs one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from attrs import define, field

from hub.storage.errors import StoreUnavailable
from hub.storage.sqlite_work import CommitFailed
from hub.storage.transaction import T, Tx, Work

PATIENCE_SECONDS = 0.01
"""Who waits goes alone after so long: while requests come, another transaction begins every few milliseconds."""


class LeftBehind(Exception):
    """The transaction that was to be joined came to nothing for reasons of its own."""


@define(eq=False)
class Companion:
    """Work that is done in another's transaction; `done` tells its result once that has committed."""

    work: Work[Any]
    done: asyncio.Future[Any] = field(factory=lambda: asyncio.get_running_loop().create_future())
    result: Any = None
    fault: Exception | None = None

    async def run(self, tx: Tx) -> None:
        """Do the work; a fault of its own is remembered."""
        try:
            self.result = await self.work(tx)
            if tx.fault is not None:
                raise StoreUnavailable(tx.fault)
        except Exception as fault:
            self.fault = fault
            raise

    def arrive(self) -> None:
        """Hand over the result: the transaction has committed."""
        if not self.done.done():
            self.done.set_result(self.result)

    def part(self, fault: BaseException) -> None:
        """Say that the transaction was undone for this fault, which may be this companion's own."""
        if not self.done.done():
            self.done.set_exception(fault if isinstance(fault, CommitFailed) else self.fault or LeftBehind())


class Company:
    """Where transactions wait for another to go along with."""

    def __init__(self) -> None:
        self._waiting: list[Companion] = []

    async def join(self, work: Work[T], alone: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work` once it has committed: with the next transaction, or by `alone()`.

        Where the transaction that it went with is undone for another's fault, `work` runs once more.
        """
        companion = Companion(work)
        self._waiting.append(companion)
        try:
            await asyncio.wait([companion.done], timeout=PATIENCE_SECONDS)
            if companion not in self._waiting:
                result: T = await companion.done
                return result
        except LeftBehind:
            pass
        finally:
            companion.done.cancel()  # a caller who was cancelled waits for nothing any more
            if companion in self._waiting:
                self._waiting.remove(companion)
        return await alone()

    async def lead(self, work: Work[None], transact: Callable[[Work[None]], Awaitable[None]]) -> None:
        """Do `work` by `transact`, and after it, in the same transaction, what waits; raise as `transact` does.

        Where what waited was at fault, `work` is as sound as before and is done again without it.
        """
        companions, self._waiting = self._waiting, []

        async def together(tx: Tx) -> None:
            await work(tx)
            for each in companions:
                await each.run(tx)

        try:
            await transact(together)
        except BaseException as fault:
            for each in companions:
                each.part(fault)
            if not any(each.fault for each in companions):
                raise
            await transact(work)
        else:
            for each in companions:
                each.arrive()
