"""`hub bank`: the files that banks sent, how far they are read, and what became of each of their lines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.acting import over_store_as
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import ListCommand, Listed
from hub.cli.output import Table, print_result, say, show_fields
from hub.cli.output_files import write_whole
from hub.clock import system_clock
from hub.domain.instants import format_instant
from hub.domain.words import BANK_REPORT_STATUSES

if TYPE_CHECKING:
    from hub.operations.money.receipts.bank_report_store import Sent
    from hub.records.bank_files import BankReportDocument
    from hub.storage import Store

SHOWN_SECONDS: Final = 5.0
"""How often a command says how far it is."""


@click.group()
def bank() -> None:
    """Look at files from banks and what became of each line."""


def read_report_file(
    invocation: Invocation, by: str | None, path: Path, sent: Callable[[bytes, str], Sent]
) -> BankReportDocument:  # fmt: skip
    """Keep a bank's file and read it to its end; `sent` makes it of its bytes and its name.

    Raise `OperatorFault` for a file that cannot be read, is not taken or is refused.
    """
    from hub.operations.errors import OperatorFault
    from hub.operations.money.receipts.bank_report_runs import BankReports, read_now
    from hub.sealing import load_sealer

    sealer = load_sealer(invocation.settings())

    def wanted() -> Sent:
        try:
            return sent(path.read_bytes(), path.name)
        except OSError as error:
            raise OperatorFault(f"{path} cannot be read: {error.strerror}.") from error

    def read(store: Store) -> Awaitable[BankReportDocument]:
        return read_now(BankReports(store, sealer, system_clock), wanted(), _progress, SHOWN_SECONDS)

    return over_store_as(invocation, by, read)


def _progress(report: BankReportDocument) -> None:
    """Say on standard error how far a report is read."""
    how_far = f"{report.done} of {report.rows} lines" if report.rows else "it is being checked"
    click.echo(f"{report.id}: {how_far}", err=True)


def _listed(typed: Typed) -> Listed:
    from hub.operations.money.receipts.bank_report_store import REPORTS, first_reports

    return Listed(REPORTS, "bkr", first_reports, typed)


REPORTS: Final = Table(
    ["id", "sent", "by", "file", "about", "status", "lines", "done"],
    lambda r: (r.id, format_instant(r.sent_at), r.sent_by, r.file_name, r.payout_id or "an account", r.status, r.rows,
               r.done),
    "No bank has sent a file.",
)  # fmt: skip

bank.add_command(
    ListCommand(
        "list", "List files from banks, newest first.", REPORTS, _listed,
        [click.Option(["--payout", "payout_id"], metavar="PAY", help="Only those of a run's payments."),
         click.Option(["--status"], type=click.Choice(BANK_REPORT_STATUSES, case_sensitive=False),
                      help="Only in this state.")],
    )
)  # fmt: skip


def _text(found: BankReportDocument) -> None:
    from hub.records.wire import write

    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(found.verdicts.items()))
    show_fields(found.id, {**write(found), "verdicts": counts or "none"})


@bank.command()
@click.argument("report_id", metavar="REPORT")
@click.option("--output", type=click.Path(path_type=Path), required=True, help="The file to write.")
@invoked
def verdicts(invocation: Invocation, report_id: str, output: Path) -> None:
    """Write what became of each line of a file as CSV."""
    from hub.operations.money.receipts.bank_report_store import report_verdicts, verdicts_csv
    from hub.sealing import load_sealer

    settings = invocation.settings()
    sealer = load_sealer(settings)
    found = invocation.with_store(lambda store: report_verdicts(store, sealer, report_id), settings)
    write_whole(output, verdicts_csv(found))
    done = {"reportId": report_id, "rows": len(found), "file": str(output)}
    print_result(invocation, done, lambda: say(f"What became of {len(found)} lines is in {output}."))


bank.add_command(
    ActCommand("show", "receipts.getBankReport", "Show a file from a bank and how far it is read.", _text,
               Takes(on={"report": Value("", metavar="REPORT")}))
)  # fmt: skip
