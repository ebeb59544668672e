"""The second process as the server holds it: started, asked, and ended."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from attrs import define, field

from hub.processing.decider import HEAD_BYTES, packed, size_of, unpacked
from hub.processing.outcome import Outcome, Rows
from hub.processing.translate import Event

READ_AT_ONCE = 1 << 20
"""How many bytes of answers are taken from the pipe before somebody asks for them."""
STOP_SECONDS = 2.0


class DeciderFault(Exception):
    """The second process could not decide a batch, or is gone."""


@define(eq=False)
class DeciderProcess:
    """One process at a time; `command` starts it."""

    _command: Sequence[str]
    _process: asyncio.subprocess.Process | None = field(init=False, default=None)
    _listening: asyncio.Task[None] | None = field(init=False, default=None)
    _asked: deque[asyncio.Future[Outcome]] = field(init=False, factory=deque)
    _ready: bool = field(init=False, default=False)

    @property
    def started(self) -> bool:
        """Whether there is one, living or dead."""
        return self._process is not None

    @property
    def ready(self) -> bool:
        """Whether it takes requests."""
        return self._ready

    @property
    def died(self) -> bool:
        """Whether it ended without being told to."""
        return self._listening is not None and self._listening.done()

    async def start(self) -> None:
        """Starts the process, where there is none; it is ready in time. Raises OSError where none can be had."""
        pipe = asyncio.subprocess.PIPE
        # A session of its own: what is typed at the server's terminal is for the server.
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, limit=READ_AT_ONCE, start_new_session=True
        )
        if self._process.stdout is not None:
            self._listening = asyncio.create_task(self._listen(self._process.stdout), name="decider")

    def ask(self, now: int, events: Sequence[Event]) -> asyncio.Future[Outcome]:
        """What these events come to at `now` (ms UTC), in time; `DeciderFault` where that cannot be told."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        outcome.add_done_callback(_note)
        if self._process is None or self._process.stdin is None or not self._ready:
            outcome.set_exception(DeciderFault("the process does not run"))
        else:
            self._asked.append(outcome)
            self._process.stdin.write(packed([now, [tuple(event) for event in events]]))
        return outcome

    async def stop(self) -> None:
        """Ends the process, if there is one; what it was asked is answered by a fault."""
        process, self._process = self._process, None
        if process is None:
            return
        self._ready = False
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._listening is not None:
            await self._listening
            self._listening = None

    async def _listen(self, answers: asyncio.StreamReader) -> None:
        try:
            await _receive(answers)
            self._ready = True
            while True:
                self._take(*await _receive(answers))
        except (asyncio.IncompleteReadError, ConnectionError):
            self._ready = False
            while self._asked:
                self._take("the process has ended", None)

    def _take(self, fault: str | None, rows: Sequence[Rows] | None) -> None:
        outcome = self._asked.popleft()
        if outcome.done():
            return
        if rows is None:
            outcome.set_exception(DeciderFault(fault))
        else:
            outcome.set_result(Outcome(*rows))


async def _receive(answers: asyncio.StreamReader) -> Any:
    return unpacked(await answers.readexactly(size_of(await answers.readexactly(HEAD_BYTES))))


def _note(outcome: asyncio.Future[Outcome]) -> None:
    """Looks at a fault, since nobody may be left who does."""
    if not outcome.cancelled():
        outcome.exception()
