"""One process that runs plugins, as the hub holds it: started, asked, watched, and killed when it does not answer.

The process is reached by sockets of its own, so that whatever a plugin prints, or does to its standard streams, cannot
get between the answers. What it prints is read slowly: a plugin that floods its output waits, and spends its own time.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import Any, BinaryIO

import orjson
import structlog
from attrs import define, field, frozen

from hub.plugin_host.catalog import Catalog
from hub.plugin_host.evidence import Evidence, evidence_in
from hub.plugin_host.frame_stream import FrameChannel
from hub.plugin_host.frames import FrameFault, packed
from hub.plugin_host.limits import NOTE_BYTES, Limits
from hub.plugin_host.sandbox import Protections, refusal
from hub.plugin_host.sandbox import from_json as protections_from_json

GRACE_SECONDS = 0.5
"""How long after its limit a body may still be interrupted from within, which spares the process."""
FIRST_SECONDS = 20.0
"""How long the process may take until it begins to load plugins: an interpreter's start on a very busy machine."""
REAP_SECONDS = 10.0
"""How long a killed process may take to end: one that writes to a disk which does not answer ends later."""
TRACE_SECONDS = 0.1
END_SECONDS = 0.2
OUTPUT_BYTES = 16_384
OUTPUT_SECONDS = 0.05
SHOWN_OUTPUT = 500
ENDING_SECONDS = 1.0
"""How long the keeper may take to end what it keeps, before it is killed too."""

log = structlog.get_logger(__name__)


class Exposed(Exception):
    """The process is less closed in than it must be, and loads nothing; the text is no sentence."""


class ProcessEnded(Exception):
    """The process died or had to be killed over what it was asked; `evidence` says what is known of it."""

    def __init__(self, evidence: Evidence) -> None:
        super().__init__(evidence.text)
        self.evidence = evidence


@frozen
class Loaded:
    """What a process says once it has loaded its plugins: the catalog, and the files whose change means a new load.

    `protections` are what it is closed in by, none if it is not.
    """

    catalog: Catalog
    watch: tuple[str, ...]
    protections: Protections


