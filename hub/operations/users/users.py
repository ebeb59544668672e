"""Users: the people who sign in, and the roles that say what they may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypedDict

from attrs import evolve, frozen

from hub.clock import Clock
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.words import LEVELS, ROLES
from hub.ids import new_id
from hub.mail.outbox import Outbox
from hub.operations.checks import checked_email, checked_name
from hub.operations.errors import OperatorFault, known
from hub.operations.list_filters import searching
from hub.operations.lists import List, Page, Wanted, first, read
from hub.operations.references import affiliate_id_of, merchant_id_of
from hub.operations.trail import note_act
from hub.operations.users.administrators import refuse_if_last_administrator
from hub.operations.users.introductions import note_introduction, refuse_token_for_administrators
from hub.operations.users.notices import tell_of_administrator
from hub.storage import Row, Store, Tx

USERS: Final = List("users")


@frozen
class NewUser:
    """A user as an operator types it: `merchant_id` and `level` for a merchant's, `affiliate_id` for an affiliate's.

    Both are an id, or a name or an e-mail address that only one of them has.
    """

    email: str
    role: str
    merchant_id: str | None = None
    affiliate_id: str | None = None
    name: str | None = None
    level: str | None = None


class RoleDocument(TypedDict):
    """What a user may see; `level` (owner or viewer) is a merchant's only."""

    role: str
    merchantId: str | None
    affiliateId: str | None
    level: str | None


class UserDocument(TypedDict):
    """A user; `status` is ACTIVE or DISABLED."""

    id: str
    email: str
    name: str
    status: str
    roles: list[RoleDocument]
    hasPassword: bool
    linkAskedAt: str | None
    createdAt: str


async def create_user(
    store: Store, clock: Clock, wanted: NewUser, outbox: Outbox | None = None
) -> UserDocument:  # fmt: skip
    """Store a user with one role, and tell the administrators of a new one by `outbox`.

    Raise `OperatorFault` for a bad value, for an e-mail address that is taken, and if a token makes an administrator.
    """
    async with store.write() as tx:
        now = clock()
        user = await add_user(tx, now, wanted)
        if outbox is not None and is_administrator(user):
            await tell_of_administrator(tx, now, outbox, user)
        return user


async def add_user(tx: Tx, now: int, wanted: NewUser) -> UserDocument:
    """Store a user as `create_user` does, in this transaction."""
    email, user_id = checked_email(wanted.email), new_id("usr")
    name = checked_name(wanted.name or email.partition("@")[0])
    role = await checked_role(tx, wanted)
    refuse_token_for_administrators(role["role"])
    made = await tx.one("insert_user", user_id=user_id, email=email, email_key=email_key(email), name=name, now=now)
    if made is None:
        raise OperatorFault(f"Another user has the e-mail address {email}.", command="`hub user list` shows them all.")
    await add_role(tx, now, user_id, role)
    user = await user_of(tx, user_id)
    await note_act(tx, now, "user.created", user_id, after=user)
    await note_introduction(tx, now, user_id, "account")
    return user


async def add_role(tx: Tx, now: int, user_id: str, role: RoleDocument) -> None:
    """Store a role of a user, without an act of its own."""
    subject_id = role["merchantId"] or role["affiliateId"] or ""
    await tx.run(
        "insert_user_role", user_id=user_id, role=role["role"], subject_id=subject_id, level=role["level"], now=now
    )


async def set_user_status(store: Store, clock: Clock, reference: str, status: str) -> UserDocument:
    """Make a user ACTIVE or DISABLED; one who is disabled is signed out everywhere, and open sign-in links are void.

    `reference` is an id or an e-mail address. Raise `OperatorFault` if it is unknown, and for the last active
    administrator, whom nobody could let in again.
    """
    async with store.write() as tx:
        before = await user_named(tx, reference)
        user_id = before["id"]
        if status == "DISABLED" and is_administrator(before):
            await refuse_if_last_administrator(tx, user_id)
        if status == "ACTIVE" and before["status"] != "ACTIVE":
            refuse_token_for_administrators(*(role["role"] for role in before["roles"]))
            await note_introduction(tx, clock(), user_id, "account")
        await tx.run("set_user_status", user_id=user_id, status=status)
        if status == "DISABLED":
            await tx.run("delete_sessions_of_user", user_id=user_id, kept="")
            await tx.run("delete_login_links_of_user", user_id=user_id)
        after = await user_of(tx, user_id)
        act = "user.disabled" if status == "DISABLED" else "user.enabled"
        await note_act(tx, clock(), act, user_id, before=before, after=after)
        return after


