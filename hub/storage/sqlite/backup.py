"""Backups of an SQLite file: made beside a server that writes, verified, and never half a file under its name.

A backup is one moment of the database. Its rows are counted in the read transaction that it is copied in, so they can
be compared with the copy's whatever is written meanwhile. The copy is written under another name, checked, made
durable, and only then given its own.
"""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from attrs import frozen

from hub.storage.errors import MigrationFault, SchemaTooNew, StoreError
from hub.storage.migrations.files import Migration, load_migrations
from hub.storage.migrations.run import missing
from hub.storage.sqlite.connection import BUSY_SECONDS, translate
from hub.storage.sqlite.file_identity import is_full
from hub.storage.sqlite.server_lock import ServerLock

_COPIED_PAGES = 4_096
_ADVICE = "Stop it first: a file cannot be replaced beneath those who have it open."
ABANDONED_SECONDS: Final = 600
"""A draft that nobody has written to for so long is nobody's."""
_SIDE_FILES = ("-wal", "-shm", "-journal")


class BackupFault(StoreError):
    """A backup cannot be made, is damaged, or cannot be restored here; nothing was replaced."""


SEALED: Final = {
    "api_keys": "SELECT sealed_secret FROM api_keys",
    "connections": "SELECT secrets FROM connections",
    "mails": "SELECT sealed_link FROM mails WHERE sealed_link IS NOT NULL",
    "recovery_codes": "SELECT totp_secret FROM users WHERE totp_secret IS NOT NULL",
}
"""The sealed texts by a table that came with them; a backup of an older release lacks some of these tables."""


@frozen
class BackupReport:
    """What a sound backup holds: the rows of each table, its bytes, its schema version, and every sealed text."""

    rows: dict[str, int]
    size: int
    schema_version: int
    sealed: tuple[str, ...]


def keep_before(database: Path, steps: Sequence[Migration]) -> Path:
    """Keep a verified copy of a database, `NAME.before-N`, before steps up to N change it; return its path.

    One that is there already is left: it may be from before another try. Raises as `back_up` does.
    """
    target = _free_name(database.with_name(f"{database.name}.before-{len(steps)}"))
    back_up(database, target, steps)
    return target


def _free_name(path: Path) -> Path:
    """Return the path if nothing is there, or the first of `PATH.2`, `PATH.3`, ... where nothing is."""
    later = (path.with_name(f"{path.name}.{count}") for count in itertools.count(2))
    return next(each for each in itertools.chain([path], later) if not each.exists())


def back_up(database: Path, target: Path, steps: Sequence[Migration] | None = None) -> BackupReport:
    """Copy the database to a new file and return what the verified copy holds; a server may write meanwhile.

    `steps` are the migrations that it may have, the hub's own by default. Raises BackupFault, also if the target
    exists, and StoreUnavailable if the database cannot be read.
    """
    with _errors(database), _draft_of(target) as draft:
        with closing(_connect(database, "rw")) as live, closing(_connect(draft, "rw")) as copy:
            live.execute("BEGIN")
            counted = _rows(live)
            try:
                live.backup(copy, pages=_COPIED_PAGES)
                live.execute("ROLLBACK")
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, and no log beside it
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_FULL:  # the database itself is only read
                    raise
                raise BackupFault(f"{target} cannot be written: its disk is full.") from error
        report = verify(draft, steps)
        if report.rows != counted:
            raise BackupFault(f"The copy of {database} has other rows than the database; run the backup again.")
        _make_durable(draft)
        try:
            os.link(draft, target)  # unlike a rename it never replaces
        except FileExistsError:
            raise _exists(target) from None
    _make_durable(target.parent)
    return report


def verify(file: Path, steps: Sequence[Migration] | None = None) -> BackupReport:
    """Read a backup from its first page to its last and return what it holds; raise BackupFault unless it is sound."""
    if not file.is_file():
        raise BackupFault(f"There is no backup {file}.")
    for suffix in _SIDE_FILES:
        if file.with_name(file.name + suffix).exists():
            raise BackupFault(f"{file} has a {suffix} file beside it: it is no backup but a database in use.")
    try:
        with closing(_connect(file, "ro", immutable=True)) as copy:
            _require_sound(copy, file)
            version = _schema_version(copy, file, load_migrations("sqlite") if steps is None else steps)
            return BackupReport(_rows(copy), file.stat().st_size, version, _sealed(copy))
    except sqlite3.Error as error:
        raise BackupFault(f"The backup {file} is damaged: {error}.") from error


