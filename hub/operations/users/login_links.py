"""Links that let a person in once: to sign in, to set a new password, or for the first time after an invitation."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final, Literal, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.mail.outbox import Outbox
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.operations.users.introductions import Issuer, issuer_now
from hub.operations.users.notices import actor_name, notify
from hub.operations.users.users import UserDocument, user_named
from hub.storage import Store, Tx

MINUTE_MS: Final = 60_000
LIFETIMES_MS: Final = {"sign-in": 15 * MINUTE_MS, "recovery": 60 * MINUTE_MS, "invitation": 7 * 24 * 60 * MINUTE_MS}
TOKEN_BYTES: Final = 32

Purpose = Literal["sign-in", "recovery", "invitation"]


class LoginLinkDocument(TypedDict):
    """A sign-in link that was just made; `url` works once, until `expiresAt`."""

    userId: str
    email: str
    url: str
    expiresAt: str


@frozen
class MadeLink:
    """A link that was just made and is stored nowhere; `expires_at` is in ms UTC."""

    url: str
    expires_at: int


async def issue_login_link(store: Store, clock: Clock, outbox: Outbox, root: str, reference: str) -> LoginLinkDocument:
    """Make a link that signs a user in once, within 15 minutes, and tell the user; only a digest of it is stored.

    `root` is the public root of the hub's URLs, `reference` an id or an e-mail address. Raise `OperatorFault` if the
    user is unknown or DISABLED.
    """
    now = clock()
    async with store.write() as tx:
        user = await active_user(tx, reference)
        made = await add_link(tx, now, root, user["id"], "sign-in", issuer_now())
        await note_act(tx, now, "user.link-issued", user["id"])
        sentence = f"{await actor_name(tx)} made a link that signs in as you, once, within 15 minutes."
        await notify(tx, now, outbox, user, "A sign-in link was made for you", sentence)
    return {"userId": user["id"], "email": user["email"], "url": made.url, "expiresAt": format_instant(made.expires_at)}


async def add_link(tx: Tx, now: int, root: str, user_id: str, purpose: Purpose, issuer: Issuer | None) -> MadeLink:
    """Store a link for a user in this transaction and return it; `issuer` is None for one that the user asked for."""
    token, expires_at = secrets.token_urlsafe(TOKEN_BYTES), now + LIFETIMES_MS[purpose]
    await tx.run(
        "insert_login_link", token_hash=token_digest(token), user_id=user_id, expires_at=expires_at, purpose=purpose,
        issued_by=None if issuer is None else issuer.id, token_id=None if issuer is None else issuer.token_id,
    )  # fmt: skip
    return MadeLink(f"{root.rstrip('/')}/login/link/{token}", expires_at)


async def active_user(tx: Tx, reference: str) -> UserDocument:
    """Return the user with this id or e-mail address; raise `OperatorFault` if it is unknown or DISABLED."""
    user = await user_named(tx, reference)
    if user["status"] != "ACTIVE":
        raise OperatorFault(
            f"{user['email']} is {user['status']}.", command=f"Enable it first: hub user enable {user['id']}"
        )
    return user


def token_digest(token: str) -> str:
    """Return the digest under which a random token is stored; a fast one is enough for 256 random bits."""
    return sha256(token.encode()).hexdigest()
