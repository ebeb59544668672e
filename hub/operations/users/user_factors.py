"""What an operator can do for somebody who lost their phone or key: take the second factor and the passkeys away."""

from __future__ import annotations

from hub.clock import Clock
from hub.mail.outbox import Outbox
from hub.operations.trail import note_act
from hub.operations.users.introductions import note_introduction, refuse_token_for_administrators
from hub.operations.users.notices import notify
from hub.operations.users.users import UserDocument, user_named
from hub.storage import Store


async def reset_factors(store: Store, clock: Clock, outbox: Outbox, reference: str) -> UserDocument:
    """Take a user's authenticator app, recovery codes and passkeys away and sign them out; the password stays.

    `reference` is an id or an e-mail address. Raise `OperatorFault` if it is unknown, and if a token does it to an
    administrator.
    """
    async with store.write() as tx:
        now, user = clock(), await user_named(tx, reference)
        refuse_token_for_administrators(*(role["role"] for role in user["roles"]))
        await tx.run("set_totp", user_id=user["id"], secret=None, counter=None, now=None, since=None)
        await tx.run("delete_recovery_codes", user_id=user["id"])
        await tx.run("delete_passkeys_of_user", user_id=user["id"])
        await tx.run("delete_sessions_of_user", user_id=user["id"], kept="")
        await note_act(tx, now, "user.factors-reset", user["id"])
        await note_introduction(tx, now, user["id"], "factors")
        sentence = "An operator removed your authenticator app and your passkeys."
        await notify(tx, now, outbox, user, "Your sign-in methods changed", sentence)
        return user
