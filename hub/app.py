"""The composition root: settings in, a running hub out; what starts last stops first."""

from __future__ import annotations

import asyncio
import gc
import importlib.metadata
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from importlib.machinery import EXTENSION_SUFFIXES

import structlog
from attrs import frozen

from hub.clock import Clock, system_clock
from hub.config.settings import LimitsSettings, ServerSettings, Settings
from hub.csv_import.job_store import forget_before
from hub.csv_import.runner import UploadRunner
from hub.csv_import.spool import Spool
from hub.http.router import Router
from hub.http.server import HttpServer
from hub.intake.idempotent_writes import IdempotentWrites
from hub.intake.submission_batcher import SubmissionBatcher
from hub.intake.throttle import Throttle
from hub.merchant_api.api_keys import ApiKeyCache
from hub.merchant_api.docs_page import docs_routes
from hub.merchant_api.read_replays import ReadReplayGuard
from hub.merchant_api.routes import NotFound, api_routes
from hub.merchant_api.services import Services
from hub.observability.health import HealthEndpoints
from hub.observability.metrics import Metrics
from hub.observability.request_log import RequestLog
from hub.observability.worker_metrics import SiblingMetrics
from hub.operations.addresses import note_public_root
from hub.platform_webhooks.connections import ConnectionCache
from hub.platform_webhooks.endpoint import PlatformWebhooks
from hub.plugin_host.registry import Registry, load_registry
from hub.processing.policy import policy_of
from hub.processing.scheduler import Scheduler
from hub.processing.timed_jobs import Retention, TimedJobs
from hub.processing.worker import Worker
from hub.rate_limits.local import Limits, RateLimits
from hub.rate_limits.shared import SharedLimits
from hub.sealing import Sealer, load_sealer
from hub.storage import Store
from hub.tracking.capture_page import capture_routes
from hub.tracking.click_batcher import ClickBatcher
from hub.tracking.links import LinkCache
from hub.tracking.redirect import ClickRedirect

GARBAGE_THRESHOLD = 20_000
"""The collector runs after this many new objects: a batch of the worker makes half as many, all in use to its end."""
SHUTDOWN_SECONDS = 20.0
"""How long requests under way may take to finish once the hub is told to stop."""

logger = structlog.get_logger(__name__)


class StartFault(Exception):
    """The hub cannot start; the text is a sentence that says the mend."""


@frozen(eq=False)
class Parts:
    """The running parts of a hub."""

    settings: Settings
    store: Store
    sealer: Sealer
    registry: Registry
    clock: Clock
    services: Services
    submissions: SubmissionBatcher
    worker: Worker | None
    jobs: TimedJobs
    scheduler: Scheduler
    clicks: ClickBatcher
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
    siblings: SiblingMetrics | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is under way; call `announce` with a line once the hub listens.

    `siblings` are the other processes on the port, if there are some.
    """
    stop = asyncio.Event()
    with _signals(stop.set):
        async with running(settings, clock=clock, siblings=siblings) as hub:
            gc.collect()
            gc.freeze()  # what lives now lives to the end and need not be looked at again
            gc.set_threshold(GARBAGE_THRESHOLD)
            announce(f"listening on {hub.url}")
            logger.info("the hub serves", url=hub.url, database=hub.parts.store.dialect)
            await stop.wait()
            logger.info("the hub stops")


@asynccontextmanager
async def running(
    settings: Settings, *, clock: Clock = system_clock, siblings: SiblingMetrics | None = None
) -> AsyncIterator[Hub]:
    """Yield a serving hub, which lasts as long as the block.

    At its end the hub stops accepting, answers what it accepted, then finishes submissions, clicks, the worker's batch
    and the request log. Raises `StartFault`, `PluginFault`, `SealingFault` or a `StoreError` if it cannot start.
    """
    _require_compiled_parser()
    registry = load_registry()
    sealer = load_sealer(settings)
    async with AsyncExitStack() as stack:
        store = await Store.open(settings.database.url, migrate=settings.database.dialect == "sqlite", serve=True)
        stack.push_async_callback(store.close)
        metrics = Metrics(None if siblings is None else siblings.number)
        parts = build_parts(settings, store, sealer, registry, clock, metrics)
        if siblings is not None:
            await siblings.start(metrics.own_exposition)
            stack.push_async_callback(siblings.stop)
        await _start_parts(parts, stack)
        router = await _router(parts, siblings)
        hub = Hub(parts, settings.server.serving_at(await _listen(parts, router, stack)))
        await note_public_root(store, hub.server.public_url)
        yield hub


def build_parts(
    settings: Settings, store: Store, sealer: Sealer, registry: Registry, clock: Clock, metrics: Metrics
) -> Parts:
    """Put the parts together; nothing runs yet."""
    ttl = settings.idempotency.ttl_ms
    keep = settings.retention
    submissions = SubmissionBatcher(store, clock, idempotency_ttl_ms=ttl)
    submissions.on_commit(metrics.note_batch)
    clicks = ClickBatcher(store)
    throttle = Throttle(submissions, clicks)
    spool = Spool(settings.upload_directory)
    services = Services(
        store=store,
        clock=clock,
        submissions=submissions,
        writes=IdempotentWrites(store, clock, throttle.pause, idempotency_ttl_ms=ttl),
        throttle=throttle,
        keys=ApiKeyCache(store, sealer, clock),
        limits=_limits(settings.limits, store, clock),
        read_replays=ReadReplayGuard(),
        request_log=RequestLog(store, metrics.log_dropped.inc),
        metrics=metrics,
        spool=spool,
        uploads=UploadRunner(
            store, clock, spool, throttle.pause, keep_ms=keep.uploads, on_rows=metrics.note_upload_rows
        ),
        trusted_proxies=tuple(settings.server.trusted_proxies),
        max_body=settings.server.max_body,
        max_upload=settings.uploads.max_bytes,
        body_timeout=settings.server.body_timeout / 1000,
    )
    retention = Retention(keep.request_log, keep.payloads, keep.parked, ttl, keep.uploads)
    jobs = TimedJobs(store, clock, retention, forget_uploads=partial(forget_before, store))
    scheduler = Scheduler(store, clock)
    jobs.schedule(scheduler)
    return Parts(
        settings=settings,
        store=store,
        sealer=sealer,
        registry=registry,
        clock=clock,
        services=services,
        submissions=submissions,
        worker=_worker(settings, store, registry, clock, submissions, metrics) if settings.worker.enabled else None,
        jobs=jobs,
        scheduler=scheduler,
        clicks=clicks,
        metrics=metrics,
    )


def _limits(limits: LimitsSettings, store: Store, clock: Clock) -> Limits:
    """SQLite has one server, which counts by itself; PostgreSQL's servers share one count."""
    groups = {
        "general": (limits.per_minute, limits.per_hour),
        "import": (limits.import_per_minute, limits.import_per_hour),
    }
    return RateLimits(groups) if store.dialect == "sqlite" else SharedLimits.over(store, clock, groups)


