"""/operator/owed/{merchant}/deposit: what a merchant paid in, what it covers, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.deposits import ACTS
from hub.operations.money.books.deposits import DepositDocument, show_deposit
from hub.operations.users.actor_names import names_of_actors
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator.act_forms import act_pages
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/owed/{merchant}/deposit"
PAGES: Final = RouteTable(operator_page)


async def _found(visit: Visit) -> DepositDocument:
    return await show_deposit(visit.services.store, visit.path["merchant"])


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show a merchant's deposit with its payments, and to an administrator the forms."""
    deposit = await _found(visit)
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


PAGES.extend(act_pages(ACTS, show, {
    f"{HERE}/require": ("requireDeposit", "saved"),
    f"{HERE}/add": ("addDeposit", "noted"),
    f"{HERE}/withdraw": ("withdrawDeposit", "noted"),
}))  # fmt: skip
