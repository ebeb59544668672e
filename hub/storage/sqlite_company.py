"""Transactions that wait to be committed with another: a commit costs all of them what it costs one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
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

    def take(self) -> Sequence[Companion]:
        """Take along all who wait."""
        taken, self._waiting = self._waiting, []
        return taken


def arrived(companions: Sequence[Companion]) -> None:
    """Hand over what came of them: the transaction has committed."""
    for each in companions:
        if not each.done.done():
            each.done.set_result(each.result)


def undone(companions: Sequence[Companion], fault: BaseException) -> bool:
    """Tell all of them that the transaction is undone; return whether that was the fault of one of them."""
    for each in companions:
        if not each.done.done():
            told = fault if isinstance(fault, CommitFailed) else each.fault or LeftBehind()
            each.done.set_exception(told)
    return any(each.fault for each in companions)
