"""`hub csv`: files of products, orders and statuses imported, and an account's records exported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hub.cli.invocation import Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.cli.replica import with_replica
from hub.domain.instants import format_instant
from hub.domain.words import MODES, UPLOAD_KINDS

if TYPE_CHECKING:
    from hub.records.uploads import UploadDocument
    from hub.storage import Store

EXPORT_NAMES = ("conversions", "commissions", "products", "request-log")
"""The names of `hub.operations.files.exports.EXPORTS`."""

Command = TypeVar("Command", bound=Callable[..., Any])

KIND = click.argument("kind", metavar="KIND", type=click.Choice(UPLOAD_KINDS))
FILE = click.argument(
    "file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
)
VERDICTS = click.option(
    "--verdicts",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="The verdict file to write (default: FILE.verdicts.csv).",
)
OUT = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file to write (default: standard output).",
)


def of_account(command: Command) -> Command:
    """Add the options that name an account."""
    mode = click.option("--mode", required=True, type=click.Choice(MODES), help="Which of its two accounts.")
    merchant = click.option("--merchant", "merchant_id", required=True, metavar="ID", help="Whose account.")
    return merchant(mode(command))


def of_file(command: Command) -> Command:
    """Add what names a file, its kind, its account and its verdicts."""
    return KIND(FILE(of_account(VERDICTS(command))))


@click.group(
    name="csv",
    epilog="Each row goes through the rules of the API: a bad row fails alone, and applying the same file again "
    "changes nothing. To begin: `hub csv template KIND`, where KIND is products, orders or statuses.",
)
def csv() -> None:
    """Import products, orders and statuses as CSV, and export records."""


@csv.command()
@of_file
@invoked
def check(invocation: Invocation, **named: Any) -> None:
    """Show what applying a file would do.

    KIND is products, orders or statuses. Only the verdict file is written.
    Exit status 0 if every row would pass, 1 if one would fail or the file is refused.
    """
    _run_file(invocation, named, dry_run=True)


@csv.command()
@of_file
@invoked
def apply(invocation: Invocation, **named: Any) -> None:
    """Apply a file, row by row.

    KIND is products, orders or statuses. Works beside a running server. After Ctrl-C, or whatever else ends it, the
    same command continues from there.
    Exit status 0 if every row passed, 1 if one failed or the file is refused.
    """
    _run_file(invocation, named, dry_run=False)


@csv.command()
@KIND
@OUT
@invoked
def template(invocation: Invocation, kind: str, out: Path | None) -> None:
    """Print a file to start from.

    KIND is products, orders or statuses. The file has every column and two example rows, which pass if the domain
    shop.example is approved.
    """
    from hub.cli.output_files import write_whole
    from hub.csv_import.kinds import KINDS
    from hub.csv_import.templates import template as template_of

    kinds = KINDS[kind]
    text = template_of(kinds)
    if out is not None:
        write_whole(out, text.encode(), is_new=True)
    document = {"kind": kind, "columns": list(kinds.columns), "required": sorted(kinds.required)}
    if invocation.json:
        print_result(invocation, document | {"template": text, "file": None if out is None else str(out)}, lambda: None)
    elif out is None:
        click.echo(text, nl=False)
    else:
        needed = ", ".join(name for name in kinds.columns if name in kinds.required)
        say(f"{out} has every column of {kind} and two example rows. Only {needed} must be filled.")


@csv.command()
@click.argument("what", metavar="KIND", type=click.Choice(EXPORT_NAMES))
@of_account
@OUT
@invoked
def export(invocation: Invocation, what: str, merchant_id: str, mode: str, out: Path | None) -> None:
    """Export an account's records as CSV.

    KIND is conversions, commissions, products or request-log; the oldest come first. Cells that a spreadsheet would run
    as a formula get an apostrophe before them.
    """
    if out is None and invocation.json:
        raise click.UsageError("With --json name a file with --out: standard output is the CSV itself.")
    written = with_replica(invocation, lambda store: _export(store, what, merchant_id, mode, out))
    if out is not None:
        document = {"kind": what, "rows": written, "file": str(out)}
        print_result(invocation, document, lambda: say(f"{written:,} rows of {what} are in {out}."))


@csv.command()
@of_account
@invoked
def uploads(invocation: Invocation, merchant_id: str, mode: str) -> None:
    """List the latest files of an account, newest first."""
    from hub.operations.files.uploads import latest_uploads

    found = invocation.with_store(lambda store: latest_uploads(store, merchant_id, mode))
    columns = ["id", "kind", "status", "rows", "created", "updated", "duplicate", "failed", "read", "since"]
    rows = (
        (u.upload_id, u.kind, u.status, u.rows, u.created, u.updated, u.duplicate, u.failed, _share(u),
         format_instant(u.created_at))
        for u in found
    )  # fmt: skip
    print_result(
        invocation,
        found,
        lambda: show_table(columns, rows, "There are no files yet. `hub csv template KIND` prints one to start from."),
    )


def _run_file(invocation: Invocation, named: dict[str, Any], *, dry_run: bool) -> None:
    from hub.cli.csv_apply import checked_arguments, run_file
    from hub.cli.csv_summary import show

    arguments = checked_arguments(**named, dry_run=dry_run)
    outcome = run_file(invocation, arguments)
    print_result(invocation, outcome.document(arguments.verdicts), lambda: show(outcome, arguments))
    if outcome.stopped:
        sys.exit(128 + outcome.stopped)
    if outcome.upload.failed or outcome.upload.status == "REFUSED":
        sys.exit(1)


async def _export(store: Store, what: str, merchant_id: str, mode: str, out: Path | None) -> int:
    from hub.cli.output_files import target
    from hub.operations.files.exports import export as pages
    from hub.storage import StoreUnavailable

    rows = 0
    with target(out) as file:
        try:
            async for page in pages(store, what, merchant_id, mode):
                file.write(page.text.encode())
                rows += page.rows
        except StoreUnavailable as fault:
            # Not retried as other commands are: a part of the export is written already.
            raise Fault(f"{fault} The export is not complete; run it again in a moment.") from fault
    return rows


def _share(upload: UploadDocument) -> str:
    return f"{100 * upload.bytes_read // max(upload.bytes, 1)}%"
