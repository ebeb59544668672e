"""Migration files: where they are, their order and checksums, and how each database reads them.

`NNNN_words.sql` is for both databases. `NNNN_words.sqlite.sql` and `.postgresql.sql` hold what only one of them needs;
a number may have a common file and one for a dialect, which then runs after it as part of the same migration.
`schema.sql` beside them is no migration: it shows a reader what they make, see hub/storage/migrations/outcome.py.

PostgreSQL reads a file as it is, without `{clustered}`, and `CREATE {unlogged} TABLE` makes a table that it may lose in
a crash. `CREATE INDEX {concurrently} name ON ...` is for a table that may be large: on a database that is in use it is
built after the step has committed, while others write (hub/storage/migrations/indexes.py). SQLite reads a file so:

* BIGINT is INTEGER, and every table is STRICT;
* `{clustered}` behind a table is WITHOUT ROWID: rows are kept in the tree of the primary key, one tree instead of two;
* `CHECK (status IN ('A', 'B'))` is `CHECK (status = 'A' OR status = 'B')`. For each row that it writes, SQLite would
  build a list of three or more words as a tree and drop it again, which was a tenth of deciding an event. It compares
  in the order of the list, so the most frequent word comes first;
* `TEXT COLLATE "C"` is TEXT, which it compares byte by byte anyway. PostgreSQL would take the order of its locale, in
  which what begins alike does not stand together.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from attrs import frozen

from hub.storage.errors import MigrationFault
from hub.storage.named_queries.query import Dialect
from hub.storage.sql_files import SqlFile, sql_files

SUMMARY = "schema.sql"
"""The file beside the migrations that shows what they make."""

BYTEWISE = ' COLLATE "C"'
"""The order of a text that is looked for by how it begins."""
BESIDE = "{concurrently} "
"""What stands before the name of an index that is built beside those who write."""

_FILE = re.compile(r"(?P<version>[0-9]{4})_(?P<name>[a-z0-9_]+)(?:\.(?P<dialect>sqlite|postgresql))?\.sql")
_PACKAGE = Path(__file__).parents[2]
_COMMENTS = re.compile(r"--[^\n]*")
_CHECKED_LIST = re.compile(r"\bCHECK \((?P<column>\w+) IN \((?P<words>'[^()]*')\)\)")


@frozen
class Migration:
    """One step of the schema: the text of its files as it is written, and as one database reads it.

    `beside` are the statements that build indexes beside those who write; they are in `text` only for a new database
    (`whole`), which nobody uses yet.
    """

    version: int
    file: str
    checksum: str
    written: str
    text: str
    beside: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """Return the text of all of it, as a new database runs it."""
        return "\n".join([self.text, *self.beside])


def migration_folder() -> Path:
    """Return the folder of the migrations: inside an installed package, else beside it in the repository."""
    packed = _PACKAGE / "_data" / "migrations"
    return packed if packed.is_dir() else _PACKAGE.parent / "migrations"


def load_migrations(dialect: Dialect, folder: Path | None = None) -> list[Migration]:
    """Return the folder's migrations for the database in order; raise MigrationFault for a gap or a clash."""
    return list(_loaded(dialect, sql_files(folder or migration_folder())))


@lru_cache(8)
def _loaded(dialect: Dialect, files: tuple[SqlFile, ...]) -> tuple[Migration, ...]:
    paths: dict[int, list[Path]] = {}
    for path in sorted((Path(file) for file, *_ in files), key=_common_first):
        if path.name == SUMMARY:
            continue
        match = _FILE.fullmatch(path.name)
        if match is None:
            raise MigrationFault(f"Migration {path.name} must be named like 0010_add_refunds.sql.")
        if match["dialect"] in (None, dialect):
            paths.setdefault(int(match["version"]), []).append(path)
    if list(paths) != list(range(1, len(paths) + 1)):
        raise MigrationFault(f"Migrations must be numbered 1, 2, 3 and so on; found {list(paths)}.")
    return tuple(_read(version, steps, dialect) for version, steps in paths.items())


def _common_first(path: Path) -> tuple[str, int]:
    return path.name[:4], path.name.count(".")


def _read(version: int, paths: Sequence[Path], dialect: Dialect) -> Migration:
    first = paths[0]
    for path in paths[1:]:
        if path.name.partition(".")[0] != first.name.partition(".")[0]:
            raise MigrationFault(f"Migrations {first.name} and {path.name} have the same number.")
    text = "\n".join([path.read_text(encoding="utf-8") for path in paths])
    checksum = hashlib.sha256(text.encode()).hexdigest()
    if dialect == "sqlite":
        return Migration(version, first.name, checksum, text, _for_sqlite(text))
    statements = list(split_statements(text)) if BESIDE in text else []
    beside = tuple(_for_postgresql(each) for each in statements if BESIDE in _COMMENTS.sub("", each))
    rest = "".join([each for each in statements if BESIDE not in _COMMENTS.sub("", each)]) if beside else text
    return Migration(version, first.name, checksum, text, _for_postgresql(rest), beside)


def _for_postgresql(text: str) -> str:
    return text.replace("{clustered}", "").replace("{unlogged}", "UNLOGGED").replace(BESIDE, "")


@cache
def _for_sqlite(text: str) -> str:
    text = re.sub(r"\bBIGINT\b", "INTEGER", text).replace("{unlogged} ", "").replace(BESIDE, "").replace(BYTEWISE, "")
    return "\n".join(_sqlite_statement(statement) for statement in split_statements(text))


def _sqlite_statement(statement: str) -> str:
    bare = _COMMENTS.sub("", statement).strip()
    if not re.match(r"(CREATE|ALTER)\s+TABLE\b", bare, re.IGNORECASE):
        return statement
    compared = _CHECKED_LIST.sub(_compared, statement)
    if bare[:5].upper() == "ALTER":
        return compared
    body = compared.rstrip().removesuffix(";").rstrip()
    if body.endswith("{clustered}"):
        return body.removesuffix("{clustered}") + "STRICT, WITHOUT ROWID;"
    return body + " STRICT;"


def _compared(check: re.Match[str]) -> str:
    words = [word.strip() for word in check["words"].split(",")]
    return "CHECK (" + " OR ".join([f"{check['column']} = {word}" for word in words]) + ")"


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
