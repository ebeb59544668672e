"""Customers of several nodes: each order is sent again, to whichever node is next, until one acknowledges it."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import aiohttp
from attrs import Factory, define

from hub.domain.signing import sign
from tests.polling import lasting
from tests.prove.shop import Server, Shop, hub

ANSWER_SECONDS = 3.0
"""How long a customer waits for one answer; as long again after each few attempts, or a slow machine never answers."""
PATIENT_AFTER = 3
PAUSE_SECONDS = 0.02
"""Between two orders of a customer, so that the machine has room for what goes wrong."""
RETRY_SECONDS = 0.1
AVOIDED_SECONDS = 0.5
GIVES_UP_SECONDS = 300.0


@define
class Customers:
    """Sends signed orders with idempotency keys and remembers the answer to each."""

    shop: Shop
    nodes: Sequence[Server]
    click_id: str | None = None
    acknowledged: dict[str, set[str]] = Factory(dict)
    """The event ids that each order was answered with: one, or something is wrong."""
    unanswered: set[str] = Factory(set)
    outcomes: Counter[str] = Factory(Counter)
    answered_at: list[float] = Factory(list)
    _silent_until: dict[int, float] = Factory(dict)

    async def shop_on(
        self, *, seconds: float, senders: int, tag: str = "N", has_met_enough: Callable[[], bool] = lambda: True
    ) -> None:
        """Send orders from `senders` customers until the time is over, and enough was met (`tests.polling.lasting`).

        Each finishes the order it has begun.
        """
        goes_on = lasting(seconds, has_met_enough)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def customer(sender: int) -> None:
                number = 0
                while goes_on():
                    number += 1
                    await self._order(session, f"{tag}-{sender}-{number}", first=sender + number)
                    await asyncio.sleep(PAUSE_SECONDS)

            await asyncio.gather(*(customer(sender) for sender in range(senders)))

    async def _order(self, session: aiohttp.ClientSession, order: str, *, first: int) -> None:
        order_of = {
            "externalOrderId": order,
            "orderAmount": "49.90",
            "orderStatus": "confirmed",
            "clickId": self.click_id,
        }
        body = json.dumps(order_of).encode()
        deadline = time.monotonic() + GIVES_UP_SECONDS
        self.unanswered.add(order)
        attempt = 0
        while time.monotonic() < deadline:
            place = self._balanced(first + attempt)
            if await self._attempt(session, self.nodes[place], order, body, attempt):
                self._silent_until.pop(place, None)
                self.unanswered.discard(order)
                return
            self._silent_until[place] = time.monotonic() + AVOIDED_SECONDS
            attempt += 1
            await asyncio.sleep(RETRY_SECONDS)

    def _balanced(self, turn: int) -> int:
        """Return the next node as a load balancer chooses it: not one that failed, unless its pause is over."""
        now = time.monotonic()
        for place in ((turn + step) % len(self.nodes) for step in range(len(self.nodes))):
            silent_until = self._silent_until.get(place)
            if silent_until is None:
                return place
            if silent_until < now:
                self._silent_until[place] = now + ANSWER_SECONDS
                return place
        return turn % len(self.nodes)

    async def _attempt(
        self, session: aiohttp.ClientSession, node: Server, order: str, body: bytes, attempt: int
    ) -> bool:
        """Send the order once; return whether it was acknowledged."""
        url = f"{node.base_url}/api/v1/conversions"
        headers = {**self._signed(body, f"{order}-{attempt}"), "Idempotency-Key": order}
        patience = aiohttp.ClientTimeout(total=ANSWER_SECONDS * (1 + attempt // PATIENT_AFTER))
        try:
            async with session.post(url, data=body, headers=headers, timeout=patience) as answer:
                document = await answer.json()
        except (aiohttp.ClientError, OSError, TimeoutError) as fault:
            self.outcomes[type(fault).__name__] += 1
            return False
        self.outcomes[str(answer.status)] += 1
        if answer.status != 202:
            return False
        self.acknowledged.setdefault(order, set()).add(document["eventId"])
        self.answered_at.append(time.monotonic())
        return True

    def _signed(self, body: bytes, nonce: str) -> dict[str, str]:
        """Return the headers of an attempt; each has a nonce of its own, since a signature counts once."""
        timestamp = str(int(time.time()))
        return {
            "X-API-Key": self.shop.key,
            "X-Timestamp": timestamp,
            "X-Nonce": nonce,
            "X-Signature": sign(self.shop.secret.encode(), timestamp, body, nonce),
            "Content-Type": "application/json",
        }

    @property
    def troubles(self) -> int:
        """How many attempts were not acknowledged."""
        return sum(count for outcome, count in self.outcomes.items() if outcome != "202")

    def longest_silence(self) -> float:
        """Return the longest time in seconds during which nothing was acknowledged."""
        return max(
            (later - earlier for earlier, later in zip(self.answered_at, self.answered_at[1:], strict=False)), default=0
        )


def opened(database: str, nodes: Sequence[Server]) -> Customers:
    """Create a merchant whose orders come from a click, so that each earns a commission."""
    shop = Shop.open(database)
    (merchant,) = hub(database, "merchant", "list")
    affiliate = hub(database, "affiliate", "create", "--name", "Ada", "--email", "ada@blog.example")
    whose = ["--merchant", merchant["id"], "--mode", "test", "--affiliate", affiliate["id"]]
    code = hub(database, "link", "create", *whose)["code"]
    address = _redirect(f"{nodes[0].base_url}/t/{code}")
    return Customers(shop, nodes, address.partition("affiliate_click_id=")[2].partition("&")[0])


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _redirect(address: str) -> str:
    request = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0"})
    try:
        urllib.request.build_opener(_Stay).open(request)
    except urllib.error.HTTPError as answer:
        return str(answer.headers["Location"])
    raise AssertionError("the link leads nowhere")
