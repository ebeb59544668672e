"""A shop's year as rows that both doors take, and everything the hub made of it as comparable bytes."""

from __future__ import annotations

import csv
import json
import random
import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from hub.csv_import.kinds import KINDS
from hub.domain.instants import format_instant
from hub.testing.clock import NOON

Row = dict[str, Any]

# What the doors have of their own is no part of what they bring about: signatures, uploads and the request log.
TABLES = (
    "SELECT * FROM products ORDER BY external_product_id",
    "SELECT * FROM claims ORDER BY scope, claim_key",
    """SELECT e.*, p.body FROM events AS e JOIN claims AS c USING (account_id, event_id)
       LEFT JOIN payloads AS p USING (account_id, event_id) ORDER BY c.scope, c.claim_key""",
    "SELECT * FROM parked_news ORDER BY external_order_id, event_id",
    "SELECT * FROM conversions ORDER BY external_order_id",
    "SELECT * FROM order_facts ORDER BY external_order_id, fact_key",
    """SELECT m.* FROM commissions AS m JOIN conversions AS c USING (account_id, conversion_id)
       ORDER BY c.external_order_id""",
    """SELECT r.reason, r.details FROM order_reviews AS r JOIN conversions AS c USING (account_id, conversion_id)
       ORDER BY c.external_order_id, r.review_key""",
)


def ledger(database: Path, *, without: Collection[str] = ()) -> bytes:
    """Every row that rows of a shop bring about; ids made at random are numbered as they come.

    `without` names columns that are left out.
    """
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    try:
        rows = [row for table in TABLES for row in connection.execute(table)]
        lines = [json.dumps({name: row[name] for name in row.keys() if name not in without}) for row in rows]  # noqa: SIM118 - a row of sqlite3 iterates over its values
    finally:
        connection.close()
    numbers: dict[str, str] = {}
    named = re.compile(r"\b(evt|cnv|com|prd)_[0-9a-f]{32}\b")
    text = "\n".join(lines)
    return named.sub(lambda found: numbers.setdefault(found[0], f"{found[1]}_{len(numbers)}"), text).encode()


@frozen
class Year:
    """Rows of each kind by the names of the API: most are good, some are not, some come twice."""

    products: Sequence[Row]
    orders: Sequence[Row]
    statuses: Sequence[Row]

    @classmethod
    def of(cls, orders: int, clicks: Sequence[str], campaign: str) -> Year:
        """The same year each time; what comes again comes after everything else."""
        dice = random.Random(20_261_120)
        products = [_product(n, campaign) for n in range(40)]
        sold = [_order(n, dice, clicks) for n in range(orders)]
        news = [status for n in range(0, orders, 5) for status in _news(n, dice)]
        again = [row | {"orderAmount": "1"} for row in sold[: orders // 10]]
        return cls([*products, _product(3, campaign) | {"name": "Again"}], [*sold, *again], news)

    def write(self, folder: Path) -> dict[str, Path]:
        """The rows as files, one of each kind."""
        files = {kind: folder / f"{kind}.csv" for kind in ("products", "orders", "statuses")}
        for kind, path in files.items():
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, KINDS[kind].columns, restval="")
                writer.writeheader()
                writer.writerows(_cells(row) for row in getattr(self, kind))
        return files


def _cells(row: Row) -> Row:
    return {name: json.dumps(value) if isinstance(value, dict) else value for name, value in row.items()}


def _in_order(kind: str, row: Row) -> Row:
    """The row with its fields in the order of the columns, so that both doors get the same bytes."""
    return {name: row[name] for name in KINDS[kind].columns if row.get(name) is not None}


def _product(number: int, campaign: str) -> Row:
    row = {
        "externalProductId": f"SKU-{number}",
        "name": f'Näme, "{number}"\nof two lines',
        "productUrl": f"https://{'shop' if number % 13 else 'other'}.example/p/{number}",
        "price": f"{number + 1}.90",
        "brand": "=1+1",
        "commissionType": "FIXED" if number % 5 == 0 else None,
        "commissionValue": "1.50" if number % 5 == 0 else None,
        "campaignId": campaign if number % 2 else None,
    }
    return _in_order("products", row)


def _order(number: int, dice: random.Random, clicks: Sequence[str]) -> Row:
    row = {
        "externalOrderId": f"O-{number}",
        "orderAmount": "49,90" if number % 50 == 7 else dice.choice(["49.90", "120", "0.01", "999999.99"]),
        "clickId": dice.choice([*clicks, None, "clk_" + "0" * 32]),
        "externalProductId": dice.choice([None, f"SKU-{number % 60}"]),
        "currency": "XXZ" if number % 50 == 9 else dice.choice([None, "USD", "EUR"]),
        "orderStatus": dice.choice([None, "confirmed", "pending", "delivered"]),
        "orderedAt": format_instant(NOON - dice.randrange(60_000, 20 * 86_400_000)),
        "couponCode": dice.choice([None, None, "ada10"]),
        "metadata": dice.choice([None, {"channel": "shop", "note": 'é;\n"x"'}]),
    }
    return _in_order("orders", row)


def _news(number: int, dice: random.Random) -> Iterator[Row]:
    words = ("paid", "delivered", "refunded", "commission_approved", "returned")
    for word in dice.sample(words, 2):
        row = {
            "externalOrderId": f"O-{number if number % 40 else number + 10_000_000}",
            "status": "lost" if number % 50 == 5 else word,
            "statusUpdatedAt": format_instant(NOON - dice.randrange(0, 86_400_000)),
            "reason": dice.choice([None, "-2"]),
        }
        yield _in_order("statuses", row)
