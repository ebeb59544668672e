"""`hub commission`: what affiliates earned, and whether it was paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import (
    affiliate_filter,
    filters_of,
    merchant_filter,
    mode_filter,
    part_of,
    part_options,
    print_part,
)
from hub.cli.output import named, print_result, say, show_table
from hub.clock import system_clock
from hub.domain.words import COMMISSION_STATES

if TYPE_CHECKING:
    from hub.operations.money.payouts import ListedCommission


@click.group()
def commission() -> None:
    """List and pay commissions."""


@commission.command()
@click.argument("commission_id", metavar="COM")
@click.option("--reference", required=True, help="The payment's own number; repeating it changes nothing.")
@invoked
def pay(invocation: Invocation, commission_id: str, reference: str) -> None:
    """Record that a PAYABLE commission was paid. This is final.

    A commission of test mode is never paid, nor is one of a merchant that is not APPROVED.
    """
    from hub.operations.money.payouts import pay_commission

    paid = invocation.with_store(lambda store: pay_commission(store, system_clock, commission_id, reference))
    print_result(
        invocation,
        paid,
        lambda: say(f"{commission_id} is PAID: {paid['amount']} {paid['currency']} under {paid['reference']}."),
    )


@commission.command(name="list")
@click.option("--state", type=click.Choice(COMMISSION_STATES, case_sensitive=False), help="Only in this state.")
@affiliate_filter
@merchant_filter
@mode_filter
@part_options
@invoked
def list_(
    invocation: Invocation,
    *,
    state: str | None,
    affiliate: str | None,
    merchant: str | None,
    mode: str | None,
    limit: int | None,
    all_: bool,
    after: str | None,
    oldest: bool,
) -> None:
    """List commissions of both modes, newest first.

    A table has 100 rows and says if there are more; --json prints all of them unless --limit is given. What can be
    paid: hub commission list --mode live --state PAYABLE
    """
    from hub.operations.money.payouts import list_commissions

    part, filters = part_of(invocation, limit, all_, after, oldest), filters_of(merchant, affiliate, mode)
    found = invocation.with_store(lambda store: list_commissions(store, state=state, filters=filters, part=part))
    print_part(invocation, part, found, _show_list)


def _show_list(found: Sequence[ListedCommission]) -> None:
    columns = ["id", "state", "amount", "mode", "merchant", "affiliate", "conversion", "hold until", "reference"]
    rows = (
        (c["id"], c["state"], f"{c['amount']} {c['currency']}", c["mode"], named(c["merchantId"], c["merchantName"]),
         named(c["affiliateId"], c["affiliateName"]), c["conversionId"], c["holdUntil"], c["reference"])
        for c in found
    )  # fmt: skip
    show_table(columns, rows, "There are no such commissions.")
