"""What strangers and neighbours may hold and write, built from the settings."""

from __future__ import annotations

from hub.clock import Clock
from hub.config.database_section import DatabaseSettings
from hub.config.sections import LimitsSettings, RequestLogSettings, ServerSettings
from hub.http.admission import Admission, Bounds
from hub.http.descriptors import raise_descriptor_limit
from hub.observability.metrics import Metrics
from hub.observability.request_log import LogLimits, RequestLog
from hub.platform_webhooks.delivery_limits import DeliveryLimits
from hub.rate_limits.local import RateLimiter, RateLimits
from hub.rate_limits.shared import SharedLimits
from hub.rate_limits.token_buckets import TokenBuckets
from hub.storage import Store
from hub.storage.disk_reserve import DiskReserve
from hub.tracking.click_limits import ClickLimits

LOG_BURST_SECONDS = 60
"""The rows that strangers may write in this many seconds, they may also write at once."""
REFUSED_BURST_MINUTES = 5
"""The same in minutes for the 401s of one key or connection: a developer may fail a test suite in a second."""


def build_admission(server: ServerSettings, metrics: Metrics) -> Admission:
    """Return the bounds of connections and memory, which the metrics show."""
    bounds = Bounds(
        connections=raise_descriptor_limit(server.max_connections),
        connections_per_address=server.max_connections_per_address,
        buffered=server.max_buffered,
        buffered_per_address=server.max_buffered_per_address,
    )
    admission = Admission(bounds, tuple(server.trusted_proxies), metrics.note_refused)
    metrics.show_admission(admission)
    return admission


def build_click_limits(limits: LimitsSettings) -> ClickLimits:
    """Return the limits of what one address may have recorded."""
    return ClickLimits(
        TokenBuckets(limits.clicks_per_minute / 60, limits.clicks_burst),
        TokenBuckets(limits.link_clicks_per_minute / 60, limits.link_clicks_burst),
    )


def build_delivery_limits(limits: LimitsSettings) -> DeliveryLimits:
    """Return the limits of what one connection may have kept."""
    return DeliveryLimits.per_minute(limits.deliveries_per_minute, limits.delivery_mib_per_minute)


def build_disk_reserve(database: DatabaseSettings, metrics: Metrics) -> DiskReserve:
    """Return the watch over the database's volume, which the metrics show."""
    disk = DiskReserve(database.path, database.reserve)
    if disk.file is not None:
        metrics.show_disk(disk)
    return disk


def build_request_log(limits: RequestLogSettings, store: Store, metrics: Metrics, disk: DiskReserve) -> RequestLog:
    """Return the request log, with what strangers may write to it."""
    second, minute = limits.strangers_per_second, limits.refused_per_minute
    sampling = LogLimits(
        strangers=TokenBuckets(second, second * LOG_BURST_SECONDS),
        by_address=TokenBuckets(limits.strangers_per_address, limits.strangers_per_address * LOG_BURST_SECONDS),
        refused_by_key=TokenBuckets(minute / 60, minute * REFUSED_BURST_MINUTES),
    )
    return RequestLog(
        store,
        metrics.log_dropped.inc,
        sampling=sampling,
        on_sampled=metrics.note_log_sampled,
        is_disk_short=lambda: disk.is_short,
    )


def build_rate_limits(limits: LimitsSettings, store: Store, clock: Clock) -> RateLimiter:
    """Return limits counted in this process on SQLite, which has one server, and shared by PostgreSQL's servers."""
    groups = {
        "general": (limits.per_minute, limits.per_hour),
        "import": (limits.import_per_minute, limits.import_per_hour),
    }
    return RateLimits(groups) if store.dialect == "sqlite" else SharedLimits.over(store, clock, groups)
