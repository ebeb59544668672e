"""The hub itself: its trail, health, settings and clocks, and mails."""

from __future__ import annotations

from typing import Any, Final, TypedDict

import attrs

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import PAGED, choice, instant, text
from hub.config.in_force import settings_in_force
from hub.domain.words import MAIL_STATUSES
from hub.operations.audits.system_health import HealthDocument, system_health
from hub.operations.system.mails import list_mails, retry_mail
from hub.operations.system.nodes import NodeDocument, confirm_clocks, list_nodes
from hub.operations.trail import ActDocument
from hub.operations.trail_lists import list_acts
from hub.records.mails import MailDocument


class SettingDocument(TypedDict):
    """A setting as it is in force; a secret's value is not shown."""

    path: str
    value: str
    origin: str
    meaning: str


class ConfirmedClocks(TypedDict):
    """How many processes wait for their clocks to be trusted again."""

    confirmed: int


async def _trail(c: Call) -> Any:
    return answer(await list_acts(c.store, wanted_of(c, "subject", "actor", "act", "since")))


async def _settings(c: Call) -> Any:
    return {"data": [attrs.asdict(each) for each in settings_in_force(c.services.settings)], "nextCursor": None}


async def _nodes(c: Call) -> Any:
    return {"data": await list_nodes(c.store, c.clock), "nextCursor": None}


async def _confirm(c: Call) -> ConfirmedClocks:
    return {"confirmed": await confirm_clocks(c.store, c.clock)}


async def _mails(c: Call) -> Any:
    return answer(await list_mails(c.store, wanted_of(c, "status", "to")))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/mails", "listMails"), "List mails, newest first", _mails, ListOfEntries(MailDocument),
        query={"status": choice("In this status.", *MAIL_STATUSES),
               "to": text("To this address.", "ann@shop.example"), **PAGED}),
    Act(post("/mails/{mail}/retry", "retryMail"), "Try a mail again",
        lambda c: retry_mail(c.store, c.clock, c.path["mail"]), MailDocument, trail=("mail.retried",),
        commands=("mail retry",), pages=("/operator/mails/retry",)),
    Act(get("/trail", "listActs"), "List who did what, newest first", _trail, ListOfEntries(ActDocument),
        query={"subject": text("To this thing.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
               "actor": text("By this person or token.", "usr_01936f3e8c7a7b3e9d5a4c2b1f0e8d91"),
               "act": text("This act.", "merchant.created"), "since": instant("Since this moment."), **PAGED}),
    Act(get("/health", "getHealth"), "Show how the hub is doing",
        lambda c: system_health(c.store, c.clock, c.services.settings), HealthDocument),
    Act(get("/settings", "listSettings"), "List every setting as it is in force", _settings,
        ListOfEntries(SettingDocument)),
    Act(get("/nodes", "listNodes"), "List the processes that serve", _nodes, ListOfEntries(NodeDocument)),
    Act(post("/clocks/confirm", "confirmClocks"), "Trust the clocks again after they jumped", _confirm,
        ConfirmedClocks, by=(PROVED_ADMINS,), trail=("clock.confirmed",),
        commands=("clock confirm",), pages=("/operator/clocks",)),
)  # fmt: skip