async def users_part(store: Store, wanted: Wanted) -> Page[UserDocument]:
    """Return a part of the users, oldest first, by `search` and `status`; raise `CursorFault`."""
    async with store.read() as tx:
        found = await read(tx, USERS, searching(evolve(wanted, oldest_first=True)))
        return found.with_entries(await _documents(tx, found.entries))


async def show_user(store: Store, user_id: str) -> UserDocument:
    """Return the user with this id; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await user_of(tx, user_id)


async def names_of_subjects(store: Store, users: Iterable[UserDocument]) -> dict[str, str]:
    """Return the names of the merchants and affiliates that these users belong to, by id."""
    roles = (role for user in users for role in user["roles"])
    subjects = {subject for role in roles if (subject := role["merchantId"] or role["affiliateId"])}
    async with store.read() as tx:
        return {row["id"]: row["name"] for row in await tx.all("names_of_subjects", subjects=sorted(subjects))}


def is_administrator(user: UserDocument) -> bool:
    """Return whether a user may invite, change and disable others."""
    return any(role["role"] == "operator-admin" for role in user["roles"])


def email_key(email: str) -> str:
    """Return an e-mail address as it is looked up: in one case."""
    return email.strip().casefold()


async def checked_role(tx: Tx, wanted: NewUser) -> RoleDocument:
    """Return the role if what it belongs to exists; raise `OperatorFault` if not, or if the parts do not fit."""
    if wanted.role not in ROLES:
        raise OperatorFault(f"{wanted.role!r} is not a role; write one of {', '.join(ROLES)}.")
    if (wanted.role == "merchant") != (wanted.merchant_id is not None):
        raise OperatorFault(
            "A merchant's user needs a merchant, and no other user takes one.",
            command="At the terminal: --merchant ID.",
        )
    if (wanted.role == "affiliate") != (wanted.affiliate_id is not None):
        raise OperatorFault(
            "An affiliate's user needs an affiliate, and no other user takes one.",
            command="At the terminal: --affiliate ID.",
        )
    if wanted.level is not None and (wanted.role != "merchant" or wanted.level not in LEVELS):
        raise OperatorFault("A level is owner or viewer, and belongs to a merchant's user.")
    merchant_id = None if wanted.merchant_id is None else await merchant_id_of(tx, wanted.merchant_id)
    affiliate_id = None if wanted.affiliate_id is None else await affiliate_id_of(tx, wanted.affiliate_id)
    level = wanted.level or ("owner" if wanted.role == "merchant" else None)
    return {
        "role": wanted.role,
        "merchantId": merchant_id,
        "affiliateId": affiliate_id,
        "level": level,
    }


async def user_named(tx: Tx, reference: str) -> UserDocument:
    """Return the user with this id or e-mail address; raise `OperatorFault` if it is unknown."""
    if "@" not in reference:
        return await user_of(tx, reference)
    row = await tx.one("user_by_email", email_key=email_key(reference))
    return await user_of(tx, reference if row is None else row["user_id"])


async def user_of(tx: Tx, user_id: str) -> UserDocument:
    """Return the user with this id; raise `OperatorFault` if it is unknown."""
    row = known(await first(tx, USERS, user_id=user_id), "user", user_id, command="`hub user list` shows them all.")
    (found,) = await _documents(tx, [row])
    return found


def role_document(row: Row) -> RoleDocument:
    """Return the document of a role: a row with `role`, `subject_id` and `level`."""
    return {
        "role": row["role"],
        "merchantId": row["subject_id"] if row["role"] == "merchant" else None,
        "affiliateId": row["subject_id"] if row["role"] == "affiliate" else None,
        "level": row["level"],
    }


async def _documents(tx: Tx, rows: Sequence[Row]) -> list[UserDocument]:
    roles: dict[str, list[RoleDocument]] = {row["user_id"]: [] for row in rows}
    for role in await tx.all("roles_of_users", users=list(roles)):
        roles[role["user_id"]].append(role_document(role))
    return [_document(row, roles[row["user_id"]]) for row in rows]


def _document(row: Row, roles: list[RoleDocument]) -> UserDocument:
    return {
        "id": row["user_id"],
        "email": row["email"],
        "name": row["name"],
        "status": row["status"],
        "roles": roles,
        "hasPassword": bool(row["has_password"]),
        "linkAskedAt": instant_or_none(row["link_asked_at"]),
        "createdAt": format_instant(row["created_at"]),
    }
