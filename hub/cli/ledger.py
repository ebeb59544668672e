"""`hub ledger`: the proof of the books, and all entries as a file."""

from __future__ import annotations

import codecs
import csv
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, assert_never

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import FAULT, Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.cli.output_files import refuse_existing, target
from hub.cli.proved_heads import Kept, heads_of, keep, verify_newer
from hub.cli.replica import with_replica
from hub.clock import system_clock
from hub.domain.words import JOURNAL_FORMATS, JournalFormat

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.operations.money.ledger.closings import ClosedMonth
    from hub.operations.money.ledger.journal import DatevJournal
    from hub.operations.money.ledger.ledger import LedgerDocument
    from hub.operations.money.ledger.ledger_mend import MendDocument
    from hub.storage import Store


@click.group()
def ledger() -> None:
    """Verify the ledger, or export it to a file."""


@ledger.command()
@click.option("--heads", type=click.Path(path_type=Path, dir_okay=False), help="A file to keep the proved heads in.")
@invoked
def verify(invocation: Invocation, heads: Path | None) -> None:
    """Recompute every account's chain and compare it with every commission, payment and file for a bank.

    The first entry of an account that does not hold is named. Runs beside a server at any time, in the same memory for
    any number of entries. Exit status 0 if everything holds, else 1.

    With --heads the heads of the chains are written to a file once all holds. If it is there, only what came since is
    proved, from those heads on: the chains, and the commissions that new entries name. Keep it where the database's
    keeper cannot write; without it, or by `hub audit`, all is proved.
    """
    if heads is not None and heads.exists():
        verify_newer(invocation, heads)
        return
    from hub.operations.money.ledger.ledger import verify_ledger
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    found = with_replica(invocation, lambda store: verify_ledger(store, sealer), settings)
    if heads is not None and found["ok"]:
        keep(heads, Kept(system_clock(), heads_of(found["heads"])))
    print_result(invocation, found, lambda: _show(found))
    if not found["ok"]:
        click.get_current_context().exit(FAULT)


def _show(found: LedgerDocument) -> None:
    show_fields("Ledger", {"entries": found["entries"], "head": found["head"], "notes": found["notes"],
                           "head of the notes": found["notesHead"]})  # fmt: skip
    show_table(["account", "entries", "hash"], [tuple(head.values()) for head in found["heads"]], "No account yet.")
    if found["ok"]:
        click.secho("Everything holds.", fg="green", bold=True)
        return
    click.secho(f"{len(found['faults'])} faults", fg="red", bold=True)
    rows = [(each["accountId"], each["entry"], each["message"]) for each in found["faults"]]
    show_table(["account", "entry", "what is wrong"], rows, "")


@ledger.command()
@click.option("--output", type=click.Path(path_type=Path), required=True, help="The CSV file to write.")
@invoked
def export(invocation: Invocation, output: Path) -> None:
    """Write every entry to a CSV file, and print the head that belongs to it.

    Keep the head apart from the database: a later export whose entry of that number has another hash was changed.
    """
    counted = with_replica(invocation, lambda store: _write(store, output))
    print_result(
        invocation,
        {"file": str(output), "entries": counted[0], "head": counted[1]},
        lambda: say(f"{counted[0]} entries are in {output}; the head is {counted[1]}."),
    )


@ledger.command()
@by_option
@invoked
def mend(invocation: Invocation, by: str | None) -> None:
    """Propose adding to the ledger what commissions say and it lacks; another person adopts it.

    This happens where a server of another release wrote no entries. Nothing is changed yet.
    """
    from hub.operations.money.ledger.ledger_mend import propose_mend

    found = over_store_as(invocation, by, lambda store: propose_mend(store, system_clock))
    print_result(invocation, found, lambda: _show_mend(found))


@ledger.command()
@click.argument("mend", metavar="MEND")
@by_option
@invoked
def adopt(invocation: Invocation, mend: str, by: str | None) -> None:
    """Adopt into the ledger what another person proposed with `hub ledger mend`."""
    from hub.operations.money.ledger.ledger_mend import adopt_mend

    settings = invocation.settings().payouts
    done = over_store_as(invocation, by, lambda store: adopt_mend(store, system_clock, settings, mend))
    print_result(invocation, done, lambda: _show_mend(done))


def _show_mend(found: MendDocument) -> None:
    columns = ["account", "commission", "state", "amount", "currency", "its entries say"]
    for lines, empty in ((found["commissions"], "The ledger lacks nothing."), (found["paid"], "")):
        rows = [(each["accountId"], each["commissionId"], each["state"], each["amount"], each["currency"],
                 ", ".join(f"{place} {amount}" for place, amount in each["found"].items()) or "nothing")
                for each in lines]  # fmt: skip
        if rows or empty:
            show_table(columns, rows, empty)
    if found["paid"]:
        say(f"{len(found['paid'])} of them are paid; a person has to find out where their money is.")
    if found["adoptedBy"]:
        say(f"{len(found['commissions'])} commissions were adopted by {found['adoptedBy']}. Prove it: hub audit")
    elif found["id"]:
        say(f"Another person adopts them: hub ledger adopt {found['id']} --by E-MAIL")


@ledger.command()
@click.option(
    "--before", metavar="T", help="The moment, RFC 3339 (default: now); what is booked from then on is left out."
)
@invoked
def balances(invocation: Invocation, before: str | None) -> None:
    """Show what was in each place as of a moment, account by account: credits less debits of all entries before it."""
    from hub.domain.instants import parse_instant
    from hub.operations.errors import OperatorFault
    from hub.operations.money.ledger.ledger_balances import ledger_balances

    try:
        moment = system_clock() + 1 if before is None else parse_instant(before)
    except ValueError:
        raise OperatorFault(f"--before {before!r} is not an RFC 3339 moment, like 2026-11-30T00:00:00Z.") from None
    found = with_replica(invocation, lambda store: ledger_balances(store, moment))
    rows = [(each["merchantName"], each["mode"], each["place"], each["amount"], each["currency"]) for each in found]
    columns = ["merchant", "mode", "place", "amount", "currency"]
    print_result(invocation, found, lambda: show_table(columns, rows, "Nothing was booked before that moment."))


