"""Several worker processes on one port: a parent forks them, restarts those that die, and stops them together.

The parent serves nothing; it only reserves the port. It makes no ids and runs no event loop, so that the children share
no state. Its loop waits in `select` for a signal (by `set_wakeup_fd`), for the line by which a child reports that it
listens, and for the next restart or deadline; signal handlers only set a flag, so that all other state is changed by
the loop alone.
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
from hub.config.sections import ServerSettings

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
"""A child that died is restarted after a pause, which doubles each time up to this."""
STEADY_SECONDS = 60.0
"""After a child has served for this long, its next pause is the first one again."""
STOP_SECONDS = 60.0
"""How long children may take to finish after the signal to stop; then they are killed."""
STOPS = (signal.SIGTERM, signal.SIGINT)
WATCHED = (*STOPS, signal.SIGCHLD)

Announce = Callable[[str], None]
Work = Callable[[int, Announce], None]
"""Serves as the child of this number until a signal stops it; calls back once, with its line, when it listens."""

log = structlog.get_logger(__name__)


@define(eq=False)
class Child:
    """One child; while it is dead, `pid` is 0, and it is restarted at `restart_at` (monotonic seconds).

    `reports` is the file descriptor that it reports on, -1 if none is open; `line` what it reported.
    """

    number: int
    pid: int = 0
    reports: int = -1
    line: str = ""
    started_at: float = 0.0
    restart_at: float = 0.0
    pause: float = 0.0


@define(eq=False)
class Workers:
    """The parent; it calls `announce` once, with a child's line, when every child listens."""

    _count: int
    _work: Work
    _announce: Announce
    _stop_seconds: float = STOP_SECONDS
    _children: list[Child] = field(init=False)
    _lifeline: tuple[int, int] = field(init=False, factory=os.pipe)
    """A pipe whose writing end closes with the parent, however that ends; children wait on the other end."""
    _wakeup: tuple[int, int] = field(init=False, factory=os.pipe)
    _announced: bool = False
    _stop_asked: bool = False
    _stop_by: float | None = None
    _status: int = 0

    def __attrs_post_init__(self) -> None:
        self._children = [Child(number) for number in range(1, self._count + 1)]

    def run(self) -> int:
        """Serve until a signal stops it; return the exit status: a child's if one could not start, else 0."""
        with self._signals():
            self._start(self._children[0])  # alone, so that a fault that keeps all of them from starting is logged once
            while any(child.pid for child in self._children) or self._stop_by is None:
                self._wait()
                if self._stop_asked:
                    self._stop()
                for child in self._children:
                    self._reap_or_restart(child)
                self._kill_after_deadline()
        return self._status

    def _reap_or_restart(self, child: Child) -> None:
        if child.pid:
            status = _ended(child.pid)
            if status is not None:
                self._note_end(child, status)
        elif (
            self._stop_by is None
            and (self._announced or self._children[0].line)
            and time.monotonic() >= child.restart_at
        ):
            self._start(child)

    def _note_end(self, child: Child, status: int) -> None:
        self._close_reports(child)
        child.pid, child.line = 0, ""
        if self._stop_by is not None:
            self._status = self._status or (0 if -status in STOPS else abs(status))
        elif not self._announced:
            self._status = abs(status) or 1
            self._stop()
        else:
            served = time.monotonic() - child.started_at
            doubled = 0.0 if served > STEADY_SECONDS else child.pause * 2
            child.pause = min(max(doubled, FIRST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
            child.restart_at = time.monotonic() + child.pause
            log.error("a worker ended and is started again", worker=child.number, status=status, pause=child.pause)

    def _wait(self) -> None:
        """Wait until a signal, a report, or the next restart or deadline."""
        reports = {child.reports: child for child in self._children if child.reports >= 0}
        ready, _, _ = select.select([self._wakeup[0], *reports], [], [], self._wait_seconds())
        for file in ready:
            if file in reports:
                self._read_report(reports[file])
            else:
                os.read(file, 4096)

    def _wait_seconds(self) -> float:
        if self._stop_by is not None:
            return 1.0
        pauses = [child.restart_at - time.monotonic() for child in self._children if not child.pid and self._announced]
        return max(0.0, min([*pauses, 60.0]))

    def _read_report(self, child: Child) -> None:
        text = os.read(child.reports, 4096).decode()
        self._close_reports(child)
        child.line = text.strip()
        if child.line and self._announced:
            log.info("a worker serves", worker=child.number)
        elif child.line and all(each.line for each in self._children):
            self._announced = True
            self._announce(child.line)

    def _close_reports(self, child: Child) -> None:
        if child.reports >= 0:
            os.close(child.reports)
            child.reports = -1

    def _ask_to_stop(self, *_: object) -> None:
        """Set the flag that the loop looks at (the signal handler)."""
        self._stop_asked = True

    def _stop(self) -> None:
        """Send every child the signal to stop, once."""
        if self._stop_by is None:
            self._stop_by = time.monotonic() + self._stop_seconds
            self._send(signal.SIGTERM)

    def _kill_after_deadline(self) -> None:
        if self._stop_by is not None and time.monotonic() > self._stop_by:
            self._status = 1
            self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        for child in self._children:
            if child.pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child.pid, number)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        os.set_blocking(self._wakeup[1], False)
        os.set_blocking(self._wakeup[0], False)
        before = {each: signal.getsignal(each) for each in WATCHED}
        for each in STOPS:
            signal.signal(each, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        previous_wakeup = signal.set_wakeup_fd(self._wakeup[1], warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(previous_wakeup)
            for each, handler in before.items():
                signal.signal(each, handler)
            for file in (*self._wakeup, *self._lifeline):
                os.close(file)

    def _start(self, child: Child) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        reports, report = os.pipe()
        # Signals stay blocked until the child has its own handlers; one that arrived in between would be lost.
        signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        pid = os.fork()
        child.reports = reports
        if pid == 0:
            self._run_child(child, report)
        child.pid, child.started_at = pid, time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        os.close(report)

    def _run_child(self, child: Child, report: int) -> None:
        """Run the child's work in the new process; never return."""
        status = 1
        try:
            self._detach_from_parent()
            structlog.contextvars.bind_contextvars(worker=child.number)
            self._work(child.number, lambda line: _report(report, line))
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except BaseException:  # noqa: BLE001 - no exception may reach the parent's frames
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _detach_from_parent(self) -> None:
        """Drop the signal handlers and files that the fork copied, and watch for the parent's end."""
        signal.set_wakeup_fd(-1)
        for each in WATCHED:
            signal.signal(each, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        for file in (*self._wakeup, self._lifeline[1], *(each.reports for each in self._children)):
            if file >= 0:
                os.close(file)
        threading.Thread(target=_end_with_parent, args=(self._lifeline[0],), name="lifeline", daemon=True).start()


def _report(report: int, line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(report, line.encode() + b"\n")
    os.close(report)


def _end_with_parent(lifeline: int) -> None:
    """Wait for the parent's end, which ends the read (nothing is ever written); then stop this process by a signal."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _ended(pid: int) -> int | None:
    """Return the exit status of a child that has ended, negative if a signal ended it; None while it lives."""
    ended_pid, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended_pid else None


def hold_port(server: ServerSettings) -> socket.socket:
    """Return a socket that is bound and never listens: it reserves the port while no child listens.

    Raises `StartFault` if another process listens there already, even another hub with workers: sockets that share a
    port would take connections from each other.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            server.host, server.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
        with contextlib.ExitStack() as unless_bound:
            reserved = unless_bound.enter_context(socket.socket(family, kind, protocol))
            reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            reserved.bind(address)
            unless_bound.pop_all()
    except OSError as error:
        raise cannot_listen(server, error) from error
    return reserved
