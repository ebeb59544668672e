"""The steps of every API request: body, caller, rate limit, guards, validation, handler, answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import structlog
from aiohttp import web
from yarl import URL

from hub.http.client_address import client_of
from hub.http.errors import ApiError, broken, invalid
from hub.http.request import (
    ReceivedBody,
    buffered_body,
    check_encoding,
    check_length,
    check_type,
    current_request,
    read_body,
    request_id_of,
)
from hub.http.response import NO_FIELDS, Reply
from hub.http.router import PathValues
from hub.intake.submission import Replayed, RequestGuards
from hub.merchant_api.api_keys import NOBODY
from hub.merchant_api.authentication import (
    authenticate,
    claimed_caller,
    credentials,
    refuse_by_headers,
    refuse_replayed_read,
)
from hub.merchant_api.bearer import require_scope
from hub.merchant_api.deprecation import with_deprecation
from hub.merchant_api.endpoint import Call, Endpoint, JsonObject
from hub.merchant_api.error_references import with_reference
from hub.merchant_api.exchange import OUTAGES, OutageLog, conclude, name_caller, outage_reply
from hub.merchant_api.services import Services
from hub.merchant_api.warnings import with_warnings
from hub.merchant_api.writes import idempotency_use, spend_signature
from hub.storage import bounded
from hub.validation.validate import Invalid, Malformed, Valid, read_object, shown_names, validate, validate_query

EMPTY_OBJECT: Final = b"{}"
REPLAYED: Final = {"Idempotency-Replayed": "true"}

log = structlog.get_logger(__name__)


class Pipeline:
    """Serves one endpoint."""

    def __init__(self, endpoint: Endpoint, services: Services) -> None:
        self._endpoint = endpoint
        self.services = services
        self._max_body = services.max_import if endpoint.limit == "import" else services.max_body
        # What a write waits for is bounded step by step: a large import may take longer than one wait. On SQLite reads
        # wait for nobody.
        self._may_stall = not (endpoint.writes or endpoint.waits) and services.store.dialect != "sqlite"
        self._outages = OutageLog()

    async def serve(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Answer a request; every error becomes the API's error body here.

        `path` holds the values named in the endpoint's path.
        """
        services, headers, endpoint = self.services, request.headers, self._endpoint
        client = client_of(request, services.trusted_proxies)
        request_id = request_id_of(headers)
        current_request.set(request_id)
        call = Call(endpoint.route, services, headers, request_id, client, services.clock(), endpoint, path)
        try:
            await self._admit(call, request)
            reply = await self._answer(call, request)
        except ApiError as refusal:
            reply = refusal.reply
        except OUTAGES as fault:
            self._outages.note(call, fault)
            reply = outage_reply(fault, request)
            reply = with_reference(reply, call.request_id, services.docs_url, request)
            return await conclude(call, request, reply)  # whose it was cannot be looked up either
        except Exception:
            log.exception("a request failed", request_id=call.request_id, route=call.route)
            reply = broken().reply
        if call.caller is NOBODY:
            await name_caller(call)
        if reply.code is not None:
            reply = with_reference(reply, call.request_id, services.docs_url, request)
        if endpoint.deprecated is not None:
            reply = with_deprecation(reply, endpoint.deprecated, services.docs_url, request)
        return await conclude(call, request, reply)

    async def _admit(self, call: Call, request: web.BaseRequest) -> None:
        """Read the body, authenticate the caller and count the request; raise the refusal of any of them."""
        services, headers, target = self.services, call.headers, request.raw_path
        check_encoding(headers)
        if self._endpoint.body is not None:
            check_type(headers)
        if request.content.is_eof():  # most bodies arrive with their headers: no task, no timer
            call.raw = buffered_body(request, self._max_body)
            stated = credentials(headers, target)
            key = await services.keys.find(stated.key_id, call.received_at, is_token=stated.token is not None)
        else:
            check_length(request, self._max_body)
            stated = credentials(headers, target)
            key = await services.keys.find(stated.key_id, call.received_at, is_token=stated.token is not None)
            refuse_by_headers(call, stated, key)
            body = ReceivedBody(services.admission, call.client, keep=claimed_caller(call, stated, key) is not None)
            call.raw = await read_body(request, self._max_body, services.body_timeout, body)
            call.received_at = services.clock()  # a slow body must not make its own timestamp look fresh
        authenticate(call, stated, key, request.method, target)
        if not self._endpoint.writes:
            refuse_replayed_read(call, request.rel_url)
        await self.count(call)
        if call.caller.scopes is not None:
            await self.bound(call)

    async def bound(self, call: Call) -> None:
        """Raise the 403 of a token whose scopes do not reach the endpoint; note its use if they do."""
        require_scope(call.caller.scopes, self._endpoint.scopes)
        await self.services.keys.note_use(call.caller.key_id or "", call.client, call.received_at)

    async def count(self, call: Call) -> None:
        """Count the request against its limits; raise the 429 if it is not granted."""
        limits, account_id, group = self.services.limits, call.caller.account_id, self._endpoint.limit
        allowance = limits.take(account_id, group, call.received_at)
        if allowance is not None and not allowance.granted:  # other processes may have left room
            allowance = await bounded(limits.retry_with_lease(account_id, group, call.received_at, allowance))
        call.allowance = allowance
        if allowance is not None and not allowance.granted:
            wait, text = str(allowance.reset), "Too many requests; wait as long as Retry-After says."
            raise ApiError(429, text, "rate_limited", headers={"Retry-After": wait})

    async def _answer(self, call: Call, request: web.BaseRequest) -> Reply:
        """Validate the input and call the handler; a write that is refused with 400 spends its signature."""
        endpoint = self._endpoint
        try:
            if endpoint.writes:
                call.guards = RequestGuards(call.caller.account_id, call.signature)  # spent if the key is malformed
                if endpoint.idempotent:
                    use = idempotency_use(call.headers, endpoint.route, request.query_string, call.raw)
                    if use is not None:
                        call.guards = RequestGuards(call.caller.account_id, call.signature, use)
            self._read_input(call, request)
            handled = endpoint.handler(call)
            result = await (bounded(handled) if self._may_stall else handled)
            if not isinstance(result, Reply):
                headers = REPLAYED if isinstance(result, Replayed) else NO_FIELDS
                result = Reply(result.status, result.body, headers)
            return with_warnings(result, endpoint, call.ignored) if call.ignored else result
        except Invalid as faults:
            code = "malformed_json" if isinstance(faults, Malformed) else "validation_failed"
            refusal = invalid(faults.faults, code).reply
        except ApiError as fault:
            refusal = fault.reply  # the fault itself would keep this frame, and this frame the fault and the body
        if refusal.status == 400 and endpoint.writes and not call.submitted:
            await spend_signature(call)
        return refusal

    def _read_input(self, call: Call, request: web.BaseRequest) -> None:
        """Set the call's query and body; raise `Invalid` with every fault."""
        endpoint = self._endpoint
        if endpoint.query is not None:
            query = _read_query(endpoint.query, request.rel_url.raw_query_string)
            call.query, call.ignored = query.value, query.unknown_fields
        elif request.query_string and not endpoint.writes:
            call.ignored = shown_names(request.query)
        if endpoint.body is JsonObject:
            call.body = read_object(call.raw)
        elif endpoint.body is None:
            call.ignored = call.ignored or (_names_in(call.raw) if endpoint.writes else ())
        elif not endpoint.reads_body:
            raw = call.raw or EMPTY_OBJECT if endpoint.bodiless else call.raw
            body: Valid[Any] = validate(endpoint.body, raw, call.caller.merchant)
            call.body, call.ignored = body.value, body.unknown_fields


def _names_in(raw: bytes) -> tuple[str, ...]:
    """Return the names in a body that nobody reads; none if it is no JSON object."""
    try:
        return shown_names(read_object(raw)) if raw else ()
    except Invalid:
        return ()


@lru_cache(maxsize=1_024)
def _read_query(cls: type, text: str) -> Valid[Any]:
    """Return the parameters of a query string; clients that read page by page send the same few again and again."""
    return validate_query(cls, URL.build(query_string=text, encoded=True).query.items())
