"""Load by wrk: as many requests as the server takes, all made and signed beforehand."""

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
    """The answers of a load: latencies in milliseconds, how many of each status, ids of events or clicks.

    A connection is broken by an error, or by an answer that does not come within 30 seconds. `cpu_seconds` is the
    processor time that the server used meanwhile.
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
        """Return the successful answers a second."""
        return sum(count for status, count in self.statuses.items() if status in GOOD) / self.seconds

    @property
    def refused(self) -> int:
        """Return how many answers were not a success, and connections broke."""
        return sum(count for status, count in self.statuses.items() if status not in GOOD) + self.broken

    def figures(self) -> Figures:
        """Return the figures that every run has."""
        cpu_us = self.cpu_seconds * 1e6 / max(1, sum(self.statuses.values()))
        return {"perSecond": self.per_second, "p50Ms": self.p50_ms, "p99Ms": self.p99_ms, "refused": self.refused,
                "cpuUs": cpu_us}  # fmt: skip


def load(server: Server, traffic: Traffic, *, seconds: int = SECONDS, connections: int = CONNECTIONS) -> Answers:
    """Send the traffic for some seconds; return the answers."""
    return load_all([(server, traffic)], seconds=seconds, connections=connections)[0]


def load_all(targets: Sequence[tuple[Server, Traffic]], *, seconds: int, connections: int) -> list[Answers]:
    """Load several servers at once, with the connections divided among them."""
    with ExitStack() as stack:
        runs = [Run(server, traffic, seconds, connections // len(targets)) for server, traffic in targets]
        for run in runs:
            stack.enter_context(run.process)
        return [run.answers() for run in runs]


class Run:
    """One running wrk."""

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
        """Wait for the end and read the answers."""
        output, errors = self.process.communicate(timeout=self._patience)
        last = output.strip().rpartition("\n")[2]
        if self.process.returncode or not last.startswith("{"):
            raise SystemExit(f"wrk failed: {errors}{output}")
        report = json.loads(last)
        if report["missed"]:
            raise SystemExit(f"There were too few requests: wrk asked for {report['missed']} more.")
        return Answers(
            seconds=report["seconds"],
            p50_ms=report["p50Ms"],
            p99_ms=report["p99Ms"],
            statuses={int(status): count for status, count in report["statuses"].items()},
            broken=report["broken"],
            cpu_seconds=self._server.cpu_seconds() - self._cpu_before,
            acknowledged=self._traffic.acknowledged(),
        )
