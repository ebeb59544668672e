"""The page by which strangers become partners of a merchant: its name, text and logo, and whom it lets in.

It belongs to the live account. Whoever is an affiliate joins with one click; a stranger registers from it, by the rules
of registration, and joins once the address is proved.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.domain.words import ACCEPTANCES
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.affiliates.memberships import Member, apply_in
from hub.operations.campaigns.offers import account_offers
from hub.operations.checks import checked_name, checked_text
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.notices import tell
from hub.operations.pictures.pictures import Encoded, drop_picture, keep_picture
from hub.operations.trail import note_act
from hub.processing.policy import Policy
from hub.records.campaigns import Offer
from hub.storage import Row, Store, Tx

LONGEST_BODY: Final = 1_000
LONGEST_TITLE: Final = 120
MOST_NAMES: Final = 5
"""How many addresses lead to a page: those that were printed go on leading to it."""
MOST_CAMPAIGNS: Final = 20
"""How many campaigns somebody joins who joins all; the newest first."""
_is_name = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,38})[a-z0-9]").fullmatch


class JoinPageDocument(TypedDict):
    """A merchant's page for partners: it answers at /join/`name` while `isOn`; `logo` is a picture's id."""

    name: str
    title: str
    text: str
    campaignId: str | None
    acceptance: str
    isOn: bool
    logo: str | None


@frozen
class WantedPage:
    """A page as its merchant typed it; `logo` replaces the present one, which `without_logo` takes away."""

    name: str
    title: str
    text: str
    campaign_id: str | None = None
    acceptance: str = "AFTER_REVIEW"
    is_on: bool = False
    logo: Encoded | None = None
    without_logo: bool = False


@frozen
class PublicPage:
    """A page as strangers read it, with what its campaigns pay."""

    document: JoinPageDocument
    account_id: str
    merchant_name: str
    offers: tuple[Offer, ...]


async def join_page_of(store: Store, account_id: str) -> JoinPageDocument | None:
    """Return an account's page, None before it has one."""
    async with store.read() as tx:
        row = await tx.one("join_page_of_account", account_id=account_id)
    return None if row is None else _document(row)


async def show_join_page(store: Store, clock: Clock, policy: Policy, name: str) -> PublicPage | None:
    """Return the page of a name; None if there is none, if it is switched off, or its merchant may not sell."""
    async with store.read() as tx:
        row = await open_page(tx, name)
    if row is None:
        return None
    offers = await joined_offers(store, clock, policy, row["account_id"], row["campaign_id"])
    return PublicPage(_document(row), row["account_id"], row["merchant_name"], offers)


async def open_page(tx: Tx, name: str) -> Row | None:
    """Return the row of a page that is switched on, of a merchant that may sell; None if there is none."""
    row = await tx.one("join_page_by_name", name=name)
    return row if row is not None and row["is_on"] and row["merchant_status"] == "APPROVED" else None


async def joined_offers(
    store: Store, clock: Clock, policy: Policy, account_id: str, campaign_id: str | None
) -> tuple[Offer, ...]:
    """Return what somebody joins by a page: its campaign, or every active one of the account."""
    offers = await account_offers(store, clock, policy, account_id, MOST_CAMPAIGNS)
    return tuple(each for each in offers if campaign_id in (None, each.id))


async def set_join_page(store: Store, clock: Clock, account_id: str, wanted: WantedPage) -> JoinPageDocument:
    """Store an account's page; raise `InvalidFields` for what cannot stand, and `OperatorFault` for too many pictures.

    A name is an address, so one that another merchant has is refused.
    """
    async with store.write() as tx:
        before = await tx.one("join_page_of_account", account_id=account_id)
        values = await _checked(tx, account_id, wanted)
        logo = None if before is None or wanted.without_logo else before["logo"]
        if wanted.logo is not None:
            logo = await keep_picture(tx, clock, account_id, wanted.logo)
        await tx.run("write_join_page", account_id=account_id, logo=logo, now=clock(), **values)
        if before is not None and before["logo"] != logo:
            await drop_picture(tx, account_id, before["logo"])
        after = _document({**values, "logo": logo})
        await note_act(tx, clock(), "partner.page-set", account_id,
                       before=None if before is None else _document(before), after=after)  # fmt: skip
        return after


