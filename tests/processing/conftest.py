"""A house over either database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.processing.harness import House


@pytest.fixture(params=["sqlite", "postgres"])
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """The desk and the worker over a fresh database."""
    opened = await House.open(request.getfixturevalue(f"{request.param}_url"))
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_house(sqlite_url: str) -> AsyncIterator[House]:
    """The desk and the worker over SQLite, for tests of rules that no database can change."""
    opened = await House.open(sqlite_url)
    yield opened
    await opened.close()
