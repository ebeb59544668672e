"""What an account may have in the upload directory, and what a stranger who knows a key's id cannot take from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from hub.app import Hub
from hub.csv_import import spool
from hub.csv_import.spool import AT_ONCE, UNPROVED_AT_ONCE, UNPROVED_IN_ALL, Crowded, Spool
from hub.domain.durations import DAY
from hub.merchant_api import api_keys
from hub.merchant_api.api_keys import ApiKeyCache
from hub.testing.clock import FakeClock
from tests.csv_import.test_upload_endpoints import CSV, ORDERS, ended, kept, many_orders, send
from tests.merchant_api.test_receiving import is_error
from tests.polling import until
from tests.served_hub import Api, api_of, served

MERCHANT = {"X-Forwarded-For": "198.51.100.1"}
STRANGER = {"X-Forwarded-For": "203.0.113.66"}


@pytest.fixture
async def proxied(sqlite_url: str, clock: FakeClock) -> AsyncIterator[tuple[Hub, Api]]:
    """A hub that believes the addresses which its proxy names."""
    async with served(sqlite_url, clock, HUB_TRUSTED_PROXIES="127.0.0.1") as hub, api_of(hub, clock) as api:
        yield hub, api


async def hold(hub: Hub, api: Api, count: int) -> list[asyncio.StreamWriter]:
    """Begin uploads as somebody who knows the key's id and makes the signature up; their last byte does not come."""
    writers = []
    for number in range(count):
        stamp = str(api.clock() // 1000)
        head = {
            "Host": "x", "Content-Length": "100000", "X-API-Key": api.key.key_id, "X-Timestamp": stamp,
            "X-Signature": "0" * 64, **CSV, **STRANGER,
        }  # fmt: skip
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        _, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
        writer.write(f"POST /api/v1/uploads/orders HTTP/1.1\r\n{lines}\r\nid".encode())
        writers.append(writer)
        await until(partial(_are_kept, hub, number + 1))
    return writers


def _are_kept(hub: Hub, drafts: int) -> bool:
    return kept(hub).count("part") >= drafts


@pytest.mark.parametrize("told_apart", [True, False])
async def test_a_stranger_with_a_keys_id_keeps_its_merchant_from_nothing(
    proxied: tuple[Hub, Api], monkeypatch: pytest.MonkeyPatch, told_apart: bool
) -> None:
    """The control counts both alike, as if everybody had proved the key."""
    hub, api = proxied
    if not told_apart:
        monkeypatch.setattr(ApiKeyCache, "is_proved_lately", lambda *_: True)
    assert (await api("GET", "/v1/products", headers=MERCHANT)).status == 200
    writers = await hold(hub, api, UNPROVED_AT_ONCE if told_apart else AT_ONCE)
    reply = await send(api, "orders", ORDERS, **MERCHANT)
    assert reply.status == (202 if told_apart else 429)
    elsewhere = await send(api, "orders", ORDERS, **{"X-Forwarded-For": "198.51.100.2"})
    is_error(elsewhere, 429, "Too Many Requests")
    assert ("signed request" in elsewhere.json["message"]) == told_apart
    for writer in writers:
        writer.close()


async def test_who_only_uploads_is_known_by_the_file_of_the_week_before(proxied: tuple[Hub, Api]) -> None:
    """The control is the address of somebody else, and a day too late."""
    hub, api = proxied
    keys, key_id, client = hub.parts.services.keys, api.key.key_id, MERCHANT["X-Forwarded-For"]
    assert not keys.is_proved_lately(key_id, client, api.clock())
    assert (await send(api, "orders", ORDERS, **MERCHANT)).status == 202
    assert keys.is_proved_lately(key_id, client, api.clock() + 7 * DAY)
    assert not keys.is_proved_lately(key_id, client, api.clock() + 8 * DAY)
    assert not keys.is_proved_lately(key_id, STRANGER["X-Forwarded-For"], api.clock())


async def test_a_proof_is_forgotten_in_time_and_when_there_are_too_many(
    api: Api, hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, now = hub.parts.services.keys, clock()
    monkeypatch.setattr(api_keys, "MOST_PROOFS", 2)
    for number in range(3):
        keys.note_proof("ak", f"198.51.100.{number}", now)
    lately = [keys.is_proved_lately("ak", f"198.51.100.{number}", now) for number in range(3)]
    assert lately == [False, True, True]
    assert not keys.is_proved_lately("ak", "198.51.100.2", now + api_keys.PROVED_MS)
    await api("GET", "/v1/products", headers={"X-Signature": "0" * 64})
    assert not keys.is_proved_lately(api.key.key_id, "127.0.0.1", now)
    await api("GET", "/v1/products")
    assert keys.is_proved_lately(api.key.key_id, "127.0.0.1", now)


def test_unproved_senders_share_an_allowance_over_all_accounts(tmp_path: Path) -> None:
    files = Spool(tmp_path)
    drafts = [files.draft(f"acc_{number}", proved=False) for number in range(UNPROVED_IN_ALL)]
    with pytest.raises(Crowded):
        files.draft("acc_x", proved=False)
    with files.draft("acc_x"):
        assert spool.AT_ONCE > 0
    for draft in drafts:
        draft.close()
    files.draft("acc_x", proved=False).close()


async def test_an_account_may_have_so_many_files_waiting(sqlite_url: str, clock: FakeClock) -> None:
    """They wait because the runner is stopped; another file may come once one of them has ended."""
    async with served(sqlite_url, clock, HUB_UPLOADS_MAX_WAITING="2") as hub, api_of(hub, clock) as api:
        await hub.parts.services.uploads.stop()
        first, second = [await send(api, "orders", ORDERS) for _ in range(2)]
        refused = await send(api, "orders", ORDERS)
        is_error(refused, 429, "Too Many Requests")
        assert refused.headers["Retry-After"] == "60"
        assert "2 files of this account wait" in refused.json["message"]
        assert kept(hub) == ["csv", "csv"]
        await hub.parts.services.uploads.start()
        await ended(api, first)
        await ended(api, second)
        assert (await send(api, "orders", ORDERS)).status == 202


async def test_an_account_may_have_so_many_bytes(database_url: str, clock: FakeClock) -> None:
    """Verdict files count, too: a dry run leaves one as large as its file."""
    async with served(database_url, clock, HUB_UPLOADS_MAX_ACCOUNT_BYTES="20000") as hub, api_of(hub, clock) as api:
        upload = await ended(api, await send(api, "orders", many_orders(300)))
        assert upload["status"] == "DONE"
        refused = await send(api, "orders", many_orders(200))
        is_error(refused, 413, "Request Entity Too Large")
        assert "20,000 bytes" in refused.json["message"]
        assert (await send(api, "orders", ORDERS)).status == 202


def test_unproved_senders_may_have_so_many_bytes_of_an_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of closed files do not count, and proved senders are not counted: they have a quota of their own."""
    monkeypatch.setattr(spool, "UNPROVED_BYTES", 1_000)
    monkeypatch.setattr(spool, "UNPROVED_BYTES_IN_ALL", 1_500)
    files = Spool(tmp_path)
    with files.draft("acc_1", proved=False) as first, files.draft("acc_1", proved=False) as second:
        first.write(b"x" * 600)
        with pytest.raises(Crowded):
            second.write(b"x" * 600)
        second.write(b"x" * 400)
        with files.draft("acc_2", proved=False) as elsewhere, pytest.raises(Crowded):
            elsewhere.write(b"x" * 501)
        with files.draft("acc_1") as proved:
            proved.write(b"x" * 5_000)
        assert sum(path.stat().st_size for path in tmp_path.glob("*.part")) == 1_000
    with files.draft("acc_1", proved=False) as again:
        again.write(b"x" * 1_000)


@pytest.mark.parametrize("proved", [False, True])
async def test_a_stranger_with_a_keys_id_cannot_fill_the_disk(
    api: Api, monkeypatch: pytest.MonkeyPatch, proved: bool
) -> None:
    """The file is refused and removed; the merchant's own, after a signed request, is not (the control)."""
    monkeypatch.setattr(spool, "UNPROVED_BYTES", 50)
    if proved:
        assert (await api("GET", "/v1/products")).status == 200
    reply = await send(api, "orders", many_orders(20))
    if proved:
        assert reply.status == 202
    else:
        is_error(reply, 429, "Too Many Requests")
        assert "signed request" in reply.json["message"]
