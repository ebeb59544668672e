"""The operator's own app on a platform, by which store owners connect in one step."""

from __future__ import annotations

from typing import TypedDict

from hub.domain.connectors.request_logins import OAuthConsent
from hub.domain.instants import format_instant
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.platform_sync.access import Platforms
from hub.platform_sync.apps import PlatformApp, app_identity
from hub.platform_sync.apps import app_of as stored_app
from hub.platform_sync.no_access import NoAccess

MOST_CHARACTERS = 500


class AppDocument(TypedDict):
    """An app, without its secret."""

    connector: str
    clientId: str
    changedAt: str


async def set_app(platforms: Platforms, connector: str, client_id: str, secret: str) -> AppDocument:
    """Store the operator's app on a platform, its secret sealed; raise `OperatorFault`."""
    try:
        requests = await platforms.requests_of(connector)
    except NoAccess as fault:
        raise OperatorFault(str(fault)) from None
    if not isinstance(requests.consent, OAuthConsent):
        raise OperatorFault(f"The platform of {connector} installs no apps; store owners type their keys.")
    for text in (client_id, secret):
        if not text or len(text) > MOST_CHARACTERS or not text.isprintable() or " " in text:
            raise OperatorFault("The client id and the client secret are printable texts without spaces.")
    now = platforms.clock()
    sealed = platforms.sealer.seal(secret.encode(), app_identity(connector))
    async with platforms.store.write() as tx:
        await tx.run("write_platform_app", connector=connector, client_id=client_id, sealed=sealed, now=now)
        await note_act(tx, now, "app.set", connector, after={"clientId": client_id})
    return {"connector": connector, "clientId": client_id, "changedAt": format_instant(now)}


async def delete_app(platforms: Platforms, connector: str) -> None:
    """Delete the operator's app on a platform; stores that are connected stay so. Raise `OperatorFault`."""
    now = platforms.clock()
    async with platforms.store.write() as tx:
        if not await tx.run("delete_platform_app", connector=connector):
            raise OperatorFault(f"There is no app for {connector}.", command="`hub connection app list` shows them.")
        await note_act(tx, now, "app.deleted", connector)


async def list_apps(platforms: Platforms) -> list[AppDocument]:
    """Return the operator's apps."""
    async with platforms.store.read() as tx:
        rows = await tx.all("platform_apps_listed")
    return [
        {"connector": row["connector"], "clientId": row["client_id"], "changedAt": format_instant(row["changed_at"])}
        for row in rows
    ]


async def app_of(platforms: Platforms, connector: str) -> PlatformApp:
    """Return the operator's app on a platform; raise `OperatorFault` if there is none."""
    try:
        return await stored_app(platforms.store, platforms.sealer, connector)
    except NoAccess as fault:
        raise OperatorFault(str(fault), command=f"To set it: hub connection app set {connector}") from None
