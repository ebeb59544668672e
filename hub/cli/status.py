"""`hub status`: whether the hub keeps up, as the operator's first page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hub.cli.invocation import FAULT, Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.audits.system_health import HealthDocument


@click.command()
@invoked
def status(invocation: Invocation) -> None:
    """Show whether the hub keeps up and what needs attention.

    What waits and what failed, the processes, the disk, the last run of `hub audit`, and each problem with the command
    that shows it and the section of the docs that fixes it. Exit status 1 while there is a problem.
    """
    from hub.operations.audits.system_health import system_health

    settings = invocation.settings()
    found = invocation.with_store(lambda store: system_health(store, system_clock, settings), settings)
    print_result(invocation, found, lambda: _show(found))
    if found["troubles"]:
        click.get_current_context().exit(FAULT)


def _show(health: HealthDocument) -> None:
    audit, disk = health["audit"], health["disk"]
    fields = {
        "messages waiting": health["waiting"],
        "oldest waits": f"{health['oldestWaitingSeconds']:.0f} s",
        "failed": health["stuck"]["failed"],
        "parked": health["stuck"]["parked"],
        "last audit": "never" if audit is None else f"{audit['finishedAt']}, {audit['violations']} violations",
        **({} if audit is None or audit["followedAt"] is None else {"of what changed since": audit["followedAt"]}),
        "free on disk": None if disk is None else f"{disk['freeBytes'] >> 20:,} MiB",
        "database": f"{health['database']}, schema {health['schemaVersion']}",
    }
    show_fields(f"Hub {health['version']}", fields)
    rows = ((node["nodeId"], node["serves"], node["startedAt"], node["seenAt"]) for node in health["nodes"])
    show_table(["process", "serves", "started", "seen"], rows, "No process serves this database.")
    for trouble in health["troublesNow"]:
        click.secho(trouble["sentence"], fg="red", bold=trouble["isUrgent"])
        since = "" if trouble["since"] is None else f"since {trouble['since']}; "
        shown = "" if trouble["command"] == "hub status" else f"`{trouble['command']}`, "
        say(f"  {since}see {shown}docs/{trouble['runbook'].replace('#', '.md#')}")
    if not health["troubles"]:
        say("Nothing is late and nothing failed.")
