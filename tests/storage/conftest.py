"""Stores that also read the conformance suite's queries, and databases without any table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from hub.storage import Store
from hub.testing.postgres import PostgresServer
from hub.testing.store_suite import SUITE_FOLDERS


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'deep' / 'folder' / 'hub.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    url = server.create_empty()
    yield url
    server.drop(url)


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """A store over a fresh database, once of each kind."""
    async with await Store.open(database_url, query_folders=SUITE_FOLDERS) as opened:
        yield opened


@pytest.fixture
async def sqlite_store(sqlite_url: str) -> AsyncIterator[Store]:
    """A server's store over a fresh SQLite file."""
    async with await Store.open(sqlite_url, serve=True, query_folders=SUITE_FOLDERS) as opened:
        yield opened


@pytest.fixture
async def postgres_store(postgres_url: str) -> AsyncIterator[Store]:
    """A store over a fresh PostgreSQL database."""
    async with await Store.open(postgres_url, query_folders=SUITE_FOLDERS) as opened:
        yield opened
