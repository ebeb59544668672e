"""Read orders, commissions, events, affiliates and the request log; every list is a page behind a cursor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256
from typing import Any, Final

from multidict import CIMultiDictProxy, istr

from hub.http.errors import invalid, not_found
from hub.http.response import Reply
from hub.merchant_api.endpoint import Call
from hub.merchant_api.v1.list_queries import ConversionQuery, EventQuery, RequestQuery, filter_of, window_of
from hub.operations.lists import CursorFault, Page
from hub.operations.orders import account_lists
from hub.operations.orders.account_events import AccountEventFilter, list_account_events
from hub.operations.orders.account_lists import (
    Listed,
    RequestFilter,
    Window,
    commission_of_account,
    conversion_of_account,
    conversions_of_account_order,
    list_account_affiliates,
    list_account_commissions,
    list_account_conversions,
    list_account_requests,
    list_account_reviews,
)
from hub.records.wire import encode
from hub.storage import Row

IF_NONE_MATCH: Final = istr("If-None-Match")


async def list_conversions(call: Call) -> Reply:
    """Return a page of conversions; that of one order, if it is named."""
    query: ConversionQuery = call.query
    services, account_id = call.services, call.caller.account_id
    window = checked_window(query)
    wanted = filter_of(query)
    if query.external_order_id is None:
        return page(call, await list_account_conversions(services.store, services.clock, account_id, wanted, window))
    order_id = query.external_order_id
    found = await conversions_of_account_order(services.store, services.clock, account_id, order_id, wanted)
    return page(call, Listed(found, None))


async def get_conversion(call: Call) -> Reply:
    """Return one conversion, as `hub conversion show --json` prints it."""
    services, conversion_id = call.services, call.reference("id", "conversion")
    account_id = call.caller.account_id
    found = await conversion_of_account(services.store, services.clock, account_id, conversion_id)
    if found is None:
        raise not_found("conversion")
    return conditional(call, found)


async def list_reviews(call: Call) -> Reply:
    """Return a page of the conversions that wait for a review."""
    services, window = call.services, checked_window(call.query)
    return page(call, await list_account_reviews(services.store, services.clock, call.caller.account_id, window))


async def list_commissions(call: Call) -> Reply:
    """Return a page of commissions."""
    window, wanted = checked_window(call.query), filter_of(call.query)
    return page(call, await list_account_commissions(call.services.store, call.caller.account_id, wanted, window))


async def get_commission(call: Call) -> Reply:
    """Return one commission."""
    commission_id = call.reference("id", "commission")
    found = await commission_of_account(call.services.store, call.caller.account_id, commission_id)
    if found is None:
        raise not_found("commission")
    return conditional(call, found)


async def list_events(call: Call) -> Reply:
    """Return a page of events."""
    query: EventQuery = call.query
    wanted = AccountEventFilter(
        query.status, query.type, query.kind, query.external_order_id, query.created_from, query.created_to
    )
    window = checked_window(query)
    return page(call, await list_account_events(call.services.store, call.caller.account_id, wanted, window))


async def list_affiliates(call: Call) -> Reply:
    """Return a page of the affiliates that may promote something of the account."""
    window = checked_window(call.query)
    return page(call, await list_account_affiliates(call.services.store, call.caller.account_id, window))


async def list_requests(call: Call) -> Reply:
    """Return a page of the request log, of which the last moments may not be written yet."""
    query: RequestQuery = call.query
    wanted = RequestFilter(query.error_code, query.status, query.created_from, query.created_to)
    window = checked_window(query)
    return page(call, await list_account_requests(call.services.store, call.caller.account_id, wanted, window))


def checked_window(query: Any) -> Window:
    """Return the part of a list that a query asks for; raise the 400 of a cursor that is none of ours."""
    window = window_of(query)
    try:
        window.key()
    except account_lists.CursorFault:
        raise bad_cursor() from None
    return window


def bad_cursor() -> Exception:
    """Return the 400 of a cursor that the list did not hand out."""
    return invalid(["`cursor` must be the `nextCursor` of an earlier page of this list, with the same `sort`"])


async def answered(call: Call, reading: Awaitable[Page[Row]], document: Callable[[Row], object]) -> Reply:
    """Return the part of a list that is read, with its ETag; raise the 400 of a cursor that is none of the list's."""
    try:
        found = await reading
    except CursorFault:
        raise bad_cursor() from None
    return conditional(call, {"data": [document(row) for row in found.entries], "nextCursor": found.following})


def page(call: Call, found: Listed[Any]) -> Reply:
    """Return a page of a list, with its ETag."""
    return conditional(call, {"data": found.data, "nextCursor": found.next_cursor})


def conditional(call: Call, document: Any) -> Reply:
    """Return a document with its ETag, or a 304 if the caller has it already."""
    return conditional_reply(call.headers, document)


def conditional_reply(headers_sent: CIMultiDictProxy[str], document: Any) -> Reply:
    """Return a document with its ETag, or a 304 if the request names it."""
    body = encode(document)
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if _has(headers_sent.getall(IF_NONE_MATCH, ()), tag):
        return Reply(304, b"", headers)
    return Reply(200, body, headers)


def _has(conditions: Iterable[str], tag: str) -> bool:
    """Return whether a condition names the tag (RFC 9110, section 13.1.2)."""
    named = [each.strip().removeprefix("W/") for line in conditions for each in line.split(",")]
    return tag in named or "*" in named
