"""Rates of exchange, for affiliates that are paid in another currency than they earn."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS, FourEyes
from hub.acts.call import Call, whole
from hub.acts.fields import needed, text
from hub.operations.money.books.exchange_rates import approve_rates, drop_rates, list_rates, propose_rates
from hub.records.exchange_rates import ExchangeRate

LONGEST: Final = 6_000
"""What two hundred rates take as text."""


async def _rates(c: Call) -> Any:
    return whole(await list_rates(c.store))


async def _propose(c: Call) -> Any:
    return whole(await propose_rates(c.store, c.clock, **c.body))


async def _approve(c: Call) -> Any:
    return whole(await approve_rates(c.store, c.clock, c.services.settings.payouts, c.path["rates"]))


async def _drop(c: Call) -> Any:
    return whole(await drop_rates(c.store, c.clock, c.path["rates"]))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/exchange-rates", "listExchangeRates"), "List the exchange rates in force and those that are proposed",
        _rates, ListOfEntries(ExchangeRate)),
    Act(post("/exchange-rates", "proposeExchangeRates", 201), "Propose exchange rates", _propose,
        ListOfEntries(ExchangeRate),
        body={"rates": needed(text("So many of the second currency for one of the first; commas are between them.",
                                   "USD:EUR:0.9231,GBP:EUR:1.19", LONGEST)),
              "source": needed(text("Where they are from.", "ECB reference rates of 2026-11-24", 255))},
        trail=("exchange.proposed",), by=(PROVED_ADMINS,), commands=("exchange propose",),
        pages=("/operator/exchange-rates/propose",)),
    Act(post("/exchange-rates/{rates}/approve", "approveExchangeRates"),
        "Approve exchange rates, as a second person: runs follow them from now on", _approve,
        ListOfEntries(ExchangeRate), trail=("exchange.approved",), by=(PROVED_ADMINS,), four_eyes=FourEyes(),
        commands=("exchange approve",), pages=("/operator/exchange-rates/{rates}/approve",)),
    Act(post("/exchange-rates/{rates}/drop", "dropExchangeRates"), "Drop exchange rates that are only proposed", _drop,
        ListOfEntries(ExchangeRate), trail=("exchange.dropped",), by=(PROVED_ADMINS,), commands=("exchange drop",),
        pages=("/operator/exchange-rates/{rates}/drop",)),
)  # fmt: skip
