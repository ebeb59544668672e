"""`hub deposit`: what merchants pay in advance, which their commissions are covered by."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import Command, Invocation, invoked
from hub.cli.output import print_result, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.money.deposits import DepositDocument


@click.group()
def deposit() -> None:
    """Require, note and show what merchants pay in advance."""


def of_merchant(command: Command) -> Command:
    """Add the option that names the merchant."""
    return click.option("--merchant", metavar="ID", required=True, help="Its id, or exact name or e-mail.")(command)


def a_payment(command: Command) -> Command:
    """Add the options of a payment."""
    options = (
        click.option("--reference", required=True, help="The payment's own number; repeating it changes nothing."),
        click.option("--currency", metavar="C", required=True, help="Like EUR."),
        click.option("--amount", required=True, help="Like 500.00."),
    )
    for option in options:
        command = option(command)
    return command


@deposit.command()
@of_merchant
@invoked
def show(invocation: Invocation, merchant: str) -> None:
    """Show what is left of a deposit, what it covers, and what is missing."""
    from hub.operations.money.deposits import show_deposit

    _show(invocation, invocation.with_store(lambda store: show_deposit(store, merchant)))


@deposit.command()
@of_merchant
@click.option("--off", is_flag=True, help="Release commissions without a deposit from now on.")
@by_option
@invoked
def require(invocation: Invocation, merchant: str, off: bool, by: str | None) -> None:
    """Let live commissions only become payable while the deposit covers them."""
    from hub.operations.money.deposits import require_deposit

    required = not off
    _show(
        invocation,
        over_store_as(invocation, by, lambda store: require_deposit(store, system_clock, merchant, required=required)),
    )


@deposit.command()
@of_merchant
@a_payment
@by_option
@invoked
def add(
    invocation: Invocation, merchant: str, amount: str, currency: str, reference: str, by: str | None
) -> None:  # fmt: skip
    """Note that a merchant paid into its deposit; what waited is released in its order."""
    _move(invocation, by, merchant, amount, currency, reference, out=False)


@deposit.command()
@of_merchant
@a_payment
@by_option
@invoked
def withdraw(
    invocation: Invocation, merchant: str, amount: str, currency: str, reference: str, by: str | None
) -> None:  # fmt: skip
    """Note that a merchant took out what covers nothing."""
    _move(invocation, by, merchant, amount, currency, reference, out=True)


def _move(
    invocation: Invocation, by: str | None, merchant: str, amount: str, currency: str, reference: str, *, out: bool
) -> None:
    from hub.operations.money.deposits import move_deposit

    moved = over_store_as(
        invocation, by,
        lambda store: move_deposit(
            store, system_clock, merchant, amount=amount, currency=currency, reference=reference, out=out
        ),
    )  # fmt: skip
    _show(invocation, moved)


def _show(invocation: Invocation, found: DepositDocument) -> None:
    rows = [tuple(each.values()) for each in found["balances"]]
    columns = ["currency", "left", "covers", "waiting", "commissions", "missing"]

    def text() -> None:
        show_fields(f"{found['merchantName']} ({found['merchantId']})", {"required": found["required"]})
        show_table(columns, rows, "Nothing was paid in, and nothing waits.")

    show: Callable[[], None] = text
    print_result(invocation, found, show)
