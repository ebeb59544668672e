"""`hub serve --workers N`: several processes on one port that start, live and end as one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hub.testing.postgres import PostgresServer
from tests.cli.conftest import ENVIRONMENT, Operator
from tests.cli.test_serve import request, serving
from tests.forked import Forked, run_hub
from tests.polling import until_blocking

pytestmark = pytest.mark.prove  # a story that takes seconds

WORKERS = ("--workers", "3")


def children_of(pid: int) -> list[int]:
    """The processes that one started and that live."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(each) for each in listed.stdout.split()]


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=300) as response:
        return str(response.read().decode())


def workers_told(base_url: str) -> set[str]:
    """The numbers of the workers that /metrics tells of."""
    return set(re.findall(r'hub_submissions_waiting\{worker="(\d+)"\}', get(f"{base_url}/metrics")))


def logged(stderr: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stderr.splitlines()]


def test_they_share_a_port_and_end_together(postgres_url: str) -> None:
    """One line once all of them listen, each log line with its worker, and exit status 0 after a signal."""
    with serving(postgres_url, *WORKERS) as (server, base_url):
        assert workers_told(base_url) == {"1", "2", "3"}
        children = children_of(server.pid)
        assert len(children) == 3
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=300)
    assert (server.returncode, out) == (0, "")
    assert Counter(line["event"] for line in logged(err)) == {"the hub serves": 3, "the hub stops": 3}
    assert {line["worker"] for line in logged(err)} == {1, 2, 3}
    assert not any(runs(child) for child in children)


def test_metrics_tell_of_every_worker_whichever_answers(postgres_url: str) -> None:
    """Series carry their worker's number; what the store knows is told once."""
    with serving(postgres_url, *WORKERS) as (_, base_url):
        operator = Operator(postgres_url)
        key = operator.do("key", "create", "--merchant", operator.merchant(), "--mode", "test")
        for number in range(12):
            data = json.dumps({"externalOrderId": f"A-{number}", "orderAmount": "1.00"})
            answer = request(operator, base_url, key, "POST", "/v1/conversions", "--data", data)
            assert answer["status"] == 202
        until_blocking(lambda: operator.do("audit")["processed"] == 12)
        exposition = get(f"{base_url}/metrics")
        counts = re.findall(
            r'hub_requests_total\{route="\S+ \S+conversions",status="202",worker="(\d)"\} (\S+)', exposition
        )
        assert sum(float(count) for _, count in counts) == 12
        outcomes = re.findall(r'hub_events_total\{outcome="PROCESSED",worker="\d"\} (\S+)', exposition)
        assert sum(float(count) for count in outcomes) == 12
        assert re.findall(r"^hub_store_up.*$", exposition, re.MULTILINE) == ["hub_store_up 1.0"]
        heads = re.findall(r"^# TYPE (\S+)", exposition, re.MULTILINE)
        assert len(heads) == len(set(heads)), "each family stands once"


@pytest.mark.prove
def test_a_worker_that_dies_is_started_again(postgres_url: str) -> None:
    """The others serve on, and the log tells; its number is the old one."""
    with serving(postgres_url, *WORKERS) as (server, base_url):
        before = children_of(server.pid)
        os.kill(before[1], signal.SIGKILL)
        until_blocking(lambda: len(set(children_of(server.pid)) - set(before)) == 1)
        until_blocking(lambda: workers_told(base_url) == {"1", "2", "3"})
        server.send_signal(signal.SIGINT)
        _, err = server.communicate(timeout=300)
    assert server.returncode == 0
    (told,) = (line for line in logged(err) if line["event"] == "a worker ended and is started again")
    assert (told["status"], told["level"]) == (-9, "error")
    assert [line["worker"] for line in logged(err) if line["event"] == "a worker serves"] == [told["worker"]]


def runs(process: int) -> bool:
    """Whether a process has not ended; one that ended may wait for a parent that asks how."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_workers_end_with_their_parent(postgres_url: str) -> None:
    """However it ended: nobody is left who holds the port."""
    with serving(postgres_url, *WORKERS) as (server, base_url):
        children = children_of(server.pid)
        server.kill()
        server.wait()
        until_blocking(lambda: not any(runs(child) for child in children))
        assert base_url


def test_what_keeps_them_from_starting_is_said_once(postgres: PostgresServer) -> None:
    environment = {**os.environ, **ENVIRONMENT, "HUB_DATABASE_URL": postgres.create_empty(), "HUB_SERVER_WORKERS": "3"}
    status, output, errors = run_hub(["serve", "--port", "0"], environment)
    assert (status, output) == (1, "")
    assert errors.count("run `hub migrate`") == 1


def test_a_port_that_is_taken_is_one_sentence(postgres_url: str) -> None:
    """Sockets may share a port, so that another hub's workers must be looked for."""
    with serving(postgres_url, *WORKERS) as (_, base_url):
        port = base_url.rpartition(":")[2]
        environment = {**os.environ, **ENVIRONMENT, "HUB_DATABASE_URL": postgres_url}
        for workers in ("1", "2"):
            status, _, refused = run_hub(["serve", "--port", port, "--workers", workers], environment)
            assert status == 1
            assert f"Cannot listen on 127.0.0.1:{port}: " in refused
            assert "another program does already" in refused


def test_sqlite_has_one_process(sqlite_url: str) -> None:
    """Refused with the reason, and the way to PostgreSQL."""
    refused = Operator(sqlite_url).run("serve", "--workers", "2")
    assert refused.exit_code == 1
    assert "one writer for each file" in refused.stderr
    assert f"`hub migrate --from {sqlite_url} --to postgresql://USER@HOST/NAME`" in refused.stderr


def careless(how: str) -> Forked:
    code = "import runpy; runpy.run_module('tests.cli.careless_workers', run_name='__main__')"
    process = Forked([how], os.environ, code=code)
    assert process.stdout.readline() == "listening\n"
    return process


def test_a_worker_that_keeps_dying_is_given_longer_and_longer() -> None:
    with careless("dying") as process:
        assert process.stderr is not None
        told = [json.loads(process.stderr.readline()) for _ in range(9)]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)
    pauses = [line["pause"] for line in told if "pause" in line]
    assert pauses == [0.05 * 2**n for n in range(len(pauses))]
    assert {line["status"] for line in told if "status" in line} == {3}
    assert process.returncode == 0


def test_a_worker_that_does_not_end_is_killed() -> None:
    """The status tells of it."""
    with careless("deaf") as process:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)
    assert process.returncode == 1
