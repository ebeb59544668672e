"""The operator's own app on a platform, as it is stored: by it stores are connected in one step, and tokens renewed."""

from __future__ import annotations

from attrs import field, frozen

from hub.platform_sync.no_access import NoAccess
from hub.sealing import Sealer, SealingFault
from hub.storage import Store


@frozen
class PlatformApp:
    """An app with its secret."""

    client_id: str
    secret: str = field(repr=False)


def app_identity(connector: str) -> str:
    """Return the name that the secret of the operator's app is sealed under."""
    return f"app:{connector}"


async def app_of(store: Store, sealer: Sealer, connector: str) -> PlatformApp:
    """Return the operator's app on a platform; raise `NoAccess` if there is none."""
    async with store.read() as tx:
        row = await tx.one("platform_app_of", connector=connector)
    if row is None:
        raise NoAccess(
            f"The operator has no app for {connector} here. Type the store's own credentials instead, or have it set."
        )
    try:
        secret = sealer.open(row["sealed"], app_identity(connector)).decode()
    except SealingFault as fault:
        raise NoAccess(str(fault)) from None
    return PlatformApp(row["client_id"], secret)
