"""The outside that messages go to: receivers that take them, refuse, hang, answer late, or take them and say nothing.

`Outside` stands where the deliverer has its aiohttp session, and is all of the network that is pretended: deliverer and
attempt are the hub's own, and what a receiver does reaches them as aiohttp would say it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import aiohttp
from aiohttp.client_reqrep import ConnectionKey
from attrs import define, field, frozen

from hub.domain.messages.webhook_signing import secret_key, signature
from hub.notifications.receiver import TOTAL_SECONDS
from tests.prove.simulated.seeded_loop import the_loop

HOOK: Final = "https://hooks.example/hub"
POSTBACK: Final = "https://ada.example/pb?c={conversionId}&s={state}&a={amount}&e={event}&m={messageId}"
MANNERS: Final = ("take",) * 14 + ("late", "refuse", "hang", "silent", "500", "cut")
LATE_SECONDS: Final = TOTAL_SECONDS - 0.5


@frozen
class Heard:
    """One message as it arrived: of which order (by the hub's id), and what it says of its commission, if of one."""

    message_id: str
    event: str
    conversion_id: str
    state: str
    amount: str


@define
class Outside:
    """Both receivers; `fails` lets them misbehave. What they took is in `hooks` and `postbacks`, in its order."""

    fails: bool
    secret: str = ""
    hooks: list[Heard] = field(factory=list)
    postbacks: list[Heard] = field(factory=list)

    def get(self, url: str, **_: Any) -> Any:
        """Ask for an address, as a postback does."""
        asked = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
        return self._asked(self.postbacks, Heard(asked["m"], asked["e"], asked["c"], asked["s"], asked["a"]))

    def post(self, url: str, *, data: bytes, headers: Mapping[str, str], **_: Any) -> Any:
        """Post a webhook; one that is not signed with the secret is none."""
        assert url == HOOK
        name, moment = headers["webhook-id"], int(headers["webhook-timestamp"])
        assert headers["webhook-signature"] == signature(secret_key(self.secret), name, moment, data)
        document = json.loads(data)
        said = document["data"]
        is_commissions = document["type"].startswith("commission.")
        stands = [str(said[name]) if is_commissions else "" for name in ("conversionId", "state", "amount")]
        return self._asked(self.hooks, Heard(name, document["type"], *stands))

    async def close(self) -> None:
        """Forget nothing: the next process's deliverer finds the same receivers."""

    @asynccontextmanager
    async def _asked(self, taken: list[Heard], message: Heard) -> AsyncIterator[_Answer]:
        loop = the_loop()
        manner = loop.dice.choice(MANNERS) if self.fails and loop.is_stormy else "take"
        loop.note(f"{manner} {message}")
        await asyncio.sleep(loop.moment())
        if manner == "refuse":
            key = ConnectionKey("hooks.example", 443, True, True, None, None, None)
            raise aiohttp.ClientConnectorError(key, ConnectionRefusedError(111, "Connection refused"))
        if manner == "hang":
            await _too_long()
        if manner == "500":
            yield _Answer(500)
            return
        taken.append(message)
        if manner == "silent":
            await _too_long()
        if manner == "cut":
            raise aiohttp.ServerDisconnectedError
        await asyncio.sleep(LATE_SECONDS if manner == "late" else loop.moment())
        yield _Answer(200)


async def _too_long() -> None:
    """Wait as long as the session of the deliverer does, and end as it does."""
    await asyncio.sleep(TOTAL_SECONDS)
    raise TimeoutError


class _Answer:
    """An answer without a body."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.content = self

    async def iter_chunked(self, _: int) -> AsyncIterator[bytes]:
        """Yield nothing."""
        nothing: tuple[bytes, ...] = ()
        for each in nothing:
            yield each
