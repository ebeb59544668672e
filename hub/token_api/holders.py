"""Who sends a request with a bearer token, and whether one more is granted; the same for all that takes tokens here."""

from __future__ import annotations

import ipaddress

from hub.http.client_address import within
from hub.http.errors import ApiError
from hub.merchant_api.bearer import bearer_of
from hub.merchant_api.exchange import Exchange
from hub.operations.users.api_tokens import TokenHolder, note_token_use, open_token
from hub.storage import bounded


def token_of(exchange: Exchange) -> str:
    """Return a request's token; raise the 401 if there is not exactly one."""
    try:
        return bearer_of(exchange.headers)
    except ApiError:
        raise unauthorized("token_missing") from None


async def authenticated(exchange: Exchange) -> TokenHolder:
    """Return whose token a request has, and note its use; raise the 401 of one that does not count from there."""
    store = exchange.services.store
    found = await bounded(open_token(store, exchange.received_at, token_of(exchange)))
    if not isinstance(found, TokenHolder):
        raise unauthorized(found)
    networks = [ipaddress.ip_network(each) for each in found.allowed]
    if networks and not within(exchange.client, networks):
        raise unauthorized("ip_not_allowed")
    await note_token_use(store, exchange.received_at, found.token_id, exchange.client)
    return found


async def count(exchange: Exchange, holder: TokenHolder) -> None:
    """Count a request against the limit of its token; raise the 429 if it is not granted."""
    limits, now = exchange.services.limits, exchange.received_at
    allowance = limits.take(holder.token_id, "general", now)
    if allowance is not None and not allowance.granted:
        allowance = await bounded(limits.retry_with_lease(holder.token_id, "general", now, allowance))
    exchange.allowance = allowance
    if allowance is not None and not allowance.granted:
        message = "Too many requests; wait as long as Retry-After says."
        raise ApiError(429, message, "rate_limited", headers={"Retry-After": str(allowance.reset)})


def unauthorized(why: str) -> ApiError:
    """Return the 401 of every token that does not count; `why` is for the log alone."""
    return ApiError(401, "Authentication failed.", why, headers={"WWW-Authenticate": "Bearer"})
