"""/operator/connections: the health of the stores' connections over all merchants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.connections import ACTS
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connections import (
    CONNECTIONS,
    ConnectionAdmin,
    connections_part,
    show_connection,
)
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.spoken import spoken_to_operators
from hub.pages.visit import Visit
from hub.records.connections import ConnectionDocument, ConnectionWithSteps

HERE: Final = "/operator/connections"
COUNTED: Final = 2_000
"""How many of the newest deliveries of each connection a list looks at: a store may have sent millions."""
ONE: Final = f"{HERE}/{{connection}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_connections(visit: Visit) -> web.StreamResponse:
    """Show the connections of all merchants, or of one."""
    asked, admin = parts.asked_for(visit, "merchant"), await _admin(visit)
    found, faults = await parts.read_list(connections_part(admin, wanted_of(visit, CONNECTIONS, asked)))
    rows = [
        (
            parts.link(each.title or each.connector, f"{HERE}/{each.id}", each.id),
            parts.state(each.status, await _health(admin, each)),
            parts.text(each.connector),
            parts.link(each.merchant_name, f"/operator/merchants/{each.merchant_id}"),
            parts.text(each.mode),
            parts.at(each.created_at),
        )
        for each in found.entries
    ]
    columns = ("Connection", "Status", "Platform", "Merchant", "Mode", "Created")
    filters = await parts.party_filters(visit, asked, "merchant")
    listing = parts.Listing(
        "Connections", columns, rows, "No connection matches. Merchants create them.", *beside(HERE, found, asked)
    )
    return parts.show_list(
        visit,
        parts.ListPage("Connections", HERE, listing, filters=filters),
        faults,
    )


async def _health(admin: ConnectionAdmin, each: ConnectionDocument) -> str:
    if each.status != "ACTIVE":
        return ""
    problems = (await check_connection(admin, each.id, newest=COUNTED)).problems
    return spoken_to_operators(problems[:1])[0][0] if problems else "its deliveries arrive"


async def _admin(visit: Visit) -> ConnectionAdmin:
    services = visit.services
    return ConnectionAdmin(services.store, services.sealer, services.plugins, services.clock, await services.root())


async def _found(visit: Visit) -> ConnectionDocument:
    return await show_connection(await _admin(visit), visit.path["connection"])


@PAGES.get(f"{ONE}/close")
async def ask_to_close(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Ask before a connection is closed, and say what that does."""
    return visit.page("operator/close_connection.html", status, closing=await _found(visit), faults=faults)


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show one connection: whether its deliveries arrive, and what is missing."""
    admin = await _admin(visit)
    found = await show_connection(admin, visit.path["connection"])
    checked = await check_connection(admin, found.id)
    declared = (await admin.plugins.catalog()).named(found.connector)
    problems, guides = spoken_to_operators([*checked.problems, *checked.notes])
    one, is_open = f"{HERE}/{found.id}", found.status == "ACTIVE"
    platform = found.connector if declared is None else declared.title
    forms = []
    if found.erasures:
        words = "The store's data stays, and what its platform asked for is dropped."
        forms.append(parts.Form(f"{one}/keep", "Keep the data", tone="", hint=words))
    if is_open:
        hint = "Such as shop.example. Leave it empty to take the site that the next delivery names."
        site = parts.Field("site", "Site", value=found.site or "", hint=hint, optional=True)
        forms.append(parts.Form(f"{one}/site", "Save", (site,), title="Change the site that deliveries come from"))
    shown = parts.Shown(
        found.title or platform, (HERE, "Connections"), found.status,
        f"{found.merchant_name}'s {platform} store, {found.mode} mode.",
        sections=_sections(found, platform), forms=forms,
        last=("Close the connection", f"{one}/close") if is_open and visit.may(f"{one}/close") else None,
    )  # fmt: skip
    wrong = len(checked.problems)
    return parts.show_object(
        visit, shown, status, faults, "operator/connection.html",
        checked=checked, problems=problems[:wrong], notes=problems[wrong:], guides=guides,
        refused=sum(checked.refused_today.values()),
    )  # fmt: skip


def _sections(found: ConnectionWithSteps, platform: str) -> list[parts.Section]:
    """Return what a connection is and belongs to, and what its platform asked to erase."""
    facts = (
        ("Merchant", parts.link(found.merchant_name, f"/operator/merchants/{found.merchant_id}")),
        ("Platform", parts.text(platform)),
        ("Mode", parts.text(found.mode)),
        ("Site", parts.text(found.site or "not known yet: the next delivery names it")),
        ("Deliveries go to", parts.code(found.url)),
        ("Created", parts.at(found.created_at)),
        ("Closed", parts.at(found.closed_at)),
        ("Id", parts.code(found.id)),
    )
    links = (
        ("Messages of this merchant", f"/operator/messages?merchant={found.merchant_id}&mode={found.mode}"),
        ("Activity", f"/operator/trail?subject={found.id}"),
    )
    sections = [parts.Section("Connection", facts, links=links)]
    if found.erasures:
        words = ("The platform has asked to erase everything from this store. It happens at the time given.",)
        erasures = [(each.subject, parts.at(each.due_at)) for each in found.erasures]
        sections.insert(0, parts.Section("Requests to erase", erasures, paragraphs=words))
    return sections


PAGES.extend(act_pages(ACTS, ask_to_close, {
    f"{ONE}/close": ("closeConnection", "closed"),
}))  # fmt: skip
PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/keep": ("keepConnection", "kept"),
    f"{ONE}/site": ("setConnectionSite", "saved"),
}))  # fmt: skip
