"""Changes of a person's name and e-mail address."""

from __future__ import annotations

from hub.clock import Clock
from hub.mail.outbox import Outbox
from hub.operations.checks import checked_email, checked_name
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.operations.users.introductions import note_introduction, refuse_token_for_administrators
from hub.operations.users.notices import notify
from hub.operations.users.users import UserDocument, email_key, user_named, user_of
from hub.storage import Store


async def update_user(
    store: Store, clock: Clock, outbox: Outbox, reference: str, *, name: str | None = None, email: str | None = None
) -> UserDocument:
    """Change the name or the e-mail address of a user, named by id or address; None leaves it as it is.

    With another address open sign-in links end, since they may be in a mailbox that is no longer the person's, and a
    notice goes to the old one. Raise `OperatorFault` for an unknown user, a bad value, and an address that is taken.
    """
    async with store.write() as tx:
        now, before = clock(), await user_named(tx, reference)
        new_name = before["name"] if name is None else checked_name(name)
        new_email = before["email"] if email is None else checked_email(email)
        if (new_name, new_email) == (before["name"], before["email"]):
            return before
        row = await tx.one("user_by_email", email_key=email_key(new_email))
        if row is not None and row["user_id"] != before["id"]:
            raise OperatorFault(
                f"Another user has the e-mail address {new_email}.", command="`hub user list` shows them all."
            )
        await tx.run(
            "update_user", user_id=before["id"], name=new_name, email=new_email, email_key=email_key(new_email)
        )
        after = await user_of(tx, before["id"])
        await note_act(tx, now, "user.updated", before["id"], before=before, after=after)
        if email_key(new_email) != email_key(before["email"]):
            refuse_token_for_administrators(*(role["role"] for role in before["roles"]))
            await tx.run("delete_login_links_of_user", user_id=before["id"])
            await note_introduction(tx, now, before["id"], "address")
            await tx.run("keep_former_address", subject_id=before["id"], email=before["email"], now=now)
            sentence = f"You sign in as {new_email} from now on."
            await notify(tx, now, outbox, before, "Your e-mail address was changed", sentence)
        return after
