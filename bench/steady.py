"""Load at a constant rate, in a process of its own: `python -m bench.steady` with a JSON job as its argument.

wrk sends the next request once an answer has come, so a server that pauses gets fewer requests meanwhile. Here a
request is due at its moment whatever happens to the others, and its latency counts from that moment.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import asdict, define, frozen

from bench.options import CONNECTIONS
from bench.servers import ROOT
from bench.traffic import Traffic

HEAD_END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
ACKNOWLEDGED = re.compile(rb"evt_[0-9a-f]{32}|clk_[0-9a-f]{32}")
TICK = 0.001
PATIENCE = 30.0


@frozen
class Job:
    """The requests, where to send them and how many a second; the answers are written to the file."""

    port: int
    rate: float
    seconds: float
    requests: str
    answers: str
    repeats: bool = False
    connections: int = CONNECTIONS


@frozen
class Steady:
    """The answers of a load: latencies in milliseconds, the number of each status, and when each id was acknowledged.

    The moments are seconds of the monotonic clock, which all processes share.
    """

    p50_ms: float
    p99_ms: float
    most_ms: float
    statuses: Mapping[int, int]
    acknowledged: Mapping[str, float]

    @property
    def refused(self) -> int:
        """Return how many answers were not a success."""
        return sum(count for status, count in self.statuses.items() if not 200 <= status < 400)


def start(base_url: str, traffic: Traffic, *, rate: float, seconds: float) -> subprocess.Popen[bytes]:
    """Start to send; `collect` waits for the end."""
    (file,) = traffic.files
    port = int(base_url.rpartition(":")[2])
    job = Job(port, rate, seconds, str(file), f"{file}.answers", traffic.repeats)
    return subprocess.Popen([sys.executable, "-m", "bench.steady", json.dumps(asdict(job))], cwd=ROOT)


def collect(process: subprocess.Popen[bytes], traffic: Traffic) -> Steady:
    """Wait for a load that was started; return its answers."""
    if process.wait():
        raise SystemExit("The load at a constant rate failed.")
    written = json.loads(Path(f"{traffic.files[0]}.answers").read_text())
    latencies = sorted(written["latencies"])
    return Steady(
        percentile(latencies, 50), percentile(latencies, 99), latencies[-1],
        {int(status): number for status, number in written["statuses"].items()}, written["acknowledged"],
    )  # fmt: skip


def load(base_url: str, traffic: Traffic, *, rate: float, seconds: float) -> Steady:
    """Send at the rate for some seconds; return the answers."""
    return collect(start(base_url, traffic, rate=rate, seconds=seconds), traffic)


def percentile(ascending: list[float], part: int) -> float:
    """Return the value that `part` percent of the values do not exceed."""
    return ascending[min(len(ascending) - 1, len(ascending) * part // 100)]


@define(eq=False)
class Line(asyncio.Protocol):
    """One connection, with one request on its way at a time."""

    sender: Sender
    transport: asyncio.Transport | None = None
    due_at: float = 0.0
    received: bytes = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the transport."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the type checker
        self.transport = transport

    def send(self, request: bytes, due_at: float) -> None:
        """Send a request that was due at a moment (seconds of the event loop's clock)."""
        self.due_at = due_at
        if self.transport is not None:
            self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Collect an answer; a complete one frees the connection."""
        self.received += data
        end = self.received.find(HEAD_END)
        if end < 0:
            return
        length = LENGTH.search(self.received, 0, end)
        if len(self.received) < end + 4 + (int(length[1]) if length else 0):
            return
        answer, self.received = self.received, b""
        self.sender.note(self, answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a connection that the server closes before its answer as a failure."""
        if not self.sender.is_over:
            raise ConnectionError(f"the server closed a connection: {exc}")


@define(eq=False)
class Sender:
    """Sends the requests that are due on the connections that are free."""

    requests: Iterator[bytes]
    free: deque[Line]
    waiting: deque[float]
    latencies: list[float]
    statuses: Counter[int]
    acknowledged: dict[str, float]
    is_over: bool = False

    def note(self, line: Line, answer: bytes) -> None:
        """Note an answer, and give its connection the next request that is due."""
        now = time.monotonic()
        self.latencies.append((now - line.due_at) * 1000)
        status = int(answer[9:12])
        self.statuses[status] += 1
        named = ACKNOWLEDGED.search(answer) if status in (202, 302) else None
        if named is not None:
            self.acknowledged[named[0].decode()] = now
        self.free.append(line)
        self.dispatch()

    def dispatch(self) -> None:
        """Send the requests that wait, as far as connections are free."""
        while self.waiting and self.free:
            self.free.popleft().send(next(self.requests), self.waiting.popleft())

    async def run(self, rate: float, seconds: float) -> None:
        """Make requests due at the rate, then wait for the last answers."""
        began = time.monotonic()
        wanted = int(rate * seconds)
        made = 0
        while made < wanted:
            due = min(wanted, int((time.monotonic() - began) * rate))
            self.waiting.extend(began + number / rate for number in range(made + 1, due + 1))
            made = due
            self.dispatch()
            await asyncio.sleep(TICK)
        for _ in range(int(PATIENCE / TICK)):
            if len(self.latencies) >= wanted:
                break
            await asyncio.sleep(TICK)
        self.is_over = True
        if len(self.latencies) < wanted:
            raise TimeoutError(f"{wanted - len(self.latencies)} requests were not answered")


def stored_requests(path: str, *, repeats: bool) -> Iterator[bytes]:
    """Yield the requests of a file, over and over if they may be repeated."""
    requests = []
    with Path(path).open("rb") as file:
        while size := file.readline():
            requests.append(file.read(int(size)))
    yield from requests
    while repeats:
        yield from requests


async def send_all(job: Job) -> Sender:
    """Run the job and return its answers."""
    sender = Sender(stored_requests(job.requests, repeats=job.repeats), deque(), deque(), [], Counter(), {})
    loop = asyncio.get_running_loop()
    for _ in range(job.connections):
        _, line = await loop.create_connection(lambda: Line(sender), "127.0.0.1", job.port)
        sender.free.append(line)
    gc.disable()  # a pause of this process would look like one of the server's
    await sender.run(job.rate, job.seconds)
    return sender


def main() -> None:
    """Run the job that the command line names, and write its answers."""
    job = Job(**json.loads(sys.argv[1]))
    sender = asyncio.run(send_all(job))
    answers = {"latencies": sender.latencies, "statuses": sender.statuses, "acknowledged": sender.acknowledged}
    Path(job.answers).write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
