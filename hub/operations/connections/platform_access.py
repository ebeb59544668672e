"""The access to a connection's platform: credentials given and deleted, readings asked for, webhooks looked at."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TypedDict

import orjson

from hub.domain.connectors.reconciliation import BACKFILL_DAYS, DAY_MS, LONGEST_DAYS, next_night
from hub.domain.connectors.requests import Requests
from hub.domain.instants import format_instant
from hub.ids import new_id
from hub.operations.checks import checked_duration
from hub.operations.connections.access_end import delete_access
from hub.operations.connections.connections import connection_row
from hub.operations.connections.credentials import checked_credentials, checked_site, refuse_currency
from hub.operations.connections.signing_secrets import keep_signing_secret
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.outbound.platform_client import PlatformFault
from hub.platform_sync.access import SHORT, Access, Platforms
from hub.platform_sync.no_access import NoAccess
from hub.platform_sync.webhooks import KeptWebhooks, keep_webhooks, remove_webhooks
from hub.storage import Row, Tx


class GivenCredentials(TypedDict):
    """Credentials that the platform took: whose they are, and what begins now."""

    id: str
    shop: str
    currency: str
    missingPermissions: list[str]
    webhooksMade: list[str]
    webhookFault: str | None
    reads: list[str]


async def give_credentials(
    platforms: Platforms, connection_id: str, typed: Mapping[str, str], *, days: int = BACKFILL_DAYS,
    signed_with: str = "", tokens: Mapping[str, str] | None = None,
) -> GivenCredentials:  # fmt: skip
    """Check credentials by a harmless request and store them; make the webhooks, and begin to read the last `days`.

    Without `days` nothing from before is read, and the certain point is now. Credentials that are given anew go on from
    the certain point. `signed_with` is a secret with which the platform signs deliveries, which becomes one of the
    connection's, `tokens` what was granted beside them. Raise `InvalidFields` for values that cannot be right,
    `OperatorFault` if the platform refuses them, for another shop, and for a currency that the hub cannot keep.
    """
    row = await _row(platforms, connection_id)
    requests = await _requests(platforms, row)
    values = checked_credentials(requests, typed) | dict(tokens or {})
    if not 0 <= days <= LONGEST_DAYS:
        raise OperatorFault(f"Read at most {LONGEST_DAYS} days from before the connection.")
    access = Access(row["account_id"], connection_id, row, requests, values)
    try:
        async with platforms.session(connection_id, requests, values, budget=SHORT) as client:
            shop = await client.identity()
            missing = await client.missing_scopes()
    except PlatformFault as fault:
        raise OperatorFault(f"The credentials were not stored. {fault}") from None
    refuse_currency(shop)
    site = checked_site(shop, row["source"])
    reads = await _store(platforms, access, days, signed_with or values.get(requests.signs_with, ""), site)
    kept, hook_fault = await _hooks_or_fault(platforms, access)
    return {
        "id": connection_id,
        "shop": shop.name or shop.site,
        "currency": shop.currency,
        "missingPermissions": list(missing),
        "webhooksMade": kept,
        "webhookFault": hook_fault,
        "reads": reads,
    }


async def keep_keys(platforms: Platforms, connection_id: str, given: Mapping[str, str]) -> None:
    """Store the credentials that a shop has handed over by itself, and begin to read what was before.

    The shop waits for the answer, so they are not tried now: the first reading finds out whether they work. Raise
    `InvalidFields` for values that cannot be right, `OperatorFault` if the connector cannot ask its platform.
    """
    row = await _row(platforms, connection_id)
    requests = await _requests(platforms, row)
    access = Access(row["account_id"], connection_id, row, requests, checked_credentials(requests, given))
    await _store(platforms, access, BACKFILL_DAYS, "", None)


async def delete_credentials(platforms: Platforms, connection_id: str) -> KeptWebhooks:
    """Delete a connection's webhooks on its platform, if it still lets the hub, and its credentials here.

    Raise `OperatorFault` if the connection is unknown or has none.
    """
    row = await _row(platforms, connection_id)
    access = await _access(platforms, row)
    removed = await remove_from_platform(platforms, access)
    async with platforms.store.write() as tx:
        now = platforms.clock()
        await delete_access(tx, row["account_id"], connection_id, "The credentials were deleted.", now)
        await note_act(tx, now, "connection.credentials-deleted", connection_id, after={"webhooksDeleted": removed})
    return {"webhooks": [], "made": [], "deleted": [str(removed)]}


async def leave_platform(platforms: Platforms, connection_id: str) -> None:
    """Delete a connection's webhooks on its platform, if it has credentials and the platform still lets the hub."""
    async with platforms.store.read() as tx:
        row = await connection_row(tx, connection_id)
    with suppress(NoAccess):
        await remove_from_platform(platforms, await platforms.load(row["account_id"], connection_id))


async def remove_from_platform(platforms: Platforms, access: Access) -> int:
    """Delete a connection's webhooks on its platform; return how many, 0 if it does not let the hub any more."""
    try:
        async with platforms.session(access.connection_id, access.requests, access.values, budget=SHORT) as client:
            return await remove_webhooks(platforms, access, client)
    except PlatformFault:
        return 0


