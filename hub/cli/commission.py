"""`hub commission`: what affiliates earned, and whether it was paid."""

from __future__ import annotations

from typing import Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.lists import PARTS, ListCommand, Listed, filters
from hub.cli.output import Table, named
from hub.domain.instants import instant_or_none
from hub.domain.words import COMMISSION_STATES


@click.group()
def commission() -> None:
    """List and pay commissions."""


def _listed(typed: Typed) -> Listed:
    from hub.operations.money.payouts.payouts import COMMISSIONS, first_commissions

    return Listed(COMMISSIONS, "com", first_commissions, typed)


COMMISSIONS: Final = Table(
    ["id", "state", "amount", "mode", "merchant", "affiliate", "conversion", "hold until", "reference"],
    lambda c: (c.id, c.state, f"{c.amount} {c.currency}", c.mode, named(c.merchant_id, c.merchant_name),
               named(c.affiliate_id, c.affiliate_name), c.conversion_id, instant_or_none(c.hold_until), c.reference),
    "There are no such commissions.",
)  # fmt: skip
STATE: Final = click.Option(
    ["--state"], type=click.Choice(COMMISSION_STATES, case_sensitive=False), help="Only in this state."
)

commission.add_command(
    ListCommand(
        "list",
        f"List commissions of both modes, newest first.\n\n{PARTS} What can "
        "be paid: hub commission list --mode live --state PAYABLE",
        COMMISSIONS, _listed, [STATE, *filters("--affiliate", "--merchant", "--mode")],
    )
)  # fmt: skip
commission.add_command(
    ActCommand("pay", "commissions.payCommission",
               "Record that a PAYABLE commission was paid. This is final.\n\n"
               "A commission of test mode is never paid, nor is one of a merchant that is not APPROVED.",
               "{id} is PAID: {amount} {currency} under {reference}.",
               Takes(on={"commission": Value("", metavar="COM")},
                     values={"reference": Value("--reference", "The payment's own number; repeating it changes "
                                                               "nothing.")}))
)  # fmt: skip
