"""Stores that also read the conformance suite's queries."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hub.storage import Store
from hub.testing.store_suite import SUITE_FOLDERS


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
