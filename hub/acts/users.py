"""The people who sign in, their roles and ways in."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import PAGED, Fields, choice, needed, text
from hub.domain.words import LEVELS, ROLES, USER_STATUSES
from hub.operations.users.invitations import InvitationDocument, invite
from hub.operations.users.user_factors import reset_factors
from hub.operations.users.user_roles import grant_role, revoke_role
from hub.operations.users.users import NewUser, UserDocument, create_user, set_user_status, users_part

EMAIL: Final = text("The person's e-mail address.", "ann@shop.example")
SEARCH: Final = text("What the name or the e-mail address contains, in any case.", "ann")
ROLE: Final[Fields] = {
    "role": needed(choice("The role.", *ROLES)),
    "merchantId": text("Which merchant, for the role merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
    "affiliateId": text("Which affiliate, for the role affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"),
    "level": choice("For the role merchant.", *LEVELS),
}


async def _users(c: Call) -> Any:
    return answer(await users_part(c.store, wanted_of(c, "search", "status")))


def _user_switch(verb: str, status: str, summary: str) -> Act:
    async def run(c: Call) -> Any:
        return await set_user_status(c.store, c.clock, c.path["user"], status)

    return Act(
        post(f"/users/{{user}}/{verb}", f"{verb}User"), summary, run, UserDocument, trail=(f"user.{verb}d",),
        by=(PROVED_ADMINS,), commands=(f"user {verb}",), pages=(f"/operator/users/{{user}}/{verb}",),
    )  # fmt: skip


def _role(c: Call) -> NewUser:
    return NewUser(c.path["user"], **c.body)


async def _invite(c: Call) -> Any:
    services = c.services
    return await invite(
        c.store, c.clock, services.outbox, await c.root(), NewUser(**c.body), inviter="The operator of this hub",
        registration=services.settings.people.registration,
    )  # fmt: skip


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/users", "listUsers"), "List the people who sign in", _users, ListOfEntries(UserDocument),
        query={"search": SEARCH, "status": choice("In this status.", *USER_STATUSES), **PAGED}),
    Act(post("/users", "createUser", 201), "Create a user with a role",
        lambda c: create_user(c.store, c.clock, NewUser(**c.body), c.services.outbox), UserDocument,
        body={"email": needed(EMAIL), **ROLE, "name": text("What the person is called.", "Ann")},
        trail=("user.created",),
        by=(PROVED_ADMINS,), tells=("the administrators",), commands=("user create",), pages=("/operator/users",)),
    Act(post("/users/invite", "inviteUser", 201), "Invite a person to a role, by mail", _invite, InvitationDocument,
        body={"email": needed(EMAIL), **ROLE, "name": text("What the person is called.", "Ann")},
        trail=("user.invited", "registration.invited"),
        by=(PROVED_ADMINS,), tells=("the person", "the administrators"), commands=("user invite",),
        pages=("/operator/users",)),
    _user_switch("disable", "DISABLED", "Disable a user and sign them out everywhere"),
    _user_switch("enable", "ACTIVE", "Let a disabled user sign in again"),
    Act(post("/users/{user}/roles", "grantRole"), "Give a user one more role",
        lambda c: grant_role(c.store, c.clock, c.services.outbox, _role(c)), UserDocument, body=ROLE,
        trail=("user.role-granted",),
        by=(PROVED_ADMINS,), tells=("the person", "the administrators"), commands=("user grant",),
        pages=("/operator/users/{user}/roles",)),
    Act(post("/users/{user}/roles/remove", "revokeRole"), "Remove a role from a user",
        lambda c: revoke_role(c.store, c.clock, c.services.outbox, _role(c)), UserDocument, body=ROLE,
        trail=("user.role-revoked",),
        by=(PROVED_ADMINS,), tells=("the person",), commands=("user revoke",),
        pages=("/operator/users/{user}/roles/remove",)),
    Act(post("/users/{user}/factors/reset", "resetFactors"), "Remove a user's authenticator app and passkeys",
        lambda c: reset_factors(c.store, c.clock, c.services.outbox, c.path["user"]), UserDocument,
        trail=("user.factors-reset",),
        by=(PROVED_ADMINS,), tells=("the person",), commands=("user reset-factors",),
        pages=("/operator/users/{user}/factors",)),
)  # fmt: skip
