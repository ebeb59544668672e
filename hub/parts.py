"""The parts of a hub, and how they are built (the composition root)."""

from __future__ import annotations

from functools import partial

from attrs import evolve, frozen

from hub.agents.part import AgentsPart, build_agents
from hub.bounds import (
    build_admission,
    build_disk_reserve,
    build_rate_limits,
    build_request_log,
)
from hub.clock import Clock
from hub.config.settings import Settings
from hub.csv_import.job_store import Quota, delete_before
from hub.csv_import.runner import UploadRunner
from hub.csv_import.spool import Spool
from hub.intake.idempotent_writes import IdempotentWrites
from hub.intake.submission_batcher import SubmissionBatcher
from hub.intake.throttle import Throttle
from hub.mail.outbox import Outbox
from hub.mail.sender import MailSender, mail_sender
from hub.merchant_api.api_keys import ApiKeyCache
from hub.merchant_api.read_replays import ReadReplayGuard
from hub.merchant_api.services import Services
from hub.notifications.deliverer import Deliverer, deliverer_for
from hub.observability.backlog import Backlog
from hub.observability.heartbeat import Heartbeat
from hub.observability.metrics import Metrics
from hub.operations.affiliates.links import public_root
from hub.operations.audits.telling import Telling, build_telling
from hub.operations.money.books.deposit_mails import ShortageMails
from hub.operations.money.timers import schedule_money
from hub.outbound.pacing import Pacer
from hub.outbound.public_addresses import Network
from hub.pages.routes import page_services
from hub.pages.visit import PageServices
from hub.platform_sync.access import Platforms
from hub.platform_sync.looks import Looker
from hub.platform_sync.runner import PLAN_SECONDS, PlatformRunner, plan_reconciliations
from hub.plugin_host.plugin_state import PluginState
from hub.plugin_host.translation import Plugins
from hub.processing.click_retention import ClickRetention
from hub.processing.clock_guard import ClockGuard
from hub.processing.figures import FigureCounter
from hub.processing.policy import policy_of
from hub.processing.scheduler import Scheduler
from hub.processing.timed_jobs import Retention, TimedJobs
from hub.processing.worker import Worker
from hub.sealing import Sealer
from hub.storage import Store
from hub.storage.disk_reserve import DiskReserve
from hub.token_api.routes import descriptions
from hub.tracking.click_batcher import ClickBatcher, click_batcher

DISK_SECONDS = 60
"""How often a volume that is nearly full is named in the log."""


@frozen(eq=False)
class Parts:
    """The running parts of a hub."""

    settings: Settings
    store: Store
    sealer: Sealer
    plugins: Plugins
    clock: Clock
    services: Services
    pages: PageServices
    submissions: SubmissionBatcher
    worker: Worker | None
    mail: MailSender | None
    deliverer: Deliverer | None
    asker: PlatformRunner | None
    jobs: TimedJobs
    scheduler: Scheduler
    clicks: ClickBatcher
    disk: DiskReserve
    metrics: Metrics
    clock_guard: ClockGuard
    heartbeat: Heartbeat
    plugin_state: PluginState
    backlog: Backlog
    telling: Telling
    agents: AgentsPart | None


def build_parts(
    settings: Settings, store: Store, sealer: Sealer, plugins: Plugins, clock: Clock, metrics: Metrics,
    clock_guard: ClockGuard,
) -> Parts:  # fmt: skip
    """Build the parts; nothing runs yet."""
    submissions = SubmissionBatcher(store, clock, idempotency_ttl_ms=settings.idempotency.ttl_ms)
    submissions.on_commit(metrics.note_batch)
    clicks, scheduler = click_batcher(store), Scheduler(store, clock, may_run=clock_guard.is_trusted)
    disk = _disk_reserve(settings, metrics, scheduler)
    plugin_state = PluginState(plugins, clock)
    services = _services(settings, store, sealer, clock, metrics, submissions, clicks, disk, clock_guard)
    outbox, root = Outbox(sealer, settings.mail.is_on), partial(public_root, store, settings.server)
    jobs = _timed_jobs(settings, store, clock, services.throttle, outbox)
    platforms = Platforms(store, sealer, plugins, clock, outbox, root, *_outbound(settings))
    _schedule(settings, platforms, jobs, Looker(platforms, submissions), scheduler)
    return Parts(
        settings=settings,
        store=store,
        sealer=sealer,
        plugins=plugins,
        clock=clock,
        services=services,
        pages=page_services(settings, services, outbox, sealer, platforms, descriptions(settings.server)),
        submissions=submissions,
        worker=_worker(settings, store, plugins, clock, submissions, metrics, clock_guard, sealer),
        deliverer=deliverer_for(settings, store, sealer, clock),
        asker=PlatformRunner(platforms, submissions) if settings.worker.enabled else None,
        mail=mail_sender(settings, store, sealer, clock, root),
        jobs=jobs,
        scheduler=scheduler,
        clicks=clicks,
        disk=disk,
        metrics=metrics,
        clock_guard=clock_guard,
        heartbeat=_heartbeat(store, sealer, clock, clock_guard, plugin_state),
        plugin_state=plugin_state,
        backlog=Backlog(store, metrics, clock),
        telling=build_telling(settings, store, clock, metrics, scheduler, outbox, root),
        agents=build_agents(settings, services),
    )


