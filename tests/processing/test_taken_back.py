"""What a killed server had in hand, the only server of a file takes back at its start, not half a minute later."""

from __future__ import annotations

from pathlib import Path

from hub.processing.handed_out import LEASE_MS, take_back
from hub.storage import Store
from hub.testing.clock import NOON, FakeClock
from tests.observability.test_troubles import Seeds
from tests.polling import until
from tests.served_hub import served


def seeded(url: str) -> None:
    seeds = Seeds(Path(url.removeprefix("sqlite:///")))
    for name, type_, due_at in (
        ("given", "webhook", NOON + LEASE_MS - 1), ("retried", "webhook", NOON + LEASE_MS + 1),
        ("report", "conversion", NOON + LEASE_MS - 1),
    ):  # fmt: skip
        seeds.add("events", account_id="a", event_id=f"evt_{name}", type=type_, status="QUEUED", due_at=due_at)


async def due(store: Store) -> int:
    async with store.read() as tx:
        row = await tx.one("oldest_due_event")
    return 0 if row is None else int(row["due_at"])


async def test_only_what_may_have_been_given_out_is_taken_back(sqlite_url: str) -> None:
    seeded(sqlite_url)
    async with await Store.open(sqlite_url) as store:
        async with store.write() as tx:
            assert await take_back(tx, NOON) == 1
        assert await due(store) == NOON


async def test_a_server_does_it_at_its_start(sqlite_url: str, clock: FakeClock) -> None:
    """Its worker takes the event up at once: nothing else makes it due at noon."""
    seeded(sqlite_url)
    async with served(sqlite_url, clock) as hub:
        await until(lambda: due(hub.parts.store))
        assert await due(hub.parts.store) != NOON + LEASE_MS - 1 or hub.parts.worker is None
