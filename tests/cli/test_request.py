"""`hub request` and `hub sign`, against a server that writes down what it was sent."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hub.cli import hub
from hub.cli.request import address

SEEN: list[dict[str, Any]] = []


class Recorder(BaseHTTPRequestHandler):
    """Answers 202, or the status that the path ends with."""

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        SEEN.append({"method": self.command, "path": self.path, "headers": dict(self.headers), "body": body})
        status = int(self.path[-3:]) if self.path[-3:].isdigit() else 202
        answer = b'{"ok":true}'
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.send_header("X-Here", "yes")
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PATCH = handle_any  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


@pytest.fixture
def base_url() -> Iterator[str]:
    """A server of our own."""
    SEEN.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def run(*arguments: str, input: str | None = None, **environment: str) -> Result:
    return CliRunner().invoke(hub, arguments, input=input, env=environment)


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Computed apart from the hub's own code."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def signature_2(secret: str, headers: Mapping[str, str], method: str, target: str, body: bytes) -> str:
    """That of version 2, which the headers have to name."""
    assert (headers["X-Signature-Version"], len(headers["X-Nonce"])) == ("2", 32)
    digest = hashlib.sha256(body).hexdigest()
    text = f"v2.{headers['X-Timestamp']}.{headers['X-Nonce']}.{method}.{target}.{digest}"
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


class TestRequest:
    def test_sends_exactly_what_it_signed(self, base_url: str) -> None:
        body = '{"a": "ü",  "b":1}'
        result = run("request", "post", "/v1/conversions", "--data", body, "--key", "ak_test_1", "--secret", "s",
                     "--base-url", f"{base_url}/api", "-H", "X-Idempotency-Key: k 1")  # fmt: skip
        assert (result.exit_code, result.stdout) == (0, '202 Accepted\n{"ok":true}\n')
        (seen,) = SEEN
        headers = seen["headers"]
        assert (seen["method"], seen["path"], seen["body"]) == ("POST", "/api/v1/conversions", body.encode())
        assert headers["X-Signature"] == signature_2("s", headers, "POST", "/api/v1/conversions", body.encode())
        assert (headers["X-API-Key"], headers["X-Idempotency-Key"]) == ("ak_test_1", "k 1")
        assert headers["Content-Type"] == "application/json"

    def test_key_secret_and_address_from_the_environment(self, base_url: str) -> None:
        result = run("request", "GET", "/v1/products?page=1", HUB_KEY="k", HUB_SECRET="s", HUB_BASE_URL=base_url)
        assert result.exit_code == 0
        headers = SEEN[0]["headers"]
        assert SEEN[0]["path"] == "/api/v1/products?page=1"
        assert headers["X-Signature"] == signature_2("s", headers, "GET", "/api/v1/products?page=1", b"")

    def test_a_body_comes_from_a_file_or_standard_input(self, base_url: str, tmp_path: Path) -> None:
        (tmp_path / "order.json").write_bytes(b'{"x":1}\n')
        common = ["--key", "k", "--secret", "s", "--base-url", base_url]
        run("request", "POST", "/v1/x", "--data", f"@{tmp_path / 'order.json'}", *common)
        run("request", "POST", "/v1/x", "--data", "@-", *common, input='{"y":2}')
        assert [seen["body"] for seen in SEEN] == [b'{"x":1}\n', b'{"y":2}']
        missing = run("request", "POST", "/v1/x", "--data", "@none", *common)
        assert (missing.exit_code, missing.stderr) == (
            1,
            "Error: The file none cannot be read: No such file or directory.\n",
        )

    def test_verbose_and_json_show_the_headers(self, base_url: str) -> None:
        common = ["request", "GET", "/v1/x", "--key", "k", "--secret", "s", "--base-url", base_url]
        assert "X-Here: yes\n" in run(*common, "-v").stdout
        document = json.loads(run(*common, "--json").stdout)
        assert (document["status"], document["body"], document["headers"]["X-Here"]) == (202, {"ok": True}, "yes")

    @pytest.mark.parametrize(("status", "code"), [(200, 0), (204, 0), (302, 1), (404, 1), (503, 1)])
    def test_the_exit_status_follows_the_response(self, base_url: str, status: int, code: int) -> None:
        result = run("request", "GET", f"/v1/{status}", "--key", "k", "--secret", "s", "--base-url", base_url)
        assert result.exit_code == code

    def test_a_server_that_does_not_answer_is_one_sentence(self) -> None:
        result = run("request", "GET", "/v1/x", "--key", "k", "--secret", "s", "--base-url", "http://127.0.0.1:9")
        assert result.exit_code == 1
        assert "Nobody answers at http://127.0.0.1:9" in result.stderr
        assert "Is `hub serve` running there?" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--base-url", "ftp://x"], "is not an http or https URL"),
            (["-H", "nonsense"], "write 'Name: value'"),
            (["-H", "X: a\nb"], "This request cannot be sent"),
            (["--timestamp", "yesterday"], "write Unix seconds, 10 digits"),
        ],
    )
    def test_a_request_that_cannot_be_sent_is_refused(self, arguments: list[str], told: str) -> None:
        result = run("request", "GET", "/v1/x", "--key", "k", "--secret", "s", *arguments)
        assert result.exit_code == 1
        assert told in result.stderr

    @pytest.mark.parametrize(
        ("base", "path", "url"),
        [
            ("http://h:1/api", "/v1/x", "http://h:1/api/v1/x"),
            ("http://h:1", "v1/x", "http://h:1/api/v1/x"),
            ("http://h:1/api/", "/api/v1/x", "http://h:1/api/v1/x"),
            ("http://h:1/api", "/healthz", "http://h:1/healthz"),
            ("https://h/sub/api", "/v1/x?q=a b", "https://h/sub/api/v1/x?q=a%20b"),
        ],
    )
    def test_the_url_is_one_however_it_is_written(self, base: str, path: str, url: str) -> None:
        """The base ends in /api or does not, the path begins with it or does not: one address."""
        assert address(base, path) == url


class TestSign:
    def test_the_headers_suit_any_client(self) -> None:
        result = run("sign", "--secret", "s", "--timestamp", "1700000000", "--data", "{}", "--key", "k")
        expected = signature("s", "1700000000", b"{}")
        assert result.stdout == f"X-API-Key: k\nX-Timestamp: 1700000000\nX-Signature: {expected}\n"
        as_json = run("sign", "--secret", "s", "--timestamp", "1700000000", "--data", "{}", "--json")
        assert json.loads(as_json.stdout) == {"X-Timestamp": "1700000000", "X-Signature": expected}

    def test_of_a_method_and_a_path_they_are_of_version_2(self) -> None:
        asked = ["sign", "post", "/v1/x?a=1", "--secret", "s", "--timestamp", "1700000000", "--data", "{}", "--json"]
        headers = json.loads(run(*asked, HUB_BASE_URL="https://h/sub/api").stdout)
        assert headers["X-Timestamp"] == "1700000000"
        assert headers["X-Signature"] == signature_2("s", headers, "POST", "/sub/api/v1/x?a=1", b"{}")
        assert "Name the path, too" in run("sign", "POST", "--secret", "s").stderr

    def test_a_secret_is_needed(self) -> None:
        result = run("sign")
        assert result.exit_code == 2
        assert "--secret" in result.stderr
