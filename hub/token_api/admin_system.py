"""People, tokens, mails, the trail, the hub's health and settings: the operators' acts on the hub itself."""

from __future__ import annotations

from typing import Any, Final, TypedDict

import attrs

from hub.config.in_force import settings_in_force
from hub.operations.audits.system_health import HealthDocument, system_health
from hub.operations.merchants.test_accounts import AdvancedDocument, EmptiedDocument, advance_clock, empty_account
from hub.operations.system.mails import MailDocument, list_mails, retry_mail
from hub.operations.system.nodes import NodeDocument, confirm_clocks, list_nodes
from hub.operations.trail import ActDocument, TrailFilter, list_acts
from hub.operations.users.api_tokens import TokenDocument, list_tokens, revoke_token
from hub.operations.users.invitations import InvitationDocument, invite
from hub.operations.users.user_factors import reset_factors
from hub.operations.users.user_roles import grant_role, revoke_role
from hub.operations.users.users import NewUser, UserDocument, create_user, list_users, set_user_status
from hub.token_api.act import (
    PAGED,
    Act,
    Fields,
    ListOfEntries,
    TokenCall,
    choice,
    flag,
    instant,
    needed,
    newest,
    sliced,
    text,
)


class SettingDocument(TypedDict):
    """A setting as it is in force; a secret's value is not shown."""

    path: str
    value: str
    origin: str
    meaning: str


class ConfirmedClocks(TypedDict):
    """How many processes wait for their clocks to be trusted again."""

    confirmed: int


