"""Upserts of 5,000 products: how many items a second, and their effect on conversions that come in at the same time."""

from __future__ import annotations

import http.client
import json
import subprocess
import time
from collections.abc import Iterator

from bench import steady, traffic, wrk
from bench.faults import Mismatch
from bench.ledger import audited_hub
from bench.measures.conversions import conversions
from bench.options import SECONDS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import Server
from bench.traffic import Credentials
from bench.workbench import Stage, Workbench

ITEMS = 5_000
TARGET = "/api/v1/products/upsert"
PAUSE = 1.0
"""Seconds from one upsert to the next beside conversions."""


def upserts(credentials: Credentials) -> Iterator[bytes]:
    """Yield signed upserts without end; half of the items of each are new, the other half change their price."""
    number = 0
    while True:
        first = number * ITEMS // 2
        items = [_item(n, f"{10 + number % 90}.00") for n in range(first, first + ITEMS)]
        yield credentials.request("POST", TARGET, json.dumps({"products": items}).encode())
        number += 1


def _item(number: int, price: str) -> dict[str, str]:
    return {
        "externalProductId": f"SKU-{number}", "name": f"Lantern number {number}", "price": price, "currency": "USD",
        "productUrl": f"https://shop.example/p/{number}", "category": "lights", "brand": "Fjord & Fern",
        "stockStatus": "in_stock",
    }  # fmt: skip


class Uploader:
    """Sends ready requests over one connection, each after the answer to the one before."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection(server.base_url.removeprefix("http://"), timeout=60)
        self._connection.connect()

    def send(self, request: bytes) -> None:
        """Send one and wait for its answer; raise `Mismatch` unless every item was taken."""
        self._connection.sock.sendall(request)
        answer = http.client.HTTPResponse(self._connection.sock)
        answer.begin()
        found = json.loads(answer.read())
        if answer.status != 202 or found.get("created", 0) + found.get("updated", 0) != ITEMS:
            raise Mismatch(f"An upsert of {ITEMS} products was answered with {answer.status}: {str(found)[:300]}")


def fill(stage: Stage, server: Server) -> None:
    """Give a stage its first products."""
    Uploader(server).send(next(upserts(stage.credentials)))


def _alone(bench: Workbench) -> Figures:
    sent, busy = 0, 0.0
    with audited_hub(bench, worker=True, acknowledged=[]) as (stage, server):
        uploader = Uploader(server)
        ready = upserts(stage.credentials)
        while busy < SECONDS:
            request = next(ready)
            began = time.perf_counter()
            uploader.send(request)
            busy += time.perf_counter() - began
            sent += 1
    return {"perSecond": sent * ITEMS / busy, "upsertMs": busy / sent * 1000}


def _beside_conversions(bench: Workbench) -> Figures:
    kept: list[str] = []
    with audited_hub(bench, worker=False, acknowledged=kept) as (stage, server):
        fill(stage, server)
        full = wrk.load(server, conversions(bench, stage))
        rate = full.per_second / 2
        alone = _steady(bench, stage, server, "alone", rate)
        quiet = steady.collect(*alone)
        during = _steady(bench, stage, server, "during", rate)
        _upsert_until_over(server, stage, during[0])
        busy = steady.collect(*during)
        kept += [*full.acknowledged, *quiet.acknowledged, *busy.acknowledged]
    return {
        "perSecond": rate,
        "p99Ms": busy.p99_ms,
        "aloneP99Ms": quiet.p99_ms,
        "refused": quiet.refused + busy.refused,
    }


def _steady(
    bench: Workbench, stage: Stage, server: Server, tag: str, rate: float
) -> tuple[subprocess.Popen[bytes], traffic.Traffic]:
    requests = traffic.conversions(stage.credentials, stage.clicks, tag=tag, how_many=int(rate * SECONDS) + 1)
    sent = traffic.write(bench.folder / tag, requests, threads=1)
    return steady.start(server.base_url, sent, rate=rate, seconds=SECONDS), sent


def _upsert_until_over(server: Server, stage: Stage, load: subprocess.Popen[bytes]) -> None:
    uploader = Uploader(server)
    ready = upserts(stage.credentials)
    request = next(ready)
    while load.poll() is None:
        began = time.monotonic()
        uploader.send(request)
        request = next(ready)
        time.sleep(max(0.0, began + PAUSE - time.monotonic()))


UPSERTS = Side("upserts of 5,000 products, SQLite", _alone)
BESIDE = Side("conversions at half load beside an upsert a second", _beside_conversions)

MEASURE = Measure(
    "products",
    "products/upsert of 5,000 items, and its effect on conversions that come in meanwhile",
    (UPSERTS, BESIDE),
    (
        Requirement("upserted items a second", Value(UPSERTS), least=40_000),
        Requirement("p99 of conversions during upserts / alone", Value(BESIDE, "p99Ms", BESIDE, "aloneP99Ms"), most=2),
    ),
)
