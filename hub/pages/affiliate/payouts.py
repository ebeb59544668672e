"""/affiliate/payouts: what is payable, what was paid, and a statement of each payout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.instants import parse_instant
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.books.adjustments import first_adjustments
from hub.operations.money.books.balances import affiliate_balances
from hub.operations.money.invoices.own_payouts import OWN_PAYOUTS, own_payouts, own_statement
from hub.operations.money.payees.payees import PayeeDocument, show_payee
from hub.operations.money.payees.payout_terms import set_terms, show_terms
from hub.operations.money.payouts.pay_dates import next_payouts
from hub.operations.system.branding import issuer_of
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.modes import shown_mode
from hub.pages.downloads import self_billed_file, statement_file
from hub.pages.form_faults import NO_FAULTS
from hub.pages.paging import beside, wanted_of
from hub.pages.period_statements import period_file, shown_period
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/affiliate/payouts"
PERIOD: Final = "/affiliate/statement"
PAGES: Final = RouteTable(affiliate_page)


@PAGES.post(f"{HERE}/terms")
async def change_terms(visit: AffiliateVisit) -> web.StreamResponse:
    """Set the own minimum, in which currencies to be paid, or to wait."""
    services, form = visit.services, visit.form
    try:
        await set_terms(
            services.store, services.clock, visit.affiliate_id, minimum=form.get("minimum", ""),
            currencies=form.get("currencies", ""), waits=form.get("waits", "") not in ("", "0"),
            paid_in=form.get("paidIn", ""),
        )  # fmt: skip
    except OperatorFault as fault:
        return await show_payouts(visit, 422, {"": fault.reason})
    return see_other(f"{HERE}?done=saved")


@PAGES.get(HERE)
async def show_payouts(
    visit: AffiliateVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS
) -> web.StreamResponse:
    """Show the balances, where the money goes, and the payouts so far."""
    services, own = visit.services, visit.affiliate_id
    shown = await shown_mode(visit)
    found = await own_payouts(services.store, own, shown.mode, wanted_of(visit.visit, OWN_PAYOUTS))
    older, newer = beside("/affiliate/payouts", found, {"mode": shown.mode})
    waiting = Wanted({"affiliate": own, "mode": shown.mode, "status": "APPROVED"})
    payee = await payee_of(visit)
    return visit.page(
        "affiliate/payouts.html",
        status,
        faults=faults,
        form=visit.form,
        terms=await show_terms(services.store, own),
        said="Saved." if visit.query.get("done") == "saved" else None,
        shown=shown,
        balances=await affiliate_balances(services.store, own, shown.mode, exact=False),
        payee=payee,
        waits_until=waits_until(visit, payee),
        coming=[]
        if shown.is_test
        else await next_payouts(services.store, services.clock, services.settings.payouts, own),
        minimum=services.settings.payouts.minimum,
        waiting=await first_adjustments(services.store, waiting),
        payouts=found.entries,
        older=older,
        newer=newer,
    )


@PAGES.get(f"{HERE}/{{payout}}")
async def show_statement(visit: AffiliateVisit) -> web.StreamResponse:
    """Show what a payout was for, by line, as a page, as PDF or as CSV."""
    services, form = visit.services, visit.query.get("format", "")
    try:
        issuer = await issuer_of(services.store, services.settings)
        statement = await own_statement(
            services.store, services.sealer, visit.path["payout"], visit.affiliate_id, issuer
        )
        if form == "invoice":
            return await self_billed_file(services, statement, visit.query.get("currency", ""))
    except OperatorFault:
        return visit.not_found()
    if form in ("pdf", "csv"):
        return statement_file(statement, form)
    return visit.page("affiliate/statement.html", statement=statement)


@PAGES.get(PERIOD)
async def show_period(visit: AffiliateVisit) -> web.StreamResponse:
    """Show what could be paid before a period, what changed it, and what is left, as a page, as PDF or as CSV."""
    mode, form = (await shown_mode(visit)).mode, visit.query.get("format", "")
    try:
        shown = await shown_period(visit.services, visit.query, visit.affiliate_id, mode)
        if form in ("pdf", "csv") and not shown.faults:
            return period_file(shown.statement, form)
    except OperatorFault as fault:
        return visit.page("too_much.html", 422, fault=fault.reason, back=PERIOD)
    return visit.page("affiliate/period.html", 422 if shown.faults else 200, **shown.values)


async def payee_of(visit: AffiliateVisit) -> PayeeDocument | None:
    """Return who is paid for the affiliate, None if that is not known yet."""
    try:
        return await show_payee(visit.services.store, visit.services.sealer, visit.affiliate_id)
    except OperatorFault:
        return None


def waits_until(visit: AffiliateVisit, payee: PayeeDocument | None) -> int | None:
    """Return until when payouts wait because the payee was changed (ms UTC), None if they do not."""
    if payee is None or not payee["waits"]:
        return None
    until = parse_instant(payee["changedAt"]) + visit.services.settings.payouts.payee_wait
    return until if until > visit.services.clock() else None
