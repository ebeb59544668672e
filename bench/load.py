"""Load by wrk: requests signed beforehand, each sent once, so that the generator costs as little as it can."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from bench.servers import Account
from hub.clock import system_clock
from hub.domain.signing import sign

THREADS = 2
SCRIPT = """
local requests, at, thread_count = {}, 0, 0
function setup(thread) thread:set("mine", thread_count); thread_count = thread_count + 1 end
function init(args)
  local number = 0
  for line in io.lines(args[1]) do
    if number % THREADS == mine then
      local timestamp, signature, body = line:match("([^\\t]+)\\t([^\\t]+)\\t(.*)")
      requests[#requests + 1] = wrk.format("POST", args[2], {["X-API-Key"] = args[3], ["X-Timestamp"] = timestamp,
        ["X-Signature"] = signature, ["Content-Type"] = "application/json"}, body)
    end
    number = number + 1
  end
end
function request() at = at + 1; return requests[at] or wrk.format("GET", "/exhausted") end
"""


@frozen
class Measured:
    """One run of wrk: its answers, how many a second, latencies in milliseconds, and answers that were no success."""

    answers: int
    per_second: float
    p50_ms: float
    p99_ms: float
    refused: int


@contextmanager
def signed_orders(account: Account, count: int, tag: str) -> Iterator[Path]:
    """A file of signed conversions with nine fields each, a line a request."""
    with tempfile.TemporaryDirectory(prefix="hub-bench-") as folder:
        path = Path(folder) / "orders.tsv"
        timestamp = str(system_clock() // 1000)
        with path.open("w") as file:
            for number in range(count):
                body = _order(f"{tag}-{number}")
                file.write(f"{timestamp}\t{sign(account.secret.encode(), timestamp, body.encode())}\t{body}\n")
        yield path


def post(base_url: str, path: str, orders: Path, key: str, *, seconds: int, connections: int) -> Measured:
    """Posts the orders for some seconds."""
    script = orders.with_name("post.lua")
    script.write_text(SCRIPT.replace("THREADS", str(THREADS)))
    return _wrk(base_url, seconds, connections, ["-s", str(script)], [str(orders), path, key])


def get(base_url: str, path: str, *, seconds: int, connections: int) -> Measured:
    """Gets one address again and again, as a browser."""
    return _wrk(base_url + path, seconds, connections, ["-H", "User-Agent: Mozilla/5.0 (X11) Chrome/150.0"], [])


def _wrk(url: str, seconds: int, connections: int, options: list[str], arguments: list[str]) -> Measured:
    command = ["wrk", f"-t{THREADS}", f"-c{connections}", f"-d{seconds}s", "--latency", *options, url]
    if arguments:
        command += ["--", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60)
    return Measured(
        answers=int(_found(r"(\d+) requests in", done.stdout)),
        per_second=float(_found(r"Requests/sec:\s+([\d.]+)", done.stdout)),
        p50_ms=_milliseconds(_found(r"50%\s+(\S+)", done.stdout)),
        p99_ms=_milliseconds(_found(r"99%\s+(\S+)", done.stdout)),
        refused=int(_found(r"Non-2xx or 3xx responses: (\d+)", done.stdout, "0")),
    )


def _found(pattern: str, text: str, default: str | None = None) -> str:
    match = re.search(pattern, text)
    if match is None and default is None:
        raise SystemExit(f"wrk said something unexpected:\n{text}")
    return match[1] if match else str(default)


def _milliseconds(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()  # type: ignore[union-attr]  # wrk's own format
    return float(number) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]


def _order(number: str) -> str:
    return json.dumps(
        {
            "externalOrderId": number, "externalProductId": "SKU-1", "orderAmount": "49.90", "currency": "USD",
            "orderStatus": "confirmed", "orderedAt": "2026-11-20T10:00:00Z", "couponCode": "X10",
            "clickId": "clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c", "metadata": {"basket": 1},
        }
    )  # fmt: skip
