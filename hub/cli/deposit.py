"""`hub deposit`: what merchants pay in advance, which their commissions are covered by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.output import show_fields, show_table

if TYPE_CHECKING:
    from hub.operations.money.books.deposits import DepositDocument


@click.group()
def deposit() -> None:
    """Require, record and show merchants' deposits."""


def _text(found: DepositDocument) -> None:
    columns = ["currency", "left", "covers", "waiting", "commissions", "missing"]
    show_fields(f"{found['merchantName']} ({found['merchantId']})", {"required": found["required"]})
    rows = [tuple(each.values()) for each in found["balances"]]
    show_table(columns, rows, "Nothing was paid in, and nothing waits.")


MERCHANT: Final = {"merchant": Value("--merchant", "Its id, or exact name or e-mail.", "ID")}
PAYMENT: Final = {
    "amount": Value("--amount", "Like 500.00."),
    "currency": Value("--currency", "Like EUR.", "C"),
    "reference": Value("--reference", "The payment's own number; repeating it changes nothing."),
}

for each in (
    ActCommand("require", "deposits.requireDeposit",
               "Let live commissions become payable only while the deposit covers them.", _text,
               Takes(on=MERCHANT, fixed={"required": True},
                     lifts={"required": Value("--off", "Release commissions without a deposit from now on.")})),
    ActCommand("show", "deposits.getDeposit", "Show what is left of a deposit, what it covers, and what is missing.",
               _text, Takes(on=MERCHANT)),
    ActCommand("add", "deposits.addDeposit",
               "Note that a merchant paid into its deposit; what waited is released in its order.",
               _text, Takes(on=MERCHANT, values=PAYMENT)),
    ActCommand("withdraw", "deposits.withdrawDeposit", "Note that a merchant took out what covers nothing.",
               _text, Takes(on=MERCHANT, values=PAYMENT)),
):  # fmt: skip
    deposit.add_command(each)
