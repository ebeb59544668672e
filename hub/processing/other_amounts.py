"""A second report of an order with another amount: the first one counts, and a person is asked.

Intake notes each report of an order that is claimed already (`repeated_reports`), whether it came as a request or as a
row of a file. The worker compares it with the order once that is decided, which may be later than the report. It looks
for such reports while no event waits, and now and then beside events, so that a batch seldom waits for one more query.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import orjson

from hub.domain.money import format_money, to_minor
from hub.processing.ledger_rows import OrderReview
from hub.processing.snapshots import AMOUNT_DIFFERS, review_key
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
    await tx.lock_orders({(row["account_id"], row["external_order_id"]) for row in rows})
    reviews, explanations = [], []
    for row in rows:
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
