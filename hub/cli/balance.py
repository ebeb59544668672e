"""`hub balance`: what affiliates have coming."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import named, print_result, show_table
from hub.domain.words import MODES


@click.group()
def balance() -> None:
    """Show what affiliates are due, were paid and owe."""


@balance.command()
@click.option("--affiliate", metavar="AFF", required=True, help="The affiliate: id, or exact name or e-mail address.")
@click.option("--mode", type=click.Choice(MODES), default="live", show_default=True)
@invoked
def show(invocation: Invocation, affiliate: str, mode: str) -> None:
    """Show an affiliate's balances, one for each currency."""
    from hub.operations.money.balances import affiliate_balances

    found = invocation.with_store(lambda store: affiliate_balances(store, affiliate, mode))
    columns = ["currency", "pending", "payable", "paid", "under way", "negative"]
    rows = [tuple(each.values()) for each in found]
    print_result(invocation, found, lambda: show_table(columns, rows, "The affiliate has earned nothing yet."))


@balance.command()
@invoked
def owing(invocation: Invocation) -> None:
    """Show which affiliates owe the network, and since when, oldest first."""
    from hub.clock import system_clock
    from hub.operations.money.write_offs import list_debts

    found = invocation.with_store(lambda store: list_debts(store, system_clock))
    columns = ["affiliate", "owes", "since", "days", "to be written off"]
    rows = [(named(each["affiliateId"], each["affiliateName"]), f"{each['amount']} {each['currency']}", each["since"],
             each["days"], each["proposed"]) for each in found]  # fmt: skip
    print_result(invocation, found, lambda: show_table(columns, rows, "No affiliate owes anything."))


@balance.command()
@click.option(
    "--days", type=click.IntRange(1), default=365, show_default=True, help="For how many days it has not grown."
)
@invoked
def dormant(invocation: Invocation, days: int) -> None:
    """Show balances that have not grown for long and are not paid out, and what is missing."""
    from hub.clock import system_clock
    from hub.operations.money.dormant_balances import dormant_balances

    settings = invocation.settings()
    found = invocation.with_store(
        lambda store: dormant_balances(store, system_clock, settings.payouts, days), settings
    )  # fmt: skip
    columns = ["affiliate", "balance", "last moved", "days", "missing"]
    rows = [(named(each["affiliateId"], each["affiliateName"]), f"{each['amount']} {each['currency']}",
             each["lastMoved"], each["days"], ", ".join(each["missing"])) for each in found]  # fmt: skip
    print_result(invocation, found, lambda: show_table(columns, rows, "No balance is dormant."))
