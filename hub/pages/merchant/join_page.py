"""/merchant/affiliates/page: the page by which strangers become partners, with a preview, its link and its QR code."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from aiohttp import web

from hub.operations.affiliates.join_pages import (
    MOST_CAMPAIGNS,
    JoinPageDocument,
    WantedPage,
    checked_page,
    join_page_of,
    joined_offers,
    set_join_page,
)
from hub.operations.affiliates.qr_codes import FORMATS, qr_code
from hub.operations.campaigns.offers import account_offers
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.pictures.pictures import Encoded, encoded, read_picture
from hub.pages.file_forms import FileFormFault, FileTooLarge
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.rendering import IMAGE_TYPES, image, see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/affiliates/page"
LONGEST_NAME: Final = 40
LETTERS: Final = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "þ": "th"})
"""Letters that have no mark to leave out."""
UNREADABLE: Final = "The picture was not received completely. Send it again."
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the form and how strangers see what is stored."""
    return await _page(shown, 200, {})


@PAGES.post(HERE, takes_file=True)
async def save(shown: MerchantVisit) -> web.StreamResponse:
    """Store the page, or show how it would look."""
    if shown.mode != "live":
        return await _page(shown, 422, {"": "The page leads to your live account."})
    wanted, services = _wanted(shown.form), shown.services
    try:
        if shown.query.get("do") == "preview":
            checked_page(wanted)
            return await _page(shown, 200, {}, previewed=True)
        wanted = _wanted(shown.form, await picture_of(shown))
        await set_join_page(services.store, services.clock, shown.account_id, wanted)
    except InvalidFields as fault:
        return await _page(shown, 422, fault.faults)
    except OperatorFault as fault:
        return await _page(shown, 422, {"file": fault.reason})
    return see_other(f"{HERE}?done=saved")


async def show_qr_code(kind: str, shown: MerchantVisit) -> web.StreamResponse:
    """Return the QR code of the page's address as an image of one of the formats."""
    page = await join_page_of(shown.services.store, shown.accounts["live"])
    if page is None:
        raise NotInAccount
    return image(qr_code(await address_of(shown, page), kind), IMAGE_TYPES[kind], f"join-{page['name']}.{kind}")


async def picture_of(shown: MerchantVisit) -> Encoded | None:
    """Return the picture that a form brought, written anew, None for none; raise `OperatorFault`."""
    file = shown.visit.file
    if file is None or not file.name:
        return None
    try:
        sent = await read_picture(file.blocks())
    except (FileFormFault, FileTooLarge):
        raise OperatorFault(UNREADABLE) from None
    return await encoded(sent)


async def address_of(shown: MerchantVisit, page: JoinPageDocument) -> str:
    """Return where a page answers."""
    return f"{(await shown.services.root()).rstrip('/')}/join/{page['name']}"


def _wanted(form: Mapping[str, str], logo: Encoded | None = None) -> WantedPage:
    return WantedPage(
        name=form.get("name", "").strip().lower(),
        title=form.get("title", ""),
        text=form.get("text", ""),
        campaign_id=form.get("campaign") or None,
        acceptance=form.get("acceptance", ""),
        is_on=form.get("is_on") == "1",
        logo=logo,
        without_logo=form.get("without_logo") == "1",
    )


def address_like(name: str) -> str:
    """Return the address that a page begins with: a name's letters and digits without their marks, in ASCII."""
    bare = unicodedata.normalize("NFKD", name.lower().translate(LETTERS))
    plain = "".join(each for each in bare if not unicodedata.combining(each))
    words = "".join(each if each.isascii() and each.isalnum() else " " for each in plain).split()
    return "-".join(words)[:LONGEST_NAME].strip("-")


def _values(shown: MerchantVisit, stored: JoinPageDocument | None) -> dict[str, Any]:
    """Return what the form shows: as typed, else as stored, else a beginning."""
    if shown.form:
        typed = _wanted(shown.form)
        return {"name": typed.name, "title": typed.title, "text": typed.text, "campaignId": typed.campaign_id,
                "acceptance": typed.acceptance, "isOn": typed.is_on,
                "logo": None if stored is None or typed.without_logo else stored["logo"]}  # fmt: skip
    if stored is not None:
        return {**stored}
    return {"name": address_like(shown.name), "title": f"Partner with {shown.name}",
            "text": f"Recommend {shown.name}, and earn from every order that comes through your link.",
            "campaignId": None,
            "acceptance": "AFTER_REVIEW", "isOn": False, "logo": None}  # fmt: skip


async def _page(
    shown: MerchantVisit, status: int, faults: Mapping[str, str], *, previewed: bool = False
) -> web.Response:
    services, account_id = shown.services, shown.accounts["live"]
    stored = await join_page_of(services.store, account_id)
    values = _values(shown, stored)
    active = await account_offers(services.store, services.clock, services.policy, account_id, MOST_CAMPAIGNS)
    campaigns = [("", "All that are active"), *((each.id, each.title) for each in active)]
    offers = await joined_offers(services.store, services.clock, services.policy, account_id, values["campaignId"])
    return shown.page(
        "merchant/join_page.html", status, stored=stored, values=values, campaigns=campaigns, offers=offers,
        address=None if stored is None else await address_of(shown, stored), previewed=previewed, faults=faults,
        saved=shown.query.get("done") == "saved",
    )  # fmt: skip


PAGES.extend(
    [
        *(merchant_page("GET", f"{HERE}/qr.{kind}", partial(show_qr_code, kind)) for kind in FORMATS),
    ]
)
