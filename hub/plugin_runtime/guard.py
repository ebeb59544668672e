"""What bounds a plugin inside its process, and what is noted so that its end can be explained from outside.

A time limit interrupts the plugin by SIGALRM, which leaves the process alive; code that swallows the interruption, or
never gets back to the interpreter, is killed from outside a little later. The notes are a file that both processes have
open: before each call into a plugin its name is written there (into memory, without a system call), and faulthandler
writes its traces behind it. So whatever ends this process, the other one can say whose code ran.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from attrs import define, field

from hub.plugin_host.limits import NOTE_BYTES, NOTE_SEPARATOR
from hub.plugin_host.places import innermost, place


class Overtime(BaseException):
    """Raised inside a plugin that takes too long; no `except Exception` of its own keeps it."""


@define(eq=False)
class Guard:
    """The notes and the time limit of this process."""

    _notes: mmap.mmap
    _armed: bool = field(init=False, default=False)
    _seconds: float = field(init=False, default=0.0)
    _last: str = field(init=False, default="")

    @classmethod
    def over(cls, descriptor: int) -> Guard:
        """Return a guard that notes into an open file, and have faulthandler write there too."""
        notes = mmap.mmap(descriptor, NOTE_BYTES)
        os.lseek(descriptor, NOTE_BYTES, os.SEEK_SET)
        faulthandler.enable(descriptor, all_threads=False)
        faulthandler.register(signal.SIGUSR1, descriptor, all_threads=False)
        guard = cls(notes)
        signal.signal(signal.SIGALRM, guard._interrupt)
        os._exit = guard._leaving(os._exit)  # type: ignore[assignment]  # a function for a function
        return guard

    def note(self, connector: str, distribution: str, part: str, function: object = None) -> None:
        """Note whose code is called next."""
        self._last = NOTE_SEPARATOR.join((connector, distribution, part, _defined_at(function)))
        self._write(self._last)

    def rest(self) -> None:
        """Note that no plugin's code runs."""
        self._write("")

    @property
    def noted(self) -> list[str]:
        """Return what was noted last: connector, distribution, part and where the function is defined."""
        return self._last.split(NOTE_SEPARATOR) if self._last else ["", "", "", ""]

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Raise `Overtime` inside the block once it has taken so many seconds."""
        self._armed, self._seconds = True, seconds
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _interrupt(self, _: int, __: FrameType | None) -> None:
        if self._armed:
            self._armed = False
            raise Overtime(f"took longer than {self._seconds:g} seconds")

    def _leaving(self, leave: Callable[[int], NoReturn]) -> Callable[[int], NoReturn]:
        """Return an `os._exit` that first notes where it was called."""

        def left(status: int) -> NoReturn:
            frames = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_stack(limit=20)]
            self._write(NOTE_SEPARATOR.join((*self.noted[:3], innermost(frames) or self.noted[3])))
            leave(status)

        return left

    def _write(self, text: str) -> None:
        content = text.encode("utf-8", "replace")[: NOTE_BYTES - 1] + b"\0"
        self._notes[: len(content)] = content


def defined(function: object) -> tuple[str, int] | None:
    """Return the file and the line where a function is defined, None if it has none."""
    code = getattr(function, "__code__", None)
    return None if code is None else (code.co_filename, code.co_firstlineno)


def _defined_at(function: object) -> str:
    found = defined(function)
    return "" if found is None else place(*found)
