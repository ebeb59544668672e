"""The two clients: the same calls, the same attempts; one blocks, the other awaits."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, Self, TypedDict

import httpx

from affiliate_hub_client.errors import MissingSetting, NoAnswer, error_of
from affiliate_hub_client.models import ChangeList
from affiliate_hub_client.operations import AsyncOperations, Operations
from affiliate_hub_client.requests import Call
from affiliate_hub_client.retries import Retries, may_send_again, seconds_asked
from affiliate_hub_client.signing import signed_headers
from affiliate_hub_client.version import __version__

TIMEOUT_SECONDS = 10.0
LONGEST_WAIT = 20
"""How many seconds the hub holds a request for changes open at most."""
USER_AGENT = f"affiliate-hub-python/{__version__}"


@dataclass(frozen=True)
class Answered:
    """What the hub answered to an attempt, for `on_answer`; `headers` are found in any case: `ETag`, `RateLimit`."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]


OnAnswer = Callable[[Answered], None]


class Request(TypedDict):
    """One attempt, as httpx takes it."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes
    timeout: NotRequired[float]


class Attempts:
    """The attempts of one call: each is signed anew, all have the same body and the same idempotency key."""

    def __init__(self, call: Call, base_url: str, key: str, secret: str, retries: Retries) -> None:
        self._call = call
        self._url = httpx.URL(base_url.rstrip("/") + call.target)
        self._key, self._secret = key, secret
        self._retries = retries
        self._headers, self._body = call.headers(), call.raw_body()
        self._failed = 0
        self._began = time.monotonic()

    def next(self) -> Request:
        """Return the next attempt."""
        target = self._url.raw_path.decode("ascii")  # as it is sent
        signed = signed_headers(self._key, self._secret, self._call.method, target, self._body)
        request: Request = {
            "method": self._call.method,
            "url": str(self._url),
            "headers": {"User-Agent": USER_AGENT, **self._headers, **signed},
            "content": self._body,
        }
        held = float(self._call.query.get("wait") or 0)  # the hub holds the request open for so long
        return {**request, "timeout": TIMEOUT_SECONDS + held} if held else request

    def pause_after(self, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Return the pause before the next attempt, None if the outcome is a success; raise if it is final."""
        status = outcome.status_code if isinstance(outcome, httpx.Response) else None
        if status is not None and status < 400:
            return None
        self._failed += 1
        asked = seconds_asked(outcome.headers.get("Retry-After")) if isinstance(outcome, httpx.Response) else 0.0
        again = may_send_again(status, may_repeat=self._call.may_repeat)
        if again and self._failed < self._retries.attempts:
            pause = self._retries.pause(self._failed, asked, time.monotonic() - self._began)
            if pause is not None:
                return pause
        if isinstance(outcome, httpx.Response):
            raise error_of(outcome.status_code, outcome.content, asked)
        raise NoAnswer(f"{self._call.method} {self._call.path}: {outcome!r}") from outcome


def _address(base_url: str, key: str, secret: str) -> tuple[str, str, str]:
    """Return the settings; raise `MissingSetting` naming those that are empty."""
    given = {"base_url": base_url, "key": key, "secret": secret}
    _refuse_missing([name for name, value in given.items() if not value])
    return base_url, key, secret


def _from_environment() -> tuple[str, str, str]:
    """Return HUB_BASE_URL, HUB_KEY and HUB_SECRET; raise `MissingSetting` naming those that are missing."""
    names = ("HUB_BASE_URL", "HUB_KEY", "HUB_SECRET")
    base_url, key, secret = (os.environ.get(name, "") for name in names)
    _refuse_missing([name for name in names if not os.environ.get(name)])
    return base_url, key, secret


def _refuse_missing(names: list[str]) -> None:
    if names:
        raise MissingSetting(
            f"Set {' and '.join(names)}: the hub's address with /api at its end, and a key's two parts."
        )


def _tell(on_answer: OnAnswer | None, call: Call, response: httpx.Response) -> None:
    if on_answer is not None:
        on_answer(Answered(call.method, call.path, response.status_code, response.headers))


def _body_of(response: httpx.Response) -> Any:
    is_json = response.headers.get("Content-Type", "").startswith("application/json")
    return response.json() if is_json else response.text


class Hub(Operations):
    """A client that blocks; close it, or use it in a `with`. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        key: str,
        secret: str,
        *,
        retries: Retries | None = None,
        http: httpx.Client | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        self._on_answer = on_answer
        self._address = _address(base_url, key, secret)
        self._retries = retries or Retries()
        self._http = http or httpx.Client(timeout=TIMEOUT_SECONDS)

    @classmethod
    def from_environment(cls, **options: Any) -> Self:
        """Return a client with HUB_BASE_URL, HUB_KEY and HUB_SECRET; raise `MissingSetting` if one is not set."""
        return cls(*_from_environment(), **options)

    def send(self, call: Call) -> Any:
        """Send a call, again if it may be, and return the body of its answer; raise `HubError` or `NoAnswer`."""
        attempts = Attempts(call, *self._address, self._retries)
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = self._http.request(**attempts.next())
                _tell(self._on_answer, call, outcome)
            except httpx.TransportError as fault:
                outcome = fault
            pause = attempts.pause_after(outcome)
            if pause is None and isinstance(outcome, httpx.Response):
                return _body_of(outcome)
            time.sleep(pause or 0.0)

    def follow_changes(
        self, after: str | None = None, *, types: str | None = None, wait: int = LONGEST_WAIT, limit: int = 200
    ) -> Iterator[ChangeList]:
        """Yield what changed, part by part, from a cursor on; without one, from everything that there is.

        Keep a part's `cursor` once its `data` is dealt with, and go on from that the next time. While nothing changes,
        each part comes after `wait` seconds and is empty; with `wait=0` the last part is the end.
        """
        while True:
            part = self.list_changes(after=after, types=types, limit=limit, wait=wait)
            after = part["cursor"]
            yield part
            if not wait and not part["more"]:
                return

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncHub(AsyncOperations):
    """A client to await; close it, or use it in an `async with`."""

    def __init__(
        self,
        base_url: str,
        key: str,
        secret: str,
        *,
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        self._on_answer = on_answer
        self._address = _address(base_url, key, secret)
        self._retries = retries or Retries()
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT_SECONDS)

    @classmethod
    def from_environment(cls, **options: Any) -> Self:
        """Return a client with HUB_BASE_URL, HUB_KEY and HUB_SECRET; raise `MissingSetting` if one is not set."""
        return cls(*_from_environment(), **options)

    async def send(self, call: Call) -> Any:
        """Send a call, again if it may be, and return the body of its answer; raise `HubError` or `NoAnswer`."""
        attempts = Attempts(call, *self._address, self._retries)
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = await self._http.request(**attempts.next())
                _tell(self._on_answer, call, outcome)
            except httpx.TransportError as fault:
                outcome = fault
            pause = attempts.pause_after(outcome)
            if pause is None and isinstance(outcome, httpx.Response):
                return _body_of(outcome)
            await asyncio.sleep(pause or 0.0)

    async def follow_changes(
        self, after: str | None = None, *, types: str | None = None, wait: int = LONGEST_WAIT, limit: int = 200
    ) -> AsyncIterator[ChangeList]:
        """Yield what changed, part by part, from a cursor on; see `Hub.follow_changes`."""
        while True:
            part = await self.list_changes(after=after, types=types, limit=limit, wait=wait)
            after = part["cursor"]
            yield part
            if not wait and not part["more"]:
                return

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
