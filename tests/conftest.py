"""Fixtures that every test may ask for: databases of both kinds, a store and a hub over each, and a clock to hold."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hub.app import Hub
from hub.storage import Store
from hub.testing.clock import FakeClock
from hub.testing.postgres import PostgresMissing, PostgresServer, postgres_server
from tests.served_hub import Api, api_of, served

pytest.register_assert_rewrite("hub.testing.store_queries", "hub.testing.store_transactions", "hub.testing.store_suite")

_MISSING = pytest.StashKey[tuple[str, list[str]]]()


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
def postgres_or_reason() -> Iterator[PostgresServer | str]:
    """One real PostgreSQL for the whole run, or why there is none."""
    try:
        with postgres_server() as server:
            yield server
    except PostgresMissing as reason:
        yield str(reason)


@pytest.fixture
def postgres(postgres_or_reason: PostgresServer | str, request: pytest.FixtureRequest) -> PostgresServer:
    """A real PostgreSQL server; skips the test where there is none, and the summary names the test."""
    if isinstance(postgres_or_reason, str):
        request.config.stash.setdefault(_MISSING, (postgres_or_reason, []))[1].append(request.node.nodeid)
        pytest.skip(postgres_or_reason)
    return postgres_or_reason


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """The address of a fresh PostgreSQL database with the hub's schema."""
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh database with the hub's schema, once of each kind."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """A store over a fresh database with the hub's schema, once of each kind."""
    async with await Store.open(database_url) as opened:
        yield opened


@pytest.fixture
async def hub(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub on SQLite."""
    async with served(sqlite_url, clock) as hub:
        yield hub


@pytest.fixture
async def api(hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """A signing client of `hub`."""
    async with api_of(hub, clock) as api:
        yield api


@pytest.fixture
async def either_hub(database_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub on SQLite, and one on PostgreSQL."""
    async with served(database_url, clock) as hub:
        yield hub


@pytest.fixture
async def either_api(either_hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """A signing client of `either_hub`."""
    async with api_of(either_hub, clock) as api:
        yield api


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say aloud which tests had no PostgreSQL, and what would help."""
    if _MISSING in config.stash:
        reason, tests = config.stash[_MISSING]
        terminalreporter.section(f"{len(tests)} tests without PostgreSQL", red=True)
        terminalreporter.line(reason)
        for test in tests:
            terminalreporter.line(f"  {test}")


async def _migrate(path: Path) -> None:
    await (await Store.open(f"sqlite:///{path}", migrate=True)).close()
