"""What all migrations make together, as one text for a reader: `python -m hub.storage.migrations.outcome`.

The migrations are run as they are written in an SQLite of no file, which keeps the text of each table, with the
comments in it and the columns that came later, and each index. Comments directly above a statement are taken from the
migration. So the text is in the words of the migrations, and would make the same tables if it were one itself.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from hub.storage.migrations.files import BESIDE, load_migrations, split_statements

HEAD = """\
-- Every table of today with its indexes, for readers; `make generate` writes this file from the migrations beside it.
-- It is no migration and is never run: change those. The functions that PostgreSQL has beside are in *.postgresql.sql,
-- and the triggers of either, by which changes are noted, in 0009_*.sqlite.sql and 0009_*.postgresql.sql.
"""
_OBJECTS = """
SELECT o.name, o.sql
FROM sqlite_schema AS o JOIN sqlite_schema AS t ON t.name = o.tbl_name AND t.type IN ('table', 'view')
WHERE o.sql IS NOT NULL AND o.type <> 'trigger' AND o.name NOT LIKE 'sqlite^_%' ESCAPE '^'
ORDER BY t.rowid, o.name <> t.name, o.rowid
"""
_CREATE = re.compile(
    r"(?P<note>(?:^--[^\n]*\n)*)"
    r"^CREATE (?P<unlogged>\{unlogged\} )?(?:UNIQUE )?(?:TABLE|INDEX|VIEW|TRIGGER) (?P<name>\w+)",
    re.MULTILINE,
)


def schema_text(folder: Path | None = None) -> str:
    """Return what the migrations of the folder, or the hub's own, make: each table and view with its indexes."""
    notes: dict[str, str] = {}
    unlogged: set[str] = set()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.create_collation("C", lambda first, second: (first > second) - (first < second))
        for statement in _statements(folder):
            if created := _CREATE.search(statement.replace(BESIDE, "")):
                notes[created["name"]] = created["note"]
                unlogged |= {created["name"]} if created["unlogged"] else set()
            plain = statement.replace("{unlogged} ", "").replace(BESIDE, "")
            connection.execute(plain.replace("{clustered}", "WITHOUT ROWID"))
        objects = dict(connection.execute(_OBJECTS).fetchall())
    return HEAD + "".join(_written(name, sql, notes, name in unlogged) for name, sql in objects.items())


def _statements(folder: Path | None) -> Iterator[str]:
    for step in load_migrations("sqlite", folder):
        yield from split_statements(step.written)


def _written(name: str, sql: str, notes: Mapping[str, str], unlogged: bool) -> str:
    """Return the statement as a migration would have it: one of a table or view after an empty line."""
    text = re.sub(r"\bWITHOUT ROWID$", "{clustered}", sql)
    if unlogged:
        text = text.replace("CREATE TABLE", "CREATE {unlogged} TABLE", 1)
    above = "" if re.match(r"CREATE (UNIQUE )?(INDEX|TRIGGER)", text) else "\n"
    return f"{above}{notes.get(name, '')}{text};\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