@define(eq=False)
class PluginProcess:
    """A process that was started and has not been closed."""

    _limits: Limits
    _process: asyncio.subprocess.Process
    _channel: FrameChannel
    _notes: BinaryIO
    _output_streams: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    """A socket of ours: of a pipe of asyncio's the end would be waited for when the process has long ended."""
    _output: asyncio.Task[None] = field(init=False)
    _distribution: str = field(init=False, default="")

    def __attrs_post_init__(self) -> None:
        self._output = asyncio.create_task(self._read_output(), name="plugin output")

    @classmethod
    async def start(cls, limits: Limits) -> PluginProcess:
        """Start a process; it has yet to load its plugins. Raise OSError if none can be had."""
        with ExitStack() as unless_started:
            with ExitStack() as handed_over:
                (requests, asked), (answers, answered), (output, printed) = (
                    _socket_pair(unless_started, handed_over) for _ in range(3)
                )
                notes = unless_started.enter_context(tempfile.TemporaryFile(buffering=0))
                notes.truncate(NOTE_BYTES)
                descriptors = (asked.fileno(), answered.fileno(), notes.fileno())
                arguments = [*map(str, (os.getpid(), *descriptors)), orjson.dumps(limits.to_json()).decode()]
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-P", "-u", "-m", "hub.plugin_runtime", *arguments,
                    stdin=asyncio.subprocess.DEVNULL, stdout=printed.fileno(), stderr=printed.fileno(),
                    pass_fds=descriptors, env=plugins_environment(), start_new_session=True,
                )  # fmt: skip
            unless_started.callback(_kill, process)
            output_streams = await asyncio.open_connection(sock=output, limit=OUTPUT_BYTES)
            unless_started.callback(output_streams[1].close)
            channel = await FrameChannel.over(requests, answers)
            unless_started.pop_all()
        return cls(limits, process, channel, notes, output_streams)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def load(self, seconds: float) -> Loaded:
        """Return what it loaded, each distribution in so many seconds; raise `ProcessEnded`, naming the distribution.

        The evidence names no distribution if the process ended before it began to load any. Raise `Exposed` if it is
        not closed in as it must be.
        """
        patience, protections = FIRST_SECONDS, Protections()
        while True:
            head, _ = await self.receive(patience)
            if "sandbox" in head:
                protections = protections_from_json(head["sandbox"])
                if self._limits.sandbox == "full" and (why := refusal(protections)):
                    raise Exposed(why)
                continue
            if "ready" in head:
                watch = tuple(str(path) for path in head["watch"])
                return Loaded(Catalog.from_json(head["ready"]), watch, protections)
            self._distribution = str(head.get("loading", ""))
            patience = seconds + GRACE_SECONDS

    def send(self, head: Mapping[str, Any], body: bytes = b"") -> None:
        """Send a request; the answers come in the same order."""
        self._channel.send(packed(head, body))

    async def receive(self, seconds: float) -> tuple[dict[str, Any], bytes]:
        """Return the next answer; after so many seconds, or if the process is gone, see to its end and raise."""
        try:
            async with asyncio.timeout(seconds):
                return await self._channel.receive()
        except TimeoutError:
            raise ProcessEnded(await self._kill_late()) from None
        except (OSError, FrameFault):
            with suppress(TimeoutError):  # it is about to end by itself, and how is worth knowing
                async with asyncio.timeout(END_SECONDS):
                    await self._process.wait()
            await self._end()
            raise ProcessEnded(self._evidence(f"it ended the plugin host's process ({self._how()})")) from None

    async def close(self) -> None:
        """End the process, and all that it started; what it holds of ours is given back even if this is cancelled."""
        try:
            await self._end()
        finally:
            self._notes.close()

    async def _end(self) -> None:
        self._channel.close()
        _kill(self._process)
        try:
            try:
                async with asyncio.timeout(ENDING_SECONDS):
                    await self._process.wait()
            except TimeoutError:
                _kill(self._process, signal.SIGKILL)
                with suppress(TimeoutError):
                    async with asyncio.timeout(REAP_SECONDS):
                        await self._process.wait()
        finally:
            self._output.cancel()
            self._output_streams[1].close()
        await asyncio.gather(self._output, return_exceptions=True)

    async def _kill_late(self) -> Evidence:
        """Kill a process that does not answer; have it write first where it is."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGUSR1)
        await asyncio.sleep(TRACE_SECONDS)
        await self._end()
        return self._evidence("it did not end when its time was up, and was killed")

    def _evidence(self, text: str) -> Evidence:
        if self._notes.closed:
            return Evidence("", self._distribution, "", "", text)
        with self._notes:
            self._notes.seek(0)
            return evidence_in(self._notes.read(), text, self._distribution)

    def _how(self) -> str:
        status = self._process.returncode
        if status is None or status >= 0:
            return f"exit status {status}"
        with suppress(ValueError):
            return signal.Signals(-status).name
        return f"signal {-status}"

    async def _read_output(self) -> None:
        """Read what plugins print, and log the beginning of each portion as one value of a line."""
        stream, _ = self._output_streams
        with suppress(OSError):  # it ended with more to say
            while text := await stream.read(OUTPUT_BYTES):
                log.warning("plugins wrote to their output", text=text[:SHOWN_OUTPUT].decode("utf-8", "replace"))
                await asyncio.sleep(OUTPUT_SECONDS)


def _socket_pair(ours: ExitStack, theirs: ExitStack) -> tuple[socket.socket, socket.socket]:
    """Return two sockets that are connected to each other, of which each stack closes one."""
    mine, other = socket.socketpair()
    return ours.enter_context(mine), theirs.enter_context(other)


def _kill(process: asyncio.subprocess.Process, number: signal.Signals = signal.SIGTERM) -> None:
    """Have the keeper end the plugins' process and all that it started; it leads a session of its own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


PASSED_ON = frozenset({"PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH"})
PASSED_ON_BEGINNINGS = ("LC_", "PYTHON")
"""The environment of plugins; everything else may be a secret, of the hub's or of another program's."""


def plugins_environment() -> dict[str, str]:
    """Return the variables that a process which runs plugins gets of this one's."""
    return {
        name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(PASSED_ON_BEGINNINGS)
    }
