"""`hub mail`: the mails that the hub sends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import AskedPart, part_options
from hub.cli.output import show_table
from hub.domain.instants import format_instant
from hub.domain.words import MAIL_STATUSES

if TYPE_CHECKING:
    from hub.records.mails import MailDocument
    from hub.storage import Store


@click.group()
def mail() -> None:
    """Show emails that were sent, are waiting or were given up."""


@mail.command(name="list")
@click.option("--status", type=click.Choice(MAIL_STATUSES), help="Only these.")
@click.option("--to", metavar="EMAIL", help="Only those to this address.")
@part_options
@invoked
def list_(
    invocation: Invocation,
    *,
    status: str | None,
    to: str | None,
    part: AskedPart,
) -> None:
    """List mails, newest first, with the reason if one could not be sent.

    A table has 100 rows and says if there are more; --json prints all of them unless --limit is given.
    """
    from hub.operations.system.mails import MAILS, newest_mails

    async def read(store: Store) -> Sequence[MailDocument]:
        filters = {"status": status, "to": to}
        return await newest_mails(store, part.wanted(invocation, MAILS, "mail", filters))

    part.print(invocation, invocation.with_store(read), _show_list)


def _show_list(found: Sequence[MailDocument]) -> None:
    rows = ((m.id, m.status, m.to, m.template, m.attempts, format_instant(m.created_at), m.fault) for m in found)
    show_table(["id", "status", "to", "mail", "attempts", "since", "why"], rows, "There are no mails.")


mail.add_command(
    ActCommand("retry", "mails.retryMail", "Try a mail again at once that waits or was given up.",
               "{id} to {to} is tried again now.", Takes(on={"mail": Value("", metavar="ID")}))
)  # fmt: skip
