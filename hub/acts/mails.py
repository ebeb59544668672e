"""Mails."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.call import Call, newest
from hub.acts.fields import PAGED, choice, text
from hub.domain.words import MAIL_STATUSES
from hub.operations.system.mails import MailDocument, list_mails, retry_mail


async def _mails(c: Call) -> Any:
    q = c.query
    return await newest(
        c, lambda limit, before: list_mails(c.store, status=q.get("status"), to=q.get("to"), before=before, limit=limit)
    )


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/mails", "listMails"), "List mails, newest first", _mails, ListOfEntries(MailDocument),
        query={"status": choice("In this status.", *MAIL_STATUSES),
               "to": text("To this address.", "ann@shop.example"), **PAGED}),
    Act(post("/mails/{mail}/retry", "retryMail"), "Try a mail again",
        lambda c: retry_mail(c.store, c.clock, c.path["mail"]), MailDocument, trail=("mail.retried",),
        commands=("mail retry",), pages=("/operator/mails/retry",)),
)  # fmt: skip
