"""/operator/settings: every setting as it is in force, and where it was given."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.config.in_force import DEFAULT, SettingInForce, settings_in_force
from hub.config.settings import settings_by_path
from hub.domain.durations import duration_text
from hub.pages.operator import parts
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/settings"
KIBIBYTE: Final = 1024
LEAD: Final = (
    "As this process runs. The command line wins over the environment, and that over the file; a change counts after a "
    "restart. Secrets are not shown."
)


def settings_pages() -> list[Page]:
    """Return the pages."""
    return [parts.operator_page("GET", HERE, show_settings)]


async def show_settings(visit: Visit) -> web.StreamResponse:
    """Show the settings, all or those that are not defaults."""
    asked = parts.asked_for(visit, "q", "given")
    rows = [
        (parts.code(each.path), parts.text(_words(each)), parts.text(each.origin), parts.text(each.meaning))
        for each in settings_in_force(visit.services.settings)
        if asked["q"].lower() in each.path and not (asked["given"] and each.origin == DEFAULT)
    ]
    columns = ("Setting", "Value", "Comes from", "Meaning")
    filters = (
        parts.Field("q", "Name contains", value=asked["q"]),
        parts.Field("given", "Show", "choice", asked["given"], options=(("1", "only what is not the default"),)),
    )
    listing = parts.Listing("Settings", columns, rows, "No setting matches.")
    return parts.show_list(visit, parts.ListPage("Settings", HERE, listing, LEAD, filters))


def _words(setting: SettingInForce) -> str:
    """Return a value as a person reads it: durations, which defaults write as text, and sizes in the largest unit."""
    field = settings_by_path()[setting.path]
    if not setting.value.isdigit() or field.type not in (int, "int"):
        return setting.value
    number = int(setting.value)
    if isinstance(field.metadata["toml"], str) and number:
        return duration_text(number)
    if "bytes" in setting.meaning.lower() and number >= KIBIBYTE:
        power = 2 if number >= KIBIBYTE**2 else 1
        return f"{number / KIBIBYTE**power:,.10g} {('KiB', 'MiB')[power - 1]}"
    return setting.value