async def ask_for_read(
    platforms: Platforms, connection_id: str, *, since: str | None = None, kind: str = "RECONCILIATION"
) -> str:
    """Have a platform's orders read that changed within a duration such as "3d", or the whole catalogue; return its id.

    Without `since` it begins at the certain point. A reading that waits already is not doubled. Raise `OperatorFault`.
    """
    row = await _row(platforms, connection_id)
    access = await _access(platforms, row)
    now = platforms.clock()
    begin = 0 if kind == "CATALOGUE" else access.row["certain_at"] or now - BACKFILL_DAYS * DAY_MS
    if since is not None and kind != "CATALOGUE":
        back = checked_duration(since, "the time to look back")
        if not 0 < back <= LONGEST_DAYS * DAY_MS:
            raise OperatorFault(f"Look back by more than nothing and at most {LONGEST_DAYS} days.")
        begin = now - back
    _refuse_unlisted(access.requests, kind)
    async with platforms.store.write() as tx:
        await tx.run("hold_connection", **access.key)
        for each in await tx.all("waiting_reads", **access.key):
            if each["kind"] == kind and each["since"] <= begin:
                return str(each["read_id"])
        read_id = await _insert_read(tx, access, kind, begin, now)
        after = {"read": read_id, "kind": kind, "since": format_instant(begin)}
        await note_act(tx, now, "connection.reconciled", connection_id, after=after)
    return read_id


async def look_at_webhooks(platforms: Platforms, connection_id: str) -> KeptWebhooks:
    """Look at a connection's webhooks on its platform, and make anew what is disabled or lost.

    Raise `OperatorFault`.
    """
    access = await _access(platforms, await _row(platforms, connection_id))
    try:
        async with platforms.asked(access) as client:
            kept = await keep_webhooks(platforms, access, client)
    except PlatformFault as fault:
        raise OperatorFault(str(fault)) from None
    async with platforms.store.write() as tx:
        after = {"made": kept["made"], "deleted": kept["deleted"]}
        await note_act(tx, platforms.clock(), "connection.webhooks-kept", connection_id, after=after)
    return kept


async def fetch_again(platforms: Platforms, connection_id: str) -> int:
    """Fetch again now the orders that deliveries only named and that could not be fetched; return how many."""
    row = await _row(platforms, connection_id)
    now = platforms.clock()
    async with platforms.store.write() as tx:
        where = {"account_id": row["account_id"], "connection_id": connection_id}
        revived = await tx.run("revive_fetches", **where, now=now)
        if revived:
            await note_act(tx, now, "connection.fetches-retried", connection_id, after={"fetches": revived})
    return revived


async def _store(platforms: Platforms, access: Access, days: int, signed_with: str, site: str | None) -> list[str]:
    """Store checked credentials, and plan what is read with them; return the ids of the readings."""
    now, names = platforms.clock(), access.requests.secrets
    async with platforms.store.write() as tx:
        before = await tx.one("platform_access_of", **access.key)
        if site is not None:
            await tx.run("keep_connection_source", **access.key, source=site)
        await tx.run("note_consent_fault", **access.key, fault=None, at=None)
        await tx.run(
            "write_platform_access", **access.key, sealed=platforms.sealed(access.connection_id, access.values),
            shown=orjson.dumps({n: v for n, v in access.values.items() if n not in names}).decode(),
            next_at=next_night(now, access.connection_id), now=now,
        )  # fmt: skip
        reads = []
        since = before["certain_at"] if before is not None and before["certain_at"] else now - days * DAY_MS
        kind = "RECONCILIATION" if before is not None and before["certain_at"] else "BACKFILL"
        if access.requests.orders is not None and days:
            reads.append(await _insert_read(tx, access, kind, since, now))
        if access.requests.orders is not None and not days:
            await tx.run("move_certain_point", **access.key, certain_at=now)
        if access.requests.products is not None:
            reads.append(await _insert_read(tx, access, "CATALOGUE", 0, now))
        shown = {n: v for n, v in access.values.items() if n not in names}
        after: dict[str, object] = {"shown": shown, "reads": reads}
        if signed_with:
            after["secret"] = await keep_signing_secret(
                tx, platforms.sealer, access.account_id, access.connection_id, signed_with, now
            )
        await note_act(tx, now, "connection.credentials-given", access.connection_id, after=after)
    return reads


async def _insert_read(tx: Tx, access: Access, kind: str, since: int, now: int) -> str:
    read_id = new_id("rd")
    await tx.run("insert_read", **access.key, read_id=read_id, kind=kind, since=since, now=now)
    return read_id


async def _hooks_or_fault(platforms: Platforms, access: Access) -> tuple[list[str], str | None]:
    try:
        stored = await platforms.load(access.account_id, access.connection_id)
        async with platforms.session(access.connection_id, access.requests, stored.values, budget=SHORT) as client:
            return (await keep_webhooks(platforms, stored, client))["made"], None
    except (PlatformFault, NoAccess) as fault:
        return [], str(fault)


async def _row(platforms: Platforms, connection_id: str) -> Row:
    async with platforms.store.read() as tx:
        row = await connection_row(tx, connection_id)
    if row["status"] != "ACTIVE":
        raise OperatorFault(f"{connection_id} is closed; its platform is not asked any more.")
    return row


async def _requests(platforms: Platforms, row: Row) -> Requests:
    try:
        return await platforms.requests_of(row["connector"])
    except NoAccess as fault:
        raise OperatorFault(str(fault)) from None


async def _access(platforms: Platforms, row: Row) -> Access:
    try:
        return await platforms.load(row["account_id"], row["connection_id"])
    except NoAccess as fault:
        raise OperatorFault(
            str(fault), command=f"Give it some: hub connection credentials {row['connection_id']}"
        ) from None


def _refuse_unlisted(requests: Requests, kind: str) -> None:
    if (requests.products if kind == "CATALOGUE" else requests.orders) is None:
        what = "products" if kind == "CATALOGUE" else "orders"
        raise OperatorFault(f"The platform cannot be asked for its {what}; its connector declares no list of them.")
