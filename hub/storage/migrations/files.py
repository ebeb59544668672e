"""Migration files: where they lie, their order and checksums, and how each database reads them.

`NNNN_verb_noun.sql` is one file for both databases; `NNNN_verb_noun.sqlite.sql` and `.postgresql.sql` exist only where
the two truly differ. SQLite reads BIGINT as INTEGER and every table as STRICT; `{clustered}` behind a table keeps its
rows in the primary key there. `CREATE {unlogged} TABLE` makes one that PostgreSQL may lose in a crash.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from hub.storage.errors import MigrationFault
from hub.storage.named_queries.query import Dialect

_FILE = re.compile(r"(?P<version>[0-9]{4})_(?P<name>[a-z0-9_]+)(?:\.(?P<dialect>sqlite|postgresql))?\.sql")
_PACKAGE = Path(__file__).parents[2]
_COMMENTS = re.compile(r"--[^\n]*")


@frozen
class Migration:
    """One step of the schema, as one database reads it."""

    version: int
    file: str
    checksum: str
    text: str


def migration_folder() -> Path:
    """Return where the migrations lie: inside an installed package, else beside it in the repository."""
    packed = _PACKAGE / "_data" / "migrations"
    return packed if packed.is_dir() else _PACKAGE.parent / "migrations"


def load_migrations(dialect: Dialect, folder: Path | None = None) -> list[Migration]:
    """Return the folder's migrations for the database in order; raise MigrationFault for a gap or a clash."""
    steps: dict[int, Migration] = {}
    for path in sorted((folder or migration_folder()).glob("*.sql")):
        match = _FILE.fullmatch(path.name)
        if match is None:
            raise MigrationFault(f"Migration {path.name} must be named like 0001_verb_noun.sql.")
        if match["dialect"] not in (None, dialect):
            continue
        version = int(match["version"])
        if version in steps:
            raise MigrationFault(f"Migrations {steps[version].file} and {path.name} have the same number.")
        steps[version] = _read(version, path, dialect)
    if list(steps) != list(range(1, len(steps) + 1)):
        raise MigrationFault(f"Migrations must be numbered 1, 2, 3 and so on; found {list(steps)}.")
    return list(steps.values())


def _read(version: int, path: Path, dialect: Dialect) -> Migration:
    text = path.read_text(encoding="utf-8")
    checksum = hashlib.sha256(text.encode()).hexdigest()
    return Migration(version, path.name, checksum, _for_sqlite(text) if dialect == "sqlite" else _for_postgresql(text))


def _for_postgresql(text: str) -> str:
    return text.replace("{clustered}", "").replace("{unlogged}", "UNLOGGED")


def _for_sqlite(text: str) -> str:
    text = re.sub(r"\bBIGINT\b", "INTEGER", text).replace("{unlogged} ", "")
    return "\n".join(_strict(statement) for statement in split_statements(text))


def _strict(statement: str) -> str:
    bare = _COMMENTS.sub("", statement).strip()
    if not re.match(r"CREATE\s+TABLE\b", bare, re.IGNORECASE):
        return statement
    body = statement.rstrip().removesuffix(";").rstrip()
    if body.endswith("{clustered}"):
        return body.removesuffix("{clustered}") + "STRICT, WITHOUT ROWID;"
    return body + " STRICT;"


def split_statements(text: str) -> Iterator[str]:
    """Yield the statements of a script one by one; comments stay with the statement after them."""
    rest = ""
    for part in re.split(r"(?<=;)", text):
        rest += part
        if sqlite3.complete_statement(rest):
            yield rest
            rest = ""
    if _COMMENTS.sub("", rest).strip():
        yield rest
