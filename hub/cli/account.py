"""`hub account`: a merchant's test account."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say
from hub.clock import system_clock
from hub.domain.words import MODES


@click.group()
def account() -> None:
    """Empty a merchant's test account."""


@account.command()
@click.option("--merchant", required=True, metavar="ID", help="The merchant's id, name or e-mail address.")
@click.option("--mode", required=True, type=click.Choice(MODES), help="Must be test: live accounts are never emptied.")
@click.option("--everything", is_flag=True, help="Also its products, campaigns, links and members.")
@invoked
def empty(invocation: Invocation, merchant: str, mode: str, everything: bool) -> None:
    """Delete the clicks, orders, events and commissions of a test account.

    Keys, connections, uploads and the request log stay. If it is interrupted, run it again.
    """
    from hub.operations.merchants.test_accounts import empty_account

    emptied = invocation.with_store(
        lambda store: empty_account(store, system_clock, merchant, mode, everything=everything)
    )
    text = f"{emptied['rows']:,} rows of the test account {emptied['accountId']} are deleted."
    print_result(invocation, emptied, lambda: say(text))
