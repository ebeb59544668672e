"""Whatever is lost, and in whichever order the rest comes, one reading ends in the same ledger as if none were."""

from __future__ import annotations

from itertools import count
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.operations.connections.platform_access import ask_for_read
from tests.platform_sync.acme_shop import Asked, asked
from tests.processing.harness import DAY, NOON, Harness

MINUTE = 60_000
_numbers = count()

steps = st.lists(
    st.fixed_dictionaries({"total": st.sampled_from(["20.00", "50.00", "99.99"]), "cancelled": st.booleans()}),
    min_size=1,
    max_size=4,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, min_size=1, max_size=5), st.data())
async def test_any_subset_lost_in_any_order_and_one_reading_is_as_if_none_were(
    sqlite_harness: Harness, histories: list[list[dict[str, Any]]], data: st.DataObject
) -> None:
    """Orders that are placed, edited, cancelled and restored; any of their messages may be lost, even all."""
    sqlite_harness.clock.now = NOON + DAY
    click = await sqlite_harness.click(await sqlite_harness.campaign(value="8.75"), before_ms=2 * DAY)
    async with asked(sqlite_harness) as one:
        await one.give(days=0)
        whole, holed = _snapshots(click, histories), _snapshots(click, histories)
        for body in (body for bodies in whole.values() for body in bodies):
            await one.shop.tell("order", body, f"d-{next(_numbers)}")
        await one.harness.work()
        ends = [await _end(one, number) for number in whole]
        arriving = [body for bodies in holed.values() for body in bodies if data.draw(st.booleans())]
        for body in data.draw(st.permutations(arriving)):
            await one.shop.tell("order", body, f"d-{next(_numbers)}")
        one.acme.orders = [bodies[-1] for bodies in holed.values()]
        await ask_for_read(one.platforms, one.shop.connection_id, since="3d")
        await one.run()
        (read,) = [each for each in await one.reads() if each["kind"] == "RECONCILIATION"]
        assert (read["status"], read["items"]) == ("DONE", len(histories))
        reached = {body["number"] for body in arriving}
        assert read["unknown"] == len(histories) - len(reached)
        assert [await _end(one, number) for number in holed] == ends


def _snapshots(click: str, histories: list[list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the bodies of each order, by its number."""
    made: dict[str, list[dict[str, Any]]] = {}
    for history in histories:
        number = f"L-{next(_numbers)}"
        known = {"number": number, "paid": True, "placed": NOON - MINUTE, "extra": {"click": click}}
        made[number] = [{**known, "version": NOON + step * MINUTE, **each} for step, each in enumerate(history)]
    return made


async def _end(one: Asked, number: str) -> tuple[object, ...]:
    conversion, commission = await one.harness.conversion(number), await one.harness.commission(number)
    assert conversion is not None
    assert commission is not None
    return (
        conversion["order_minor"], conversion["lines"], commission["state"],
        commission["amount_minor"], commission["hold_until"], commission["terms"],
    )  # fmt: skip


async def test_control_without_the_reading_what_was_lost_stays_lost(sqlite_harness: Harness) -> None:
    """Else the property above would hold of a hub that asks nobody."""
    async with asked(sqlite_harness) as one:
        await one.give(days=0)
        (body,) = _snapshots("", [[{"total": "20.00", "cancelled": False}]]).popitem()[1]
        one.acme.orders = [body]
        await one.run()
        assert await one.harness.conversion(body["number"]) is None
        await ask_for_read(one.platforms, one.shop.connection_id, since="3d")
        await one.run()
        assert await one.harness.conversion(body["number"]) is not None
