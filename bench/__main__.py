"""`make bench`: the hub beside a bare aiohttp handler, A B A B, medians and ratios; kept as JSON."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
from rich.console import Console
from rich.table import Table

from bench.load import Measured, get, post, signed_orders
from bench.servers import Account, bare_process, hub_process

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "5"))
CONNECTIONS = 64
MOST_PER_SECOND = 30_000
RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Runs every measure and prints a table of ratios to the bare handler."""
    if shutil.which("wrk") is None:
        sys.exit("The benchmark needs wrk to make its load: apt-get install wrk")
    measures: dict[str, Callable[[], Measured]] = {
        "bare aiohttp": bare,
        "conversions, accepted": lambda: conversions(worker=False),
        "conversions, accepted and decided": lambda: conversions(worker=True),
        "clicks": clicks,
    }
    runs: dict[str, list[Measured]] = {name: [] for name in measures}
    for _ in range(ROUNDS):
        for name, measure in measures.items():
            runs[name].append(measure())
    report(runs)


def bare() -> Measured:
    """The limit of the machine."""
    account = Account("ak_test_bench", "secret", "")
    with bare_process() as base_url, signed_orders(account, SECONDS * MOST_PER_SECOND, "B") as orders:
        return post(base_url, "/api/v1/conversions", orders, account.key, seconds=SECONDS, connections=CONNECTIONS)


def conversions(*, worker: bool) -> Measured:
    """Signed durable conversions, each order new; with the worker on, those that are decided within the time."""
    with hub_process(worker=worker) as hub, signed_orders(hub.account, SECONDS * MOST_PER_SECOND // 2, "C") as orders:
        measured = post(hub.base_url, "/api/v1/conversions", orders, hub.account.key, seconds=SECONDS,
                        connections=CONNECTIONS)  # fmt: skip
        _require_conservation(measured, hub.audit())
        return measured


def clicks() -> Measured:
    """Tracking links with a durable click before each redirect."""
    with hub_process(worker=False) as hub:
        return get(hub.base_url, hub.account.link, seconds=SECONDS, connections=CONNECTIONS)


def _require_conservation(measured: Measured, audit: dict[str, Any]) -> None:
    """Every acknowledged order is there; a few more may be, whose answer came when the time was over."""
    if audit["violations"] or audit["accepted"] < measured.answers - measured.refused:
        sys.exit(f"{measured.answers - measured.refused} orders were acknowledged, and the audit says {audit}")


def report(runs: dict[str, list[Measured]]) -> None:
    """Prints medians and ratios, and keeps them."""
    limit = median(run.per_second for run in runs["bare aiohttp"])
    rows = {
        name: {
            "perSecond": round(median(run.per_second for run in measured)),
            "ofBare": round(median(run.per_second for run in measured) / limit, 2),
            "p50Ms": round(median(run.p50_ms for run in measured), 1),
            "p99Ms": round(median(run.p99_ms for run in measured), 1),
            "refused": sum(run.refused for run in measured),
        }
        for name, measured in runs.items()
    }
    machine = {
        "python": platform.python_version(), "aiohttp": aiohttp.__version__, "sqlite": sqlite3.sqlite_version,
        "cores": os.cpu_count(), "machine": platform.machine(), "rounds": ROUNDS, "seconds": SECONDS,
        "connections": CONNECTIONS,
    }  # fmt: skip
    table = Table(title=f"{machine}", box=None)
    for column in ("measure", "a second", "of bare", "p50 ms", "p99 ms", "refused"):
        table.add_column(column)
    for name, row in rows.items():
        table.add_row(name, *(str(value) for value in row.values()))
    Console().print(table)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "latest.json").write_text(json.dumps({"machine": machine, "measures": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
