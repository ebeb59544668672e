"""`hub serve` as a process of its own: its one line, its signals, its refusals, and commands beside it."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hub.testing.postgres import PostgresServer
from tests.cli.conftest import ENVIRONMENT, Operator
from tests.forked import Forked, run_hub
from tests.polling import until_blocking
from tests.sqlite_first import SQLITE_FIRST


@contextmanager
def serving(url: str, *options: str) -> Iterator[tuple[Forked, str]]:
    """A server on a free port, and its address; stopped at the end if the test did not."""
    environment = {**os.environ, **ENVIRONMENT, "HUB_DATABASE_URL": url}
    with Forked(["serve", "--port", "0", *options], environment) as server:
        try:
            line = server.stdout.readline()
            match = re.fullmatch(r"listening on (http://[\d.]+:\d+)\n", line)
            assert match, line + (server.communicate()[1] if server.poll() is not None else "")
            yield server, match[1]
        finally:
            if server.poll() is None:
                server.send_signal(signal.SIGKILL)


def request(operator: Operator, base_url: str, key: Any, *arguments: str) -> Any:
    """One signed request with `hub request`; its document whatever the status."""
    signed = ["--key", key["keyId"], "--secret", key["signingSecret"], "--base-url", base_url]
    result = operator.run("request", *arguments, *signed, "--json")
    return json.loads(result.stdout)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_listens_and_stops_gracefully(sqlite_url: str, how: signal.Signals) -> None:
    """One line on standard output, flushed; exit status 0 after a signal."""
    with serving(sqlite_url) as (server, _):
        server.send_signal(how)
        out, err = server.communicate(timeout=300)
        assert (server.returncode, out) == (0, "")
        assert "Traceback" not in err


def test_a_link_names_the_port_that_the_server_found(sqlite_url: str) -> None:
    """`hub link create` beside a server on a free port prints an address that can be followed."""
    with serving(sqlite_url) as (_, base_url):
        operator = Operator(sqlite_url)
        merchant = operator.do("merchant", "create", "--name", "N", "--email", "n@n.example", "--domain", "n.example")
        affiliate = operator.do("affiliate", "create", "--name", "A", "--email", "a@a.example")
        whose = ["--merchant", merchant["id"], "--mode", "test", "--affiliate", affiliate["id"]]
        link = operator.do("link", "create", *whose)
        assert link["url"] == f"{base_url}/t/{link['code']}"
        assert operator.do("link", "list")[0]["url"] == link["url"]


def test_a_second_server_on_one_file_is_refused(sqlite_url: str) -> None:
    with serving(sqlite_url):
        result = Operator(sqlite_url).run("serve", "--port", "0")
        assert result.exit_code == 1
        assert "already serves" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_port_that_is_taken_is_one_sentence(sqlite_url: str, tmp_path: Path) -> None:
    with serving(sqlite_url) as (_, base_url):
        port = base_url.rpartition(":")[2]
        result = Operator(f"sqlite:///{tmp_path / 'other.db'}").run("serve", "--port", port)
        assert result.exit_code == 1
        assert f"Cannot listen on 127.0.0.1:{port}" in result.stderr


@pytest.mark.parametrize("kind", SQLITE_FIRST)
def test_commands_take_effect_beside_a_running_server(kind: str, request_url: Any) -> None:
    """Keys, suspensions and payouts are seen by the server within two seconds; its log is read while it serves."""
    operator = Operator(request_url(kind))
    with serving(operator.url) as (_, base_url):
        merchant = operator.merchant("--approve")
        key = operator.do("key", "create", "--merchant", merchant, "--mode", "live")
        order = ["POST", "/v1/conversions", "--data", '{"externalOrderId":"1","orderAmount":"49.90"}']
        accepted = request(operator, base_url, key, *order)
        assert (accepted["status"], accepted["body"]["status"]) == (202, "RECEIVED")
        (found,) = until_blocking(lambda: operator.do("conversion", "list", "--merchant", merchant))
        assert (found["mode"], found["reason"]) == ("live", "click_missing")
        operator.do("merchant", "suspend", merchant)
        pages = count(1)  # a signature reads one path and query once
        until_blocking(
            lambda: request(operator, base_url, key, "GET", f"/v1/products?page={next(pages)}")["status"] == 401
        )
        refused = until_blocking(lambda: operator.do("log", "--merchant", merchant, "--errors"))
        assert refused[0]["errorCode"] == "merchant_suspended"
        assert {"at", "method", "path", "status", "requestId"} <= refused[0].keys()
        read = operator.run("log", "--merchant", merchant, "--errors").stdout
        assert "merchant_suspended" in read
        everything = until_blocking(lambda: operator.do("log", "--merchant", merchant))
        assert everything == sorted(everything, key=lambda entry: str(entry["at"]), reverse=True)
        assert everything[-1]["path"] == "/api/v1/conversions"
        audit = operator.do("audit")
        assert (audit["accepted"], audit["processed"], audit["violations"]) == (1, 1, [])


@pytest.fixture
def request_url(request: pytest.FixtureRequest) -> Any:
    """The address of a fresh database of a kind."""
    return lambda kind: request.getfixturevalue(f"{kind}_url")


def test_postgres_is_not_migrated_by_serving(postgres: PostgresServer) -> None:
    """The server refuses to start on an older schema, with the sentence that says the mend."""
    environment = {**os.environ, **ENVIRONMENT, "HUB_DATABASE_URL": postgres.create_empty()}
    status, output, errors = run_hub(["serve", "--port", "0"], environment)
    assert (status, output) == (1, "")
    assert "run `hub migrate`" in errors


@pytest.mark.parametrize(("host", "warns"), [("0.0.0.0", True), ("127.0.0.1", False)])
def test_links_that_others_cannot_follow_are_warned_of(sqlite_url: str, host: str, warns: bool) -> None:
    """A hub that listens for others, but does not know its public address; the control listens for itself."""
    with serving(sqlite_url, "--host", host) as (server, _):
        server.send_signal(signal.SIGTERM)
        log = server.communicate(timeout=300)[1]
    assert ("links lead to this machine only: set HUB_SERVER_PUBLIC_URL" in log) is warns
