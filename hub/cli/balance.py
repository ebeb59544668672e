"""`hub balance`: what affiliates have coming."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_table
from hub.domain.words import MODES


@click.group()
def balance() -> None:
    """Show what affiliates have coming, were paid and owe."""


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
