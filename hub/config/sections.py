"""The settings section by section: each with its default, the way it is read, and its comment in config/hub.toml."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import attrs
from attrs import frozen

from hub.config import readers as kinds

T = TypeVar("T")


def setting(default: object, kind: Callable[[object], T], meaning: str, *, secret: bool = False) -> T:
    """Declare one setting: its default as TOML writes it, how it is read, and its comment in config/hub.toml."""
    metadata = {"kind": kind, "toml": default, "meaning": meaning}
    return attrs.field(default=kind(default), metadata=metadata, repr=not secret)


WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound
"""Addresses that mean all of a machine's, and the one by which the machine itself reaches them."""


@frozen
class ServerSettings:
    """The listening socket, and the limits of size and time on what it receives."""

    host: str = setting("127.0.0.1", kinds.host, "Address to listen on.")
    port: int = setting(8080, kinds.whole_number(0, 65_535), "TCP port to listen on; 0 picks a free one.")
    workers: int = setting(
        1, kinds.whole_number(1, 256), "Processes that share the port; more than one needs PostgreSQL."
    )
    public_url: str = setting(
        "", kinds.public_url, "Public address of the hub, which every link begins with; empty: made from host and port."
    )
    operations_address: str = setting(
        "",
        kinds.listening_address,
        "Address and port of /readyz and /metrics, such as 127.0.0.1:9090; empty: the same as everything else.",
    )
    max_body: int = setting(1_048_576, kinds.whole_number(1_024, 2**30), "Largest request body, in bytes.")
    max_import: int = setting(
        8_388_608, kinds.whole_number(1_024, 2**30), "Largest body of a product import or upsert, in bytes."
    )
    trusted_proxies: tuple[kinds.Network, ...] = setting(
        [], kinds.networks, "Addresses and CIDR ranges whose X-Forwarded-For is believed (also HUB_TRUSTED_PROXIES)."
    )
    drain: int = setting(
        "0s",
        kinds.duration(0),
        "How long a stopping hub keeps serving while /readyz reports it, so that a proxy stops sending first.",
    )
    keepalive_timeout: int = setting("75s", kinds.duration(0), "How long an idle connection stays open.")
    headers_timeout: int = setting("15s", kinds.duration(1), "How long a client may take to send its headers.")
    body_timeout: int = setting("30s", kinds.duration(1), "How long a client may take to send one body.")
    write_timeout: int = setting(
        "30s", kinds.duration(1), "How long a client may go without reading any of a response."
    )
    max_connections: int = setting(
        10_000, kinds.whole_number(1, 10**6), "Open connections at most; fewer if the process may open fewer files."
    )
    max_connections_per_address: int = setting(
        1_024,
        kinds.whole_number(1, 10**6),
        "Open connections per client address; loopback and trusted proxies are exempt.",
    )
    max_buffered: int = setting(
        268_435_456,
        kinds.whole_number(65_536, 2**40),
        "Bytes of requests held in memory; beyond that, requests are answered 503.",
    )
    max_buffered_per_address: int = setting(
        67_108_864, kinds.whole_number(65_536, 2**40), "The same per client address, in bytes; loopback is exempt."
    )

    def __attrs_post_init__(self) -> None:
        if not self.public_url:
            object.__setattr__(self, "public_url", self._own_url())

    def serving_at(self, port: int) -> ServerSettings:
        """Return the settings with the port that was really bound, in the public URL too unless one was configured."""
        public_url = self.public_url if self.is_public_url_configured else ""
        return attrs.evolve(self, port=port, public_url=public_url)

    @property
    def operations(self) -> tuple[str, int] | None:
        """Host and port of the operations address, if there is one of its own."""
        host, _, port = self.operations_address.rpartition(":")
        return (host.strip("[]"), int(port)) if port else None

    @property
    def is_public_url_configured(self) -> bool:
        """Whether the public URL was given, rather than made from host and port."""
        return self.public_url != self._own_url()

    @property
    def is_on_every_address(self) -> bool:
        """Whether the hub listens on all addresses of its machine, so that others can reach it."""
        return self.host in WILDCARDS

    def _own_url(self) -> str:
        # A wildcard is an address to listen on, not one that a browser can open.
        host = WILDCARDS.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


@frozen
class CommissionSettings:
    """The defaults of commissions, unless product, campaign or merchant say otherwise."""

    hold: int = setting("14d", kinds.duration(0), "How long a commission is held before it is payable.")
    platform_percentage: str = setting("5", kinds.percentage, "Commission in percent where no other rate applies.")


@frozen
class AttributionSettings:
    """How an order finds its click."""

    default_window: int = setting(
        "30d",
        kinds.duration(1),
        "Attribution window: how old a click may be when the order is placed, if the campaign sets none.",
    )


