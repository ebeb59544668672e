"""Mails that say what was done to somebody's way in, and to whom else it matters."""

from __future__ import annotations

from typing import TypedDict

from hub.domain.instants import format_instant
from hub.mail.outbox import Mail, Outbox
from hub.operations.trail import current_actor
from hub.storage import Tx


class Addressee(TypedDict):
    """Somebody who gets a mail; a user's document is one."""

    id: str
    email: str
    name: str


async def notify(tx: Tx, now: int, outbox: Outbox, user: Addressee, title: str, sentence: str) -> None:
    """Store a mail that says what was done to a user's way in."""
    await _notice(tx, now, outbox, user["email"], user["id"], title, sentence)


async def tell_of_administrator(tx: Tx, now: int, outbox: Outbox, user: Addressee) -> None:
    """Store a mail to every other operator-admin: there is a new one."""
    sentence = f"{await actor_name(tx)} made {user['name']} ({user['email']}) an administrator of this hub."
    for row in await tx.all("administrators"):
        if row["user_id"] != user["id"]:
            await _notice(tx, now, outbox, row["email"], row["user_id"], "There is a new administrator", sentence)


async def actor_name(tx: Tx) -> str:
    """Return who acts, as a reader of a mail knows them: a person by name and address, else the system user."""
    actor = current_actor()
    rows = await tx.all("user_names", users=[actor.id])
    if not rows:
        return f"{'The token' if actor.source == 'api' else 'The system user'} {actor.id}"
    by_token = "" if actor.token_id is None else f", by the token {actor.token_id},"
    return f"{rows[0]['name']} ({rows[0]['email']}){by_token}"


async def _notice(
    tx: Tx, now: int, outbox: Outbox, recipient: str, user_id: str | None, title: str, sentence: str
) -> None:
    values = {
        "title": title,
        "sentence": sentence,
        "when": f"{format_instant(now)[:16].replace('T', ' ')} UTC",
        "address": current_actor().address or "the hub's own machine",
    }
    await outbox.add(tx, now, Mail(recipient, "notice", values, user_id=user_id))
