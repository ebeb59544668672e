"""A mail of the hub, as the operator sees it."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.domain.words import MailStatus
from hub.records.orders import NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant


@frozen(kw_only=True)
class MailDocument:
    """A mail, without its link."""

    id: Annotated[str, Note("The hub's id.", "mail_01936f3e8c7a7b3e9d5a4c2b1f0e8d96")]
    to: Annotated[str, Note("The address that it goes to.", "ann@shop.example")]
    template: Annotated[str, Note("What it is about, a word.", "sign-in")]
    status: Annotated[MailStatus, Note("How far it is.", "SENT")]
    attempts: Annotated[int, Note("How often it was tried.", 1)]
    created_at: Annotated[int, Instant("When it was written.", NOON)]
    due_at: Annotated[int | None, Instant("When it is tried next; null if it is not.", "")]
    finished_at: Annotated[int | None, Instant("When it was sent or given up; null until then.", NOON)]
    fault: Annotated[str | None, Note("Why the last attempt failed; null if it did not.")]


def mail_document(row: Row) -> MailDocument:
    """Return the mail of a row of the list `mails` or of `mail_by_id`."""
    return read_row(MailDocument, row, id=row["mail_id"], to=row["recipient"])
