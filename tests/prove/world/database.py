"""The database of the world, which stops now and then, and the look into it that says whether the hub rests."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final, Protocol

import asyncpg
from attrs import frozen

from hub.testing.postgres import PostgresServer
from tests.polling import PATIENCE_SECONDS

AWAY_SECONDS: Final = 1.5
"""How long the file is locked."""
WAITING: Final = """
    SELECT (SELECT count(*) FROM events WHERE status IN ('RECEIVED', 'QUEUED'))
         + (SELECT count(*) FROM uploads WHERE status IN ('QUEUED', 'RUNNING'))
         + (SELECT count(*) FROM commissions WHERE state IN ('HOLD', 'APPROVED') AND hold_until <= {now})
         + (SELECT count(*) FROM webhook_deliveries WHERE status = 'WAITING')
         + (SELECT count(*) FROM platform_reads WHERE due_at <= {now})
         + (SELECT count(*) FROM platform_fetches WHERE due_at <= {now})
         + (SELECT count(*) FROM order_looks WHERE due_at <= {now})
         + (SELECT count(*) FROM mails WHERE due_at IS NOT NULL)
         + (SELECT count(*) FROM new_changes)
"""


class Database(Protocol):
    """Where the hub keeps everything."""

    @property
    def url(self) -> str:
        """Its address."""

    def stop(self) -> None:
        """Be away for a moment, in the midst of whatever is under way."""

    async def waiting(self, now: int) -> int:
        """Return how much the hub still has to do at a moment (ms UTC)."""


@frozen
class File:
    """A file of SQLite: it stops by a lock that another program holds, longer than the hub waits for one."""

    path: Path

    @property
    def url(self) -> str:
        """Its address."""
        return f"sqlite:///{self.path}"

    def stop(self) -> None:
        """Lock the file."""
        with closing(sqlite3.connect(self.path, isolation_level=None, timeout=PATIENCE_SECONDS)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(AWAY_SECONDS)
            connection.execute("ROLLBACK")

    async def waiting(self, now: int) -> int:
        """Count what waits."""
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=PATIENCE_SECONDS)) as connection:
            return int(connection.execute(WAITING.format(now=now)).fetchone()[0])


@frozen
class Served:
    """A database of PostgreSQL, whose server is ended without a word and started again."""

    server: PostgresServer
    url: str

    def stop(self) -> None:
        """End the server, and start it again."""
        self.server.restart(crash=True)

    async def waiting(self, now: int) -> int:
        """Count what waits."""
        connection = await asyncpg.connect(self.url)
        try:
            return int(await connection.fetchval(WAITING.format(now=now)))
        finally:
            await connection.close()
