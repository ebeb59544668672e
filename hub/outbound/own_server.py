"""Requests of the hub to itself, as somebody outside would send them: what is played goes the way of what is real."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
from attrs import define, frozen
from yarl import URL

ANSWER_SECONDS: Final = 20.0
MOST_ANSWER_BYTES: Final = 65_536
EVERY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - compared, not bound
"""Where a server that listens on every address is reached from its own machine."""


class NotListening(Exception):
    """The hub cannot be reached at its own address; the text is a sentence."""


@frozen
class OwnAnswer:
    """An answer of the hub: its status, its body if that is a JSON object, and where it leads on to."""

    status: int
    body: Mapping[str, Any]
    location: str | None = None


@define(eq=False)
class OwnServer:
    """The address on which this process listens, known once it does."""

    host: str = ""
    port: int = 0

    def listening(self, host: str, port: int) -> None:
        """Note where the process listens."""
        self.host, self.port = EVERY_ADDRESS.get(host, host), port

    async def post(self, path: str, headers: Mapping[str, str], body: bytes) -> OwnAnswer:
        """Send a POST with exactly these headers and this body; raise `NotListening` if there is no answer."""
        return await self._ask("POST", path, headers, body)

    async def follow(self, path: str, headers: Mapping[str, str]) -> OwnAnswer:
        """Open an address as a browser does, without going on where it leads; raise `NotListening` as `post` does."""
        return await self._ask("GET", path, headers, None)

    async def _ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> OwnAnswer:
        if not self.port:
            raise NotListening("This process does not listen for requests.")
        url = URL.build(scheme="http", host=self.host, port=self.port, path=path, encoded=True)
        timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, trust_env=False, cookie_jar=aiohttp.DummyCookieJar()) as session,
                session.request(method, url, data=body, headers=headers, allow_redirects=False) as response,
            ):
                raw = await response.content.read(MOST_ANSWER_BYTES)
                return OwnAnswer(response.status, _object(raw), response.headers.get("Location"))
        except (TimeoutError, aiohttp.ClientError, OSError) as fault:
            raise NotListening(f"The hub does not answer at its own address: {type(fault).__name__}.") from None


def _object(raw: bytes) -> dict[str, Any]:
    try:
        found = json.loads(raw)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
