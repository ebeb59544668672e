"""The data of a release, kept for later ones to migrate: `python -m tests.storage.release_data 1.0.0`.

Part of a release (CONTRIBUTING.md): a shop's day is decided by the release itself, and the databases are written as SQL
into `tests/storage/releases`. Later releases migrate them in `test_releases.py`, and prove the books.
"""

from __future__ import annotations

import asyncio
import gzip
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg

from hub.storage.transfer.move import transfer
from hub.testing.postgres import PostgresServer, find_binaries, postgres_server
from tests.processing.harness import DAY, Harness

FOLDER = Path(__file__).parent / "releases"


def write(folder: Path, release: str, server: PostgresServer) -> list[Path]:
    """Write the data of this commit, as a release's, for both databases; return the files."""
    with TemporaryDirectory() as place:
        file, url = Path(place, "hub.db"), server.create()
        asyncio.run(_fill(f"sqlite:///{file}", url))
        with closing(sqlite3.connect(file)) as database:
            lite = "\n".join(database.iterdump())
    grown = dump(server, url)
    server.drop(url)
    texts = {f"{release}.sqlite.sql.gz": lite, f"{release}.postgresql.sql.gz": grown}
    for name, text in texts.items():
        (folder / name).write_bytes(gzip.compress(text.encode(), mtime=0))
    return [folder / name for name in texts]


async def _fill(sqlite_url: str, postgres_url: str) -> None:
    """Have a shop's day decided, its holds end, and all of it moved to the other database."""
    harness = await Harness.open(sqlite_url, mode="live")
    await harness.shop_day()
    await harness.work()
    harness.clock.advance(20 * DAY)
    await harness.close()
    await transfer(sqlite_url, postgres_url, lambda *_: None)


def dump(server: PostgresServer, url: str) -> str:
    """Return a database of PostgreSQL as statements, without what belongs to an owner or to psql."""
    command = [str(find_binaries() / "pg_dump"), "--inserts", "--no-owner", "--no-privileges", url]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in text.splitlines() if not line.startswith("\\"))


def load_file(file: Path, target: Path) -> str:
    """Make an SQLite file of written data; return its address."""
    with closing(sqlite3.connect(target)) as database:
        database.executescript(gzip.decompress(file.read_bytes()).decode())
    return f"sqlite:///{target}"


async def load_server(content: bytes, url: str) -> None:
    """Fill an empty database of PostgreSQL with written data."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(gzip.decompress(content).decode())
    finally:
        await connection.close()


if __name__ == "__main__":
    with postgres_server() as running:
        for written in write(FOLDER, sys.argv[1], running):
            print(written.relative_to(Path.cwd()))
