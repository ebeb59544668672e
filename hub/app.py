"""Start and stop a hub: settings in, a listening server out; the part that starts last stops first."""

from __future__ import annotations

import asyncio
import errno
import gc
import importlib.metadata
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES

import attrs
import structlog
from attrs import frozen

from hub.clock import Clock, steady_clock, system_clock
from hub.config.sections import ServerSettings
from hub.config.settings import Settings
from hub.http.admission import Admission
from hub.http.connection import Timeouts
from hub.http.router import Router
from hub.http.server import GRACE_SECONDS, HttpServer
from hub.lifecycle import start_parts
from hub.merchant_api.routes import NotFound
from hub.observability.health import HealthEndpoints
from hub.observability.heartbeat import Heartbeat
from hub.observability.metrics import Metrics
from hub.observability.worker_metrics import SiblingMetrics
from hub.operations.affiliates.links import note_public_root
from hub.operations.system.master_keys import require_master_keys
from hub.operations.system.plugins import plugin_host_for, start_plugins
from hub.pages.routes import PageNotFound
from hub.parts import Parts, build_parts
from hub.plugin_host.translation import Plugins
from hub.probes import build_health
from hub.processing.clock_guard import ClockGuard
from hub.public_routes import build_router
from hub.sealing import load_sealer
from hub.storage import Store
from hub.storage.sqlite.version import has_wal_reset_fault

GARBAGE_THRESHOLD = 20_000
"""The collector runs after this many new objects; a batch of the worker makes half as many, all in use to its end."""

log = structlog.get_logger(__name__)


class StartFault(Exception):
    """The hub cannot start; the text is a sentence that says how to fix it."""


@frozen(eq=False)
class Hub:
    """A hub that serves; `server` holds the port that was bound."""

    parts: Parts
    server: ServerSettings

    @property
    def url(self) -> str:
        """The address that it listens on."""
        host = f"[{self.server.host}]" if ":" in self.server.host else self.server.host
        return f"http://{host}:{self.server.port}"


def set_collector() -> None:
    """Let the garbage collector leave alone what is there now, and run as seldom as a hub that serves needs it."""
    gc.collect()
    gc.freeze()  # objects of the start live to the end and need not be traversed again
    gc.set_threshold(GARBAGE_THRESHOLD)


