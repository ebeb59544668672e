"""The account's API as commands for developers call it: signed by version 2, which every key takes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import click
from attrs import frozen

from hub.cli.invocation import Fault
from hub.cli.request import BASE_URL, SECRET, WHERE, Reply, address, exchange, request_signature

F = TypeVar("F", bound=Callable[..., Any])
TEST: Final = "ak_test_"
LONGEST_PAUSE: Final = 30.0


@frozen
class AccountApi:
    """A key of an account, and where its hub answers."""

    key: str
    secret: str
    base_url: str = BASE_URL

    def require_test_key(self) -> None:
        """Raise `Fault` unless the key is of a test account."""
        if not self.key.startswith(TEST):
            raise Fault(f"This is for test accounts: give a key that begins with {TEST}, by --key or HUB_KEY.")

    def send(self, method: str, path: str, body: Any = None) -> Reply:
        """Send a signed request; raise `Fault` if nobody answers."""
        raw = b"" if body is None else json.dumps(body).encode()
        url = address(self.base_url, path)
        signed = request_signature(self.secret, None, method, url, raw)
        return exchange(method, url, {"X-API-Key": self.key, "Content-Type": "application/json", **signed}, raw)

    def json(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer to a request; raise `Fault` with what the hub says if it refuses."""
        reply = self.send(method, path, body)
        if not 200 <= reply.status < 300:
            raise Fault(_refusal(reply))
        return json.loads(reply.body)

    def patient_json(self, method: str, path: str) -> Any:
        """Return the answer to a request that may be sent again: wait while the hub is away, or has too much to do."""
        pause = 1.0
        while True:
            try:
                reply = self.send(method, path)
            except Fault as fault:
                click.echo(f"{fault.message} It is tried again.", err=True)
            else:
                if 200 <= reply.status < 300:
                    return json.loads(reply.body)
                if reply.status not in (429, 500, 502, 503, 504):
                    raise Fault(_refusal(reply))
                pause = max(pause, _asked(reply))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


def _asked(reply: Reply) -> float:
    asked = next((value for name, value in reply.headers if name.lower() == "retry-after"), "")
    return float(asked) if asked.isdigit() else 0.0


def words_of(reply: Reply) -> str:
    """Return what the hub says in a refusal; the status' own phrase if it is no JSON."""
    try:
        message = json.loads(reply.body)["message"]
    except (ValueError, KeyError, TypeError):
        message = reply.reason
    return "; ".join(message) if isinstance(message, list) else str(message)


def _refusal(reply: Reply) -> str:
    text = words_of(reply)
    if reply.status == 401:
        text = "The hub does not know this key, or the secret is another one's; its log of requests says which."
    return f"The hub answered {reply.status}: {text}"


def api_options(command: F) -> Any:
    """Give a command `--key`, `--secret` and `--base-url`, and the API that they name as `api`."""

    @click.option("--key", envvar="HUB_KEY", required=True, metavar="K", help="The key's id (or HUB_KEY).")
    @SECRET
    @WHERE
    @wraps(command)
    def with_api(*given: Any, key: str, secret: str, base_url: str, **named: Any) -> Any:
        return command(*given, api=AccountApi(key, secret, base_url), **named)

    return with_api
