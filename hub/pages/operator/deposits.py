"""/operator/owed/{merchant}/deposit: what a merchant paid in, what it covers, and what is missing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.money.deposits import DepositDocument, move_deposit, require_deposit, show_deposit
from hub.operations.users.actor_names import names_of_actors
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/owed/{merchant}/deposit"


def deposit_pages() -> list[Page]:
    """Return the pages."""
    return [
        operator_page("GET", HERE, show),
        operator_page("POST", f"{HERE}/require", require),
        operator_page("POST", f"{HERE}/add", add),
        operator_page("POST", f"{HERE}/withdraw", withdraw),
    ]


async def show(visit: Visit) -> web.StreamResponse:
    """Show a merchant's deposit with its payments, and to an administrator the forms."""
    return await _page(visit, 200, {})


async def require(visit: Visit) -> web.StreamResponse:
    """Let commissions wait for the deposit, or no longer."""
    services, required = visit.services, visit.form.get("required") == "1"
    return await _act(
        visit, lambda merchant: require_deposit(services.store, services.clock, merchant, required=required), "saved"
    )


async def add(visit: Visit) -> web.StreamResponse:
    """Note that a merchant paid in; the same reference again changes nothing."""
    return await _move(visit, out=False)


async def withdraw(visit: Visit) -> web.StreamResponse:
    """Note that a merchant took out what covers nothing."""
    return await _move(visit, out=True)


async def _move(visit: Visit, *, out: bool) -> web.StreamResponse:
    services, form = visit.services, visit.form
    return await _act(
        visit,
        lambda merchant: move_deposit(
            services.store, services.clock, merchant, amount=form.get("amount", "").strip(),
            currency=form.get("currency", ""), reference=form.get("reference", ""), out=out,
        ),
        "noted",
    )  # fmt: skip


async def _act(visit: Visit, act: Callable[[str], Awaitable[object]], word: str) -> web.StreamResponse:
    here = HERE.format(merchant=visit.path["merchant"])
    try:
        merchant_id = (await _found(visit))["merchantId"]
    except OperatorFault:
        return visit.page("not_found.html", 404)
    try:
        await act(merchant_id)
    except OperatorFault as fault:
        return await _page(visit, 422, {"": str(fault)})
    return see_other(f"{here}?done={word}")


async def _found(visit: Visit) -> DepositDocument:
    return await show_deposit(visit.services.store, visit.path["merchant"])


async def _page(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    try:
        deposit = await _found(visit)
    except OperatorFault:
        return visit.page("not_found.html", 404)
    return visit.page(
        "operator/deposit.html",
        status,
        deposit=deposit,
        names=await names_of_actors(visit.services.store, [payment["madeBy"] for payment in deposit["payments"]]),
        may_act=visit.may(f"{HERE}/add"),
        form=visit.form,
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )
