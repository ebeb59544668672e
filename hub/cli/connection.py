"""`hub connection`: a store on a platform, its secrets, and whether its deliveries arrive."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.connection_app import app
from hub.cli.connection_platform import COMMANDS
from hub.cli.invocation import FAULT, Invocation, invoked
from hub.cli.output import Table, named, print_result, say, show_fields, show_table
from hub.cli.output_files import write_whole
from hub.cli.services import over_call
from hub.domain.instants import format_instant

if TYPE_CHECKING:
    from hub.acts.call import Call
    from hub.operations.connections.connection_documents import AddedSecret, CreatedConnection
    from hub.records.connections import ConnectionCheckDocument, ConnectionDocument, ConnectionWithSteps

CONNECTION: Final = {"connection": Value("", metavar="ID")}
KEEP: Final = "Keep the secret now; it is never shown again."
CONNECTIONS: Final = Table(
    ["connection", "connector", "title", "merchant", "mode", "status"],
    lambda c: (c.id, c.connector, c.title, named(c.merchant_id, c.merchant_name), c.mode, c.status),
    "There are no connections yet. Create one: hub connection create --merchant … --mode test --connector …",
)
ERASURES: Final = Table(
    ["connection", "subject", "requested", "due", "event"],
    lambda e: (e.connection_id, e.subject, format_instant(e.requested_at), format_instant(e.due_at), e.event_id),
    "No erasure request is waiting.",
)


@click.group()
def connection() -> None:
    """Connect a store and check whether its deliveries arrive."""


@connection.command()
@invoked
def erasures(invocation: Invocation) -> None:
    """List requests to erase everything from a store.

    Each waits a day; `hub connection keep` revokes it.
    """
    from hub.operations.system.erasures import list_erasures

    found = invocation.with_store(list_erasures)
    print_result(invocation, found, lambda: ERASURES(found))


@connection.command()
@click.argument("connection_id", metavar="ID")
@invoked
def check(invocation: Invocation, connection_id: str) -> None:
    """Show what has arrived and what is missing.

    Exit status 1 if something is missing.
    """
    from hub.operations.connections.connection_check import check_connection

    async def checked(call: Call) -> ConnectionCheckDocument:
        return await check_connection(await call.connections(), connection_id)

    found = over_call(invocation, checked)
    print_result(invocation, found, lambda: _show_check(found))
    if found.problems:
        click.get_current_context().exit(FAULT)


@connection.command()
@click.argument("connection_id", metavar="ID")
@click.option("--output", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@invoked
def package(invocation: Invocation, connection_id: str, output: Path) -> None:
    """Write the file that the store owner installs.

    It contains the connection's secret.
    """
    from hub.operations.connections.connection_packages import package_connection

    async def packed(call: Call) -> tuple[str, bytes]:
        return await package_connection(await call.connections(), connection_id)

    name, content = over_call(invocation, packed)
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


def _site(typed: Typed) -> dict[str, str]:
    if ("site" in typed) == typed["anything"]:
        raise click.UsageError("Give the site's address, or --any.")
    return {"site": typed["site"]} if "site" in typed else {}


def _show_steps(steps: Sequence[str]) -> None:
    for number, step in enumerate(steps, 1):
        say(f"  {number}. {step}")


def _show_made(made: CreatedConnection) -> None:
    show_fields(made["id"], {"URL": made["url"], "secret": made["secret"] or "not issued by the hub"})
    _show_steps(made["steps"])
    if made["secret"]:
        say(KEEP)


def _show(found: ConnectionWithSteps) -> None:
    from hub.records.wire import write

    shown = write(found)
    names = ("url", "connector", "title", "merchantId", "merchantName", "mode", "status", "createdAt")
    options = [f"{name}={value}" for name, value in found.options.items()]
    show_fields(found.id, {**{name: shown[name] for name in names}, "options": options})
    rows = ((s["id"], s["createdAt"], s["expiresAt"]) for s in shown["secrets"])
    show_table(["secret", "created", "ends"], rows, "It has no secret yet.")
    _show_steps(found.steps)
    for erasure in shown["erasures"]:
        keep = f"hub connection keep {found.id}"
        say(f"Everything from this store is erased at {erasure['dueAt']}; to cancel that: {keep}")


def _say_site(kept: ConnectionDocument) -> None:
    say(f"{kept.id} takes deliveries of {kept.site or 'the one that the next delivery names'}.")


def _show_added(made: AddedSecret) -> None:
    show_fields(made["secretId"], {"connection": made["id"], "secret": made["secret"] or "as given"})
    if made["secret"]:
        say(KEEP)


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


for each in (
    ActCommand("create", "connections.createConnection", "Connect a store; a secret that the hub issues is shown once.",
               _show_made,
               Takes(values={"merchantId": Value("--merchant", "Whose store.", "ID"),
                             "mode": Value("--mode", "Live needs an APPROVED merchant."),
                             "connector": Value("--connector", "The platform: shopify, woocommerce, …", "NAME"),
                             "secrets": Value("--secret", "The platform's secret; may be repeated.", "S"),
                             "options": Value("--option", "A setting of the connector; may be repeated.", "K=V"),
                             "title": Value("--title", "A name to recognise it by.", "TEXT")}),
               seals=True),
    ActCommand("list", "connections.listConnections", "List connections, newest first.", CONNECTIONS,
               Takes(values={"merchant": Value("--merchant", "Only this merchant's.", "ID")})),
    ActCommand("show", "connections.getConnection", "Show a connection and the steps for its platform.", _show,
               Takes(on=CONNECTION)),
    ActCommand("keep", "connections.keepConnection", "Revoke the requests to erase everything from a store.",
               "{revoked} revoked; nothing of {id} is erased.", Takes(on=CONNECTION)),
    ActCommand("close", "connections.closeConnection", "Close a connection, whose deliveries are then refused.",
               "{id} is closed since {closedAt}.", Takes(on=CONNECTION)),
    ActCommand("site", "connections.setConnectionSite",
               "Say which site a connection's deliveries come from, after a shop has moved; all others are refused.",
               _say_site,
               Takes(on=CONNECTION, values={"site": Value("", metavar="SITE")},
                     own=[click.Option(["--any", "anything"], is_flag=True,
                                       help="The one that the next delivery names.")], reads=_site)),
    *COMMANDS,
):  # fmt: skip
    connection.add_command(each)
connection.add_command(app)
for each in (
    ActCommand("add", "connections.addConnectionSecret", "Add a secret; the existing ones keep working.", _show_added,
               Takes(on=CONNECTION, values={"secret": Value("--secret", "The platform's secret (default: the hub "
                                                                        "issues one).", "S")}),
               seals=True),
    ActCommand("expire", "connections.expireConnectionSecret", "End a secret, at once or later.",
               "{secretId} ends at {expiresAt}.",
               Takes(on={**CONNECTION, "secret": Value("", metavar="SECRETID")},
                     values={"after": Value("--after", "End it later, like 24h from now (default: at once).",
                                            "DURATION")})),
):  # fmt: skip
    secret.add_command(each)