@ledger.command()
@click.option("--month", metavar="YYYY-MM", required=True, help="A month of the books.")
@click.option("--format", "form", type=click.Choice(JOURNAL_FORMATS), default="csv", show_default=True)
@click.option(
    "--currency", default="EUR", show_default=True, help="The currency of DATEV's books, whose entries are written."
)
@click.option("--part", type=click.IntRange(1), default=1, help="Which of DATEV's files, if a month takes several.")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
@invoked
def journal(invocation: Invocation, month: str, form: JournalFormat, currency: str, part: int, output: Path) -> None:
    """Write a month's journal for bookkeeping: every entry of live accounts.

    By account number as CSV or for DATEV, or as text for hledger or beancount.
    """
    settings = invocation.settings()
    blocks, datev = _blocks(form, settings, month, currency, part)
    refuse_existing(output)

    async def write(store: Store) -> int:
        with target(output, is_new=True) as file:
            return sum([file.write(block) async for block in blocks(store)])

    size = with_replica(invocation, write, settings)
    document = {"file": str(output), "month": month, "bytes": size}
    if datev is not None:
        document |= {"bookings": datev.bookings, "part": part, "parts": datev.parts, "leftOut": dict(datev.others)}
    print_result(invocation, document, lambda: _show_journal(output, month, datev))


def _blocks(
    form: JournalFormat, settings: Settings, month: str, currency: str, part: int
) -> tuple[Callable[[Store], AsyncIterator[bytes]], DatevJournal | None]:
    from hub.domain.books.journal import chart_of
    from hub.operations.money.ledger.journal import journal_beancount, journal_csv, journal_hledger

    numbers = chart_of(settings.payouts.chart)
    match form:
        case "csv":
            return partial(journal_csv, month=month, numbers=numbers), None
        case "hledger":
            return partial(journal_hledger, month=month), None
        case "beancount":
            return partial(journal_beancount, clock=system_clock, month=month), None
        case "datev":
            datev = _datev_journal(settings, currency, part)
            return partial(datev.written, clock=system_clock, month=month, numbers=numbers), datev
        case _:
            assert_never(form)


def _datev_journal(settings: Settings, currency: str, part: int) -> DatevJournal:
    from hub.domain.books.datev import datev_client
    from hub.operations.money.ledger.journal import DatevJournal

    whose = datev_client(settings.payouts.datev)
    if whose is None:
        raise Fault("Whose books are they? Set [payouts] datev, or HUB_PAYOUTS_DATEV, like 29098/55003.")
    return DatevJournal(whose, currency.upper(), part)


def _show_journal(output: Path, month: str, datev: DatevJournal | None) -> None:
    say(f"The journal of {month} is in {output}.")
    if datev is not None and datev.parts > 1:
        say(f"It is part {datev.part} of {datev.parts}; --part writes another one.")
    if datev is not None and datev.others:
        others = ", ".join(f"{count} in {name}" for name, count in sorted(datev.others.items()))
        say(f"DATEV's books have one currency. Entries that are not in it: {others}.")


async def _write(store: Store, output: Path) -> tuple[int, str]:
    from hub.domain.books.ledger import Head, digest_of
    from hub.domain.spreadsheets import defused
    from hub.operations.money.ledger.ledger import EntryDocument, chain_ends, export_ledger

    heads = {end.head.account_id: Head(end.head.account_id, 0, "") for end in await chain_ends(store)}
    count = 0
    with target(output, is_new=True) as file:
        writer = csv.writer(codecs.getwriter("utf-8")(file))
        writer.writerow(EntryDocument.__annotations__)
        async for page in export_ledger(store):
            for each in page:
                writer.writerow(["" if cell is None else defused(str(cell)) for cell in each.values()])
                heads[each["accountId"]] = Head(each["accountId"], each["entry"], each["hash"])
            count += len(page)
    return count, digest_of(heads.values())


def _show_months(found: Sequence[ClosedMonth]) -> None:
    rows = [tuple(each.values()) for each in found]
    columns = ["month", "proposed by", "proposed", "closed by", "closed", "entries", "head"]
    show_table(columns, rows, "No month is closed yet.")


MONTH: Final = Value("", metavar="YYYY-MM")

for each in (
    ActCommand("zone", "books.setBooks",
               "Set the time zone in which months and days of the books begin, before the first invoice.",
               "The books are kept in {timeZone}.",
               Takes(values={"timeZone": Value("--set", metavar="ZONE")})),
    ActCommand("billing", "books.setBilling",
               "Set whether merchants are billed what is paid or payable, before the first invoice.",
               "Merchants are billed commissions that are {billed}.",
               Takes(values={"billed": Value("--set", metavar="WHEN")})),
    ActCommand("months", "books.listClosedMonths", "List the months that are closed or proposed to be.", _show_months),
    ActCommand("propose-close", "books.proposeClose", "Propose to close a month; another person closes it.",
               "{month} is proposed. Next, another person: hub ledger close {month} --by E-MAIL",
               Takes(values={"month": MONTH, "anyway": Value("--anyway")})),
    ActCommand("close", "books.closeMonth", "Close a month, as a second person: nothing more is booked into it.",
               "{month} is closed with {entries} entries, head {head}.", Takes(values={"month": MONTH})),
):  # fmt: skip
    ledger.add_command(each)
