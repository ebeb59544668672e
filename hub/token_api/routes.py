"""The routes of the operators' and the affiliates' APIs, and of their OpenAPI documents."""

from __future__ import annotations

from functools import cache
from typing import Final

import orjson

from hub.acts.act import Act
from hub.acts.table import AFFILIATES_API, OPERATORS_API
from hub.config.sections import ServerSettings
from hub.config.settings import Settings
from hub.http.router import Route, get
from hub.http.static_files import resource_of
from hub.mail.outbox import Outbox
from hub.merchant_api.openapi.groups import ANY_ORIGIN, SHORT, group_routes
from hub.merchant_api.services import Services
from hub.platform_sync.access import Platforms
from hub.token_api.answers import Answers
from hub.token_api.document import describe
from hub.token_api.pipeline import TokenPipeline
from hub.token_api.services import TokenServices

ADMIN_ROOT: Final = "/api/admin/v1"
AFFILIATE_ROOT: Final = "/api/affiliate/v1"
APIS: Final[dict[str, tuple[str, tuple[Act, ...]]]] = {
    ADMIN_ROOT: ("admin", OPERATORS_API),
    AFFILIATE_ROOT: ("affiliate", AFFILIATES_API),
}
"""The kind of each API's scopes and its acts, by its root."""


def token_routes(shared: Services, settings: Settings, platforms: Platforms, outbox: Outbox) -> list[Route]:
    """Return a route for each act, and one for each document; the documents need no token."""
    services, routes = TokenServices(shared, settings, platforms, outbox), []
    described_apis, answers = descriptions(settings.server), Answers(shared.store, services.sealer)
    for root, (kind, acts) in APIS.items():
        routes += [Route(a.method, root + a.path, TokenPipeline(a, root, kind, services, answers).serve) for a in acts]
        described = resource_of(
            described_apis[kind],
            "application/json; charset=utf-8",
            SHORT,
            ANY_ORIGIN,
        )
        routes += get(f"{root}/openapi.json", described.serve)
        routes += group_routes(root, described_apis[kind], sorted({act.tag for act in acts}))
    return routes


def descriptions(server: ServerSettings) -> dict[str, bytes]:
    """Return the OpenAPI document of each API by its kind, as JSON; its server is the public address, if any."""
    public = server.public_url.rstrip("/") if server.is_public_url_configured else ""
    return {kind: _document(root, public) for root, (kind, _) in APIS.items()}


@cache
def _document(root: str, public: str) -> bytes:
    """Return the document of an API as it is served; to look one up by its acts would hash them all."""
    kind, acts = APIS[root]
    return orjson.dumps(describe(kind, public + root, acts))
