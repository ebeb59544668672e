"""/operator/payouts/{payout}/files: the files for banks, written once and handed out again to the byte."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.authority import ADMINS
from hub.domain.payouts.payout_formats import Format, format_named
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payout_choice import Part
from hub.operations.money.payouts.payout_files import export_run, list_files, stored_file, withdraw_file
from hub.pages.downloads import download
from hub.pages.operator.parts import operator_page
from hub.pages.operator.payout import show_payout_with
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/payouts/{payout}/files"
PAGES: Final = RouteTable(operator_page)


def _run(visit: Visit) -> str:
    return f"/operator/payouts/{visit.path['payout']}"


@PAGES.post(HERE, back=_run)
async def write(visit: Visit) -> web.StreamResponse:
    """Write a file of what is in none yet, and send it; it has whole account numbers, so it asks who one is."""
    form, services = format_named(visit.form.get("format", "")), visit.services
    if form is None:
        return await show_payout_with(visit, 422, {"": "Choose a format."})
    try:
        made = await export_run(
            services.store, services.sealer, services.clock, services.settings.payouts, visit.path["payout"],
            form.name, _part(visit.form),
        )  # fmt: skip
    except OperatorFault as fault:
        return await show_payout_with(visit, 422, {"": fault.reason})
    kept = made.document["file"]
    name = f"TEST-{visit.path['payout']}" if kept is None else f"{visit.path['payout']}-{kept.id[-6:]}"
    return _download(made.content, name, form)


@PAGES.get(f"{HERE}/{{file}}", back=_run)
async def fetch(visit: Visit) -> web.StreamResponse:
    """Send a file again, as it was written."""
    store, payout_id, file_id = visit.services.store, visit.path["payout"], visit.path["file"]
    try:
        known = {file.id for file in await list_files(store, payout_id)}
    except OperatorFault:
        known = set()
    if file_id not in known:
        return visit.page("not_found.html", 404)
    try:
        content, kept = await stored_file(store, visit.services.sealer, file_id)
    except OperatorFault as fault:
        return await show_payout_with(visit, 422, {"": fault.reason})
    form = format_named(kept.format)
    if form is None:
        return visit.page("not_found.html", 404)
    return _download(content, f"{kept.payout_id}-{kept.id[-6:]}", form)


@PAGES.get(f"{HERE}/{{file}}/withdraw", ADMINS)
async def ask_to_withdraw(visit: Visit) -> web.StreamResponse:
    """Say what withdrawing a file does: what a bank was given twice, it pays twice."""
    files = await list_files(visit.services.store, visit.path["payout"])
    found = next((each for each in files if each.id == visit.path["file"]), None)
    if found is None:
        return visit.page("not_found.html", 404)
    if found.withdrawn_at is not None:
        return see_other(_run(visit))
    return visit.page("operator/payout_withdraw.html", file=found, back=_run(visit))


@PAGES.post(f"{HERE}/{{file}}/withdraw", back=_run)
async def withdraw(visit: Visit) -> web.StreamResponse:
    """Note that a file was never sent, so that its payments may be in another."""
    try:
        services = visit.services
        await withdraw_file(services.store, services.clock, services.settings.payouts, visit.path["file"])
    except OperatorFault as fault:
        return await show_payout_with(visit, 422, {"": fault.reason})
    return see_other(f"{_run(visit)}?done=withdrawn")


def _download(content: bytes, name: str, form: Format) -> web.Response:
    return download(content, f"{name}-{form.name}.{form.suffix}", form.media)


def _part(values: Mapping[str, str]) -> Part:
    """Return which part of a batch a form asks for: all of the first currency if it names none."""
    number, currency = values.get("part", ""), values.get("currency", "")
    is_code = len(currency) == len("EUR") and currency.isascii() and currency.isalpha()
    is_number = 0 < len(number) < 6 and number.isascii() and number.isdigit()
    return Part(currency if is_code else None, int(number) if is_number else 1)
