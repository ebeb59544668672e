"""/operator/branding: the network's name, logo, accent colour, imprint and terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.pictures.pictures import encoded, read_picture
from hub.operations.system.branding import USUAL_NAME, set_branding
from hub.pages.file_forms import FileFormFault, FileTooLarge
from hub.pages.operator import parts
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/branding"
TEXTS: Final = ("name", "accent", "imprint", "terms")


def branding_form_pages() -> list[Page]:
    """Return the pages."""
    return [parts.operator_page("GET", HERE, show), parts.operator_page("POST", HERE, save, takes_file=True)]


async def show(visit: Visit) -> web.StreamResponse:
    """Show the branding as a form."""
    return await _page(visit, 200, {})


async def save(visit: Visit) -> web.StreamResponse:
    """Keep what was typed, and the logo that came along."""
    services, form = visit.services, visit.form
    try:
        sent = b"" if visit.file is None or not visit.file.name else await read_picture(visit.file.blocks())
        logo = await encoded(sent) if sent else None
    except (OperatorFault, FileTooLarge, FileFormFault) as fault:
        words = str(fault) if isinstance(fault, OperatorFault) else "The picture was cut off, or is too large."
        return await _page(visit, 422, {"logo": words})
    try:
        await set_branding(
            services.store, services.clock, logo=logo, keeps_logo=form.get("drop_logo") != "1",
            **{name: form.get(name, "") for name in TEXTS},
        )  # fmt: skip
    except InvalidFields as fault:
        return await _page(visit, 422, fault.faults)
    services.brands.forget()
    return see_other(f"{HERE}?done=saved")


async def _page(visit: Visit, status: int, faults: Mapping[str, str]) -> web.Response:
    brand = await visit.services.brands.get()
    values = {"name": "" if brand.name == USUAL_NAME else brand.name, "accent": brand.accent,
              "imprint": brand.imprint, "terms": brand.terms}  # fmt: skip
    values |= {name: visit.form[name] for name in TEXTS if name in visit.form}
    said = "Saved. Every page shows it within seconds." if visit.query.get("done") == "saved" else None
    return visit.page(
        "operator/branding.html", status, values=values, faults=faults, said=said, usual=USUAL_NAME,
        may_act=visit.may(HERE),
    )  # fmt: skip
