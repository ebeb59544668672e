"""Connections: a store's platform bound to an account, its secrets changed without a gap, and closed."""

from __future__ import annotations

import json
import secrets
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from hub.clock import Clock
from hub.domain.connector import Connector, PackageContext
from hub.domain.deliveries import secret_fault, secret_identity
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.options import OptionsFault, read_options, split_options
from hub.ids import new_id
from hub.operations.checks import checked_duration, checked_name
from hub.operations.documents import Document
from hub.operations.faults import OperatorFault, unknown
from hub.operations.merchants import account_of
from hub.plugin_host.registry import Registry
from hub.sealing import Sealer
from hub.storage import Row, Store, Tx

SECRET_LENGTH = 32
SECRET_LETTERS = string.ascii_letters + string.digits
MOST_SECRETS = 8

Kept = dict[str, Any]
"""A sealed secret as it is stored: id, sealed, createdAt and expiresAt in ms UTC."""


@frozen
class NewConnection:
    """What an operator states of a connection, as typed; `options` are "name=value" texts."""

    merchant_id: str
    mode: str
    connector: str
    secrets: Sequence[str] = field(default=(), repr=False)
    options: Sequence[str] = ()
    title: str | None = None


@frozen
class Switchboard:
    """What the acts work with; `root` is the public root of the hub's URLs."""

    store: Store
    sealer: Sealer
    registry: Registry
    clock: Clock
    root: str

    def url(self, connection_id: str) -> str:
        """Where a connection's deliveries go."""
        return f"{self.root}/connect/{connection_id}"


async def create_connection(board: Switchboard, wanted: NewConnection) -> Document:
    """Connects a store; the answer is the only place where a secret that the hub issues is shown.

    Without a secret, where the platform makes its own, the connection waits for `hub connection secret add`.
    """
    connector = connector_named(board.registry, wanted.connector)
    if connector.auth is None:
        raise OperatorFault(f"The connector {connector.name} takes no deliveries of its own; use the v1 webhooks.")
    options = checked_options(connector, wanted.options)
    given = list(dict.fromkeys(checked_secret(connector, text) for text in wanted.secrets))
    issued = issue_secret() if connector.issues_secret and not given else None
    connection_id, now = new_id("con"), board.clock()
    kept = [sealed(board.sealer, connection_id, text, now) for text in ([issued] if issued else given)]
    async with board.store.write() as tx:
        account = await account_of(tx, wanted.merchant_id, wanted.mode)
        _refuse_live(account, wanted.mode)
        await tx.run("insert_connection_route", connection_id=connection_id, account_id=account["account_id"])
        await tx.run(
            "insert_connection",
            account_id=account["account_id"],
            connection_id=connection_id,
            connector=connector.name,
            title=None if wanted.title is None else checked_name(wanted.title),
            secrets=json.dumps(kept),
            options=json.dumps(options),
            now=now,
        )
    url = board.url(connection_id)
    steps = list(_steps(connector, connection_id, url, issued, has_secret=bool(kept)))
    return {"id": connection_id, "url": url, "secret": issued, "steps": steps}


async def list_connections(board: Switchboard, merchant_id: str | None) -> list[Document]:
    """Connections, newest first; of one merchant where an id is given."""
    async with board.store.read() as tx:
        return [document(board, row) for row in await tx.all("connections_listed", merchant_id=merchant_id)]


async def show_connection(board: Switchboard, connection_id: str) -> Document:
    """One connection with the steps for its platform; raises `OperatorFault` where there is none."""
    async with board.store.read() as tx:
        row = await connection_row(tx, connection_id)
    connector = board.registry.named(row["connector"])
    shown = document(board, row)
    url = board.url(connection_id)
    steps = _steps(connector, connection_id, url, None, has_secret=bool(shown["secrets"])) if connector else ()
    return {**shown, "steps": list(steps)}


async def add_secret(board: Switchboard, connection_id: str, given: str | None) -> Document:
    """Adds a live secret beside the others, issued by the hub where none is given; returns it where it was issued."""
    now = board.clock()

    def add(row: Row, kept: list[Kept]) -> tuple[list[Kept], Document]:
        connector = connector_named(board.registry, row["connector"])
        if given is None and not connector.issues_secret:
            raise OperatorFault(
                f"{connector.title} makes the secret itself: copy it from there and give it: --secret …"
            )
        live = [each for each in kept if each["expiresAt"] is None or each["expiresAt"] > now]
        if len(live) >= MOST_SECRETS:
            raise OperatorFault(f"{connection_id} has {MOST_SECRETS} live secrets; expire one first.")
        issued = issue_secret() if given is None else None
        text = issued or checked_secret(connector, given or "")
        new = sealed(board.sealer, connection_id, text, now)
        return [*live, new], {"id": connection_id, "secretId": new["id"], "secret": issued}

    return await _change_secrets(board, connection_id, add)


async def expire_secret(board: Switchboard, connection_id: str, secret_id: str, after: str | None) -> Document:
    """Ends a secret, at once or after a duration; refuses to end the last one that stays."""
    ends_at = board.clock() + (0 if after is None else checked_duration(after, "a secret's end"))

    def expire(_: Row, kept: list[Kept]) -> tuple[list[Kept], Document]:
        if not any(each["id"] == secret_id for each in kept):
            raise unknown("secret", secret_id, f"`hub connection show {connection_id}` lists them.")
        if not any(each["id"] != secret_id and each["expiresAt"] is None for each in kept):
            raise OperatorFault(
                f"{secret_id} is the last secret without an end; add the new one first: "
                f"hub connection secret add {connection_id}"
            )
        changed = [{**each, "expiresAt": ends_at} if each["id"] == secret_id else each for each in kept]
        return changed, {"id": connection_id, "secretId": secret_id, "expiresAt": format_instant(ends_at)}

    return await _change_secrets(board, connection_id, expire)


