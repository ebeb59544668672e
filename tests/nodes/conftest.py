"""Two hubs over one PostgreSQL, for all tests of a file: each test has a merchant of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.acme import acme_plugins
from tests.served_hub import served

Hubs = tuple[Hub, Hub]


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    """The clock of both hubs. It goes on from test to test: what a cache holds gets older, never younger."""
    return FakeClock()


@pytest.fixture(scope="module")
async def hubs(postgres_of_the_file: str, clock: FakeClock) -> AsyncIterator[Hubs]:
    """Both hubs."""
    async with (
        served(postgres_of_the_file, clock, acme_plugins()) as first,
        served(postgres_of_the_file, clock, acme_plugins()) as second,
    ):
        yield first, second
