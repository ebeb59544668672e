"""/operator/trail: all acts, and who did them."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.trail import changed_fields
from hub.operations.trail_lists import ACTS, list_acts
from hub.operations.users.actor_names import names_of_actors
from hub.pages.operator.parts import operator_page
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/trail"
FILTERS: Final = ("subject", "actor", "act")
NOUNS: Final = {"conversion": "order", "event": "message", "adjustment": "correction", "user": "person"}
"""What acts are about, where pages have another word for it."""
SOURCES: Final = {"page": "in a browser", "cli": "on the command line", "api": "by the API"}


def act_words(act: str) -> str:
    """Return the name of an act, like `conversion.attributed`, as a person says it."""
    noun, _, done = act.partition(".")
    return f"{NOUNS.get(noun, noun)} {done}".replace("-", " ").replace("_", " ").capitalize()


PAGES: Final = RouteTable(operator_page)


@PAGES.get(HERE)
async def show_trail(visit: Visit) -> web.StreamResponse:
    """Show the acts that match the filters in the address, newest first, page by page."""
    asked = {name: visit.query.get(name, "").strip() for name in FILTERS}
    found = await list_acts(visit.services.store, wanted_of(visit, ACTS, asked))
    older, newer = beside(HERE, found, asked)
    rows = [(act, changed_fields(act)) for act in found.entries]
    names = await names_of_actors(visit.services.store, (act["actor"] for act, _ in rows))
    return visit.page(
        "trail.html",
        asked=asked,
        filtered=any(asked.values()),
        nothing=nothing_of("act", found),
        rows=rows,
        names=names,
        act_words=act_words,
        sources=SOURCES,
        older=older,
        newer=newer,
    )
