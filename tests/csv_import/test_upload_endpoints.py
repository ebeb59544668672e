"""Uploads over HTTP: a file is proved while it comes in, applied in the background, and leaves nothing when refused."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from hub.app import Hub
from hub.clock import system_clock
from hub.csv_import import spool
from hub.ids import id_at
from hub.merchant_api.authentication import StreamingSignature
from hub.storage import StoreUnavailable
from hub.testing.clock import FakeClock
from tests.merchant_api.test_authentication import refused
from tests.merchant_api.test_receiving import body_of, is_error, talk
from tests.merchant_api.test_replay import events_of
from tests.observability.test_health import samples
from tests.polling import until
from tests.served_hub import Api, Reply, api_of, log_of, new_key, served
from tests.sqlite_first import on_both

CSV = {"Content-Type": "text/csv"}
KEY = "Idempotency-Key"
ORDERS = b"externalOrderId,orderAmount\nA-1,10.00\nA-2,ten\n"
STATUSES = b"externalOrderId;status\nA-1;paid\nA-2;lost\n"
PRODUCTS = (
    b"\xef\xbb\xbfexternalProductId\tname\tproductUrl\tprice\r\n"
    b"p1\tShoe\thttps://shop.example/1\t49.90\r\n"
    b'p1\t"Shoe,\nnew"\thttps://shop.example/1\t39.90\r\n'
)


async def send(api: Api, kind: str, raw: bytes, **headers: str) -> Reply:
    return await api("POST", f"/v1/uploads/{kind}", raw, headers={**CSV, **headers})


async def ended(api: Api, reply: Reply) -> dict[str, Any]:
    """The upload that a reply speaks of, once nothing more will happen to it."""
    assert reply.status == 202, reply.raw

    async def found() -> dict[str, Any] | None:
        upload: dict[str, Any] = (await api("GET", f"/v1/uploads/{reply.json['uploadId']}")).json
        return upload if upload["status"] in {"DONE", "REFUSED"} else None

    return await until(found)


async def verdicts(api: Api, upload_id: str) -> list[dict[str, str]]:
    reply = await api("GET", f"/v1/uploads/{upload_id}/verdicts")
    assert (reply.status, reply.headers["Content-Type"]) == (200, "text/csv; charset=utf-8"), reply.raw
    assert reply.headers["Content-Disposition"] == f'attachment; filename="{upload_id}.verdicts.csv"'
    return list(csv.DictReader(io.StringIO(reply.raw.decode())))


def counts(upload: dict[str, Any]) -> tuple[int, ...]:
    return tuple(upload[name] for name in ("rows", "created", "updated", "duplicate", "failed"))


def directory_of(hub: Hub) -> Path:
    return hub.parts.settings.upload_directory


def kept(hub: Hub) -> list[str]:
    """The endings of the files in the spool."""
    return sorted(path.name.partition(".")[2] for path in directory_of(hub).glob("*"))


async def left(hub: Hub) -> list[str]:
    """The endings of the files in the spool once that of the upload that has just ended is removed."""
    await until(lambda: "csv" not in kept(hub))
    return kept(hub)


async def uploads_of(hub: Hub) -> int:
    async with hub.parts.store.read() as tx:
        accounts = [row["account_id"] for row in await tx.all("all_accounts")]
        rows = [await tx.all("uploads_before", account_id=each, before="upl_z") for each in accounts]
    return sum(map(len, rows))


def many_orders(rows: int) -> bytes:
    return b"externalOrderId,orderAmount\n" + b"".join(b"M-%d,10.00\n" % n for n in range(rows))


class TestKinds:
    async def test_a_file_of_orders_is_applied(self, either_api: Api, either_hub: Hub) -> None:
        upload = await ended(either_api, await send(either_api, "orders", ORDERS))
        assert counts(upload) == (2, 1, 0, 0, 1)
        assert (upload["bytes"], upload["bytesRead"], upload["status"]) == (len(ORDERS), len(ORDERS), "DONE")
        good, bad = await verdicts(either_api, upload["uploadId"])
        assert (good["line"], good["id"], good["verdict"]) == ("2", "A-1", "created")
        assert (bad["line"], bad["verdict"], bad["column"]) == ("3", "failed", "orderAmount")
        assert (await either_api("GET", f"/v1/events/{good['eventId']}")).status == 200
        assert await left(either_hub) == ["verdicts.csv"], "a file that is decided is not kept"
        again = await ended(either_api, await send(either_api, "orders", ORDERS))
        assert counts(again) == (2, 0, 0, 1, 1)
        assert await events_of(either_hub, either_api) == 1

    async def test_a_file_of_statuses_is_applied(self, either_api: Api) -> None:
        upload = await ended(either_api, await send(either_api, "statuses", STATUSES))
        assert counts(upload) == (2, 1, 0, 0, 1)

    async def test_a_file_of_products_is_applied(self, either_api: Api) -> None:
        """Of an id that comes twice the last row wins."""
        upload = await ended(either_api, await send(either_api, "products", PRODUCTS))
        assert counts(upload) == (2, 1, 0, 0, 1)
        product = (await either_api("GET", "/v1/products/p1")).json
        assert (product["name"], product["price"]) == ("Shoe,\nnew", "39.90")

    async def test_a_dry_run_changes_nothing(self, either_api: Api, either_hub: Hub) -> None:
        reply = await either_api("POST", "/v1/uploads/orders?dryRun=true", ORDERS, headers=CSV)
        upload = await ended(either_api, reply)
        assert (upload["dryRun"], counts(upload)) == (True, (2, 1, 0, 0, 1))
        assert [row["verdict"] for row in await verdicts(either_api, upload["uploadId"])] == ["created", "failed"]
        assert await events_of(either_hub, either_api) == 0

    @pytest.mark.parametrize("raw", [b"", b"a,b\n1,2\n", "externalOrderId,é".encode("latin-1"), b"\xff\xfea\0"])
    async def test_a_file_that_cannot_be_read_is_refused_as_a_whole(self, api: Api, hub: Hub, raw: bytes) -> None:
        upload = await ended(api, await send(api, "orders", raw))
        assert upload["status"] == "REFUSED"
        assert upload["faults"]
        assert await verdicts(api, upload["uploadId"]) == []
        assert "csv" not in await left(hub)

    @pytest.mark.parametrize("kind", ["TEXT/CSV; charset=UTF-8; header=present", "application/csv", None])
    async def test_every_content_type_of_csv_is_taken(self, api: Api, kind: str | None) -> None:
        reply = await api("POST", "/v1/uploads/orders", ORDERS, headers={"Content-Type": kind})
        assert reply.status == 202

    async def test_progress_and_metrics_count_rows(self, api: Api, hub: Hub) -> None:
        await ended(api, await send(api, "orders", ORDERS))
        found = await samples(api)
        assert found['hub_upload_rows_total{kind="orders",verdict="created"}'] == 1
        assert found['hub_upload_rows_total{kind="orders",verdict="failed"}'] == 1


class TestProof:
    """Nothing of an unknown sender is kept, and only the log says what is wrong."""

    async def fails(self, api: Api, hub: Hub, code: str, headers: dict[str, str]) -> dict[str, Any]:
        refused(await api.send("POST", "/v1/uploads/orders", ORDERS, {**api.headers(ORDERS), **CSV, **headers}))
        entry = (await log_of(hub, None if code == "unknown_key" else api.key))[-1]
        assert entry["errorCode"] == code
        assert kept(hub) == []
        assert await uploads_of(hub) == 0
        detail: dict[str, Any] = entry["detail"]
        return detail

    async def test_a_wrong_signature_leaves_nothing(self, api: Api, hub: Hub) -> None:
        detail = await self.fails(api, hub, "bad_signature", {"X-Signature": "0" * 64})
        assert detail["signedString"].endswith("." + ORDERS.decode())

    async def test_covers_every_byte(self, api: Api, hub: Hub) -> None:
        raw = many_orders(200_000)
        reply = await api.send("POST", "/v1/uploads/orders", raw[:-1] + b" ", {**api.headers(raw), **CSV})
        refused(reply)
        assert kept(hub) == []

    async def test_a_caller_that_is_refused_in_any_case_gets_no_disk(
        self, api: Api, hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drafts: list[object] = []
        monkeypatch.setattr(hub.parts.services.spool, "draft", drafts.append)
        late = api.headers(ORDERS, str(clock() // 1000 - 301))
        await self.fails(api, hub, "unknown_key", {"X-API-Key": "ak_test_" + "0" * 32})
        await self.fails(api, hub, "timestamp_out_of_range", late)
        await self.fails(api, hub, "bad_timestamp", {"X-Timestamp": "now"})
        await self.fails(api, hub, "bad_signature", {"X-Signature": "no signature"})
        await self.fails(api, hub, "missing_header", {"X-Signature": ""})
        away = api.with_key(await new_key(hub, clock, api.key.merchant_id, allowed=["203.0.113.0/24"]))
        await self.fails(away, hub, "ip_not_allowed", {})
        live = api.with_key(await new_key(hub, clock, api.key.merchant_id, "live", expires_in="1s"))
        clock.advance(1_000)
        await self.fails(live, hub, "key_expired", {})
        assert drafts == []

    async def test_its_time_is_that_of_its_first_byte(
        self, api: Api, hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A file takes longer than a timestamp is good for."""
        begun, spool = asyncio.Event(), hub.parts.services.spool
        draft = spool.draft

        def noted(account_id: str, *, proved: bool) -> Any:
            begun.set()
            return draft(account_id, proved=proved)

        monkeypatch.setattr(spool, "draft", noted)
        headers = {**api.headers(ORDERS, str(clock() // 1000 - 299)), **CSV}

        async def slow() -> AsyncIterator[bytes]:
            yield ORDERS[:9]
            await begun.wait()
            clock.advance(200_000)
            yield ORDERS[9:]

        async with api.session.post("/api/v1/uploads/orders", data=slow(), headers=headers) as reply:
            assert reply.status == 202

    async def test_may_not_outlast_the_memory_of_signatures(
        self, api: Api, hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else a copy of a request could be fed in slowly until the original is forgotten."""
        monkeypatch.setattr(StreamingSignature, "seconds_left", 0.3)

        async def drip() -> AsyncIterator[bytes]:
            for each in range(len(ORDERS)):
                yield ORDERS[each : each + 1]
                await asyncio.sleep(0.05)

        headers = {**api.headers(ORDERS), **CSV}
        async with api.session.post("/api/v1/uploads/orders", data=drip(), headers=headers) as reply:
            assert reply.status == 408
        assert kept(hub) == []

    @pytest.mark.parametrize(("age", "left"), [(-300, 900), (0, 600), (300, 300), (301, 300)])
    async def test_an_upload_may_last_as_long_as_its_timestamp_holds(
        self, api: Api, monkeypatch: pytest.MonkeyPatch, age: int, left: int
    ) -> None:
        seen: list[float] = []

        def read_nothing(_: object, __: int, ___: float, seconds: float, ____: object) -> None:
            seen.append(seconds)
            raise OSError("seen enough")

        monkeypatch.setattr("hub.merchant_api.upload_pipeline.read_blocks", read_nothing)
        await api.send("POST", "/v1/uploads/orders", ORDERS, api.headers(ORDERS, str(api.clock() // 1000 - age)))
        assert seen == [left]


class TestOnce:
    async def test_a_signature_is_spent_once(self, either_api: Api, either_hub: Hub) -> None:
        headers = {**either_api.headers(ORDERS), **CSV}
        first, *rest = [
            await either_api.send("POST", f"/v1/uploads/{kind}", ORDERS, headers)
            for kind in ("orders", "orders", "products")
        ]
        assert first.status == 202
        for reply in rest:
            refused(reply)
        await ended(either_api, first)
        assert await uploads_of(either_hub) == 1
        assert kept(either_hub) == ["verdicts.csv"]

    async def test_an_idempotency_key_gives_the_first_answer_again(self, either_api: Api, either_hub: Hub) -> None:
        first = await send(either_api, "orders", ORDERS, **{KEY: "k"})
        again = await send(either_api, "orders", ORDERS, **{KEY: "k"})
        assert (first.status, first.raw) == (again.status, again.raw)
        assert again.headers["Idempotency-Replayed"] == "true"
        other = await send(either_api, "orders", ORDERS + b"A-3,1\n", **{KEY: "k"})
        query = await either_api("POST", "/v1/uploads/orders?dryRun=true", ORDERS, headers={**CSV, KEY: "k"})
        assert (other.status, query.status) == (422, 422)
        await ended(either_api, first)
        assert await uploads_of(either_hub) == 1
        assert kept(either_hub) == ["verdicts.csv"]

    @on_both("database_url")
    async def test_twenty_at_once_with_one_key_are_one_upload(
        self, either_api: Api, either_hub: Hub, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(spool, "AT_ONCE", 20)
        await either_api("GET", "/v1/products")
        replies = await asyncio.gather(*(send(either_api, "orders", ORDERS, **{KEY: "k"}) for _ in range(20)))
        assert {reply.status for reply in replies} <= {202, 409}
        done = [reply for reply in replies if reply.status == 202]
        assert len({reply.raw for reply in done}) == 1
        await ended(either_api, done[0])
        assert await uploads_of(either_hub) == 1


class TestRefusals:
    """Each leaves nothing behind."""

    async def nothing(self, hub: Hub, code: str, api: Api) -> None:
        assert kept(hub) == []
        assert await uploads_of(hub) == 0
        assert (await log_of(hub, api.key))[-1]["errorCode"] == code

    @pytest.mark.parametrize(
        "kind", ["application/json", "text/plain", "text/csv; charset=latin-1", "multipart/form-data"]
    )
    async def test_another_content_type_is_refused(self, api: Api, hub: Hub, kind: str) -> None:
        is_error(await send(api, "orders", ORDERS, **{"Content-Type": kind}), 415, "Unsupported Media Type")
        await self.nothing(hub, "unsupported_media_type", api)

    async def test_a_compressed_body_is_refused(self, api: Api, hub: Hub) -> None:
        is_error(await send(api, "orders", ORDERS, **{"Content-Encoding": "gzip"}), 415, "Unsupported Media Type")
        await self.nothing(hub, "unsupported_encoding", api)

    async def test_an_unknown_kind_is_refused(self, api: Api) -> None:
        reply = await send(api, "payouts", ORDERS)
        assert (reply.status, reply.headers["Allow"]) == (405, "GET")

    async def test_a_bad_query_or_key_is_refused(self, api: Api, hub: Hub) -> None:
        """A malformed one has used its signature."""
        for path, headers in (("?dryRun=perhaps", {}), ("?dryRun=true&dryRun=true", {}), ("", {KEY: "a b"})):
            signed = {**api.headers(ORDERS), **CSV, **headers}
            is_error(await api.send("POST", f"/v1/uploads/orders{path}", ORDERS, signed), 400, "Bad Request")
            await self.nothing(hub, "validation_failed", api)
            refused(await api.send("POST", "/v1/uploads/orders", ORDERS, signed))

    async def test_a_file_that_is_too_large_is_refused(self, sqlite_url: str, clock: FakeClock) -> None:
        """By its length at once; without one as soon as the bytes are too many. It is no matter of `max_body`."""
        limits = {"HUB_UPLOADS_MAX_BYTES": "4096", "HUB_SERVER_MAX_BODY": "1024"}
        async with served(sqlite_url, clock, **limits) as hub, api_of(hub, clock) as api:
            head = "POST /api/v1/uploads/orders HTTP/1.1\r\nHost: x\r\n"
            answer = await talk(hub, f"{head}Content-Length: 4097\r\n\r\n".encode())
            assert answer.startswith(b"HTTP/1.1 413")
            assert "4,096" in body_of(answer)["message"]
            raw = many_orders(400)
            signed = "".join(f"{name}: {value}\r\n" for name, value in api.headers(raw).items())
            chunks = b"".join(b"400\r\n" + b"x" * 1024 + b"\r\n" for _ in range(5)) + b"0\r\n\r\n"
            answer = await talk(hub, f"{head}{signed}Transfer-Encoding: chunked\r\n\r\n".encode() + chunks)
            assert answer.startswith(b"HTTP/1.1 413")
            await self.nothing(hub, "body_too_large", api)
            assert (await send(api, "orders", many_orders(300))).status == 202

    async def begin(self, hub: Hub, api: Api) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A signed request whose last byte does not come."""
        signed = "".join(f"{name}: {value}\r\n" for name, value in api.headers(ORDERS).items())
        reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
        writer.write(f"POST /api/v1/uploads/orders HTTP/1.1\r\nHost: x\r\nContent-Length: {len(ORDERS)}\r\n".encode())
        writer.write(f"{signed}\r\n".encode() + ORDERS[:-1])
        await until(lambda: "part" in kept(hub))
        return reader, writer

    async def test_a_body_that_is_too_slow_is_refused(self, sqlite_url: str, clock: FakeClock) -> None:
        async with served(sqlite_url, clock, HUB_SERVER_BODY_TIMEOUT="1s") as hub, api_of(hub, clock) as api:
            reader, writer = await self.begin(hub, api)
            assert (await reader.readline()).startswith(b"HTTP/1.1 408")
            writer.close()
            await self.nothing(hub, "body_timeout", api)

    async def test_a_body_that_breaks_off_is_removed(self, api: Api, hub: Hub) -> None:
        _, writer = await self.begin(hub, api)
        writer.close()
        await until(lambda: not kept(hub))
        await self.nothing(hub, "body_incomplete", api)

    async def test_too_many_files_at_once_are_refused(self, api: Api, hub: Hub) -> None:
        """A sender that proved its key may send this many; one that did not fewer, see test_upload_allowances.py."""
        await api("GET", "/v1/products")
        readers, writers = zip(*[await self.begin(hub, api) for _ in range(spool.AT_ONCE)], strict=True)
        reply = await send(api, "orders", ORDERS)
        is_error(reply, 429, "Too Many Requests")
        assert int(reply.headers["Retry-After"]) > 0
        for writer in writers:
            writer.write(ORDERS[-1:])
        for reader in readers:
            assert (await reader.readline()).startswith(b"HTTP/1.1 202")
        assert (await send(api, "orders", ORDERS)).status == 202
        for writer in writers:
            writer.close()

    async def test_a_full_disk_is_answered_with_503(self, api: Api, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as full:
            full.setattr(spool, "RESERVE_BYTES", 2**62)
            reply = await send(api, "orders", ORDERS)
            is_error(reply, 503, "Service Unavailable")
            await self.nothing(hub, "store_unavailable", api)
        assert (await send(api, "orders", ORDERS)).status == 202

    async def test_a_store_that_is_away_leaves_no_file(
        self, api: Api, hub: Hub, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def gone(*_: object) -> None:
            raise StoreUnavailable("gone")

        with monkeypatch.context() as outage:
            outage.setattr("hub.merchant_api.v1.uploads.insert", gone)
            is_error(await send(api, "orders", ORDERS), 503, "Service Unavailable")
        await self.nothing(hub, "store_unavailable", api)

    async def test_the_rate_limit_counts_proved_requests_only(self, sqlite_url: str, clock: FakeClock) -> None:
        """Else a stranger could use up a merchant's."""
        async with served(sqlite_url, clock, HUB_LIMITS_IMPORT_PER_MINUTE="1") as hub, api_of(hub, clock) as api:
            refused(await send(api, "orders", ORDERS, **{"X-Signature": "0" * 64}))
            first = await send(api, "orders", ORDERS)
            assert (first.status, first.headers["RateLimit-Remaining"]) == (202, "0")
            await ended(api, first)
            is_error(await send(api, "orders", ORDERS), 429, "Too Many Requests")
            assert await left(hub) == ["verdicts.csv"]


class TestFiles:
    async def test_belong_to_the_hub_alone(self, api: Api, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        """And are named by the hub's own ids."""
        await hub.parts.services.uploads.stop()
        reply = await send(api, "orders", ORDERS)
        (file,) = directory_of(hub).iterdir()
        assert file.name == f"{reply.json['uploadId']}.csv"
        assert file.read_bytes() == ORDERS
        assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)

    async def test_are_deleted_in_time(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        """Timed jobs delete rows; each node deletes its files, and an abandoned half of one after a day."""
        upload = await ended(api, await send(api, "orders", ORDERS))
        half = directory_of(hub) / f"{id_at('upl', clock())}.part"
        half.touch()
        keep = hub.parts.settings.retention.uploads
        clock.advance(86_400_000 - 1)
        await hub.parts.services.uploads.sweep()
        assert kept(hub) == ["part", "verdicts.csv"]
        clock.advance(2 * 86_400_000)
        await hub.parts.services.uploads.sweep()
        await until(lambda: kept(hub) == ["verdicts.csv"])  # the hub itself may be at it, and is not waited for
        clock.now = max(clock.now, system_clock()) + keep  # the upload's id is of the real time
        await hub.parts.jobs.sweep()
        await hub.parts.services.uploads.sweep()
        await until(lambda: kept(hub) == [])
        assert (await api("GET", f"/v1/uploads/{upload['uploadId']}")).status == 404

    async def test_one_that_waits_stays_however_long_the_hub_stands_still(
        self, api: Api, hub: Hub, clock: FakeClock
    ) -> None:
        """It was accepted. Control: once it was applied nothing of it stays."""
        await hub.parts.services.uploads.stop()
        reply = await send(api, "orders", ORDERS)
        keep = hub.parts.settings.retention.uploads
        clock.now = max(clock.now, system_clock()) + 2 * keep  # the upload's id is of the real time
        await hub.parts.services.uploads.sweep()
        assert kept(hub) == ["csv"]
        await hub.parts.services.uploads.start()
        assert (await ended(api, reply))["created"] == 1
        clock.advance(86_400_000)
        await hub.parts.services.uploads.sweep()
        await until(lambda: kept(hub) == [])

    def test_a_closed_draft_takes_nothing(self, tmp_path: Path) -> None:
        """A thread that comes late must not write into whatever file has the number now."""
        with spool.Spool(tmp_path / "files").draft("acc") as draft:
            draft.write(b"a")
        with (tmp_path / "other").open("wb"):
            draft.write(b"b")
        assert (tmp_path / "other").read_bytes() == b""
        assert list((tmp_path / "files").iterdir()) == []
        with pytest.raises(TypeError):
            draft.settle()

    async def test_a_verdict_file_that_is_gone_is_not_found(self, api: Api, hub: Hub) -> None:
        upload = await ended(api, await send(api, "orders", ORDERS))
        hub.parts.services.spool.verdicts(upload["uploadId"]).unlink()
        is_error(await api("GET", f"/v1/uploads/{upload['uploadId']}/verdicts"), 404, "Not Found")
