"""/operator/settings: every setting as it is in force, and where it was given."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.config.in_force import DEFAULT, settings_in_force
from hub.pages.operator.parts import Column, Field, Listing, ListPage, asked_for, code, operator_page, show_list, text
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/settings"
LEAD: Final = (
    "As this process runs. The command line wins over the environment, and that over the file; a change counts after a "
    "restart. Secrets are not shown. Durations are in milliseconds."
)


def settings_pages() -> list[Page]:
    """Return the pages."""
    return [operator_page("GET", HERE, show_settings)]


async def show_settings(visit: Visit) -> web.StreamResponse:
    """Show the settings, all or those that are not defaults."""
    asked = asked_for(visit, "q", "given")
    rows = [
        (code(each.path), text(each.value), text(each.origin), text(each.meaning))
        for each in settings_in_force(visit.services.settings)
        if asked["q"].lower() in each.path and not (asked["given"] and each.origin == DEFAULT)
    ]
    columns = (Column("Setting"), Column("Value"), Column("Comes from"), Column("Meaning"))
    filters = (
        Field("q", "Name contains", value=asked["q"]),
        Field("given", "Show", "choice", asked["given"], options=(("1", "only what is not the default"),)),
    )
    listing = Listing("Settings", columns, rows, "No setting matches.")
    return show_list(visit, ListPage("Settings", HERE, listing, LEAD, filters))
