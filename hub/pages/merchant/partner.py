"""/merchant/affiliates/{affiliate}: one partner with all that is between it and the merchant."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from aiohttp import web
from attrs import evolve

from hub.ids import new_id
from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.affiliates.link_lists import LINKS, list_account_links
from hub.operations.affiliates.partner_notes import partner_note, set_partner_note
from hub.operations.errors import OperatorFault
from hub.operations.figures.figures import Sums, chosen_period, sums_in
from hub.operations.figures.partners import Of, Partner, partner_of
from hub.operations.lists import Wanted
from hub.operations.money.books.adjustments import adjustments_part, create_adjustment
from hub.operations.orders.order_messages import threads_of_account
from hub.pages.figure_queries import METRICS, asked_of
from hub.pages.figure_views import Overview, overview_of
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable
from hub.records.words import texts_said

HERE: Final = "/merchant/affiliates"
PERIODS: Final = (30, 90, 365)
SHOWN: Final = {metric: METRICS[metric] for metric in ("clicks", "orders", "revenue", "commission")}
"""What the chart may show by day."""
MOST_SHOWN: Final = 20
"""How many bonuses and questions stand on the page."""
DONE: Final = {
    "bonus": "The bonus is proposed. Once the network's operator approves it, it is paid with the next payout.",
    "noted": "The note is saved.",
}
ONE: Final = f"{HERE}/{{affiliate}}"
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(f"{ONE}/bonus")
async def give_bonus(shown: MerchantVisit) -> web.StreamResponse:
    """Propose a bonus; the same form sent twice makes one."""
    partner, form, services = await _partner(shown), shown.form, shown.services
    if partner.is_test:
        return await show(shown, 422, {"": "Your test partner gets no bonus."})
    amount = form.get("amount", "").strip()
    if amount.startswith("-"):
        return await show(shown, 422, {"amount": "A bonus must be more than zero."})
    act = create_adjustment(
        services.store, services.clock, affiliate=partner.affiliate_id, account=f"{shown.merchant_id}:{shown.mode}",
        amount=amount, currency=shown.merchant.currency, reason=form.get("reason", ""),
        adjustment_id=form.get("id", ""),
    )  # fmt: skip
    field = "reason" if not form.get("reason", "").strip() else "amount"
    return await done_or_refused(act, f"{HERE}/{partner.affiliate_id}?done=bonus#bonuses", _again(shown), field)


@PAGES.post(f"{ONE}/note")
async def note(shown: MerchantVisit) -> web.StreamResponse:
    """Keep what the merchant notes of the partner."""
    partner, services = await _partner(shown), shown.services
    act = set_partner_note(
        services.store, services.clock, shown.account_id, partner.affiliate_id, shown.form.get("note", "")
    )
    return await done_or_refused(act, f"{HERE}/{partner.affiliate_id}?done=noted#notes", _again(shown), "note")


def days_of(shown: MerchantVisit) -> int:
    """Return of how many days the figures are, as the address says."""
    typed = shown.query.get("days", "")
    return int(typed) if typed in map(str, PERIODS) else PERIODS[0]


def whose(shown: MerchantVisit) -> Of:
    """Return whose partners are shown, and of what period the figures are."""
    period = chosen_period("", "", days_of(shown), shown.services.clock())
    return Of(shown.account_id, shown.merchant_id, shown.mode, shown.merchant.currency, period)


def _again(shown: MerchantVisit) -> Callable[[Mapping[str, str]], Awaitable[web.Response]]:
    return partial(show, shown, 422)


async def _partner(shown: MerchantVisit) -> Partner:
    """Return the partner of the address; raise `NotInAccount` if it is none of this account."""
    try:
        found = await partner_of(shown.services.store, whose(shown), shown.path["affiliate"])
    except OperatorFault:
        raise NotInAccount from None
    if found is None:
        raise NotInAccount
    return found


async def _figures(shown: MerchantVisit, affiliate_id: str) -> Overview:
    """Return what the partner brought by day, beside the period before."""
    clock, store = shown.services.clock, shown.services.store
    asked = asked_of(shown.query, clock(), f"{HERE}/{affiliate_id}", ("day",), SHOWN)
    of = {"account_id": shown.account_id, "affiliate_id": affiliate_id}
    now = await sums_in(store, Sums, "partner_figures_by_day", asked.period, **of)
    before = await sums_in(store, Sums, "partner_figures_by_day", asked.period.before, **of)
    return overview_of(asked, now, before, clock(), metrics=METRICS, totals=())


@PAGES.get(ONE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the partner."""
    partner, services = await _partner(shown), shown.services
    store, affiliate_id = services.store, partner.affiliate_id
    wanted = wanted_of(shown.visit, LINKS, {"affiliate_id": affiliate_id})
    links = await list_account_links(store, await services.root(), shown.account_id, wanted)
    older, newer = beside(f"{HERE}/{affiliate_id}", links, {})
    own = await show_affiliate(store, affiliate_id)
    few = Wanted({"affiliate_id": affiliate_id}, MOST_SHOWN)
    corrections = await adjustments_part(store, evolve(few, filters={**few.filters, "account_id": shown.account_id}))
    given = shown.form
    return shown.page(
        "merchant/partner.html",
        status,
        partner=partner,
        view=await _figures(shown, affiliate_id),
        metrics=SHOWN,
        links=links.entries,
        older=older,
        newer=newer,
        periods=PERIODS,
        days=days_of(shown),
        currency=shown.merchant.currency,
        coupons=own.coupons,
        said=texts_said(own),
        bonuses=corrections.entries,
        threads=(await threads_of_account(store, shown.account_id, few)).entries,
        note=given.get("note", await partner_note(store, shown.account_id, affiliate_id)),
        bonus={"id": given.get("id") or new_id("adj"), "amount": given.get("amount", ""),
               "reason": given.get("reason", "")},
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )  # fmt: skip
