"""Rate limits over several processes: together they grant the limit, and none keeps what others need."""

from __future__ import annotations

import asyncio
from collections import Counter as Tally
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from hub.app import Hub
from hub.rate_limits.lease import Lease
from hub.rate_limits.local import HOUR_MS, MINUTE_MS, Allowance, RateLimiter, RateLimits
from hub.rate_limits.shared import EXHAUSTED_MS, IDLE_LEASE_MS, LEASES_PER_WINDOW, SharedLimits
from hub.storage import Store, StoreUnavailable, Work
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


async def ask(node: RateLimiter, clock: FakeClock, account: str = "a") -> Allowance:
    """Take one request's token as the pipeline does."""
    allowance = node.take(account, "general", clock())
    assert allowance is not None
    return allowance if allowance.granted else await node.retry_with_lease(account, "general", clock(), allowance)


async def granted(node: RateLimiter, clock: FakeClock, requests: int, account: str = "a") -> int:
    """Return how many of this many requests at once are granted."""
    return sum(each.granted for each in await asyncio.gather(*(ask(node, clock, account) for _ in range(requests))))


async def hammered(nodes: Sequence[RateLimiter], clock: FakeClock, limit: int) -> int:
    """Return how many are granted to clients that ask all nodes at once, alone and in bursts, until refused."""

    async def come(node: RateLimiter) -> int:
        count = await granted(node, clock, limit)  # the whole limit, at every node, within one exchange
        while count <= limit and (more := await granted(node, clock, 7)) > 0:
            count += more
        return count

    return sum(await asyncio.gather(*(come(node) for node in nodes)))


