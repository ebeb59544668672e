"""The routes of the pages, and the answer to a request that no route matches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Final

from aiohttp import web

from hub.clock import Clock
from hub.config.settings import Settings
from hub.http.response import Reply
from hub.http.router import PathValues, Route, Router, get
from hub.http.static_files import HTML
from hub.mail.outbox import Outbox
from hub.merchant_api.exchange import conclude, open_exchange
from hub.merchant_api.routes import API_ROOT, NOT_FOUND, NotFound
from hub.merchant_api.services import Services
from hub.operations.affiliates.links import public_root
from hub.operations.files.page_uploads import FileIntake
from hub.operations.merchants.fresh_secrets import FreshSecrets
from hub.outbound.domain_proofs import DomainProofs
from hub.outbound.own_server import OwnServer
from hub.pages import (
    account,
    branding,
    campaigns,
    join,
    login,
    notices,
    passkeys,
    register,
    saved_views,
    security,
    shown_once,
    tokens,
)
from hub.pages.affiliate.routes import affiliate_pages
from hub.pages.docs import docs_pages
from hub.pages.guard import guarded
from hub.pages.merchant.managing import managing_pages
from hub.pages.merchant.reading import reading_pages
from hub.pages.operator.routes import operator_pages
from hub.pages.rendering import (
    DOCS_FILES,
    FONTS,
    HEADERS,
    PASSKEYS_PATH,
    SCRIPT_PATH,
    STYLE_PATH,
    passkeys_script,
    render_text,
    script,
    static_of,
    style,
)
from hub.pages.subscription_areas import subscription_pages
from hub.pages.visit import Page, PageServices
from hub.people.passwords import Passwords
from hub.people.sessions import Sessions
from hub.people.ways_in import ways_in
from hub.platform_sync.access import Platforms
from hub.processing.policy import policy_of
from hub.sealing import Sealer
from hub.storage import Store

JSON_ROOTS: Final = (API_ROOT, "/v1")
"""What programs call: `/v1` alone, by those that left out the root of the API."""


@cache
def all_pages() -> tuple[Page, ...]:
    """Return every page."""
    return (
        *login.PAGES,
        *branding.PAGES,
        *passkeys.PAGES,
        *register.PAGES,
        *account.PAGES,
        *security.PAGES,
        *notices.PAGES,
        *saved_views.PAGES,
        *tokens.PAGES,
        *shown_once.PAGES,
        *subscription_pages(),
        *campaigns.PAGES,
        *join.PAGES,
        *docs_pages(),
        *affiliate_pages(),
        *reading_pages(),
        *managing_pages(),
        *operator_pages(),
    )


def page_services(
    settings: Settings,
    services: Services,
    outbox: Outbox,
    sealer: Sealer,
    platforms: Platforms,
    descriptions: Mapping[str, bytes],
) -> PageServices:
    """Return what the pages work with; `descriptions` are the OpenAPI documents of the APIs with tokens, by kind."""
    store, clock = services.store, services.clock
    sessions, passwords = _sessions(settings, store, clock, sealer), Passwords()
    return PageServices(
        store=store,
        clock=clock,
        sessions=sessions,
        outbox=outbox,
        passwords=passwords,
        ways=ways_in(settings.people, store, clock, outbox, sessions, passwords),
        admission=services.admission,
        metrics=services.metrics,
        trusted_proxies=services.trusted_proxies,
        root=partial(public_root, store, settings.server),
        secure=settings.server.public_url.startswith("https://"),
        links_are_local=settings.server.is_on_every_address and not settings.server.is_public_url_configured,
        sealer=sealer,
        plugins=platforms.plugins,
        platforms=platforms,
        own_server=OwnServer(),
        proofs=DomainProofs(settings.outbound.allowed_networks),
        fresh_secrets=FreshSecrets(store, sealer, clock),
        files=FileIntake(store, clock, services.spool, services.upload_quota),
        uploads=services.uploads,
        most_file_bytes=services.max_upload,
        file_seconds=services.body_timeout,
        policy=policy_of(settings),
        submissions=services.submissions,
        api_keys=services.keys,
        settings=settings,
        descriptions=descriptions,
    )


def _sessions(settings: Settings, store: Store, clock: Clock, sealer: Sealer) -> Sessions:
    key = sealer.derived_key("visitors")
    return Sessions(store, clock, settings.sessions, settings.payouts.second_person_after, key)


def people_routes(pages: PageServices) -> list[Route]:
    """Return the routes of the pages, of their stylesheet and of their scripts."""
    routes = [route for page in all_pages() for route in guarded(pages, page)]
    return [
        *routes,
        *get(STYLE_PATH, style().serve),
        *get(SCRIPT_PATH, script().serve),
        *get(PASSKEYS_PATH, passkeys_script().serve),
        *(route for path in (*DOCS_FILES, *FONTS) for route in get(path, static_of(path).serve)),
    ]


class PageNotFound:
    """Answers requests that no route matches: in the API's form under its root and `/v1`, else with a page."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        self._api = NotFound(services, router)
        self._router = router

    async def serve(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Answer with 404 or 405."""
        if any(request.path == root or request.path.startswith(root + "/") for root in JSON_ROOTS):
            return await self._api.serve(request, path)
        allowed = ", ".join(self._router.methods(request.rel_url.raw_path))
        status, headers = (405, {**HEADERS, "Allow": allowed}) if allowed else (404, HEADERS)
        page = render_text("not_found.html", person=None, csrf="", here="").encode()
        exchange = open_exchange(NOT_FOUND, self._services, request)
        return await conclude(exchange, request, Reply(status, page, headers, content_type=HTML), logged=False)
