"""The check of a connection: what has arrived, what is missing, and what the store owner should look at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from attrs import frozen

from hub.domain.delivery_addresses import address_fault
from hub.domain.instants import format_instant
from hub.ids import id_at
from hub.operations.connections.connection_documents import ConnectionCheckDocument, TopicDocument, connection_document
from hub.operations.connections.connections import ConnectionAdmin, connection_row
from hub.operations.connections.platform_problems import PlatformFindings, find_platform, platform_problems
from hub.operations.system.erasures import ErasureDocument, erasures_of
from hub.plugin_host.catalog import Catalog
from hub.storage import Row

DAY_MS = 86_400_000
SILENT_MS = 7 * DAY_MS
"""Platforms turn off webhooks without notice, so a week without a delivery is a problem."""
ALL = 2**53
NEWEST_ORDERS = 20
NEWEST_FAILURES = 5
"""Each is named with its order and why; those of more than a week ago are history."""
FEWEST_ORDERS = 3
"""That none of fewer orders than this names a click may be chance."""
SIGNATURE_CODES = ("bad_signature", "missing_header", "duplicate_header", "no_secret")


@frozen
class Findings:
    """What is stored of a connection; `facts` are counted by status, times are in ms UTC."""

    row: Row
    arrivals: Sequence[Row]
    facts: dict[str, int]
    orders: Sequence[Row]
    refusals: Sequence[Row]
    failures: Sequence[Row]
    erasures: Sequence[ErasureDocument]
    has_secret: bool
    platform: PlatformFindings
    url: str
    now: int

    @property
    def last_at(self) -> int | None:
        """When the last delivery arrived (ms UTC); None if none has."""
        return max((row["last_at"] for row in self.arrivals), default=None)


async def check_connection(admin: ConnectionAdmin, connection_id: str, *, newest: int = ALL) -> ConnectionCheckDocument:
    """Return what arrived over a connection and what is wrong with it; raise `OperatorFault` if it is unknown.

    Only the `newest` deliveries are counted.
    """
    now = admin.clock()
    async with admin.store.read() as tx:
        row = await connection_row(tx, connection_id)
        account_id = row["account_id"]
        where = {"account_id": account_id, "connection_id": connection_id}
        news = await tx.all("connection_order_news", account_id=account_id, connection_id=connection_id, limit=newest)
        findings = Findings(
            row=row,
            arrivals=await tx.all("connection_arrivals", **where, limit=newest),
            facts={each["status"]: each["facts"] for each in news},
            orders=await tx.all("connection_orders", **where, limit=NEWEST_ORDERS),
            refusals=await tx.all(
                "connection_refusals", account_id=account_id, since=now - DAY_MS, path=f"/connect/{connection_id}"
            ),
            failures=await tx.all(
                "connection_failures", **where, since=id_at("evt", now - SILENT_MS), limit=NEWEST_FAILURES
            ),
            erasures=await erasures_of(tx, connection_id),
            has_secret=any(e["expiresAt"] is None or e["expiresAt"] > now for e in json.loads(row["secrets"])),
            platform=await find_platform(tx, account_id, connection_id),
            url=admin.url(connection_id),
            now=now,
        )
    problems = list(_problems(findings, await admin.plugins.catalog()))
    return {
        **connection_document(row, admin.url(connection_id)),
        "topics": _topics(findings.arrivals),
        "lastDeliveryAt": None if findings.last_at is None else format_instant(findings.last_at),
        "orderNews": findings.facts,
        "newestOrders": len(findings.orders),
        "newestOrdersWithClick": sum(order["click_id"] is not None for order in findings.orders),
        "refusedToday": {each["error_code"]: each["refusals"] for each in findings.refusals},
        "problems": problems,
        "ok": not problems,
    }


def _topics(arrivals: Sequence[Row]) -> list[TopicDocument]:
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


def _problems(findings: Findings, catalog: Catalog) -> Iterator[str]:
    connection_id = findings.row["connection_id"]
    if findings.row["status"] != "ACTIVE":
        yield "The connection is closed; its deliveries are refused."
        return
    connector = findings.row["connector"]
    if (aside := catalog.set_aside_for(connector)) is not None:
        yield f"The connector {connector} is set aside: {aside.sentence}."
    elif catalog.named(connector) is None:
        yield f"No installed plugin has the connector {connector}; install it again."
    if not findings.has_secret:
        yield f"It has no secret, so every delivery is refused; give it one: hub connection secret add {connection_id}"
    for erasure in findings.erasures:
        yield (
            f"Everything of it is erased at {erasure['dueAt']}, as the platform asked; if the store has not left, "
            f"revoke that: hub connection keep {connection_id}"
        )
    yield from _refused(findings)
    declared = catalog.named(connector)
    requests = None if declared is None else declared.requests
    yield from platform_problems(findings.platform, requests, connection_id, findings.now)
    if findings.last_at is None:
        yield "Nothing has ever arrived. Look at the steps once more: the URL, and that the webhooks are active."
        if (fault := address_fault(findings.url)) is not None:
            yield fault
        return
    if findings.now - findings.last_at >= SILENT_MS:
        yield (
            f"It has been silent since {format_instant(findings.last_at)}. Platforms turn webhooks off after failures: "
            "see whether they are still active there."
        )
    yield from _missing(findings)


def _reason(row: Row) -> str:
    """Return why a delivery could not be read, and what to do."""
    said = json.loads(row["explanation"] or "{}").get("skipReason") or "unknown"
    mend = f"hub event replay {row['event_id']}"
    return f"{said.removeprefix('unmappable: ')}. Once that is mended: {mend}"


def _refused(findings: Findings) -> Iterator[str]:
    others = sum(each["refusals"] for each in findings.refusals if each["error_code"] == "another_site")
    if others:
        yield (
            f"{others} deliveries within a day came from another site than {findings.row['source']}, such as a copy of "
            "the shop, and were refused. If the shop has moved: "
            f"hub connection site {findings.row['connection_id']} --any"
        )
    wrong = sum(each["refusals"] for each in findings.refusals if each["error_code"] in SIGNATURE_CODES)
    away = sum(each["refusals"] for each in findings.refusals if each["error_code"] == "connector_missing")
    if away:
        yield (
            f"{away} deliveries were answered 503 within a day, because the running hub had no connector for them; "
            "the platform sends them again. See `hub plugin list`."
        )
    if wrong:
        yield (
            f"{wrong} deliveries were refused within a day for their signature: the secret there and the one here "
            "differ, or something between changes the body."
        )


def _missing(findings: Findings) -> Iterator[str]:
    for row in findings.failures:
        order = row["external_order_id"]
        about = "A delivery" if order is None else f"Order {order}"
        yield f"{about} could not be read ({row['event_id']}): {_reason(row)}"
    if not findings.orders:
        yield "No order has arrived yet; see that the order topics are among the webhooks."
    elif "paid" not in findings.facts:
        yield "No order has been reported as paid yet; see that the topic for payments or updates is there."
    if len(findings.orders) >= FEWEST_ORDERS and all(order["click_id"] is None for order in findings.orders):
        yield (
            f"None of the last {len(findings.orders)} orders names a click; see that the capture script is in the shop "
            "(docs/capture.md)."
        )
