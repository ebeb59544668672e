"""/operator/approvals: who waits for a decision, the longest first."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.lists import Wanted
from hub.operations.merchants.merchant_profiles import list_asking
from hub.operations.money.books.adjustments import first_adjustments
from hub.operations.money.payouts.payout_runs import first_runs
from hub.operations.system.erasures import list_erasures
from hub.operations.system.party_lists import campaigns_part
from hub.pages.operator import parts
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/approvals"
LATEST_RUNS: Final = 20
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_approvals(visit: Visit) -> web.StreamResponse:
    """Show the merchants, campaigns and requests that wait; each is decided on its own page."""
    sections = (
        await _merchants(visit),
        await _campaigns(visit),
        await _payouts(visit),
        await _corrections(visit),
        await _erasures(visit),
    )
    return parts.show_object(visit, parts.Shown("Approvals", ("/operator", "Overview"), sections=sections))


async def _merchants(visit: Visit) -> parts.Section:
    rows = [
        (
            parts.link(each["name"], f"/operator/merchants/{each['merchantId']}"),
            parts.state(each["status"]),
            parts.text(each["asks"].replace("_", " ")),
            parts.at(each["since"]),
        )
        for each in await list_asking(visit.services.store)
    ]
    columns = ("Merchant", "Status", "Asks for", "Since")
    return parts.Section("Merchants", listing=parts.Listing("Merchants", columns, rows, "No merchant is waiting."))


async def _campaigns(visit: Visit) -> parts.Section:
    services, wanted = visit.services, Wanted({"approval": "PENDING"})
    found = (await campaigns_part(services.store, services.clock, wanted)).entries
    rows = [
        (
            parts.link(each.title, f"/operator/campaigns/{each.id}", each.campaign_code),
            parts.state(each.status),
            parts.link(each.merchant_name, f"/operator/merchants/{each.merchant_id}"),
            parts.text(each.mode),
        )
        for each in reversed(found)
    ]
    columns = ("Campaign", "Status", "Merchant", "Mode")
    return parts.Section("Campaigns", listing=parts.Listing("Campaigns", columns, rows, "No campaign is waiting."))


async def _payouts(visit: Visit) -> parts.Section:
    runs = await first_runs(visit.services.store, Wanted(limit=LATEST_RUNS))
    rows = [
        (
            parts.link("TEST payout" if run["mark"] else "Payout", f"/operator/payouts/{run['id']}", run["id"] or ""),
            parts.state(run["status"]),
            parts.text(", ".join(f"{total['amount']} {total['currency']}" for total in run["totals"])),
            parts.at(run["createdAt"]),
        )
        for run in runs
        if run["status"] in ("GATHERING", "DRAFT", "RELEASING")
    ]
    columns = ("Payout", "State", "Pays", "Created")
    return parts.Section(
        "Payouts", listing=parts.Listing("Payouts", columns, rows, "No payout is waiting for release.")
    )


async def _corrections(visit: Visit) -> parts.Section:
    found = await first_adjustments(visit.services.store, Wanted({"status": "PROPOSED"}))
    rows = [
        (
            parts.link(each["reason"], f"/operator/adjustments/{each['id']}", each["mode"]),
            parts.text(each["affiliateName"] or each["affiliateId"]),
            parts.money(each["amount"], each["currency"]),
            parts.at(each["createdAt"]),
        )
        for each in found
    ]
    columns = ("Correction", "Affiliate", "Amount", "Proposed")
    return parts.Section(
        "Corrections", listing=parts.Listing("Corrections", columns, rows, "No correction is waiting for approval.")
    )


async def _erasures(visit: Visit) -> parts.Section:
    rows = [
        (
            parts.link(each.connection_id, f"/operator/connections/{each.connection_id}"),
            parts.text(each.subject),
            parts.at(each.requested_at),
            parts.at(each.due_at),
        )
        for each in await list_erasures(visit.services.store)
    ]
    columns = ("Connection", "What", "Asked", "Happens")
    words = ("A platform has asked to erase a store's data. If the store has not left, keep its data.",) if rows else ()
    listing = parts.Listing("Requests to erase", columns, rows, "No platform has asked to erase a store's data.")
    return parts.Section("Requests to erase", listing=listing, paragraphs=words)
