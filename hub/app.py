"""The composition root: settings in, a running hub out; what starts last stops first."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial

import structlog
from aiohttp import http_parser, web
from attrs import frozen

from hub.clock import Clock, system_clock
from hub.intake.desk import Desk
from hub.intake.direct import DirectWrites
from hub.intake.pace import Pace
from hub.operations.addresses import note_public_root
from hub.processing.ahead import Ahead
from hub.processing.decider import GARBAGE_AT, command
from hub.processing.decider_process import DeciderProcess
from hub.processing.orders import policy_of
from hub.processing.timers import Retention, Timers
from hub.processing.worker import Worker
from hub.registry import Registry, load_registry
from hub.sealing import Sealer, load_sealer
from hub.settings import LimitsSettings, ServerSettings, Settings
from hub.storage import Store
from hub.uploads.book import forget_before
from hub.uploads.runner import UploadRunner
from hub.uploads.spool import Spool
from hub.web.callers import KeyRing
from hub.web.capture import capture_routes
from hub.web.clicks import ClickBook
from hub.web.connect import Deliveries
from hub.web.connections import ConnectionBook
from hub.web.docs import docs_routes
from hub.web.fellows import Fellows
from hub.web.limits import Limits, RateLimits
from hub.web.links import LinkBook
from hub.web.metrics import Metrics
from hub.web.probes import Probes
from hub.web.replays import SafeReplays
from hub.web.request_log import RequestLog
from hub.web.server import Runner, build_application
from hub.web.services import Services
from hub.web.shared_limits import SharedLimits
from hub.web.tracking import Tracking

SHUTDOWN_SECONDS = 20.0
"""How long requests under way may take to finish once the hub is told to stop."""

logger = structlog.get_logger(__name__)


class StartFault(Exception):
    """The hub cannot start; the text is a sentence that says the mend."""


@frozen(eq=False)
class Parts:
    """The running parts of a hub, for its probes and for tests that look behind the door."""

    settings: Settings
    store: Store
    services: Services
    desk: Desk
    worker: Worker | None
    timers: Timers
    clicks: ClickBook
    metrics: Metrics


@frozen(eq=False)
class Hub:
    """A hub that serves; `server` holds the port that was really bound."""

    parts: Parts
    server: ServerSettings

    @property
    def url(self) -> str:
        """Where it listens."""
        host = f"[{self.server.host}]" if ":" in self.server.host else self.server.host
        return f"http://{host}:{self.server.port}"


async def serve(
    settings: Settings,
    announce: Callable[[str], None],
    *,
    clock: Clock = system_clock,
    fellows: Fellows | None = None,
) -> None:
    """Serves until SIGTERM or SIGINT, then finishes what is under way; `announce` is told once it listens.

    `fellows` are the other processes on the port, where there are some.
    """
    stop = asyncio.Event()
    with _signals(stop.set):
        async with running(settings, clock=clock, fellows=fellows) as hub:
            gc.collect()
            gc.freeze()  # what lives now lives to the end and need not be looked at again
            gc.set_threshold(GARBAGE_AT)
            announce(f"listening on {hub.url}")
            logger.info("the hub serves", url=hub.url, database=hub.parts.store.dialect)
            await stop.wait()
            logger.info("the hub stops")


@asynccontextmanager
async def running(
    settings: Settings, *, clock: Clock = system_clock, fellows: Fellows | None = None
) -> AsyncIterator[Hub]:
    """A serving hub for as long as the block lasts.

    It stops accepting, answers what it accepted, then finishes the desk, the clicks, the worker's batch and the log.
    Raises `StartFault`, `PluginFault`, `SealingFault` or a `StoreError` where it cannot start.
    """
    _require_fast_parser()
    registry = load_registry()
    sealer = load_sealer(settings)
    async with AsyncExitStack() as stack:
        store = await Store.open(settings.database.url, migrate=settings.database.dialect == "sqlite", serve=True)
        stack.push_async_callback(store.close)
        metrics = Metrics(None if fellows is None else fellows.number)
        parts = build_parts(settings, store, sealer, registry, clock, metrics)
        if fellows is not None:
            await fellows.start(metrics.own_exposition)
            stack.push_async_callback(fellows.stop)
        await _start_parts(parts, stack)
        deliveries = Deliveries(parts.services, ConnectionBook(store, sealer, registry, clock))
        application = await _application(parts, clock, deliveries, fellows)
        hub = Hub(parts, settings.server.serving_at(await _listen(application, settings, stack)))
        await note_public_root(store, hub.server.public_url)
        yield hub


def build_parts(
    settings: Settings, store: Store, sealer: Sealer, registry: Registry, clock: Clock, metrics: Metrics
) -> Parts:
    """Puts the parts together; nothing runs yet."""
    ttl = settings.idempotency.ttl_ms
    desk = Desk(store, clock, idempotency_ttl_ms=ttl)
    worker = _worker(settings, store, registry, clock, desk, metrics) if settings.worker.enabled else None
    desk.on_commit(metrics.note_batch)
    keep = settings.retention
    spool = Spool(settings.upload_directory)
    clicks = ClickBook(store)
    pace = Pace(desk, clicks)
    uploads = UploadRunner(store, clock, spool, pace.give_way, keep_ms=keep.uploads, on_rows=metrics.note_upload_rows)
    services = Services(
        store=store,
        clock=clock,
        desk=desk,
        direct=DirectWrites(store, clock, pace.give_way, idempotency_ttl_ms=ttl),
        pace=pace,
        keys=KeyRing(store, sealer, clock),
        limits=_limits(settings.limits, store, clock),
        replays=SafeReplays(),
        request_log=RequestLog(store, metrics.log_dropped.inc),
        metrics=metrics,
        spool=spool,
        uploads=uploads,
        trusted_proxies=tuple(settings.server.trusted_proxies),
        max_body=settings.server.max_body,
        max_upload=settings.uploads.max_bytes,
        body_timeout=settings.server.body_timeout / 1000,
    )
    retention = Retention(keep.request_log, keep.payloads, keep.parked, ttl, keep.uploads)
    timers = Timers(store, clock, retention, forget_uploads=partial(forget_before, store))
    return Parts(settings, store, services, desk, worker, timers, clicks, metrics)


def _limits(limits: LimitsSettings, store: Store, clock: Clock) -> Limits:
    """SQLite has one server, which counts by itself; PostgreSQL's share one count."""
    groups = {
        "general": (limits.per_minute, limits.per_hour),
        "import": (limits.import_per_minute, limits.import_per_hour),
    }
    return RateLimits(groups) if store.dialect == "sqlite" else SharedLimits.over(store, clock, groups)


