"""What is looked up often is remembered for two seconds at most."""

from __future__ import annotations

import asyncio

import pytest

from hub.storage import StoreUnavailable
from hub.testing.clock import NOON, FakeClock
from hub.ttl_cache import ENTRIES, TtlCache
from tests.polling import until


class Source:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.fault: Exception | None = None

    async def load(self, key: str) -> str | None:
        self.asked += 1
        answer, fault = f"{key}:{self.asked}", self.fault
        await asyncio.sleep(0)
        if fault is not None:
            raise fault
        return None if key == "nothing" else answer


@pytest.fixture
def source() -> Source:
    return Source()


class TestTtlCache:
    async def test_remembers_what_there_is_and_what_there_is_not(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        assert [await cache.get("a", NOON) for _ in range(3)] == ["a:1"] * 3
        assert [await cache.get("nothing", NOON) for _ in range(3)] == [None] * 3
        assert source.asked == 2

    async def test_is_never_older_than_two_seconds(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        await cache.get("a", clock())
        clock.advance(2_000)
        assert await cache.get("a", clock()) == "a:2"

    async def test_is_read_again_in_the_background_from_half_that_age(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        await cache.get("a", clock())
        clock.advance(1_000)
        assert await cache.get("a", clock()) == "a:1"
        assert await cache.get("a", clock()) == "a:1"
        await until(lambda: source.asked == 2)
        await asyncio.sleep(0.01)
        assert await cache.get("a", clock()) == "a:2"
        assert source.asked == 2

    async def test_what_is_forgotten_is_read_again_also_while_it_is_read(
        self, source: Source, clock: FakeClock
    ) -> None:
        """A load that began before the change must not bring back what was before it."""
        cache = TtlCache(source.load, clock)
        await cache.get("a", NOON)
        cache.forget()
        assert await cache.get("a", NOON) == "a:2"
        cache.forget()
        before = asyncio.create_task(cache.get("a", NOON))
        await asyncio.sleep(0)
        cache.forget()
        assert await cache.get("a", NOON) == "a:4"
        assert await before == "a:3"
        assert await cache.get("a", NOON) == "a:4"

    async def test_many_who_ask_at_once_share_one_read(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        assert set(await asyncio.gather(*(cache.get("a", NOON) for _ in range(50)))) == {"a:1"}

    async def test_one_who_gives_up_does_not_take_it_from_the_others(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        hasty = asyncio.ensure_future(cache.get("a", NOON))
        patient = asyncio.ensure_future(cache.get("a", NOON))
        await asyncio.sleep(0)
        hasty.cancel()
        assert await patient == "a:1"

    async def test_a_fault_reaches_everybody_and_is_not_remembered(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        source.fault = StoreUnavailable("gone")
        results = await asyncio.gather(*(cache.get("a", NOON) for _ in range(3)), return_exceptions=True)
        assert {type(result) for result in results} == {StoreUnavailable}
        source.fault = None
        assert await cache.get("a", NOON) == "a:2"

    async def test_a_clock_that_runs_backwards_makes_nothing_older(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        await cache.get("a", clock())
        clock.advance(-60_000)
        assert await cache.get("a", clock()) == "a:2"

    async def test_the_cache_holds_a_limited_number_of_entries(self, source: Source, clock: FakeClock) -> None:
        cache = TtlCache(source.load, clock)
        for number in range(ENTRIES + 10):
            await cache.get(str(number), NOON)
        assert await cache.get("0", NOON) == f"0:{ENTRIES + 11}"
