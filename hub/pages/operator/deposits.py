"""/operator/owed/{merchant}/deposit: what a merchant paid in, what it covers, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.deposits import ACTS
from hub.operations.money.deposits import DepositDocument, show_deposit
from hub.operations.users.actor_names import names_of_actors
from hub.pages.operator.act_forms import ActForm, act_named
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/owed/{merchant}/deposit"


def deposit_pages() -> list[Page]:
    """Return the pages."""
    return [
        operator_page("GET", HERE, show),
        ActForm(f"{HERE}/require", act_named(ACTS, "requireDeposit"), "saved", _page).page(),
        ActForm(f"{HERE}/add", act_named(ACTS, "addDeposit"), "noted", _page).page(),
        ActForm(f"{HERE}/withdraw", act_named(ACTS, "withdrawDeposit"), "noted", _page).page(),
    ]


async def show(visit: Visit) -> web.StreamResponse:
    """Show a merchant's deposit with its payments, and to an administrator the forms."""
    return await _page(visit, 200, {})


async def _found(visit: Visit) -> DepositDocument:
    return await show_deposit(visit.services.store, visit.path["merchant"])


async def _page(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
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
