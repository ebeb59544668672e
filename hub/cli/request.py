"""`hub request` and `hub sign`: the merchant's side of the API, to try it and to see how requests are signed."""

from __future__ import annotations

import http.client
import json
import secrets
import sys
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import click
from attrs import frozen

from hub.cli.invocation import Fault, Invocation
from hub.clock import system_clock
from hub.domain.signing import sign as sign_body
from hub.domain.signing import sign_v2, timestamp_seconds

BASE_URL = "http://127.0.0.1:8080/api"
TIMEOUT_SECONDS = 60
UNESCAPED = "/?&=%:+,;@~!$'()*[]"

DATA = click.option(
    "--data", metavar="JSON|@FILE", help="The body itself, or @FILE to read it from a file (@-: standard input)."
)
SECRET = click.option(
    "--secret", envvar="HUB_SECRET", required=True, metavar="S", help="The signing secret (or HUB_SECRET)."
)
WHERE = click.option(
    "--base-url", envvar="HUB_BASE_URL", default=BASE_URL, metavar="U", show_default=True, help="The API."
)
TIMESTAMP = click.option("--timestamp", metavar="T", help="Unix seconds (default: now).")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("method")
@click.argument("path")
@DATA
@click.option("--key", envvar="HUB_KEY", required=True, metavar="K", help="The key's id (or HUB_KEY).")
@SECRET
@WHERE
@click.option("-H", "--header", "headers", multiple=True, metavar="'NAME: VALUE'", help="Another header; repeatable.")
@TIMESTAMP
@click.option("-v", "--verbose", is_flag=True, help="Print the headers of the response too.")
@JSON
@click.pass_context
def request(
    ctx: click.Context,
    method: str,
    path: str,
    data: str | None,
    key: str,
    secret: str,
    base_url: str,
    headers: tuple[str, ...],
    timestamp: str | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Send one signed request to the API.

    For example: hub request POST /v1/conversions --data @order.json
    Exit status 0 for a 2xx response, else 1.
    """
    body, url = read_data(data), address(base_url, path)
    signed = {"X-API-Key": key, **request_signature(secret, timestamp, method.upper(), url, body)}
    if body:
        signed["Content-Type"] = "application/json"
    signed |= dict(_header(text) for text in headers)
    answer = exchange(method.upper(), url, signed, body)
    if as_json or (ctx.find_object(Invocation) or Invocation()).json:
        click.echo(json.dumps(answer.document(), indent=2))
    else:
        _print(answer, verbose=verbose)
    ctx.exit(0 if 200 <= answer.status < 300 else 1)


@click.command()
@click.argument("method", required=False)
@click.argument("path", required=False)
@SECRET
@TIMESTAMP
@DATA
@click.option("--key", envvar="HUB_KEY", metavar="K", help="The key's id, to print its header too (or HUB_KEY).")
@WHERE
@JSON
@click.pass_context
def sign(
    ctx: click.Context,
    method: str | None,
    path: str | None,
    secret: str,
    timestamp: str | None,
    data: str | None,
    key: str | None,
    base_url: str,
    as_json: bool,
) -> None:
    """Print the headers that sign a request.

    With METHOD and PATH, such as POST /v1/conversions, they are of version 2, which every key takes. Without, the
    signature is of version 1: HMAC-SHA256 of "<timestamp>.<body>" in lower-case hex.
    """
    headers = {} if key is None else {"X-API-Key": key}
    body = read_data(data)
    if method is None:
        headers |= signature_headers(secret, timestamp, body)
    elif path is None:
        raise Fault("Name the path, too: hub sign POST /v1/conversions")
    else:
        headers |= request_signature(secret, timestamp, method.upper(), address(base_url, path), body)
    if as_json or (ctx.find_object(Invocation) or Invocation()).json:
        click.echo(json.dumps(headers, indent=2))
    else:
        for name, value in headers.items():
            click.echo(f"{name}: {value}")


@frozen
class Reply:
    """An HTTP response: the status, the headers as sent, and the exact body."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def document(self) -> dict[str, Any]:
        """Return what `--json` prints; a body that is not JSON stays text."""
        text = self.body.decode("utf-8", "replace")
        try:
            body = json.loads(text)
        except ValueError:
            body = text or None
        return {"status": self.status, "headers": dict(self.headers), "body": body}


def read_data(data: str | None) -> bytes:
    """Return the exact bytes of --data; raise `Fault` for a file that cannot be read."""
    if data is None:
        return b""
    if data == "@-":
        return sys.stdin.buffer.read()
    if not data.startswith("@"):
        return data.encode("utf-8", "surrogateescape")
    try:
        return Path(data[1:]).read_bytes()
    except OSError as fault:
        raise Fault(f"The file {data[1:]} cannot be read: {fault.strerror}.") from None


def signature_headers(secret: str, timestamp: str | None, body: bytes) -> dict[str, str]:
    """Return the two headers that sign a body, now or at `timestamp` (Unix seconds); raise `Fault` for a bad one."""
    moment = _moment(timestamp)
    return {"X-Timestamp": moment, "X-Signature": sign_body(secret.encode("utf-8", "surrogateescape"), moment, body)}


def request_signature(secret: str, timestamp: str | None, method: str, url: str, body: bytes) -> dict[str, str]:
    """Return the four headers of a signature of version 2, which every key takes, with a new nonce."""
    moment, nonce = _moment(timestamp), secrets.token_hex(16)
    signed = sign_v2(secret.encode("utf-8", "surrogateescape"), moment, nonce, method, target_of(url), body)
    return {"X-Timestamp": moment, "X-Nonce": nonce, "X-Signature-Version": "2", "X-Signature": signed}


def target_of(url: str) -> str:
    """Return what is asked of a server for a URL: the path with its query."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _moment(timestamp: str | None) -> str:
    moment = str(system_clock() // 1000) if timestamp is None else timestamp
    if timestamp_seconds(moment) is None:
        raise Fault(f"{moment!r} is not a timestamp; write Unix seconds, 10 digits.")
    return moment


def address(base_url: str, path: str) -> str:
    """Return the full URL of a path: the API's paths (/v1/…) are under /api, whether the base URL says so or not."""
    root = base_url.rstrip("/").removesuffix("/api")
    inside = path if path.startswith("/") else f"/{path}"
    if inside == "/v1" or inside.startswith("/v1/"):
        inside = "/api" + inside
    return root + quote(inside, safe=UNESCAPED)


def exchange(method: str, url: str, headers: dict[str, str], body: bytes) -> Reply:
    """Send one request and return its response, byte for byte; raise `Fault` if nobody answers."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise Fault(f"{url!r} is not an http or https URL; name the API with --base-url, like {BASE_URL}.")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        with closing(kind(parts.hostname, parts.port, timeout=TIMEOUT_SECONDS)) as connection:
            connection.request(method, target_of(url), body or None, headers)
            with connection.getresponse() as answer:
                return Reply(answer.status, answer.reason, tuple(answer.getheaders()), answer.read())
    except (OSError, http.client.HTTPException) as fault:
        raise Fault(
            f"Nobody answers at {parts.scheme}://{parts.netloc} ({fault}). Is `hub serve` running there?"
        ) from None
    except ValueError as fault:
        raise Fault(f"This request cannot be sent: {fault}.") from None


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise Fault(f"{text!r} is not a header; write 'Name: value'.")
    return name.strip(), value.strip()


def _print(answer: Reply, *, verbose: bool) -> None:
    reason = answer.reason or HTTPStatus(answer.status).phrase
    click.secho(f"{answer.status} {reason}", fg="green" if answer.status < 300 else "red", bold=True)
    if verbose:
        for name, value in answer.headers:
            click.echo(f"{name}: {value}")
        click.echo()
    text = answer.body.decode("utf-8", "replace")
    if text:
        click.echo(text)
