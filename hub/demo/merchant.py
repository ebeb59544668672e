"""The shop's side of the API: a small client that signs, retries what may be retried, and knows why."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp
from attrs import frozen

from hub.clock import Clock
from hub.domain.signing import sign

ATTEMPTS = 4
RETRY_SECONDS = 1.1
"""More than a second: timestamps have whole seconds, so a retry within the same one would repeat its signature."""
RETRIED = frozenset({409, 500, 502, 503, 504})


class RequestRefused(Exception):
    """The hub refused a request for good; the text is its answer."""


@frozen
class ApiKey:
    """What signs the requests: the key's id and its secret."""

    key_id: str
    secret: str


class MerchantClient:
    """A client that signs and sends requests to `base_url` (which ends in /api)."""

    def __init__(self, session: aiohttp.ClientSession, base_url: str, key: ApiKey, clock: Clock) -> None:
        self._session = session
        self._base_url = base_url
        self._key = key
        self._clock = clock
        self._reads: dict[str, tuple[str, asyncio.Task[dict[str, Any]]]] = {}

    def with_secret(self, secret: str) -> MerchantClient:
        """Return the client of somebody who signs with another secret for the same key."""
        return MerchantClient(self._session, self._base_url, ApiKey(self._key.key_id, secret), self._clock)

    async def notify(self, path: str, body: dict[str, Any], event_id: str) -> dict[str, Any]:
        """Send a webhook under the sender's own id of it; raise `RequestRefused` as `post` does."""
        headers = {"Content-Type": "application/json", "X-External-Event-Id": event_id}
        return await self._send("POST", path, json.dumps(body).encode(), headers)

    async def post(self, path: str, body: dict[str, Any], idempotency_key: str | None = None) -> dict[str, Any]:
        """Send a body and return the answer; the same idempotency key makes a retry safe.

        Raise `RequestRefused` if the hub refuses it, or does not answer in several attempts.
        """
        raw = json.dumps(body).encode()
        extra = {"Content-Type": "application/json"}
        if idempotency_key is not None:
            extra["X-Idempotency-Key"] = idempotency_key
        return await self._send("POST", path, raw, extra)

    async def get(self, path: str) -> dict[str, Any]:
        """Read a resource, at most once a second: another request with the same signature would be a replay."""
        second = self._timestamp()
        known = self._reads.get(path)
        if known is None or known[0] != second:
            known = second, asyncio.create_task(self._send("GET", path, b"", {}))
            self._reads[path] = known
        return await asyncio.shield(known[1])

    async def _send(self, method: str, path: str, raw: bytes, extra: dict[str, str]) -> dict[str, Any]:
        fault_text = "it does not answer"
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(RETRY_SECONDS)
            try:
                status, text = await self._exchange(method, path, raw, extra)
            except aiohttp.ClientError as fault:
                fault_text = str(fault)
                continue
            if status < 300:
                answer: dict[str, Any] = json.loads(text)
                return answer
            fault_text = f"{status} {text}"
            if status not in RETRIED:
                break
        raise RequestRefused(f"{method} {path}: {fault_text}")

    async def _exchange(self, method: str, path: str, raw: bytes, extra: dict[str, str]) -> tuple[int, str]:
        moment = self._timestamp()
        headers = {
            "X-API-Key": self._key.key_id,
            "X-Timestamp": moment,
            "X-Signature": sign(self._key.secret.encode(), moment, raw),
            **extra,
        }
        url = self._base_url + path
        async with self._session.request(method, url, data=raw or None, headers=headers) as response:
            return response.status, await response.text()

    def _timestamp(self) -> str:
        return str(self._clock() // 1000)
