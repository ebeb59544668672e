"""Below the reserve of the database's volume only what matters is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from hub.app import Hub
from hub.operations.affiliates.affiliates import create_affiliate
from hub.storage import disk_reserve
from hub.storage.disk_reserve import DiskReserve, free_and_total
from hub.testing.clock import FakeClock
from tests.served_hub import Api, api_of, log_of, served
from tests.tracking.test_redirect import Visitor

MIB = 1024 * 1024
FILE = Path("hub.db")


class Disk:
    """A volume whose free space is set by hand, and how often it was asked."""

    def __init__(self, free: int, total: int = 1_000_000 * MIB) -> None:
        self.free = free
        self.total = total
        self.asked = 0

    def __call__(self, _: Path) -> tuple[int, int]:
        self.asked += 1
        return self.free, self.total


def test_the_reserve_is_at_most_five_percent_of_the_volume() -> None:
    assert DiskReserve(FILE, 512 * MIB, Disk(511 * MIB)).is_short
    assert not DiskReserve(FILE, 512 * MIB, Disk(513 * MIB)).is_short
    assert not DiskReserve(FILE, 512 * MIB, Disk(51 * MIB, 1_000 * MIB)).is_short
    assert DiskReserve(FILE, 512 * MIB, Disk(49 * MIB, 1_000 * MIB)).is_short
    assert not DiskReserve(FILE, 0, Disk(0)).is_short
    assert not DiskReserve(None, 512 * MIB, Disk(0)).is_short


def test_clicks_end_at_half_the_reserve() -> None:
    reserve = DiskReserve(FILE, 512 * MIB, Disk(300 * MIB))
    assert (reserve.is_short, reserve.is_very_short) == (True, False)
    assert DiskReserve(FILE, 512 * MIB, Disk(200 * MIB)).is_very_short


def test_the_volume_is_asked_at_most_once_a_second() -> None:
    disk, seconds = Disk(1), [100.0]
    reserve = DiskReserve(FILE, 512 * MIB, disk, now=lambda: seconds[0])
    for _ in range(1_000):
        assert reserve.is_short
    assert disk.asked == 1
    disk.free = 600 * MIB
    seconds[0] += 1
    assert not reserve.is_short
    assert disk.asked == 2


def test_a_volume_that_cannot_be_asked_is_not_short() -> None:
    """The database's own errors say what is wrong with it."""
    reserve = DiskReserve(Path("/nowhere/hub.db"), 512 * MIB)
    assert (reserve.free, reserve.is_short, reserve.database_bytes, reserve.wal_bytes) == (None, False, 0, 0)


def test_the_real_volume_says_what_it_has(tmp_path: Path) -> None:
    free, total = free_and_total(tmp_path)
    assert 0 <= free <= total == os.statvfs(tmp_path).f_blocks * os.statvfs(tmp_path).f_frsize


async def test_a_short_volume_is_named_in_the_log() -> None:
    with capture_logs() as lines:
        await DiskReserve(FILE, 512 * MIB, Disk(300 * MIB)).report()
        await DiskReserve(FILE, 512 * MIB, Disk(600 * MIB)).report()
    [line] = lines
    assert (line["log_level"], line["free_bytes"], line["reserve_bytes"]) == ("warning", 300 * MIB, 512 * MIB)


@pytest.mark.parametrize(("free", "clicks", "rows"), [(600, 1, 1), (300, 1, 0), (200, 0, 0)])
async def test_orders_go_on_while_the_rest_stops(
    sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, free: int, clicks: int, rows: int
) -> None:
    """The first case is the control: with room enough everything is written."""
    monkeypatch.setattr(disk_reserve, "LOOK_SECONDS", 0.0)
    async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
        hub.parts.disk.measure = Disk(free * MIB)
        affiliate = await create_affiliate(hub.parts.store, clock, name="Anna", email="anna@blog.example", coupons=[])
        visitor = Visitor(hub, api, affiliate.id)
        status, address, _ = await visitor.visit(await visitor.link())
        assert status == 302
        assert ("affiliate_click_id=" in address) == bool(clicks)
        await api("GET", "/v1/products", headers={"X-API-Key": "ak_test_" + "0" * 32})
        assert len(await log_of(hub)) == rows
        order = {"externalOrderId": "A-1", "orderAmount": "1.00"}
        assert (await api("POST", "/v1/conversions", order)).status == 202
        assert len(await log_of(hub, api.key)) == 1
        await shown(hub, api, free)


async def shown(hub: Hub, api: Api, free: int) -> None:
    async with api.session.get("/metrics") as reply:
        lines = dict(line.rsplit(" ", 1) for line in (await reply.text()).splitlines() if not line.startswith("#"))
    assert float(lines["hub_disk_free_bytes"]) == free * MIB
    assert float(lines["hub_disk_short"]) == (free < 512)
    file = hub.parts.disk.file
    assert file is not None
    assert float(lines["hub_database_bytes"]) == file.stat().st_size > 0
    assert float(lines["hub_database_wal_bytes"]) > 0
