"""A restore that is rehearsed: a backup becomes a scratch database, is migrated as it would be, and audited."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hub.clock import Clock
from hub.config.settings import Settings
from hub.operations.audits.audit import audit
from hub.operations.audits.violations import AuditDocument
from hub.operations.errors import OperatorFault
from hub.operations.system.backups import BackupDocument, verify_backup
from hub.storage import Store

POSTGRESQL = (
    "A backup of PostgreSQL is rehearsed by its own tools: createdb --encoding UTF8 scratch, pg_restore "
    "--dbname=scratch FILE, and `hub audit --database postgresql://…/scratch`; then dropdb scratch."
)


class RehearsalDocument(BackupDocument):
    """A backup that was rehearsed: what it holds, and what the audit of it found."""

    audit: AuditDocument


async def rehearse(settings: Settings, file: Path, clock: Clock) -> RehearsalDocument:
    """Restore a backup into a scratch folder beside nothing, bring its schema up to date, and audit it.

    A server may run: its database is not touched. Raises `OperatorFault` for PostgreSQL and where there is no room, and
    `BackupFault` unless the backup is sound.
    """
    if settings.database.path is None:
        raise OperatorFault(POSTGRESQL)
    held = verify_backup(settings, file)
    with TemporaryDirectory(prefix="hub-rehearsal-", dir=_beside(file)) as scratch:
        free = shutil.disk_usage(scratch).free
        if free < 2 * held["bytes"]:
            raise OperatorFault(f"A rehearsal needs {2 * held['bytes'] >> 20:,} MiB beside {file}; make room there.")
        copy = Path(scratch, "hub.db")
        shutil.copyfile(file, copy)
        async with await Store.open(f"sqlite:///{copy}", migrate=True, serve=True, transient=True) as store:
            return {**held, "audit": await audit(store, clock)}


def _beside(file: Path) -> Path:
    return file.absolute().parent
