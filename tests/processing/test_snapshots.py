"""Orders that change: newer snapshots restate them until their commission is payable, whichever arrives first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.operations.audits.audit import audit
from hub.operations.errors import OperatorFault
from hub.operations.orders.order_reviews import close_order_reviews
from hub.processing import snapshots as snapshots_module
from tests.order_questions import list_order_reviews
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import Shop, connect, order

MINUTE = 60_000
_numbers = count()


@pytest.fixture
async def shop(harness: Harness) -> Shop:
    """A test connection, over either database."""
    return await connect(harness)


@pytest.fixture
async def one(sqlite_harness: Harness) -> Shop:
    """A test connection, over SQLite, for rules that no database can change."""
    return await connect(sqlite_harness)


async def tell(shop: Shop, click: str, body: dict[str, Any], version: int | None) -> dict[str, Any]:
    """Deliver a snapshot of an order; return its event."""
    stated = {**body, "extra": {"click": click}}
    if version is not None:
        stated["version"] = version
    return await shop.event(await shop.tell("order", stated, f"d-{next(_numbers)}"))


async def amounts(shop: Shop, number: str = "A-1") -> tuple[int, str, int]:
    """The order's amount, and its commission's state and amount."""
    conversion, commission = await shop.harness.conversion(number), await shop.harness.commission(number)
    assert conversion is not None
    assert commission is not None
    return conversion["order_minor"], commission["state"], commission["amount_minor"]


async def reviews(shop: Shop) -> list[tuple[str, Any]]:
    """The reasons and details of the questions that are open."""
    return [(row["reason"], json.loads(row["details"])) for row in await shop.rows("order_review_rows")]


@pytest.mark.parametrize(("edited", "due"), [("20.00", 100), ("300.00", 1_500), ("0.00", 0)])
async def test_an_edit_restates_the_order_and_its_commission(shop: Shop, edited: str, due: int) -> None:
    """Goods removed, goods added, and an order saved empty; the ledger and the figures follow."""
    click = await shop.harness.click()
    await tell(shop, click, order(total="100.00", paid=True), NOON)
    event = await tell(shop, click, order(total=edited, paid=True), NOON + MINUTE)
    assert event["status"] == "PROCESSED"
    assert event["explanation"]["restated"]["orderAmount"] == {"before": "100.00", "after": edited}
    assert await amounts(shop) == (int(edited.replace(".", "")), "HOLD", due)
    assert (await audit(shop.harness.store, shop.harness.clock))["violations"] == []


async def test_an_order_saved_empty_and_then_filled_earns(one: Shop) -> None:
    """As other plugins make orders: first the order, then its goods."""
    click = await one.harness.click()
    await tell(one, click, order(total="0.00"), NOON)
    lines = [{"product": "p", "amount": "50.00"}]
    await tell(one, click, order(total="50.00", paid=True, lines=lines), NOON + MINUTE)
    assert await amounts(one) == (5_000, "HOLD", 250)


async def test_an_older_snapshot_changes_nothing(one: Shop) -> None:
    """Deliveries overtake each other."""
    click = await one.harness.click()
    await tell(one, click, order(total="30.00"), NOON + MINUTE)
    event = await tell(one, click, order(total="100.00"), NOON)
    assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "superseded")
    assert await amounts(one) == (3_000, "PENDING", 150)


async def test_an_order_reported_without_a_snapshot_stays_as_it_was_reported(one: Shop) -> None:
    """The shop's own report says what commission is taken from, and a second report is a duplicate."""
    click = await one.harness.click()
    await tell(one, click, order(total="100.00"), None)
    event = await tell(one, click, order(total="30.00"), NOON)
    assert event["explanation"]["skipReason"] == "already_known"
    assert await amounts(one) == (10_000, "PENDING", 500)


async def test_once_payable_a_difference_is_a_review_and_never_silence(one: Shop) -> None:
    """The affiliate may count on what is payable; a person decides, and is asked once."""
    click = await one.harness.click()
    await tell(one, click, order(total="100.00", paid=True), NOON)
    one.harness.clock.now += 15 * DAY
    for later in (MINUTE, 2 * MINUTE):
        event = await tell(one, click, order(total="30.00", paid=True), NOON + later)
        assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "not_allowed_from_payable")
        assert event["explanation"]["restated"]["applied"] is False
    assert await amounts(one) == (10_000, "PAYABLE", 500)
    asked = await reviews(one)
    assert [reason for reason, _ in asked] == ["amount_differs"]
    assert asked[0][1]["orderAmount"] == {"before": "100.00", "after": "30.00"}
    (question,) = await list_order_reviews(one.harness.store)
    assert await close_order_reviews(one.harness.store, one.harness.clock, question.conversion_id, "adjusted") == 1
    assert await list_order_reviews(one.harness.store) == []
    assert (await list_order_reviews(one.harness.store, closed=True))[0].note == "adjusted"
    with pytest.raises(OperatorFault, match="no open question"):
        await close_order_reviews(one.harness.store, one.harness.clock, question.conversion_id, "again")


async def test_another_currency_is_a_review(one: Shop) -> None:
    click = await one.harness.click()
    await tell(one, click, order(total="100.00", currency="EUR"), NOON)
    event = await tell(one, click, order(total="100.00", currency="USD"), NOON + MINUTE)
    assert event["explanation"]["skipReason"] == "currency_changed"
    assert [reason for reason, _ in await reviews(one)] == ["currency_changed"]


async def test_what_contradicts_itself_is_a_review(one: Shop) -> None:
    """It changes nothing, on the first sight of the order and later."""
    click = await one.harness.click()
    for version in (NOON, NOON + MINUTE):
        await tell(one, click, order(unclear="it says both"), version)
    assert await reviews(one) == [("it says both", {})]
    assert await amounts(one) == (10_000, "PENDING", 500)


