"""An order of a shop whose clock is off: what is known of the clock is allowed for, up to an hour."""

from __future__ import annotations

from typing import Any

import pytest

from hub.domain.connectors.shop_clocks import ahead_by, behind_by, on_our_clock
from hub.domain.durations import DAY, HOUR, MINUTE, SECOND
from hub.domain.instants import parse_instant
from tests.processing.harness import Harness
from tests.processing.test_deliveries import Shop, connect

AGE = 10 * SECOND
"""How long before its delivery an order is placed here."""


async def reason_of(shop: Shop, off: int, *, shows: bool = True, number: str = "A-1") -> Any:
    """Why an order is whose it is that was placed by a fresh click in a shop whose clock is `off` ms ahead."""
    click, now = await shop.harness.click(before_ms=MINUTE), shop.harness.clock()
    extra = {"click": click, **({"clock": now + off} if shows else {})}
    body = {"number": number, "total": "10.00", "paid": True, "placed": now - AGE + off, "extra": extra}
    return (await shop.event(await shop.tell("order", body)))["explanation"]["attribution"]["reason"]


async def test_an_order_of_a_shop_that_is_a_little_behind_earns(sqlite_harness: Harness) -> None:
    shop = await connect(sqlite_harness)
    assert await reason_of(shop, -50 * MINUTE) == "matched"


@pytest.mark.parametrize(("off", "shows"), [(-50 * MINUTE, False), (-3 * HOUR, True), (-400 * DAY, True)])
async def test_a_clock_that_nobody_knows_or_that_is_far_off_is_not_allowed_for(
    sqlite_harness: Harness, off: int, shows: bool
) -> None:
    """The control: the same order without the clock's time, and one of a clock that says nothing of use."""
    shop = await connect(sqlite_harness)
    assert await reason_of(shop, off, shows=shows) == "click_after_order"


async def test_a_click_that_is_stated_later_is_compared_by_the_same_clock(sqlite_harness: Harness) -> None:
    """The order itself keeps the time that the shop said, by which it is known again."""
    shop = await connect(sqlite_harness)
    off = -50 * MINUTE
    click, now = await sqlite_harness.click(before_ms=MINUTE), sqlite_harness.clock()
    body = {"number": "L-1", "total": "10.00", "placed": now - AGE + off}
    await shop.tell("order", body)
    for shown, attributed in ((None, None), (now + off, click)):
        extra = {"click": click} if shown is None else {"click": click, "clock": shown}
        await shop.tell("order", {**body, "extra": extra})
        (row,) = await shop.rows("conversion_rows")
        assert (row["click_id"], row["ordered_at"]) == (attributed, now - AGE + off)


@pytest.mark.parametrize(
    ("off", "placed"),
    [(None, 0), (0, 0), (-30 * SECOND, 0), (-MINUTE, MINUTE), (-HOUR, HOUR), (-HOUR - 1, 0), (HOUR, -HOUR)],
)
def test_a_delivery_on_its_way_is_no_wrong_clock(off: int | None, placed: int) -> None:
    assert on_our_clock(0, off, DAY) == placed
    assert on_our_clock(0, off, 0) == min(placed, 0)


@pytest.mark.parametrize(
    ("date", "behind", "ahead"),
    [
        ("Tue, 24 Nov 2026 12:00:00 GMT", 0, 0),
        ("Tue, 24 Nov 2026 11:59:30 GMT", 0, 0),
        ("Tue, 24 Nov 2026 09:00:00 GMT", 3 * 3_600_000, 0),
        ("Tue, 24 Nov 2026 15:00:00 GMT", 0, 3 * 3_600_000),
        ("Tue, 24 Nov 2020 12:00:00 GMT", 0, 0),
        ("Tue, 24 Nov 2032 12:00:00 GMT", 0, 0),
        ("yesterday", 0, 0),
        ("", 0, 0),
    ],
)
def test_the_date_of_an_answer_says_how_far_a_clock_is_off(date: str, behind: int, ahead: int) -> None:
    """Not what an answer may need, nor years."""
    now = parse_instant("2026-11-24T12:00:00Z")
    assert (behind_by(date, now), ahead_by(date, now)) == (behind, ahead)
