"""/operator/payouts/{payout}: one run, from its release by a second person to what the bank said of each payment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.clock import Clock
from hub.domain.payouts.payout_formats import FORMATS, PLAIN, Format
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.statements import StatementDocument, affiliate_statement
from hub.operations.money.payees.payees import payment_methods, waiting_payees
from hub.operations.money.payouts.payout_documents import RunDocument
from hub.operations.money.payouts.payout_files import list_files
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_returns import reinstate_payment, return_payment
from hub.operations.money.payouts.payout_runs import cancel_run, loose_payments, loose_ways, run_part
from hub.operations.money.payouts.payout_settlement import Chosen, settle_run
from hub.operations.system.branding import issuer_of
from hub.operations.trail import TIMER
from hub.operations.users.actor_names import names_of_actors
from hub.pages.downloads import self_billed_file, statement_file
from hub.pages.form_faults import NO_FAULTS, left_empty
from hub.pages.money_words import METHODS
from hub.pages.operator.bank_reports import taken_file
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.paging import ROWS
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.storage import Store

PaymentChange = Callable[[Store, Clock, str, str, str, str | None], Awaitable[object]]
"""Changes a payment: of a run, an affiliate, for a reason, in one currency if it is named."""
HERE: Final = "/operator/payouts"
ONE: Final = f"{HERE}/{{payout}}"
PAGES: Final = RouteTable(operator_page)


@PAGES.get(ONE)
async def show_payout(visit: Visit) -> web.StreamResponse:
    """Show a run with what it pays each affiliate, and the next step."""
    return await show_payout_with(visit, 200, {})


@PAGES.post(f"{ONE}/release", back=lambda visit: visit.address)
async def release(visit: Visit) -> web.StreamResponse:
    """Release a run, or go on with a release that was interrupted; a second press changes nothing."""
    services, one = visit.services, _address(visit)

    def act() -> Awaitable[object]:
        return release_run(services.store, services.clock, services.settings.payouts, visit.path["payout"])

    return await _done(visit, act, f"{one}?done=released", ask_to_release)


@PAGES.post(f"{ONE}/settle", takes_file=True)
async def settle(visit: Visit) -> web.StreamResponse:
    """Mark a run's payments as paid: all of them, or what the bank's result file says."""
    services, one = visit.services, _address(visit)
    reference, payout_id = visit.form.get("reference", ""), visit.path["payout"]

    def act() -> Awaitable[object]:
        chosen = Chosen(file_id=visit.form.get("file") or None)
        return settle_run(services.store, services.clock, payout_id, reference, None, chosen)

    if visit.file is None or not visit.file.name:
        return await _done(visit, act, f"{one}?done=settled", show_payout_with)
    await run_part(services.store, payout_id)
    try:
        report = await taken_file(visit, visit.file, "The result file", payout_id)
    except OperatorFault as fault:
        return await show_payout_with(visit, 422, _at_field(visit, fault))
    return see_other(f"{one}?done=settled" if report.status == "DONE" else f"/operator/bank-reports/{report.id}")


@PAGES.post(f"{ONE}/affiliates/{{affiliate}}/returned")
async def take_back(visit: Visit) -> web.StreamResponse:
    """Note that a payment came back, with the bank's reason."""
    return await _on_payment(visit, return_payment, "returned")


@PAGES.post(f"{ONE}/affiliates/{{affiliate}}/reinstate")
async def reinstate(visit: Visit) -> web.StreamResponse:
    """Take back a return that was noted by mistake."""
    return await _on_payment(visit, reinstate_payment, "reinstated")


async def _on_payment(visit: Visit, change: PaymentChange, word: str) -> web.StreamResponse:
    """Change what became of the payments of the form's affiliate and currency, for the form's reason."""
    services, one = visit.services, f"{_address(visit)}/affiliates/{visit.path['affiliate']}"
    currency, reason = visit.form.get("currency") or None, visit.form.get("reason", "")

    def act() -> Awaitable[object]:
        return change(services.store, services.clock, visit.path["payout"], visit.path["affiliate"], reason, currency)

    return await _done(visit, act, f"{one}?done={word}", _statement)


@PAGES.post(f"{ONE}/cancel")
async def cancel(visit: Visit) -> web.StreamResponse:
    """Cancel a draft, so that what it has reserved is payable again."""
    services, reason = visit.services, visit.form.get("reason", "")

    def act() -> Awaitable[object]:
        return cancel_run(services.store, services.clock, visit.path["payout"], reason)

    return await _done(visit, act, f"{_address(visit)}?done=cancelled", show_payout_with)


