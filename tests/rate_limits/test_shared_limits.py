"""Rate limits over several processes: what they grant together is the limit, and nobody keeps what others need."""

from __future__ import annotations

import asyncio
from collections import Counter as Tally
from collections.abc import AsyncIterator, Sequence

import pytest

from hub.app import Hub
from hub.rate_limits.local import Limits, RateLimits
from hub.rate_limits.shared import IDLE_MS, SHARES, SHUT_MS, Ask, Counter, SharedLimits
from hub.rate_limits.windows import HOUR_MS, MINUTE_MS, Allowance
from hub.storage import Store, StoreUnavailable
from hub.testing.clock import NOON, FakeClock
from tests.served_hub import Api, api_of, served

NODES = 3


@pytest.fixture
async def stores(postgres_url: str) -> AsyncIterator[list[Store]]:
    """A store for each node."""
    opened = [await Store.open(postgres_url) for _ in range(NODES)]
    yield opened
    for store in opened:
        await store.close()


def nodes_of(stores: Sequence[Store], clock: FakeClock, minute: int, hour: int = 0) -> list[SharedLimits]:
    return [SharedLimits.over(store, clock, {"general": (minute, hour)}) for store in stores]


async def ask(node: Limits, clock: FakeClock, account: str = "a") -> Allowance:
    """One request, as the pipeline asks for it."""
    allowance = node.take(account, "general", clock())
    assert allowance is not None
    return allowance if allowance.granted else await node.take_elsewhere(account, "general", clock(), allowance)


async def granted(node: Limits, clock: FakeClock, requests: int, account: str = "a") -> int:
    """How many of so many requests at once are granted."""
    return sum(each.granted for each in await asyncio.gather(*(ask(node, clock, account) for _ in range(requests))))


async def hammered(nodes: Sequence[Limits], clock: FakeClock, limit: int) -> int:
    """How many are granted to clients that come at all nodes at once, alone and in bursts, until they are refused."""

    async def come(node: Limits) -> int:
        count = await granted(node, clock, limit)  # the whole limit, at every node, within one exchange
        while count <= limit and (more := await granted(node, clock, 7)) > 0:
            count += more
        return count

    return sum(await asyncio.gather(*(come(node) for node in nodes)))


