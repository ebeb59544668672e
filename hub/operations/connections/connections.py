"""Connections: a platform's store bound to an account, with secrets that are changed without a gap."""

from __future__ import annotations

import json
import secrets
import string
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from attrs import field, frozen

from hub.clock import Clock
from hub.domain.connectors.deliveries import MOST_SECRETS, secret_fault, site_of
from hub.domain.instants import format_instant
from hub.ids import new_id
from hub.operations.checks import checked_duration, checked_name
from hub.operations.connections.access_end import end_access
from hub.operations.connections.connection_documents import (
    AddedSecret,
    CreatedConnection,
    ExpiredSecret,
    platform_steps,
)
from hub.operations.connections.connectors import checked_options, connector_named, named_in, refuse_foreign_addresses
from hub.operations.errors import OperatorFault, known, unknown
from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, every, read
from hub.operations.references import account_of
from hub.operations.system.erasures import KeptConnection, erasures_of, revoke_erasures
from hub.operations.trail import note_act
from hub.platform_sync.connection_secrets import StoredSecret, live_secrets, sealed_secret
from hub.plugin_host.catalog import Declaration
from hub.plugin_host.translation import Plugins
from hub.records.connections import ConnectionDocument, ConnectionWithSteps, connection_document, read_connection
from hub.sealing import Sealer
from hub.storage import Row, Store, Tx

SECRET_LETTERS = string.ascii_letters + string.digits

Changed = TypeVar("Changed")
CONNECTIONS: Final = List("connections")


@frozen
class NewConnection:
    """A connection as an operator types it; `options` are "name=value" texts."""

    merchant_id: str
    mode: str
    connector: str
    secrets: Sequence[str] = field(default=(), repr=False)
    options: Sequence[str] = ()
    title: str | None = None


@frozen
class ConnectionAdmin:
    """What the acts on connections work with; `root` is the public root of the hub's URLs."""

    store: Store
    sealer: Sealer
    plugins: Plugins
    clock: Clock
    root: str

    def url(self, connection_id: str) -> str:
        """Return the URL to which a platform sends a connection's deliveries."""
        return f"{self.root}/connect/{connection_id}"


async def create_connection(admin: ConnectionAdmin, wanted: NewConnection) -> CreatedConnection:
    """Connect a store; the result is the only place where a secret that the hub issues is shown.

    If the platform makes its own secret and none is given, the connection waits for `hub connection secret add`. Raise
    `OperatorFault` for a value that cannot be used, and for a live connection of a merchant that is not APPROVED.
    """
    connector = await connector_named(admin.plugins, wanted.connector)
    if not connector.connects:
        raise OperatorFault(f"The connector {connector.name} takes no deliveries of its own; use the v1 webhooks.")
    options = await checked_options(admin.plugins, connector, wanted.options)
    given = list(dict.fromkeys(checked_secret(connector, text) for text in wanted.secrets))
    issued = issue_secret(connector.secret_length) if connector.issues_secret and not given else None
    connection_id, now = new_id("con"), admin.clock()
    stored = [sealed_secret(admin.sealer, connection_id, text, now) for text in ([issued] if issued else given)]
    async with admin.store.write() as tx:
        account = await account_of(tx, wanted.merchant_id, wanted.mode)
        _refuse_live(account, wanted.mode)
        refuse_foreign_addresses(options, account["domains"])
        await tx.run("insert_connection_route", connection_id=connection_id, account_id=account["account_id"])
        await tx.run(
            "insert_connection",
            account_id=account["account_id"],
            connection_id=connection_id,
            connector=connector.name,
            title=None if wanted.title is None else checked_name(wanted.title),
            secrets=json.dumps(stored),
            options=json.dumps(options),
            link_parameters=json.dumps(connector.link_parameters) if connector.link_parameters else None,
            now=now,
        )
        await note_act(tx, now, "connection.created", connection_id, after=await _stored(admin, tx, connection_id))
    url = admin.url(connection_id)
    steps = list(platform_steps(connector, connection_id, url, issued, has_secret=bool(stored)))
    return {"id": connection_id, "url": url, "secret": issued, "steps": steps}


