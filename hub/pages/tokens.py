"""/account/tokens: one's own tokens of the operators' or the affiliates' API, made, shown once and revoked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.authority import TOKEN_ROLES, Grant
from hub.domain.scopes import readers, scopes_alone
from hub.operations.errors import OperatorFault
from hub.operations.users.api_tokens import (
    NewToken,
    create_token,
    is_living,
    list_tokens,
    revoke_token,
    revoke_tokens_of,
)
from hub.pages.form_faults import NO_FAULTS
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.shown_once import STORED, show_once
from hub.pages.visit import Page, Visit
from hub.records.credentials import KeyDocument, TokenDocument

HERE: Final = "/account/tokens"
ENDS: Final = (("90d", "in 90 days"), ("30d", "in 30 days"), ("365d", "in a year"))
DONE: Final = {"revoked": "The token is revoked.", "all": "Your tokens are revoked.", **STORED}
OWN_SCOPES: Final = tuple(dict.fromkeys(each for of in ("operator", "affiliate") for each in scopes_alone(of)))
FIELDS: Final = ("name", "may", "ends", "addresses", *OWN_SCOPES)
PAGES: Final = RouteTable(Page)


def _typed(visit: Visit) -> dict[str, str]:
    return {name: visit.form.get(name, "") for name in FIELDS}


@PAGES.post(HERE)
async def create(visit: Visit) -> web.StreamResponse:
    """Make a token, and lead on to it."""
    typed = _typed(visit)
    services, offered = visit.services, dict(_offered(visit))
    if typed["may"] not in offered:
        return await show(visit, 422, {"may": "Choose what the token may do."})
    scope, _, affiliate = typed["may"].partition(" ")
    chosen = [each for each in OWN_SCOPES if typed[each]]
    if scope.endswith(":read") and len(chosen) > len(readers(chosen)):
        return await show(visit, 422, {"may": "Choose that it may change things, or only scopes that read."})
    wanted = NewToken(
        typed["name"] or "made on the page",
        chosen or (scope,),
        affiliate or None,
        typed["ends"] or ENDS[0][0],
        typed["addresses"].split(),
        visit.person.user_id,
    )
    try:
        made = await create_token(services.store, services.clock, wanted)
    except OperatorFault as fault:
        return await show(visit, 422, {"": fault.reason})
    root = (await services.root()).rstrip("/")
    first = "admin/v1/merchants" if scope.startswith("admin") else "affiliate/v1/affiliate"
    return await show_once(visit, "token", f"{HERE}?done=stored", token=made.token, first=f"{root}/api/{first}")


@PAGES.post(f"{HERE}/{{token}}/revoke")
async def revoke(visit: Visit) -> web.StreamResponse:
    """End one of the person's own tokens."""
    services = visit.services
    await revoke_token(services.store, services.clock, visit.path["token"], user_id=visit.person.user_id)
    return see_other(f"{HERE}?done=revoked")


@PAGES.post(f"{HERE}/revoke")
async def revoke_all(visit: Visit) -> web.StreamResponse:
    """End all tokens of the person, as one who set a new password is asked."""
    await revoke_tokens_of(visit.services.store, visit.services.clock, visit.person.user_id)
    return see_other(f"{HERE}?done=all")


def _offered(visit: Visit) -> list[tuple[str, str]]:
    """Return what a token of this person may do, each with its words."""
    offered: list[tuple[str, str]] = []
    if visit.person.has_role("operator", "operator-admin"):
        offered.append(("admin:read", "read everything in the hub"))
    if visit.person.has_role("operator-admin"):
        offered.append(("admin:write", "read and change everything in the hub except people"))
    for role in visit.person.roles:
        if role["role"] == "affiliate":
            of = role["affiliateId"]
            offered.append((f"affiliate:read {of}", f"read what is yours ({of})"))
            offered.append((f"affiliate:write {of}", f"read and change what is yours ({of})"))
    return offered


def _may_have(visit: Visit, scope: str) -> bool:
    """Return whether a token of this person may have a scope of a resource."""
    person = visit.person
    if person.has_role("operator-admin") or (person.has_role("operator") and scope.endswith(":read")):
        return scope in scopes_alone("operator") or person.has_role("affiliate")
    return person.has_role("affiliate") and scope in scopes_alone("affiliate")


def state_of(each: TokenDocument | KeyDocument, now: int) -> str:
    """Return the status of a token or key to show: ACTIVE, EXPIRED or REVOKED; `now` is in ms UTC."""
    if each.revoked_at is not None:
        return "REVOKED"
    return "ACTIVE" if is_living(each, now) else "EXPIRED"


@PAGES.get(HERE, Grant("account", TOKEN_ROLES))
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the person's tokens, and the form for one more."""
    services, given = visit.services, visit.form
    now, found = services.clock(), await list_tokens(services.store, visit.person.user_id)
    return visit.page(
        "tokens.html",
        status,
        tokens=[(token, state_of(token, now)) for token in found],
        offered=_offered(visit),
        scopes=[each for each in OWN_SCOPES if _may_have(visit, each)],
        ends=ENDS,
        given={name: given.get(name, "") for name in FIELDS},
        faults=faults,
        done=DONE.get(visit.query.get("done", "")),
    )
