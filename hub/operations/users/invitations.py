"""Invitations: somebody gets a link by mail that lets them in for the first time, or register what they bring along."""

from __future__ import annotations

import secrets
from typing import Final, Literal, TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.domain.words import PARTY_KINDS, ShopPlatform
from hub.mail.outbox import Mail, Outbox
from hub.operations.checks import checked_email
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.operations.users.introductions import Issuer, issuer_now
from hub.operations.users.login_links import LIFETIMES_MS, MadeLink, add_link, token_digest
from hub.operations.users.notices import tell_of_administrator
from hub.operations.users.user_roles import add_granted, role_text
from hub.operations.users.users import NewUser, UserDocument, add_user, email_key, is_administrator, user_of
from hub.storage import Store, Tx

TOKEN_BYTES: Final = 32

Registration = Literal["off", "invited", "open"]


class InvitationDocument(TypedDict):
    """An invitation; `url` is its link if the hub did not mail it, `userId` null if the guest is still to register."""

    userId: str | None
    email: str
    mailed: bool
    url: str | None
    expiresAt: str | None


async def invite(
    store: Store, clock: Clock, outbox: Outbox, root: str, wanted: NewUser, *, inviter: str, registration: str
) -> InvitationDocument:
    """Invite a person to a role: a new user gets a link for a week, one who exists gets the role and a notice.

    A merchant's or affiliate's user without an id is invited to register one. `inviter` is who invites, in words.
    Raise `OperatorFault` for a bad value, for a role that the user has, and while registration is off.
    """
    async with store.write() as tx:
        now, email = clock(), checked_email(wanted.email)
        if wanted.role in PARTY_KINDS and not (wanted.merchant_id or wanted.affiliate_id):
            return await _invite_to_register(tx, now, outbox, root, wanted.role, email, inviter, registration)
        row = await tx.one("user_by_email", email_key=email_key(email))
        if row is not None:
            user = await add_granted(tx, now, outbox, await user_of(tx, row["user_id"]), wanted)
            return {"userId": user["id"], "email": email, "mailed": outbox.is_on, "url": None, "expiresAt": None}
        user = await add_user(tx, now, wanted)
        made = await add_link(tx, now, root, user["id"], "invitation", issuer_now())
        await note_act(tx, now, "user.invited", user["id"])
        if is_administrator(user):
            await tell_of_administrator(tx, now, outbox, user)
        values = {"place": _place(user), "inviter": inviter, "role": f"as {await role_text(tx, user['roles'][0])}"}
        return await _sent(tx, now, outbox, Mail(email, "invitation", values, made.url, made.expires_at, user["id"]))


async def _invite_to_register(
    tx: Tx, now: int, outbox: Outbox, root: str, kind: str, email: str, inviter: str, registration: str
) -> InvitationDocument:
    if registration == "off":
        raise OperatorFault(
            f"Nobody may register as {_a(kind)} here while the setting people.registration is off: name the {kind} "
            "that they are to join."
        )
    made = await add_registration(tx, now, root, email, kind, invited_by=inviter, issuer=issuer_now())
    await note_act(tx, now, "registration.invited", email, after={"kind": kind})
    values = {"place": "register", "inviter": inviter, "role": f"as {_a(kind)}"}
    return await _sent(tx, now, outbox, Mail(email, "invitation", values, made.url, made.expires_at))


async def add_registration(
    tx: Tx,
    now: int,
    root: str,
    email: str,
    kind: str,
    *,
    name: str | None = None,
    currency: str | None = None,
    platform: ShopPlatform | None = None,
    account_id: str | None = None,
    invited_by: str | None = None,
    issuer: Issuer | None = None,
) -> MadeLink:
    """Store that somebody may register with an e-mail address, and return the link that proves it is theirs."""
    token, expires_at = secrets.token_urlsafe(TOKEN_BYTES), now + LIFETIMES_MS["invitation"]
    await tx.run(
        "insert_registration",
        token_hash=token_digest(token),
        email=email,
        kind=kind,
        name=name,
        currency=currency,
        platform=platform,
        account_id=account_id,
        invited_by=invited_by,
        issued_by=None if issuer is None else issuer.id,
        token_id=None if issuer is None else issuer.token_id,
        expires_at=expires_at,
    )
    return MadeLink(f"{root.rstrip('/')}/register/{token}", expires_at)


async def _sent(tx: Tx, now: int, outbox: Outbox, mail: Mail) -> InvitationDocument:
    mailed = await outbox.add(tx, now, mail) is not None
    return {
        "userId": mail.user_id,
        "email": mail.recipient,
        "mailed": mailed,
        "url": None if mailed else mail.link,
        "expiresAt": None if mail.expires_at is None else format_instant(mail.expires_at),
    }


def _place(user: UserDocument) -> str:
    return "a merchant's pages" if user["roles"][0]["role"] == "merchant" else "this affiliate hub"


def _a(kind: str) -> str:
    return "an affiliate" if kind == "affiliate" else f"a {kind}"
