"""Load by wrk: as many requests as the server takes, each made and signed beforehand."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from attrs import frozen

from bench.faults import Missing
from bench.options import CONNECTIONS, SECONDS
from bench.plan import Figures
from bench.servers import Server
from bench.traffic import Traffic

SCRIPT = Path(__file__).with_name("wrk.lua")
GOOD = range(200, 400)


@frozen
class Answers:
    """What came back: latencies in milliseconds, how many answers of each status, ids of events or clicks.

    A connection is broken by an error, or by an answer that does not come within 30 seconds. `cpu_seconds` is what the
    server's process used of the processor meanwhile.
    """

    seconds: float
    p50_ms: float
    p99_ms: float
    statuses: Mapping[int, int]
    broken: int
    cpu_seconds: float
    acknowledged: tuple[str, ...]

    @property
    def per_second(self) -> float:
        """Good answers a second."""
        return sum(count for status, count in self.statuses.items() if status in GOOD) / self.seconds

    @property
    def refused(self) -> int:
        """Answers that were no success, and connections that broke."""
        return sum(count for status, count in self.statuses.items() if status not in GOOD) + self.broken

    def figures(self) -> Figures:
        """The figures that every run has."""
        cpu_us = self.cpu_seconds * 1e6 / max(1, sum(self.statuses.values()))
        return {"perSecond": self.per_second, "p50Ms": self.p50_ms, "p99Ms": self.p99_ms, "refused": self.refused,
                "cpuUs": cpu_us}  # fmt: skip


def load(server: Server, traffic: Traffic, *, seconds: int = SECONDS, connections: int = CONNECTIONS) -> Answers:
    """Sends the traffic for some seconds."""
    return load_all([(server, traffic)], seconds=seconds, connections=connections)[0]


def load_all(targets: Sequence[tuple[Server, Traffic]], *, seconds: int, connections: int) -> list[Answers]:
    """Loads several servers at once, with the connections divided among them."""
    with ExitStack() as stack:
        runs = [Run(server, traffic, seconds, connections // len(targets)) for server, traffic in targets]
        for run in runs:
            stack.enter_context(run.process)
        return [run.answers() for run in runs]


class Run:
    """One wrk at work."""

    def __init__(self, server: Server, traffic: Traffic, seconds: int, connections: int) -> None:
        program = shutil.which("wrk")
        if program is None:
            raise Missing("It takes wrk to make its load: apt-get install wrk")
        command = [
            program,
            "--latency",
            "--timeout",
            "30s",
            f"-t{len(traffic.files)}",
            f"-c{connections}",
            f"-d{seconds}s",
            "-s",
            str(SCRIPT),
            server.base_url,
            "--",
            str(traffic.stem),
            "repeat" if traffic.repeats else "once",
        ]
        self._server = server
        self._traffic = traffic
        self._patience = seconds + 60
        self._cpu_before = server.cpu_seconds()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def answers(self) -> Answers:
        """Waits for the end and reads what it came to."""
        output, errors = self.process.communicate(timeout=self._patience)
        last = output.strip().rpartition("\n")[2]
        if self.process.returncode or not last.startswith("{"):
            raise SystemExit(f"wrk failed: {errors}{output}")
        told = json.loads(last)
        if told["missed"]:
            raise SystemExit(f"There were too few requests: wrk asked for {told['missed']} more.")
        return Answers(
            seconds=told["seconds"],
            p50_ms=told["p50Ms"],
            p99_ms=told["p99Ms"],
            statuses={int(status): count for status, count in told["statuses"].items()},
            broken=told["broken"],
            cpu_seconds=self._server.cpu_seconds() - self._cpu_before,
            acknowledged=self._traffic.acknowledged(),
        )