def _worker(settings: Settings, store: Store, registry: Registry, clock: Clock, desk: Desk, metrics: Metrics) -> Worker:
    ahead = _ahead(settings, store, clock)
    worker = Worker(store, registry, policy_of(settings), clock, batch=settings.worker.batch, ahead=ahead)
    worker.on_outcomes(metrics.note_outcomes)
    desk.on_commit(lambda _: worker.wake())
    return worker


def _ahead(settings: Settings, store: Store, clock: Clock) -> Ahead | None:
    """On PostgreSQL more hubs work on a backlog together; on one core two processes only take turns."""
    if not settings.worker.decider or store.dialect != "sqlite" or _cores() == 1:
        return None
    return Ahead(store, clock, DeciderProcess(command(settings.database.url, policy_of(settings))))


def _cores() -> int:
    """How many this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


async def _start_parts(parts: Parts, stack: AsyncExitStack) -> None:
    await parts.services.request_log.start()
    stack.push_async_callback(parts.services.request_log.stop)
    if isinstance(parts.services.limits, SharedLimits):
        await parts.services.limits.start()
        stack.push_async_callback(parts.services.limits.stop)
    parts.timers.start()
    stack.callback(parts.timers.stop)
    if parts.worker is not None:
        await parts.worker.start()
        stack.push_async_callback(parts.worker.stop)
    await parts.services.uploads.start()
    stack.push_async_callback(parts.services.uploads.stop)
    await parts.clicks.start()
    stack.push_async_callback(parts.clicks.stop)
    await parts.desk.start()
    stack.push_async_callback(parts.desk.stop)


async def _application(parts: Parts, clock: Clock, deliveries: Deliveries, fellows: Fellows | None) -> web.Application:
    worker = parts.worker
    probes = Probes(
        store=parts.store,
        desk=parts.desk,
        metrics=parts.metrics,
        clock=clock,
        schema_version=await parts.store.schema_version(),
        checks=[
            lambda: None if worker is None or worker.alive else "The worker does not run; restart the hub.",
            lambda: None if parts.desk.alive else "The intake desk does not run; restart the hub.",
        ],
        fellows=fellows,
    )
    tracking = Tracking(LinkBook(parts.store, clock), parts.clicks, parts.metrics, clock)
    pages = [*docs_routes(), *capture_routes(parts.settings.server)]
    return build_application(parts.services, tracking, probes, [*deliveries.routes(), *pages])


async def _listen(application: web.Application, settings: Settings, stack: AsyncExitStack) -> int:
    runner = Runner(
        application,
        keepalive_seconds=settings.server.keepalive_timeout / 1000,
        shutdown_seconds=SHUTDOWN_SECONDS,
    )
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    server = settings.server
    site = web.TCPSite(runner, server.host, server.port, reuse_port=server.workers > 1 or None)
    try:
        await site.start()
    except OSError as error:
        raise cannot_listen(server, error) from error
    port: int = runner.addresses[0][1]
    return port


def cannot_listen(server: ServerSettings, error: OSError) -> StartFault:
    """The fault of an address that cannot be listened on."""
    return StartFault(
        f"Cannot listen on {server.host}:{server.port}: {error.strerror}. Free the port or choose another."
    )


def _require_fast_parser() -> None:
    """Most known ways to smuggle requests past a proxy went through aiohttp's parser in pure Python."""
    if http_parser.HttpRequestParser is http_parser.HttpRequestParserPy:
        raise StartFault(
            "aiohttp runs without its C parser, which the hub does not trust with strangers' bytes: "
            "unset AIOHTTP_NO_EXTENSIONS, or install aiohttp from a wheel."
        )


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
