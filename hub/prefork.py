"""Several processes on one port: a parent starts them, starts the dead again, and ends them together.

The parent serves nothing; it holds the port. It makes no ids and runs no event loop, so that the children it forks have
no state in common.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from attrs import define, field

from hub.app import cannot_listen
from hub.config.settings import ServerSettings

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
"""A child that died is started again after a pause that doubles while it keeps dying."""
STEADY_SECONDS = 60.0
"""A child that served so long has proved that it can; the next pause is the first again."""
STOP_SECONDS = 60.0
"""How long children may take to finish once told to stop; then they are killed."""
STOPS = (signal.SIGTERM, signal.SIGINT)
WATCHED = (*STOPS, signal.SIGCHLD)

Announce = Callable[[str], None]
Work = Callable[[int, Announce], None]
"""Serves as the child of this number until it is told to stop; calls back once with its line when it listens."""

log = structlog.get_logger(__name__)


@define(eq=False)
class Child:
    """One child's place; while it is dead, `pid` is 0 and it is started again at `due_at` (monotonic seconds)."""

    number: int
    pid: int = 0
    reports: int = -1
    line: str = ""
    started_at: float = 0.0
    due_at: float = 0.0
    pause: float = 0.0


@define(eq=False)
class Workers:
    """The parent. `announce` is told once, when every child listens."""

    _count: int
    _work: Work
    _announce: Announce
    _children: list[Child] = field(init=False)
    _lifeline: tuple[int, int] = field(init=False, factory=os.pipe)
    """Its end for writing closes with the parent, however that ends; children watch the other."""
    _wakeup: tuple[int, int] = field(init=False, factory=os.pipe)
    _told: bool = False
    _stop_asked: bool = False
    _stop_by: float | None = None
    _status: int = 0

    def __attrs_post_init__(self) -> None:
        self._children = [Child(number) for number in range(1, self._count + 1)]

    def run(self) -> int:
        """Serves until told to stop; returns the exit status: a child's where one could not start, else 0."""
        with self._signals():
            self._start(self._children[0])  # alone, so that what keeps all of them from starting is said once
            while any(child.pid for child in self._children) or self._stop_by is None:
                self._wait()
                if self._stop_asked:
                    self._stop()
                for child in self._children:
                    self._look_after(child)
                self._kill_the_late()
        return self._status

    def _look_after(self, child: Child) -> None:
        if child.pid:
            status = _ended(child.pid)
            if status is not None:
                self._bury(child, status)
        elif self._stop_by is None and (self._told or self._children[0].line) and time.monotonic() >= child.due_at:
            self._start(child)

    def _bury(self, child: Child, status: int) -> None:
        self._close_reports(child)
        child.pid, child.line = 0, ""
        if self._stop_by is not None:
            self._status = self._status or (0 if -status in STOPS else abs(status))
        elif not self._told:
            self._status = abs(status) or 1
            self._stop()
        else:
            served = time.monotonic() - child.started_at
            longer = 0.0 if served > STEADY_SECONDS else child.pause * 2
            child.pause = min(max(longer, FIRST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
            child.due_at = time.monotonic() + child.pause
            log.error("a worker ended and is started again", worker=child.number, status=status, pause=child.pause)

    def _wait(self) -> None:
        """Until a signal, a report, or the next thing that is due."""
        reports = {child.reports: child for child in self._children if child.reports >= 0}
        ready, _, _ = select.select([self._wakeup[0], *reports], [], [], self._patience())
        for file in ready:
            if file in reports:
                self._read_report(reports[file])
            else:
                os.read(file, 4096)

    def _patience(self) -> float:
        if self._stop_by is not None:
            return 1.0
        due = [child.due_at - time.monotonic() for child in self._children if not child.pid and self._told]
        return max(0.0, min([*due, 60.0]))

    def _read_report(self, child: Child) -> None:
        text = os.read(child.reports, 4096).decode()
        self._close_reports(child)
        child.line = text.strip()
        if child.line and self._told:
            log.info("a worker serves", worker=child.number)
        elif child.line and all(each.line for each in self._children):
            self._told = True
            self._announce(child.line)

    def _close_reports(self, child: Child) -> None:
        if child.reports >= 0:
            os.close(child.reports)
            child.reports = -1

    def _ask_to_stop(self, *_: object) -> None:
        """The signal handler: it only notes, so that nothing is begun that the loop does not know of."""
        self._stop_asked = True

    def _stop(self) -> None:
        """Tells every child to finish, once."""
        if self._stop_by is None:
            self._stop_by = time.monotonic() + STOP_SECONDS
            self._tell(signal.SIGTERM)

    def _kill_the_late(self) -> None:
        if self._stop_by is not None and time.monotonic() > self._stop_by:
            self._status = 1
            self._tell(signal.SIGKILL)

    def _tell(self, how: signal.Signals) -> None:
        for child in self._children:
            if child.pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child.pid, how)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        os.set_blocking(self._wakeup[1], False)
        os.set_blocking(self._wakeup[0], False)
        before = {each: signal.getsignal(each) for each in WATCHED}
        for each in STOPS:
            signal.signal(each, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        woken = signal.set_wakeup_fd(self._wakeup[1], warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(woken)
            for each, handler in before.items():
                signal.signal(each, handler)
            for file in (*self._wakeup, *self._lifeline):
                os.close(file)

    def _start(self, child: Child) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        reports, report = os.pipe()
        # Held back until the child has its own way with them: a signal that came in between would be lost.
        signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        pid = os.fork()
        child.reports = reports
        if pid == 0:
            self._become(child, report)
        child.pid, child.started_at = pid, time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        os.close(report)

    def _become(self, child: Child, report: int) -> None:
        """Lives a child's life; does not return."""
        status = 1
        try:
            self._leave_the_parent()
            structlog.contextvars.bind_contextvars(worker=child.number)
            self._work(child.number, lambda line: _say(report, line))
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except BaseException:  # noqa: BLE001 - nothing may climb into the parent's frames
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _leave_the_parent(self) -> None:
        signal.set_wakeup_fd(-1)
        for each in WATCHED:
            signal.signal(each, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        for file in (*self._wakeup, self._lifeline[1], *(each.reports for each in self._children)):
            if file >= 0:
                os.close(file)
        threading.Thread(target=_end_with_parent, args=(self._lifeline[0],), name="lifeline", daemon=True).start()


def _say(report: int, line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(report, line.encode() + b"\n")
    os.close(report)


def _end_with_parent(lifeline: int) -> None:
    """Nothing is ever written: the read ends when the parent has, and then the child finishes as if it were told to."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _ended(pid: int) -> int | None:
    """The exit status of a child that has ended, minus the signal where one ended it; None while it lives."""
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def hold_port(server: ServerSettings) -> socket.socket:
    """A socket that is bound and never listens: it finds a free port, and keeps it while no child listens.

    Raises `StartFault` where somebody listens there already, another hub with workers too: sockets that share a port
    would take connections from each other.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            server.host, server.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
        held = socket.socket(family, kind, protocol)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind(address)
    except OSError as error:
        raise cannot_listen(server, error) from error
    return held
