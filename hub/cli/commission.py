"""`hub commission`: what affiliates earned, and whether it was paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import AskedPart, part_options, party_filters
from hub.cli.output import named, show_table
from hub.domain.instants import instant_or_none
from hub.domain.words import COMMISSION_STATES

if TYPE_CHECKING:
    from hub.records.commissions import ListedCommission
    from hub.storage import Store


@click.group()
def commission() -> None:
    """List and pay commissions."""


@commission.command(name="list")
@click.option("--state", type=click.Choice(COMMISSION_STATES, case_sensitive=False), help="Only in this state.")
@party_filters
@part_options
@invoked
def list_(
    invocation: Invocation,
    *,
    state: str | None,
    affiliate: str | None,
    merchant: str | None,
    mode: str | None,
    part: AskedPart,
) -> None:
    """List commissions of both modes, newest first.

    A table has 100 rows and says if there are more; --json prints all of them unless --limit is given. What can be
    paid: hub commission list --mode live --state PAYABLE
    """
    from hub.operations.money.payouts.payouts import COMMISSIONS, first_commissions

    filters = {"state": state, "merchant": merchant, "affiliate": affiliate, "mode": mode}

    async def read(store: Store) -> Sequence[ListedCommission]:
        wanted = part.wanted(invocation, COMMISSIONS, "com", filters)
        return await first_commissions(store, wanted)

    part.print(invocation, invocation.with_store(read), _show_list)


def _show_list(found: Sequence[ListedCommission]) -> None:
    columns = ["id", "state", "amount", "mode", "merchant", "affiliate", "conversion", "hold until", "reference"]
    rows = (
        (c.id, c.state, f"{c.amount} {c.currency}", c.mode, named(c.merchant_id, c.merchant_name),
         named(c.affiliate_id, c.affiliate_name), c.conversion_id, instant_or_none(c.hold_until), c.reference)
        for c in found
    )  # fmt: skip
    show_table(columns, rows, "There are no such commissions.")


commission.add_command(
    ActCommand("pay", "commissions.payCommission",
               "Record that a PAYABLE commission was paid. This is final.\n\n"
               "A commission of test mode is never paid, nor is one of a merchant that is not APPROVED.",
               "{id} is PAID: {amount} {currency} under {reference}.",
               Takes(on={"commission": Value("", metavar="COM")},
                     values={"reference": Value("--reference", "The payment's own number; repeating it changes "
                                                               "nothing.")}))
)  # fmt: skip