def checked_page(wanted: WantedPage) -> dict[str, Any]:
    """Return a page's columns; raise `InvalidFields` naming all that cannot stand."""
    faults: dict[str, str] = {}
    if not _is_name(wanted.name):
        faults["name"] = "Write 3 to 40 lowercase letters, digits and hyphens, like fjord-and-fern."
    title = body = ""
    try:
        title = checked_name(wanted.title, "A heading")[:LONGEST_TITLE]
    except OperatorFault as fault:
        faults["title"] = str(fault)
    try:
        body = checked_text(wanted.text, "A text", LONGEST_BODY)
    except OperatorFault as fault:
        faults["text"] = str(fault)
    if wanted.acceptance not in ACCEPTANCES:
        faults["acceptance"] = "Choose who decides."
    if faults:
        raise InvalidFields(faults)
    return {"name": wanted.name, "title": title, "body": body, "campaign_id": wanted.campaign_id,
            "acceptance": wanted.acceptance, "is_on": int(wanted.is_on)}  # fmt: skip


async def _checked(tx: Tx, account_id: str, wanted: WantedPage) -> dict[str, Any]:
    values = checked_page(wanted)
    await tx.run("keep_join_name", name=wanted.name, account_id=account_id)
    names = [row["name"] for row in await tx.all("join_names_of", account_id=account_id)]
    if wanted.name not in names:
        raise InvalidFields({"name": "Another merchant has this address; choose a different one."})
    if len(names) > MOST_NAMES:
        kept = ", ".join(each for each in names if each != wanted.name)
        raise InvalidFields({"name": f"Your page has had {MOST_NAMES} addresses; take one of these: {kept}."})
    campaigns = await tx.all("active_campaigns_of", account_id=account_id, limit=MOST_CAMPAIGNS)
    active = {row["campaign_id"] for row in campaigns}
    if wanted.campaign_id is not None and wanted.campaign_id not in active:
        raise InvalidFields({"campaign": "Choose one of your active campaigns, or all of them."})
    if wanted.is_on and not active:
        raise InvalidFields({"is_on": "Activate a campaign first: a partner has to have something to sell."})
    return values


async def join_by_page(tx: Tx, clock: Clock, account_id: str, affiliate_id: str) -> str | None:
    """Make an affiliate a partner as an account's page says, or let it wait for the merchant; return its status.

    The status is APPROVED or APPLIED; None if the page was switched off meanwhile or has no active campaign. Who waits
    or is a partner already stays so; whom the merchant rejected or removed is refused with `OperatorFault`.
    """
    page = await tx.one("join_page_of_account", account_id=account_id)
    if page is None or await open_page(tx, page["name"]) is None:
        return None
    campaigns = await campaigns_to_join(tx, account_id, page["campaign_id"])
    if not campaigns:
        return None
    at_once = page["acceptance"] == "AT_ONCE"
    status = "APPROVED" if at_once else "APPLIED"
    made = [await apply_in(tx, clock(), Member(each, affiliate_id, account_id), status) for each in campaigns]
    if any(is_new for is_new, _ in made):
        await _tell(tx, clock(), account_id, affiliate_id, at_once=at_once)
    if at_once:
        await first_link(tx, clock, account_id, affiliate_id, campaigns[0])
    return status


async def campaigns_to_join(tx: Tx, account_id: str, campaign_id: str | None) -> list[str]:
    """Return a campaign of an account if it is active, or its newest active ones."""
    rows = await tx.all("active_campaigns_of", account_id=account_id, limit=MOST_CAMPAIGNS)
    return [str(row["campaign_id"]) for row in rows if campaign_id in (None, row["campaign_id"])]


async def first_link(tx: Tx, clock: Clock, account_id: str, affiliate_id: str, campaign_id: str) -> None:
    """Give an affiliate a link to a campaign, to the shop's first domain, if it has none and there is a domain."""
    whose = await tx.one("merchant_of_account", account_id=account_id)
    if whose is None or whose["domains"] == "[]":
        return
    link = {"account_id": account_id, "affiliate_id": affiliate_id, "campaign_id": campaign_id}
    if await tx.one("link_to_try", **link) is None:
        await create_link(tx, clock, "", NewLink(whose["merchant_id"], whose["mode"], affiliate_id, campaign_id))


async def _tell(tx: Tx, now: int, account_id: str, affiliate_id: str, *, at_once: bool) -> None:
    """Tell the merchant once, however many campaigns it is."""
    whose = await tx.one("merchant_of_account", account_id=account_id)
    if whose is None:
        return
    name = (await require_affiliate(tx, affiliate_id))["name"]
    said = f"{name} {'joined you' if at_once else 'wants to be your partner'} by your page."
    there = f"/merchant/affiliates/{affiliate_id}?mode={whose['mode']}"
    await tell(tx, now, "partner-joined" if at_once else "partner-applied", whose["merchant_id"], said, there)


def _document(row: Row) -> JoinPageDocument:
    return {"name": row["name"], "title": row["title"], "text": row["body"], "campaignId": row["campaign_id"],
            "acceptance": row["acceptance"], "isOn": bool(row["is_on"]), "logo": row["logo"]}  # fmt: skip
