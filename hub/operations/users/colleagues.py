"""The people of a merchant: seen, invited and removed by its owners."""

from __future__ import annotations

from typing import TypedDict

from hub.clock import Clock
from hub.mail.outbox import Outbox
from hub.operations.errors import OperatorFault
from hub.operations.users.invitations import InvitationDocument, invite
from hub.operations.users.user_roles import revoke_role
from hub.operations.users.users import NewUser
from hub.storage import Row, Store, Tx


class ColleagueDocument(TypedDict):
    """Somebody of a merchant; `level` is owner or viewer, `seenAt` (ms UTC) when they were last here, if ever."""

    userId: str
    email: str
    name: str
    status: str
    level: str
    since: int
    seenAt: int | None


async def list_colleagues(store: Store, merchant_id: str) -> list[ColleagueDocument]:
    """Return the people of a merchant, oldest first."""
    async with store.read() as tx:
        return [_document(row) for row in await tx.all("people_of_merchant", merchant_id=merchant_id)]


async def invite_colleague(
    store: Store, clock: Clock, outbox: Outbox, root: str, merchant: tuple[str, str], email: str, level: str
) -> InvitationDocument:
    """Invite somebody to a merchant (its id and name) as owner or viewer, or give somebody of it another level.

    Raise `OperatorFault` for a bad value, if nothing would change, on a hub without mail, and for the last owner.
    """
    if not outbox.is_on:
        raise OperatorFault("This hub sends no mail, so nobody can be invited by it. Ask its operator.")
    merchant_id, name = merchant
    wanted = NewUser(email, "merchant", merchant_id, level=level)
    if level != "owner":
        async with store.read() as tx:
            await _refuse_last_owner(tx, merchant_id, email=email.strip().casefold())
    return await invite(store, clock, outbox, root, wanted, inviter=name, registration="off")


async def remove_colleague(store: Store, clock: Clock, outbox: Outbox, merchant_id: str, user_id: str) -> None:
    """Take a person's role at a merchant; raise `OperatorFault` for somebody else's, and for the last owner."""
    async with store.read() as tx:
        people = await tx.all("people_of_merchant", merchant_id=merchant_id)
        found = next((row for row in people if row["user_id"] == user_id), None)
        if found is None:
            raise OperatorFault("This person does not belong to this merchant.")
        await _refuse_last_owner(tx, merchant_id, email=found["email"].strip().casefold())
    await revoke_role(store, clock, outbox, NewUser(found["email"], "merchant", merchant_id))


async def _refuse_last_owner(tx: Tx, merchant_id: str, *, email: str) -> None:
    people = await tx.all("people_of_merchant", merchant_id=merchant_id)
    owners = {row["email"].casefold() for row in people if row["level"] == "owner" and row["status"] == "ACTIVE"}
    if owners == {email}:
        raise OperatorFault("A merchant needs an owner, and this is the last one. Make somebody else an owner first.")


def _document(row: Row) -> ColleagueDocument:
    return {"userId": row["user_id"], "email": row["email"], "name": row["name"], "status": row["status"],
            "level": row["level"], "since": row["created_at"], "seenAt": row["seen_at"]}  # fmt: skip
