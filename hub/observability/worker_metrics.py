"""The worker processes beside this one: whichever is asked for metrics tells of all of them, each under its label.

Each answers its own numbers on a socket in a folder that only their parent's user can enter. Numbers are not summed: a
worker that is started again counts from nothing, which only a series of its own can show.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

import structlog

PATIENCE_SECONDS = 1.0

log = structlog.get_logger(__name__)


class SiblingMetrics:
    """The workers of one `hub serve`, by their numbers from 1; this process is one of them."""

    def __init__(self, folder: Path, number: int, count: int) -> None:
        self.number = number
        self._folder = folder
        self._others = [other for other in range(1, count + 1) if other != number]
        self._server: asyncio.Server | None = None

    async def start(self, tell: Callable[[], bytes]) -> None:
        """Begins to answer the others with what `tell` says."""

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(tell())
            with contextlib.suppress(OSError):
                await writer.drain()
            writer.close()

        path = self._socket_of(self.number)
        path.unlink(missing_ok=True)
        try:
            self._server = await asyncio.start_unix_server(answer, path)
        except OSError as error:
            log.warning("the other workers cannot tell this one's metrics", fault=str(error))

    async def stop(self) -> None:
        """Answers no more; the last to leave a folder whose parent died takes it along."""
        if self._server is not None:
            self._server.close()
            with contextlib.suppress(OSError):
                self._socket_of(self.number).unlink(missing_ok=True)
                self._folder.rmdir()

    async def ask(self) -> list[bytes]:
        """What the others say; who does not answer in time is left out."""
        said = await asyncio.gather(*(self._ask(other) for other in self._others))
        return [each for each in said if each]

    async def _ask(self, other: int) -> bytes:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                reader, writer = await asyncio.open_unix_connection(self._socket_of(other))
                try:
                    return await reader.read()
                finally:
                    writer.close()
        return b""

    def _socket_of(self, number: int) -> Path:
        return self._folder / f"{number}.sock"


def joined(expositions: Iterable[bytes]) -> bytes:
    """One text in Prometheus' format out of several: every family once, with the samples of all."""
    families: dict[bytes, list[bytes]] = {}
    for exposition in expositions:
        samples: list[bytes] = []
        head = b""
        for line in exposition.splitlines(keepends=True):
            if line.startswith(b"# HELP"):
                head = line
            elif line.startswith(b"# TYPE"):
                samples = families.setdefault(head + line, [])
            else:
                samples.append(line)
    return b"".join(head + b"".join(samples) for head, samples in families.items())
