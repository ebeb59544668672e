"""The outbox as operators see it: what was sent, what waits and why, and what is tried again."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.words import MAIL_STATUSES
from hub.operations.errors import OperatorFault, unknown
from hub.operations.trail import note_act
from hub.storage import Row, Store, Tx

BEFORE_ALL: Final = "mail_z"
"""Sorts behind every id of a mail, whose digits are hexadecimal."""


class MailDocument(TypedDict):
    """A mail, without its link; `fault` is why the last attempt failed, `dueAt` when the next one is."""

    id: str
    to: str
    template: str
    status: str
    attempts: int
    createdAt: str
    dueAt: str | None
    finishedAt: str | None
    fault: str | None


async def list_mails(
    store: Store, *, status: str | None = None, to: str | None = None, before: str | None = None, limit: int = 100
) -> list[MailDocument]:
    """Return at most `limit` mails, newest first, those older than the one with the id `before` if it is given.

    `to` is an e-mail address in any case. Raise `OperatorFault` for an unknown status.
    """
    if status is not None and status not in MAIL_STATUSES:
        raise OperatorFault(f"{status!r} is not a status of mails; write one of {', '.join(MAIL_STATUSES)}.")
    async with store.read() as tx:
        rows = await _rows(tx, before=before or BEFORE_ALL, status=status, to=to, limit=limit)
    return [_document(row) for row in rows]


async def retry_mail(store: Store, clock: Clock, mail_id: str) -> MailDocument:
    """Make a mail due at once; raise `OperatorFault` if it is unknown, was sent, or its link has expired."""
    async with store.write() as tx:
        now = clock()
        row = await _mail(tx, mail_id)
        if row["status"] == "SENT":
            raise OperatorFault(f"{mail_id} was sent at {format_instant(row['finished_at'])}.")
        if row["expires_at"] is not None and (row["expires_at"] <= now or not row["has_link"]):
            raise OperatorFault(
                f"The link of {mail_id} has expired; make a new one.",
                command="`hub user login-link` makes one to sign in.",
            )
        await tx.run("retry_mail", mail_id=mail_id, now=now)
        before, after = _document(row), _document(await _mail(tx, mail_id))
        await note_act(tx, now, "mail.retried", mail_id, before=before, after=after)
        return after


async def _mail(tx: Tx, mail_id: str) -> Row:
    rows = await _rows(tx, mail_id=mail_id, limit=1)
    if not rows:
        raise unknown("mail", mail_id, command="`hub mail list` shows them.")
    return rows[0]


async def _rows(
    tx: Tx,
    *,
    before: str = BEFORE_ALL,
    status: str | None = None,
    to: str | None = None,
    mail_id: str | None = None,
    limit: int,
) -> list[Row]:
    recipient = None if to is None else to.strip().lower()
    return await tx.all("mails_listed", before=before, status=status, recipient=recipient, mail_id=mail_id, limit=limit)


def _document(row: Row) -> MailDocument:
    return {
        "id": row["mail_id"],
        "to": row["recipient"],
        "template": row["template"],
        "status": row["status"],
        "attempts": row["attempts"],
        "createdAt": format_instant(row["created_at"]),
        "dueAt": instant_or_none(row["due_at"]),
        "finishedAt": instant_or_none(row["finished_at"]),
        "fault": row["fault"],
    }
