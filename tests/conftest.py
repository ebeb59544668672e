"""Fixtures that every test may ask for: databases of both kinds, a store and a hub over each, and a clock to hold.

The process that gives the workers their tests reads this file, too, and serves no hub: what does is imported where it
is used, which spares that process more than a second before the workers begin.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hub.storage import Store
from hub.testing.clock import FakeClock
from hub.testing.postgres import PostgresMissing, PostgresServer, postgres_server

if TYPE_CHECKING:
    from hub.app import Hub
    from tests.served_hub import Api

pytest.register_assert_rewrite("hub.testing.store_queries", "hub.testing.store_transactions", "hub.testing.store_suite")

_WITHOUT = "NOT TRIED ON POSTGRESQL"


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at noon until it is moved."""
    return FakeClock()


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the hub's schema, to copy."""
    path = tmp_path_factory.mktemp("template") / "hub.db"
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, _migrate(path)).result()
    return path


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """The address of a fresh SQLite file with the hub's schema."""
    return f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'hub.db')}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One real PostgreSQL for the whole run; skips the tests where there is none, and the summary names them."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(postgres_server())
        except PostgresMissing as reason:
            pytest.skip(f"{_WITHOUT}: {reason}")
        yield server


@pytest.fixture(scope="module")
def postgres_of_the_file(postgres: PostgresServer) -> Iterator[str]:
    """The address of a PostgreSQL database with the hub's schema, for all tests of the file."""
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """The address of a fresh PostgreSQL database with the hub's schema."""
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh database with the hub's schema, once of each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """A store over a fresh database with the hub's schema, once of each kind."""
    async with await Store.open(database_url) as opened:
        yield opened


@pytest.fixture
async def hub(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub on SQLite."""
    from tests.served_hub import served

    async with served(sqlite_url, clock) as hub:
        yield hub


@pytest.fixture
async def api(hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """A signing client of `hub`."""
    from tests.served_hub import api_of

    async with api_of(hub, clock) as api:
        yield api


@pytest.fixture
async def either_hub(database_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub on SQLite, and one on PostgreSQL."""
    from tests.served_hub import served

    async with served(database_url, clock) as hub:
        yield hub


@pytest.fixture
async def either_api(either_hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """A signing client of `either_hub`."""
    from tests.served_hub import api_of

    async with api_of(either_hub, clock) as api:
        yield api


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say aloud which tests had no PostgreSQL, and what would help."""
    skipped = [report for report in terminalreporter.stats.get("skipped", ()) if _WITHOUT in report.longreprtext]
    if skipped:
        terminalreporter.section(f"{len(skipped)} tests without PostgreSQL", red=True)
        terminalreporter.line(skipped[0].longrepr[2])
        for report in skipped:
            terminalreporter.line(f"  {report.nodeid}")


async def _migrate(path: Path) -> None:
    await (await Store.open(f"sqlite:///{path}", migrate=True)).close()
