"""Read orders, commissions, events, affiliates and the request log; every list is a page behind a cursor."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Final

import orjson
from multidict import CIMultiDictProxy, istr

from hub.domain.instants import format_instant
from hub.http.compression import is_packed, note_packed
from hub.http.errors import invalid, not_found
from hub.http.response import Reply
from hub.merchant_api.endpoint import Call
from hub.merchant_api.v1.list_queries import ConversionQuery, wanted_of
from hub.operations.affiliates.link_lists import account_clicks
from hub.operations.lists import CursorFault, Page
from hub.operations.money.payouts.payouts import commissions_part
from hub.operations.orders.account_entries import (
    commission_of_account,
    conversion_of_account,
    conversions_of_account_order,
)
from hub.operations.orders.conversions import OPEN_REVIEW, conversions_part
from hub.operations.orders.event_lists import account_events
from hub.operations.orders.request_log import account_requests
from hub.operations.system.party_lists import earning_affiliates
from hub.processing.change_numbers import numbered_by
from hub.records.wire import encode

IF_NONE_MATCH: Final = istr("If-None-Match")


async def list_conversions(call: Call) -> Reply:
    """Return a page of conversions; that of one order, if it is named."""
    query: ConversionQuery = call.query
    services, account_id = call.services, call.caller.account_id
    following = await asked_next(call)
    if query.external_order_id is not None:
        found = await conversions_of_account_order(services.store, services.clock, account_id, wanted_of(query).filters)
        return whole(call, found, **following)
    within = {"account_id": account_id}
    reading = conversions_part(services.store, services.clock, wanted_of(query), within, orjson.Fragment)
    return await answered(call, reading, **following)


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
    services, within = call.services, {"account_id": call.caller.account_id, "review": OPEN_REVIEW}
    return await answered(call, conversions_part(services.store, services.clock, wanted_of(call.query), within))


async def list_commissions(call: Call) -> Reply:
    """Return a page of commissions."""
    wanted, within = wanted_of(call.query, status="state"), {"account_id": call.caller.account_id}
    following = await asked_next(call)
    return await answered(call, commissions_part(call.services.store, wanted, within), **following)


async def get_commission(call: Call) -> Reply:
    """Return one commission."""
    commission_id = call.reference("id", "commission")
    found = await commission_of_account(call.services.store, call.caller.account_id, commission_id)
    if found is None:
        raise not_found("commission")
    return conditional(call, found)


async def list_events(call: Call) -> Reply:
    """Return a page of events."""
    wanted, following = wanted_of(call.query, external_order_id="order_id"), await asked_next(call)
    return await answered(call, account_events(call.services.store, call.caller.account_id, wanted), **following)


async def list_clicks(call: Call) -> Reply:
    """Return a page of clicks."""
    wanted = wanted_of(call.query, link_code="code")
    return await answered(call, account_clicks(call.services.store, call.caller.account_id, wanted))


async def list_affiliates(call: Call) -> Reply:
    """Return a page of the affiliates that may promote something of the account."""
    found = earning_affiliates(call.services.store, call.caller.account_id, wanted_of(call.query))
    return await answered(call, found)


async def list_requests(call: Call) -> Reply:
    """Return a page of the request log, of which the last moments may not be written yet."""
    wanted = wanted_of(call.query, error_code="code")
    return await answered(call, account_requests(call.services.store, call.caller.account_id, wanted))


def bad_cursor() -> Exception:
    """Return the 400 of a cursor that the list did not hand out."""
    return invalid(["`cursor` must be the `nextCursor` of an earlier page of this list, with the same `sort`"])


async def answered(call: Call, reading: Awaitable[Page[Any]], **beside: str) -> Reply:
    """Return the part of a list that is read, with its ETag; raise the 400 of a cursor that is none of the list's."""
    try:
        found = await reading
    except CursorFault:
        raise bad_cursor() from None
    return conditional(call, {"data": found.entries, "nextCursor": found.following, **beside})


def whole(call: Call, entries: Sequence[Any], **beside: str) -> Reply:
    """Return a list that is always short, with its ETag, and other members beside."""
    return conditional(call, {"data": entries, "nextCursor": None, **beside})


async def asked_next(call: Call) -> dict[str, str]:
    """Return the moment that `updatedSince` is to be the next time, if it is asked for now: all before is numbered."""
    if call.query.updated_since is None:
        return {}
    services = call.services
    moment = await numbered_by(services.store, services.clock, call.caller.account_id)
    return {"nextUpdatedSince": format_instant(moment)}


def conditional(call: Call, document: Any) -> Reply:
    """Return a document with its ETag, or a 304 if the caller has it already."""
    return conditional_reply(call.headers, document)


def conditional_reply(headers_sent: CIMultiDictProxy[str], document: Any) -> Reply:
    """Return a document with its ETag, or a 304 if the request names it."""
    body = encode(document)
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if _has(headers_sent.getall(IF_NONE_MATCH, ()), tag):
        if is_packed(headers_sent, len(body)):  # a 304 has the ETag that its 200 would have (RFC 9110, section 15.4.5)
            note_packed(headers)
        return Reply(304, b"", headers)
    return Reply(200, body, headers)


def _has(conditions: Iterable[str], tag: str) -> bool:
    """Return whether a condition names the tag (RFC 9110, section 13.1.2)."""
    named = [each.strip().removeprefix("W/") for line in conditions for each in line.split(",")]
    return tag in named or "*" in named