def exchanges_of(nodes: Sequence[SharedLimits], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many statements are made from now on, one entry for each with how many shares it asked for."""
    made: list[int] = []
    exchange = SharedLimits._exchange

    async def counted(self: SharedLimits, asks: Sequence[Ask]) -> None:
        made.extend([len(asks)] if asks else [])
        await exchange(self, asks)

    monkeypatch.setattr(SharedLimits, "_exchange", counted)
    return made


@pytest.mark.parametrize("limit", [1, 7, 60, 1_000])
async def test_nodes_together_grant_the_limit(stores: list[Store], clock: FakeClock, limit: int) -> None:
    """Never one too many, and not less than nine tenths, however small the limit and however fast they come."""
    total = await hammered(nodes_of(stores, clock, limit), clock, limit)
    assert 0.9 * limit <= total <= limit


async def test_the_check_finds_nodes_that_count_alone(clock: FakeClock) -> None:
    """The control: three nodes that know nothing of each other grant three times the limit."""
    assert await hammered([RateLimits({"general": (60, 0)}) for _ in range(NODES)], clock, 60) == NODES * 60


async def test_the_next_window_opens_for_all(stores: list[Store], clock: FakeClock) -> None:
    nodes = nodes_of(stores, clock, 60, 100)
    assert await hammered(nodes, clock, 60) == 60
    clock.advance(MINUTE_MS)
    assert 36 <= await hammered(nodes, clock, 60) <= 40, "the hour counts on"
    refusal = await ask(nodes[0], clock)
    assert refusal == Allowance(100, 0, 3_540, granted=False)
    clock.advance(HOUR_MS)
    assert await hammered(nodes, clock, 60) == 60


async def test_two_windows_that_run_out_together_strand_nothing(stores: list[Store], clock: FakeClock) -> None:
    """A share is of every window at once: no node holds the minute's rest while another holds the hour's."""
    nodes = nodes_of(stores, clock, 60, 100)
    for minute, rest in enumerate((60, 40, 0)):
        clock.now = NOON + minute * MINUTE_MS
        assert await hammered(nodes, clock, 60) == rest
    assert not any(node._counters["a", "general"].held for node in nodes)


def test_what_is_left_of_the_hour_when_a_minute_ends() -> None:
    """It is given back with the next request; what arrives late counts where its window is still open."""
    counter = Counter.of([1, 1])
    counter.receive(10, [10, 10], [1, 1])
    counter.move_to([2, 1])
    assert (counter.held, counter.left, counter.used) == (0, [0, 10], [0, 10])
    counter.receive(5, [15, 15], [1, 1])
    assert (counter.held, counter.left, counter.used) == (0, [0, 15], [0, 15])
    assert counter.surrender() == [0, 15]
    counter.move_to([1, 1])
    assert counter.numbers == [2, 1], "a moment before is now"
    counter.move_to([200, 3])
    assert (counter.left, counter.used) == ([0, 0], [0, 0])


async def test_a_request_of_the_window_before_counts_in_this_one(stores: list[Store], clock: FakeClock) -> None:
    """Requests that were received a moment before the minute's end come in between; nothing is granted twice."""
    (node, *_) = nodes_of(stores, clock, 10)
    clock.advance(MINUTE_MS)
    assert await granted(node, clock, 4) == 4
    late = node.take("a", "general", clock() - 1)
    assert late is None or not late.granted
    assert await granted(node, clock, 10) == 6


async def test_a_node_asks_the_table_for_hundreds_at_once(
    stores: list[Store], clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No round trip for each request: one for each share, and none once the window is known to be used up."""
    (node, *_) = nodes = nodes_of(stores, clock, 6_000, 200_000)
    made = exchanges_of(nodes, monkeypatch)
    for _ in range(6_000):
        assert (await ask(node, clock)).granted
    assert len(made) == SHARES
    refused = [await ask(node, clock) for _ in range(500)]
    assert not any(each.granted for each in refused)
    assert len(made) == SHARES + 1
    clock.advance(SHUT_MS)
    assert not (await ask(node, clock)).granted
    assert len(made) == SHARES + 2


async def test_requests_that_wait_are_served_by_one_statement(
    stores: list[Store], clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many accounts too."""
    (node, *_) = nodes = nodes_of(stores, clock, 60)
    made = exchanges_of(nodes, monkeypatch)
    asked = (ask(node, clock, account) for account in ("a", "b", "c") for _ in range(50))
    assert all(each.granted for each in await asyncio.gather(*asked))
    assert made == [3]


async def test_one_node_tells_the_exact_rest(stores: list[Store], clock: FakeClock) -> None:
    """A node that is alone tells what one process with its counts in memory tells."""
    (node, *_) = nodes_of(stores, clock, 300, 400)
    alone = RateLimits({"general": (300, 400)})
    for _ in range(3):
        for _ in range(301):
            assert await ask(node, clock) == await ask(alone, clock)
        clock.advance(MINUTE_MS)


async def test_what_is_not_used_goes_back(stores: list[Store], clock: FakeClock) -> None:
    """After five silent seconds, and when a node stops."""
    idle, leaving, busy = nodes_of(stores, clock, 1_000)
    for node in (idle, leaving):
        assert (await ask(node, clock)).granted
    await leaving.stop()
    assert await hammered([busy], clock, 1_000) == 1_000 - 1 - 10
    clock.advance(IDLE_MS + 1)
    await idle._give_back(clock() - IDLE_MS)
    assert await hammered([busy], clock, 1_000) == 9
    assert await hammered([idle, busy], clock, 10) == 0


async def test_a_crash_of_the_table_is_no_credit(stores: list[Store], clock: FakeClock) -> None:
    """An unlogged table is empty after a crash: what is given back then must not open the limit further."""
    (node, other, _) = nodes_of(stores, clock, 1_000)
    assert (await ask(node, clock)).granted
    clock.advance(1)
    async with stores[0].write() as tx:
        await tx.run("sweep_limit_counts", cutoff=clock() + HOUR_MS)
    await node._give_back(clock())
    assert await hammered([other], clock, 1_000) == 1_000


async def test_a_lower_limit_elsewhere_is_kept(stores: list[Store], clock: FakeClock) -> None:
    """While an operator changes the setting node by node, each keeps its own."""
    high, low = SharedLimits.over(stores[0], clock, {"general": (50, 0)}), nodes_of(stores[1:2], clock, 10)[0]
    assert await granted(high, clock, 20) == 20
    assert await granted(low, clock, 20) == 0
    assert await granted(high, clock, 50) == 30


async def test_no_limit_and_no_store(stores: list[Store], clock: FakeClock) -> None:
    """What is off is not counted; what cannot be counted is not granted."""
    (node,) = nodes_of(stores[:1], clock, 0)
    assert node.take("a", "general", NOON) is None
    (node,) = nodes_of(stores[:1], clock, 5)
    await stores[0].close()
    with pytest.raises(StoreUnavailable):
        await ask(node, clock)


async def test_memory_is_bounded(stores: list[Store], clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.rate_limits.shared.KEPT", 50)
    (node, *_) = nodes_of(stores, clock, 5)
    for number in range(50):
        await ask(node, clock, f"silent-{number}")
    clock.advance(IDLE_MS + 1)
    await ask(node, clock, "talking")
    assert len(node._counters) == 1


@pytest.fixture
async def hubs(postgres_url: str, clock: FakeClock) -> AsyncIterator[list[Hub]]:
    """Three hubs that grant sixty requests a minute."""
    few = {"HUB_LIMITS_PER_MINUTE": "60"}
    async with (
        served(postgres_url, clock, **few) as a,
        served(postgres_url, clock, **few) as b,
        served(postgres_url, clock, **few) as c,
    ):
        yield [a, b, c]


async def test_three_hubs_answer_as_one(hubs: list[Hub], clock: FakeClock) -> None:
    """Over HTTP: sixty answers for the account, then 429 with Retry-After at every hub."""
    async with api_of(hubs[0], clock) as first, api_of(hubs[1], clock) as second, api_of(hubs[2], clock) as third:
        apis = [Api(api.session, first.key, clock, first.ticks) for api in (first, second, third)]
        sent = [apis[n % NODES]("GET", f"/v1/products?page={n + 1}") for n in range(180)]
        replies = await asyncio.gather(*sent)
        statuses = Tally(reply.status for reply in replies)
        assert statuses.keys() == {200, 429}
        assert 54 <= statuses[200] <= 60
        refused = [await api("GET", "/v1/campaigns") for api in apis]
        assert {(reply.status, reply.headers["Retry-After"]) for reply in refused} == {(429, "60")}
        assert {reply.headers["RateLimit-Remaining"] for reply in refused} == {"0"}
