"""A hub for all tests of a file, where each test has a merchant of its own and none asks about the whole hub.

A room's conftest, or a file, imports these in place of the fixtures of tests/conftest.py. Starting and stopping a hub
and, on PostgreSQL, making and dropping a database takes longer than most such tests. The clock is the file's, too.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.app import Hub
from hub.testing.clock import NOON, FakeClock
from tests.served_hub import Api, api_of, served
from tests.sqlite_first import SQLITE_FIRST

__all__ = ["api", "clock", "clock_of_the_file", "either_api", "either_hub", "file_of_the_hub", "hub"]


@pytest.fixture(scope="module")
def clock_of_the_file() -> FakeClock:
    """The clock of the file's hubs."""
    return FakeClock()


@pytest.fixture
def clock(clock_of_the_file: FakeClock) -> FakeClock:
    """The clock of the file's hubs, at noon again."""
    clock_of_the_file.now = NOON
    return clock_of_the_file


@pytest.fixture(scope="module")
def file_of_the_hub(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of an SQLite file with the hub's schema, for all tests of the file."""
    return _copy_of(migrated_file, tmp_path_factory)


@pytest.fixture(scope="module")
async def hub(file_of_the_hub: str, clock_of_the_file: FakeClock) -> AsyncIterator[Hub]:
    """A hub on SQLite."""
    async with served(file_of_the_hub, clock_of_the_file) as hub:
        yield hub


@pytest.fixture
async def api(hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """A signing client of `hub` with a merchant of its own."""
    async with api_of(hub, clock) as api:
        yield api


@pytest.fixture(scope="module", params=SQLITE_FIRST)
async def either_hub(
    request: pytest.FixtureRequest,
    migrated_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
    clock_of_the_file: FakeClock,
) -> AsyncIterator[Hub]:
    """A hub on SQLite, and one on PostgreSQL; the latter in `make prove`, and for tests that are `on_both`.

    A file may use `hub` beside it, and a server has its SQLite file alone: this one has another.
    """
    is_sqlite = request.param == "sqlite"
    url = _copy_of(migrated_file, tmp_path_factory) if is_sqlite else request.getfixturevalue("postgres_of_the_file")
    async with served(url, clock_of_the_file) as hub:
        yield hub


@pytest.fixture
async def either_api(either_hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """A signing client of `either_hub` with a merchant of its own."""
    async with api_of(either_hub, clock) as api:
        yield api


def _copy_of(migrated_file: Path, folders: pytest.TempPathFactory) -> str:
    return f"sqlite:///{shutil.copyfile(migrated_file, folders.mktemp('shared') / 'hub.db')}"
