"""Rate limits: fixed windows per account and group, stated on every answer."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hub.app import Hub
from hub.rate_limits.local import HOUR_MS, MINUTE_MS, MOST_COUNTERS, Allowance, RateLimits, Window, allowance_of
from hub.testing.clock import NOON, FakeClock
from tests.served_hub import Api, api_of, log_of, new_key, served

MINUTE, HOUR = Window(MINUTE_MS, 3), Window(HOUR_MS, 5)


class TestAllowance:
    def test_the_tightest_window_is_described(self) -> None:
        assert allowance_of((MINUTE, HOUR), (0, 0), NOON) == Allowance(3, 2, 60, granted=True)
        assert allowance_of((MINUTE, HOUR), (0, 3), NOON) == Allowance(5, 1, 3600, granted=True)

    def test_a_held_token_is_room_in_every_window(self) -> None:
        assert allowance_of((MINUTE, HOUR), (3, 4), NOON, tokens=1) == Allowance(3, 0, 60, granted=True)
        assert allowance_of((MINUTE, HOUR), (3, 7), NOON, tokens=2) == Allowance(5, 0, 3600, granted=False)

    def test_an_exhausted_window_refuses(self) -> None:
        assert allowance_of((MINUTE, HOUR), (3, 3), NOON) == Allowance(3, 0, 60, granted=False)
        assert allowance_of((MINUTE, HOUR), (0, 5), NOON) == Allowance(5, 0, 3600, granted=False)

    def test_of_two_exhausted_windows_the_last_to_open_is_described(self) -> None:
        assert allowance_of((MINUTE, HOUR), (3, 5), NOON) == Allowance(5, 0, 3600, granted=False)
        assert allowance_of((MINUTE, HOUR), (3, 5), NOON + 59 * MINUTE_MS).reset == 60

    def test_the_reset_is_rounded_up(self) -> None:
        assert allowance_of((MINUTE,), (0,), NOON + 1).reset == 60
        assert allowance_of((MINUTE,), (0,), NOON + 59_001).reset == 1


class TestCounting:
    def test_windows_open_again(self) -> None:
        limits = RateLimits({"general": (2, 3)})
        taken = [limits.take("a", "general", NOON) for _ in range(3)]
        assert [each and each.granted for each in taken] == [True, True, False]
        again = [limits.take("a", "general", NOON + MINUTE_MS) for _ in range(2)]
        assert [each and each.granted for each in again] == [True, False], "the hour counts on"
        later = limits.take("a", "general", NOON + HOUR_MS)
        assert later is not None
        assert later.granted

    def test_a_refused_request_is_not_counted(self) -> None:
        limits = RateLimits({"general": (1, 2)})
        for _ in range(10):
            limits.take("a", "general", NOON)
        granted = limits.take("a", "general", NOON + MINUTE_MS)
        assert granted is not None
        assert granted.granted

    def test_accounts_and_groups_are_counted_apart(self) -> None:
        limits = RateLimits({"general": (1, 0), "import": (1, 0)})
        for account, group in (("a", "general"), ("b", "general"), ("a", "import")):
            allowance = limits.take(account, group, NOON)
            assert allowance is not None
            assert allowance.granted

    def test_zero_is_no_limit(self) -> None:
        limits = RateLimits({"off": (0, 0), "hourly": (0, 7)})
        assert limits.take("a", "off", NOON) is None
        assert limits.take("a", "hourly", NOON) == Allowance(7, 6, 3600, granted=True)

    def test_counters_of_silent_accounts_are_dropped(self) -> None:
        limits = RateLimits({"general": (9, 9)})
        for number in range(MOST_COUNTERS):
            limits.take(f"silent-{number}", "general", NOON)
        limits.take("talking", "general", NOON + HOUR_MS)
        assert len(limits) == 1


@pytest.fixture
async def tight(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    limits = {
        "HUB_LIMITS_PER_MINUTE": "3",
        "HUB_LIMITS_PER_HOUR": "0",
        "HUB_LIMITS_IMPORT_PER_MINUTE": "1",
        "HUB_LIMITS_IMPORT_PER_HOUR": "2",
    }
    async with served(sqlite_url, clock, **limits) as hub:
        yield hub


@pytest.fixture
async def limited(tight: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    async with api_of(tight, clock) as api:
        yield api


def rate_headers(headers: object) -> tuple[str, str, str]:
    return tuple(headers[f"RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset"))  # type: ignore[index]  # there are three


class TestAnswers:
    async def test_every_answer_states_the_allowance(self, limited: Api, tight: Hub, clock: FakeClock) -> None:
        clock.advance(15_000)
        assert rate_headers((await limited("GET", "/v1/products")).headers) == ("3", "2", "45")
        assert rate_headers((await limited("GET", "/v1/products/nothing")).headers) == ("3", "1", "45")
        assert rate_headers((await limited("POST", "/v1/conversions", {})).headers) == ("3", "0", "45")
        refused = await limited("GET", "/v1/campaigns")
        assert refused.status == 429
        assert rate_headers(refused.headers) == ("3", "0", "45")
        assert refused.headers["Retry-After"] == "45"
        assert refused.json["error"] == "Too Many Requests"
        assert (await log_of(tight, limited.key))[-1]["errorCode"] == "rate_limited"
        clock.advance(45_000)
        assert (await limited("GET", "/v1/campaigns")).status == 200

    async def test_imports_have_limits_of_their_own(self, limited: Api, clock: FakeClock) -> None:
        for path in ("import", "upsert"):
            assert (await limited("POST", f"/v1/products/{path}", {"products": []})).status == 202
            assert (await limited("POST", f"/v1/products/{path}", {"products": []})).status == 429
            clock.advance(60_000)
        hour = await limited("POST", "/v1/products/upsert", {"products": []})
        assert (hour.status, hour.headers["RateLimit-Limit"], hour.headers["Retry-After"]) == (429, "2", "3480")
        assert (await limited("GET", "/v1/products")).status == 200

    async def test_keys_of_an_account_share_one_allowance(self, limited: Api, tight: Hub, clock: FakeClock) -> None:
        other = limited.with_key(await new_key(tight, clock, limited.key.merchant_id))
        live = limited.with_key(await new_key(tight, clock, limited.key.merchant_id, "live"))
        for caller in (limited, other, limited):
            assert (await caller("GET", "/v1/products")).status == 200
        assert (await other("GET", "/v1/products")).status == 429
        assert (await live("GET", "/v1/products")).status == 200

    async def test_a_refused_write_may_be_repeated_with_its_signature(self, limited: Api, clock: FakeClock) -> None:
        """A 429 changes nothing, so the signature is still unused."""
        for _ in range(3):
            await limited("GET", "/v1/products")
        body = b'{"externalOrderId":"A","orderAmount":"1"}'
        headers = limited.headers(body)
        assert (await limited.send("POST", "/v1/conversions", body, headers)).status == 429
        clock.advance(60_000)
        assert (await limited.send("POST", "/v1/conversions", body, headers)).status == 202

    async def test_strangers_take_nothing_from_an_account(self, limited: Api) -> None:
        for _ in range(5):
            assert (await limited("GET", "/v1/products", headers={"X-Signature": "0" * 64})).status == 401
        assert (await limited("GET", "/v1/products")).headers["RateLimit-Remaining"] == "2"

    async def test_limits_can_be_turned_off(self, sqlite_url: str, clock: FakeClock) -> None:
        off = {"HUB_LIMITS_PER_MINUTE": "0", "HUB_LIMITS_PER_HOUR": "0"}
        async with served(sqlite_url, clock, **off) as hub, api_of(hub, clock) as api:
            assert "RateLimit-Limit" not in (await api("GET", "/v1/products")).headers
