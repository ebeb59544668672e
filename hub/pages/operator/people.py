"""/operator/trail: all acts, and who did them."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.operations.trail import TrailFilter, changed_fields, list_acts
from hub.operations.users.actor_names import names_of_actors
from hub.pages.operator.parts import operator_page
from hub.pages.visit import Page, Visit

ROWS: Final = 50
FILTERS: Final = ("subject", "actor", "act")


def people_pages() -> list[Page]:
    """Return the pages."""
    return [
        operator_page("GET", "/operator/trail", show_trail),
    ]


async def show_trail(visit: Visit) -> web.StreamResponse:
    """Show the acts that match the filters in the address, newest first, page by page."""
    asked = {name: visit.query.get(name, "").strip() for name in FILTERS}
    before = visit.query.get("before") or None
    wanted = TrailFilter(asked["subject"] or None, asked["actor"] or None, asked["act"] or None, before_id=before)
    acts = await list_acts(visit.services.store, wanted, limit=ROWS + 1)
    given = {name: value for name, value in asked.items() if value}
    older = "/operator/trail?" + urlencode({**given, "before": acts[ROWS - 1]["id"]}) if len(acts) > ROWS else None
    rows = [(act, changed_fields(act)) for act in acts[:ROWS]]
    newest = "/operator/trail?" + urlencode(given) if before else None
    names = await names_of_actors(visit.services.store, (act["actor"] for act, _ in rows))
    return visit.page(
        "trail.html", asked=asked, filtered=bool(given), rows=rows, names=names, older=older, newest=newest
    )
