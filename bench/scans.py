"""PostgreSQL's own counts of whole-table reads: a plan that is right for a thousand rows may be wrong for millions.

SQLite keeps no statistics here, so its plans are the same whatever is stored, and the tests check each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.databases import Database
from bench.faults import Mismatch

COUNTED = "SELECT relname, coalesce(seq_scan, 0) FROM pg_stat_user_tables"


@contextmanager
def by_index(database: Database, tables: Sequence[str]) -> Iterator[None]:
    """Raise `Mismatch` if one of these tables is read from end to end by the hub that the block starts and stops.

    PostgreSQL reports what a session did once the session is over.
    """
    if database.dialect == "sqlite":
        yield
        return
    before = _scans(database)
    yield
    after = _scans(database)
    read = {table: after[table] - before[table] for table in tables if after[table] > before[table]}
    if read:
        raise Mismatch(f"Tables were read from end to end, so many times: {read}.")


def _scans(database: Database) -> dict[str, int]:
    with database.reader() as read:
        return {str(table): int(scans) for table, scans in read(COUNTED)}
