"""How many clicks of one address are recorded: enough for an office, not enough to fill a disk."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import AsyncIterator

import pytest

from hub.app import Hub
from hub.operations.affiliates.affiliates import create_affiliate
from hub.rate_limits import token_buckets
from hub.rate_limits.token_buckets import TokenBuckets
from hub.testing.clock import FakeClock
from hub.tracking.click_limits import ClickLimits
from tests.served_hub import Api, api_of, served
from tests.tracking.test_redirect import SHOP, Visitor, click_of


class Time:
    """A clock that stands until it is moved."""

    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def taken(buckets: TokenBuckets, name: str, tries: int) -> int:
    return sum(buckets.take(name) for _ in range(tries))


def test_a_burst_is_taken_and_then_the_rate() -> None:
    time = Time()
    buckets = TokenBuckets(rate=2.0, burst=10, now=time)
    assert taken(buckets, "a", 50) == 10
    time.seconds += 3
    assert taken(buckets, "a", 50) == 6
    time.seconds += 3_600
    assert taken(buckets, "a", 50) == 10, "a bucket is never more than full"


def test_names_have_buckets_of_their_own() -> None:
    buckets = TokenBuckets(rate=1.0, burst=3, now=Time())
    assert [taken(buckets, name, 5) for name in ("a", "b")] == [3, 3]


def test_a_rate_of_nothing_is_no_limit() -> None:
    buckets = TokenBuckets(rate=0.0, burst=1)
    assert taken(buckets, "a", 500) == 500
    assert len(buckets) == 0


def test_strangers_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets that are full again go first, then the oldest."""
    monkeypatch.setattr(token_buckets, "MOST_BUCKETS", 100)
    time = Time()
    buckets = TokenBuckets(rate=1.0, burst=5, now=time)
    for number in range(1_000):
        buckets.take(str(number))
        assert len(buckets) <= 100
    assert taken(buckets, "999", 5) == 4
    time.seconds += 10
    for number in range(60):
        buckets.take(f"more {number}")
    assert len(buckets) == 60


def test_an_ipv6_network_is_one_address() -> None:
    limits = ClickLimits(TokenBuckets(1.0, 4, Time()), TokenBuckets(1.0, 3, Time()))
    assert [limits.take(f"2001:db8::{number}", "code") for number in range(5)] == [True] * 3 + [False] * 2
    assert limits.take("2001:db8:0:1::1", "code")


def test_an_address_has_a_limit_over_all_links() -> None:
    limits = ClickLimits(TokenBuckets(1.0, 4, Time()), TokenBuckets(1.0, 3, Time()))
    assert [limits.take("203.0.113.1", str(code)) for code in range(6)] == [True] * 4 + [False] * 2


@pytest.fixture
async def limited(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Visitor]:
    bounds = {"HUB_LIMITS_LINK_CLICKS_BURST": "5", "HUB_LIMITS_LINK_CLICKS_PER_MINUTE": "1"}
    async with served(sqlite_url, clock, HUB_TRUSTED_PROXIES="127.0.0.1", **bounds) as hub, api_of(hub, clock) as api:
        yield await visitor_of(hub, api, clock)


async def visitor_of(hub: Hub, api: Api, clock: FakeClock) -> Visitor:
    affiliate = await create_affiliate(hub.parts.store, clock, name="Anna", email="anna@blog.example", coupons=[])
    return Visitor(hub, api, affiliate.id)


async def test_beyond_the_limit_buyers_still_reach_the_shop(limited: Visitor) -> None:
    """Without a click, which is counted; other addresses behind the proxy do not notice."""
    code = await limited.link()
    visits = [await limited.visit(code, **{"X-Forwarded-For": "203.0.113.1"}) for _ in range(20)]
    assert {status for status, _, _ in visits} == {302}
    recorded = [location for _, location, _ in visits if location != SHOP]
    assert len(recorded) == 5
    assert len(await limited.clicks(*map(click_of, recorded))) == 5
    assert (limited.count("recorded"), limited.count("limited")) == (5, 15)
    _, location, _ = await limited.visit(code, **{"X-Forwarded-For": "203.0.113.2"})
    assert location != SHOP


async def test_control_of_the_limit(hub: Hub, api: Api, clock: FakeClock) -> None:
    """By default an address has hundreds of clicks at once."""
    visitor = await visitor_of(hub, api, clock)
    code = await visitor.link()
    assert SHOP not in [(await visitor.visit(code))[1] for _ in range(300)]


async def test_the_page_may_use_its_own_style_and_nothing_else(hub: Hub, api: Api) -> None:
    async with api.session.get("/t/nothing") as reply:
        (style,) = re.findall("<style>(.*)</style>", await reply.text())
        policy = reply.headers["Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
