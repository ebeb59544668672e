"""The merchants' request log: rows wait in memory and are written in the background, in batches.

Anybody can have a request refused, as often as a line carries. So rows of senders whose account is unknown are sampled,
by their address and in all, and so are the 401s of a key or connection, whose id alone proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from attrs import define, field

from hub.batcher import Batcher, BatcherClosed, BatcherFull, Limits
from hub.http.admission import address_group
from hub.rate_limits.token_buckets import TokenBuckets
from hub.storage import InsertAll, Store

UNAUTHORIZED = 401
WRITE_EVERY_SECONDS = 0.5
LIMITS = Limits(items=250, waiting=50_000)
"""When this many rows wait because the store is away, new ones are dropped and counted, to bound the memory."""


class LogRow(NamedTuple):
    """A row of `insert_request_log`; `logged_at` is milliseconds UTC, `detail` and `kept` JSON."""

    account_id: str
    logged_at: int
    log_id: str
    request_id: str
    method: str
    path: str
    status: int
    error_code: str | None
    key_id: str | None
    client: str
    duration_us: int
    detail: str | None
    kept: str | None = None


@define(eq=False)
class LogLimits:
    """The rows that are kept of requests that prove nothing; `strangers` counts all of them under one name."""

    strangers: TokenBuckets = field(factory=lambda: TokenBuckets(0, 1))
    by_address: TokenBuckets = field(factory=lambda: TokenBuckets(0, 1))
    refused_by_key: TokenBuckets = field(factory=lambda: TokenBuckets(0, 1))

    def excess(self, account_id: str, key_id: str | None, client: str) -> str | None:
        """Count a row and return None, or return which limit it is beyond: key, address or strangers."""
        if account_id:
            return None if self.refused_by_key.take(key_id or account_id) else "key"
        if not self.by_address.take(address_group(client)):
            return "address"
        return None if self.strangers.take("") else "strangers"


class RequestLog(Batcher[LogRow, None]):
    """Appends without waiting; `start` begins the writing, `stop` writes what is left."""

    def __init__(
        self,
        store: Store,
        on_drop: Callable[[float], None],
        *,
        sampling: LogLimits | None = None,
        on_sampled: Callable[[str], None] = lambda _: None,
        is_disk_short: Callable[[], bool] = lambda: False,
        limits: Limits = LIMITS,
        every_seconds: float = WRITE_EVERY_SECONDS,
    ) -> None:
        """Make a log that is written every `every_seconds`; `on_drop` is called with the number of rows given up.

        `on_sampled` is called with the limit (`LogLimits.excess`) for each row that is left out by `sampling`,
        or with "disk" while `is_disk_short`.
        """
        super().__init__("request-log", self._insert, limits, linger_seconds=every_seconds, on_lost=on_drop)
        self._store = store
        self._on_drop = on_drop
        self._sampling = LogLimits() if sampling is None else sampling
        self._on_sampled = on_sampled
        self._is_disk_short = is_disk_short

    def admits(self, account_id: str, key_id: str | None, status: int, client: str) -> bool:
        """Return whether a request is to have a row; `account_id` is empty if the account is unknown."""
        if account_id and status != UNAUTHORIZED:
            return True
        excess = "disk" if self._is_disk_short() else self._sampling.excess(account_id, key_id, client)
        if excess is not None:
            self._on_sampled(excess)
        return excess is None

    def append(self, row: LogRow) -> None:
        """Add a row to the next batch."""
        try:
            self.post(row)
        except (BatcherFull, BatcherClosed):
            self._on_drop(1)

    async def _insert(self, rows: list[LogRow]) -> list[None]:
        await self._store.transact(InsertAll([("insert_request_log", {"rows": rows})]))
        return [None] * len(rows)