EMAIL: Final = text("The person's e-mail address.", "ann@shop.example")
ROLE: Final[Fields] = {
    "role": needed(choice("The role.", "operator", "operator-admin", "merchant", "affiliate")),
    "merchantId": text("Which merchant, for the role merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
    "affiliateId": text("Which affiliate, for the role affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"),
    "level": choice("For the role merchant.", "owner", "viewer"),
}


async def _users(c: TokenCall) -> Any:
    return sliced(c, await list_users(c.store))


def _user_switch(verb: str, status: str, summary: str) -> Act:
    async def run(c: TokenCall) -> Any:
        return await set_user_status(c.store, c.clock, c.path["user"], status)

    path = f"/users/{{user}}/{verb}"
    return Act("POST", path, f"{verb}User", summary, run, UserDocument, doing=(f"user.{verb}d",))


def _role(c: TokenCall) -> NewUser:
    return NewUser(c.path["user"], **c.body)


async def _invite(c: TokenCall) -> Any:
    services = c.services
    return await invite(
        c.store, c.clock, services.outbox, await c.root(), NewUser(**c.body), inviter="The operator of this hub",
        registration=services.settings.people.registration,
    )  # fmt: skip


async def _tokens(c: TokenCall) -> Any:
    return sliced(c, await list_tokens(c.store))


async def _mails(c: TokenCall) -> Any:
    q = c.query
    return await newest(
        c, lambda limit, before: list_mails(c.store, status=q.get("status"), to=q.get("to"), before=before, limit=limit)
    )


async def _trail(c: TokenCall) -> Any:
    q = c.query

    async def read(limit: int, before: str | None) -> list[ActDocument]:
        wanted = TrailFilter(q.get("subject"), q.get("actor"), q.get("act"), q.get("since", 0), before)
        return await list_acts(c.store, wanted, limit=limit)

    return await newest(c, read)


async def _settings(c: TokenCall) -> Any:
    return {"data": [attrs.asdict(each) for each in settings_in_force(c.services.settings)], "nextCursor": None}


async def _nodes(c: TokenCall) -> Any:
    return {"data": await list_nodes(c.store, c.clock), "nextCursor": None}


async def _confirm(c: TokenCall) -> ConfirmedClocks:
    return {"confirmed": await confirm_clocks(c.store, c.clock)}


SYSTEM: Final[tuple[Act, ...]] = (
    Act("POST", "/merchants/{merchant}/test/clock", "advanceTestClock", "Move the clock of a test account on",
        lambda c: advance_clock(c.store, c.clock, c.path["merchant"], c.body["by"]), AdvancedDocument,
        body={"by": needed(text("How far, like 14d.", "14d"))}, doing=("account.clock-advanced",)),
    Act("POST", "/merchants/{merchant}/test/empty", "emptyTestAccount", "Delete the orders of a test account",
        lambda c: empty_account(c.store, c.clock, c.path["merchant"], "test", **c.body), EmptiedDocument,
        body={"everything": flag("Products, campaigns and links as well.")}, doing=("account.emptied",)),
    Act("GET", "/users", "listUsers", "List the people who sign in", _users, ListOfEntries(UserDocument), query=PAGED),
    Act("POST", "/users", "createUser", "Create a user with a role",
        lambda c: create_user(c.store, c.clock, NewUser(**c.body)), UserDocument,
        body={"email": needed(EMAIL), **ROLE, "name": text("What the person is called.", "Ann")},
        doing=("user.created",), success=201),
    Act("POST", "/users/invite", "inviteUser", "Invite a person to a role, by mail", _invite, InvitationDocument,
        body={"email": needed(EMAIL), **ROLE, "name": text("What the person is called.", "Ann")},
        doing=("user.invited", "registration.invited"), success=201),
    _user_switch("disable", "DISABLED", "Sign a user out everywhere and let nobody in as it"),
    _user_switch("enable", "ACTIVE", "Let a disabled user sign in again"),
    Act("POST", "/users/{user}/roles", "grantRole", "Give a user one more role",
        lambda c: grant_role(c.store, c.clock, c.services.outbox, _role(c)), UserDocument, body=ROLE,
        doing=("user.role-granted",)),
    Act("POST", "/users/{user}/roles/remove", "revokeRole", "Take a role from a user",
        lambda c: revoke_role(c.store, c.clock, c.services.outbox, _role(c)), UserDocument, body=ROLE,
        doing=("user.role-revoked",)),
    Act("POST", "/users/{user}/factors/reset", "resetFactors", "Take a user's app and passkeys away",
        lambda c: reset_factors(c.store, c.clock, c.services.outbox, c.path["user"]), UserDocument,
        doing=("user.factors-reset",)),
    Act("GET", "/tokens", "listTokens", "List tokens, without their secrets", _tokens, ListOfEntries(TokenDocument),
        query=PAGED),
    Act("POST", "/tokens/{token}/revoke", "revokeToken", "End a token at once",
        lambda c: revoke_token(c.store, c.clock, c.path["token"]), TokenDocument, doing=("token.revoked",)),
    Act("GET", "/mails", "listMails", "List mails, newest first", _mails, ListOfEntries(MailDocument),
        query={"status": choice("In this status.", "WAITING", "SENT", "GIVEN_UP"),
               "to": text("To this address.", "ann@shop.example"), **PAGED}),
    Act("POST", "/mails/{mail}/retry", "retryMail", "Try a mail again",
        lambda c: retry_mail(c.store, c.clock, c.path["mail"]), MailDocument, doing=("mail.retried",)),
    Act("GET", "/trail", "listActs", "List who did what, newest first", _trail, ListOfEntries(ActDocument),
        query={"subject": text("To this thing.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
               "actor": text("By this person or token.", "usr_01936f3e8c7a7b3e9d5a4c2b1f0e8d91"),
               "act": text("This act.", "merchant.created"), "since": instant("Since this moment."), **PAGED}),
    Act("GET", "/health", "getHealth", "Show how the hub is doing",
        lambda c: system_health(c.store, c.clock, c.services.settings), HealthDocument),
    Act("GET", "/settings", "listSettings", "List every setting as it is in force", _settings,
        ListOfEntries(SettingDocument)),
    Act("GET", "/nodes", "listNodes", "List the processes that serve", _nodes, ListOfEntries(NodeDocument)),
    Act("POST", "/clocks/confirm", "confirmClocks", "Trust the clocks again after they jumped", _confirm,
        ConfirmedClocks, doing=("clock.confirmed",)),
)  # fmt: skip
