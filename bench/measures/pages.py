"""The pages that a commit of SQLite's writes, by table: they decide how long it takes, and others wait for it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bench import wrk
from bench.databases import Database
from bench.faults import Missing
from bench.ledger import audited_hub
from bench.measures.conversions import conversions
from bench.plan import Figures, Measure, Side
from bench.workbench import Workbench

LOG_HEADER = 32
FRAME_HEADER = 24
"""Number of the page, then the size of the database if a commit ends with this frame, else 0; four bytes each."""
TABLES = "SELECT pageno, name FROM dbstat"


def _written(bench: Workbench, *, worker: bool) -> Figures:
    kept: list[str] = []
    with audited_hub(bench, worker=worker, acknowledged=kept) as (stage, server):
        kept += wrk.load(server, conversions(bench, stage)).acknowledged
        pages, commits = _log(stage.database)
    return {"pages": pages.total() / commits, **{name: count / commits for name, count in pages.most_common(8)}}


def _log(database: Database) -> tuple[Counter[str], int]:
    with database.reader() as read:
        pages, commits, _ = written_pages(read, Path(database.url.removeprefix("sqlite:///") + "-wal"))
    return pages, commits


def written_pages(read: Callable[[str], Iterable[Any]], log: Path, start: int = 0) -> tuple[Counter[str], int, int]:
    """Return how often a page of each table or index is in a log from a place on, how many commits, and a frame's size.

    The frames since the log last began anew are followed by older ones, which serve as well. Raise Missing if this
    SQLite cannot say whose its pages are.
    """
    try:
        names = dict(read(TABLES))
    except sqlite3.OperationalError as fault:
        raise Missing(f"this SQLite cannot say what its pages are: {fault}") from fault
    ((page_size,),) = read("PRAGMA page_size")
    written, frame = log.read_bytes(), FRAME_HEADER + page_size
    pages, commits = Counter[str](), 0
    for place in range(max(start, LOG_HEADER), len(written), frame):
        pages[names.get(int.from_bytes(written[place : place + 4]), "none now")] += 1
        commits += any(written[place + 4 : place + 8])
    return pages, commits, frame


MEASURE = Measure(
    "pages",
    "pages of SQLite's that a commit writes, by table and index",
    (
        Side("a commit, orders accepted", lambda bench: _written(bench, worker=False)),
        Side("a commit, orders accepted and decided", lambda bench: _written(bench, worker=True)),
    ),
    (),
    standard=False,
)
