"""Sends what was noted to a tool of the operator's, in the background: it waits for nobody and holds nothing up.

While the tool is away, what does not fit into a bounded queue is dropped and counted, which a log line tells once for
each outage. Nothing of it is of the books.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

import aiohttp
import structlog
from yarl import URL

from hub.tasks import end_task

EVERY_SECONDS: Final = 1.0
AT_ONCE: Final = 500
WAITING: Final = 10_000
"""How many things wait at most."""
SECONDS: Final = 10.0
"""How long the tool may take to answer."""

Item = TypeVar("Item")

log = structlog.get_logger(__name__)


class Sender(Generic[Item]):
    """Posts items, some hundred at once; `write` makes the body of a post."""

    def __init__(
        self, url: str, headers: Mapping[str, str], write: Callable[[Sequence[Item]], bytes], *, at_once: int = AT_ONCE
    ) -> None:
        self.dropped = 0
        self.url = url
        self._headers = headers
        self._write = write
        self._at_once = at_once
        self._items: deque[Item] = deque()
        self._is_away = False
        self._task: asyncio.Task[None] | None = None

    def add(self, item: Item) -> None:
        """Have an item sent soon."""
        if len(self._items) >= WAITING:
            self.dropped += 1
        else:
            self._items.append(item)

    async def start(self) -> None:
        """Begin to send."""
        self._task = asyncio.create_task(self._serve(), name="telemetry")

    async def stop(self) -> None:
        """Send what waits, if the tool takes it, and stop."""
        if self._task is not None:
            await end_task(self._task)
            await self._send()

    async def _serve(self) -> None:
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            await self._send()

    async def _send(self) -> None:
        """Post what waits; leave the rest for the next time if it is refused."""
        if not self._items:
            return
        timeout = aiohttp.ClientTimeout(total=SECONDS)
        async with aiohttp.ClientSession(timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as session:
            while self._items:
                count = min(self._at_once, len(self._items))
                batch = [self._items[place] for place in range(count)]
                fault = await self._post(session, self._write(batch))
                if fault is not None:
                    self._note(fault)
                    return
                for _ in range(count):
                    self._items.popleft()
                self._is_away = False

    async def _post(self, session: aiohttp.ClientSession, body: bytes) -> str | None:
        """Return None once the body was taken, or cannot be: then it is dropped; else why it has to come again."""
        try:
            async with session.post(self.url, data=body, headers=self._headers, allow_redirects=False) as answer:
                if answer.status in (429, 502, 503, 504):
                    return f"it answers {answer.status}"
                if answer.status >= 300:
                    self.dropped += 1
                    self._note(f"it refuses with {answer.status}")
                return None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            return str(error) or type(error).__name__

    def _note(self, fault: str) -> None:
        if not self._is_away:
            self._is_away = True  # below the level of errors, which may be what is sent
            log.warning("telemetry is not taken", host=URL(self.url).host, fault=fault)
