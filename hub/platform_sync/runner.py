"""The runner: has due readings and fetches done, for as long as the process runs, and plans the nightly ones.

One task looks for what is due and gives each connection at most one task, a turn, of which there are at most `TURNS`:
so a connection's rate limit has one user, and a slow shop holds up itself alone. A turn claims rows by their leases, so
no other process does the same; the lease of a process that was killed ends by itself. To stop, every task is cancelled:
what was not noted is read again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Coroutine, Sequence
from typing import Any, Final

import structlog

from hub.domain.connectors.reconciliation import DAY_MS, next_night
from hub.ids import new_id
from hub.intake.submission_batcher import SubmissionBatcher
from hub.platform_sync.access import Platforms
from hub.platform_sync.fetches import Fetcher
from hub.platform_sync.looks import LOOKS_A_DAY, Looker
from hub.platform_sync.reads import Reader
from hub.storage import Row, Store
from hub.turns import Turns

POLL_SECONDS: Final = 1.0
PLAN_SECONDS: Final = 60.0
"""How often it is looked whose night has come."""
TURNS: Final = 8
READS_AT_ONCE: Final = 6
"""Readings under way at once; the other turns are left to fetches, which somebody waits for."""
FETCHES_OF_EACH: Final = 50
"""What one connection has in a turn, so that many of one do not hide those of others."""
FETCHES_AT_ONCE: Final = 2_000
LOOKS_OF_EACH: Final = 20
"""How many orders one connection is asked for before their holds end in a turn: others wait for turns too."""
PLANNED_AT_ONCE: Final = 200

log = structlog.get_logger(__name__)


class PlatformRunner:
    """Asks platforms in the background."""

    def __init__(self, platforms: Platforms, intake: SubmissionBatcher, *, poll_seconds: float = POLL_SECONDS) -> None:
        self._platforms = platforms
        self._reader = Reader(platforms, intake)
        self._fetcher = Fetcher(platforms, intake)
        self._looker = Looker(platforms, intake)
        self._poll_seconds = poll_seconds
        self._turns = Turns("platforms", TURNS)
        self._reads = set[str]()

    async def start(self) -> None:
        """Begin to ask."""
        if self._platforms.store.dialect == "sqlite":  # of which this process is the only server
            async with self._platforms.store.write() as tx:
                await tx.run("clear_read_leases")
                await tx.run("clear_fetch_leases")
                await tx.run("clear_look_leases")
        self._turns.look_for(self._begin_turns, lambda: self._poll_seconds)

    async def stop(self) -> None:
        """Ask no more; what was under way goes on in the next process."""
        await self._turns.stop()

    async def run_once(self) -> int:
        """Do everything that is due now, to its end; return how many connections had something. For tests."""
        begun = await self._begin_turns()
        await self._turns.ended()
        return begun

    async def _begin_turns(self) -> int:
        now = self._platforms.clock()
        async with self._platforms.store.read() as tx:
            fetches = await tx.all("due_fetches", now=now, each=FETCHES_OF_EACH, limit=FETCHES_AT_ONCE)
            reads = await tx.all("due_reads", now=now, limit=TURNS * 4)
            asked = {"now": now, "since": now - DAY_MS, "each": LOOKS_OF_EACH, "most": LOOKS_A_DAY}
            looks = await tx.all("due_looks", **asked, limit=FETCHES_AT_ONCE)
        begun = 0
        for name, rows in _by_connection(fetches).items():
            begun += self._begin(name, self._fetcher.fetch(rows))
        for name, rows in _by_connection(looks).items():
            begun += self._begin(name, self._looker.look(rows))
        for row in reads:
            name = row["connection_id"]
            if len(self._reads) < READS_AT_ONCE and self._begin(name, self._read(row)):
                self._reads.add(name)
                begun += 1
        return begun

    def _begin(self, name: str, work: Coroutine[Any, Any, None]) -> bool:
        return self._turns.begin(name, work, self._reads.discard)

    async def _read(self, row: Row) -> None:
        await self._reader.read(row["account_id"], row["connection_id"], row["read_id"])


def _by_connection(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["connection_id"]].append(row)
    return found


async def plan_reconciliations(store: Store, now: int) -> int:
    """Insert a reading for each connection whose night has come (`now` in ms UTC); return how many."""
    planned = 0
    async with store.write() as tx:
        for row in await tx.all("due_reconciliations", now=now, limit=PLANNED_AT_ONCE):
            where = {"account_id": row["account_id"], "connection_id": row["connection_id"]}
            following = next_night(now, row["connection_id"])
            if not await tx.run("plan_reconciliation", **where, seen=row["next_at"], next_at=following):
                continue
            waiting = await tx.all("waiting_reads", **where)
            if not any(each["kind"] != "CATALOGUE" for each in waiting):
                await tx.run(
                    "insert_read",
                    **where,
                    read_id=new_id("rd"),
                    kind="RECONCILIATION",
                    since=row["certain_at"],
                    now=now,
                )
                planned += 1
    return planned
