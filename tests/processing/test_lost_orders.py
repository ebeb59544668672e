"""Whatever is lost on the way, one look at the shop's own orders ends in the same ledger as if nothing had been."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.operations.connections.connections import ConnectionAdmin
from hub.operations.connections.lost_orders import recover_orders
from hub.operations.errors import OperatorFault
from hub.operations.system.audit import audit
from hub.sealing import Sealer
from tests.acme import acme_plugins
from tests.outbound.stand_in import LOCAL, serving
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import Shop, connect

MINUTE = 60_000
_numbers = count()


async def recover(shop: Shop, orders: list[dict[str, Any]], since: str = "3d") -> dict[str, Any]:
    """Read these orders from a stand-in for the shop's API, and let the worker finish."""

    async def handler(request: web.Request) -> web.Response:
        page, size = int(request.query["page"]), int(request.query["size"])
        return web.json_response({"orders": orders[(page - 1) * size : page * size]})

    harness = shop.harness
    admin = ConnectionAdmin(harness.store, Sealer.of([bytes(32)]), acme_plugins(), harness.clock, "https://hub.example")
    async with serving(handler) as address:
        credentials = {"site": address, "key": "key", "secret": "secret"}
        done = await recover_orders(admin, shop.connection_id, credentials, since, LOCAL)
    await harness.work()
    return dict(done)


steps = st.lists(
    st.fixed_dictionaries({"total": st.sampled_from(["20.00", "50.00", "99.99"]), "cancelled": st.booleans()}),
    min_size=1,
    max_size=4,
)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, min_size=1, max_size=5), st.data())
async def test_any_subset_lost_and_one_look_is_as_if_none_were(
    sqlite_harness: Harness, histories: list[list[dict[str, Any]]], data: st.DataObject
) -> None:
    """Orders that are placed, edited, cancelled and restored; any of their messages may be lost, even all."""
    shop = await connect(sqlite_harness)
    sqlite_harness.clock.now = NOON + DAY
    click = await sqlite_harness.click(await sqlite_harness.campaign(value="8.75"), before_ms=2 * DAY)
    lost = [[data.draw(st.booleans()) for _ in history] for history in histories]
    whole = await _told(shop, click, histories, [[False] * len(history) for history in histories])
    holed = await _told(shop, click, histories, lost)
    done = await recover(shop, [orders[-1] for orders in holed.values()])
    assert done["read"] == len(histories)
    assert done["unknownOrders"] == sum(all(each) for each in lost)
    assert [await _end(shop, number) for number in whole] == [await _end(shop, number) for number in holed]


async def _told(
    shop: Shop, click: str, histories: list[list[dict[str, Any]]], lost: list[list[bool]]
) -> dict[str, list[dict[str, Any]]]:
    """Deliver what is not lost; return the snapshots by their orders."""
    made: dict[str, list[dict[str, Any]]] = {}
    for history, gone in zip(histories, lost, strict=True):
        number = f"L-{next(_numbers)}"
        made[number] = [
            {
                "number": number,
                "paid": True,
                "placed": NOON - MINUTE,
                "extra": {"click": click},
                "version": NOON + step * MINUTE,
                **each,
            }
            for step, each in enumerate(history)
        ]
        for body, is_lost in zip(made[number], gone, strict=True):
            if not is_lost:
                await shop.tell("order", body, f"d-{next(_numbers)}")
    return made


async def _end(shop: Shop, number: str) -> tuple[object, ...]:
    conversion, commission = await shop.harness.conversion(number), await shop.harness.commission(number)
    assert conversion is not None
    assert commission is not None
    return (
        conversion["order_minor"], conversion["lines"], commission["state"],
        commission["amount_minor"], commission["hold_until"], commission["terms"],
    )  # fmt: skip


async def test_a_second_look_changes_nothing(harness: Harness) -> None:
    """So that it may be stopped anywhere and done again; the audit agrees, on both databases."""
    shop = await connect(harness)
    click = await harness.click()
    orders = [
        {"number": f"T-{each}", "total": "10.00", "extra": {"click": click}, "version": NOON} for each in range(5)
    ]
    assert await recover(shop, orders) == {"id": shop.connection_id, "read": 5, "unknownOrders": 5, "newStates": 5}
    before = await shop.rows("commission_rows")
    assert await recover(shop, orders) == {"id": shop.connection_id, "read": 5, "unknownOrders": 0, "newStates": 0}
    assert await shop.rows("commission_rows") == before
    assert (await audit(harness.store, harness.clock))["violations"] == []


@pytest.mark.parametrize("since", ["0s", "91d"])
async def test_how_far_to_look_back_is_bounded(sqlite_harness: Harness, since: str) -> None:
    shop = await connect(sqlite_harness)
    with pytest.raises(OperatorFault, match="90 days"):
        await recover(shop, [], since)
