"""The processes that run plugins, and what they loaded: started when they are needed, and anew when they end.

Each seat holds one process, and one user at a time: a seat that was left in the middle of an exchange has its process
killed, so that no answer can reach the wrong question. A load goes on beside the processes that serve, and takes their
place once it is done. A distribution that ends or holds up a process while it loads is excluded from the next one, so
that a start takes one more round for each of them and then succeeds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic

import structlog
from attrs import define, evolve, field

from hub.plugin_host.catalog import Catalog
from hub.plugin_host.file_stamps import FileWatch, stamps_of
from hub.plugin_host.limits import Limits
from hub.plugin_host.process import Exposed, Loaded, PluginProcess, ProcessEnded
from hub.plugin_host.sandbox import Protections
from hub.plugin_host.translation import HostUnavailable
from hub.tasks import end_task

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 30.0
"""After a start that failed the next one waits, twice as long each time."""
CHECK_SECONDS = 2.0
"""How often the plugins' files are looked at; a change counts once it has not moved for as long again."""
FIRST_RETRY_SECONDS = 5.0
LONGEST_RETRY_SECONDS = 300.0
"""When what could not be loaded is tried again with its files unchanged, twice as long after each failure.

The machine may have been busy, or somebody ended the process while it loaded: the platform's deliveries wait for it.
"""
LASTING = ("cannot be imported", "cannot be loaded", "fails in")
"""How reasons begin that hold for the next process too, so that it need not find them out again."""

log = structlog.get_logger(__name__)


def retry_pause(retries: int) -> float:
    """Return the seconds until what could not be loaded is tried again, after so many tries since."""
    return float(min(FIRST_RETRY_SECONDS * 2 ** min(retries, 30), LONGEST_RETRY_SECONDS))


@define(eq=False)
class Seat:
    """A place for one process; `load` is the number of the load that the process belongs to."""

    process: PluginProcess | None = None
    load: int = 0