@frozen
class Restored:
    """A backup in a database's place; `aside` is where what was there is kept, None if nothing was."""

    report: BackupReport
    aside: Path | None


def restore(backup: Path, database: Path, aside: Path) -> Restored:
    """Put a verified copy of the backup in the database's place, and move what was there to `aside`.

    If a restore that was killed has left something there, `aside.2` is taken, and so on. Raises StoreBusy while a
    server has the database, and BackupFault; then nothing was replaced.
    """
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = ServerLock(database)
    lock.acquire(_ADVICE, transient=True)
    try:
        with _errors(database), _draft_of(database, may_exist=True) as draft:
            shutil.copyfile(backup, draft)
            report = verify(draft)
            _make_durable(draft)
            kept = _free_name(aside) if database.exists() else None
            if kept is not None:
                _move_aside(database, kept)
            draft.replace(database)
        _make_durable(database.parent)
    finally:
        lock.release()
    return Restored(report, kept)


def _move_aside(database: Path, aside: Path) -> None:
    """Keep the database under another name; its log goes first, since it must never meet the restored file."""
    with contextlib.suppress(sqlite3.Error), closing(_connect(database, "rw")) as old:
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in _SIDE_FILES:
        beside = database.with_name(database.name + suffix)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + suffix))
    os.link(database, aside)


@contextlib.contextmanager
def _draft_of(target: Path, *, may_exist: bool = False) -> Iterator[Path]:
    """Yield a new, empty file beside the target, for the owner alone; it is gone after the block."""
    if target.exists() and not may_exist:
        raise _exists(target)
    draft = target.with_name(f"{target.name}.{secrets.token_hex(4)}.partial")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _forget_drafts(target, draft.stat().st_mtime - ABANDONED_SECONDS)
        yield draft
    except OSError as error:
        raise BackupFault(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        for suffix in ("", *_SIDE_FILES):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def _forget_drafts(target: Path, before: float) -> None:
    """Remove what a backup of this name left when it was killed; one that is under way writes all the time."""
    for left in target.parent.glob(f"{glob.escape(target.name)}.????????.partial*"):
        with contextlib.suppress(OSError):
            if left.stat().st_mtime < before:
                left.unlink()


@contextlib.contextmanager
def _errors(database: Path) -> Iterator[None]:
    if not database.parent.is_dir():
        raise BackupFault(f"There is no folder {database.parent}.")
    try:
        yield
    except sqlite3.Error as error:
        if is_full(database):
            raise BackupFault(f"{database} cannot be read: its disk is full. Make room.") from error
        raise translate(error) from error


def _exists(target: Path) -> BackupFault:
    return BackupFault(f"{target} exists already, and a backup replaces nothing: name another file.")


def _connect(file: Path, mode: str, *, immutable: bool = False) -> sqlite3.Connection:
    address = f"{file.absolute().as_uri()}?mode={mode}{'&immutable=1' if immutable else ''}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=BUSY_SECONDS)


def _rows(connection: sqlite3.Connection) -> dict[str, int]:
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in names}  # noqa: S608 - a table's own name


def _require_sound(copy: sqlite3.Connection, file: Path) -> None:
    found = [row[0] for row in copy.execute("PRAGMA integrity_check(10)")]
    if found != ["ok"]:
        raise BackupFault(f"The backup {file} is damaged: {'; '.join(map(str, found))}.")
    orphans = copy.execute("PRAGMA foreign_key_check").fetchall()
    if orphans:
        raise BackupFault(f"The backup {file} is damaged: {len(orphans)} rows refer to others that are missing.")


def _schema_version(copy: sqlite3.Connection, file: Path, steps: Sequence[Migration]) -> int:
    try:
        applied = dict(copy.execute("SELECT version, checksum FROM schema_migrations").fetchall())
    except sqlite3.OperationalError:
        applied = {}
    if not applied:
        raise BackupFault(f"{file} is an SQLite file, but not a hub's database.")
    try:
        missing(applied, steps)
    except (MigrationFault, SchemaTooNew) as error:
        raise BackupFault(f"The backup {file} cannot be used here. {error}") from error
    return int(max(applied))


def _sealed(copy: sqlite3.Connection) -> tuple[str, ...]:
    tables = {row[0] for row in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    queries = [query for table, query in SEALED.items() if table in tables]
    return tuple(row[0] for query in queries for row in copy.execute(query))


def _make_durable(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