async def close_connection(board: Switchboard, connection_id: str) -> Document:
    """Ends a connection: its deliveries are refused from now on; closing it again changes nothing."""
    async with board.store.write() as tx:
        row = await connection_row(tx, connection_id)
        await tx.run("close_connection", account_id=row["account_id"], connection_id=connection_id, now=board.clock())
        return document(board, await connection_row(tx, connection_id))


async def package_connection(board: Switchboard, connection_id: str) -> tuple[str, bytes]:
    """The file that the connector makes for the store owner: its name and its bytes."""
    async with board.store.read() as tx:
        row = await connection_row(tx, connection_id)
    connector = connector_named(board.registry, row["connector"])
    if connector.package is None:
        raise OperatorFault(
            f"{connector.title} needs no package; `hub connection show {connection_id}` says what to do there."
        )
    now = board.clock()
    live = [each for each in json.loads(row["secrets"]) if each["expiresAt"] is None or each["expiresAt"] > now]
    if not live:
        raise OperatorFault(f"{connection_id} has no live secret; add one: hub connection secret add {connection_id}")
    newest = live[-1]
    secret = board.sealer.open(newest["sealed"], secret_identity(connection_id, newest["id"])).decode()
    return connector.package(PackageContext(board.url(connection_id), secret, f"{board.root}/capture.js"))


async def connection_row(tx: Tx, connection_id: str) -> Row:
    """A connection by its id; raises `OperatorFault` where there is none."""
    row = await tx.one("connection_anywhere", connection_id=connection_id)
    if row is None:
        raise unknown("connection", connection_id, "`hub connection list` shows them all.")
    return row


def connector_named(registry: Registry, name: str) -> Connector:
    """An installed connector; raises `OperatorFault` that names those there are."""
    connector = registry.named(name)
    if connector is None:
        names = ", ".join(sorted(each.name for each in registry.connectors if each.auth is not None)) or "none"
        raise unknown("connector", name, f"Installed with deliveries of their own: {names}.")
    return connector


def checked_options(connector: Connector, pairs: Sequence[str]) -> Mapping[str, str]:
    """The options by name, proved against the connector's own class."""
    try:
        given = split_options(tuple(pairs))
        read_options(connector.options, given)
    except OptionsFault as fault:
        raise OperatorFault(str(fault)) from None
    return given


def checked_secret(connector: Connector, text: str) -> str:
    """A secret that the connector's platform can sign with."""
    if connector.auth is not None and (fault := secret_fault(connector.auth, text)) is not None:
        raise OperatorFault(f"The secret {fault}.")
    return text


def issue_secret() -> str:
    """A secret that any admin screen takes: letters and digits."""
    return "".join(secrets.choice(SECRET_LETTERS) for _ in range(SECRET_LENGTH))


def sealed(sealer: Sealer, connection_id: str, secret: str, now: int) -> Kept:
    """A secret as it is stored."""
    secret_id = new_id("sec")
    text = sealer.seal(secret.encode(), secret_identity(connection_id, secret_id))
    return {"id": secret_id, "sealed": text, "createdAt": now, "expiresAt": None}


def document(board: Switchboard, row: Row) -> Document:
    """A connection without its secrets."""
    return {
        "id": row["connection_id"],
        "url": board.url(row["connection_id"]),
        "connector": row["connector"],
        "title": row["title"],
        "merchantId": row["merchant_id"],
        "mode": row["mode"],
        "status": row["status"],
        "options": json.loads(row["options"]),
        "secrets": [
            {"id": e["id"], "createdAt": format_instant(e["createdAt"]), "expiresAt": instant_or_none(e["expiresAt"])}
            for e in json.loads(row["secrets"])
        ],
        "createdAt": format_instant(row["created_at"]),
        "closedAt": instant_or_none(row["closed_at"]),
    }


async def _change_secrets(
    board: Switchboard, connection_id: str, change: Callable[[Row, list[Kept]], tuple[list[Kept], Document]]
) -> Document:
    async with board.store.write() as tx:
        row = await connection_row(tx, connection_id)
        await tx.run("hold_connection", account_id=row["account_id"], connection_id=connection_id)
        row = await connection_row(tx, connection_id)
        kept, told = change(row, json.loads(row["secrets"]))
        await tx.run(
            "write_connection_secrets",
            account_id=row["account_id"],
            connection_id=connection_id,
            secrets=json.dumps(kept),
        )
    return told


def _refuse_live(account: Row, mode: str) -> None:
    if mode == "live" and account["status"] != "APPROVED":
        raise OperatorFault(
            f"A live connection needs an APPROVED merchant, and {account['merchant_id']} is {account['status']}. "
            f"Approve it first: hub merchant approve {account['merchant_id']}"
        )


def _steps(
    connector: Connector, connection_id: str, url: str, secret: str | None, *, has_secret: bool
) -> Sequence[str]:
    filled = {"{url}": url, "{id}": connection_id, "{secret}": secret or "(the secret of this connection)"}
    steps = [_fill(step, filled) for step in connector.steps]
    if not has_secret:
        steps.append(f"Give the hub the secret that the platform shows: hub connection secret add {connection_id}")
    if connector.package is not None and not any("hub connection package" in step for step in steps):
        steps.append(f"Or make the file to install instead: hub connection package {connection_id} --output FILE")
    steps.append(f"Place a test order, then see what arrived: hub connection check {connection_id}")
    return steps


def _fill(step: str, words: Mapping[str, str]) -> str:
    for place, word in words.items():
        step = step.replace(place, word)
    return step