@pytest.mark.parametrize("late", [False, True])
async def test_an_order_in_a_state_that_nobody_knows_waits_until_one_is_known(one: Shop, late: bool) -> None:
    """The order is there, its hold does not end, and a person is asked once; the shop's later word decides."""
    click = await one.harness.click()
    stands, waits = order(paid=True, placed=NOON), order(paid=True, placed=NOON, state="fraud_check")
    told = [(stands, NOON), (waits, NOON + MINUTE)]
    one.harness.clock.now += 5 * MINUTE
    for body, version in reversed(told) if late else told:
        await tell(one, click, body, version)
    one.harness.clock.now += 40 * DAY
    await tell(one, click, waits, NOON + MINUTE)
    commission = await one.harness.commission("A-1")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == ("HOLD", None)
    asked = "the order is in the state 'fraud_check', which its connector does not know: the commission waits"
    assert await reviews(one) == [(asked, {})]
    assert (await audit(one.harness.store, one.harness.clock))["violations"] == []
    await tell(one, click, stands, NOON + 2 * MINUTE)
    assert (await amounts(one))[1] == "PAYABLE"
    assert (await audit(one.harness.store, one.harness.clock))["violations"] == []


async def test_an_order_that_comes_in_a_state_that_nobody_knows_is_not_lost(one: Shop) -> None:
    """It is stored and shown; what ends it counts as ever."""
    click = await one.harness.click()
    one.harness.clock.now += 5 * MINUTE
    await tell(one, click, order(state="fraud_check"), NOON)
    assert await amounts(one) == (10_000, "PENDING", 500)
    await tell(one, click, order(cancelled=True), NOON + MINUTE)
    assert (await amounts(one))[1] == "REJECTED"


@pytest.mark.parametrize("late", [False, True])
async def test_money_after_a_cancel_earns(one: Shop, late: bool) -> None:
    """The platform's later word counts: it took the cancellation back, even if the news of that overtook it."""
    click = await one.harness.click()
    told = [
        (order(cancelled=True), NOON + MINUTE),
        (order(paid=True), NOON + 2 * MINUTE),
    ]
    await tell(one, click, order(), NOON)
    one.harness.clock.now += 5 * MINUTE
    for body, version in reversed(told) if late else told:
        await tell(one, click, body, version)
    assert await amounts(one) == (10_000, "HOLD", 500)
    assert (await audit(one.harness.store, one.harness.clock))["violations"] == []


async def test_a_cancel_after_it_stood_counts(one: Shop) -> None:
    """The control: only earlier cancellations are taken back."""
    click = await one.harness.click()
    one.harness.clock.now += 5 * MINUTE
    await tell(one, click, order(paid=True), NOON + MINUTE)
    await tell(one, click, order(paid=True, cancelled=True), NOON + 2 * MINUTE)
    assert (await amounts(one))[1] == "REJECTED"


snapshots: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    total=st.sampled_from(["0.00", "33.33", "50.00", "99.99"]),
    paid=st.booleans(),
    cancelled=st.booleans(),
    pieces=st.integers(0, 3),
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[tuple[int, Any]], ...]:
    """The snapshots of one order with their versions, as they were made and twice shuffled with repeats."""
    made = draw(st.lists(snapshots, min_size=1, max_size=5))
    once = [(version, each) for version, each in enumerate(made)]
    if draw(st.booleans()):
        once.append((len(made) - 1, draw(snapshots)))
    return once, *(draw(st.permutations(once + draw(st.lists(st.sampled_from(once), max_size=3)))) for _ in range(2))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories())
async def test_any_order_of_arrival_ends_in_the_same_ledger(
    sqlite_harness: Harness, history: tuple[list[tuple[int, Any]], ...]
) -> None:
    """Edits, and cancellations that were taken back: only what the platform says and when counts."""
    shop = await connect(sqlite_harness)
    click = await sqlite_harness.click(await sqlite_harness.campaign(value="8.75"))
    sqlite_harness.clock.now = NOON + DAY
    ends = [await _end(shop, click, told) for told in history]
    assert ends[0] == ends[1] == ends[2]


async def _end(shop: Shop, click: str, told: Sequence[tuple[int, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    number = f"S-{next(_numbers)}"
    for version, each in told:
        body = {name: value for name, value in each.items() if name != "pieces"}
        pieces = each["pieces"]
        lines = [{"product": f"p-{pieces}", "amount": each["total"], "quantity": pieces}] if pieces else []
        await tell(shop, click, {"number": number, **body, "lines": lines}, NOON + version * MINUTE)
    conversion, commission = await shop.harness.conversion(number), await shop.harness.commission(number)
    assert conversion is not None
    assert commission is not None
    kept = ("order_minor", "lines", "snapshot_version", "stands_at")
    money = ("state", "amount_minor", "base_minor", "hold_until", "source", "terms")
    return {name: conversion[name] for name in kept}, {name: commission[name] for name in money}


async def test_control_without_versions_the_last_to_arrive_would_count(
    one: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the property above would hold of snapshots that never differ."""
    click = await one.harness.click()
    one.harness.clock.now = NOON + DAY
    edits = [(1, {"total": "33.33", "pieces": 0}), (2, {"total": "50.00", "pieces": 0})]
    assert await _end(one, click, edits) == await _end(one, click, edits[::-1])
    monkeypatch.setattr(snapshots_module, "_rank", lambda _: 0)
    assert await _end(one, click, edits) != await _end(one, click, edits[::-1])
