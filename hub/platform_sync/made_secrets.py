"""Secrets that a platform makes for a webhook and tells once: kept sealed, and ended a day after their webhook is gone.

A webhook whose secret is not here is of no use, since its deliveries prove nothing: the answer that told it was lost,
or somebody else made the webhook. So each secret is stored with the webhook's id before anything else is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import orjson

from hub.domain.connectors.deliveries import MOST_SECRETS, secret_fault
from hub.domain.connectors.reconciliation import DAY_MS
from hub.outbound.platform_client import PlatformFault
from hub.outbound.platform_hooks import MadeHook
from hub.platform_sync.access import Access, Platforms
from hub.platform_sync.connection_secrets import StoredSecret, live_secrets, sealed_secret
from hub.storage import Tx

LASTS_MS: Final = DAY_MS
"""How long deliveries still count that a webhook sent before it was deleted."""


async def hooks_with_secrets(platforms: Platforms, access: Access) -> frozenset[str]:
    """Return the ids of the webhooks whose secret the hub has, and has not ended."""
    async with platforms.store.read() as tx:
        return frozenset(
            each["webhook"] for each in await _stored(tx, access) if "webhook" in each and each["expiresAt"] is None
        )


async def keep_made_secret(platforms: Platforms, access: Access, made: MadeHook) -> None:
    """Add the secret of a webhook that was just made; raise `PlatformFault` for one that proves nothing.

    Where the connection has as many as it may, the oldest that a platform made for another webhook goes.
    """
    declared = (await platforms.plugins.catalog()).named(access.row["connector"])
    if declared is not None and declared.auth is not None and (why := secret_fault(declared.auth, made.secret)):
        raise PlatformFault(f"The secret that the platform made {why}.")
    now = platforms.clock()
    async with platforms.store.write() as tx:
        await tx.run("hold_connection", **access.key)
        live = live_secrets(await _stored(tx, access), now)
        if len(live) >= MOST_SECRETS:
            oldest = next((each for each in live if "webhook" in each), None)
            if oldest is None:
                raise PlatformFault(f"The connection has {MOST_SECRETS} live secrets; expire one first.")
            live.remove(oldest)
        new = sealed_secret(platforms.sealer, access.connection_id, made.secret, now)
        new["webhook"] = made.hook_id
        await _write(tx, access, [*live, new])


async def end_secrets_without_webhook(platforms: Platforms, access: Access, listed: Collection[str]) -> None:
    """End within a day the secrets of webhooks that the platform has no longer; `listed` are those that it has."""
    ends_at = platforms.clock() + LASTS_MS
    async with platforms.store.write() as tx:
        await tx.run("hold_connection", **access.key)
        stored = await _stored(tx, access)
        made = [each for each in stored if "webhook" in each and each["expiresAt"] is None]
        gone = [each for each in made if each["webhook"] not in listed]
        for each in gone:
            each["expiresAt"] = ends_at
        if gone:
            await _write(tx, access, stored)


async def _stored(tx: Tx, access: Access) -> list[StoredSecret]:
    row = await tx.one("connection_at_door", connection_id=access.connection_id)
    found: list[StoredSecret] = [] if row is None else orjson.loads(row["secrets"])
    return found


async def _write(tx: Tx, access: Access, secrets: Sequence[StoredSecret]) -> None:
    await tx.run("write_connection_secrets", **access.key, secrets=orjson.dumps(secrets).decode())