@define(eq=False)
class ProcessPool:
    """Processes under the same limits. `check_seconds` is how often files are looked at, 0 for never.

    A pool that does not look is a command's, which shows what was set aside and need not log it.
    """

    _limits: Limits
    _count: int = 1
    _check_seconds: float = CHECK_SECONDS
    catalog: Catalog | None = field(init=False, default=None)
    """What the newest load found, None before the first."""
    protections: Protections = field(init=False, default=())
    """What the newest load's process was closed in by."""
    fault: str | None = field(init=False, default=None)
    """Why the last start of a process failed, None if it did not."""
    _idle: asyncio.LifoQueue[Seat] = field(init=False, factory=asyncio.LifoQueue)
    _seats: list[Seat] = field(init=False)
    _load: int = field(init=False, default=0)
    _excluded: dict[str, str] = field(init=False, factory=dict)
    _loaded_at: float = field(init=False, default=0.0)
    _failures: int = field(init=False, default=0)
    _retries: int = field(init=False, default=0)
    _not_before: float = field(init=False, default=0.0)
    _files: FileWatch = field(init=False, factory=FileWatch)
    _watching: asyncio.Task[None] | None = field(init=False, default=None)
    _reloading: asyncio.Lock = field(init=False, factory=asyncio.Lock)
    _closed: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self._seats = [Seat() for _ in range(self._count)]
        for seat in self._seats:
            self._idle.put_nowait(seat)

    @asynccontextmanager
    async def seat(self, patience: float | None = None) -> AsyncIterator[Seat]:
        """Hold a seat for the block; raise `HostUnavailable` if none is free within so many seconds.

        If the block ends by an exception, the seat's process is killed.
        """
        try:
            async with asyncio.timeout(patience):
                seat = await self._idle.get()
        except TimeoutError:
            raise HostUnavailable("The plugin host is busy. Try again.") from None
        try:
            yield seat
        except BaseException:
            await self.discard(seat)
            raise
        finally:
            self._idle.put_nowait(seat)

    async def process_of(self, seat: Seat) -> PluginProcess:
        """Return the seat's process, started and loaded if it has none; raise `HostUnavailable`."""
        if seat.process is not None and seat.process.alive and seat.load == self._load:
            return seat.process
        await self.discard(seat)
        left = self._not_before - monotonic()
        if self._closed or left > 0:
            raise HostUnavailable(f"The plugin host does not start; it is tried again in {max(left, 0):.1f} seconds.")
        seat.process, loaded = await self._start()
        seat.load = self._load
        await self._adopt(loaded)
        return seat.process

    async def discard(self, seat: Seat) -> None:
        """Kill the seat's process, if it has one."""
        process, seat.process = seat.process, None
        if process is not None:
            await process.close()

    async def reload(self) -> Catalog:
        """Load the plugins anew beside what serves, then have that take its place; raise `HostUnavailable`."""
        async with self._reloading:
            self._excluded = {}
            process, loaded = await self._start()
            try:
                self._load += 1
                await self._adopt(loaded)
                self._retries = self._retries + 1 if self._excluded else 0
                async with self.seat() as seat:
                    await self.discard(seat)
                    self._refuse_if_closed()
                    seat.process, seat.load = process, self._load
            except BaseException:
                await process.close()
                raise
            log.info("the plugins were loaded anew", connectors=[each.name for each in loaded.catalog.connectors])
            return loaded.catalog

    async def close(self) -> None:
        """End every process; nothing is started after this."""
        self._closed = True
        async with AsyncExitStack() as stack:
            for seat in self._seats:
                stack.push_async_callback(self.discard, seat)
            await end_task(self._watching)

    async def _start(self) -> tuple[PluginProcess, Loaded]:
        """Return a process that has loaded its plugins, without those that keep it from doing so."""
        while True:
            self._refuse_if_closed()
            try:
                process = await PluginProcess.start(evolve(self._limits, excluded=self._excluded))
            except OSError as error:
                raise self._failed(str(error)) from error
            try:
                loaded = await process.load(self._limits.load_seconds)
                self._refuse_if_closed()
            except ProcessEnded as ended:
                culprit = ended.evidence.distribution
                if not culprit or culprit in self._excluded:
                    raise self._failed(ended.evidence.text) from None
                where = f" (at {ended.evidence.place})" if ended.evidence.place else ""
                self._excluded[culprit] = f"cannot be loaded: {ended.evidence.text}{where}; mend or uninstall it"
            except Exposed as fault:
                await process.close()
                raise self._failed(str(fault)) from None
            except (KeyError, TypeError, ValueError) as fault:
                await process.close()
                raise self._failed(f"it does not say what it loaded: {fault!r}") from None
            except BaseException:
                await process.close()
                raise
            else:
                self._failures, self.fault = 0, None
                return process, loaded

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise HostUnavailable("The plugin host is closed.")

    def _failed(self, why: str) -> HostUnavailable:
        pause = min(FIRST_PAUSE * 2**self._failures, LONGEST_PAUSE)
        self._failures += 1
        self._not_before = monotonic() + pause
        self.fault = f"The plugin host does not start: {why}."
        log.error("the plugin host does not start", reason=why, pause=pause)
        self._watch_files()
        return HostUnavailable(self.fault)

    async def _adopt(self, loaded: Loaded) -> None:
        """Take over what a load found, and say what was set aside that was not before."""
        known = set() if self.catalog is None else set(self.catalog.faults)
        self.catalog, self.protections = loaded.catalog, loaded.protections
        self._loaded_at = monotonic()
        for each in loaded.catalog.set_aside:
            if each.reason.startswith(LASTING):
                self._excluded[each.distribution] = each.reason
            if self._check_seconds and not each.off and f"{each.sentence}." not in known:
                log.error("a plugin is set aside", distribution=each.distribution, reason=each.reason)
        self._files.begin(loaded.watch, await asyncio.to_thread(stamps_of, loaded.watch))
        self._watch_files()

    def _watch_files(self) -> None:
        if self._watching is None and self._check_seconds and not self._closed:
            self._watching = asyncio.create_task(self._watch(), name="plugin files")

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._check_seconds)
            try:
                if await self._should_reload():
                    await self.reload()
            except HostUnavailable as fault:
                log.warning("the plugins could not be loaded anew", fault=str(fault))
            except Exception:
                log.exception("the plugins' files could not be looked at")

    async def _should_reload(self) -> bool:
        if self.fault is not None:  # nobody may ask again: who looks at readiness sends nothing
            return monotonic() >= self._not_before
        if self._excluded and monotonic() - self._loaded_at > retry_pause(self._retries):
            return True
        return self._files.changed(await asyncio.to_thread(stamps_of, self._files.paths))
