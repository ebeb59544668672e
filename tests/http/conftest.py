"""What the tests of connections share: an API key, and sockets that are closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from hub.testing.clock import FakeClock
from tests.served_hub import ApiKey, new_key, new_merchant, served


@pytest.fixture
async def key(sqlite_url: str, clock: FakeClock) -> ApiKey:
    """A key of an approved merchant, in the database of the test."""
    async with served(sqlite_url, clock) as hub:
        return await new_key(hub, clock, await new_merchant(hub, clock, approve=True))


@pytest.fixture
def closing() -> Iterator[ExitStack]:
    """Sockets that are closed at the end."""
    with ExitStack() as stack:
        yield stack
