"""/merchant/commissions: what is owed, by state; held ones are approved or rejected, many at once."""

from __future__ import annotations

from functools import partial
from typing import Final

from aiohttp import web
from markupsafe import Markup

from hub.domain.words import COMMISSION_STATES, BulkAct
from hub.operations.figures.figures import chosen_period, daily_sums
from hub.operations.orders.bulk_acts import act_on_many
from hub.operations.orders.commission_decisions import Decision, decide_commission
from hub.operations.orders.order_lists import list_orders
from hub.pages.filter_chips import Filters
from hub.pages.markup import money, status_word
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.bulk import outcome_of, shown_outcome, ticked
from hub.pages.merchant.orders import wanted_orders
from hub.pages.paging import beside, here
from hub.pages.route_table import RouteTable

FILTERS: Final = ("state", "affiliate", "campaign", "from", "to")
HERE: Final = "/merchant/commissions"
SUMMED_DAYS: Final = 365
DECIDABLE: Final = ("PENDING", "HOLD", "APPROVED", "PAYABLE")
LONGEST_REASON: Final = 500
PAGES: Final = RouteTable(merchant_page)


@PAGES.get("/merchant/commissions")
async def show_commissions(visit: MerchantVisit) -> web.StreamResponse:
    """Show a page of the commissions in a state, on hold at first, and the sums of all states."""
    return await _commissions(visit)


@PAGES.post("/merchant/commissions")
async def decide_commissions(visit: MerchantVisit) -> web.StreamResponse:
    """Approve or reject the commissions that were ticked, each as its order's status would."""
    chosen, reason = ticked(visit.form), visit.form.get("reason", "").strip()[:LONGEST_REASON]
    approve = visit.form.get("verdict") == "approve"
    if not chosen:
        return await _commissions(visit, 422, {"": "Select the commissions first."})
    if not approve and not reason:
        return await _commissions(visit, 422, {"reason": "Give a reason: the affiliates will see it."})
    services, do = visit.services, partial(_decide, visit, Decision(approve, reason or None))
    act: BulkAct = "approved" if approve else "rejected"
    bulk_id = await act_on_many(services.store, services.clock, visit.account_id, act, chosen, do)
    return outcome_of(visit, HERE, bulk_id, Filters.of(HERE, visit.query, FILTERS).given)


async def _decide(visit: MerchantVisit, decision: Decision, conversion_id: str) -> None:
    services = visit.services
    await decide_commission(
        services.store, services.submissions, services.clock, visit.account_id, conversion_id, decision
    )


async def _commissions(visit: MerchantVisit, status: int = 200, faults: dict[str, str] | None = None) -> web.Response:
    asked = Filters.of("/merchant/commissions", {"state": "HOLD", **visit.query}, FILTERS)
    page = await list_orders(visit.services.store, visit.account_id, wanted_orders(visit, asked), visit.mode)
    older, newer = beside("/merchant/commissions", page, asked.given)
    state = asked.value("state")
    return visit.page(
        "merchant/commissions.html",
        status,
        asked=asked,
        page=page,
        state=state,
        states=[(each, status_word(each), sums) for each, sums in await _sums(visit)],
        may_decide=visit.is_owner and state in DECIDABLE,
        faults=faults or {},
        form=visit.form,
        **await shown_outcome(visit),
        part=here(visit.visit, "/merchant/commissions", asked.given),
        newer=newer,
        older=older,
    )


async def _sums(visit: MerchantVisit) -> list[tuple[str, list[Markup]]]:
    """Return the sums of each state by currency, over the orders of the last year."""
    period = chosen_period("", "", SUMMED_DAYS, visit.services.clock())
    days = await daily_sums(visit.services.store, visit.account_id, period)
    currencies = sorted({each.currency for each in days if each.currency})
    found: list[tuple[str, list[Markup]]] = []
    for state in COMMISSION_STATES:
        name = f"{state.lower()}_minor"
        sums = [(sum(getattr(each, name) for each in days if each.currency == c), c) for c in currencies]
        found.append((state, [money(minor, currency) for minor, currency in sums]))
    return found
