"""Two hubs over one PostgreSQL, for all tests of a file: each test has a merchant of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hub.app import Hub
from hub.operations.references import account_of
from hub.testing.clock import FakeClock
from tests.acme import acme_plugins
from tests.served_hub import Api, served

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


async def events_of(hub: Hub, api: Api) -> int:
    """Return how many events a hub has of the merchant that a client signs for."""
    async with hub.parts.store.read() as tx:
        account_id = (await account_of(tx, api.key.merchant_id, "test"))["account_id"]
        rows = await tx.all("audited_events", account_id=account_id, event_id="", limit=10_000)
        return len([row for row in rows if row["account_id"] == account_id])
