"""/operator/users: who may sign in and as what; administrators invite, change and disable."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import quote

from aiohttp import web

from hub.domain.words import USER_STATUSES
from hub.operations.errors import OperatorFault, UnknownReference
from hub.operations.lists import Wanted
from hub.operations.users.introductions import list_introductions
from hub.operations.users.invitations import invite
from hub.operations.users.login_links import Purpose, issue_login_link
from hub.operations.users.user_changes import update_user
from hub.operations.users.user_factors import reset_factors
from hub.operations.users.user_roles import grant_role, revoke_role
from hub.operations.users.users import USERS as USER_LIST
from hub.operations.users.users import (
    NewUser,
    UserDocument,
    names_of_subjects,
    set_user_status,
    show_user,
    users_part,
)
from hub.pages.operator.parts import asked_for, operator_page
from hub.pages.paging import beside, part_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.shown_once import show_once
from hub.pages.visit import Visit

USERS: Final = "/operator/users"
DONE: Final = {
    "invited": "The invitation is on its way by mail.",
    "changed": "Saved.",
    "handed": "Good. The link is not shown again.",
    "granted": "The person now has the role.",
    "revoked": "The person no longer has the role.",
    "reset": "The person now signs in by password or link alone.",
}

MEANS: Final[Mapping[str, str]] = {
    "account": "made or enabled the account",
    "link": "made a link that was used",
    "role": "gave a role",
    "factors": "removed the app and passkeys",
    "address": "changed the e-mail address",
}
"""How somebody let a person in, in words."""
PAGES: Final = RouteTable(operator_page)


@PAGES.get(USERS)
async def show_users(visit: Visit) -> web.StreamResponse:
    """Show who may sign in, and to an administrator the form for one more."""
    return await _users(visit, 200)


@PAGES.post(USERS)
async def add_user(visit: Visit) -> web.StreamResponse:
    """Invite a person as the form says; without a mail server lead on to the link to hand over."""
    services = visit.services
    try:
        made = await invite(
            services.store, services.clock, services.outbox, await services.root(),
            _wanted(visit, visit.form.get("email", "")), inviter=visit.person.name,
            registration=services.ways.settings.registration,
        )  # fmt: skip
    except OperatorFault as fault:
        return await _users(visit, 422, fault=fault.reason)
    if made["userId"] is not None and made["url"] is None and not made["mailed"]:
        return see_other(f"{USERS}/{made['userId']}?done=granted")  # whoever has signed in before needs no link
    if made["url"] is None:
        return see_other(f"{USERS}?done=invited")
    return await _hand_over(visit, "invitation", made["email"], made["url"], made["expiresAt"])


@PAGES.get("/operator/users/{user}")
async def show_one(visit: Visit) -> web.StreamResponse:
    """Show one user with their roles."""
    return await _user(visit, 200)


@PAGES.post("/operator/users/{user}")
async def change_user(visit: Visit) -> web.StreamResponse:
    """Change a user's name and e-mail address."""
    services, form = visit.services, visit.form
    try:
        await update_user(
            services.store,
            services.clock,
            services.outbox,
            visit.path["user"],
            name=form.get("name", ""),
            email=form.get("email", ""),
        )
    except OperatorFault as fault:
        return await _user(visit, 422, fault=fault.reason)
    return see_other(f"{_address(visit)}?done=changed")


@PAGES.post("/operator/users/{user}/disable", back=lambda _: USERS)
async def disable_user(visit: Visit) -> web.StreamResponse:
    """Disable a user, but never oneself: somebody has to be left to undo it."""
    if visit.path["user"] == visit.person.user_id:
        return await _users(visit, 422, fault="You cannot disable yourself; another administrator can.")
    return await _set_status(visit, "DISABLED")


@PAGES.post("/operator/users/{user}/enable", back=lambda _: USERS)
async def enable_user(visit: Visit) -> web.StreamResponse:
    """Enable a user again."""
    return await _set_status(visit, "ACTIVE")


