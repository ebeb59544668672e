"""`hub csv`: whole files of products, orders and statuses in, and whatever an account holds out again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hub.cli.invocation import Fault, Invocation, invoked
from hub.cli.output import say, show_table, tell

if TYPE_CHECKING:
    from hub.storage import Store

KIND_NAMES = ("products", "orders", "statuses")
"""The names of `hub.csv_import.kinds.KINDS`, here so that `--help` need not import it."""
EXPORT_NAMES = ("conversions", "commissions", "products", "request-log")
"""The names of `hub.operations.exports.EXPORTS`."""

Command = TypeVar("Command", bound=Callable[..., Any])

KIND = click.argument("kind", metavar="KIND", type=click.Choice(KIND_NAMES))
FILE = click.argument(
    "file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
)
VERDICTS = click.option(
    "--verdicts",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Where the verdict on each row goes (default: FILE.verdicts.csv).",
)
OUT = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to (default: standard output).",
)


def of_account(command: Command) -> Command:
    """The options that name an account."""
    mode = click.option("--mode", required=True, type=click.Choice(["test", "live"]), help="Which of its accounts.")
    merchant = click.option("--merchant", "merchant_id", required=True, metavar="ID", help="Whose it is.")
    return merchant(mode(command))


@click.group(
    name="csv",
    epilog="Each row goes through the rules of the API: a bad one fails alone, and the same file again changes "
    "nothing. To begin: `hub csv template KIND`, where KIND is products, orders or statuses.",
)
def csv() -> None:
    """Take in products, orders and statuses as CSV, and export them."""


@csv.command()
@KIND
@FILE
@of_account
@VERDICTS
@invoked
def check(invocation: Invocation, **named: Any) -> None:
    """Say what applying a file would come to.

    KIND is products, orders or statuses. Nothing is written but the verdicts.
    Exit status 0 where every row would pass, 1 where one would fail or the file is refused.
    """
    _take_in(invocation, named, dry_run=True)


@csv.command()
@KIND
@FILE
@of_account
@VERDICTS
@invoked
def apply(invocation: Invocation, **named: Any) -> None:
    """Apply a file, row by row.

    KIND is products, orders or statuses. Works beside a running server. After Ctrl-C, or whatever else ends it, the
    same command goes on where it stopped.
    Exit status 0 where every row passed, 1 where one failed or the file is refused.
    """
    _take_in(invocation, named, dry_run=False)


@csv.command()
@KIND
@OUT
@invoked
def template(invocation: Invocation, kind: str, out: Path | None) -> None:
    """Print a file to begin with.

    KIND is products, orders or statuses. It has every column and two example rows, which pass where the domain
    shop.example is approved.
    """
    from hub.cli.csv_files import write_new
    from hub.csv_import.kinds import KINDS
    from hub.csv_import.templates import template as template_of

    kinds = KINDS[kind]
    text = template_of(kinds)
    if out is not None:
        write_new(out, text)
    document = {"kind": kind, "columns": list(kinds.columns), "required": sorted(kinds.required)}
    if invocation.json:
        tell(invocation, document | {"template": text, "file": None if out is None else str(out)}, lambda: None)
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
    """Write what an account holds as CSV.

    KIND is conversions, commissions, products or request-log; the oldest come first. Cells that a spreadsheet would run
    as a formula get an apostrophe before them.
    """
    if out is None and invocation.json:
        raise click.UsageError("With --json name a file with --out: standard output is the CSV itself.")
    written = invocation.with_store(lambda store: _export(store, what, merchant_id, mode, out))
    if out is not None:
        document = {"kind": what, "rows": written, "file": str(out)}
        tell(invocation, document, lambda: say(f"{written:,} rows of {what} are in {out}."))


@csv.command()
@of_account
@invoked
def uploads(invocation: Invocation, merchant_id: str, mode: str) -> None:
    """List the latest files of an account, newest first."""
    from hub.operations.uploads import latest_uploads

    found = invocation.with_store(lambda store: latest_uploads(store, merchant_id, mode))
    columns = ["id", "kind", "status", "rows", "created", "updated", "duplicate", "failed", "read", "since"]
    names = ("uploadId", "kind", "status", "rows", "created", "updated", "duplicate", "failed")
    rows = ([*(u[name] for name in names), _share(u), u["createdAt"]] for u in found)
    tell(invocation, found, lambda: show_table(columns, rows, "No file came yet. `hub csv template KIND` begins one."))


def _take_in(invocation: Invocation, named: dict[str, Any], *, dry_run: bool) -> None:
    from hub.cli.csv_intake import take_in, wanted_file
    from hub.cli.csv_summary import show

    wanted = wanted_file(**named, dry_run=dry_run)
    intake = take_in(invocation, wanted)
    tell(invocation, intake.document(wanted.verdicts), lambda: show(intake, wanted))
    if intake.stopped:
        sys.exit(128 + intake.stopped)
    if intake.upload.failed or intake.upload.status == "REFUSED":
        sys.exit(1)


async def _export(store: Store, what: str, merchant_id: str, mode: str, out: Path | None) -> int:
    from hub.cli.csv_files import target
    from hub.operations.exports import export as pages
    from hub.storage import StoreUnavailable

    rows = 0
    with target(out) as file:
        try:
            async for page in pages(store, what, merchant_id, mode):
                file.write(page.text.encode())
                rows += page.rows
        except StoreUnavailable as fault:
            # Not left to be tried again by the shared way: what is written is written.
            raise Fault(f"{fault} The export is not complete; run it again in a moment.") from fault
    return rows


def _share(upload: dict[str, Any]) -> str:
    return f"{100 * upload['bytesRead'] // max(upload['bytes'], 1)}%"
