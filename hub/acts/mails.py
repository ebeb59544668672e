"""Mails."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import PAGED, choice, text
from hub.domain.words import MAIL_STATUSES
from hub.operations.system.mails import list_mails, retry_mail
from hub.records.mails import MailDocument


async def _mails(c: Call) -> Any:
    return answer(await list_mails(c.store, wanted_of(c, "status", "to")))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/mails", "listMails"), "List mails, newest first", _mails, ListOfEntries(MailDocument),
        query={"status": choice("In this status.", *MAIL_STATUSES),
               "to": text("To this address.", "ann@shop.example"), **PAGED}),
    Act(post("/mails/{mail}/retry", "retryMail"), "Try a mail again",
        lambda c: retry_mail(c.store, c.clock, c.path["mail"]), MailDocument, trail=("mail.retried",),
        commands=("mail retry",), pages=("/operator/mails/retry",)),
)  # fmt: skip
