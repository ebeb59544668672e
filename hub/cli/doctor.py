"""`hub doctor`: what is wrong with an installation, and what mends it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from hub.cli.invocation import FAULT, Invocation, invoked
from hub.cli.output import print_result, say
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.audits.doctor import FindingDocument

SHOWN: Final = {"ok": ("ok     ", "green"), "warning": ("look   ", "yellow"), "fault": ("WRONG  ", "red")}


@click.command()
@click.option("--before-start", is_flag=True, help="Before the hub is started: leave out what needs it to serve.")
@invoked
def doctor(invocation: Invocation, before_start: bool) -> None:
    """Say what is wrong with this installation and how to fix it.

    Looks at the public address as strangers reach it, proxy, certificate, clock, disk, keys, database, connections,
    schema, plugins, mail server, and every trouble of the running hub. Changes and sends nothing. Exit status 1 if
    something is wrong.
    """
    from hub.operations.audits.doctor import examine, finding_document

    found = asyncio.run(examine(invocation.settings(), system_clock, serves=not before_start))
    documents = [finding_document(each) for each in found]
    print_result(invocation, documents, lambda: show_findings(documents))
    if any(each["state"] == "fault" for each in documents):
        click.get_current_context().exit(FAULT)


def show_findings(found: Sequence[FindingDocument]) -> None:
    """Print the findings, each with its mend."""
    for each in found:
        word, colour = SHOWN[each["state"]]
        click.secho(f"{word}{each['part']}: {each['sentence']}", fg=colour)
        if each["state"] != "ok":
            name, _, section = (each["runbook"] or "").partition("#")
            say(f"         {each['mend'] or ''} See docs/{name}.md{section and '#'}{section}".replace("  See", " See"))
    wrong = sum(each["state"] == "fault" for each in found)
    say(f"{wrong} wrong." if wrong else "Nothing is wrong.")
