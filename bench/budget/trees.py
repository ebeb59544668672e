"""What an order adds to SQLite's write-ahead log, by table and index."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from attrs import define, field

from bench.budget.acts import TIMES, run_acts
from bench.measures.pages import written_pages
from hub.cli.serve import run_fast

ACTS = ("accept", "decide", "figures", "changes")


@define(eq=False)
class Trees:
    """Counts the bytes of an order in the log by act and tree, for as long as an act lasts."""

    folder: Path
    bytes_of: dict[str, Counter[str]] = field(factory=dict)

    @contextmanager
    def __call__(self, act: str) -> Iterator[None]:
        """Count the block as this act; raise Missing if this SQLite cannot say whose its pages are."""
        log = self.folder / "hub.db-wal"
        start = log.stat().st_size
        yield
        with closing(sqlite3.connect(f"file:{self.folder / 'hub.db'}?mode=ro", uri=True)) as reader:
            pages, _, frame = written_pages(reader.execute, log, start)
        self.bytes_of[act] = Counter({name: number * frame // TIMES for name, number in pages.items()})


def table() -> str:
    """Return the bytes of each act by tree, the most first, as lines."""
    with tempfile.TemporaryDirectory(prefix="hub-trees-") as name:
        trees = Trees(Path(name))
        run_fast(run_acts(Path(name), trees))
    lines: list[str] = []
    for act in ACTS:
        found = trees.bytes_of[act]
        lines.append(f"{act}: {found.total():,} bytes an order")
        lines += [f"  {number:6,}  {tree}" for tree, number in found.most_common()]
    return "\n".join(lines)
