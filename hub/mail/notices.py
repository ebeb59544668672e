"""Notices that are due, gathered into one mail for each person."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from hub.domain.messages.notices import STALE_MS
from hub.mail.outbox import Mail, Outbox
from hub.storage import Row, Store

GATHERED: Final = 500
"""How many due notices one round makes mails of."""
SAID: Final = 20
"""A mail says so many sentences; the page has the rest."""
PAGE: Final = "/account/notices"


async def gather_notices(store: Store, outbox: Outbox, root: str, now: int) -> int:
    """Store one mail for each person with due notices; return how many mails. Those that are old are only shown.

    A process that ends before the commit has mailed nothing, and of two processes one gets each notice.
    """
    async with store.read() as tx:
        due = await tx.all("due_notices", now=now, limit=GATHERED)
    if not due:
        return 0
    async with store.write() as tx:
        claimed = await tx.all("claim_notices", notices=[row["notice_id"] for row in due])
        mine = {row["notice_id"] for row in claimed}
        fresh = [row for row in due if row["notice_id"] in mine and row["created_at"] > now - STALE_MS]
        mails = [list(rows) for _, rows in groupby(fresh, key=lambda row: row["user_id"])]
        for rows in mails:
            await outbox.add(tx, now, _mail(rows, root.rstrip("/")))
        return len(mails)


def _mail(rows: Sequence[Row], root: str) -> Mail:
    first = rows[0]
    if len(rows) == 1:
        title, said, address = first["sentence"].removesuffix("."), "", first["address"]
    else:
        title, address = f"You have {len(rows)} notices", PAGE
        sentences = [row["sentence"] for row in rows[:SAID]]
        said = " | ".join(sentences + [f"And {len(rows) - SAID} more."] * (len(rows) > SAID))
    values = {"title": title, "sentences": said, "choose": f"{root}{PAGE}"}
    return Mail(first["email"], "notices", values, f"{root}{address}", user_id=first["user_id"])
