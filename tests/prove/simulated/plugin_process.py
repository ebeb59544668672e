"""A plugin host's process without a process: it speaks the host's protocol in this one, on virtual time, and dies.

`PluginHost`, its pool, its turns and pauses, the frames and the way in which a process is asked, given up and seen to
its end are the hub's own, and so is what a process answers (`hub/plugin_runtime/answers.py`, the installed connectors).
Pretended are the operating system's process, which ends when it is told to or when the seed says so, its two sockets,
and the time that a plugin takes: it may take longer than it has, and be interrupted from within or not.
"""

from __future__ import annotations

import asyncio
import io
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, Self, cast

from hub.plugin_host.catalog import Catalog, Declaration
from hub.plugin_host.frame_stream import Frame, FrameChannel, FrameStream
from hub.plugin_host.frames import LENGTHS, head_of, lengths_in, packed
from hub.plugin_host.limits import NOTE_BYTES, NOTE_SEPARATOR, Limits
from hub.plugin_host.process import PluginProcess
from hub.plugin_host.registry import load_registry
from hub.plugin_runtime.answers import Answers, SpentProcess
from hub.plugin_runtime.guard import Overtime
from tests.prove.simulated.seeded_loop import SeededLoop, the_loop

ENDINGS: Final = ("answer",) * 12 + ("hang", "late", "crash", "crash_in_plugin", "overtime")
"""What becomes of a request, drawn by the seed where plugins may fail."""
registry = cache(load_registry)


@cache
def _ready() -> dict[str, Any]:
    declared = [Declaration.of(each, registry().origins.get(each.name, "")) for each in registry().connectors]
    return {"ready": Catalog(tuple(declared), registry().set_aside).to_json(), "watch": []}


class Mortal:
    """The operating system's view of a process: it runs until something ends it."""

    def __init__(self) -> None:
        self.pid = 0
        self.returncode: int | None = None
        self.serving: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    def end(self, code: int) -> None:
        """End it, unless it has ended."""
        if self.returncode is None:
            self.returncode = code
            self._ended.set()
            if self.serving is not None and self.serving is not asyncio.current_task():
                self.serving.cancel()

    async def wait(self) -> int:
        """Wait for its end."""
        await self._ended.wait()
        return self.returncode or 0

    def send_signal(self, number: int) -> None:
        """Take a signal that ends nothing."""
        assert number == signal.SIGUSR1


class _Notes:
    """What a process notes of its calls; `slow` lets the next be interrupted because it took too long."""

    def __init__(self, file: io.BytesIO) -> None:
        self._file = file
        self.noted = ["", "", "", ""]
        self.slow = False

    def note(self, connector: str, distribution: str, part: str, function: object = None) -> None:
        """Note whose code is called next."""
        self.noted = [connector, distribution, part, ""]
        self._write(NOTE_SEPARATOR.join(self.noted))
        if self.slow:
            self.slow = False
            raise Overtime("took longer than it may")

    def rest(self) -> None:
        """Note that no plugin's code runs."""
        self._write("")

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Limit nothing by itself."""
        del seconds
        yield

    def _write(self, text: str) -> None:
        if not self._file.closed:
            self._file.seek(0)
            self._file.write(text.encode()[: NOTE_BYTES - 1] + b"\0")


class _Line(FrameChannel):
    """Both sockets: what the hub asks goes into a queue, what is answered arrives in pieces."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[Frame] = asyncio.Queue()
        self._stream = FrameStream()
        self._open = True

    def send(self, frame: bytes) -> None:
        if self._open:
            head, _ = lengths_in(frame[: LENGTHS.size])
            self.asked.put_nowait((head_of(frame[LENGTHS.size :][:head]), frame[LENGTHS.size + head :]))

    async def receive(self) -> Frame:
        return await self._stream.receive()

    def close(self) -> None:
        self._open = False

    def answer(self, frame: bytes, cut: int) -> None:
        """Let a frame arrive, in two pieces."""
        if self._open:
            for piece in (frame[:cut], frame[cut:]):
                self._stream.data_received(piece)

    def lose(self) -> None:
        """Let the hub see that the other end is gone."""
        self._stream.eof_received()


class _Output:
    """The hub's end of the socket for what plugins print: nothing."""

    def close(self) -> None:
        """Do nothing."""


class SimulatedProcess(PluginProcess):
    """`PluginProcess` over a pretended process; `fails` is set by the history that it is in."""

    fails = False

    @classmethod
    async def start(cls, limits: Limits) -> Self:
        loop = the_loop()
        await asyncio.sleep(loop.moment())
        if cls.fails and loop.is_stormy and loop.dice.random() < 0.1:
            raise OSError("no process can be had")
        process, line, notes = Mortal(), _Line(), io.BytesIO(bytes(NOTE_BYTES))
        nothing = asyncio.StreamReader()
        nothing.feed_eof()
        made = cls(limits, cast("Any", process), line, notes, (nothing, cast("Any", _Output())))
        serving = _serve(loop, cls.fails, limits, process, line, _Notes(notes))
        process.serving = loop.create_task(serving, name="plugin process")
        loop.kept.append(process.serving)
        return made


async def _serve(
    loop: SeededLoop, fails: bool, limits: Limits, process: Mortal, line: _Line, notes: _Notes
) -> None:  # fmt: skip
    """Load, then answer one request after the other, until the process has ended."""
    beginnings: tuple[dict[str, Any], ...] = ({"sandbox": []}, {"loading": "hub-generic 1.0"}, _ready())
    for head in beginnings:
        await asyncio.sleep(loop.moment())
        line.answer(packed(head), 5)
    answers = Answers(registry(), notes, limits.body_seconds)
    while True:
        asked, raw = await line.asked.get()
        ending = loop.dice.choice(ENDINGS) if fails and loop.is_stormy else "answer"
        loop.note(f"plugin {ending}")
        await asyncio.sleep(limits.body_seconds * 2 if ending == "late" else loop.moment())
        if ending == "hang":
            await asyncio.Event().wait()
        if ending in ("crash", "crash_in_plugin"):
            if ending == "crash_in_plugin":
                notes.note("generic", "hub-generic 1.0", "translate", None)
            process.end(-signal.SIGSEGV)
            line.lose()
            return
        notes.slow = ending == "overtime"
        if not _answer(answers, asked, raw, line, loop):
            return


def _answer(answers: Answers, asked: dict[str, Any], raw: bytes, line: _Line, loop: SeededLoop) -> bool:
    """Answer one request; return whether the process goes on."""
    try:
        frame, goes_on = packed(*answers.answer(asked, raw)), True
    except SpentProcess as spent:
        frame, goes_on = packed({**spent.document, "spent": True}), False
    line.answer(frame, loop.dice.randrange(len(frame)))
    return goes_on


def end_process(process: Any, number: signal.Signals = signal.SIGTERM) -> None:
    """Do what the keeper of a process does when it is told to end."""
    process.end(-number)