@PAGES.get(f"{ONE}/affiliates/{{affiliate}}")
async def show_statement(visit: Visit) -> web.StreamResponse:
    """Show what a run pays one affiliate, by line, as a page, as PDF or as CSV."""
    form = visit.query.get("format", "")
    if form in ("pdf", "csv"):
        return statement_file(await _found_statement(visit), form)
    if form == "invoice":
        return await self_billed_file(visit.services, await _found_statement(visit), visit.query.get("currency", ""))
    return await _statement(visit, 200, {})


Again = Callable[[Visit, int, Mapping[str, str]], Awaitable[web.StreamResponse]]
Act = Callable[[], Awaitable[object]]


async def _done(visit: Visit, act: Act, then: str, again: Again) -> web.StreamResponse:
    await run_part(visit.services.store, visit.path["payout"])
    try:
        await act()
    except OperatorFault as fault:
        return await again(visit, 422, _at_field(visit, fault))
    return see_other(then)


def _at_field(visit: Visit, fault: OperatorFault) -> dict[str, str]:
    """Return a fault at the field that was left empty: these forms have one that may not be."""
    return {left_empty(visit.form, "reference", "reason"): fault.reason}


async def show_payout_with(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    """Show a run with what was wrong with an act on it."""
    services = visit.services
    after = visit.query.get("after", "")
    run = await run_part(services.store, visit.path["payout"], after=after, limit=ROWS)
    following = run["nextItem"]
    affiliates = {item["affiliateId"] for item in run["items"]}
    paid_by = await payment_methods(services.store, services.sealer, affiliates)
    wait = services.settings.payouts.payee_wait
    waiting = await waiting_payees(services.store, affiliates, services.clock(), wait)
    return visit.page(
        "operator/payout.html",
        status,
        run=run,
        first=_address(visit) if after else None,
        further=None if following is None else f"{_address(visit)}?{urlencode({'after': following})}",
        methods={each: _way(paid_by.get(each), waits=each in waiting) for each in affiliates},
        names=await names_of_actors(services.store, [run["createdBy"], run["releasedBy"]]),
        timer=TIMER.id,
        limit=services.settings.payouts.four_eyes_above,
        offered=offered_files(await loose_ways(services.store, visit.path["payout"]), is_test=run["mode"] == "test"),
        files=await list_files(services.store, visit.path["payout"]),
        loose=await loose_payments(services.store, visit.path["payout"]),
        may_act=visit.may(f"{HERE}/{{payout}}/release"),
        form=visit.form,
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )


@PAGES.get(f"{ONE}/release")
async def ask_to_release(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Say what the release does, in words and sums, or that there is none to come."""
    run: RunDocument = await run_part(visit.services.store, visit.path["payout"])
    names = await names_of_actors(visit.services.store, [run["createdBy"]])
    mine = run["createdBy"] == visit.person.user_id
    limit = visit.services.settings.payouts.four_eyes_above
    return visit.page(
        "operator/payout_release.html", status, run=run, names=names, mine=mine, limit=limit, faults=faults
    )


async def _statement(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    statement = await _found_statement(visit)
    return visit.page(
        "operator/payout_statement.html",
        status,
        statement=statement,
        may_act=visit.may(f"{HERE}/{{payout}}/release"),
        form=visit.form,
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )


async def _found_statement(visit: Visit) -> StatementDocument:
    services = visit.services
    issuer = await issuer_of(services.store, services.settings)
    return await affiliate_statement(
        services.store, services.sealer, visit.path["payout"], visit.path["affiliate"], issuer
    )


def offered_files(ways: Sequence[tuple[str, str]], *, is_test: bool) -> list[tuple[Format, str]]:
    """Return the formats that payments without a file may be written in, of methods and currencies ("": of all)."""
    if is_test:
        return [(PLAIN, "")]
    offered: list[tuple[Format, str]] = []
    for each in FORMATS:
        currencies = [currency for method, currency in ways if each.method in (None, method)]
        offered += [(each, currency) for currency in (currencies if each.one_currency else [""] if currencies else [])]
    return offered


def _way(way: tuple[str, str] | None, *, waits: bool) -> str:
    if way is None:
        return "no payment details yet"
    return f"{METHODS[way[0]]} {way[1]}{', just changed, so in no file yet' if waits else ''}"


def _address(visit: Visit) -> str:
    return f"{HERE}/{visit.path['payout']}"
