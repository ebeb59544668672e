"""Mails that warn an affiliate: to its address, to those it had, and to its people, so that no thief silences them."""

from __future__ import annotations

from hub.domain.instants import format_instant
from hub.mail.outbox import Mail, Outbox
from hub.operations.trail import current_actor
from hub.processing.timed_jobs import ADDRESSES_KEPT_MS
from hub.storage import Tx


async def warn_affiliate(tx: Tx, now: int, outbox: Outbox, affiliate_id: str, title: str, sentence: str) -> None:
    """Store a mail to every address that an affiliate and its people have, or had within 30 days.

    Whoever takes an affiliate over changes its address first and where its money goes next (issue 27, finding 4).
    """
    values = {
        "title": title,
        "sentence": sentence,
        "when": f"{format_instant(now)[:16].replace('T', ' ')} UTC",
        "address": current_actor().address or "the hub's own machine",
    }
    rows = await tx.all("recipients_of_affiliate", affiliate_id=affiliate_id, since=now - ADDRESSES_KEPT_MS)
    for recipient in {row["email"].lower(): row["email"] for row in rows}.values():
        await outbox.add(tx, now, Mail(recipient, "notice", values))
