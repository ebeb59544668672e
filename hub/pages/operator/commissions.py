"""/operator/commissions: the commissions of all merchants."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.domain.words import COMMISSION_STATES
from hub.operations.money.payouts.payouts import COMMISSIONS, numbered_commissions
from hub.pages.markup import status_word
from hub.pages.operator import parts
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.commissions import ListedCommission

HERE: Final = "/operator/commissions"
PLACES: Final = {"Merchant": "first", "Affiliate": "second", "Commission": "right", "State": "last"}
STATES: Final = tuple((each, status_word(each)) for each in COMMISSION_STATES)
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_commissions(visit: Visit) -> web.StreamResponse:
    """Show the commissions that match the filters of the address, newest first."""
    asked = parts.asked_for(visit, "state", "merchant", "affiliate", "mode")
    found, faults = await parts.read_list(
        numbered_commissions(visit.services.store, wanted_of(visit, COMMISSIONS, asked))
    )
    rows = [_row(number, each) for number, each in found.entries]
    columns = ("Order", "State", "Merchant", "Affiliate", "Rule", "Commission")
    filters = (
        parts.Field("state", "State", "choice", asked["state"], options=STATES),
        *await parts.party_filters(visit, asked, "merchant", "affiliate"),
        parts.mode_filter(asked),
    )
    listing = parts.Listing(
        "Commissions", columns, rows, nothing_of("commission", found), *beside(HERE, found, asked), places=PLACES
    )
    return parts.show_list(visit, parts.ListPage("Commissions", HERE, listing, filters=filters), faults)


def _row(number: str, each: ListedCommission) -> tuple[parts.Cell, ...]:
    return (
        parts.link(number, f"/operator/orders/{each.conversion_id}", each.mode),
        parts.state(each.state, each.reference or ""),
        parts.link(each.merchant_name, f"/operator/merchants/{each.merchant_id}"),
        parts.link(each.affiliate_name or each.affiliate_id, f"/operator/affiliates/{each.affiliate_id}"),
        parts.text(each.source.capitalize()),
        parts.money(each.amount, each.currency),
    )
