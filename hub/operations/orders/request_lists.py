"""The requests of an account as its merchant reads them: by what was wrong, by key, by a part of the path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from attrs import evolve

from hub.domain.durations import DAY
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.references import like_pattern
from hub.storage import Store

REQUESTS: Final = List("requests")
NEWEST_ERRORS: Final = 5_000


class LoggedRequest(NamedTuple):
    """A request in the log; `logged_at` is in ms UTC, `detail` JSON of what was wrong with it."""

    logged_at: int
    log_id: str
    request_id: str
    method: str
    path: str
    status: int
    error_code: str | None
    key_id: str | None
    client: str | None
    duration_us: int
    detail: str | None

    @property
    def evidence(self) -> Mapping[str, Any]:
        """What was wrong, by name."""
        found: dict[str, Any] = {} if self.detail is None else json.loads(self.detail)
        return found


async def list_requests(store: Store, account_id: str, wanted: Wanted) -> Page[LoggedRequest]:
    """Return a part of an account's log: by `code`, `key_id`, `text`, a part of a request's id or path, or `refused`.

    Raise `CursorFault` for a cursor of anything else.
    """
    filters, text = dict(wanted.filters), wanted.filters.get("text")
    if filters.get("code") is not None:
        filters["refused"] = 1  # an index leads to those that have an error at all
    if text is not None:
        filters["text"] = like_pattern(str(text))
    page = await read(store, REQUESTS, evolve(wanted, filters=filters), within={"account_id": account_id})
    return page.of(lambda row: LoggedRequest(*(row[name] for name in LoggedRequest._fields)))


async def error_counts(store: Store, account_id: str, now: int) -> list[tuple[str, int]]:
    """Return how often each error came in the last seven days before `now` (ms UTC), of the newest requests."""
    async with store.read() as tx:
        rows = await tx.all("errors_of_account", account_id=account_id, since=now - 7 * DAY, limit=NEWEST_ERRORS)
    return [(row["error_code"], row["requests"]) for row in rows]
