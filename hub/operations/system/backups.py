"""Backups as an operator makes and restores them, and what has to be kept beside them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from hub.clock import Clock
from hub.config.settings import Settings
from hub.operations.errors import OperatorFault
from hub.operations.system.master_keys import keys_at_hand
from hub.sealing import sealed_under
from hub.storage import Store
from hub.storage.sqlite.backup import BackupReport, back_up, restore, verify

POSTGRESQL = (
    "PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=FILE URL for one moment, pg_basebackup "
    "and an archive of its log for every moment. docs/backup.md has the steps."
)


class BackupDocument(TypedDict):
    """A verified backup; `masterKeys` opens its secrets, and `missingKeys` are those of them that are not at hand."""

    file: str
    bytes: int
    rows: dict[str, int]
    schemaVersion: int
    masterKeys: list[str]
    missingKeys: list[str]


class RestoreDocument(BackupDocument):
    """A backup that was restored; `aside` is where the database before it is kept, None if there was none."""

    database: str
    aside: str | None


def make_backup(settings: Settings, file: Path) -> BackupDocument:
    """Back the database up to a new file; raise OperatorFault for PostgreSQL, BackupFault or StoreUnavailable."""
    database = _database(settings)
    if not database.exists():
        raise OperatorFault(f"There is no database {database}.")
    return _document(settings, file, back_up(database, file))


async def note_backup(store: Store, clock: Clock, made: BackupDocument) -> None:
    """Note that a backup was made, so that an old one is noticed."""
    async with store.write() as tx:
        await tx.run("note_backup", now=clock(), bytes=made["bytes"])


def verify_backup(settings: Settings, file: Path) -> BackupDocument:
    """Read a whole backup and say what it holds; raise BackupFault unless it is sound."""
    return _document(settings, file, verify(file))


def restore_backup(settings: Settings, file: Path, clock: Clock) -> RestoreDocument:
    """Put a backup in the place of the database, which is kept aside.

    Raises StoreBusy while a server runs, BackupFault for a backup that is not sound, and OperatorFault if a master key
    that it needs is not at hand.
    """
    database = _database(settings)
    found = verify_backup(settings, file)
    if found["missingKeys"]:
        raise OperatorFault(
            f"The secrets in {file} are sealed under the master keys {', '.join(found['missingKeys'])}, which are not "
            f"here. Put the key file that was kept with it beside {database}, or set HUB_MASTER_KEY, and restore then."
        )
    stamp = datetime.fromtimestamp(clock() / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = database.with_name(f"{database.name}.before-{stamp}")
    restored = restore(file, database, aside)
    return {
        **_document(settings, file, restored.report),
        "database": str(database),
        "aside": None if restored.aside is None else str(restored.aside),
    }


def _database(settings: Settings) -> Path:
    if settings.database.path is None:
        raise OperatorFault(POSTGRESQL)
    return settings.database.path


def _document(settings: Settings, file: Path, report: BackupReport) -> BackupDocument:
    needed = {key_id for text in report.sealed for key_id in sealed_under(text)}
    keys = keys_at_hand(settings, _database(settings))
    return {
        "file": str(file),
        "bytes": report.size,
        "rows": report.rows,
        "schemaVersion": report.schema_version,
        "masterKeys": sorted(needed),
        "missingKeys": sorted(needed - keys.configured - keys.filed),
    }
