"""POST /consent/keys: the keys that a shop posts after its owner agreed on its own page (WooCommerce)."""

from __future__ import annotations

from typing import Final

import orjson
import structlog
from aiohttp import web

from hub.http.errors import ApiError
from hub.http.request import ReceivedBody, read_body
from hub.http.response import Reply
from hub.http.router import PathValues, Route
from hub.merchant_api.exchange import Exchange, OutageLog, conclude, open_exchange, reply_of
from hub.merchant_api.services import Services
from hub.operations.connections.consents import KEYS_PATH, take_keys
from hub.operations.errors import OperatorFault
from hub.platform_sync.access import Platforms

MOST_BODY: Final = 16 * 1024
BODY_SECONDS: Final = 10.0
ROUTE: Final = f"POST {KEYS_PATH}"

log = structlog.get_logger(__name__)


class ConsentCallbacks:
    """Takes keys; whoever posts them proves with the state that they belong to a consent that was begun here."""

    def __init__(self, services: Services, platforms: Platforms) -> None:
        self._services = services
        self._platforms = platforms
        self._outages = OutageLog()

    def routes(self) -> list[Route]:
        """Return the one route."""
        return [Route("POST", KEYS_PATH, self.receive)]

    async def receive(self, request: web.BaseRequest, _: PathValues) -> web.StreamResponse:
        """Answer 200 once the keys are stored, 403 for a state that is not known or keys that do not work."""
        exchange = open_exchange(ROUTE, self._services, request)
        reply = await reply_of(exchange, request, self._accept(exchange, request), self._outages)
        return await conclude(exchange, request, reply)

    async def _accept(self, exchange: Exchange, request: web.BaseRequest) -> Reply:
        body = ReceivedBody(self._services.admission, exchange.client)
        raw = await read_body(request, MOST_BODY, BODY_SECONDS, body)
        try:
            posted = orjson.loads(raw)
        except orjson.JSONDecodeError:
            posted = None
        try:
            given = await take_keys(self._platforms, posted)
        except OperatorFault as fault:
            log.warning("keys were refused", request_id=exchange.request_id, fault=str(fault))
            raise ApiError(403, "The keys were not taken.", "consent_ended") from None
        return Reply(200, orjson.dumps({"connection": given["id"]}))
