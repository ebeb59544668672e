"""What has arrived over a connection, what is missing, and what the store owner should look at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from attrs import frozen

from hub.domain.instants import format_instant
from hub.operations.connections import Switchboard, connection_row, document
from hub.operations.documents import Document
from hub.storage import Row

DAY_MS = 86_400_000
SILENT_MS = 7 * DAY_MS
"""Platforms turn off webhooks without a word, so a week without a delivery is worth a look."""
NEWEST_ORDERS = 20
FEWEST_ORDERS = 3
"""Of fewer orders it says nothing that none of them names a click."""
SIGNATURE_CODES = ("bad_signature", "missing_header", "duplicate_header", "no_secret")


@frozen
class Findings:
    """What is known of a connection; times in ms UTC."""

    row: Row
    arrivals: Sequence[Row]
    news: dict[str, int]
    orders: Sequence[Row]
    refusals: Sequence[Row]
    has_secret: bool
    now: int

    @property
    def last_at(self) -> int | None:
        """When the last delivery arrived."""
        return max((row["last_at"] for row in self.arrivals), default=None)


async def check_connection(board: Switchboard, connection_id: str) -> Document:
    """Looks at what arrived; `problems` are sentences, none where all is well. Raises `OperatorFault`."""
    now = board.clock()
    async with board.store.read() as tx:
        row = await connection_row(tx, connection_id)
        account_id = row["account_id"]
        where = {"account_id": account_id, "connection_id": connection_id}
        news = await tx.all("connection_order_news", account_id=account_id, connection_id=connection_id)
        found = Findings(
            row=row,
            arrivals=await tx.all("connection_arrivals", **where),
            news={each["status"]: each["facts"] for each in news},
            orders=await tx.all("connection_orders", **where, limit=NEWEST_ORDERS),
            refusals=await tx.all(
                "connection_refusals", account_id=account_id, since=now - DAY_MS, path=f"/connect/{connection_id}"
            ),
            has_secret=any(e["expiresAt"] is None or e["expiresAt"] > now for e in json.loads(row["secrets"])),
            now=now,
        )
    problems = list(_problems(found, board))
    return {
        **document(board, row),
        "topics": _topics(found.arrivals),
        "lastDeliveryAt": None if found.last_at is None else format_instant(found.last_at),
        "orderNews": found.news,
        "newestOrders": len(found.orders),
        "newestOrdersWithClick": sum(order["click_id"] is not None for order in found.orders),
        "refusedToday": {each["error_code"]: each["refusals"] for each in found.refusals},
        "problems": problems,
        "ok": not problems,
    }


def _topics(arrivals: Sequence[Row]) -> list[Document]:
    topics: dict[str, list[Row]] = {}
    for row in arrivals:
        topics.setdefault(row["topic"] or "", []).append(row)
    return [
        {
            "topic": topic or None,
            "deliveries": sum(row["deliveries"] for row in rows),
            "outcomes": {row["status"]: row["deliveries"] for row in rows},
            "firstAt": format_instant(min(row["first_at"] for row in rows)),
            "lastAt": format_instant(max(row["last_at"] for row in rows)),
        }
        for topic, rows in topics.items()
    ]


def _problems(found: Findings, board: Switchboard) -> Iterator[str]:
    connection_id = found.row["connection_id"]
    if found.row["status"] != "ACTIVE":
        yield "The connection is closed; its deliveries are refused."
        return
    if board.registry.named(found.row["connector"]) is None:
        yield f"No installed plugin has the connector {found.row['connector']}; install it again and restart the hub."
    if not found.has_secret:
        yield f"It has no secret, so every delivery is refused; give it one: hub connection secret add {connection_id}"
    yield from _refused(found)
    if found.last_at is None:
        yield "Nothing has ever arrived. Look at the steps once more: the URL, and that the webhooks are active."
        return
    if found.now - found.last_at >= SILENT_MS:
        yield (
            f"It has been silent since {format_instant(found.last_at)}. Platforms turn webhooks off after failures: "
            "see whether they are still active there."
        )
    yield from _missing(found)


def _refused(found: Findings) -> Iterator[str]:
    wrong = sum(each["refusals"] for each in found.refusals if each["error_code"] in SIGNATURE_CODES)
    if wrong:
        yield (
            f"{wrong} deliveries were refused within a day for their signature: the secret there and the one here "
            "differ, or something between changes the body."
        )


def _missing(found: Findings) -> Iterator[str]:
    failed = sum(row["deliveries"] for row in found.arrivals if row["status"] == "FAILED")
    if failed:
        yield f"{failed} deliveries could not be read; `hub event show` says why of each, and `hub event replay` mends."
    if not found.orders:
        yield "No order has arrived yet; see that the order topics are among the webhooks."
    elif "paid" not in found.news:
        yield "No order has been told to be paid yet; see that the topic for payments or updates is there."
    if len(found.orders) >= FEWEST_ORDERS and all(order["click_id"] is None for order in found.orders):
        yield (
            f"None of the last {len(found.orders)} orders names a click; see that the capture script is in the shop "
            "(docs/capture.md)."
        )
