"""`hub exchange`: rates of exchange, for affiliates that are paid in another currency than they earn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.clock import system_clock
from hub.domain.instants import instant_or_none

if TYPE_CHECKING:
    from hub.records.exchange_rates import ExchangeRate


@click.group()
def exchange() -> None:
    """Set the rates at which affiliates are paid in another currency."""


def _table(found: Sequence[ExchangeRate]) -> None:
    columns = ["set", "from", "to", "rate", "change %", "source", "state", "proposed by", "decided by", "decided"]
    rows = [(each.set_id, each.base, each.quote, each.rate, each.change, each.source, each.status,
             each.proposed_by, each.decided_by, instant_or_none(each.decided_at)) for each in found]  # fmt: skip
    show_table(columns, rows, "There are no exchange rates.")


def _proposed(found: Sequence[ExchangeRate]) -> None:
    _table(found)
    say(f"Another person approves them: hub exchange approve {found[0].set_id} --by E-MAIL")


@exchange.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--source", required=True, help="Where they come from, like: ECB reference rates of 2026-11-24.")
@by_option
@invoked
def read(invocation: Invocation, file: Path, source: str, by: str | None) -> None:
    """Propose the rates of a CSV file with the columns base, quote and rate."""
    from hub.operations.errors import OperatorFault
    from hub.operations.money.books.exchange_rates import propose_rates, rates_in_file

    try:
        rates = rates_in_file(file.read_bytes(), file.name)
    except OSError as error:
        raise OperatorFault(f"{file} cannot be read: {error.strerror}.") from error
    found = over_store_as(invocation, by, lambda store: propose_rates(store, system_clock, rates, source))
    print_result(invocation, found, lambda: _proposed(found))


SET: Final = {"rates": Value("", "The set of rates, as `hub exchange list` names it.", "EXR")}

for each in (
    ActCommand("list", "exchange_rates.listExchangeRates", "List the rates in force and those that are proposed.",
               _table),
    ActCommand("propose", "exchange_rates.proposeExchangeRates", "Propose rates; another person approves them.",
               _proposed,
               Takes(values={"rates": Value("", metavar="RATES"), "source": Value("--source")})),
    ActCommand("approve", "exchange_rates.approveExchangeRates",
               "Approve the rates that another person proposed: runs created from now on use them.",
               _table, Takes(on=SET)),
    ActCommand("drop", "exchange_rates.dropExchangeRates", "Drop rates that are only proposed.", _table,
               Takes(on=SET)),
):  # fmt: skip
    exchange.add_command(each)
