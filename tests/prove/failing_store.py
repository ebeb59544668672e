"""A store of which one call fails: before it did anything, after its work was kept, or because its caller gave up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Literal, get_args

from hub.storage import InsertAll, OutcomeUnknown, Store, StoreUnavailable, Tx

Manner = Literal["before", "after", "cancelled"]
MANNERS: tuple[Manner, ...] = get_args(Manner)
_STATEMENTS = {
    "all", "one", "records", "run", "run_together", "all_together", "insert_all", "lock_orders", "lock_account",
    "lock_catalogs",
}  # fmt: skip


class FailingStore(Store):
    """Counts what is asked of a store, statements and commits alike, and lets the call of one number fail, once.

    "before": StoreUnavailable, and nothing was done. "after": OutcomeUnknown, or StoreUnavailable for a statement, and
    it was done. "cancelled": `caller`, the task that all this is done for, is cancelled as the call begins.
    """

    def __init__(self, store: Store) -> None:
        vars(self).update(vars(store))
        self._store = store
        self.calls = 0
        self.failed = False
        self._at = 0
        self._manner: Manner = "before"
        self.caller: asyncio.Task[Any] | None = None

    def arm(self, at: int, manner: Manner) -> None:
        """Let the call of this number, counted from now on, fail; 0 lets none fail."""
        self.calls, self.failed, self._at, self._manner = 0, False, at, manner

    def read(self) -> Any:
        return _Transaction(self, self._store.read(), keeps=False)

    def write(self, **how: float) -> Any:
        return _Transaction(self, self._store.write(**how), keeps=True)

    async def transact(self, work: Any) -> Any:
        async def watched(tx: Tx) -> Any:
            return await work(_Statements(self, tx))

        return await self.call(lambda: self._store.transact(work if isinstance(work, InsertAll) else watched))

    async def fetch_one(self, query: str, /, **values: Any) -> Any:
        return await self.call(lambda: self._store.fetch_one(query, **values))

    async def call(self, doing: Callable[[], Awaitable[Any]], undo: Callable[[], Awaitable[Any]] | None = None) -> Any:
        """Do it, unless it is the one that fails; `undo` is done in its place if it fails before."""
        self.calls += 1
        if self.calls != self._at:
            return await doing()
        self.failed = True
        if self._manner == "before":
            if undo is not None:
                await undo()
            raise StoreUnavailable("the call that fails, before")
        if self._manner == "cancelled" and self.caller is not None:
            self.caller.cancel()
        result = await doing()
        if self._manner == "after":
            raise OutcomeUnknown("the call that fails, after")
        return result


class _Statements:
    """A transaction whose statements are counted."""

    def __init__(self, store: FailingStore, tx: Tx) -> None:
        self._failing, self._tx = store, tx

    @property  # type: ignore[misc]  # what asks whether it is a transaction gets the right answer
    def __class__(self) -> type[Tx]:  # type: ignore[override]  # a property stands in for it
        return Tx

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._tx, name)
        if name not in _STATEMENTS:
            return found

        async def counted(*given: Any, **values: Any) -> Any:
            try:
                return await self._failing.call(lambda: found(*given, **values))
            except StoreUnavailable as fault:  # as the store does: no statement after one that failed
                self._tx.spoil(str(fault))
                raise

        return counted


class _Transaction:
    """A block whose statements and end are counted; `keeps` if its end is a commit of something written."""

    def __init__(self, store: FailingStore, inner: Any, *, keeps: bool) -> None:
        self._failing, self._inner, self._keeps = store, inner, keeps

    async def __aenter__(self) -> _Statements:
        begun: list[Tx] = []

        async def begin() -> None:
            begun.append(await self._inner.__aenter__())

        try:
            await self._failing.call(begin)
        except StoreUnavailable as fault:
            if begun:  # begun, and never told: as the database would, end it
                await self._inner.__aexit__(StoreUnavailable, fault, None)
            raise
        return _Statements(self._failing, begun[0])

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async def undo() -> None:
            fault = StoreUnavailable("undone")
            await self._inner.__aexit__(StoreUnavailable, fault, None)

        async def end() -> None:
            await self._inner.__aexit__(kind, error, trace)

        await (self._failing.call(end, undo) if kind is None and self._keeps else end())
