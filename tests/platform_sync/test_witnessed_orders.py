"""Any deliveries lost, any order deleted or trashed, any refund undone, any number given again: nothing wrong is paid.

Beside the reading of `test_any_subset_lost.py` each order gets its last look before its hold ends.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.api import Play
from hub.operations.audits.audit import audit
from hub.operations.connections.last_looks import set_last_look
from hub.platform_sync.looks import Looker
from hub.processing.release import release_holds
from tests.order_questions import list_order_reviews
from tests.platform_sync.test_any_subset_lost import STORES, Connected, _numbers, connected, each_of
from tests.processing.harness import DAY, NOON, Harness

ACTS = {
    "bigcommerce": ("none", "delete"),
    "shopify": ("none", "delete"),
    "shopware": ("none", "delete"),
    "squarespace": ("none", "delete"),
    "wix": ("none", "delete"),
    "woocommerce": ("none", "delete", "trash", "undo", "again"),
}
PAID = {"none": "PAYABLE", "undo": "PAYABLE", "delete": "REJECTED", "trash": "REJECTED", "again": "REJECTED"}
AN_HOUR = 60 * 60_000


def done_to(one: Connected, play: Play, act: str) -> None:
    """Do to an order in the shop what no delivery tells of."""
    orders: Any = one.store.standin.orders
    key = next(each for each in orders if str(each) == play.order_id)
    body = orders[key]
    if act == "delete":
        del orders[key]
    elif act != "none":
        later = {"date_modified_gmt": "2026-11-20T20:00:00"}
        changes: dict[str, dict[str, Any]] = {
            "trash": {"status": "trash"},
            "undo": {"refunds": []},
            "again": {"order_key": "wc_order_another", "total": "1.00", "date_created_gmt": "2026-11-20T19:00:00"},
        }
        orders[key] = {**json.loads(json.dumps(body)), **later, **changes[act]}


async def pass_days(one: Connected, days: float) -> None:
    """Let time pass, and all that the clock brings."""
    harness = one.shop.harness
    harness.clock.now += int(days * DAY)
    looker = Looker(one.platforms, harness.submissions)
    for _ in range(2):
        await looker.plan()
        await one.run()
        now = harness.clock()
        async with harness.store.write() as tx:
            await release_holds(tx, await tx.all("due_holds", now=now, fresh=now - DAY, limit=100), now)
        await one.run()


async def lived(one: Connected, act: str, arrives: list[bool]) -> Play:
    """Have an order live: placed, paid, refunded in part if that is undone; only some of its deliveries arrive."""
    click = await one.shop.harness.click(before_ms=2 * DAY)
    play = Play(str(next(_numbers)), click, "USD", NOON)
    steps = ("created", "paid", "refunded") if act == "undo" else ("created", "paid")
    for place, step in enumerate(steps):
        for sent in one.store.step(step, play):
            if place == 0 or arrives[place % len(arrives)]:
                await one.tell(sent)
    return play


@pytest.mark.parametrize("name", each_of(STORES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=5)
@given(st.data())
async def test_only_what_stands_is_paid(sqlite_harness: Harness, name: str, data: st.DataObject) -> None:
    """Whatever happened unheard, one reading and the last looks find it; nobody's commission is paid for nothing."""
    sqlite_harness.clock.now = NOON + DAY
    async with connected(sqlite_harness, STORES[name]()) as one:
        acts = data.draw(st.lists(st.sampled_from(ACTS[name]), min_size=1, max_size=3))
        plays = [await lived(one, act, data.draw(st.lists(st.booleans(), min_size=3, max_size=3))) for act in acts]
        sqlite_harness.clock.now += AN_HOUR
        await one.read()
        for play, act in zip(plays, acts, strict=True):
            done_to(one, play, act)
        await pass_days(one, 13.3)
        await pass_days(one, 1.2)
        await pass_days(one, 1.0)
        ends = [await one.end(play.order_id) for play in plays]
        assert [end and end[2] for end in ends] == [PAID[act] for act in acts], ends
        for end, act in zip(ends, acts, strict=True):
            assert act != "undo" or end is None or end[0] == end[4]  # the whole base again
        assert (await audit(sqlite_harness.store, sqlite_harness.clock))["violations"] == []


@pytest.mark.parametrize("act", ["delete", "trash", "again"])
async def test_control_without_the_last_look_it_is_paid(sqlite_harness: Harness, act: str) -> None:
    sqlite_harness.clock.now = NOON + DAY
    async with connected(sqlite_harness, STORES["woocommerce"]()) as one:
        play = await lived(one, act, [True])
        await set_last_look(sqlite_harness.store, sqlite_harness.clock, one.shop.connection_id, "off")
        done_to(one, play, act)
        await pass_days(one, 16)
        end = await one.end(play.order_id)
        assert end is not None
        assert end[2] == "PAYABLE"
        assert await list_order_reviews(sqlite_harness.store) == []
