"""Connected stores: each test has one of its own, and a file has a hub for all of them."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.acme import acme_plugins
from tests.platform_webhooks.test_endpoint import Store, connected
from tests.served_hub import served
from tests.shared_hub import clock, clock_of_the_file, file_of_the_hub
from tests.sqlite_first import SQLITE_FIRST

__all__ = ["clock", "clock_of_the_file", "file_of_the_hub"]
NO_WORKER = {"HUB_WORKER_ENABLED": "false"}
"""What is kept stays as it came."""


@pytest.fixture(scope="module")
async def hub(file_of_the_hub: str, clock_of_the_file: FakeClock) -> AsyncIterator[Hub]:
    """A hub over SQLite, without a worker."""
    async with served(file_of_the_hub, clock_of_the_file, acme_plugins(), **NO_WORKER) as hub:
        yield hub


@pytest.fixture(scope="module", params=SQLITE_FIRST)
async def either_hub(
    request: pytest.FixtureRequest, migrated_file: Path, tmp_path_factory: pytest.TempPathFactory,
    clock_of_the_file: FakeClock,
) -> AsyncIterator[Hub]:  # fmt: skip
    """The same over either database."""
    if request.param == "sqlite":
        url = f"sqlite:///{shutil.copyfile(migrated_file, tmp_path_factory.mktemp('either') / 'hub.db')}"
    else:
        url = request.getfixturevalue("postgres_of_the_file")
    async with served(url, clock_of_the_file, acme_plugins(), **NO_WORKER) as hub:
        yield hub


@pytest.fixture
async def one(hub: Hub, clock: FakeClock) -> AsyncIterator[Store]:
    """A connected store over SQLite."""
    async with aiohttp.ClientSession(hub.url) as session:
        yield await connected(hub, clock, session)


@pytest.fixture
async def store(either_hub: Hub, clock: FakeClock) -> AsyncIterator[Store]:
    """A connected store over either database."""
    async with aiohttp.ClientSession(either_hub.url) as session:
        yield await connected(either_hub, clock, session)