async def serve(
    settings: Settings,
    announce: Callable[[str], None],
    *,
    clock: Clock = system_clock,
    siblings: SiblingMetrics | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is under way; call `announce` with a line once the hub listens.

    `siblings` are the other worker processes on the port, if there are any.
    """
    stop = asyncio.Event()
    with _signals(stop.set):
        async with running(settings, clock=clock, siblings=siblings) as hub:
            set_collector()
            announce(f"listening on {hub.url}")
            log.info("the hub serves", url=hub.url, database=hub.parts.store.dialect)
            if hub.parts.store.dialect == "sqlite":
                _log_sqlite()
            leaving = asyncio.create_task(_leave_once_migrated(hub.parts.heartbeat), name="schema")
            await stop.wait()
            await drain(hub, stop)
            leaving.cancel()
            log.info("the hub stops")


async def drain(hub: Hub, stop: asyncio.Event) -> None:
    """Serve on for as long as the settings say, not ready any more, so that whatever stands before it sends no more.

    Each response ends its connection. A second signal, which sets `stop` again, ends the wait.
    """
    seconds = hub.parts.settings.server.drain / 1000
    hub.parts.services.admission.draining = True
    if seconds:
        log.info("the hub drains", seconds=seconds)
        stop.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await stop.wait()


async def _leave_once_migrated(heartbeat: Heartbeat) -> None:
    """End this process at once when its schema is changed beneath it: to finish anything would write more to it.

    Nothing is acknowledged before it is durable, so nothing is lost that way.
    """
    await heartbeat.migrated.wait()
    log.error("the schema was changed beneath this server, which ends and writes nothing more; start the new release")
    os._exit(1)


@asynccontextmanager
async def running(
    settings: Settings,
    *,
    clock: Clock = system_clock,
    steady: Clock | None = None,
    siblings: SiblingMetrics | None = None,
    plugins: Plugins | None = None,
) -> AsyncIterator[Hub]:
    """Yield a serving hub, which lasts as long as the block.

    At its end the hub stops accepting, answers what it accepted, then finishes submissions, clicks, the worker's batch
    and the request log. `steady` is the clock that nobody sets, beside the machine's own; another `clock` than the
    machine's is its own. `plugins` default to a plugin host with the installed ones. Raises `StartFault`,
    `PluginFault`, `SealingFault`, `LibraryMissing` or a `StoreError` if it cannot start.
    """
    _require_compiled_parser()
    sealer = load_sealer(settings)
    async with AsyncExitStack() as stack:
        store = await Store.open(settings.database.url, migrate=settings.database.dialect == "sqlite", serve=True)
        stack.push_async_callback(store.close)
        await require_master_keys(store, sealer)
        metrics = Metrics(None if siblings is None else siblings.number)
        if store.dialect == "sqlite":
            metrics.sqlite_release.labels(sqlite3.sqlite_version, "yes" if has_wal_reset_fault() else "no").set(1)
        if plugins is None:
            plugins = host = plugin_host_for(settings.plugins, settings.private_files)
            stack.push_async_callback(host.close)
        guard = ClockGuard(clock, steady or (steady_clock if clock is system_clock else clock))
        parts = build_parts(settings, store, sealer, plugins, clock, metrics, guard)
        if siblings is not None:
            await siblings.start(metrics.own_exposition)
            stack.push_async_callback(siblings.stop)
        await start_plugins(plugins, store, stack, strict=settings.plugins.strict)
        await start_parts(parts, stack)
        health = build_health(parts, siblings)
        await _listen_for_operators(parts, health, stack)
        hub = Hub(parts, settings.server.serving_at(await _listen(parts, build_router(parts, health), stack)))
        stack.callback(parts.services.waiters.close)
        await _note_address(hub)
        yield hub


async def _note_address(hub: Hub) -> None:
    """Note where the hub is reached, for its own requests and for the links that it hands out."""
    hub.parts.pages.own_server.listening(hub.server.host, hub.server.port)
    await note_public_root(hub.parts.store, hub.server.public_url)
    _warn_of_local_links(hub.server)


def _warn_of_local_links(server: ServerSettings) -> None:
    """Warn if others can reach the hub, but not the address that its links lead to."""
    if server.is_on_every_address and not server.is_public_url_configured:
        log.warning(
            "links lead to this machine only: set HUB_SERVER_PUBLIC_URL to the hub's public address",
            links=server.public_url,
        )


def _log_sqlite() -> None:
    """Log the release of SQLite, as a warning if it can damage the file."""
    if has_wal_reset_fault():
        log.warning(
            "this SQLite has the WAL-reset fault, mended in 3.51.3: let no program but the hub write to the file",
            sqlite=sqlite3.sqlite_version,
        )
    else:
        log.info("the store is SQLite", sqlite=sqlite3.sqlite_version)


async def _listen_for_operators(parts: Parts, health: HealthEndpoints, stack: AsyncExitStack) -> None:
    """Serve readiness and metrics at an address of their own, if there is one."""
    server = parts.settings.server
    if server.operations is not None:
        host, port = server.operations
        routes = [*health.public_routes(), *health.operations_routes(detailed=True)]
        apart = attrs.evolve(server, host=host, port=port)
        bound = await _listen(parts, Router(routes), stack, apart)
        log.info("operations are served", host=host, port=bound)


async def _listen(parts: Parts, router: Router, stack: AsyncExitStack, at: ServerSettings | None = None) -> int:
    server = at or parts.settings.server
    http = HttpServer(
        router,
        (PageNotFound if at is None else NotFound)(parts.services, router).serve,
        parts.services.admission if at is None else Admission(),  # strangers must not keep operators out
        Timeouts(server.keepalive_timeout / 1000, server.headers_timeout / 1000, server.write_timeout / 1000),
        grace_seconds=GRACE_SECONDS if at is None else 1.0,
    )
    stack.push_async_callback(http.stop)
    if at is None and parts.agents is not None:
        parts.agents.own.factory = http.connections()
    try:
        return await http.start(server.host, server.port, reuse_port=server.workers > 1)
    except OSError as error:
        raise cannot_listen(server, error) from error


def cannot_listen(server: ServerSettings, error: OSError) -> StartFault:
    """Return the fault of an address that cannot be listened on."""
    why = "another program does already" if error.errno == errno.EADDRINUSE else error.strerror
    return StartFault(
        f"Cannot listen on {server.host}:{server.port}: {why}. Nothing was started; end what uses the port, or choose"
        " another by --port or `server.port`."
    )


def _require_compiled_parser() -> None:
    """Refuse aiohttp's parser in pure Python: most known ways to smuggle requests past a proxy went through it."""
    if not _has_compiled_parser() or os.environ.get("AIOHTTP_NO_EXTENSIONS"):
        raise StartFault(
            "aiohttp runs without its C parser, which the hub does not trust with strangers' bytes: "
            "unset AIOHTTP_NO_EXTENSIONS, or install aiohttp from a wheel."
        )


@cache
def _has_compiled_parser() -> bool:
    """Return whether aiohttp was installed with its extension modules."""
    files = importlib.metadata.files("aiohttp") or ()
    return any(file.name.endswith(tuple(EXTENSION_SUFFIXES)) for file in files)


@contextmanager
def _signals(react: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    caught = (signal.SIGTERM, signal.SIGINT)
    for each in caught:
        loop.add_signal_handler(each, react)
    try:
        yield
    finally:
        for each in caught:
            loop.remove_signal_handler(each)
