"""The merchants' request log: every API request, written in the background, without secrets, in bounded memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from hub.app import Hub
from hub.batcher import Limits
from hub.observability.request_log import LIMITS, LogRow, RequestLog
from hub.operations.lists import Wanted, read
from hub.operations.orders.request_log import REQUESTS
from hub.storage import StoreUnavailable
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.served_hub import Api, log_of, new_key
from tests.sqlite_first import database_url

__all__ = ["database_url"]


def row(number: int) -> LogRow:
    return LogRow("", number, f"log_{number}", f"req_{number}", "GET", "/", 200, None, None, "", 1, None)


async def written(hub: Hub) -> int:
    async with hub.parts.store.read() as tx:
        return len((await read(tx, REQUESTS, Wanted(limit=100_000), {"account_id": ""})).entries)


class TestRows:
    async def test_every_request_has_a_row(self, either_api: Api, either_hub: Hub) -> None:
        await either_api(
            "POST",
            "/v1/conversions?a=1",
            {"externalOrderId": "A", "orderAmount": "1"},
            headers={"X-Request-ID": "mine"},
        )
        await either_api("GET", "/v1/products/a%2Fb")
        await either_api("PUT", "/v1/products")
        first, second, third = await log_of(either_hub, either_api.key)
        assert first["durationMs"] > 0
        assert {**first, "durationMs": None} == {
            "id": first["id"],
            "at": "2026-11-20T12:00:00.000Z",
            "method": "POST",
            "path": "/api/v1/conversions",
            "status": 202,
            "errorCode": None,
            "requestId": "mine",
            "keyId": either_api.key.key_id,
            "client": "127.0.0.1",
            "mode": "test",
            "durationMs": None,
            "detail": None,
        }
        assert (second["path"], second["status"], second["errorCode"]) == ("/api/v1/products/a%2Fb", 404, "not_found")
        assert (third["method"], third["status"], third["errorCode"]) == ("PUT", 405, "method_not_allowed")

    async def test_rows_belong_to_the_account_of_the_key(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        live = api.with_key(await new_key(hub, clock, api.key.merchant_id, "live"))
        await api("GET", "/v1/products")
        await live("GET", "/v1/products")
        assert [entry["mode"] for entry in await log_of(hub, api.key)] == ["test", "live"]
        assert await log_of(hub) == []

    async def test_rows_of_unknown_callers_are_kept_apart(self, api: Api, hub: Hub) -> None:
        await api("GET", "/v1/products", headers={"X-API-Key": "ak_test_" + "0" * 32})
        [entry] = await log_of(hub)
        assert (entry["errorCode"], entry["mode"]) == ("unknown_key", None)
        assert entry["detail"]["keyId"] == "ak_test_" + "0" * 32

    async def test_rows_hold_no_secret_and_no_whole_signature(
        self, api: Api, hub: Hub, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """Canaries in every place where a confused client might put them."""
        signature = "c0ffee" * 10 + "abcd"
        secret = api.key.secret
        for headers in (
            {"X-Signature": signature}, {"X-Timestamp": signature}, {"X-API-Key": secret}, {"X-Timestamp": secret},
            {"Authorization": secret}, {"Idempotency-Key": secret}, {"X-Request-ID": "fine"},
        ):  # fmt: skip
            await api("POST", "/v1/conversions", {"externalOrderId": "A", "orderAmount": "1"}, headers=headers)
        await api("GET", f"/v1/products?secret={secret}")
        everything = f"{await log_of(hub, api.key)}{await log_of(hub)}{capfd.readouterr()}"
        assert secret not in everything
        assert signature not in everything


class TestWriting:
    async def test_rows_are_written_in_the_background(self, api: Api, hub: Hub) -> None:
        await api("GET", "/v1/products", headers={"X-API-Key": "x"})
        assert await until(partial(written, hub))

    async def test_a_full_batch_does_not_wait(self, hub: Hub) -> None:
        log = RequestLog(hub.parts.store, lambda _: None, every_seconds=3_600)
        await log.start()
        for number in range(LIMITS.items):
            log.append(row(number))

        async def all_of_them() -> bool:
            return await written(hub) == LIMITS.items

        await until(all_of_them)
        await log.stop()

    async def test_the_rest_is_written_at_the_end(self, hub: Hub) -> None:
        log = RequestLog(hub.parts.store, lambda _: None, every_seconds=3_600)
        await log.start()
        log.append(row(1))
        await log.stop()
        assert await written(hub) == 1

    async def test_what_the_store_cannot_take_now_it_gets_later(
        self, hub: Hub, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dropped: list[float] = []
        async with writing(hub, dropped) as log:
            with monkeypatch.context() as outage:
                refused = asyncio.Event()

                async def gone(_: object) -> Any:
                    refused.set()
                    raise StoreUnavailable("gone")

                outage.setattr(hub.parts.store, "transact", gone)
                log.append(row(1))
                log.append(row(2))
                await refused.wait()
                assert await written(hub) == 0
            await log.flush()
            assert (await written(hub), dropped) == (2, [])

    async def test_memory_is_bounded_and_losses_are_counted(self, hub: Hub) -> None:
        dropped: list[float] = []
        async with writing(hub, dropped, limits=Limits(items=250, waiting=5)) as log:
            for number in range(8):
                log.append(row(number))
            await log.flush()
        assert (await written(hub), sum(dropped)) == (5, 3)

    async def test_a_row_that_is_refused_does_not_stop_the_others(self, hub: Hub) -> None:
        dropped: list[float] = []
        async with writing(hub, dropped) as log:
            log.append(row(1))
            log.append(row(2)._replace(path="a\0b"))
            log.append(row(3))
            await log.flush()
        assert (await written(hub), dropped) == (2, [1])

    async def test_what_an_outage_to_the_end_takes_is_counted(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        async def gone(_: object) -> Any:
            raise StoreUnavailable("gone")

        dropped: list[float] = []
        with monkeypatch.context() as outage:
            outage.setattr(hub.parts.store, "transact", gone)
            async with writing(hub, dropped) as log:
                log.append(row(1))
        log.append(row(2))
        assert dropped == [1, 1]


@asynccontextmanager
async def writing(hub: Hub, dropped: list[float], limits: Limits = LIMITS) -> AsyncIterator[RequestLog]:
    """A request log beside the hub's own."""
    log = RequestLog(hub.parts.store, dropped.append, limits=limits, every_seconds=0.01)
    await log.start()
    yield log
    await log.stop()
