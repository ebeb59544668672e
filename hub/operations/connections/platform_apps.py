"""The operator's own app on a platform, by which store owners connect in one step."""

from __future__ import annotations

from typing import TypedDict

from attrs import field, frozen

from hub.domain.instants import format_instant
from hub.domain.requests import OAuthConsent
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.platform_sync.access import NoAccess, Platforms, app_identity
from hub.sealing import SealingFault

MOST_CHARACTERS = 500


class AppDocument(TypedDict):
    """An app, without its secret."""

    connector: str
    clientId: str
    changedAt: str


@frozen
class PlatformApp:
    """An app with its secret."""

    client_id: str
    secret: str = field(repr=False)


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
    async with platforms.store.read() as tx:
        row = await tx.one("platform_app_of", connector=connector)
    if row is None:
        raise OperatorFault(
            f"The operator has no app for {connector} here. Type the store's own credentials instead, or have it set.",
            command=f"To set it: hub connection app set {connector}",
        )
    try:
        secret = platforms.sealer.open(row["sealed"], app_identity(connector)).decode()
    except SealingFault as fault:
        raise OperatorFault(str(fault)) from None
    return PlatformApp(row["client_id"], secret)
