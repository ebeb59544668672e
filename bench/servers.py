"""Servers under test, each a process of its own on a loopback port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from attrs import frozen

from bench.options import SYNC_MS
from hub.testing.postgres import free_port

ROOT = Path(__file__).resolve().parent.parent
BESIDE = os.environ.get("BENCH_HUB")
"""The checkout whose hub is measured, installed as its README says; this one if none is named."""
HUB_FOLDER = Path(BESIDE or ROOT)
HUB = (str(HUB_FOLDER / ".venv" / "bin" / "python") if BESIDE else sys.executable, "-m", "hub")
START_SECONDS = 120
STOP_SECONDS = 60


@frozen
class Server:
    """A process that listens; `started_in` is how many seconds it took to do so."""

    base_url: str
    pid: int
    started_in: float

    def cpu_seconds(self) -> float:
        """Return how many seconds of processor time it and its children have used so far."""
        return sum(cpu_seconds_of(pid) for pid in self._family())

    def written_bytes(self) -> int:
        """Return how many bytes it and its children have sent to the disk so far: none, if the disk is memory."""
        lines = [Path(f"/proc/{pid}/io").read_text().splitlines() for pid in self._family()]
        return sum(int(line.split()[1]) for each in lines for line in each if line.startswith("write_bytes:"))

    def resident_mb(self) -> float:
        """Return how much memory it and its children hold now, in MB (10**6 bytes)."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._family()]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def _family(self) -> list[int]:
        """Return the ids of the process and its children."""
        children = [task.read_text().split() for task in Path(f"/proc/{self.pid}/task").glob("*/children")]
        return [self.pid, *(int(child) for of_task in children for child in of_task)]


@contextmanager
def hub_server(environment: Mapping[str, str], *, worker: bool, without: str | None = None) -> Iterator[Server]:
    """Run a hub on the database that the environment names, without one technique if it is named; end it by SIGTERM."""
    port = free_port()
    settings = {"HUB_WORKER_ENABLED": str(worker).lower(), "HUB_LOG_LEVEL": "warning"}
    command = HUB if without is None else (sys.executable, "-m", "bench.launch", without)
    serve = [*_slow_disk(), *command, "serve", "--port", str(port)]
    with server(serve, port, {**environment, **settings}, folder=HUB_FOLDER) as started:
        yield started


def _slow_disk() -> Sequence[str]:
    """Return what to start a program with so that each of its syncs takes longer: strace, which delays that call."""
    if not SYNC_MS:
        return ()
    delay = f"inject=fdatasync,fsync:delay_exit={SYNC_MS * 1000:.0f}us"
    calls = ("-e", "trace=fdatasync,fsync", "-e", delay)
    return ("strace", "-D", "-f", "-qqq", "--seccomp-bpf", "-o", os.devnull, *calls)


@contextmanager
def bare_server() -> Iterator[Server]:
    """Run the bare aiohttp handler, on the same event loop as the hub's."""
    port = free_port()
    with server([sys.executable, "-m", "bench.peers.bare", str(port)], port) as started:
        yield started


@contextmanager
def server(
    command: Sequence[str], port: int, environment: Mapping[str, str] | None = None, *, folder: Path = ROOT
) -> Iterator[Server]:
    """Run a command that listens on the port before the block begins; end it after the block."""
    began = time.perf_counter()
    # Its log goes to a file: a pipe that nobody reads would fill up and stop the server.
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            command, env={**os.environ, **(environment or {})}, cwd=folder, stdout=subprocess.DEVNULL, stderr=log
        ) as process,
    ):
        try:
            _wait_for(port, process, log)
            yield Server(f"http://127.0.0.1:{port}", process.pid, time.perf_counter() - began)
        finally:
            process.terminate()
            process.wait(timeout=STOP_SECONDS)


def cpu_seconds_of(pid: int) -> float:
    """Return how many seconds of processor time a process has used so far, without its children."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _wait_for(port: int, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.005)
    process.kill()
    process.wait()
    log.seek(0)
    raise SystemExit(
        f"A server of the benchmark did not start: {process.args!r}\n{log.read().decode(errors='replace')}"
    )
