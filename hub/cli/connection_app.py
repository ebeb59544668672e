"""`hub connection app`: the operator's own apps on platforms, by which store owners connect in one step."""

from __future__ import annotations

from typing import TextIO

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.cli.services import over_call


@click.group()
def app() -> None:
    """Manage the network's own apps on platforms, with which store owners connect in one step."""


@app.command(name="set")
@click.argument("connector", metavar="CONNECTOR")
@click.option("--client-id", required=True, metavar="ID", help="The app's client id.")
@click.option(
    "--secret", "file", required=True, type=click.File(), help="A file (- for standard input) with the client secret."
)
@invoked
def set_(invocation: Invocation, *, connector: str, client_id: str, file: TextIO) -> None:
    """Store an app; its secret is sealed and never shown again."""
    from hub.operations.connections.platform_apps import set_app

    secret = file.read().strip()
    done = over_call(
        invocation, lambda call: set_app(call.services.platforms, connector, client_id, secret), seals=True
    )
    print_result(invocation, done, lambda: say(f"Stores on {connector} can be connected by the app {client_id}."))


@app.command(name="list")
@invoked
def list_(invocation: Invocation) -> None:
    """List the apps, without their secrets."""
    from hub.operations.connections.platform_apps import list_apps

    found = over_call(invocation, lambda call: list_apps(call.services.platforms))
    rows = ((each["connector"], each["clientId"], each["changedAt"]) for each in found)
    print_result(invocation, found, lambda: show_table(["connector", "client id", "changed"], rows, "There are none."))


@app.command()
@click.argument("connector", metavar="CONNECTOR")
@invoked
def delete(invocation: Invocation, connector: str) -> None:
    """Delete an app here; connected stores stay connected."""
    from hub.operations.connections.platform_apps import delete_app

    over_call(invocation, lambda call: delete_app(call.services.platforms, connector))
    print_result(invocation, {"connector": connector}, lambda: say(f"The app of {connector} is deleted here."))
