"""The outbox as operators see it: what was sent, what waits and why, and what is tried again."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.operations.errors import OperatorFault, known
from hub.operations.lists import List, Page, Wanted, first_rows, read
from hub.operations.trail import note_act
from hub.records.mails import MailDocument, mail_document
from hub.storage import Row, Store, Tx

MAILS: Final = List("mails")


async def list_mails(store: Store, wanted: Wanted) -> Page[MailDocument]:
    """Return a part of the mails by `status` and `to`, an e-mail address in any case; raise `CursorFault`."""
    return (await read(store, MAILS, _led(wanted))).of(mail_document)


async def newest_mails(store: Store, wanted: Wanted) -> list[MailDocument]:
    """Return the first mails of what is wanted, however many have to be looked through for them."""
    return [mail_document(row) for row in await first_rows(store, MAILS, _led(wanted))]


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
        before, after = mail_document(row), mail_document(await _mail(tx, mail_id))
        await note_act(tx, now, "mail.retried", mail_id, before=before, after=after)
        return after


def _led(wanted: Wanted) -> Wanted:
    filters = dict(wanted.filters)
    to = filters.pop("to", None)
    return evolve(wanted, filters={**filters, "recipient": None if to is None else str(to).strip().lower()})


async def _mail(tx: Tx, mail_id: str) -> Row:
    row = await tx.one("mail_by_id", mail_id=mail_id)
    return known(row, "mail", mail_id, command="`hub mail list` shows them.")