def transactions_of(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[Work[Any]]:
    """Return a list that grows by each transaction of the store from now on."""
    transactions: list[Work[Any]] = []
    transact = store.transact

    async def counted(work: Work[Any]) -> Any:
        transactions.append(work)
        return await transact(work)

    monkeypatch.setattr(store, "transact", counted)
    return transactions


@pytest.mark.parametrize("limit", [1, 7, 60, 1_000])
async def test_nodes_together_grant_the_limit(stores: list[Store], clock: FakeClock, limit: int) -> None:
    """Never one too many, and not less than nine tenths, however small the limit and however fast requests come."""
    total = await hammered(nodes_of(stores, clock, limit), clock, limit)
    assert 0.9 * limit <= total <= limit


async def test_the_check_finds_nodes_that_count_alone(clock: FakeClock) -> None:
    """The control: three nodes that know nothing of each other grant three times the limit."""
    assert await hammered([RateLimits({"general": (60, 0)}) for _ in range(NODES)], clock, 60) == NODES * 60


async def test_the_next_window_opens_for_all_nodes(stores: list[Store], clock: FakeClock) -> None:
    nodes = nodes_of(stores, clock, 60, 100)
    assert await hammered(nodes, clock, 60) == 60
    clock.advance(MINUTE_MS)
    assert 36 <= await hammered(nodes, clock, 60) <= 40, "the hour counts on"
    refusal = await ask(nodes[0], clock)
    assert refusal == Allowance(100, 0, 3_540, granted=False)
    clock.advance(HOUR_MS)
    assert await hammered(nodes, clock, 60) == 60


async def test_two_windows_that_run_out_together_strand_nothing(stores: list[Store], clock: FakeClock) -> None:
    """A lease is of every window at once: no node holds the minute's rest while another holds the hour's."""
    nodes = nodes_of(stores, clock, 60, 100)
    for minute, rest in enumerate((60, 40, 0)):
        clock.now = NOON + minute * MINUTE_MS
        assert await hammered(nodes, clock, 60) == rest


def test_tokens_left_at_a_rollover_are_orphaned_in_the_longer_window() -> None:
    """They are given back with the next exchange; a lease that arrives late counts where its window is still open."""
    lease = Lease.empty([1, 1])
    lease.add(10, [10, 10], [1, 1])
    lease.roll_over([2, 1])
    assert (lease.tokens, lease.orphaned, lease.taken) == (0, [0, 10], [0, 10])
    lease.add(5, [15, 15], [1, 1])
    assert (lease.tokens, lease.orphaned, lease.taken) == (0, [0, 15], [0, 15])
    assert lease.release_orphaned() == [0, 15]
    lease.roll_over([1, 1])
    assert lease.numbers == [2, 1], "a moment before is now"
    lease.roll_over([200, 3])
    assert (lease.orphaned, lease.taken) == ([0, 0], [0, 0])


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
    """No round trip for each request: one for each lease, and none once the window is known to be used up."""
    (node, *_) = nodes_of(stores, clock, 6_000, 200_000)
    transactions = transactions_of(stores[0], monkeypatch)
    for _ in range(6_000):
        assert (await ask(node, clock)).granted
    assert len(transactions) == LEASES_PER_WINDOW
    refused = [await ask(node, clock) for _ in range(500)]
    assert not any(each.granted for each in refused)
    assert len(transactions) == LEASES_PER_WINDOW + 1
    clock.advance(EXHAUSTED_MS)
    assert not (await ask(node, clock)).granted
    assert len(transactions) == LEASES_PER_WINDOW + 2


async def test_requests_that_wait_are_served_by_one_transaction(
    stores: list[Store], clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of several accounts, too."""
    (node, *_) = nodes_of(stores, clock, 60)
    transactions = transactions_of(stores[0], monkeypatch)
    asked = (ask(node, clock, account) for account in ("a", "b", "c") for _ in range(50))
    assert all(each.granted for each in await asyncio.gather(*asked))
    assert len(transactions) == 1


async def test_one_node_states_the_exact_rest(stores: list[Store], clock: FakeClock) -> None:
    """A node that is alone states what one process with its counts in memory states."""
    (node, *_) = nodes_of(stores, clock, 300, 400)
    alone = RateLimits({"general": (300, 400)})
    for _ in range(3):
        for _ in range(301):
            assert await ask(node, clock) == await ask(alone, clock)
        clock.advance(MINUTE_MS)


async def test_unused_tokens_are_given_back(stores: list[Store], clock: FakeClock) -> None:
    """After five silent seconds, and when a node stops."""
    idle, leaving, busy = nodes_of(stores, clock, 1_000)
    for node in (idle, leaving):
        assert (await ask(node, clock)).granted
    await leaving.stop()
    assert await hammered([busy], clock, 1_000) == 1_000 - 1 - 10
    clock.advance(IDLE_LEASE_MS + 1)
    await idle.return_tokens(clock() - IDLE_LEASE_MS)
    assert await hammered([busy], clock, 1_000) == 9
    assert await hammered([idle, busy], clock, 10) == 0


async def test_a_crash_of_the_table_is_no_credit(stores: list[Store], clock: FakeClock) -> None:
    """An unlogged table is empty after a crash: what is given back then must not open the limit further."""
    (node, other, _) = nodes_of(stores, clock, 1_000)
    assert (await ask(node, clock)).granted
    clock.advance(1)
    async with stores[0].write() as tx:
        await tx.run("sweep_limit_counts", cutoff=clock() + HOUR_MS)
    await node.return_tokens(clock())
    assert await hammered([other], clock, 1_000) == 1_000


async def test_a_lower_limit_elsewhere_is_kept(stores: list[Store], clock: FakeClock) -> None:
    """While an operator changes the setting node by node, each keeps its own."""
    high, low = SharedLimits.over(stores[0], clock, {"general": (50, 0)}), nodes_of(stores[1:2], clock, 10)[0]
    assert await granted(high, clock, 20) == 20
    assert await granted(low, clock, 20) == 0
    assert await granted(high, clock, 50) == 30


async def test_what_is_off_is_not_counted_and_what_cannot_be_counted_is_refused(
    stores: list[Store], clock: FakeClock
) -> None:
    (node,) = nodes_of(stores[:1], clock, 0)
    assert node.take("a", "general", NOON) is None
    (node,) = nodes_of(stores[:1], clock, 5)
    await stores[0].close()
    with pytest.raises(StoreUnavailable):
        await ask(node, clock)


async def test_leases_of_silent_accounts_are_dropped(stores: list[Store], clock: FakeClock) -> None:
    node = SharedLimits.over(stores[0], clock, {"general": (5, 0)}, most_leases=50)
    for number in range(50):
        await ask(node, clock, f"silent-{number}")
    assert len(node) == 50
    clock.advance(IDLE_LEASE_MS + 1)
    await ask(node, clock, "talking")
    assert len(node) == 1


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