async def connections_part(admin: ConnectionAdmin, wanted: Wanted) -> Page[ConnectionDocument]:
    """Return a part of the connections, newest first; raise `OperatorFault` for an unknown merchant or cursor."""
    async with admin.store.read() as tx:
        found = await read(tx, CONNECTIONS, await with_ids(tx, wanted))
    return found.of(lambda row: connection_document(row, admin.url(row["connection_id"])))


async def list_connections(admin: ConnectionAdmin, merchant_id: str | None) -> list[ConnectionDocument]:
    """Return the connections of all merchants or of one, newest first; raise `OperatorFault` if it is unknown."""
    async with admin.store.read() as tx:
        wanted = await with_ids(tx, Wanted({"merchant": merchant_id}))
    rows = every(admin.store, CONNECTIONS, wanted)
    return [connection_document(row, admin.url(row["connection_id"])) async for row in rows]


async def show_connection(admin: ConnectionAdmin, connection_id: str) -> ConnectionWithSteps:
    """Return one connection with the steps for its platform; raise `OperatorFault` if it is unknown."""
    async with admin.store.read() as tx:
        row = await connection_row(tx, connection_id)
        erasures = await erasures_of(tx, connection_id)
    connector = (await admin.plugins.catalog()).named(row["connector"])
    url, has_secret = admin.url(connection_id), bool(json.loads(row["secrets"]))
    steps = platform_steps(connector, connection_id, url, None, has_secret=has_secret) if connector else []
    return read_connection(ConnectionWithSteps, row, url, steps=steps, erasures=erasures)


async def add_secret(admin: ConnectionAdmin, connection_id: str, given: str | None) -> AddedSecret:
    """Add a secret beside those that are live; the hub issues and returns one if none is given.

    Raise `OperatorFault` if the connection is unknown or has too many live secrets, or the secret cannot be used.
    """
    now, catalog = admin.clock(), await admin.plugins.catalog()

    def add(row: Row, stored: list[StoredSecret]) -> tuple[list[StoredSecret], AddedSecret]:
        connector = named_in(catalog, row["connector"])
        if given is None and not connector.issues_secret:
            raise OperatorFault(
                f"{connector.title} makes the secret itself: copy it from there and give it.",
                command="At the terminal: --secret …",
            )
        live = live_secrets(stored, now)
        refuse_one_more(connection_id, live)
        issued = issue_secret(connector.secret_length) if given is None else None
        text = issued or checked_secret(connector, given or "")
        new = sealed_secret(admin.sealer, connection_id, text, now)
        return [*live, new], {"id": connection_id, "secretId": new["id"], "secret": issued}

    return await _change_secrets(admin, connection_id, "connection.secret-added", add)


async def expire_secret(admin: ConnectionAdmin, connection_id: str, secret_id: str, after: str | None) -> ExpiredSecret:
    """End a secret, at once or after a duration such as "24h".

    Raise `OperatorFault` if the connection or the secret is unknown, or if it is the last secret without an end.
    """
    ends_at = admin.clock() + (0 if after is None else checked_duration(after, "a secret's end"))

    def expire(_: Row, stored: list[StoredSecret]) -> tuple[list[StoredSecret], ExpiredSecret]:
        if not any(each["id"] == secret_id for each in stored):
            raise unknown("secret", secret_id, command=f"`hub connection show {connection_id}` lists them.")
        if not any(each["id"] != secret_id and each["expiresAt"] is None for each in stored):
            raise OperatorFault(
                f"{secret_id} is the last secret without an end; add the new one first.",
                command=f"To add one: hub connection secret add {connection_id}",
            )
        changed: list[StoredSecret] = [
            {**each, "expiresAt": ends_at} if each["id"] == secret_id else each for each in stored
        ]
        return changed, {"id": connection_id, "secretId": secret_id, "expiresAt": format_instant(ends_at)}

    return await _change_secrets(admin, connection_id, "connection.secret-expired", expire)


async def keep_connection(admin: ConnectionAdmin, connection_id: str) -> KeptConnection:
    """Revoke the requests to erase everything of a connection; raise `OperatorFault` if it is unknown."""
    async with admin.store.write() as tx:
        row, now = await connection_row(tx, connection_id), admin.clock()
        kept = await revoke_erasures(tx, row["account_id"], connection_id, now)
        if kept["revoked"]:
            await note_act(tx, now, "connection.erasure_revoked", connection_id, after={"revoked": kept["revoked"]})
        return kept


