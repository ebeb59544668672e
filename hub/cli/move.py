"""The operator's view of a move into another database: progress, the comparison, and what to do next."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any
from urllib.parse import urlsplit

import attrs
import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from hub.cli.output import say, show_table
from hub.config.database_section import DatabaseSettings
from hub.config.settings import Settings
from hub.operations.system.master_keys import MasterKeys, keys_at_hand, keys_needed
from hub.storage import Store
from hub.storage.transfer.move import Comparison, Left, transfer
from hub.storage.transfer.tables import Tally

STAGES = {"count": ("counting", "counted"), "copy": ("copying", "copied"), "verify": ("verifying", "verified")}


def move(source: str, target: str, settings: Settings, *, quiet: bool) -> dict[str, Any]:
    """Move the hub and return the document that `--json` prints; `quiet` shows no progress.

    Its keys: from, to, schemaVersion, kept, rows, seconds, tables, left, masterKey, uploads. Raises what `transfer`
    raises.
    """
    path = DatabaseSettings(source).path
    keys = keys_at_hand(settings, path)  # a key file that cannot be used is reported before anything is done
    files = None if path is None else path.absolute().with_name(f"{path.name}.uploads")
    moved = asyncio.run(_move(source, target, keys, quiet=quiet))
    return {"from": _shown(source), **moved, "uploads": str(files) if files is not None and files.is_dir() else None}


def _shown(address: str) -> str:
    """Return a file's whole path, or a server's address without its password."""
    path = DatabaseSettings(address).path
    return without_password(address) if path is None else str(path.absolute())


async def _move(source: str, target: str, keys: MasterKeys, *, quiet: bool) -> dict[str, Any]:
    started = perf_counter_ns()
    with _progress(quiet=quiet) as progress:
        moved = await transfer(source, target, Track(progress))
    seconds = (perf_counter_ns() - started) / 1e9
    comparisons = sorted(moved.comparisons, key=lambda comparison: comparison.table)
    async with await Store.open(target) as store:
        keys = attrs.evolve(keys, needed=await keys_needed(store))
        version = await store.schema_version()
    return {
        "to": _shown(target),
        "schemaVersion": version,
        "kept": all(comparison.same for comparison in comparisons),
        "rows": sum(comparison.source.rows for comparison in comparisons),
        "seconds": round(seconds, 3),
        "tables": [_compared(comparison) for comparison in comparisons],
        "left": [attrs.asdict(left) for left in moved.left],
        "masterKey": {"needed": sorted(keys.needed), "missing": keys.missing, "set": keys.assignment},
    }


def show_move(document: dict[str, Any]) -> None:
    """Print the comparison and what to do next."""
    show_table(["table", "rows", "columns summed", "digest", "target"], map(_line, document["tables"]), "")
    apart = [compared["table"] for compared in document["tables"] if not compared["same"]]
    if apart:
        click.secho(f"Nothing was kept: {', '.join(apart)} differ.", fg="red", bold=True)
        return
    tables, rows, seconds = len(document["tables"]), document["rows"], document["seconds"]
    click.secho(f"Moved {rows:,} rows of {tables} tables in {seconds:.1f} s; all is the same.", fg="green", bold=True)
    for left in document["left"]:
        click.secho(_stayed(Left(**left)), fg="yellow")
    _show_next(document)


def _stayed(left: Left) -> str:
    if left.column is None:
        return f"Left behind: table {left.table} ({left.values:,} rows), which this release does not have."
    return f"Left behind: {left.values:,} values of {left.table}.{left.column}, which this release does not have."


def _show_next(document: dict[str, Any]) -> None:
    key = document["masterKey"]
    say("Next: set HUB_DATABASE_URL to the target's address, give the master key, run `hub audit`, then serve.")
    say(f"The master key: {key['set']}" if key["set"] else "The master key: HUB_MASTER_KEY stays as it is.")
    if document["uploads"] is not None:
        say(f"Uploaded files were not moved: serve with HUB_UPLOADS_DIRECTORY={document['uploads']} and they go on.")
    if key["missing"]:
        names = ", ".join(key["missing"])
        click.secho(f"Secrets are sealed under master keys that are not here: {names}. Find them first.", fg="red")
    say(f"Keep {document['from']} and its key file as a backup. Never serve it again: it would take orders of its own.")


def without_password(url: str) -> str:
    """Return the address without its password and its options, so that it may be shown."""
    parts = urlsplit(url)
    user, at, place = parts.netloc.rpartition("@")
    return parts._replace(netloc=user.partition(":")[0] + at + place, query="", fragment="").geturl()


class Track:
    """Shows one line of progress for each table that has rows."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lines: dict[str, TaskID] = {}
        self._now: tuple[str, str] | None = None
        self._since = 0

    def __call__(self, stage: str, table: str, done: int, total: int) -> None:
        """Show how many rows of a table are done."""
        if table not in self._lines:
            self._lines[table] = self._progress.add_task(table, total=None, stage="", speed="")
        line, (doing, _) = self._lines[table], STAGES[stage]
        if self._now != (stage, table):
            self._finish_stage()
            self._now, self._since = (stage, table), perf_counter_ns()
        shown = total > 0 or stage == "count"
        self._progress.update(line, completed=done, total=total or None, stage=doing, visible=shown)
        if stage == "copy" and done:
            self._progress.update(line, speed=f"{done * 1e9 / (perf_counter_ns() - self._since):,.0f} rows/s")

    def _finish_stage(self) -> None:
        if self._now is not None:
            stage, table = self._now
            self._progress.update(self._lines[table], stage=STAGES[stage][1])


def _progress(*, quiet: bool) -> Progress:
    """Return the lines of progress on standard error, hidden unless that is a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} rows", justify="right"),
        TextColumn("{task.fields[speed]}", justify="right"),
        TextColumn("{task.fields[stage]}"),
    )
    shown = not quiet and sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), disable=not shown, transient=True)


def _compared(comparison: Comparison) -> dict[str, Any]:
    source, target = (attrs.asdict(side) for side in (comparison.source, comparison.target))
    return {"table": comparison.table, "same": comparison.same, "source": source, "target": target}


def _line(compared: dict[str, Any]) -> Sequence[str]:
    source, target = (Tally(**compared[side]) for side in ("source", "target"))
    apart = [] if source.rows == target.rows else [f"{target.rows:,} rows"]
    apart += [
        f"{name} {target.sums[name]} for {total}" for name, total in source.sums.items() if total != target.sums[name]
    ]
    if source.digest != target.digest:
        apart.append(f"digest {target.digest}")
    return [compared["table"], f"{source.rows:,}", str(len(source.sums)), source.digest, ", ".join(apart) or "the same"]
