"""The process's sign of life in the store: a row that it writes every second, and what that says of the store.

A store that answers may still be unable to keep anything: its disk is full, its file is locked or was replaced, its
server is a standby. Only a write proves that it can. Readiness reports the last write and never waits for one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from os import getpid
from socket import gethostname
from time import monotonic

import orjson
import structlog

from hub.clock import Clock
from hub.ids import new_id
from hub.storage import SchemaMoved, Store, StoreUnavailable, Tx
from hub.tasks import end_task

EVERY_SECONDS = 1.0
SILENT_SECONDS = 3.5
"""A store that has taken no write for this long is not ready."""
FIRST_SECONDS = 2.0
"""How long the start waits for the first write."""

NOT_WRITABLE = "The store does not take writes."
NOT_ANSWERING = "The store does not answer."
MIGRATED = "The schema is not the one that this hub was started on; restart it."

log = structlog.get_logger(__name__)


class Heartbeat:
    """Writes the process's row; `fault` says what the last attempt showed."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        master_keys: Sequence[str],
        clock_jump_ms: Callable[[], int],
        on_confirmed: Callable[[], None],
        plugins: Callable[[], str | None] = lambda: None,
        on_reload_asked: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Make the heartbeat of one process.

        `master_keys` are the ids of the keys that it can open with. `clock_jump_ms` returns by how much its clock
        jumped, and `on_confirmed` is called once an operator has confirmed the clock. `plugins` returns what is loaded
        of them, and `on_reload_asked` is called each time with the moment (ms UTC) at which a reload was asked for.
        """
        self._store = store
        self._clock = clock
        self._node_id = new_id(f"{gethostname()}-{getpid()}")
        self._started_at = clock()
        self._master_keys = orjson.dumps(sorted(master_keys)).decode()
        self._clock_jump_ms = clock_jump_ms
        self._on_confirmed = on_confirmed
        self._plugins = plugins
        self._on_reload_asked = on_reload_asked
        self._written_at = monotonic()
        self._fault: str | None = NOT_ANSWERING
        self.detail: str | None = None
        """What the store said when the last write failed; it may name hosts and files, so it is not for strangers."""
        self.migrated = asyncio.Event()
        """Set once the schema is no longer the one that the store was opened on."""
        self._first_ended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def age_seconds(self) -> float:
        """How long ago the last write was stored."""
        return monotonic() - self._written_at

    @property
    def fault(self) -> str | None:
        """Why the store cannot be used, in a sentence that anybody may read; None if it can."""
        if self._fault is None and self.age_seconds > SILENT_SECONDS:
            return NOT_ANSWERING
        return self._fault

    async def start(self) -> None:
        """Write the first row, if the store takes it soon, and begin to write one every second."""
        self._task = asyncio.create_task(self._write_on(), name="heartbeat")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_SECONDS):
                await self._first_ended.wait()

    async def stop(self) -> None:
        """Write no more."""
        await end_task(self._task)

    async def _write_on(self) -> None:
        while True:
            try:
                await self._write()
                self._note(None, None)
            except SchemaMoved as fault:
                self._note(MIGRATED, str(fault))
                self.migrated.set()
            except StoreUnavailable as fault:
                self._note(NOT_WRITABLE, str(fault))
            except Exception as fault:
                log.exception("a heartbeat failed")
                self._note(NOT_WRITABLE, repr(fault))
            await asyncio.sleep(EVERY_SECONDS)

    async def _write(self) -> None:
        self._store.check_place()
        confirmed, reload_asked_at = await self._store.transact(self._row)
        self._written_at = monotonic()
        if confirmed:
            self._on_confirmed()
        if reload_asked_at:
            self._on_reload_asked(reload_asked_at)

    async def _row(self, tx: Tx) -> tuple[bool, int]:
        row = await tx.one(
            "write_heartbeat",
            node_id=self._node_id,
            started_at=self._started_at,
            now=self._clock(),
            master_keys=self._master_keys,
            clock_jump_ms=self._clock_jump_ms(),
            plugins=self._plugins(),
            exhausted_at=self._exhausted_at(),
        )
        return (False, 0) if row is None else (bool(row["clock_confirmed"]), row["reload_asked_at"])

    def _exhausted_at(self) -> int:
        ago = self._store.exhausted_ago
        return 0 if ago is None else self._clock() - round(ago * 1000)

    def _note(self, fault: str | None, detail: str | None) -> None:
        if fault != self._fault and not (fault is None and self._fault is NOT_ANSWERING):
            if fault is None:
                log.warning("the store takes writes again")
            else:
                log.warning("the hub is not ready", fault=fault, detail=detail)
        self._fault, self.detail = fault, detail
        self._first_ended.set()
