"""The hub as another release of it: the same code, with the migrations of the folder that HUB_RELEASE names.

HUB_RELEASE_BESIDE takes the lock on an SQLite file away, as a network's file system may that does not keep locks: only
so can a schema be changed beneath a server there, as `hub migrate --anyway` does on PostgreSQL.

HUB_RELEASE_HEEDLESS is the control's fault: a server that goes on although its schema was changed beneath it, and does
not look at it in its transactions.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from hub import app
from hub.cli import main
from hub.observability.heartbeat import Heartbeat
from hub.storage.migrations import files
from hub.storage.postgresql.driver import PostgresDriver
from hub.storage.sqlite.driver import SqliteDriver
from hub.storage.sqlite.server_lock import ServerLock


def _nothing(*_: Any, **__: Any) -> None:
    """Take no lock, or look at nothing, and let the caller believe it."""


async def _stay(heartbeat: Heartbeat) -> None:
    await asyncio.Event().wait()


def become(folder: Path, *, beside: bool, heedless: bool) -> None:
    """Make this process one of the release whose migrations are in the folder."""
    files.migration_folder = lambda: folder
    if beside:
        ServerLock.acquire = _nothing  # type: ignore[method-assign]  # the lock that does not hold
    if heedless:
        app._leave_once_migrated = _stay
        for driver in (SqliteDriver, PostgresDriver):
            driver.require_schema = _nothing  # type: ignore[method-assign]  # the look that is left out


if __name__ == "__main__":
    become(
        Path(os.environ["HUB_RELEASE"]),
        beside="HUB_RELEASE_BESIDE" in os.environ,
        heedless="HUB_RELEASE_HEEDLESS" in os.environ,
    )
    main()
