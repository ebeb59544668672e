"""Whatever order an order's news arrives in, and however often, the ledger ends the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.domain.orders.facts import ORDER_STATUSES
from tests.processing.harness import NOON, Harness

HOUR = 3_600_000
_numbers = count()


@frozen
class News:
    """One submission about the order: a status, a refund, or the order itself."""

    kind: str
    status: str = ""
    at: int | None = None
    refund_id: str = ""
    amount: str = ""


ORDER = News("order")
statuses = st.builds(
    News,
    kind=st.just("status"),
    status=st.sampled_from(ORDER_STATUSES),
    at=st.one_of(st.none(), st.integers(-5, 3).map(lambda hours: NOON + hours * HOUR)),
)
refunds = st.builds(
    News,
    kind=st.just("refund"),
    refund_id=st.sampled_from(["r1", "r2", "r3"]),
    amount=st.sampled_from(["0.01", "10.00", "33.33", "50.00"]),
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[News], list[News], list[News]]:
    """The news of one order, once as it is and twice shuffled with repeats."""
    told = draw(st.lists(st.one_of(statuses, refunds), min_size=1, max_size=7, unique_by=_identity))
    once = [ORDER, *told]
    repeats = [draw(st.lists(st.sampled_from(once), max_size=4)) for _ in range(2)]
    return once, draw(st.permutations(once + repeats[0])), draw(st.permutations(once + repeats[1]))


def _identity(news: News) -> tuple[str, ...]:
    return (news.kind, news.refund_id) if news.kind == "refund" else (news.status, str(news.at))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories(), st.booleans())
async def test_any_order_of_arrival_and_any_repetition_end_in_the_same_ledger(
    sqlite_harness: Harness, history: tuple[list[News], list[News], list[News]], work_between: bool
) -> None:
    """Conversion, commission, amount and facts are equal for every permutation with duplicates."""
    click = await sqlite_harness.click(await sqlite_harness.campaign(value="8.75"))
    ledgers = [await _ledger(sqlite_harness, told, click, work_between=work_between) for told in history]
    assert ledgers[0] == ledgers[1] == ledgers[2]


async def _ledger(harness: Harness, told: Sequence[News], click: str, *, work_between: bool) -> Any:
    number = f"P-{next(_numbers)}"
    for position, news in enumerate(told):
        await _tell(harness, number, news, click, position)
        if work_between:
            await harness.work()
    await harness.work()
    conversion, commission = await harness.conversion(number), await harness.commission(number)
    assert conversion is not None
    assert commission is not None
    facts = sorted(
        (f["fact_key"], f["status"], f["happened_at"], f["refund"])
        for f in await harness.rows("fact_rows")
        if f["external_order_id"] == number
    )
    kept = ("order_minor", "currency", "confidence", "reason", "affiliate_id", "campaign_id", "ordered_at")
    money = ("state", "amount_minor", "base_minor", "hold_until", "source", "terms")
    return {name: conversion[name] for name in kept}, {name: commission[name] for name in money}, facts


async def _tell(harness: Harness, number: str, news: News, click: str, position: int) -> None:
    if news.kind == "order":
        await harness.order(number, "99.99", clickId=click)
    elif news.kind == "status":
        await harness.status(number, news.status, news.at)
    else:
        await harness.webhook(
            "order-refunded",
            f"{number}-{position}",
            external_order_id=number,
            refund_id=news.refund_id,
            refund_amount=news.amount,
        )
