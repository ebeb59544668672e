"""`hub adjustment`: corrections of affiliates' balances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import party_filters
from hub.cli.output import print_result, show_table
from hub.domain.words import ADJUSTMENT_STATUSES

if TYPE_CHECKING:
    from hub.operations.money.adjustments import AdjustmentDocument


@click.group()
def adjustment() -> None:
    """Correct what affiliates are paid, with a second pair of eyes."""


@adjustment.command(name="list")
@click.option("--status", type=click.Choice(ADJUSTMENT_STATUSES, case_sensitive=False), help="Only in this state.")
@party_filters
@invoked
def list_(
    invocation: Invocation, *, status: str | None, affiliate: str | None, merchant: str | None, mode: str | None
) -> None:
    """List corrections, newest first: those made by hand, and those that refunds after a payout made."""
    from hub.operations.lists import ALL, Wanted
    from hub.operations.money.adjustments import first_adjustments

    filters = {"status": status, "merchant": merchant, "affiliate": affiliate, "mode": mode}
    found = invocation.with_store(lambda store: first_adjustments(store, Wanted(filters, ALL)))
    print_result(invocation, found, lambda: _show(found))


def _show(found: Sequence[AdjustmentDocument]) -> None:
    columns = ["id", "status", "amount", "affiliate", "kind", "order", "payout", "reason"]
    rows = (
        (a["id"], a["status"], f"{a['amount']} {a['currency']}", a["affiliateId"], a["kind"], a["externalOrderId"],
         a["payoutId"], a["reason"])
        for a in found
    )  # fmt: skip
    show_table(columns, rows, "There are no such corrections.")


ADJUSTMENT: Final = {"adjustment": Value("", metavar="ADJ")}
WHY: Final = {"note": Value("--reason", "Why, for the trail.")}

for each in (
    ActCommand(
        "create", "adjustments.createAdjustment",
        "Propose a correction or a bonus; another person approves it.",
        "{id} is PROPOSED: {amount} {currency}. Next, another person: hub adjustment approve {id} --by E-MAIL",
        Takes(values={"affiliate": Value("--affiliate", "The affiliate: id, or exact name or e-mail address.", "AFF"),
                      "account": Value("--account", "The merchant and the mode, like mer_1:live.", "MER:MODE"),
                      "amount": Value("--amount", "Such as 3.00, or -3.00 to take money back."),
                      "currency": Value("--currency", "ISO 4217 code, like EUR."),
                      "reason": Value("--reason", "Why; the affiliate sees it on the statement.")}),
    ),
    ActCommand("write-off", "adjustments.writeOffDebt",
               "Propose to write off what an affiliate owes; another person approves it.",
               "{id} is PROPOSED: {amount} {currency}. Next, another person: hub adjustment approve {id} --by E-MAIL",
               Takes(on={"affiliate": Value("", metavar="AFF")},
                     values={"currency": Value("--currency", "ISO 4217 code, like EUR."),
                             "amount": Value("--amount", "Such as 3.00 (default: all that it owes)."),
                             "reason": Value("--reason", "Why; the affiliate sees it on the statement.")})),
    ActCommand("approve", "adjustments.approveAdjustment",
               "Approve a correction that another person proposed; the next run includes it.",
               "{id} is {status}.", Takes(on=ADJUSTMENT, values=WHY)),
    ActCommand("reject", "adjustments.rejectAdjustment", "Reject a correction that was proposed.",
               "{id} is {status}.", Takes(on=ADJUSTMENT, values=WHY)),
):  # fmt: skip
    adjustment.add_command(each)
