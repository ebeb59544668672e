"""A harness over either database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.processing.harness import Harness


@pytest.fixture(params=["sqlite", "postgres"])
async def harness(request: pytest.FixtureRequest) -> AsyncIterator[Harness]:
    """Intake and the worker over a fresh database."""
    opened = await Harness.open(request.getfixturevalue(f"{request.param}_url"))
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_harness(sqlite_url: str) -> AsyncIterator[Harness]:
    """Intake and the worker over SQLite, for tests of rules that no database can change."""
    opened = await Harness.open(sqlite_url)
    yield opened
    await opened.close()