async def change_site(admin: ConnectionAdmin, connection_id: str, site: str | None) -> ConnectionDocument:
    """Say which site a connection's deliveries come from; None: the next one that a delivery names.

    Raise `OperatorFault` if the connection is unknown, or the site is no address.
    """
    named = None if site is None else site_of(site)
    if site is not None and (named is None or " " in named):
        raise OperatorFault(f"{site!r} is not a site; write its address, such as https://shop.example")
    async with admin.store.write() as tx:
        row, now = await connection_row(tx, connection_id), admin.clock()
        before = connection_document(row, admin.url(connection_id))
        where = {"account_id": row["account_id"], "connection_id": connection_id}
        await tx.run("change_connection_source", **where, source=named)
        after = await _stored(admin, tx, connection_id)
        await note_act(tx, now, "connection.site_changed", connection_id, before=before, after=after)
        return after


async def close_connection(admin: ConnectionAdmin, connection_id: str) -> ConnectionDocument:
    """Close a connection: its deliveries are refused and its credentials deleted; closing it again changes nothing.

    Raise `OperatorFault` if it is unknown.
    """
    async with admin.store.write() as tx:
        row, now = await connection_row(tx, connection_id), admin.clock()
        before = connection_document(row, admin.url(connection_id))
        where = {"account_id": row["account_id"], "connection_id": connection_id}
        await tx.run("close_connection", **where, now=now)
        await end_access(tx, row["account_id"], connection_id, now)
        after = await _stored(admin, tx, connection_id)
        await note_act(tx, now, "connection.closed", connection_id, before=before, after=after)
        return after


async def connection_row(tx: Tx, connection_id: str) -> Row:
    """Return a connection's row of `connection_anywhere`; raise `OperatorFault` if it is unknown."""
    row = await tx.one("connection_anywhere", connection_id=connection_id)
    return known(row, "connection", connection_id, command="`hub connection list` shows them all.")


def checked_secret(connector: Declaration, text: str) -> str:
    """Return a secret that the connector's platform can sign with; raise `OperatorFault` for any other."""
    if connector.auth is not None and (fault := secret_fault(connector.auth, text)) is not None:
        raise OperatorFault(f"The secret {fault}.")
    return text


def refuse_one_more(connection_id: str, live: Sequence[StoredSecret]) -> None:
    """Raise `OperatorFault` if a connection has as many live secrets as it may."""
    if len(live) >= MOST_SECRETS:
        raise OperatorFault(f"{connection_id} has {MOST_SECRETS} live secrets; expire one first.")


def issue_secret(length: int) -> str:
    """Return a new secret that any admin screen takes: letters and digits."""
    return "".join(secrets.choice(SECRET_LETTERS) for _ in range(length))


async def _change_secrets(
    admin: ConnectionAdmin,
    connection_id: str,
    act: str,
    change: Callable[[Row, list[StoredSecret]], tuple[list[StoredSecret], Changed]],
) -> Changed:
    async with admin.store.write() as tx:
        row = await connection_row(tx, connection_id)
        await tx.run("hold_connection", account_id=row["account_id"], connection_id=connection_id)
        row = await connection_row(tx, connection_id)
        before = connection_document(row, admin.url(connection_id))
        stored, changed = change(row, json.loads(row["secrets"]))
        where = {"account_id": row["account_id"], "connection_id": connection_id}
        await tx.run("write_connection_secrets", **where, secrets=json.dumps(stored))
        after = await _stored(admin, tx, connection_id)
        await note_act(tx, admin.clock(), act, connection_id, before=before, after=after)
    return changed


async def _stored(admin: ConnectionAdmin, tx: Tx, connection_id: str) -> ConnectionDocument:
    return connection_document(await connection_row(tx, connection_id), admin.url(connection_id))


def _refuse_live(account: Row, mode: str) -> None:
    if mode == "live" and account["status"] != "APPROVED":
        raise OperatorFault(
            f"A live connection needs an APPROVED merchant, and {account['merchant_id']} is {account['status']}.",
            command=f"Approve it first: hub merchant approve {account['merchant_id']}",
        )
