"""/operator/approvals: who waits for a decision, the longest first."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.lists import Wanted
from hub.operations.merchants.merchant_profiles import list_asking
from hub.operations.money.adjustments import first_adjustments
from hub.operations.money.payout_runs import first_runs
from hub.operations.system.erasures import list_erasures
from hub.operations.system.party_lists import campaigns_part
from hub.pages.operator.parts import (
    Column,
    Listing,
    Section,
    Shown,
    at,
    link,
    money,
    operator_page,
    show_object,
    state,
    text,
)
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/approvals"
LATEST_RUNS: Final = 20


def approval_pages() -> list[Page]:
    """Return the pages."""
    return [operator_page("GET", HERE, show_approvals)]


async def show_approvals(visit: Visit) -> web.StreamResponse:
    """Show the merchants, campaigns and requests that wait; each is decided on its own page."""
    sections = (
        await _merchants(visit),
        await _campaigns(visit),
        await _payouts(visit),
        await _corrections(visit),
        await _erasures(visit),
    )
    return show_object(visit, Shown("Approvals", ("/operator", "Overview"), sections=sections))


async def _merchants(visit: Visit) -> Section:
    rows = [
        (
            link(each["name"], f"/operator/merchants/{each['merchantId']}"),
            state(each["status"]),
            text(each["asks"].replace("_", " ")),
            at(each["since"]),
        )
        for each in await list_asking(visit.services.store)
    ]
    columns = (Column("Merchant"), Column("Status"), Column("Asks for"), Column("Since"))
    return Section("Merchants", listing=Listing("Merchants", columns, rows, "No merchant waits."))


async def _campaigns(visit: Visit) -> Section:
    services, wanted = visit.services, Wanted({"approval": "PENDING"})
    found = (await campaigns_part(services.store, services.clock, wanted)).entries
    rows = [
        (
            link(each.title, f"/operator/campaigns/{each.id}", each.campaign_code),
            state(each.status),
            link(each.merchant_name, f"/operator/merchants/{each.merchant_id}"),
            text(each.mode),
        )
        for each in reversed(found)
    ]
    columns = (Column("Campaign"), Column("Status"), Column("Merchant"), Column("Mode"))
    return Section("Campaigns", listing=Listing("Campaigns", columns, rows, "No campaign waits."))


async def _payouts(visit: Visit) -> Section:
    runs = await first_runs(visit.services.store, Wanted(limit=LATEST_RUNS))
    rows = [
        (
            link("TEST payout" if run["mark"] else "Payout", f"/operator/payouts/{run['id']}", run["id"] or ""),
            state(run["status"]),
            text(", ".join(f"{total['amount']} {total['currency']}" for total in run["totals"])),
            at(run["createdAt"]),
        )
        for run in runs
        if run["status"] in ("DRAFT", "RELEASING")
    ]
    columns = (Column("Payout"), Column("State"), Column("Pays"), Column("Created"))
    return Section("Payouts", listing=Listing("Payouts", columns, rows, "No payout waits for its release."))


async def _corrections(visit: Visit) -> Section:
    found = await first_adjustments(visit.services.store, Wanted({"status": "PROPOSED"}))
    rows = [
        (
            link(each["reason"], f"/operator/adjustments/{each['id']}", each["mode"]),
            text(each["affiliateName"] or each["affiliateId"]),
            money(each["amount"], each["currency"]),
            at(each["createdAt"]),
        )
        for each in found
    ]
    columns = (Column("Correction"), Column("Affiliate"), Column("Amount", "number"), Column("Proposed"))
    return Section("Corrections", listing=Listing("Corrections", columns, rows, "No correction waits for approval."))


async def _erasures(visit: Visit) -> Section:
    rows = [
        (
            link(each["connectionId"], f"/operator/connections/{each['connectionId']}"),
            text(each["subject"]),
            at(each["requestedAt"]),
            at(each["dueAt"]),
        )
        for each in await list_erasures(visit.services.store)
    ]
    columns = (Column("Connection"), Column("What"), Column("Asked"), Column("Happens"))
    words = ("A platform asks that a store is erased. If the store has not left, keep its data.",) if rows else ()
    listing = Listing("Requests to erase", columns, rows, "No platform asks that a store is erased.")
    return Section("Requests to erase", listing=listing, paragraphs=words)