@PAGES.post("/operator/users/{user}/link")
async def make_link(visit: Visit) -> web.StreamResponse:
    """Make a sign-in link and lead on to the page that shows it, to be handed over."""
    services = visit.services
    try:
        made = await issue_login_link(
            services.store, services.clock, services.outbox, await services.root(), visit.path["user"]
        )
    except OperatorFault as fault:
        return await _user(visit, 422, fault=fault.reason)
    return await _hand_over(visit, "sign-in", made["email"], made["url"], made["expiresAt"])


@PAGES.post("/operator/users/{user}/roles")
async def add_role(visit: Visit) -> web.StreamResponse:
    """Give a user one more role."""
    return await _change_roles(visit, grant_role, "granted")


@PAGES.post("/operator/users/{user}/roles/remove")
async def remove_role(visit: Visit) -> web.StreamResponse:
    """Remove a role from a user."""
    return await _change_roles(visit, revoke_role, "revoked")


@PAGES.post("/operator/users/{user}/factors")
async def take_factors(visit: Visit) -> web.StreamResponse:
    """Take a user's authenticator app and passkeys away."""
    services = visit.services
    await reset_factors(services.store, services.clock, services.outbox, visit.path["user"])
    return see_other(f"{_address(visit)}?done=reset")


async def _hand_over(visit: Visit, purpose: Purpose, email: str, url: str, expires_at: str | None) -> web.Response:
    """Lead on to the page that shows a link to pass on, because the hub sends no mail."""
    then = f"{USERS}?done=handed"
    return await show_once(visit, "link", then, purpose=purpose, email=email, url=url, expires_at=expires_at)


async def _change_roles(visit: Visit, change: Callable[..., Awaitable[UserDocument]], done: str) -> web.StreamResponse:
    services = visit.services
    try:
        await change(services.store, services.clock, services.outbox, _wanted(visit, visit.path["user"]))
    except OperatorFault as fault:
        return await _user(visit, 422, fault=fault.reason)
    return see_other(f"{_address(visit)}?done={done}")


def _wanted(visit: Visit, email: str) -> NewUser:
    form = visit.form
    return NewUser(
        email=email,
        role=form.get("role", ""),
        merchant_id=form.get("merchant") or None,
        affiliate_id=form.get("affiliate") or None,
        name=form.get("name") or None,
        level=form.get("level") or None,
    )


async def _set_status(visit: Visit, status: str) -> web.Response:
    try:
        await set_user_status(visit.services.store, visit.services.clock, visit.path["user"], status)
    except UnknownReference:
        return visit.page("not_found.html", 404)
    except OperatorFault as fault:
        return await _users(visit, 422, fault=fault.reason)
    return see_other(USERS)


def _address(visit: Visit) -> str:
    return f"{USERS}/{quote(visit.path['user'], safe='')}"


async def _users(visit: Visit, status: int, *, fault: str | None = None) -> web.Response:
    store = visit.services.store
    asked = asked_for(visit, "q", "status")
    filters = {"search": asked["q"] or None, "status": asked["status"] or None}
    part = await users_part(store, part_of(visit, USER_LIST, Wanted(filters, oldest_first=True)))
    older, newer = beside(USERS, part, asked)
    return visit.page(
        "users.html",
        status,
        users=part.entries,
        asked=asked,
        statuses=USER_STATUSES,
        older=older,
        newer=newer,
        subjects=await names_of_subjects(store, part.entries),
        fault=fault,
        form=visit.form,
        done=DONE.get(visit.query.get("done", "")),
        may_change=visit.may(USERS),
    )


async def _user(visit: Visit, status: int, **more: Any) -> web.Response:
    store = visit.services.store
    try:
        user = await show_user(store, visit.path["user"])
    except UnknownReference:
        return visit.page("not_found.html", 404)
    shown = {"fault": None, "done": DONE.get(visit.query.get("done", "")), **more}
    shown["subjects"] = await names_of_subjects(store, [user])
    shown["let_in"] = await list_introductions(store, user["id"])
    shown["means"] = MEANS
    may_change = visit.may(USERS)
    return visit.page("user.html", status, user=user, form=visit.form, may_change=may_change, **shown)
