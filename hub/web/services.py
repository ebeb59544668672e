"""What the handlers work with, put together by the composition root."""

from __future__ import annotations

from attrs import frozen

from hub.clock import Clock
from hub.intake.desk import Desk
from hub.intake.direct import DirectWrites
from hub.intake.pace import Pace
from hub.storage import Store
from hub.uploads.runner import UploadRunner
from hub.uploads.spool import Spool
from hub.web.addresses import Network
from hub.web.callers import KeyRing
from hub.web.limits import Limits
from hub.web.metrics import Metrics
from hub.web.replays import SafeReplays
from hub.web.request_log import RequestLog


@frozen(eq=False)
class Services:
    """Everything shared by all requests; `max_body` and `max_upload` in bytes, `body_timeout` in seconds."""

    store: Store
    clock: Clock
    desk: Desk
    direct: DirectWrites
    pace: Pace
    keys: KeyRing
    limits: Limits
    replays: SafeReplays
    request_log: RequestLog
    metrics: Metrics
    spool: Spool
    uploads: UploadRunner
    trusted_proxies: tuple[Network, ...]
    max_body: int
    max_upload: int
    body_timeout: float
