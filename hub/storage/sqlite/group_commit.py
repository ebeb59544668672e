"""Group commit: short transactions that wait at the same moment become one, because each commit waits for the disk.

There is one writing connection. While a commit waits for the disk, in a thread, the event loop serves others, and
further transactions queue up; they make the next group:

    event loop      run A, B |  requests, pages, ...   | run C, D, E |  requests ...
    commit thread            | COMMIT of A and B       |             | COMMIT of C, D and E
    callers                                            ^ A and B return              ^ C, D and E return

The statements run on the event loop's thread. In a thread of their own they would fight the loop for the interpreter
lock at every statement, which takes longer than the statements do.

The first caller in the queue leads: it runs the group and commits it, and then appoints the first caller that waits by
then. So no task lies between a caller and its commit, and each task between would cost a turn of the event loop. A
caller that is cancelled while it leads finishes the commit first: the others of its group did not give up. One that
is cancelled while its group commits returns at once, and its transaction is kept or undone with the group's others.

All transactions of a group commit together or not at all. If one raises, the group is rolled back, the others run again
without it, and it runs again as the first of a group: only there did it see nothing but committed rows, so only then
its failure counts.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Any, cast

from attrs import define, field

from hub.storage.errors import StoreUnavailable
from hub.storage.named_queries.query import NamedQueries
from hub.storage.sqlite.connection import SqliteConnection
from hub.storage.sqlite.connection_pool import ConnectionPool
from hub.storage.sqlite.sessions import CommitFailed, LoopSession
from hub.storage.transaction import T, Tx, Work

GROUP_SECONDS = 0.005
"""How long a group may hold up the event loop before it takes no further transaction."""


@define(eq=False)
class _Transaction:
    """One caller's transaction: `settled` once it has committed (`result`) or failed (`fault`)."""

    queries: NamedQueries
    work: Work[Any]
    signal: asyncio.Future[None] = field(factory=lambda: asyncio.get_running_loop().create_future())
    """Set once the transaction is settled, or its caller is to lead."""
    settled: bool = False
    result: Any = None
    fault: Exception | None = None
    runs_first: bool = False
    """Whether it has to be the first of a group, because it failed behind others."""

    def settle(self, fault: Exception | None = None) -> None:
        """Let the caller return, or raise `fault`."""
        self.settled, self.fault = True, fault
        self.wake()

    def wake(self) -> None:
        """Let the caller go on."""
        if not self.signal.done():
            self.signal.set_result(None)


class GroupCommit:
    """Runs transactions on the writer's connection, and commits those that wait at the same moment as one."""

    def __init__(self, writer: ConnectionPool, *, group_seconds: float = GROUP_SECONDS) -> None:
        self._writer = writer
        self._group_seconds = group_seconds
        self._queue: deque[_Transaction] = deque()
        self._leader: _Transaction | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="commit")

    async def transact(self, queries: NamedQueries, work: Work[T]) -> T:
        """Return the result of `work` once it has committed; raise what it raises, or StoreUnavailable."""
        mine = _Transaction(queries, work)
        self._queue.append(mine)
        self._idle.clear()
        try:
            if self._leader is not None:
                await mine.signal
            if not mine.settled:
                self._leader = mine
                while not mine.settled:
                    await self._commit_group()
        finally:
            if not mine.settled and mine in self._queue:  # its caller was cancelled before a group took it
                self._queue.remove(mine)
            if self._leader is mine:
                self._appoint()
        if mine.fault is not None:
            raise mine.fault
        return cast(T, mine.result)

    async def close(self) -> None:
        """Wait for the transactions that were submitted so far."""
        await self._idle.wait()
        self._thread.shutdown()

    def _appoint(self) -> None:
        """Hand the lead to the first caller that waits."""
        self._leader = self._queue[0] if self._queue else None
        if self._leader is not None:
            self._leader.wake()
        else:
            self._idle.set()

    async def _commit_group(self) -> None:
        try:
            connection = await self._writer.begin_writing()
        except StoreUnavailable as fault:
            while self._queue:
                self._queue.popleft().settle(fault)
            return
        group = await self._run_group(connection)
        if group:
            await self._commit(connection, group)
        else:
            await self._writer.reset(connection)

    async def _run_group(self, connection: SqliteConnection) -> list[_Transaction]:
        """Run the waiting transactions in the open one; return those to commit, none if one of them failed."""
        session = LoopSession(connection)
        group: list[_Transaction] = []
        began = monotonic()
        while self._queue:
            if group and (self._queue[0].runs_first or monotonic() - began >= self._group_seconds):
                break
            each = self._queue.popleft()
            try:
                tx = Tx(session, each.queries)
                each.result = await each.work(tx)
                if (refusal := tx.spoil("The transaction has ended.")) is not None:
                    raise StoreUnavailable(refusal)
            except Exception as fault:  # noqa: BLE001 - it is raised to the caller
                await session.rollback()
                self._put_back(group, each, fault)
                return []
            except BaseException:  # the leader was cancelled, or the process ends
                await session.rollback()
                self._queue.extendleft(reversed([*group, each]))
                self._writer.release(connection)
                raise
            group.append(each)
        return group

    def _put_back(self, group: list[_Transaction], failed: _Transaction, fault: Exception) -> None:
        if group:
            failed.runs_first = True
            self._queue.extendleft(reversed([*group, failed]))
        else:
            failed.settle(fault)

    async def _commit(self, connection: SqliteConnection, group: list[_Transaction]) -> None:
        committing = self._thread.submit(connection.direct.execute, "COMMIT")
        cancellation = await _ended(committing)
        fault = None if committing.cancelled() else committing.exception()
        if fault is None and not committing.cancelled():
            self._writer.commits += 1
            self._writer.release(connection)
            for each in group:
                each.settle()
        else:
            for each in group:
                each.settle(CommitFailed(fault))
            await self._writer.discard(connection)
        if cancellation is not None:
            raise cancellation


async def _ended(work: Future[Any]) -> asyncio.CancelledError | None:
    """Wait until a thread's work has ended, even if the caller is cancelled meanwhile; return that cancellation."""
    cancellation = None
    while not work.done():
        try:
            await asyncio.wrap_future(work)
        except asyncio.CancelledError as error:
            cancellation = error
        except sqlite3.Error:
            break
    return cancellation
