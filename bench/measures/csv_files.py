"""Orders as CSV: a large file by `hub csv apply`, and an upload beside conversions that come in at the same time."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

from bench import steady, traffic, wrk
from bench.faults import Mismatch, Missing
from bench.ledger import audited_hub, require_audit
from bench.measures.conversions import conversions
from bench.options import CSV_ROWS, SECONDS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import HUB, ROOT, Server
from bench.workbench import Stage, Workbench

COLUMNS = ("externalOrderId", "externalProductId", "orderAmount", "currency", "orderStatus", "orderedAt", "couponCode",
           "clickId", "metadata")  # fmt: skip
ROWS_PER_SECOND = 60_000
"""More rows a second than an upload can take: its file must outlast the load beside it."""


def require_command() -> None:
    """Raise `Missing` if this hub has no `hub csv`."""
    done = subprocess.run([*HUB, "csv", "--help"], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise Missing("This hub has no `hub csv` command.")


def write_orders(file: Path, stage: Stage, rows: int) -> None:
    """Write a file of orders, as wide as the conversions of the other measures."""
    bodies = traffic.orders("CSV", rows, stage.clicks)
    with file.open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(COLUMNS)
        for body in bodies:
            order = json.loads(body)
            order["metadata"] = json.dumps(order["metadata"])
            writer.writerow([order[name] for name in COLUMNS])


def _applied(bench: Workbench) -> Figures:
    require_command()
    with bench.stage() as stage:
        file = bench.folder / "orders.csv"
        write_orders(file, stage, CSV_ROWS)
        command = [
            *HUB,
            "csv",
            "apply",
            "orders",
            str(file),
            "--merchant",
            stage.merchant_id,
            "--mode",
            "test",
            "--json",
        ]
        began = time.monotonic()
        process = subprocess.Popen(command, env=stage.database.environment, cwd=ROOT, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        with stage.database.reader() as read:
            ((stored,),) = read("SELECT COUNT(*) FROM claims WHERE scope = 'order'")
        if process.returncode or stored != CSV_ROWS:
            raise Mismatch(f"hub csv apply ended with {process.returncode}; {stored} of {CSV_ROWS} orders are there.")
        require_audit(stage.database)
    return {"perSecond": CSV_ROWS / seconds, "seconds": seconds, "mostMb": usage.ru_maxrss * 1024 / 1e6}


def _upload_beside(bench: Workbench) -> Figures:
    require_command()
    kept: list[str] = []
    with audited_hub(bench, worker=False, acknowledged=kept) as (stage, server):
        full = wrk.load(server, conversions(bench, stage))
        rate = full.per_second / 2
        alone = _steady(bench, stage, server, "alone", rate)
        upload_id = _upload(bench, stage, server)
        during = _steady(bench, stage, server, "during", rate)
        rows = _rows_so_far(stage, server, upload_id)
        kept += [*full.acknowledged, *alone.acknowledged, *during.acknowledged]
    return {
        "perSecond": rate,
        "p99Ms": during.p99_ms,
        "aloneP99Ms": alone.p99_ms,
        "rowsPerSecond": rows / SECONDS,
        "refused": alone.refused + during.refused,
    }


def _steady(bench: Workbench, stage: Stage, server: Server, tag: str, rate: float) -> steady.Steady:
    orders = traffic.conversions(stage.credentials, stage.clicks, tag=tag, how_many=int(rate * SECONDS) + 1)
    return steady.load(
        server.base_url, traffic.write(bench.folder / tag, orders, threads=1), rate=rate, seconds=SECONDS
    )


def _upload(bench: Workbench, stage: Stage, server: Server) -> str:
    file = bench.folder / "upload.csv"
    write_orders(file, stage, ROWS_PER_SECOND * SECONDS)
    upload = _call(stage, server, "POST", "/api/v1/uploads/orders", file.read_bytes())
    return str(upload["uploadId"])


def _rows_so_far(stage: Stage, server: Server, upload_id: str) -> int:
    return int(_call(stage, server, "GET", f"/api/v1/uploads/{upload_id}")["rows"])


def _call(stage: Stage, server: Server, method: str, target: str, body: bytes = b"") -> dict[str, Any]:
    headers = stage.credentials.headers(body)
    request = urllib.request.Request(  # noqa: S310 - a loopback address made here
        server.base_url + target, data=body or None, method=method, headers={**headers, "Content-Type": "text/csv"}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
        found: dict[str, Any] = json.loads(answer.read())
    return found


APPLIED = Side(f"hub csv apply, {CSV_ROWS:,} orders", _applied, once=True)
BESIDE = Side("conversions at half load beside an upload of orders", _upload_beside)

MEASURE = Measure(
    "csv",
    f"{CSV_ROWS:,} orders by `hub csv apply`; conversions while an upload runs",
    (APPLIED, BESIDE),
    (
        Requirement("orders applied a second", Value(APPLIED), least=25_000),
        Requirement("most memory of hub csv apply, MB", Value(APPLIED, "mostMb"), most=200),
        Requirement(
            "p99 of conversions during an upload / alone", Value(BESIDE, "p99Ms", BESIDE, "aloneP99Ms"), most=2
        ),
    ),
)
