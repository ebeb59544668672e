"""/merchant/materials: texts, pictures and pages that a merchant gives its partners to publish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.affiliates.materials import NewMaterial, add_material, delete_material, materials_of
from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.errors import InvalidFields, OperatorFault, UnknownReference
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.join_page import picture_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/materials"
DONE: Final = {"added": "Your partners can use it now.", "deleted": "It is deleted, including its picture."}
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(HERE, takes_file=True)
async def add(shown: MerchantVisit) -> web.StreamResponse:
    """Store a material."""
    form, services = shown.form, shown.services
    kind = form.get("kind", "")
    try:
        wanted = NewMaterial(
            kind, form.get("title", ""), form.get("text", ""), form.get("destination", "").strip(),
            form.get("campaign") or None, await picture_of(shown) if kind == "PICTURE" else None,
        )  # fmt: skip
        await add_material(services.store, services.clock, shown.account_id, wanted)
    except InvalidFields as fault:
        return await show(shown, 422, fault.faults)
    except OperatorFault as fault:
        return await show(shown, 422, {"file" if kind == "PICTURE" else "": fault.reason})
    return see_other(f"{HERE}?mode={shown.mode}&done=added")


@PAGES.post(f"{HERE}/{{material}}/delete")
async def delete(shown: MerchantVisit) -> web.StreamResponse:
    """Delete a material."""
    services = shown.services
    try:
        await delete_material(services.store, services.clock, shown.account_id, shown.path["material"])
    except UnknownReference:
        raise NotInAccount from None
    return see_other(f"{HERE}?mode={shown.mode}&done=deleted")


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the materials, and the form for one more."""
    services = shown.services
    every = await list_campaigns(services.store, services.clock, shown.merchant_id)
    return shown.page(
        "merchant/materials.html", status, materials=await materials_of(services.store, shown.account_id),
        campaigns=[("", "All of them"), *((each.id, each.title) for each in every if each.mode == shown.mode)],
        form=shown.form, faults=faults, done=DONE.get(shown.query.get("done", "")),
    )  # fmt: skip
