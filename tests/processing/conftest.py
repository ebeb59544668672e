"""A harness over either database, SQLite first; files whose matter is the database take `database_url` of both."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.processing.harness import Harness
from tests.sqlite_first import database_url

__all__ = ["database_url"]


@pytest.fixture
async def harness(database_url: str) -> AsyncIterator[Harness]:
    """Intake and the worker over a fresh database."""
    opened = await Harness.open(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_harness(sqlite_url: str) -> AsyncIterator[Harness]:
    """Intake and the worker over SQLite, for tests of rules that no database can change."""
    opened = await Harness.open(sqlite_url)
    yield opened
    await opened.close()
