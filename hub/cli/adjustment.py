"""`hub adjustment`: corrections of affiliates' balances."""

from __future__ import annotations

from typing import Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.output import Table


@click.group()
def adjustment() -> None:
    """Correct what affiliates are paid, with a second pair of eyes."""


ADJUSTMENTS: Final = Table(
    ["id", "status", "amount", "affiliate", "kind", "order", "payout", "reason"],
    lambda a: (a["id"], a["status"], f"{a['amount']} {a['currency']}", a["affiliateId"], a["kind"],
               a["externalOrderId"], a["payoutId"], a["reason"]),
    "There are no such corrections.",
)  # fmt: skip
ADJUSTMENT: Final = {"adjustment": Value("", metavar="ADJ")}
WHY: Final = {"note": Value("--reason", "Why, for the trail.")}

for each in (
    ActCommand("list", "adjustments.listAdjustments",
               "List corrections, newest first: those made by hand, and those that refunds after a payout made.",
               ADJUSTMENTS,
               Takes(values={"status": Value("--status", "Only in this state."),
                             "affiliate": Value("--affiliate", "Only this affiliate's: its id, or its exact name or "
                                                               "e-mail address.", "AFF"),
                             "merchant": Value("--merchant", "Only this merchant's: its id, or its exact name or "
                                                             "e-mail address.", "ID"),
                             "mode": Value("--mode", "Only of this mode (default: both).")})),
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
