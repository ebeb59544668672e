"""How a call is sent: the attempts are the same for all clients; one kind blocks, the other awaits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, Self, TypedDict

import httpx

from affiliate_hub_client.credentials import Credentials
from affiliate_hub_client.errors import NoAnswer, error_of
from affiliate_hub_client.requests import Call
from affiliate_hub_client.retries import Retries, may_send_again, seconds_asked
from affiliate_hub_client.version import __version__

TIMEOUT_SECONDS = 10.0
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
    """The attempts of one call: each proves anew whose it is, all have the same body and the same idempotency key."""

    def __init__(self, call: Call, base_url: str, credentials: Credentials, retries: Retries) -> None:
        self._call = call
        self._url = httpx.URL(base_url.rstrip("/") + call.target)
        self._credentials = credentials
        self._retries = retries
        self._headers, self._body = call.headers(), call.raw_body()
        self._failed = 0
        self._began = time.monotonic()

    def next(self) -> Request:
        """Return the next attempt."""
        target = self._url.raw_path.decode("ascii")  # as it is sent
        proof = self._credentials.headers(self._call.method, target, self._body)
        request: Request = {
            "method": self._call.method,
            "url": str(self._url),
            "headers": {"User-Agent": USER_AGENT, **self._headers, **proof},
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


def _tell(on_answer: OnAnswer | None, call: Call, response: httpx.Response) -> None:
    if on_answer is not None:
        on_answer(Answered(call.method, call.path, response.status_code, response.headers))


def _body_of(response: httpx.Response) -> Any:
    is_json = response.headers.get("Content-Type", "").startswith("application/json")
    return response.json() if is_json else response.text


class Sender:
    """What blocks while it sends; close it, or use it in a `with`. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        retries: Retries | None,
        http: httpx.Client | None,
        on_answer: OnAnswer | None,
    ) -> None:
        self._on_answer = on_answer
        self._address = (base_url, credentials)
        self._retries = retries or Retries()
        self._http = http or httpx.Client(timeout=TIMEOUT_SECONDS)

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

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncSender:
    """What is awaited while it sends; close it, or use it in an `async with`."""

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        retries: Retries | None,
        http: httpx.AsyncClient | None,
        on_answer: OnAnswer | None,
    ) -> None:
        self._on_answer = on_answer
        self._address = (base_url, credentials)
        self._retries = retries or Retries()
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT_SECONDS)

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

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
