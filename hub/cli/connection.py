"""`hub connection`: a store on a platform, its secrets, and whether its deliveries arrive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hub.cli.connection_app import app
from hub.cli.connection_platform import (
    catalogue,
    credentials,
    fetch,
    last_look,
    over_platforms,
    platform,
    reconcile,
    webhooks,
)
from hub.cli.invocation import FAULT, Fault, Invocation, invoked
from hub.cli.output import named, print_result, say, show_fields, show_table
from hub.cli.output_files import write_whole
from hub.clock import system_clock
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.connections.connections import ConnectionAdmin
    from hub.records.connections import ConnectionCheckDocument
    from hub.storage import Store

T = TypeVar("T")


@click.group()
def connection() -> None:
    """Connect a store and check whether its deliveries arrive."""


for each in (app, catalogue, credentials, fetch, last_look, platform, reconcile, webhooks):
    connection.add_command(each)


@connection.command()
@click.option("--merchant", "merchant_id", required=True, metavar="ID", help="Whose store.")
@click.option("--mode", required=True, type=click.Choice(MODES), help="Live needs an APPROVED merchant.")
@click.option("--connector", required=True, metavar="NAME", help="The platform: shopify, woocommerce, …")
@click.option("--secret", "secrets", multiple=True, metavar="S", help="The platform's secret; may be repeated.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="A setting of the connector; may be repeated.")
@click.option("--title", metavar="TEXT", help="A name to recognise it by.")
@invoked
def create(invocation: Invocation, **wanted: Any) -> None:
    """Connect a store; a secret that the hub issues is shown once."""
    from hub.operations.connections.connections import NewConnection, create_connection

    made = _with_admin(invocation, lambda admin: create_connection(admin, NewConnection(**wanted)), seals=True)

    def human() -> None:
        show_fields(made["id"], {"URL": made["url"], "secret": made["secret"] or "not issued by the hub"})
        for number, step in enumerate(made["steps"], 1):
            say(f"  {number}. {step}")
        if made["secret"]:
            say("Keep the secret now; it is never shown again.")

    print_result(invocation, made, human)


@connection.command(name="list")
@click.option("--merchant", "merchant_id", metavar="ID", help="Only this merchant's.")
@invoked
def list_(invocation: Invocation, merchant_id: str | None) -> None:
    """List connections, newest first."""
    from hub.operations.connections.connections import list_connections

    found = _with_admin(invocation, lambda admin: list_connections(admin, merchant_id))
    rows = ((c.id, c.connector, c.title, named(c.merchant_id, c.merchant_name), c.mode, c.status) for c in found)
    empty = "There are no connections yet. Create one: hub connection create --merchant … --mode test --connector …"
    print_result(
        invocation,
        found,
        lambda: show_table(["connection", "connector", "title", "merchant", "mode", "status"], rows, empty),
    )


@connection.command()
@click.argument("connection_id", metavar="ID")
@invoked
def show(invocation: Invocation, connection_id: str) -> None:
    """Show a connection and the steps for its platform."""
    from hub.operations.connections.connections import show_connection
    from hub.records.wire import write

    found = _with_admin(invocation, lambda admin: show_connection(admin, connection_id))

    def human() -> None:
        shown = write(found)
        plain = {
            name: shown[name]
            for name in ("url", "connector", "title", "merchantId", "merchantName", "mode", "status", "createdAt")
        }
        show_fields(found.id, {**plain, "options": [f"{k}={v}" for k, v in found.options.items()]})
        rows = ((s["id"], s["createdAt"], s["expiresAt"]) for s in shown["secrets"])
        show_table(["secret", "created", "ends"], rows, "It has no secret yet.")
        for number, step in enumerate(found.steps, 1):
            say(f"  {number}. {step}")
        for erasure in shown["erasures"]:
            keep = f"hub connection keep {found.id}"
            say(f"Everything from this store is erased at {erasure['dueAt']}; to cancel that: {keep}")

    print_result(invocation, found, human)


@connection.command()
@invoked
def erasures(invocation: Invocation) -> None:
    """List requests to erase everything of a connection.

    Each waits a day; `hub connection keep` revokes it.
    """
    from hub.operations.system.erasures import list_erasures

    found = _with_admin(invocation, lambda admin: list_erasures(admin.store))
    rows = (
        (e.connection_id, e.subject, format_instant(e.requested_at), format_instant(e.due_at), e.event_id)
        for e in found
    )
    columns = ["connection", "subject", "requested", "due", "event"]
    print_result(invocation, found, lambda: show_table(columns, rows, "No request to erase a connection waits."))


@connection.command()
@click.argument("connection_id", metavar="ID")
@invoked
def keep(invocation: Invocation, connection_id: str) -> None:
    """Revoke the requests to erase everything of a connection."""
    from hub.operations.connections.connections import keep_connection

    ended = _with_admin(invocation, lambda admin: keep_connection(admin, connection_id))
    print_result(invocation, ended, lambda: say(f"{ended['revoked']} revoked; nothing of {connection_id} is erased."))


@connection.command()
@click.argument("connection_id", metavar="ID")
@invoked
def check(invocation: Invocation, connection_id: str) -> None:
    """Show what has arrived and what is missing.

    Exit status 1 if something is missing.
    """
    from hub.operations.connections.connection_check import check_connection

    found = _with_admin(invocation, lambda admin: check_connection(admin, connection_id))
    print_result(invocation, found, lambda: _show_check(found))
    if found.problems:
        click.get_current_context().exit(FAULT)


@connection.command()
@click.argument("connection_id", metavar="ID")
@invoked
def close(invocation: Invocation, connection_id: str) -> None:
    """Close a connection, whose deliveries are then refused."""
    from hub.operations.connections.connections import close_connection
    from hub.operations.connections.platform_access import leave_platform

    over_platforms(invocation, lambda platforms: leave_platform(platforms, connection_id))
    ended = _with_admin(invocation, lambda admin: close_connection(admin, connection_id))
    print_result(invocation, ended, lambda: say(f"{connection_id} is closed since {instant_or_none(ended.closed_at)}."))


@connection.command()
@click.argument("connection_id", metavar="ID")
@click.argument("address", metavar="SITE", required=False)
@click.option("--any", "anything", is_flag=True, help="The one that the next delivery names.")
@invoked
def site(invocation: Invocation, connection_id: str, address: str | None, *, anything: bool) -> None:
    """Say which site a connection's deliveries come from, after a shop has moved; all others are refused."""
    from hub.operations.connections.connections import change_site

    if (address is None) != anything:
        raise Fault("Give the site's address, or --any.")
    kept = _with_admin(invocation, lambda admin: change_site(admin, connection_id, address))
    shown = kept.site or "the one that the next delivery names"
    print_result(invocation, kept, lambda: say(f"{connection_id} takes deliveries of {shown}."))


