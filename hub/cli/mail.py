"""`hub mail`: the mails that the hub sends."""

from __future__ import annotations

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_table
from hub.domain.words import MAIL_STATUSES


@click.group()
def mail() -> None:
    """Show mails that were sent, wait, or were given up."""


@mail.command(name="list")
@click.option("--status", type=click.Choice(MAIL_STATUSES), help="Only these.")
@click.option("--to", metavar="EMAIL", help="Only those to this address.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many at most.")
@invoked
def list_(invocation: Invocation, status: str | None, to: str | None, limit: int) -> None:
    """List mails, newest first, with the reason if one could not be sent."""
    from hub.operations.lists import Wanted
    from hub.operations.system.mails import newest_mails

    wanted = Wanted({"status": status, "to": to}, limit)
    found = invocation.with_store(lambda store: newest_mails(store, wanted))
    rows = ((m["id"], m["status"], m["to"], m["template"], m["attempts"], m["createdAt"], m["fault"]) for m in found)
    columns = ["id", "status", "to", "mail", "attempts", "since", "why"]
    print_result(invocation, found, lambda: show_table(columns, rows, "There are no mails."))


mail.add_command(
    ActCommand("retry", "mails.retryMail", "Try a mail again at once that waits or was given up.",
               "{id} to {to} is tried again now.", Takes(on={"mail": Value("", metavar="ID")}))
)  # fmt: skip
