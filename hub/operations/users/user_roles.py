"""The roles of users: one person may be an operator, belong to merchants, and be an affiliate, all at once."""

from __future__ import annotations

from typing import Final

from hub.clock import Clock
from hub.mail.outbox import Outbox
from hub.operations.errors import OperatorFault
from hub.operations.references import affiliate_id_of, merchant_id_of
from hub.operations.trail import note_act
from hub.operations.users.administrators import refuse_if_last_administrator
from hub.operations.users.introductions import note_introduction, refuse_token_for_administrators
from hub.operations.users.notices import notify, tell_of_administrator
from hub.operations.users.users import (
    NewUser,
    RoleDocument,
    UserDocument,
    add_role,
    checked_role,
    user_named,
    user_of,
)
from hub.storage import Store, Tx

OPERATORS: Final = ("operator", "operator-admin")


async def grant_role(store: Store, clock: Clock, outbox: Outbox, wanted: NewUser) -> UserDocument:
    """Give the user with an e-mail address one more role, or another level at its merchant; the user gets a notice.

    Raise `OperatorFault` for an unknown user, for a bad value, and if the user has this role.
    """
    async with store.write() as tx:
        return await add_granted(tx, clock(), outbox, await user_named(tx, wanted.email), wanted)


async def add_granted(tx: Tx, now: int, outbox: Outbox, before: UserDocument, wanted: NewUser) -> UserDocument:
    """Give a user a role as `grant_role` does, in this transaction."""
    role = await checked_role(tx, wanted)
    if role in before["roles"]:
        raise OperatorFault(f"{before['email']} has this role already: {await role_text(tx, role)}.")
    refuse_token_for_administrators(role["role"])
    await _delete(tx, before["id"], role)  # a merchant's user gets another level
    await add_role(tx, now, before["id"], role)
    after = await user_of(tx, before["id"])
    await note_act(tx, now, "user.role-granted", before["id"], before=before, after=after)
    if role["role"] in OPERATORS:
        await note_introduction(tx, now, before["id"], "role")
    if role["role"] == "operator-admin":
        await tell_of_administrator(tx, now, outbox, after)
    words = await role_text(tx, role)
    await notify(tx, now, outbox, after, "You have a new role", f"{after['name']}, you are now {words}.")
    return after


async def revoke_role(store: Store, clock: Clock, outbox: Outbox, wanted: NewUser) -> UserDocument:
    """Take a role from the user with an e-mail address, who gets a notice.

    Raise `OperatorFault` if the user is unknown or has no such role, and for the last active administrator's.
    """
    async with store.write() as tx:
        now, before = clock(), await user_named(tx, wanted.email)
        subject = await _subject_of(tx, wanted)
        role = next((each for each in before["roles"] if _is_of(each, wanted.role, subject)), None)
        if role is None:
            raise OperatorFault(f"{before['email']} has no such role.", command="`hub user list` shows those it has.")
        if role["role"] == "operator-admin":
            await refuse_if_last_administrator(tx, before["id"])
        words = await role_text(tx, role)
        await _delete(tx, before["id"], role)
        after = await user_of(tx, before["id"])
        await note_act(tx, now, "user.role-revoked", before["id"], before=before, after=after)
        await notify(tx, now, outbox, after, "One of your roles was removed", f"You are no longer {words}.")
        return after


async def role_text(tx: Tx, role: RoleDocument) -> str:
    """Return a role that a user has in words: "a viewer of the merchant Fjord & Fern"."""
    subject_id = role["merchantId"] or role["affiliateId"]
    row = None if subject_id is None else await tx.one("names_of_subjects", subjects=[subject_id])
    name = subject_id if row is None else row["name"]
    if role["role"] == "merchant":
        return f"{'an owner' if role['level'] == 'owner' else 'a viewer'} of the merchant {name}"
    if role["role"] == "affiliate":
        return f"a user of the affiliate {name}"
    return "an operator and administrator" if role["role"] == "operator-admin" else "an operator"


def _is_of(role: RoleDocument, name: str, subject: str | None) -> bool:
    return role["role"] == name and (role["merchantId"] or role["affiliateId"]) == subject


async def _subject_of(tx: Tx, wanted: NewUser) -> str | None:
    if wanted.merchant_id is not None:
        return await merchant_id_of(tx, wanted.merchant_id)
    return None if wanted.affiliate_id is None else await affiliate_id_of(tx, wanted.affiliate_id)


async def _delete(tx: Tx, user_id: str, role: RoleDocument) -> None:
    subject = role["merchantId"] or role["affiliateId"] or ""
    await tx.run("delete_user_role", user_id=user_id, role=role["role"], subject_id=subject)
