"""The bounds of what requests that prove nothing write to the request log, each with its control."""

from __future__ import annotations

import asyncio

import orjson
import pytest

from hub.app import Hub
from hub.bounds import LOG_BURST_SECONDS, REFUSED_BURST_MINUTES
from hub.merchant_api.exchange import STRANGERS_DETAIL, STRANGERS_PATH, shortened
from hub.observability.request_log import LogLimits, LogRow
from hub.operations.lists import Wanted, read
from hub.operations.orders.request_log import REQUESTS
from hub.processing.figures import FigureCounter
from hub.processing.timed_jobs import LOG_AT_ONCE, Retention, TimedJobs
from hub.rate_limits.token_buckets import TokenBuckets
from hub.storage import Store
from hub.testing.clock import NOON, FakeClock
from tests.served_hub import Api, api_of, log_of, served

UNKNOWN = {"X-API-Key": "ak_test_" + "0" * 32}
TRIES = 120
TURNED_OFF = {
    "HUB_REQUEST_LOG_STRANGERS_PER_SECOND": "0",
    "HUB_REQUEST_LOG_STRANGERS_PER_ADDRESS": "0",
    "HUB_REQUEST_LOG_REFUSED_PER_MINUTE": "0",
}


def still(rate: float, burst: int) -> TokenBuckets:
    """Buckets that never refill."""
    return TokenBuckets(rate, burst, now=lambda: 0.0)


async def refused(api: Api, headers: dict[str, str], path: str = "/v1/products") -> None:
    for _ in range(TRIES):
        assert (await api("GET", path, headers=headers)).status == 401


def counted(hub: Hub, limit: str) -> float:
    return hub.parts.metrics.registry.get_sample_value("hub_request_log_sampled_total", {"limit": limit}) or 0


@pytest.mark.parametrize(("limited", "rows"), [(True, LOG_BURST_SECONDS), (False, TRIES)])
async def test_an_address_without_an_account_has_few_rows(
    sqlite_url: str, clock: FakeClock, *, limited: bool, rows: int
) -> None:
    """The control is the same hub without limits: all rows are there."""
    environ = {**TURNED_OFF, "HUB_REQUEST_LOG_STRANGERS_PER_ADDRESS": "1"} if limited else TURNED_OFF
    async with served(sqlite_url, clock, **environ) as hub, api_of(hub, clock) as api:
        await refused(api, UNKNOWN)
        kept = len(await log_of(hub))
        assert rows <= kept
        assert (kept == TRIES) is not limited
        assert counted(hub, "address") == TRIES - kept
        assert (await api("GET", "/v1/products")).status == 200
        assert [row["status"] for row in await log_of(hub, api.key)] == [200]


@pytest.mark.parametrize(("limited", "rows"), [(True, REFUSED_BURST_MINUTES), (False, TRIES)])
async def test_a_known_key_without_its_secret_does_not_bury_its_merchants_log(
    sqlite_url: str, clock: FakeClock, *, limited: bool, rows: int
) -> None:
    environ = {**TURNED_OFF, "HUB_REQUEST_LOG_REFUSED_PER_MINUTE": "1"} if limited else TURNED_OFF
    async with served(sqlite_url, clock, **environ) as hub, api_of(hub, clock) as api:
        await refused(api, {"X-Signature": "0" * 64})
        assert (await api("GET", "/v1/products")).status == 200
        statuses = [row["status"] for row in await log_of(hub, api.key)]
        assert statuses[-1] == 200
        assert rows <= statuses.count(401)
        assert (statuses.count(401) == TRIES) is not limited
        assert counted(hub, "key") == TRIES - statuses.count(401)


def test_all_strangers_together_have_a_limit_too() -> None:
    limits = LogLimits(strangers=still(1, 7))
    kept = [limits.excess("", None, f"198.51.100.{number}") for number in range(20)]
    assert kept == [None] * 7 + ["strangers"] * 13
    assert LogLimits().excess("", None, "198.51.100.1") is None


def test_one_address_does_not_use_up_the_rows_of_the_others() -> None:
    limits = LogLimits(strangers=still(1, 10), by_address=still(1, 3))
    assert [limits.excess("", None, "198.51.100.1") for _ in range(20)].count(None) == 3
    assert limits.excess("", None, "198.51.100.2") is None


def test_a_detail_is_cut_to_its_bytes_and_stays_json() -> None:
    detail = orjson.dumps({"signedString": "1795176000." + "é" * 400, "clockSkewSeconds": -3}).decode()
    cut = shortened(detail, STRANGERS_DETAIL)
    assert cut is not None
    assert len(cut.encode()) <= STRANGERS_DETAIL < len(detail.encode())
    assert orjson.loads(cut)["clockSkewSeconds"] == -3
    assert orjson.loads(cut)["signedString"].startswith("1795176000.é")
    assert shortened('{"a":1}', STRANGERS_DETAIL) == '{"a":1}'
    assert shortened(orjson.dumps({str(n): 1 for n in range(500)}).decode(), STRANGERS_DETAIL) is None


async def test_only_a_strangers_path_is_cut_short(hub: Hub, api: Api) -> None:
    path = "/v1/products/" + "ab." * 100
    await api("GET", path, headers=UNKNOWN)
    await api("GET", path)
    [stranger], [merchant] = await log_of(hub), await log_of(hub, api.key)
    assert len(stranger["path"]) == STRANGERS_PATH
    assert merchant["path"] == f"/api{path}"


async def test_the_sweep_keeps_the_newest_rows_of_strangers_and_all_of_a_merchant(store: Store) -> None:
    """More rows than one transaction deletes; both databases."""
    kept, made = 100, LOG_AT_ONCE + 500
    rows = [strangers_row(number) for number in range(made)]
    async with store.write() as tx:
        await tx.run("insert_request_log", rows=rows)
    await timed_jobs(store, kept).sweep()
    async with store.read() as tx:
        left = (await read(tx, REQUESTS, Wanted(limit=10_000), {"account_id": ""})).entries
    assert [row["logged_at"] for row in left] == [NOON + number for number in reversed(range(made - kept, made))]


def strangers_row(number: int) -> LogRow:
    return LogRow("", NOON + number, f"log_{number:06}", "req", "GET", "/", 401, "unknown_key", None, "::1", 1, None)


def timed_jobs(store: Store, kept: int) -> TimedJobs:
    async def forget(account_id: str, moment: int) -> None:
        """Forget nothing."""

    month = 30 * 86_400_000
    keep = Retention(month, month, month, month, month, kept)
    figures = FigureCounter(store, FakeClock(), asyncio.sleep)
    return TimedJobs(store, FakeClock(), keep, figures, forget_uploads=forget, forget_clicks=forget)
