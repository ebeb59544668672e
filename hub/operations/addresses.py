"""Where the hub's links answer, for commands that run beside a server and do not know what port it found."""

from __future__ import annotations

from hub.config.settings import ServerSettings
from hub.storage import Store

PUBLIC_URL = "public_url"


async def note_public_root(store: Store, public_url: str) -> None:
    """Remembers where the server that has just begun to listen is reached."""
    async with store.write() as tx:
        await tx.run("note_address", name=PUBLIC_URL, address=public_url)


async def public_root(store: Store, server: ServerSettings) -> str:
    """The root of links: as configured, else where a server last listened, else where one would."""
    if server.is_public_url_configured:
        return server.public_url
    async with store.read() as tx:
        row = await tx.one("noted_address", name=PUBLIC_URL)
    return server.public_url if row is None else str(row["address"])
