"""/operator/exchange-rates: by which rates affiliates are paid in another currency, set by two people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from aiohttp import web

from hub.acts.exchange_rates import ACTS
from hub.operations.money.books.exchange_rates import list_rates
from hub.operations.users.actor_names import names_of_actors
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.exchange_rates import ExchangeRate

HERE: Final = "/operator/exchange-rates"
SHOWN: Final = 500
SETS: Final = 10
NAMED: Final = 5
LEAD: Final = (
    "Affiliates that chose one currency to be paid in get what they earn in others by these rates. One person proposes "
    "rates, another one approves them. A run follows those in force when it is made, and its release shows them."
)
FORM: Final = parts.Form(
    f"{HERE}/propose",
    "Propose them",
    (
        parts.Field("rates", "Rates", "area", hint="One per line, like USD:EUR:0.9231: so many EUR for one USD."),
        parts.Field("source", "Source", hint="Where they are from, like ECB reference rates of 2026-11-24."),
    ),
    title="Propose exchange rates",
    hint="Another administrator must approve them.",
)
DECIDE: Final = f"{HERE}/{{rates}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the rates in force and those that are proposed, and to an administrator the forms."""
    rates = await list_rates(visit.services.store)
    people = [person for each in rates for person in (each.proposed_by, each.decided_by) if person]
    names = await names_of_actors(visit.services.store, people)
    rows = [
        (
            parts.text(f"{each.base} to {each.quote}"),
            parts.text(each.rate),
            parts.text(None if each.change is None else f"{each.change} %"),
            parts.state(each.status),
            parts.text(each.source),
            parts.text(names.get(each.proposed_by, each.proposed_by)),
            parts.text(names.get(each.decided_by or "", each.decided_by)),
            parts.at(each.decided_at),
        )
        for each in rates[:SHOWN]
    ]
    columns = ("Currencies", "Rate", "Change", "State", "Source", "Proposed by", "Approved by", "Approved")
    listing = parts.Listing("Exchange rates", columns, rows, "There are no exchange rates.")
    shown = parts.Shown("Exchange rates", ("/operator/payouts", "Payouts"), "", LEAD,
                        (parts.Section("Rates", listing=listing),), (*_decisions(rates), FORM))  # fmt: skip
    return parts.show_object(visit, shown, status, faults)


def _decisions(rates: Sequence[ExchangeRate]) -> list[parts.Form]:
    """Return the forms that decide on each set of rates that is proposed, the newest first."""
    sets: dict[str, list[str]] = {}
    for each in rates:
        if each.status == "PROPOSED":
            sets.setdefault(each.set_id, []).append(f"{each.base}:{each.quote}:{each.rate}")
    forms = []
    for set_id in sorted(sets, reverse=True)[:SETS]:
        words = f"{', '.join(sets[set_id][:NAMED])}{' and others' if len(sets[set_id]) > NAMED else ''}"
        forms += [
            parts.Form(f"{HERE}/{set_id}/approve", "Approve them", title=f"Approve {words}"),
            parts.Form(f"{HERE}/{set_id}/drop", "Drop them", tone="danger", title=f"Drop {words}"),
        ]
    return forms


def _here(_: Visit) -> str:
    return HERE


PAGES.extend(act_pages(ACTS, show, {
    f"{HERE}/propose": ("proposeExchangeRates", "rates-proposed"),
    f"{DECIDE}/approve": ("approveExchangeRates", "rates-approved"),
    f"{DECIDE}/drop": ("dropExchangeRates", "rates-dropped"),
}, back=_here))  # fmt: skip
