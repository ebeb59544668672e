"""The pages that a commit of SQLite's writes, by table: they decide how long it takes, and others wait for it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

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
    """Return how often a page of each table or index is in the log, and how many commits are.

    The frames since the log last began anew are followed by older ones, which serve as well.
    """
    with database.reader() as read:
        try:
            names = dict(read(TABLES))
        except sqlite3.OperationalError as fault:
            raise Missing(f"this SQLite cannot say what its pages are: {fault}") from fault
        ((page_size,),) = read("PRAGMA page_size")
    log = Path(database.url.removeprefix("sqlite:///") + "-wal").read_bytes()
    pages, commits = Counter[str](), 0
    for place in range(LOG_HEADER, len(log), FRAME_HEADER + page_size):
        pages[names.get(int.from_bytes(log[place : place + 4]), "none now")] += 1
        commits += any(log[place + 4 : place + 8])
    return pages, commits


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
