"""What a connection's platform is asked with, and what came of it, in one document."""

from __future__ import annotations

import orjson

from hub.domain.connectors.request_logins import KeyConsent, OAuthConsent
from hub.domain.connectors.requests import Requests
from hub.domain.instants import format_instant, instant_or_none
from hub.operations.connections.connections import connection_row
from hub.operations.connections.credentials import consent_places
from hub.operations.connections.platform_documents import (
    CredentialField,
    PlatformDocument,
    credential_field,
    fetch_documents,
    read_documents,
    shown_hooks,
)
from hub.platform_sync.access import Platforms
from hub.platform_sync.no_access import NoAccess


async def show_platform(platforms: Platforms, connection_id: str) -> PlatformDocument:
    """Return what a connection's platform is asked with, and what came of it; raise `OperatorFault` if unknown."""
    async with platforms.store.read() as tx:
        row = await connection_row(tx, connection_id)
        where = {"account_id": row["account_id"], "connection_id": connection_id}
        access = await tx.one("platform_access_of", **where)
        app = await tx.one("platform_app_of", connector=row["connector"])
        reads = await read_documents(tx, **where)
        fetches = await fetch_documents(tx, **where)
    try:
        requests = await platforms.requests_of(row["connector"])
    except NoAccess:
        requests = None
    shown = {} if access is None else orjson.loads(access["shown"])
    return {
        "id": connection_id,
        "canAsk": requests is not None,
        "hasCredentials": access is not None,
        "fields": [credential_field(each, shown) for each in requests.credentials if each.is_typed] if requests else [],
        "consent": _consent(requests),
        "consentReady": _consent(requests) == "keys" or (_consent(requests) == "oauth" and app is not None),
        "consentFields": _consent_fields(requests, shown),
        "consentFault": row["consent_fault"],
        "consentFaultSince": instant_or_none(row["consent_fault_at"]),
        "readsOrders": requests is not None and requests.orders is not None,
        "readsProducts": requests is not None and requests.products is not None,
        "readsEvery": 0 if requests is None else requests.reads_every,
        "checkedAt": None if access is None else format_instant(access["checked_at"]),
        "fault": None if access is None else access["fault"],
        "faultSince": None if access is None else instant_or_none(access["fault_at"]),
        "certainUntil": None if access is None or not access["certain_at"] else format_instant(access["certain_at"]),
        "nextAt": None if access is None else format_instant(access["next_at"]),
        "webhooks": [] if access is None else shown_hooks(access),
        "webhooksWanted": list(requests.webhooks.topics) if requests and requests.webhooks else [],
        "webhooksAt": None if access is None else instant_or_none(access["hooks_at"]),
        "lastLook": None if access is None or requests is None or requests.order is None else access["last_look"],
        "reads": reads,
        "fetches": fetches,
    }


def _consent_fields(requests: Requests | None, shown: dict[str, str]) -> list[CredentialField]:
    names = () if requests is None else consent_places(requests)
    return [credential_field(each, shown) for each in requests.credentials if each.name in names] if requests else []


def _consent(requests: Requests | None) -> str | None:
    consent = None if requests is None else requests.consent
    return "keys" if isinstance(consent, KeyConsent) else "oauth" if isinstance(consent, OAuthConsent) else None
