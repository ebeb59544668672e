"""`hub commission`: what affiliates earned, and whether it was paid."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.clock import system_clock

STATES = ("PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED")


@click.group()
def commission() -> None:
    """List and pay commissions."""


@commission.command()
@click.argument("commission_id", metavar="COM")
@click.option("--reference", required=True, help="The payment's own number; repeating it changes nothing.")
@invoked
def pay(invocation: Invocation, commission_id: str, reference: str) -> None:
    """Record that a PAYABLE commission was paid. This is final."""
    from hub.operations.payouts import pay_commission

    paid = invocation.with_store(lambda store: pay_commission(store, system_clock, commission_id, reference))
    print_result(
        invocation,
        paid,
        lambda: say(f"{commission_id} is PAID: {paid['amount']} {paid['currency']} under {paid['reference']}."),
    )


@commission.command(name="list")
@click.option("--state", type=click.Choice(STATES, case_sensitive=False), help="Only in this state.")
@click.option("--affiliate", "affiliate_id", metavar="AFF", help="Only this affiliate's.")
@click.option("--merchant", "merchant_id", metavar="ID", help="Only of this merchant's orders.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="The most to list.")
@invoked
def list_(
    invocation: Invocation, state: str | None, affiliate_id: str | None, merchant_id: str | None, limit: int
) -> None:
    """List commissions, newest first."""
    from hub.operations.payouts import list_commissions

    found = invocation.with_store(
        lambda store: list_commissions(
            store, state=state, affiliate_id=affiliate_id, merchant_id=merchant_id, limit=limit
        )
    )
    columns = ["id", "state", "amount", "affiliate", "conversion", "hold until", "reference"]
    rows = (
        (c["id"], c["state"], f"{c['amount']} {c['currency']}", c["affiliateId"], c["conversionId"], c["holdUntil"],
         c["reference"])
        for c in found
    )  # fmt: skip
    print_result(invocation, found, lambda: show_table(columns, rows, "There are no such commissions."))
