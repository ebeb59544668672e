"""One merchant's latency beside another's heaviest lawful load: each body is as large and as full as it may be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

from bench import steady, traffic
from bench.ledger import audited_hub
from bench.options import SECONDS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import Server
from bench.traffic import Credentials
from bench.workbench import Stage, Workbench, click_on, hub

ORDERS_A_SECOND = 50
HEAVY_A_SECOND = 10
"""Bodies of a megabyte each: ten times as much as a shop of a million orders a day sends."""
LINES = 1_000
METADATA_BYTES = 4_000
VALUES = 49_000


def _webhook(number: int, click: str) -> tuple[str, dict[str, object]]:
    """Return an order whose lines can be read: each has a product and a rule of its own to look for."""
    lines = [
        {"external_product_id": f"{place:04}".ljust(120, "p"), "quantity": 1, "amount": "1.00", "note": "n" * 800}
        for place in range(LINES)
    ]
    order = {"external_order_id": f"heavy-{number}", "order_amount": "1000.00", "currency": "EUR", "click_id": click}
    return "/api/v1/webhooks/order-created", {**order, "lines": lines}


def _values(number: int, click: str) -> tuple[str, dict[str, object]]:
    """Return an order with as many values in fields that nobody knows as a body may hold."""
    order = {"externalOrderId": f"full-{number}", "orderAmount": "1.00", "clickId": click}
    return "/api/v1/conversions", {**order, "x": [{}] * (VALUES // 2)}


def _metadata(number: int, click: str) -> tuple[str, dict[str, object]]:
    order = {"externalOrderId": f"meta-{number}", "orderAmount": "1.00", "clickId": click}
    return "/api/v1/conversions", {**order, "metadata": {"m": ["x"] * (METADATA_BYTES // 4)}}


KINDS = {"webhooks of 1,000 lines": _webhook, "bodies full of values": _values, "orders full of metadata": _metadata}


def _heavy(kind: str, credentials: Credentials, click: str, how_many: int) -> Iterator[bytes]:
    for number in range(how_many):
        path, body = KINDS[kind](number, click)
        raw = json.dumps(body).encode()
        request = credentials.request("POST", path, raw)
        event_id = f"X-External-Event-Id: heavy-{number}\r\n".encode()
        yield request.replace(b"Content-Type:", event_id + b"Content-Type:", 1)


def _orders(bench: Workbench, kind: str | None) -> Figures:
    kept: list[str] = []
    with audited_hub(bench, worker=True, acknowledged=kept) as (stage, server), ExitStack() as beside:
        how_many = int(ORDERS_A_SECOND * SECONDS) + 1
        requests = traffic.conversions(stage.credentials, stage.clicks, tag="N", how_many=how_many)
        sent = traffic.write(bench.folder / "quiet", requests, threads=1)
        if kind is not None:
            number = int(HEAVY_A_SECOND * SECONDS) + 1
            heavy = traffic.write(bench.folder / "heavy", _heavy(kind, *_neighbour(stage, server), number), threads=1)
            load = steady.start(server.base_url, heavy, rate=HEAVY_A_SECOND, seconds=SECONDS)
            beside.callback(lambda: kept.extend(steady.collect(load, heavy).acknowledged))
        answers = steady.load(server.base_url, sent, rate=ORDERS_A_SECOND, seconds=SECONDS)
        kept += answers.acknowledged
    return {"perSecond": float(ORDERS_A_SECOND), "p50Ms": answers.p50_ms, "p99Ms": answers.p99_ms}


def _neighbour(stage: Stage, server: Server) -> tuple[Credentials, str]:
    """Return the key of a second merchant, and a click that its orders name: each of their lines has a commission."""
    merchant = hub(
        stage.database, "merchant", "create", "--name", "Neighbour", "--email", "n@other.example",
        "--domain", "other.example", "--commission", "PERCENTAGE:8", "--approve",
    )  # fmt: skip
    whose = ("--merchant", merchant["id"], "--mode", "test")
    key = hub(stage.database, "key", "create", *whose)
    affiliate = hub(stage.database, "affiliate", "create", "--name", "Bea", "--email", "bea@blog.example")
    link = hub(stage.database, "link", "create", *whose, "--affiliate", affiliate["id"])
    return Credentials(key["keyId"], key["signingSecret"]), click_on(f"{server.base_url}/t/{link['code']}")


ALONE = Side("orders of one merchant alone", partial(_orders, kind=None))
BESIDE = tuple(Side(f"the same beside {kind} of another", partial(_orders, kind=kind)) for kind in KINDS)

MEASURE = Measure(
    "neighbours",
    "one merchant's orders beside another merchant's heaviest lawful load",
    (ALONE, *BESIDE),
    tuple(
        Requirement(f"p99 {side.name.removeprefix('the same ')}, times alone", Value(side, "p99Ms", ALONE), most=3)
        for side in BESIDE
    ),
)
