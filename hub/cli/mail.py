"""`hub mail`: the mails that the hub sends."""

from __future__ import annotations

from typing import Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.lists import PARTS, ListCommand, Listed
from hub.cli.output import Table
from hub.domain.instants import format_instant
from hub.domain.words import MAIL_STATUSES


@click.group()
def mail() -> None:
    """Show emails that were sent, are waiting or were given up."""


def _listed(typed: Typed) -> Listed:
    from hub.operations.system.mails import MAILS, newest_mails

    return Listed(MAILS, "mail", newest_mails, typed)


MAILS: Final = Table(
    ["id", "status", "to", "mail", "attempts", "since", "why"],
    lambda m: (m.id, m.status, m.to, m.template, m.attempts, format_instant(m.created_at), m.fault),
    "There are no mails.",
)

mail.add_command(
    ListCommand(
        "list",
        f"List mails, newest first, with the reason if one could not be sent.\n\n{PARTS}",
        MAILS, _listed,
        [click.Option(["--status"], type=click.Choice(MAIL_STATUSES), help="Only these."),
         click.Option(["--to"], metavar="EMAIL", help="Only those to this address.")],
    )
)  # fmt: skip
mail.add_command(
    ActCommand("retry", "system.retryMail", "Try a mail again at once that waits or was given up.",
               "{id} to {to} is tried again now.", Takes(on={"mail": Value("", metavar="ID")}))
)  # fmt: skip
