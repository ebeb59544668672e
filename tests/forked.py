"""Hub processes that are forked from one which has imported the hub: they start in hundredths of a second.

Importing the hub takes a second of the processor, and some hundred tests start it as a process of its own: for signals,
exit statuses, memory, locks between processes. All of that is as real in a fork. What a process was started with (its
command line, its environment as /proc shows it) is not: a test about that starts a command.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Self

ROOT = Path(__file__).resolve().parents[1]
LARGEST_REQUEST = 1 << 20
HUB = "import runpy; runpy.run_module('hub', run_name='__main__')"
"""The program of the `hub` command."""


class Forked:
    """A process that runs Python `code` with `arguments`; has what tests use of `subprocess.Popen`, in text mode.

    Its standard output is a pipe; so is its standard error unless that goes to a file.
    """

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], *, code: str = HUB, cwd: Path = ROOT,
        stderr: IO[str] | None = None
    ) -> None:  # fmt: skip
        output, its_output = os.pipe()
        errors, its_errors = os.pipe() if stderr is None else (None, os.dup(stderr.fileno()))
        self._status, its_status = os.pipe()
        self.stdout: IO[str] = os.fdopen(output, encoding="utf-8")
        self.stderr: IO[str] | None = None if errors is None else os.fdopen(errors, encoding="utf-8")
        wanted = {"code": code, "arguments": ["hub", *arguments], "environment": {**environment}, "cwd": str(cwd)}
        theirs = (its_output, its_errors, its_status)
        try:
            self.pid = _parent().fork(json.dumps(wanted).encode(), theirs)
        finally:
            for each in theirs:
                os.close(each)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, negative for a signal; None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status once it has ended; raise `TimeoutExpired` if that takes longer."""
        status = self._ended(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(["hub"], timeout or 0)
        return status

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Read the rest of both outputs, wait for the end, and close all; raise `TimeoutExpired` if it takes longer."""
        read = ["", ""]
        readers = [
            threading.Thread(target=_read, args=(file, read, place), daemon=True)
            for place, file in enumerate((self.stdout, self.stderr)) if file is not None and not file.closed
        ]  # fmt: skip
        for reader in readers:
            reader.start()
        until = None if timeout is None else time.monotonic() + timeout
        for reader in readers:
            reader.join(None if until is None else max(0.0, until - time.monotonic()))
            if reader.is_alive():
                raise subprocess.TimeoutExpired(["hub"], timeout or 0)
        self.wait(None if until is None else max(0.0, until - time.monotonic()))
        self._close()
        return read[0], read[1]

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wait()
        self._close()

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], timeout)[0]:
            self.returncode = int(os.read(self._status, 32) or b"-9")
            os.close(self._status)
        return self.returncode

    def _close(self) -> None:
        for file in (self.stdout, self.stderr):
            if file is not None:
                file.close()


def run_hub(arguments: Sequence[str], environment: Mapping[str, str], seconds: float = 300) -> tuple[int, str, str]:
    """Run a `hub` command as a process of its own; return its exit status and both outputs."""
    with Forked(arguments, environment) as process:
        output, errors = process.communicate(seconds)
        return process.wait(), output, errors


def _read(file: IO[str], into: list[str], place: int) -> None:
    into[place] = file.read()


class _Parent:
    """The process that has imported the hub, at the other end of a socket."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST_REQUEST)
        self._lock = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", str(theirs.fileno())], cwd=ROOT, pass_fds=[theirs.fileno()]
            )
        atexit.register(self.close)

    def fork(self, wanted: bytes, descriptors: Sequence[int]) -> int:
        """Fork; return the process's id."""
        with self._lock:
            socket.send_fds(self._control, [wanted], descriptors)
            return int(self._control.recv(32))

    def close(self) -> None:
        """End it."""
        self._control.close()
        self._process.wait()


@cache
def _parent() -> _Parent:
    return _Parent()


def main(control: socket.socket) -> None:
    """Fork for each request; in the fork, return after running its program. Ends with the other end of the socket."""
    ends: dict[int, tuple[int, int]] = {}  # by the descriptor of a process: its id, and where its status is awaited
    own = control.fileno()
    while True:
        for ready in select.select([own, *ends], [], [])[0]:
            if ready != own:
                pid, status = ends.pop(ready)
                os.write(status, b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                os.close(status)
                os.close(ready)
                continue
            wanted, descriptors, _, _ = socket.recv_fds(control, LARGEST_REQUEST, 3)
            if not wanted:
                return
            pid = os.fork()
            if not pid:
                control.close()
                for each in (*ends, *(status for _, status in ends.values()), descriptors[2]):
                    os.close(each)
                run(json.loads(wanted), *descriptors[:2])
                return
            for each in descriptors[:2]:
                os.close(each)
            ends[os.pidfd_open(pid)] = (pid, descriptors[2])
            control.send(b"%d" % pid)


def run(wanted: Mapping[str, object], output: int, errors: int) -> None:
    """Be the process that is wanted."""
    empty = os.open(os.devnull, os.O_RDONLY)
    for own, given in enumerate((empty, output, errors)):
        os.dup2(given, own)
        os.close(given)
    os.environ.clear()
    os.environ.update(wanted["environment"])  # type: ignore[call-overload] # it was JSON
    os.chdir(str(wanted["cwd"]))
    sys.argv = list(wanted["arguments"])  # type: ignore[call-overload] # it was JSON
    exec(str(wanted["code"]), {"__name__": "__main__"})


def describe_apis() -> None:
    """Make the APIs' documents, which a hub makes at its start; each fork that is one has them then."""
    import_module("hub.token_api.routes").descriptions(import_module("hub.config.sections").ServerSettings())
    import_module("hub.merchant_api.description").description_routes()


if __name__ == "__main__":
    for name in ("hub.app", "hub.cli.serve", "hub.cli.csv", "hub.prefork"):
        import_module(name)
    describe_apis()
    gc.collect()
    gc.freeze()
    main(socket.socket(fileno=int(sys.argv[1])))
