"""Everything that strangers, neighbours and plugins may try, all at once: `python -m tests.prove.attackers` < target.

It runs in a process of its own, with the lowest claim on the processor, as attackers have their own machines. At the
end it prints how often each attack was answered how: an attack that never happened proves nothing.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from typing import Any

from attrs import define, field, frozen

from hub.domain.signing import sign

BUNDLE = "/api/v1/openapi.json"
MIB = 1024 * 1024
PATIENCE = 20.0
BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36"
HOSTILE_ACTS = ("hang", "exit", "memory", "raise", "none")
CUT_OFF = "cut off"

Act = Callable[[], Awaitable[str]]


@frozen
class Target:
    """What the attackers know: an address, ids that are no secret, and a neighbour's own keys and plugin."""

    port: int
    seconds: float
    victim_key: str
    neighbour_key: str
    neighbour_secret: str
    code: str
    forged: Mapping[str, Any]
    """A captured delivery: its `path`, `headers`, `body` (base64), the header of the topic and false `topics`."""
    hostile: Mapping[str, str]
    """The neighbour's connection: its `path` and `secret`."""


@define
class Attackers:
    """Attacks on one hub until its time is over; `counts` says how often each was answered how."""

    target: Target
    counts: Counter[str] = field(factory=Counter)
    accepted_bytes: int = 0
    """The bytes of bodies that the neighbour's lawful load had accepted."""
    _dice: random.Random = field(factory=lambda: random.Random(20_261_122))
    _numbers: Iterator[int] = field(factory=count)

    async def attack(self) -> None:
        """Run every attack at its own pace, some of them several times beside each other."""
        deadline = time.monotonic() + self.target.seconds
        attacks: list[tuple[str, Act, float, int]] = [
            ("bodies that break off", self.break_off, 0.3, 1), ("bodies held open", self.hold_body, 0.5, 16),
            ("slow headers", self.drip_headers, 0.5, 20), ("answers never read", self.never_read, 0.5, 10),
            ("connections", self.flood_connections, 0.5, 2), ("crawler agents", self.crawl, 0.05, 1),
            ("clicks", self.click, 0.02, 1), ("refused requests", self.be_refused, 0.02, 2),
            ("forged topics", self.forge_topic, 0.5, 1), ("full bodies", self.fill_body, 1.0, 1),
            ("many lines", self.send_lines, 5.0, 1), ("hostile plugin", self.trouble_plugin, 2.0, 1),
            ("unproved uploads", self.upload_unproved, 2.0, 2), ("faulty files", self.upload_faults, 20.0, 1),
        ]  # fmt: skip
        await asyncio.gather(
            *(self._repeat(name, act, pause, deadline) for name, act, pause, times in attacks for _ in range(times))
        )

    async def _repeat(self, name: str, act: Act, pause: float, deadline: float) -> None:
        while time.monotonic() < deadline:
            try:
                outcome = await asyncio.wait_for(act(), PATIENCE)
            except (OSError, TimeoutError, asyncio.IncompleteReadError):
                outcome = CUT_OFF
            self.counts[f"{name}: {outcome}"] += 1
            await asyncio.sleep(pause)

    @asynccontextmanager
    async def _connection(self, receive: int = 0) -> Any:
        client = socket.socket()
        if receive:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        client.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", self.target.port))
            reader, writer = await asyncio.open_connection(sock=client)
        except BaseException:
            client.close()
            raise
        try:
            yield reader, writer
        finally:
            writer.close()

    async def _ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> str:
        """Send a request and return its answer's status."""
        async with self._connection() as (reader, writer):
            writer.write(self._head(method, path, {"Content-Length": str(len(body)), **headers}) + body)
            line = await reader.readline()
            return line.split()[1].decode() if line.startswith(b"HTTP/") else CUT_OFF

    def _head(self, method: str, path: str, headers: Mapping[str, str]) -> bytes:
        """Return a request's head; a proxy that is trusted says that it comes from one of a thousand addresses."""
        lines = {"Host": "hub", "X-Forwarded-For": f"198.51.{self._dice.randrange(4)}.{self._dice.randrange(250)}"}
        text = "".join(f"{name}: {value}\r\n" for name, value in (lines | dict(headers)).items())
        return f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode()

    def _signed(self, body: bytes) -> dict[str, str]:
        stamp = str(int(time.time()) - next(self._numbers) % 250)
        signature = sign(self.target.neighbour_secret.encode(), stamp, body)
        return {"X-API-Key": self.target.neighbour_key, "X-Timestamp": stamp, "X-Signature": signature,
                "Content-Type": "application/json"}  # fmt: skip

    def _forged(self, key: str | None = None) -> dict[str, str]:
        digits = "".join(self._dice.choices("0123456789abcdef", k=64))
        return {"X-API-Key": key or self.target.victim_key, "X-Timestamp": str(int(time.time())), "X-Signature": digits,
                "Content-Type": "application/json"}  # fmt: skip

    async def _send_import(self, writer: asyncio.StreamWriter, size: int) -> None:
        writer.write(self._head("POST", "/api/v1/products/import", {**self._forged(), "Content-Length": str(8 * MIB)}))
        for _ in range(size // MIB):
            writer.write(b" " * MIB)
            await writer.drain()

    async def break_off(self) -> str:
        """Send half of a body and leave."""
        async with self._connection() as (_, writer):
            await self._send_import(writer, 4 * MIB)
        return "left"

    async def hold_body(self) -> str:
        """Send all of a body but its end, and wait."""
        async with self._connection() as (reader, writer):
            await self._send_import(writer, 7 * MIB)
            async with asyncio.timeout(10):
                return (await reader.readline()).decode()[9:12] or CUT_OFF

    async def drip_headers(self) -> str:
        """Send a header byte by byte."""
        async with self._connection() as (reader, writer):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: hub\r\nX-Slow: ")
            while not reader.at_eof():
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.5)
        return CUT_OFF

    async def never_read(self) -> str:
        """Ask eight times for the largest file, and read nothing."""
        async with self._connection(receive=4_096) as (_, writer):
            writer.write(self._head("GET", BUNDLE, {}) * 8)
            await asyncio.sleep(15)
        return "left"

    async def flood_connections(self) -> str:
        """Open two hundred connections, say nothing, and close them."""
        async with AsyncExitStack() as held:
            for _ in range(200):
                await held.enter_async_context(self._connection())
            await asyncio.sleep(3)
        return "held"

    async def crawl(self) -> str:
        """Visit a link with a user agent that was made to be slow to match, a new one each time."""
        agent = "".join(self._dice.choices("Mozilabot/5.0 (;:-_)crwspdhn ", k=512))
        return await self._ask("GET", f"/t/{self.target.code}", {"User-Agent": agent})

    async def click(self) -> str:
        """Click a link again and again."""
        return await self._ask("GET", f"/t/{self.target.code}", {"User-Agent": BROWSER})

    async def be_refused(self) -> str:
        """Send an order with a signature that is made up, for a known key or an unknown one."""
        key = self._dice.choice([None, "ak_test_" + "".join(self._dice.choices("0123456789abcdef", k=32))])
        return await self._ask("POST", f"/api/v1/conversions?{'x' * 500}", self._forged(key), b'{"a":1}')

    async def forge_topic(self) -> str:
        """Send a captured delivery again under another topic."""
        forged = self.target.forged
        changed = {forged["topicHeader"]: self._dice.choice(forged["topics"]),
                   forged["idHeader"]: str(next(self._numbers))}  # fmt: skip
        headers = {name: value for name, value in forged["headers"].items() if name.lower() not in
                   {each.lower() for each in changed}}  # fmt: skip
        return await self._ask("POST", forged["path"], {**headers, **changed}, base64.b64decode(forged["body"]))

    async def fill_body(self) -> str:
        """Send a lawful body of a megabyte that is full of values that nobody knows."""
        body = json.dumps({"externalOrderId": f"full-{next(self._numbers)}", "orderAmount": "1.00",
                           "x": [{}] * 24_500, "y": "y" * 900_000}).encode()  # fmt: skip
        return await self._lawful("/api/v1/conversions", body, {})

    async def send_lines(self) -> str:
        """Send a webhook of as many and as long lines as it may have."""
        number = next(self._numbers)
        lines = [
            {"external_product_id": f"{place:04}".ljust(120, "p"), "quantity": 1, "amount": "1.00", "note": "n" * 800}
            for place in range(1_000)
        ]
        order = {"external_order_id": f"heavy-{number}", "order_amount": "1000.00", "lines": lines}
        event = {"X-External-Event-Id": f"heavy-{number}"}
        return await self._lawful("/api/v1/webhooks/order-created", json.dumps(order).encode(), event)

    async def _lawful(self, path: str, body: bytes, more: Mapping[str, str]) -> str:
        status = await self._ask("POST", path, {**self._signed(body), **more}, body)
        self.accepted_bytes += len(body) if status in ("200", "202") else 0
        return status

    async def trouble_plugin(self) -> str:
        """Deliver a body over which the neighbour's plugin hangs, ends its process or eats the memory."""
        from hub.domain.connectors.connector import HmacHeader
        from hub.domain.connectors.scenes import signed_headers

        number = next(self._numbers)
        body = json.dumps({"number": str(number), "bad": self._dice.choice(HOSTILE_ACTS)}).encode()
        proof = signed_headers(HmacHeader("X-Hostile"), self.target.hostile["secret"], body, 0, str(number))
        headers = {**proof, "Content-Type": "application/json"}
        return await self._ask("POST", self.target.hostile["path"], headers, body)

    async def upload_unproved(self) -> str:
        """Upload a file under a key whose id is known."""
        size = 16 * MIB
        async with self._connection() as (reader, writer):
            headers = {**self._forged(), "Content-Type": "text/csv", "Content-Length": str(size)}
            writer.write(self._head("POST", "/api/v1/uploads/orders", headers))
            for _ in range(size // MIB):
                writer.write(b"externalOrderId,orderAmount\n" * (MIB // 28))
                await writer.drain()
                if reader.at_eof():
                    break
            writer.write_eof()
            return (await reader.readline()).decode()[9:12] or CUT_OFF

    async def upload_faults(self) -> str:
        """Upload a file of the neighbour's own whose rows are all wrong."""
        body = b"externalOrderId,orderAmount\n" + b'"x\n' * 50_000
        headers = {**self._signed(body), "Content-Type": "text/csv"}
        return await self._ask("POST", "/api/v1/uploads/orders", headers, body)


async def main() -> None:
    """Attack the target on standard input; print the counts as JSON."""
    with suppress(OSError):
        os.nice(10)
    attackers = Attackers(Target(**json.load(sys.stdin)))
    await attackers.attack()
    json.dump({"counts": dict(attackers.counts), "acceptedBytes": attackers.accepted_bytes}, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
