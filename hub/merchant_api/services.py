"""The parts that handlers use, put together by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import field, frozen

from hub.clock import Clock
from hub.csv_import.job_store import Quota
from hub.csv_import.runner import UploadRunner
from hub.csv_import.spool import Spool
from hub.http.admission import Admission
from hub.http.client_address import Network
from hub.intake.idempotent_writes import IdempotentWrites
from hub.intake.submission_batcher import SubmissionBatcher
from hub.intake.throttle import Throttle
from hub.merchant_api.api_keys import ApiKeyCache
from hub.merchant_api.read_replays import ReadReplayGuard
from hub.observability.metrics import Metrics
from hub.observability.request_log import RequestLog
from hub.operations.changes.waiting import Waiters
from hub.processing.policy import Policy
from hub.rate_limits.local import RateLimiter
from hub.sealing import Sealer
from hub.storage import Store


@frozen(eq=False)
class Services:
    """Everything shared by all requests; sizes in bytes, `body_timeout` in seconds.

    `max_import` is the largest body of a product import or upsert, `max_body` that of any other request. `public_root`
    returns the root of the hub's links, `docs_url` is the page that explains error codes.
    """

    store: Store
    clock: Clock
    submissions: SubmissionBatcher
    writes: IdempotentWrites
    throttle: Throttle
    keys: ApiKeyCache
    limits: RateLimiter
    read_replays: ReadReplayGuard
    request_log: RequestLog
    metrics: Metrics
    spool: Spool
    uploads: UploadRunner
    trusted_proxies: tuple[Network, ...]
    allowed_networks: tuple[Network, ...]
    admission: Admission
    max_body: int
    max_import: int
    max_upload: int
    upload_quota: Quota
    body_timeout: float
    policy: Policy
    docs_url: str
    sealer: Sealer
    public_root: Callable[[], Awaitable[str]]
    waiters: Waiters = field(init=False, factory=Waiters)
