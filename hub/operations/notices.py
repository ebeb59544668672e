"""Notices: what people should know, written in the transaction of the act, listed, counted and mailed as they chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.messages.notices import KINDS
from hub.domain.words import NOTICE_MAILS, NoticeMail
from hub.operations.errors import OperatorFault
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.trail import current_actor
from hub.processing import notices
from hub.storage import Row, Store, Tx

MOST_COUNTED: Final = 100
"""How many unread notices are counted beside the names of the left column."""
NOTICES: Final = List("notices")


class NoticeDocument(TypedDict):
    """A notice; times are ms UTC, `readAt` is null for one that is new."""

    id: str
    kind: str
    sentence: str
    address: str
    at: int
    readAt: int | None


async def tell(tx: Tx, now: int, kind: str, subject_id: str, sentence: str, address: str) -> None:
    """Tell everybody of a party what happened, except who does it; see `hub.processing.notices`."""
    await notices.tell(tx, now, kind, subject_id, sentence, address, actor=current_actor().id)


async def notices_part(store: Store, user_id: str, wanted: Wanted) -> Page[NoticeDocument]:
    """Return a part of a person's notices, newest first; raise `CursorFault`."""
    return (await read(store, NOTICES, wanted, within={"user_id": user_id})).of(_document)


async def unread_addresses(store: Store, user_id: str) -> list[str]:
    """Return what a person's unread notices are about, at most `MOST_COUNTED`."""
    async with store.read() as tx:
        return [row["address"] for row in await tx.all("unread_notices", user_id=user_id, limit=MOST_COUNTED)]


async def read_notices(store: Store, clock: Clock, user_id: str) -> None:
    """Mark all notices of a person as read; those that wait for a mail are not mailed any more."""
    async with store.write() as tx:
        await tx.run("read_notices", user_id=user_id, now=clock())


async def choices_of(store: Store, user_id: str) -> dict[str, NoticeMail]:
    """Return how a person gets each kind by mail."""
    async with store.read() as tx:
        chosen = {row["kind"]: row["mail"] for row in await tx.all("notice_choices", user_id=user_id)}
    return {kind: chosen.get(kind, about.mail) for kind, about in KINDS.items()}


async def choose(store: Store, user_id: str, wanted: Mapping[str, str]) -> None:
    """Keep how a person wants kinds mailed; raise `OperatorFault` for a kind or a way that is none."""
    known = {each: each for each in NOTICE_MAILS}
    for kind, mail in wanted.items():
        if kind not in KINDS or mail not in known:
            raise OperatorFault("Choose at once, in the daily mail, or not at all.")
    async with store.write() as tx:
        for kind, mail in wanted.items():
            await tx.run("write_notice_choice", user_id=user_id, kind=kind, mail=mail)


def _document(row: Row) -> NoticeDocument:
    return {"id": row["notice_id"], "kind": row["kind"], "sentence": row["sentence"], "address": row["address"],
            "at": row["created_at"], "readAt": row["read_at"]}  # fmt: skip
