"""Databases of a benchmark: a hub's settings for them, copies that cost little, and reads from the outside."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
from attrs import frozen

from bench.servers import HUB_FOLDER

Reader = Callable[[str], list[tuple[Any, ...]]]
"""Runs one SELECT and returns its rows."""

NUMBERS = count(1)
KNOWN_SETTINGS = (HUB_FOLDER / "config" / "hub.toml").read_text("utf-8")
"""Of the hub that is measured; one of another commit refuses a setting that it does not know."""
SETTINGS = {
    "HUB_MASTER_KEY": "5e" * 32,
    # The limiter is on, but never refuses.
    **{
        f"HUB_LIMITS_{name.upper()}": "0"
        for name in ("clicks_per_minute", "link_clicks_per_minute")
        if name in KNOWN_SETTINGS
    },
    **dict.fromkeys(("HUB_LIMITS_PER_MINUTE", "HUB_LIMITS_PER_HOUR"), "1000000000"),
    **dict.fromkeys(("HUB_LIMITS_IMPORT_PER_MINUTE", "HUB_LIMITS_IMPORT_PER_HOUR"), "1000000000"),
}


@frozen
class Database:
    """A database by its URL, as HUB_DATABASE_URL names it."""

    url: str

    @property
    def dialect(self) -> str:
        """Return which database it is: "sqlite" or "postgresql"."""
        return self.url.partition(":")[0]

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment of a hub process that uses this database."""
        return {**os.environ, **SETTINGS, "HUB_DATABASE_URL": self.url}

    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""
        asked = {
            "sqlite": f"SELECT name FROM pragma_table_info('{table}')",
            "postgresql": f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'",
        }
        with self.reader() as read:
            return [str(row[0]) for row in read(asked[self.dialect])]

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """Open a connection that only reads, beside whatever else uses the database."""
        if self.dialect == "sqlite":
            path = self.url.removeprefix("sqlite:///")
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as connection:
                yield lambda sql: connection.execute(sql).fetchall()
        else:
            with postgres_session(self.url) as session:
                yield lambda sql: [tuple(row) for row in session(sql)]


@contextmanager
def postgres_session(url: str) -> Iterator[Callable[[str], list[Any]]]:
    """Open a connection to PostgreSQL for code that does not await."""
    with asyncio.Runner() as runner:
        connection = runner.run(asyncpg.connect(url))
        try:
            yield lambda sql: runner.run(connection.fetch(sql))
        finally:
            runner.run(connection.close())


@contextmanager
def sqlite_copy(template: Database, folder: Path) -> Iterator[Database]:
    """Copy an SQLite database that no process has open; the copy is removed when the block ends."""
    source = Path(template.url.removeprefix("sqlite:///"))
    place = folder / f"sqlite-{next(NUMBERS)}"
    shutil.copytree(source.parent, place)
    try:
        yield Database(f"sqlite:///{place / source.name}")
    finally:
        shutil.rmtree(place)


@contextmanager
def postgres_copy(template: Database) -> Iterator[Database]:
    """Copy a PostgreSQL database that nobody is connected to; the copy is dropped when the block ends."""
    parts = urlsplit(template.url)
    name = f"bench_copy_{os.getpid()}_{next(NUMBERS)}"
    with postgres_session(parts._replace(path="/postgres").geturl()) as session:
        session(f'CREATE DATABASE "{name}" TEMPLATE "{parts.path[1:]}"')
        session("CHECKPOINT")
        try:
            yield Database(parts._replace(path=f"/{name}").geturl())
        finally:
            session(f'DROP DATABASE "{name}" WITH (FORCE)')
