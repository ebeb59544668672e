"""The check of a connection: what has arrived, what is missing, and what the store owner should look at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from attrs import frozen

from hub.domain.connectors.delivery_addresses import Sender, address_fault
from hub.domain.instants import format_instant
from hub.ids import id_at
from hub.operations.connections.connections import ConnectionAdmin, connection_row
from hub.operations.connections.daily_proofs import last_proof, newest_greetings, proofs_stopped
from hub.operations.connections.numbers_again import count_numbers_again, numbers_again
from hub.operations.connections.platform_problems import (
    PlatformFindings,
    consent_problems,
    find_platform,
    is_read_nightly,
    platform_problems,
    webhooks_are_active,
)
from hub.operations.connections.refused_deliveries import refused_deliveries
from hub.operations.connections.shop_clock import wrong_clock
from hub.operations.system.erasures import erasures_of
from hub.platform_sync.connection_secrets import live_secrets
from hub.plugin_host.catalog import Catalog
from hub.records.connections import ConnectionCheckDocument, ErasureDocument, TopicDocument, read_connection
from hub.storage import Row, Tx

DAY_MS = 86_400_000
SILENT_MS = 7 * DAY_MS
"""Platforms turn off webhooks without notice, so a week without a delivery is a problem."""
ALL = 2**53
NEWEST_ORDERS = 20
NEWEST_FAILURES = 5
"""Each is named with its order and why; those of more than a week ago are history."""
FEWEST_ORDERS = 3
"""That none of fewer orders than this names a click may be chance."""


@frozen
class NeverArrived:
    """What there is of a connection over which nothing was delivered.

    `pinged_at` and `proved_at` are when it last answered a ping and a proof of its secret (ms UTC), None if never.
    `in_test` are the merchant's test connections that are still delivered to, rows of `connections_in_test`.
    """

    pinged_at: int | None
    proved_at: int | None
    in_test: Sequence[Row]


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
    never: NeverArrived | None
    questions: int
    namesakes: int
    products: int
    clock: Sequence[str]
    proved_at: int | None
    url: str
    now: int

    @property
    def last_at(self) -> int | None:
        """When the last delivery arrived (ms UTC); None if none has."""
        return max((row["last_at"] for row in self.arrivals), default=None)

    @property
    def last_order_at(self) -> int | None:
        """When the last delivery of an order arrived (ms UTC); None if none has."""
        return max((row["last_order_at"] for row in self.arrivals if row["last_order_at"] is not None), default=None)


async def check_connection(admin: ConnectionAdmin, connection_id: str, *, newest: int = ALL) -> ConnectionCheckDocument:
    """Return what arrived over a connection and what is wrong with it; raise `OperatorFault` if it is unknown.

    Only the `newest` deliveries are counted.
    """
    catalog = await admin.plugins.catalog()
    async with admin.store.read() as tx:
        row = await connection_row(tx, connection_id)
        findings = await _find(tx, row, admin.url(connection_id), admin.clock(), newest, catalog)
    problems = list(_problems(findings, catalog))
    return read_connection(
        ConnectionCheckDocument,
        row,
        findings.url,
        topics=_topics(findings.arrivals),
        last_delivery_at=findings.last_at,
        order_news=findings.facts,
        newest_orders=len(findings.orders),
        newest_orders_with_click=sum(order["click_id"] is not None for order in findings.orders),
        refused_today={each["error_code"]: each["refusals"] for each in findings.refusals},
        problems=problems,
        notes=list(_notes(findings, catalog)),
        ok=not problems,
    )


async def _find(tx: Tx, row: Row, url: str, now: int, newest: int, catalog: Catalog) -> Findings:
    account_id, connection_id, declared = row["account_id"], row["connection_id"], catalog.named(row["connector"])
    where = {"account_id": account_id, "connection_id": connection_id}
    arrivals = await tx.all("connection_arrivals", **where, limit=newest)
    news = await tx.all("connection_order_news", **where, limit=newest)
    return Findings(
        row=row,
        arrivals=arrivals,
        facts={each["status"]: each["facts"] for each in news},
        orders=await tx.all("connection_orders", **where, limit=NEWEST_ORDERS),
        refusals=await tx.all(
            "connection_refusals", account_id=account_id, since=now - DAY_MS, path=f"/connect/{connection_id}"
        ),
        failures=await tx.all(
            "connection_failures", **where, since=id_at("evt", now - SILENT_MS), limit=NEWEST_FAILURES
        ),
        erasures=await erasures_of(tx, connection_id),
        has_secret=bool(live_secrets(json.loads(row["secrets"]), now)),
        platform=await find_platform(tx, account_id, connection_id),
        never=None if arrivals else await _find_never_arrived(tx, row, now),
        questions=(await tx.one("connection_questions", **where) or {"questions": 0})["questions"],
        namesakes=await count_numbers_again(tx, where, now),
        products=(await tx.one("products_total", account_id=account_id) or {"total": 0})["total"],
        clock=await wrong_clock(tx, where, None if declared is None else declared.clock),
        proved_at=await last_proof(tx, where, now, declared),
        url=url,
        now=now,
    )


def _topics(arrivals: Sequence[Row]) -> list[TopicDocument]:
    topics: dict[str, list[Row]] = {}
    for row in arrivals:
        topics.setdefault(row["topic"] or "", []).append(row)
    return [
        TopicDocument(
            topic=topic or None,
            deliveries=sum(row["deliveries"] for row in rows),
            outcomes={row["status"]: row["deliveries"] for row in rows},
            first_at=min(row["first_at"] for row in rows),
            last_at=max(row["last_at"] for row in rows),
        )
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
    yield from numbers_again(findings.namesakes, findings.row["merchant_id"])
    declared = catalog.named(connector)
    delivers = declared is None or declared.must_deliver(has_secret=findings.has_secret)
    if delivers and not findings.has_secret:
        yield _no_secret(connection_id, is_told=declared is not None and declared.tells_secrets)
    for erasure in findings.erasures:
        yield (
            f"Everything from this store is erased at {format_instant(erasure.due_at)}, as the platform asked; if the "
            f"store has not left, cancel that: hub connection keep {connection_id}"
        )
    yield from findings.clock
    yield from refused_deliveries(findings.refusals, findings.row)
    requests = None if declared is None else declared.requests
    sender = Sender(connector) if declared is None else declared.sender
    yield from proofs_stopped(findings.proved_at, findings.last_at, sender.title, findings.now)
    yield from consent_problems(findings.row)
    yield from platform_problems(findings.platform, requests, connection_id, findings.now)
    if findings.never is not None:
        is_active = webhooks_are_active(findings.platform, requests)
        yield from _never_arrived(findings, findings.never, sender, is_active) if delivers else ()
        return
    if not is_read_nightly(findings.platform, findings.now):
        yield from _silent(findings, sender.title)
    yield from _missing(findings, sender.title)


def _no_secret(connection_id: str, *, is_told: bool) -> str:
    if is_told:
        return (
            "It has no secret, so every delivery is refused; give the hub credentials, and it makes the webhook and "
            f"keeps its secret: hub connection credentials {connection_id} --from FILE"
        )
    return f"It has no secret, so every delivery is refused; give it one: hub connection secret add {connection_id}"


def _notes(findings: Findings, catalog: Catalog) -> Iterator[str]:
    """Yield what there is to know of an open connection although nothing is wrong with it."""
    declared, connection_id = catalog.named(findings.row["connector"]), findings.row["connection_id"]
    if findings.row["status"] != "ACTIVE" or declared is None:
        return
    if declared.requests is not None and declared.sends and findings.platform.access is None:
        yield (
            "An order that its webhooks miss is lost, because the hub has no credentials to query the platform; give "
            f"it some: hub connection credentials {connection_id} --from FILE"
        )
    if declared.requests is not None and declared.requests.products is not None and not findings.products:
        mend = f": hub connection catalogue {connection_id}" if findings.platform.access is not None else ""
        yield f"No product of the shop is known yet, so no link can lead to one{mend or '; save one there to send it'}."
    if findings.questions:
        merchant = findings.row["merchant_id"]
        yield (
            f"{findings.questions} questions about its orders wait for a person, such as an edit after the commission "
            f"was payable: hub conversion questions --merchant {merchant}"
        )


async def _find_never_arrived(tx: Tx, row: Row, now: int) -> NeverArrived:
    connection_id, since = row["connection_id"], max(row["created_at"], now - SILENT_MS)
    greeted = await newest_greetings(tx, {"account_id": row["account_id"], "connection_id": connection_id}, since)
    in_test: Sequence[Row] = ()
    if row["mode"] == "live":
        in_test = await tx.all("connections_in_test", merchant_id=row["merchant_id"], connector=row["connector"])
    still = [each for each in in_test if each["last_at"] is not None and each["last_at"] >= since]
    return NeverArrived(greeted.get("POST"), greeted.get("GET"), still)


def _never_arrived(findings: Findings, never: NeverArrived, sender: Sender, webhooks_are_active: bool) -> Iterator[str]:
    greeted = [
        f"{what} (last at {format_instant(at)})"
        for what, at in (("a ping arrived", never.pinged_at), ("its secret is proved", never.proved_at))
        if at is not None
    ]
    if webhooks_are_active:
        yield f"No order has arrived yet. {sender.title} has all webhooks, and they are active: place a test order."
    elif greeted:
        yield (
            f"No order has ever arrived, although {' and '.join(greeted)}. Check in {sender.title} that it sends "
            "orders to the hub, then place a test order."
        )
    else:
        yield (
            f"Nothing has arrived yet. Go through the steps again, and check in {sender.title} that it sends to the "
            "hub."
        )
        if (fault := address_fault(findings.url, sender)) is not None:
            yield fault
    for each in never.in_test:
        yield (
            f"Deliveries still go to the test connection {each['connection_id']} (last at "
            f"{format_instant(each['last_at'])}): if they come from the shop that is to be live, its webhooks "
            "have that connection's URL and secret; give them this connection's."
        )


def _silent(findings: Findings, title: str) -> Iterator[str]:
    if findings.last_at is not None and findings.now - findings.last_at >= SILENT_MS:
        yield (
            f"Nothing has arrived since {format_instant(findings.last_at)}. Platforms stop sending after failures: "
            f"check in {title} that it still sends to the hub."
        )
    elif findings.last_order_at is not None and findings.now - findings.last_order_at >= SILENT_MS:
        yield (
            f"No order has arrived since {format_instant(findings.last_order_at)}, although other deliveries have. "
            f"Platforms may stop sending a single kind: check in {title} that it still sends orders."
        )


def _reason(row: Row) -> str:
    """Return why a delivery could not be read, and what to do."""
    said = json.loads(row["explanation"] or "{}").get("skipReason") or "unknown"
    return f"{said.removeprefix('unmappable: ')}. Once that is fixed, replay it: hub event replay {row['event_id']}"


def _missing(findings: Findings, title: str) -> Iterator[str]:
    for row in findings.failures:
        order = row["external_order_id"]
        about = "A delivery" if order is None else f"Order {order}"
        yield f"{about} could not be read ({row['event_id']}): {_reason(row)}"
    if not findings.orders:
        yield f"No order has arrived yet. Check in {title} that it sends new orders to the hub."
    elif "paid" not in findings.facts:
        yield f"No order has been reported as paid yet. Check in {title} that it sends payments or updates of orders."
    if len(findings.orders) >= FEWEST_ORDERS and all(order["click_id"] is None for order in findings.orders):
        yield (
            f"None of the last {len(findings.orders)} orders has a click. Check that the capture script is in the shop "
            "(docs/capture.md)."
        )
