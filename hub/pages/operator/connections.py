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
from hub.pages.operator import parts
from hub.pages.operator.act_forms import ActForm, act_named
from hub.pages.paging import beside, wanted_of
from hub.pages.spoken import spoken_to_operators
from hub.pages.visit import Page, Visit
from hub.records.connections import ConnectionDocument

HERE: Final = "/operator/connections"


def connection_object_pages() -> list[Page]:
    """Return the pages."""
    one = f"{HERE}/{{connection}}"
    return [
        parts.operator_page("GET", HERE, show_connections),
        parts.operator_page("GET", one, show_one),
        ActForm(f"{one}/close", act_named(ACTS, "closeConnection"), "closed", _one).page(),
        ActForm(f"{one}/keep", act_named(ACTS, "keepConnection"), "kept", _one).page(),
        ActForm(f"{one}/site", act_named(ACTS, "setConnectionSite"), "saved", _one).page(),
    ]


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
        "Connections", columns, rows, "No connection matches. Merchants make them.", *beside(HERE, found, asked)
    )
    return parts.show_list(
        visit,
        parts.ListPage("Connections", HERE, listing, filters=filters),
        faults,
    )


async def show_one(visit: Visit) -> web.StreamResponse:
    """Show one connection: whether its deliveries arrive, and what is missing."""
    return await _one(visit, 200, {})


async def _health(admin: ConnectionAdmin, each: ConnectionDocument) -> str:
    if each.status != "ACTIVE":
        return ""
    problems = (await check_connection(admin, each.id)).problems
    return spoken_to_operators(problems[:1])[0][0] if problems else "its deliveries arrive"


async def _admin(visit: Visit) -> ConnectionAdmin:
    services = visit.services
    return ConnectionAdmin(services.store, services.sealer, services.plugins, services.clock, await services.root())


async def _found(visit: Visit) -> ConnectionDocument:
    return await show_connection(await _admin(visit), visit.path["connection"])


async def _one(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    admin = await _admin(visit)
    found = await show_connection(admin, visit.path["connection"])
    checked = await check_connection(admin, found.id)
    facts = (
        ("Id", parts.code(found.id)),
        ("Address", parts.code(found.url)),
        ("Platform", parts.text(found.connector)),
        ("Merchant", parts.link(found.merchant_name, f"/operator/merchants/{found.merchant_id}")),
        ("Mode", parts.text(found.mode)),
        ("Created", parts.at(found.created_at)),
        ("Deliveries", parts.link("Show", f"/operator/messages?merchant={found.merchant_id}&mode={found.mode}")),
    )
    findings = [*(checked.problems or ["Its deliveries arrive; nothing is missing."]), *checked.notes]
    missing, guides = spoken_to_operators(findings)
    erasures = [(each.subject, parts.at(each.due_at)) for each in found.erasures]
    sections = [parts.Section("Connection", facts), parts.Section("Health", paragraphs=missing, links=guides)]
    one, forms = f"{HERE}/{found.id}", []
    if erasures:
        words = ("The platform has asked to erase everything from this store. It happens at the time given.",)
        sections.append(parts.Section("Requests to erase", erasures, paragraphs=words))
        forms.append(parts.Form(f"{one}/keep", "Keep the data", tone=""))
    if found.status == "ACTIVE":
        hint = "Its address, such as https://shop.example; without it, the next one that a delivery names."
        site = parts.Field("site", "Site", hint=hint, optional=True)
        forms.append(parts.Form(f"{one}/site", "Save", (site,), title="Say which site its deliveries come from"))
        forms.append(parts.Form(f"{one}/close", "Close", tone="danger"))
    shown = parts.Shown(
        found.title or found.connector, (HERE, "Connections"), found.status, sections=sections, forms=forms
    )
    return parts.show_object(visit, shown, status, faults)
