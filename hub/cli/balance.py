"""`hub balance`: what affiliates have coming."""

from __future__ import annotations

from typing import Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, named, print_result, show_table


@click.group()
def balance() -> None:
    """Show what affiliates are due, were paid and owe."""


@balance.command()
@click.option(
    "--days", type=click.IntRange(1), default=365, show_default=True, help="For how many days it has not grown."
)
@invoked
def dormant(invocation: Invocation, days: int) -> None:
    """Show balances that have not grown for a long time and are not paid out, and what is missing."""
    from hub.clock import system_clock
    from hub.operations.money.payouts.dormant_balances import dormant_balances

    settings = invocation.settings()
    found = invocation.with_store(
        lambda store: dormant_balances(store, system_clock, settings.payouts, days), settings
    )  # fmt: skip
    columns = ["affiliate", "balance", "last moved", "days", "missing"]
    rows = [(named(each["affiliateId"], each["affiliateName"]), f"{each['amount']} {each['currency']}",
             each["lastMoved"], each["days"], ", ".join(each["missing"])) for each in found]  # fmt: skip
    print_result(invocation, found, lambda: show_table(columns, rows, "No balance is dormant."))


OWING: Final = Table(
    ["affiliate", "owes", "since", "days", "to be written off"],
    lambda each: (named(each["affiliateId"], each["affiliateName"]), f"{each['amount']} {each['currency']}",
                  each["since"], each["days"], each["proposed"]),
    "No affiliate owes anything.",
)  # fmt: skip
BALANCES: Final = Table(
    ["currency", "pending", "payable", "paid", "under way", "negative"],
    lambda each: tuple(each.values()),
    "The affiliate has earned nothing yet.",
)

for each in (
    ActCommand("show", "payees.listBalances", "Show an affiliate's balances, one for each currency.", BALANCES,
               Takes(on={"affiliate": Value("--affiliate", "The affiliate: id, or exact name or e-mail address.",
                                            "AFF")},
                     values={"mode": Value("--mode", default="live")})),
    ActCommand("owing", "adjustments.listDebts", "Show which affiliates owe the network, and since when, oldest first.",
               OWING),
):  # fmt: skip
    balance.add_command(each)
