"""The steps of every request of a token: token, rate limit, scope, input, act, answer.

A token that is unknown, revoked, expired, without its person or used from elsewhere gets the same 401.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from aiohttp import web

from hub.acts.act import Act, written
from hub.acts.call import Call
from hub.acts.fields import snake
from hub.acts.scopes import HOLDERS, needed_for
from hub.http.errors import ApiError, invalid, not_found
from hub.http.request import ReceivedBody, buffered_body, check_encoding, check_length, check_type, read_body
from hub.http.response import CSV, NO_FIELDS, Lines, Reply
from hub.http.router import PathValues
from hub.intake.submission import IdempotencyUse
from hub.merchant_api.bearer import is_in_address, require_scope
from hub.merchant_api.deprecation import with_deprecation
from hub.merchant_api.error_references import docs_address, reference_body, with_reference
from hub.merchant_api.exchange import Exchange, OutageLog, conclude, open_exchange, reply_of
from hub.merchant_api.v1.changes import wants_lines
from hub.merchant_api.v1.reading import conditional_reply
from hub.merchant_api.writes import idempotency_use
from hub.operations.errors import InvalidFields, OperatorFault, UnknownReference
from hub.operations.trail import Actor, acting_as
from hub.operations.users.api_tokens import TokenHolder
from hub.token_api.answers import Answers, Claim, Claimed, claiming, in_flight
from hub.token_api.holders import authenticated, count, token_of, unauthorized
from hub.token_api.reading import OLDER_NAMES, has_older_name, read_query
from hub.token_api.reading import read_body as read_members
from hub.token_api.services import TokenServices

LONGEST_REFERENCE: Final = 255
IDS: Final = {"merchant": "mer_", "affiliate": "aff_"}
"""How the ids begin of what commands find by a name as well, which two may have one day."""
ATTACHED: Final = {"Content-Disposition": "attachment"}
INVALID_TOKEN: Final = "invalid_token"  # noqa: S105 - an error code


class TokenPipeline:
    """Serves one act; `kind` is that of its API: "admin" or "affiliate"."""

    def __init__(self, act: Act, root: str, kind: str, services: TokenServices, answers: Answers) -> None:
        self._act = act
        self._route = f"{act.method} {root.removeprefix('/api')}{act.path}"
        self._holder = HOLDERS[kind]
        self._services = services
        self._answers = answers
        self._outages = OutageLog()

    async def serve(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Answer a request; every error becomes an error body here."""
        shared = self._services.shared
        exchange = open_exchange(self._route, shared, request)
        reply = await reply_of(exchange, request, self._answer(exchange, request, path), self._outages)
        reply = with_reference(reply, exchange.request_id, shared.docs_url, request)
        if reply.status == 401 and isinstance(reply.body, bytes):
            docs_url = docs_address(shared.docs_url, request)
            body = reference_body(reply.body, INVALID_TOKEN, exchange.request_id, docs_url)
            reply = reply._replace(body=body)
        said = self._act.deprecated
        if said is None and has_older_name(self._act.query, request.rel_url.query):
            said = OLDER_NAMES
        if said is not None:
            reply = with_deprecation(reply, said, shared.docs_url, request)
        return await conclude(exchange, request, reply, logged=False)

    async def _receive(self, exchange: Exchange, request: web.BaseRequest) -> None:
        shared = self._services.shared
        check_encoding(exchange.headers)
        if self._act.body:
            check_type(exchange.headers)
        if request.content.is_eof():
            exchange.raw = buffered_body(request, shared.max_body)
            return
        check_length(request, shared.max_body)
        token_of(exchange)  # a request without one is refused before its body is read
        body = ReceivedBody(shared.admission, exchange.client)
        exchange.raw = await read_body(request, shared.max_body, shared.body_timeout, body)

    async def _answer(self, exchange: Exchange, request: web.BaseRequest, path: PathValues) -> Reply:
        await self._receive(exchange, request)
        if is_in_address(request.raw_path):
            raise unauthorized("token_in_address")
        holder = await authenticated(exchange)
        await count(exchange, holder)
        self._check_scope(holder)
        _check_references(path)
        caller = holder.user_id or holder.token_id
        shared = self._services.shared
        call = Call(
            self._services, shared.store, path, caller, holder.affiliate_id, holder.scopes,
            wants_lines(exchange.headers), shared.waiters,
        )  # fmt: skip
        call.query = read_query(self._act.query, request.rel_url.query.items())
        call.body = read_members(self._act.body, exchange.raw)
        if not self._act.writes:
            found = await self._run(call, holder, exchange)
            if isinstance(found, Lines):
                kept = ATTACHED if found.content_type == CSV else NO_FIELDS
                return Reply(self._act.success, found, kept, content_type=found.content_type)
            return conditional_reply(exchange.headers, found)
        use = idempotency_use(exchange.headers, self._route_of(path), request.query_string, exchange.raw)
        if use is None:
            return Reply(self._act.success, orjson.dumps(await self._run(call, holder, exchange)))
        return await self._once(call, holder, exchange, use)

    def _route_of(self, path: PathValues) -> str:
        """Return what an idempotency key stands for: the act and what it acts on."""
        return f"{self._route} {orjson.dumps(dict(path)).decode()}"

    async def _once(self, call: Call, holder: TokenHolder, exchange: Exchange, use: IdempotencyUse) -> Reply:
        claim = Claim(holder.token_id, use, exchange.received_at)
        earlier = await self._answers.earlier(claim)
        if earlier is not None:
            return earlier
        call.store, claims = claiming(call.store, claim)
        try:
            reply = Reply(self._act.success, orjson.dumps(await self._run(call, holder, exchange)))
        except Claimed:
            raise in_flight() from None
        if claims.is_claimed:
            await self._answers.keep(claim, reply)
        return reply

    def _check_scope(self, holder: TokenHolder) -> None:
        if holder.holder != self._holder:
            raise ApiError(403, f"This needs a token of an {self._holder}.", "insufficient_scope")
        require_scope(holder.scopes, needed_for(self._act, self._holder))
        grant = self._act.granted_in(self._holder)
        if holder.user_id is not None and not holder.roles & set(grant.roles):
            raise ApiError(403, f"This needs a token of an {grant.roles[0]}.", "insufficient_scope")

    async def _run(self, call: Call, holder: TokenHolder, exchange: Exchange) -> Any:
        kind, who = ("system", holder.token_id) if holder.user_id is None else ("user", holder.user_id)
        actor = Actor("user" if kind == "user" else "system", who, "api", exchange.client, holder.token_id)
        try:
            with acting_as(actor):
                found = await self._act.run(call)
                return found if isinstance(found, Lines) else written(self._act.answer, found)
        except UnknownReference as fault:
            if fault.reference in (*call.path.values(), call.affiliate_id):
                raise not_found(fault.noun) from None
            raise _refused(fault) from None
        except InvalidFields as fault:
            raise invalid(_sentences(fault.faults, self._act)) from None
        except OperatorFault as fault:
            raise _refused(fault) from None


def _check_references(path: PathValues) -> None:
    """Raise the 404 of an id that no store could hold, and of a name: those are for people at the terminal."""
    for name, text in path.items():
        if len(text) > LONGEST_REFERENCE or not text.isprintable() or not text.startswith(IDS.get(name, "")):
            raise not_found(name)


def _sentences(faults: Mapping[str, str], act: Act) -> list[str]:
    """Return faults of fields as sentences that begin with the member's name on the wire, as some do already."""
    wires = {snake(name): name for name in act.body}
    return [
        f"`{wires.get(name, name)}` {fault}" if name and not fault.startswith("`") else fault
        for name, fault in faults.items()
    ]


def _refused(fault: OperatorFault) -> ApiError:
    """Return the 400 of an act that cannot be done, without the commands that would help at the terminal."""
    return ApiError(400, fault.reason, "act_refused")
