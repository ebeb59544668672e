"""Metrics of the worker processes beside this one, so that a scrape of any worker returns those of all.

Each worker serves its own metrics on a Unix socket in a folder that only the parent's user can enter. They are
labelled, not summed: a worker that is started again counts from zero, which only a series of its own can show.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

import structlog

SIBLING_TIMEOUT_SECONDS = 1.0
"""How long a scrape waits for another worker."""

log = structlog.get_logger(__name__)


class SiblingMetrics:
    """The workers of one `hub serve`, by their numbers from 1; this process is one of them."""

    def __init__(self, folder: Path, number: int, count: int) -> None:
        self.number = number
        self._folder = folder
        self._others = [other for other in range(1, count + 1) if other != number]
        self._server: asyncio.Server | None = None

    async def start(self, own_exposition: Callable[[], bytes]) -> None:
        """Begin to serve `own_exposition()` to the other workers."""

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(own_exposition())
            with contextlib.suppress(OSError):
                await writer.drain()
            writer.close()

        path = self._socket_of(self.number)
        path.unlink(missing_ok=True)
        try:
            self._server = await asyncio.start_unix_server(answer, path)
        except OSError as error:
            log.warning("the other workers cannot read this one's metrics", fault=str(error))

    async def stop(self) -> None:
        """Stop serving; the last worker removes the folder if their parent died."""
        if self._server is not None:
            self._server.close()
            with contextlib.suppress(OSError):
                self._socket_of(self.number).unlink(missing_ok=True)
                self._folder.rmdir()

    async def expositions(self) -> list[bytes]:
        """Return the expositions of the other workers; one that does not answer in time is left out."""
        expositions = await asyncio.gather(*(self._read(other) for other in self._others))
        return [each for each in expositions if each]

    async def _read(self, other: int) -> bytes:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(SIBLING_TIMEOUT_SECONDS):
                reader, writer = await asyncio.open_unix_connection(self._socket_of(other))
                try:
                    return await reader.read()
                finally:
                    writer.close()
        return b""

    def _socket_of(self, number: int) -> Path:
        return self._folder / f"{number}.sock"


def merged_expositions(expositions: Iterable[bytes]) -> bytes:
    """Return one text in Prometheus' format with every metric family once, and the samples of all expositions."""
    families: dict[bytes, list[bytes]] = {}
    for exposition in expositions:
        samples: list[bytes] = []
        help_line = b""
        for line in exposition.splitlines(keepends=True):
            if line.startswith(b"# HELP"):
                help_line = line
            elif line.startswith(b"# TYPE"):
                samples = families.setdefault(help_line + line, [])
            else:
                samples.append(line)
    return b"".join(head + b"".join(samples) for head, samples in families.items())