def _worker(
    settings: Settings,
    store: Store,
    registry: Registry,
    clock: Clock,
    submissions: SubmissionBatcher,
    metrics: Metrics,
) -> Worker:
    worker = Worker(store, registry, policy_of(settings), clock, batch=settings.worker.batch)
    worker.on_results(metrics.note_results)
    submissions.on_commit(lambda _: worker.wake())
    return worker


async def _start_parts(parts: Parts, stack: AsyncExitStack) -> None:
    services = parts.services
    await services.request_log.start()
    stack.push_async_callback(services.request_log.stop)
    if isinstance(services.limits, SharedLimits):
        await services.limits.start()
        stack.push_async_callback(services.limits.stop)
    parts.scheduler.start()
    stack.callback(parts.scheduler.stop)
    if parts.worker is not None:
        await parts.worker.start()
        stack.push_async_callback(parts.worker.stop)
    await services.uploads.start()
    stack.push_async_callback(services.uploads.stop)
    await parts.clicks.start()
    stack.push_async_callback(parts.clicks.stop)
    await parts.submissions.start()
    stack.push_async_callback(parts.submissions.stop)


async def _router(parts: Parts, siblings: SiblingMetrics | None) -> Router:
    store, clock = parts.store, parts.clock
    health = HealthEndpoints(
        store=store,
        submissions=parts.submissions,
        metrics=parts.metrics,
        clock=clock,
        schema_version=await store.schema_version(),
        checks=[partial(_worker_fault, parts.worker), partial(_intake_fault, parts.submissions)],
        siblings=siblings,
    )
    webhooks = PlatformWebhooks(parts.services, ConnectionCache(store, parts.sealer, parts.registry, clock))
    redirect = ClickRedirect(LinkCache(store, clock), parts.clicks, parts.metrics, clock)
    return Router([
        *api_routes(parts.services),
        *webhooks.routes(),
        *redirect.routes(),
        *health.routes(),
        *docs_routes(),
        *capture_routes(parts.settings.server),
    ])  # fmt: skip


def _worker_fault(worker: Worker | None) -> str | None:
    return None if worker is None or worker.alive else "The worker does not run; restart the hub."


def _intake_fault(submissions: SubmissionBatcher) -> str | None:
    return None if submissions.alive else "The intake does not run; restart the hub."


async def _listen(parts: Parts, router: Router, stack: AsyncExitStack) -> int:
    server = parts.settings.server
    http = HttpServer(
        router,
        NotFound(parts.services, router).serve,
        keepalive_seconds=server.keepalive_timeout / 1000,
        shutdown_seconds=SHUTDOWN_SECONDS,
    )
    stack.push_async_callback(http.stop)
    try:
        return await http.start(server.host, server.port, reuse_port=server.workers > 1)
    except OSError as error:
        raise cannot_listen(server, error) from error


def cannot_listen(server: ServerSettings, error: OSError) -> StartFault:
    """Return the fault of an address that cannot be listened on."""
    return StartFault(
        f"Cannot listen on {server.host}:{server.port}: {error.strerror}. Free the port or choose another."
    )


def _require_compiled_parser() -> None:
    """Most known ways to smuggle requests past a proxy went through aiohttp's parser in pure Python."""
    files = importlib.metadata.files("aiohttp") or ()
    compiled = any(file.name.endswith(tuple(EXTENSION_SUFFIXES)) for file in files)
    if not compiled or os.environ.get("AIOHTTP_NO_EXTENSIONS"):
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