@frozen
class LimitsSettings:
    """Requests allowed per account; 0 turns a limit off."""

    per_minute: int = setting(6_000, kinds.whole_number(0, 10**9), "Requests per minute and account; 0: no limit.")
    per_hour: int = setting(200_000, kinds.whole_number(0, 10**9), "Requests per hour and account; 0: no limit.")
    import_per_minute: int = setting(
        60, kinds.whole_number(0, 10**9), "Product imports and upserts per minute and account; 0: no limit."
    )
    import_per_hour: int = setting(
        1_000, kinds.whole_number(0, 10**9), "Product imports and upserts per hour and account; 0: no limit."
    )
    clicks_per_minute: int = setting(
        300, kinds.whole_number(0, 10**9), "Clicks recorded per minute and client address, after a burst; 0: no limit."
    )
    clicks_burst: int = setting(
        5_000, kinds.whole_number(1, 10**9), "Clicks from one client address recorded in a burst."
    )
    link_clicks_per_minute: int = setting(
        120,
        kinds.whole_number(0, 10**9),
        "Clicks recorded per minute, link and client address, after a burst; 0: no limit.",
    )
    link_clicks_burst: int = setting(
        2_000, kinds.whole_number(1, 10**9), "Clicks from one client address on one link recorded in a burst."
    )
    deliveries_per_minute: int = setting(
        6_000,
        kinds.whole_number(0, 10**9),
        "Deliveries per minute and connection, twice as many in a burst; 0: no limit.",
    )
    delivery_mib_per_minute: int = setting(
        300,
        kinds.whole_number(0, 10**6),
        "MiB of deliveries per minute and connection, twice as many in a burst; 0: no limit.",
    )


@frozen
class RequestLogSettings:
    """What requests that prove nothing may write to the request log of one process; 0 turns a limit off."""

    strangers_per_second: int = setting(
        100, kinds.whole_number(0, 10**9), "Rows per second from requests whose account is unknown; 0: no limit."
    )
    strangers_per_address: int = setting(10, kinds.whole_number(0, 10**9), "The same per client address; 0: no limit.")
    refused_per_minute: int = setting(
        120, kinds.whole_number(0, 10**9), "Rows per minute for one key's or connection's 401s; 0: no limit."
    )
    strangers_kept: int = setting(
        100_000, kinds.whole_number(1, 10**9), "Rows kept of requests whose account is unknown; the oldest go first."
    )


@frozen
class UploadsSettings:
    """The directory of uploaded CSV files, and how large one may be."""

    directory: str = setting(
        "", kinds.text, "Directory of uploaded files; empty: beside the SQLite file, else var/uploads."
    )
    max_bytes: int = setting(1_073_741_824, kinds.whole_number(1_024, 2**40), "Largest uploaded file, in bytes.")
    max_waiting: int = setting(
        10, kinds.whole_number(1, 10**6), "Files per account that may wait to be applied; more are answered 429."
    )
    max_account_bytes: int = setting(
        4_294_967_296,
        kinds.whole_number(1_024, 2**50),
        "Bytes per account of waiting files and kept result files; more are answered 413.",
    )


@frozen
class IdempotencySettings:
    """How long an Idempotency-Key is remembered."""

    ttl_hours: float = setting(
        24, kinds.hours, "Hours an Idempotency-Key is remembered after its request (also IDEMPOTENCY_TTL_HOURS)."
    )

    @property
    def ttl_ms(self) -> int:
        """The same time in milliseconds."""
        return max(1, round(self.ttl_hours * 3_600_000))


@frozen
class RetentionSettings:
    """How long data that may be deleted is kept."""

    request_log: int = setting("30d", kinds.duration(1), "How long the request log is kept.")
    payloads: int = setting("90d", kinds.duration(1), "How long the raw bodies of processed events are kept.")
    parked: int = setting(
        "30d", kinds.duration(1), "How long an event for an unknown order waits before it is UNMATCHED."
    )
    clicks: int = setting(
        "90d",
        kinds.duration(1),
        "How long a click without an order is kept beyond the account's longest attribution window.",
    )
    uploads: int = setting("30d", kinds.duration(1), "How long uploads and their result files are kept.")


@frozen
class OutboundSettings:
    """Requests that the hub makes to addresses that merchants typed."""

    allowed_networks: tuple[kinds.Network, ...] = setting(
        [], kinds.networks, "Addresses and CIDR ranges that may be called although they are not public."
    )
    host_per_second: int = setting(
        40,
        kinds.whole_number(0, 10_000),
        "Requests per second to one host of a platform, from all connections together; 0: no limit.",
    )


@frozen
class WorkerSettings:
    """How events are processed."""

    enabled: bool = setting(True, kinds.switch, "false: this process serves requests and leaves processing to others.")
    batch: int = setting(
        64,
        kinds.whole_number(1, 10_000),
        "Events processed together; SQLite takes fewer while serving requests and more when working off a backlog.",
    )


@frozen
class PluginSettings:
    """Which plugins are used, and the limits that they live under."""

    off: tuple[str, ...] = setting([], kinds.names, "Plugins that are not loaded, by distribution or entry point.")
    strict: bool = setting(False, kinds.switch, "true: the hub does not start if a plugin cannot be used.")
    processes: int = setting(1, kinds.whole_number(1, 64), "Plugin processes per server process.")
    body_time: int = setting("2s", kinds.duration(100), "How long a plugin may take to read one body.")
    load_time: int = setting("10s", kinds.duration(100), "How long a plugin may take to load.")
    memory: int = setting(
        536_870_912, kinds.whole_number(134_217_728, 2**40), "Address space of a plugin process, in bytes."
    )
    sandbox: str = setting(
        "best",
        kinds.choice("full", "best", "off"),
        "best: plugins are sandboxed as far as the machine allows; full: fully or not at all; off: not sandboxed.",
    )


@frozen
class LogSettings:
    """The log on standard error."""

    level: str = setting(
        "info",
        kinds.choice("debug", "info", "warning", "error"),
        "Least severe level that is logged: debug, info, warning or error.",
    )
