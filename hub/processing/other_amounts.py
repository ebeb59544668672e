"""A second report of an order that says something else of it: the first one counts, and a person is asked.

Another amount is a question about the order; another click or another day is the question whether it is another order.

Intake notes each report of an order that is claimed already (`repeated_reports`), whether it came as a request or as a
row of a file. The worker compares it with the order once that is decided, which may be later than the report. It looks
for such reports while no event waits, and now and then beside events, so that a batch seldom waits for one more query.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import orjson

from hub.domain.instants import format_instant
from hub.domain.money import format_money, to_minor
from hub.processing.identity import OTHER_ORDER, Namesakes, Placed, another, namesakes_by_order, which_order
from hub.processing.ledger_rows import OrderReview, review_key
from hub.processing.snapshots import AMOUNT_DIFFERS
from hub.storage import Row, Tx


def other_amount(stored_minor: int, stored_currency: str, amount: Decimal, currency: str) -> dict[str, Any] | None:
    """Return both amounts as an explanation shows them if a report differs from the order, else None."""
    if currency == stored_currency and to_minor(amount, currency) == stored_minor:
        return None
    return {
        "stored": format_money(stored_minor, stored_currency),
        "storedCurrency": stored_currency,
        "reported": format_money(to_minor(amount, currency), currency),
        "reportedCurrency": currency,
    }


async def compare_repeated_reports(tx: Tx, rows: Sequence[Row], now: int) -> None:
    """Compare these rows of `repeated_reports_due` with their orders, open the questions, and delete the rows.

    What differs is also in the explanation of the event that reported the order first. `now` is milliseconds UTC.
    """
    orders = sorted({(row["account_id"], row["external_order_id"]) for row in rows})
    await tx.lock_orders(orders)
    reviews, explanations = await _ask_which(tx, [row for row in rows if _born(row) is not None], now), []
    for row in [row for row in rows if _born(row) is None]:
        found = other_amount(row["order_minor"], row["order_currency"], Decimal(row["amount"]), row["currency"])
        if found is None:
            continue
        key = review_key(AMOUNT_DIFFERS, found)
        reviews.append(
            OrderReview(row["account_id"], row["conversion_id"], key, row["event_id"], AMOUNT_DIFFERS,
                        orjson.dumps(found).decode(), now)
        )  # fmt: skip
        if row["explanation"] is not None:
            explanation = {**orjson.loads(row["explanation"]), "amountDiffers": found}
            explanations.append((row["account_id"], row["event_id"], orjson.dumps(explanation).decode()))
    if reviews:
        await tx.run("open_order_reviews", reviews=reviews)
        await tx.run("explain_events", events=list({(a, e): (a, e, text) for a, e, text in explanations}.values()))
    await tx.run("forget_repeated_reports", reports=[(row["account_id"], row["repeat_id"]) for row in rows])


async def _ask_which(tx: Tx, rows: Sequence[Row], now: int) -> list[OrderReview]:
    """Note the other orders that these rows report under known numbers; return the questions about them."""
    if not rows:
        return []
    orders = sorted({(row["account_id"], row["external_order_id"]) for row in rows})
    known = namesakes_by_order(await tx.all("namesakes_of", orders=orders))
    reviews = []
    for row in rows:
        key = (row["account_id"], row["external_order_id"])
        shared, born = known.setdefault(key, Namesakes(key)), _born(row) or ""
        number = shared.number_of(born, None, now, row["report"])
        if number in shared.confirmed:
            continue
        asked, details = which_order(_stored(row), orjson.loads(row["report"]), born, number)
        shown = orjson.dumps(details).decode()
        reviews.append(
            OrderReview(key[0], row["conversion_id"], asked, row["event_id"], OTHER_ORDER, shown, now)
        )  # fmt: skip
    new = [each for shared in known.values() for each in shared.new]
    if new:
        await tx.run("insert_namesakes", namesakes=new)
        counts = [(*shared.key, len(shared.numbers)) for shared in known.values() if shared.new]
        await tx.run("count_namesakes", orders=counts)
    return reviews


def _born(row: Row) -> str | None:
    """Return what makes a repeated report one of another order, None if it is of the known one."""
    return another(
        Placed(row["order_click_id"], row["order_ordered_at"], row["order_received_at"]),
        Placed(row["click_id"], row["ordered_at"], row["received_at"]),
    )


def _stored(row: Row) -> dict[str, Any]:
    return {
        "orderAmount": format_money(row["order_minor"], row["order_currency"]),
        "currency": row["order_currency"],
        "clickId": row["order_click_id"],
        "orderedAt": format_instant(row["order_ordered_at"]),
    }
