"""The request log: what a merchant sent, what the hub answered and what was wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import evolve, frozen

from hub.domain.durations import DAY
from hub.domain.words import MODES
from hub.ids import id_at
from hub.operations.errors import OperatorFault, unknown
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.merged_lists import merged
from hub.operations.references import account_of, like_pattern, merchant_id_of
from hub.records.requests import RequestDocument, request_document
from hub.storage import Row, Store, Tx

REQUESTS: Final = List("requests")
NEWEST_ERRORS: Final = 5_000
ACCEPTED: Final = 202
EVENT_WITHIN_MS: Final = 60_000
"""How long after its request was received an event gets its id, at most."""
LONGEST_MOMENT: Final = 15


async def read_log(store: Store, merchant: str, wanted: Wanted, *, refused: bool = False) -> Page[RequestDocument]:
    """Return a part of a merchant's requests in both modes, only of those that were `refused` if it says so.

    Raise `OperatorFault` if the merchant is unknown, and `CursorFault`.
    """
    asked = evolve(wanted, filters={"refused": 1} if refused else {})
    async with store.read() as tx:
        merchant_id = await merchant_id_of(tx, merchant)
        accounts = [(await account_of(tx, merchant_id, mode))["account_id"] for mode in MODES]
        return (await read_among(tx, asked, accounts)).of(request_document)


async def read_strangers_log(store: Store, wanted: Wanted) -> Page[RequestDocument]:
    """Return a part of the requests of unknown senders (with an unknown key, say); raise `CursorFault`."""
    return (await read(store, REQUESTS, wanted, {"account_id": ""})).of(request_document)


async def account_requests(store: Store, account_id: str, wanted: Wanted) -> Page[RequestDocument]:
    """Return a part of an account's requests, by what `led` takes; raise `CursorFault`."""
    return (await read(store, REQUESTS, led(wanted), {"account_id": account_id})).of(request_document)


def led(wanted: Wanted) -> Wanted:
    """Return what is wanted with the filters to which an index leads.

    The filters are `refused` (1), `code`, `status`, `key_id`, `created_from` and `created_to` (ms UTC), and `text`, a
    part of a request's id or path.
    """
    filters, text = dict(wanted.filters), wanted.filters.get("text")
    if filters.get("code") is not None:
        filters["refused"] = 1  # an index leads to those that have an error at all
    if text is not None:
        filters["text"] = like_pattern(str(text))
    return evolve(wanted, filters=filters)


def before_request(wanted: Wanted, request_id: str) -> Wanted:
    """Return what is wanted of the requests older than one; raise `OperatorFault` if it is no id of the log."""
    at, dash, log_id = request_id.partition("-")
    if not dash or not at.isdecimal() or not at.isascii():
        raise OperatorFault(f"{request_id!r} is not the id of a request in the log; take it from the list's last line.")
    return evolve(wanted, cursor=REQUESTS.cursor(wanted, "older", [at, log_id]))


async def read_among(tx: Tx, wanted: Wanted, accounts: Sequence[str]) -> Page[Row]:
    """Return a part of the requests of several accounts as if they were one's; `refused` may be the only filter."""
    pages = [await read(tx, REQUESTS, wanted, {"account_id": each}) for each in accounts]
    return merged(REQUESTS, wanted, pages)


@frozen
class ShownRequest:
    """A request with what was kept of it, if it was refused, and the event that it made, if that is certain."""

    request: RequestDocument
    kept: Mapping[str, Any] | None
    event_id: str | None


async def show_request(store: Store, account_id: str, request_id: str) -> ShownRequest:
    """Return a request of an account by its place in the log ("1795176000000-log_…"); raise `OperatorFault` for none.

    A request that was taken has no body in the log: its event has.
    """
    at, dash, log_id = request_id.partition("-")
    if not dash or not at.isdecimal() or not at.isascii() or len(at) > LONGEST_MOMENT:
        raise unknown("request", request_id)
    async with store.read() as tx:
        row = await tx.one("request_in_log", account_id=account_id, logged_at=int(at), log_id=log_id)
        if row is None:
            raise unknown("request", request_id)
        request = request_document(row)
        events = []
        if request.status == ACCEPTED:
            first, after = id_at("evt", request.at), id_at("evt", request.at + EVENT_WITHIN_MS)
            events = await tx.all(
                "events_received_at", account_id=account_id, first=first, after=after, received_at=request.at
            )
    kept = None if row["kept"] is None else json.loads(row["kept"])
    return ShownRequest(request, kept, events[0]["event_id"] if len(events) == 1 else None)


async def error_counts(store: Store, account_id: str, now: int) -> list[tuple[str, int]]:
    """Return how often each error came in the last seven days before `now` (ms UTC), of the newest requests."""
    async with store.read() as tx:
        rows = await tx.all("errors_of_account", account_id=account_id, since=now - 7 * DAY, limit=NEWEST_ERRORS)
    return [(row["error_code"], row["requests"]) for row in rows]
