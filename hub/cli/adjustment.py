"""`hub adjustment`: corrections of affiliates' balances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import affiliate_filter, filters_of, merchant_filter, mode_filter
from hub.cli.output import print_result, say, show_table
from hub.clock import system_clock
from hub.domain.words import ADJUSTMENT_STATUSES

if TYPE_CHECKING:
    from hub.operations.money.adjustments import AdjustmentDocument


@click.group()
def adjustment() -> None:
    """Correct what affiliates are paid, with a second pair of eyes."""


@adjustment.command()
@click.option("--affiliate", metavar="AFF", required=True, help="The affiliate: id, or exact name or e-mail address.")
@click.option("--account", metavar="MER:MODE", required=True, help="The merchant and the mode, like mer_1:live.")
@click.option("--amount", required=True, help="Such as 3.00, or -3.00 to take money back.")
@click.option("--currency", required=True, help="ISO 4217 code, like EUR.")
@click.option("--reason", required=True, help="Why; the affiliate reads it on the statement.")
@by_option
@invoked
def create(
    invocation: Invocation, *, affiliate: str, account: str, amount: str, currency: str, reason: str, by: str | None
) -> None:
    """Propose a correction or a bonus; another person approves it."""
    from hub.operations.money.adjustments import create_adjustment

    made = over_store_as(
        invocation,
        by,
        lambda store: create_adjustment(
            store, system_clock, affiliate=affiliate, account=account, amount=amount, currency=currency, reason=reason
        ),
    )
    print_result(
        invocation,
        made,
        lambda: say(f"{made['id']} is PROPOSED: {made['amount']} {made['currency']}. Next, another person: "
                    f"hub adjustment approve {made['id']} --by E-MAIL"),
    )  # fmt: skip


@adjustment.command()
@click.argument("adjustment_id", metavar="ADJ")
@click.option("--reason", help="Why, for the trail.")
@by_option
@invoked
def approve(invocation: Invocation, adjustment_id: str, reason: str | None, by: str | None) -> None:
    """Approve a correction that another person proposed; the next run takes it along."""
    from hub.operations.money.adjustments import approve_adjustment

    done = over_store_as(invocation, by, lambda store: approve_adjustment(store, system_clock, adjustment_id, reason))
    print_result(invocation, done, lambda: say(f"{adjustment_id} is {done['status']}."))


@adjustment.command()
@click.argument("adjustment_id", metavar="ADJ")
@click.option("--reason", help="Why, for the trail.")
@by_option
@invoked
def reject(invocation: Invocation, adjustment_id: str, reason: str | None, by: str | None) -> None:
    """Reject a correction that was proposed."""
    from hub.operations.money.adjustments import reject_adjustment

    done = over_store_as(invocation, by, lambda store: reject_adjustment(store, system_clock, adjustment_id, reason))
    print_result(invocation, done, lambda: say(f"{adjustment_id} is {done['status']}."))


@adjustment.command(name="list")
@click.option("--status", type=click.Choice(ADJUSTMENT_STATUSES, case_sensitive=False), help="Only in this state.")
@affiliate_filter
@merchant_filter
@mode_filter
@invoked
def list_(
    invocation: Invocation, *, status: str | None, affiliate: str | None, merchant: str | None, mode: str | None
) -> None:
    """List corrections, newest first: those made by hand, and those that refunds after a payout made."""
    from hub.operations.money.adjustments import list_adjustments

    filters = filters_of(merchant, affiliate, mode)
    found = invocation.with_store(lambda store: list_adjustments(store, status=status, filters=filters))
    print_result(invocation, found, lambda: _show(found))


def _show(found: Sequence[AdjustmentDocument]) -> None:
    columns = ["id", "status", "amount", "affiliate", "kind", "order", "payout", "reason"]
    rows = (
        (a["id"], a["status"], f"{a['amount']} {a['currency']}", a["affiliateId"], a["kind"], a["externalOrderId"],
         a["payoutId"], a["reason"])
        for a in found
    )  # fmt: skip
    show_table(columns, rows, "There are no such corrections.")
