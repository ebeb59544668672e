"""Acts at the command line in the name of a person: the second pair of eyes."""

from __future__ import annotations

from hub.operations.errors import OperatorFault
from hub.operations.trail import Actor, system_user
from hub.storage import Store


async def administrator_named(store: Store, email: str | None) -> Actor:
    """Return the active operator-admin with an e-mail address as the one who acts; None is the system user.

    Raise `OperatorFault` if there is none.
    """
    if email is None:
        return system_user()
    async with store.read() as tx:
        row = await tx.one("administrator_with_email", email_key=email.strip().lower())
    if row is None:
        raise OperatorFault(
            f"No active operator-admin has the address {email}.", command="`hub user list` shows all users."
        )
    return Actor("user", row["user_id"], "cli")