@connection.command()
@click.argument("connection_id", metavar="ID")
@click.option("--output", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@invoked
def package(invocation: Invocation, connection_id: str, output: Path) -> None:
    """Write the file that the store owner installs.

    It contains the connection's secret.
    """
    from hub.operations.connections.connection_packages import package_connection

    name, content = _with_admin(invocation, lambda admin: package_connection(admin, connection_id))
    write_whole(output, content)
    made = {"id": connection_id, "name": name, "output": str(output), "bytes": len(content)}
    print_result(
        invocation, made, lambda: say(f"{output} is written ({name}, {len(content):,} bytes). It contains the secret.")
    )


@connection.group()
def secret() -> None:
    """Change a connection's secret without a gap.

    Add the new secret, enter it on the platform, then expire the old one.
    """


@secret.command()
@click.argument("connection_id", metavar="ID")
@click.option("--secret", "given", metavar="S", help="The platform's secret (default: the hub issues one).")
@invoked
def add(invocation: Invocation, connection_id: str, given: str | None) -> None:
    """Add a secret; the existing ones keep working."""
    from hub.operations.connections.connections import add_secret

    made = _with_admin(invocation, lambda admin: add_secret(admin, connection_id, given), seals=True)

    def human() -> None:
        show_fields(made["secretId"], {"connection": made["id"], "secret": made["secret"] or "as given"})
        if made["secret"]:
            say("Keep the secret now; it is never shown again.")

    print_result(invocation, made, human)


@secret.command()
@click.argument("connection_id", metavar="ID")
@click.argument("secret_id", metavar="SECRETID")
@click.option("--after", metavar="DURATION", help="End it later, like 24h from now (default: at once).")
@invoked
def expire(invocation: Invocation, connection_id: str, secret_id: str, after: str | None) -> None:
    """End a secret, at once or later."""
    from hub.operations.connections.connections import expire_secret

    ended = _with_admin(invocation, lambda admin: expire_secret(admin, connection_id, secret_id, after))
    print_result(invocation, ended, lambda: say(f"{secret_id} ends at {ended['expiresAt']}."))


def _with_admin(invocation: Invocation, act: Callable[[ConnectionAdmin], Awaitable[T]], *, seals: bool = False) -> T:
    """Run an act on connections; one that seals secrets needs the master key that the processes have."""
    from hub.operations.affiliates.links import public_root
    from hub.operations.connections.connections import ConnectionAdmin
    from hub.operations.system.master_keys import require_sealing_key
    from hub.operations.system.plugins import plugin_host_for
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)

    async def run(store: Store) -> T:
        if seals:
            await require_sealing_key(store, sealer, system_clock)
        root = await public_root(store, settings.server)
        plugins = plugin_host_for(settings.plugins, settings.private_files, serves=False)
        try:
            return await act(ConnectionAdmin(store, sealer, plugins, system_clock, root))
        finally:
            await plugins.close()

    return invocation.with_store(run, settings)


def _show_check(found: ConnectionCheckDocument) -> None:
    rows = (
        (
            t.topic,
            t.deliveries,
            [f"{n} {s}" for s, n in t.outcomes.items()],
            format_instant(t.first_at),
            format_instant(t.last_at),
        )
        for t in found.topics
    )
    show_table(["topic", "deliveries", "outcomes", "first", "last"], rows, "Nothing has arrived yet.")
    if found.ok:
        click.secho("All is well.", fg="green", bold=True)
    for problem in found.problems:
        click.secho("! ", fg="red", bold=True, nl=False)
        say(problem)
    for note in found.notes:
        say(f"- {note}")
