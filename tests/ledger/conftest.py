"""A harness over either database, SQLite first, with queries that tamper with the ledger.

Files whose matter is the database take `database_url` of both.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from hub.storage import Store
from hub.storage.named_queries.compiler import QUERY_FOLDER
from tests.ledger.invoice_rules import Judge, judge_of_invoices
from tests.processing.harness import Harness
from tests.sqlite_first import database_url
from tests.storage.conftest import empty_url

__all__ = ["database_url", "empty_url"]
FOLDERS = (QUERY_FOLDER, Path(__file__).parent / "queries")


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """Return the rules that an electronic invoice breaks."""
    with judge_of_invoices() as judging:
        yield judging


@pytest.fixture
async def harness(database_url: str) -> AsyncIterator[Harness]:
    """Intake and the worker over a fresh database, and a merchant's live account."""
    opened = await Harness.open(database_url, mode="live")
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_live(sqlite_url: str) -> AsyncIterator[Harness]:
    """The same over SQLite, for what no database can change."""
    opened = await Harness.open(sqlite_url, mode="live")
    yield opened
    await opened.close()


@pytest.fixture
async def postgres_live(postgres_url: str) -> AsyncIterator[Harness]:
    """The same over PostgreSQL, for what two nodes do at the same moment."""
    opened = await Harness.open(postgres_url, mode="live")
    yield opened
    await opened.close()


@pytest.fixture
async def tampering(harness: Harness, database_url: str) -> AsyncIterator[Store]:
    """A store over the harness's database that can also run the tampering queries."""
    async with await Store.open(database_url, query_folders=FOLDERS) as opened:
        yield opened
