"""A secret that was just made, shown to the session that made it until that has stored it, for ten minutes at most.

A page that makes a key leads on to another page that shows the secret, so that a reload neither makes a second key nor
loses the secret of the first. The secret itself is where it always is, sealed; here is only who may look.
"""

from __future__ import annotations

import json
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.connectors.deliveries import secret_identity
from hub.operations.connections.connections import ConnectionAdmin, connection_row
from hub.sealing import Sealer
from hub.storage import Store

SHOWN_MS: Final = 10 * 60_000


@frozen(eq=False)
class FreshSecrets:
    """Who may look at which new secret."""

    store: Store
    sealer: Sealer
    clock: Clock

    async def show(self, session_id: str, subject_id: str) -> None:
        """Let a session look at a secret from now on."""
        now = self.clock()
        async with self.store.write() as tx:
            await tx.run("forget_shown_secrets", now=now)
            await tx.run("show_secret", session_id=session_id, subject_id=subject_id, ends_at=now + SHOWN_MS)

    async def hide(self, session_id: str, subject_id: str) -> None:
        """End that, because the person has stored the secret."""
        async with self.store.write() as tx:
            await tx.run("hide_secret", session_id=session_id, subject_id=subject_id)

    async def may_look(self, session_id: str, subject_id: str) -> bool:
        """Return whether the session may still look."""
        async with self.store.read() as tx:
            row = await tx.one("shown_secret", session_id=session_id, subject_id=subject_id, now=self.clock())
        return row is not None

    async def of_key(self, session_id: str, account_id: str, key_id: str) -> str | None:
        """Return the secret of an account's key, None if the session may not look at it."""
        if not await self.may_look(session_id, key_id):
            return None
        async with self.store.read() as tx:
            row = await tx.one("sealed_key", account_id=account_id, key_id=key_id)
        return None if row is None else self.sealer.open(row["sealed_secret"], key_id).decode()

    async def of_connection(self, session_id: str, admin: ConnectionAdmin, connection_id: str) -> str | None:
        """Return the newest secret of a connection, None if the session may not look at it."""
        async with self.store.read() as tx:
            secrets = json.loads((await connection_row(tx, connection_id))["secrets"])
        for each in reversed(secrets):
            if await self.may_look(session_id, each["id"]):
                return admin.sealer.open(each["sealed"], secret_identity(connection_id, each["id"])).decode()
        return None
