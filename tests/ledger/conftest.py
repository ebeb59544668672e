"""A harness over either database, with queries that tamper with the ledger."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.storage import Store
from hub.storage.named_queries.compiler import QUERY_FOLDER
from tests.processing.harness import Harness
from tests.storage.conftest import empty_url

__all__ = ["empty_url"]
FOLDERS = (QUERY_FOLDER, Path(__file__).parent / "queries")


@pytest.fixture(params=["sqlite", "postgres"])
async def harness(request: pytest.FixtureRequest) -> AsyncIterator[Harness]:
    """Intake and the worker over a fresh database, and a merchant's live account."""
    opened = await Harness.open(request.getfixturevalue(f"{request.param}_url"), mode="live")
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_live(sqlite_url: str) -> AsyncIterator[Harness]:
    """The same over SQLite, for what no database can change."""
    opened = await Harness.open(sqlite_url, mode="live")
    yield opened
    await opened.close()


@pytest.fixture
def url(harness: Harness, request: pytest.FixtureRequest) -> str:
    """The address of the harness's database."""
    name = "sqlite_url" if harness.store.dialect == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(name))


@pytest.fixture
async def tampering(url: str) -> AsyncIterator[Store]:
    """A store over the same database that can also run the tampering queries."""
    async with await Store.open(url, query_folders=FOLDERS) as opened:
        yield opened
