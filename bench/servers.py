"""Servers under test: the hub on a fresh SQLite file and the bare handler, each a process on a loopback port."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen

HUB = [sys.executable, "-m", "hub"]
START_SECONDS = 20


@frozen
class Account:
    """A merchant's test key, and what its orders may name."""

    key: str
    secret: str
    link: str


@frozen
class HubProcess:
    """A hub that serves, with an account to call it by."""

    base_url: str
    account: Account
    database: str

    def audit(self) -> dict[str, Any]:
        """What `hub audit` says; a violation fails the run."""
        found: dict[str, Any] = _hub(self.database, "audit")
        return found


@contextmanager
def hub_process(*, worker: bool) -> Iterator[HubProcess]:
    """A hub on a fresh database, without limits; ends by SIGTERM."""
    folder = Path(tempfile.mkdtemp(prefix="hub-bench-"))
    database = f"sqlite:///{folder / 'hub.db'}"
    port = free_port()
    settings = {"HUB_WORKER_ENABLED": "true" if worker else "false", "HUB_SERVER_PORT": str(port)}
    try:
        _hub(database, "migrate")
        with _process([*HUB, "serve", "--port", str(port)], port, _environment(database, settings)):
            yield HubProcess(f"http://127.0.0.1:{port}", _account(database), database)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def bare_process() -> Iterator[str]:
    """The bare handler; gives its address."""
    port = free_port()
    with _process([sys.executable, "-m", "bench.bare", str(port)], port, dict(os.environ)):
        yield f"http://127.0.0.1:{port}"


def free_port() -> int:
    """A port of the loopback interface that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _process(command: list[str], port: int, environment: Mapping[str, str]) -> Iterator[None]:
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit("A server of the benchmark did not start.")


def _account(database: str) -> Account:
    merchant = _hub(
        database, "merchant", "create", "--name", "Bench", "--email", "bench@shop.example", "--domain", "shop.example",
        "--approve",
    )  # fmt: skip
    whose = ["--merchant", merchant["id"], "--mode", "test"]
    key = _hub(database, "key", "create", *whose)
    affiliate = _hub(database, "affiliate", "create", "--name", "Ada", "--email", "ada@blog.example")
    link = _hub(database, "link", "create", *whose, "--affiliate", affiliate["id"])
    return Account(key["keyId"], key["signingSecret"], f"/t/{link['code']}")


def _hub(database: str, *arguments: str) -> Any:
    done = subprocess.run(
        [*HUB, *arguments, "--json"], env=_environment(database, {}), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"hub {' '.join(arguments)} failed: {done.stderr}{done.stdout}")
    return json.loads(done.stdout)


def _environment(database: str, settings: Mapping[str, str]) -> dict[str, str]:
    unlimited = dict.fromkeys(("HUB_LIMITS_PER_MINUTE", "HUB_LIMITS_PER_HOUR"), "0")
    return {**os.environ, **unlimited, **settings, "HUB_DATABASE_URL": database}
