"""The requests of an account as its merchant reads them: by what was wrong, by key, by a part of the path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from attrs import frozen

from hub.domain.durations import DAY
from hub.operations.keyset import DEPTH
from hub.operations.references import like_pattern
from hub.storage import Store, Tx

LAST_AT: Final = 1 << 62
REQUESTS: Final = 50
NEWEST_ERRORS: Final = 5_000


@frozen
class RequestFilter:
    """Which requests are wanted; None is no condition, `text` is a request's id or a part of its path."""

    refused_only: bool = False
    text: str | None = None
    code: str | None = None
    key_id: str | None = None

    @property
    def searches(self) -> bool:
        """Whether rows have to be looked through, which is bounded."""
        return self.text is not None or self.code is not None or self.key_id is not None


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
    def place(self) -> str:
        """Its place in the log, where the next page begins."""
        return f"{self.logged_at}-{self.log_id}"

    @property
    def evidence(self) -> Mapping[str, Any]:
        """What was wrong, by name."""
        found: dict[str, Any] = {} if self.detail is None else json.loads(self.detail)
        return found


class RequestPage(NamedTuple):
    """A page of the log, the newest first; `older` is where the next one begins, None at the end.

    `looked_at` is how many requests were looked at if the page is not full although the log goes on, else 0.
    """

    requests: list[LoggedRequest]
    older: str | None
    looked_at: int = 0


async def list_requests(store: Store, account_id: str, wanted: RequestFilter, before: str | None) -> RequestPage:
    """Return the newest requests before a place in the log that match."""
    at, _, log_id = (before or "").partition("-")
    known = at.isdecimal() and at.isascii() and len(at) < 18
    place = {"account_id": account_id, "before_at": int(at) if known else LAST_AT, "before_id": log_id if known else ""}
    refused = wanted.refused_only or wanted.code is not None
    async with store.read() as tx:
        if wanted.searches:
            return await _searched(tx, wanted, place, refused=refused)
        query = "refused_requests_before" if refused else "requests_before"
        found = await tx.records(LoggedRequest, query, **place, limit=REQUESTS + 1)
    return RequestPage(found[:REQUESTS], found[REQUESTS - 1].place if len(found) > REQUESTS else None)


async def error_counts(store: Store, account_id: str, now: int) -> list[tuple[str, int]]:
    """Return how often each error came in the last seven days before `now` (ms UTC), of the newest requests."""
    async with store.read() as tx:
        rows = await tx.all("errors_of_account", account_id=account_id, since=now - 7 * DAY, limit=NEWEST_ERRORS)
    return [(row["error_code"], row["requests"]) for row in rows]


async def _searched(tx: Tx, wanted: RequestFilter, place: Mapping[str, Any], *, refused: bool) -> RequestPage:
    found = await tx.records(
        LoggedRequest,
        "refused_requests_matching" if refused else "requests_matching",
        **place,
        text=wanted.text,
        pattern=None if wanted.text is None else like_pattern(wanted.text),
        code=wanted.code,
        key_id=wanted.key_id,
        depth=DEPTH,
        limit=REQUESTS + 1,
    )
    if len(found) > REQUESTS:
        return RequestPage(found[:REQUESTS], found[REQUESTS - 1].place)
    query = "refused_request_at_depth" if refused else "request_at_depth"
    edge = await tx.one(query, **place, offset=DEPTH - 1)
    return (
        RequestPage(found, None) if edge is None else RequestPage(found, f"{edge['logged_at']}-{edge['log_id']}", DEPTH)
    )
