"""The summary that `hub csv check` and `hub csv apply` end with."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path
from typing import Final

import click

from hub.cli.csv_apply import FileArguments, FileOutcome
from hub.cli.invocation import Fault
from hub.cli.output import printable, say, show_fields, show_table

FAULTS_SHOWN: Final = 5


def show(outcome: FileOutcome, arguments: FileArguments) -> None:
    """Print the outcome of the file, its first faults, and what to do next."""
    upload = outcome.upload
    name = arguments.source.name
    if upload.status == "REFUSED":
        how = f"was given up after {_count(upload.rows, 'row')}" if upload.rows else "is refused as a whole"
        what = f"{arguments.verdicts} has their verdicts" if upload.rows else "nothing of it was applied"
        Fault(f"{name} {how}; {what}.").show()
        for fault in upload.faults:
            click.echo(f"  {printable(_sentence(fault))}", err=True)
        return
    rows = _count(upload.rows, "row")
    if outcome.stopped:
        _show_stop(outcome, rows)
        return
    checked = f"{name}: {rows} checked, nothing applied. Applying it now would give"
    verdicts = ["created", "updated", "duplicate", "failed"]
    if arguments.kind != "products":
        verdicts.remove("updated")  # an order is reported once, and so is each of its statuses
    fields = {verdict: f"{getattr(upload, verdict):,}" for verdict in verdicts}
    ignored = {"unknown columns": ", ".join(upload.ignored_columns)} if upload.ignored_columns else {}
    show_fields(
        checked if arguments.dry_run else f"{name}: {rows} applied",
        fields | ignored | {"verdicts": str(arguments.verdicts)},
    )
    if upload.failed:
        _show_faults(arguments.verdicts, upload.failed)
    _show_next(outcome, arguments)


def _show_stop(outcome: FileOutcome, rows: str) -> None:
    upload = outcome.upload
    if outcome.by_server:
        say(f"The server goes on with {upload.upload_id}; the same command again follows it.")
    elif upload.dry_run:
        say(f"Stopped after {rows}; nothing was written.")
    else:
        say(f"Stopped after {rows}; run the same command again to go on.")


def _show_faults(verdicts: Path, failed: int) -> None:
    with verdicts.open(encoding="utf-8", newline="") as file:
        faults = (row for row in csv.DictReader(file) if row["verdict"] == "failed")
        first = [[row[name] for name in ("line", "id", "column", "message")] for row in islice(faults, FAULTS_SHOWN)]
    say("")
    show_table(["line", "id", "column", "what is wrong"], first, "")
    if failed > len(first):
        say(f"… and {failed - len(first):,} more in {verdicts}")


def _show_next(outcome: FileOutcome, arguments: FileArguments) -> None:
    upload = outcome.upload
    steps = []
    if upload.failed:
        steps.append(
            "The failed rows changed nothing. Fix them and apply the whole file again: rows that were done stay done."
        )
    if upload.created and not arguments.dry_run and not outcome.by_server and arguments.kind != "products":
        steps.append("The hub decides on them while `hub serve` runs.")
    if steps:
        say("")
    for step in steps:
        say(step)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _sentence(fault: str) -> str:
    return fault if fault.endswith((".", "?", "!")) else f"{fault}."
