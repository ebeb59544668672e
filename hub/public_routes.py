"""Every route of the public address, and what this process forgets once one of them has changed something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Final

from aiohttp import web
from attrs import evolve

from hub.bounds import build_click_limits, build_delivery_limits
from hub.http.router import PathValues, Route, Router
from hub.merchant_api.description import description_routes
from hub.merchant_api.routes import API_ROOT, api_routes
from hub.observability.health import HealthEndpoints
from hub.pages.routes import people_routes
from hub.parts import Parts
from hub.platform_webhooks.connections import ConnectionCache
from hub.platform_webhooks.consents import ConsentCallbacks
from hub.platform_webhooks.endpoint import PlatformWebhooks
from hub.token_api.routes import token_routes
from hub.tracking.capture_page import capture_routes
from hub.tracking.links import LinkCache
from hub.tracking.redirect import ClickRedirect

READS: Final = frozenset({"GET", "HEAD"})
OF_STORES: Final = (
    f"{API_ROOT}/v1/conversions", f"{API_ROOT}/v1/order-status", f"{API_ROOT}/v1/products", f"{API_ROOT}/v1/webhooks/",
    "/connect/",
)  # fmt: skip
"""Where orders, their news and products come in, by the thousand: they change no link, key or connection."""
OF_STRANGERS: Final = ("/login", "/register", "/join/")
"""Where people come in whom nobody knows yet, and who change none of it either."""


def forgetting(routes: Sequence[Route], forget: Callable[[], None]) -> list[Route]:
    """Return the routes; those that may change what this process keeps of the store call `forget` as they answer.

    So whoever pauses a campaign or revokes a key sees it with the next request. Other processes see it two seconds
    later at the latest. A refusal forgets nothing, nor does what strangers may send, so that they cannot make the hub
    look everything up again.
    """
    return [
        route if route.method in READS or route.path.startswith((*OF_STORES, *OF_STRANGERS))
        else _forgetting(route, forget)
        for route in routes
    ]  # fmt: skip


def _forgetting(route: Route, forget: Callable[[], None]) -> Route:
    async def serve(request: web.BaseRequest, values: PathValues) -> web.StreamResponse:
        response = await route.handler(request, values)
        if response.status < HTTPStatus.BAD_REQUEST:
            forget()
        return response

    return evolve(route, handler=serve)


def build_router(parts: Parts, health: HealthEndpoints) -> Router:
    """Return every route of the public address."""
    store, clock, server = parts.store, parts.clock, parts.settings.server
    apart = server.operations is not None
    connections, links = ConnectionCache(store, parts.sealer, clock), LinkCache(store, clock)
    webhooks = PlatformWebhooks(
        parts.services, connections, parts.plugins, root=server.public_url,
        limits=build_delivery_limits(parts.settings.limits), platforms=parts.pages.platforms,
    )  # fmt: skip
    redirect = ClickRedirect(
        links,
        parts.clicks,
        build_click_limits(parts.settings.limits),
        parts.metrics,
        clock,
        parts.services.trusted_proxies,
        visitor_key=parts.sealer.derived_key("visitors"),
        is_disk_short=lambda: parts.disk.is_very_short,
    )

    def forget() -> None:
        for kept in (links, connections, parts.services.keys):
            kept.forget()

    routes = [
        *api_routes(parts.services),
        *webhooks.routes(),
        *ConsentCallbacks(parts.services, parts.pages.platforms).routes(),
        *redirect.routes(),
        *health.public_routes(),
        *([] if apart else health.operations_routes(detailed=False)),
        *description_routes(server.public_url if server.is_public_url_configured else ""),
        *token_routes(parts.services, parts.settings, parts.pages.platforms, parts.pages.outbox),
        *people_routes(parts.pages),
        *capture_routes(parts.settings.server),
        *(parts.agents.routes() if parts.agents is not None else ()),
    ]
    return Router(forgetting(routes, forget))
