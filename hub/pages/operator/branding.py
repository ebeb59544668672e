"""/operator/branding: the network's name, logo, accent colour, imprint and terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.pictures.pictures import encoded, read_picture
from hub.operations.system.branding import USUAL_NAME, set_branding
from hub.pages.file_forms import FileFormFault, FileTooLarge
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/branding"
TEXTS: Final = ("name", "accent", "imprint", "terms")
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(HERE, takes_file=True)
async def save(visit: Visit) -> web.StreamResponse:
    """Keep what was typed, and the logo that came along."""
    services, form = visit.services, visit.form
    try:
        sent = b"" if visit.file is None or not visit.file.name else await read_picture(visit.file.blocks())
        logo = await encoded(sent) if sent else None
    except (OperatorFault, FileTooLarge, FileFormFault) as fault:
        words = str(fault) if isinstance(fault, OperatorFault) else "The picture was cut off, or is too large."
        return await show(visit, 422, {"logo": words})
    try:
        await set_branding(
            services.store, services.clock, logo=logo, keeps_logo=form.get("drop_logo") != "1",
            **{name: form.get(name, "") for name in TEXTS},
        )  # fmt: skip
    except InvalidFields as fault:
        return await show(visit, 422, fault.faults)
    services.brands.forget()
    return see_other(f"{HERE}?done=saved")


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the branding as a form."""
    brand = await visit.services.brands.get()
    values = {"name": "" if brand.name == USUAL_NAME else brand.name, "accent": brand.accent,
              "imprint": brand.imprint, "terms": brand.terms}  # fmt: skip
    values |= {name: visit.form[name] for name in TEXTS if name in visit.form}
    said = "Saved. Every page shows it within seconds." if visit.query.get("done") == "saved" else None
    return visit.page(
        "operator/branding.html", status, values=values, faults=faults, said=said, usual=USUAL_NAME,
        may_act=visit.may(HERE),
    )  # fmt: skip