def _schedule(settings: Settings, platforms: Platforms, jobs: TimedJobs, looker: Looker, scheduler: Scheduler) -> None:
    """Give the scheduler what happens by the clock."""
    store, clock = platforms.store, platforms.clock
    jobs.schedule(scheduler)
    scheduler.every(PLAN_SECONDS, "plan_reconciliations", lambda: plan_reconciliations(store, clock()))
    scheduler.every(PLAN_SECONDS, "plan_looks", looker.plan)
    schedule_money(settings, store, platforms.sealer, clock, scheduler, platforms.outbox)


def _disk_reserve(settings: Settings, metrics: Metrics, scheduler: Scheduler) -> DiskReserve:
    disk = build_disk_reserve(settings.database, metrics)
    if disk.file is not None:
        scheduler.every(DISK_SECONDS, "report_disk", disk.report, by_clock=False)
    return disk


def _heartbeat(store: Store, sealer: Sealer, clock: Clock, guard: ClockGuard, plugins: PluginState) -> Heartbeat:
    return Heartbeat(
        store,
        clock,
        master_keys=list(sealer.keys),
        clock_jump_ms=lambda: guard.jump_ms,
        on_confirmed=guard.confirm,
        plugins=plugins.text,
        on_reload_asked=plugins.obey,
    )


def _outbound(settings: Settings) -> tuple[tuple[Network, ...], Pacer]:
    """Return the networks that platforms may be asked in though they are not public, and how fast."""
    return settings.outbound.allowed_networks, Pacer(settings.outbound.host_per_second)


def _services(
    settings: Settings,
    store: Store,
    sealer: Sealer,
    clock: Clock,
    metrics: Metrics,
    submissions: SubmissionBatcher,
    clicks: ClickBatcher,
    disk: DiskReserve,
    clock_guard: ClockGuard,
) -> Services:
    throttle, server = Throttle(submissions, clicks), settings.server
    spool = Spool(settings.upload_directory)
    return Services(
        store=store,
        clock=clock,
        submissions=submissions,
        writes=IdempotentWrites(store, clock, throttle.pause, idempotency_ttl_ms=settings.idempotency.ttl_ms),
        throttle=throttle,
        keys=ApiKeyCache(store, sealer, clock),
        limits=build_rate_limits(settings.limits, store, clock),
        read_replays=ReadReplayGuard(),
        request_log=build_request_log(settings.request_log, store, metrics, disk),
        metrics=metrics,
        spool=spool,
        uploads=_upload_runner(settings, store, clock, spool, throttle, metrics, clock_guard),
        trusted_proxies=tuple(server.trusted_proxies),
        allowed_networks=settings.outbound.allowed_networks,
        admission=build_admission(server, metrics),
        max_body=server.max_body,
        max_import=server.max_import,
        max_upload=settings.uploads.max_bytes,
        upload_quota=Quota(settings.uploads.max_waiting, settings.uploads.max_account_bytes),
        body_timeout=server.body_timeout / 1000,
        policy=policy_of(settings),
        public_root=partial(public_root, store, server),
        docs_url=f"{server.public_url if server.is_public_url_configured else ''}/docs/errors",
        sealer=sealer,
    )


def _upload_runner(
    settings: Settings,
    store: Store,
    clock: Clock,
    spool: Spool,
    throttle: Throttle,
    metrics: Metrics,
    guard: ClockGuard,
) -> UploadRunner:
    keep = settings.retention.uploads
    return UploadRunner(
        store, clock, spool, throttle.pause, keep_ms=keep, may_delete=guard.is_trusted, on_rows=metrics.note_upload_rows
    )  # fmt: skip


def _timed_jobs(settings: Settings, store: Store, clock: Clock, throttle: Throttle, outbox: Outbox) -> TimedJobs:
    keep = settings.retention
    retention = Retention(
        keep.request_log, keep.payloads, keep.parked, settings.idempotency.ttl_ms, keep.uploads,
        settings.request_log.strangers_kept,
    )  # fmt: skip
    clicks = ClickRetention(store, margin_ms=keep.clicks, default_window_ms=settings.attribution.default_window)
    figures, forget_uploads = FigureCounter(store, clock, throttle.pause), partial(delete_before, store)
    mails = ShortageMails(outbox, settings.server)
    return TimedJobs(
        store, clock, retention, figures, forget_uploads=forget_uploads, forget_clicks=clicks.sweep,
        on_shortage=mails.add,
    )  # fmt: skip


def _worker(
    settings: Settings, store: Store, plugins: Plugins, clock: Clock, submissions: SubmissionBatcher, metrics: Metrics,
    clock_guard: ClockGuard, sealer: Sealer,
) -> Worker | None:  # fmt: skip
    if not settings.worker.enabled:
        return None
    policy = evolve(policy_of(settings), customer_key=sealer.derived_key("customers"))
    most_handed = settings.plugins.processes + 1
    worker = Worker(
        store, plugins, policy, clock, batch=settings.worker.batch, most_handed=most_handed,
        jump_ms=clock_guard.looked_jump_ms,
    )  # fmt: skip
    worker.on_results(lambda results: metrics.note_results([each.status for each in results]))
    submissions.on_commit(worker.wake)
    return worker
