"""Another order came under a known number, and a person says that it is one: it becomes an order of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypedDict

import orjson

from hub.clock import Clock
from hub.intake.rules import IntakeState, plan_batch
from hub.intake.submission import RequestGuards, Submission, order_submission
from hub.operations.errors import OperatorFault
from hub.operations.orders.conversions import require_conversion
from hub.operations.trail import note_act
from hub.processing.identity import OTHER_ORDER
from hub.processing.write_decisions import wake_parked
from hub.storage import Row, Store, Tx
from hub.validation.inputs import ConversionInput

MOST: Final = 100


class SeparatedOrders(TypedDict):
    """The numbers under which other orders of one number count from now on, such as 576~2."""

    conversionId: str
    orders: list[str]


class WaitingOrder(NamedTuple):
    """Another order that came under a known number: as which it would count, and since when it waits (ms UTC)."""

    number: str
    asked_at: int


async def waiting_orders(store: Store, account_id: str, number: str) -> list[WaitingOrder]:
    """Return the other orders that came under an account's number and wait for an answer, the oldest first."""
    async with store.read() as tx:
        rows = await tx.all("namesakes_waiting", account_id=account_id, external_order_id=number, limit=MOST)
    return [WaitingOrder(row["own_number"], row["asked_at"]) for row in rows]


async def separate_orders(store: Store, clock: Clock, conversion_id: str) -> SeparatedOrders:
    """Count the other orders that came under an order's number as orders of their own, and close the questions.

    What arrived of them is decided now: each has its own click and commission. Raise `OperatorFault` if the conversion
    is unknown or no other order waits under its number.
    """
    async with store.write() as tx:
        conversion, now = (await require_conversion(tx, conversion_id)).conversion, clock()
        account_id, number = conversion.account_id, conversion.external_order_id
        await tx.lock_orders([(account_id, number)])
        where = {"account_id": account_id, "external_order_id": number}
        rows = await tx.all("namesakes_waiting", **where, limit=MOST)
        if not rows:
            raise OperatorFault(
                f"No other order waits under the number of {conversion_id}.",
                command="`hub conversion questions` lists those that do, as other_order.",
            )
        await tx.run("confirm_namesakes", **where, now=now)
        await _report(tx, account_id, [row for row in rows if row["report"] is not None], now)
        numbers = [row["own_number"] for row in rows]
        await wake_parked(tx, [(account_id, each) for each in numbers], now)
        note = f"It is an order of its own: {', '.join(numbers)}."
        await tx.run(
            "close_reviews_for", account_id=account_id, conversion_id=conversion_id, reason=OTHER_ORDER, note=note,
            now=now,
        )  # fmt: skip
        after = {"externalOrderId": number, "orders": numbers}
        await note_act(tx, now, "conversion.separated", conversion_id, after=after)
        return {"conversionId": conversion_id, "orders": numbers}


async def _report(tx: Tx, account_id: str, rows: Sequence[Row], now: int) -> None:
    """Report the orders that came by the API or a file, each under its own number."""
    submissions = [
        _submission(account_id, row["own_number"], orjson.loads(row["report"]), row["asked_at"]) for row in rows
    ]
    if submissions:
        await tx.insert_all(plan_batch(submissions, IntakeState(), now).rows(now))


def _submission(account_id: str, number: str, report: dict[str, Any], received_at: int) -> Submission:
    body = {**report, "externalOrderId": number}
    order = ConversionInput(external_order_id=number, order_amount=report["orderAmount"])
    return order_submission(RequestGuards(account_id), order, orjson.dumps(body).decode(), received_at)
