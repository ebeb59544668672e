"""A shop under load: a real server process, a real merchant, and signed orders sent over real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import aiohttp
from attrs import define, field

from hub.domain.signing import sign
from tests.polling import PATIENCE_SECONDS

HUB = [sys.executable, "-m", "hub"]
COMMAND_SECONDS = 300.0
"""What takes longer never ends, however busy the machine is."""
START_SECONDS = PATIENCE_SECONDS
"""A process that says no address for as long is ended."""


def hub(
    database: str,
    *arguments: str,
    check: bool = True,
    program: Sequence[str] = HUB,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Run one operator's command of a program, the hub's own by default, with --json and return its document."""
    around = {**os.environ, **environment, "HUB_DATABASE_URL": database}
    done = subprocess.run(
        [*program, *arguments, "--json"],
        env=around,
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    if check and done.returncode != 0:
        raise AssertionError(f"hub {' '.join(arguments)} exited {done.returncode}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout)


@define
class Server:
    """A hub process on a free port; `kill` is SIGKILL, `stop` is SIGTERM."""

    database: str
    program: Sequence[str] = field(factory=lambda: [*HUB, "serve"])
    environment: dict[str, str] = field(factory=dict)
    base_url: str = ""
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process and wait for its address; raise AssertionError if it ends without one, or says none."""
        environment = {
            **os.environ, "HUB_LIMITS_PER_MINUTE": "0", "HUB_LIMITS_PER_HOUR": "0", "HUB_DATABASE_URL": self.database,
            **self.environment,
        }  # fmt: skip
        self.process = subprocess.Popen(
            [*self.program, "--port", "0"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for line in _lines(self.process, time.monotonic() + START_SECONDS):
            if line.startswith("listening on "):
                self.base_url = line.removeprefix("listening on ").strip()
                return
        self.process.kill()
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """Kill the process, without any clean-up, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask the process to finish; return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            raise AssertionError("the server was not started")
        self.process.send_signal(how)
        return self.ended(PATIENCE_SECONDS)

    def ended(self, seconds: float) -> int:
        """Wait until the process has ended, as it may by itself; return its exit code."""
        if self.process is None:
            raise AssertionError("the server was not started")
        code = self.process.wait(timeout=seconds)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def _lines(process: subprocess.Popen[bytes], until: float) -> Iterator[str]:
    """Yield the lines that a process says until a moment (monotonic seconds), or until all who could have ended.

    Its end is not waited for: a child that it left behind may hold the pipe for ever.
    """
    assert process.stdout is not None
    pipe, said = process.stdout.fileno(), b""
    while select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
        piece = os.read(pipe, 4_096)
        *whole, said = (said + piece).split(b"\n")
        yield from (line.decode() for line in whole)
        if not piece:
            return


@define
class Shop:
    """A merchant's account that sends signed orders and remembers what was acknowledged."""

    key: str
    secret: str
    acknowledged: dict[str, str] = field(factory=dict)
    sent: int = 0

    @classmethod
    def open(cls, database: str) -> Shop:
        """Create a merchant with a test key."""
        merchant = hub(
            database, "merchant", "create", "--name", "Shop", "--email", "shop@shop.example", "--domain",
            "shop.example", "--approve",
        )  # fmt: skip
        key = hub(database, "key", "create", "--merchant", merchant["id"], "--mode", "test")
        return cls(key["keyId"], key["signingSecret"])

    def headers(self, body: bytes) -> dict[str, str]:
        """Return the headers of a signed request."""
        timestamp = str(int(time.time()))
        return {
            "X-API-Key": self.key,
            "X-Timestamp": timestamp,
            "X-Signature": sign(self.secret.encode(), timestamp, body),
            "Content-Type": "application/json",
        }

    async def order(self, session: aiohttp.ClientSession, base_url: str, number: str) -> int:
        """Report one order; remember its event id if it was accepted. Return the HTTP status."""
        body = json.dumps({"externalOrderId": number, "orderAmount": "49.90", "orderStatus": "confirmed"}).encode()
        self.sent += 1
        url = f"{base_url}/api/v1/conversions"
        async with session.post(url, data=body, headers=self.headers(body)) as response:
            answer = await response.json()
            if response.status == 202:
                self.acknowledged[number] = answer["eventId"]
            return response.status

    async def load(self, base_url: str, *, seconds: float, senders: int, prefix: str) -> None:
        """Send orders from `senders` connections until the time is over or the server is gone."""
        deadline = time.monotonic() + seconds

        async def send(session: aiohttp.ClientSession, sender: int) -> None:
            number = 0
            while time.monotonic() < deadline:
                number += 1
                try:
                    await self.order(session, base_url, f"{prefix}-{sender}-{number}")
                except (aiohttp.ClientError, ConnectionError, TimeoutError):
                    return

        timeout = aiohttp.ClientTimeout(total=PATIENCE_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=0)) as session:
            await asyncio.gather(*(send(session, n) for n in range(senders)))


def database_in(folder: Path) -> str:
    """Return the address of an SQLite database in a folder."""
    return f"sqlite:///{folder / 'hub.db'}"
