"""The keeper: the small process between the hub and the plugins', which ends with either and leaves nothing behind.

The hub starts the keeper; the keeper parts from the machine and forks the process that runs plugins, which is the first
of its own namespace. So the plugins cannot see their keeper, the kernel ends all of them with that first process, and
the keeper needs nothing of theirs to end it. Where there is no such namespace, what a plugin left is given to the
keeper as the nearest reaper, which ends it.

The keeper blocks every signal that it acts on and takes them one at a time, so that no handler interrupts anything:
SIGTERM (the hub's wish, or the hub's end) kills the plugins' process, SIGUSR1 is passed on, and SIGCHLD tells of an
end, which the keeper repeats as its own.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NoReturn

from hub.kernel import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, set_process
from hub.plugin_runtime.namespaces import Apart, separate

TAKEN: Final = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD})
SEEK_SECONDS: Final = 2.0
"""How long the keeper seeks what plugins left behind, where no namespace ends it."""
PAUSE_SECONDS: Final = 0.005


def under_a_keeper(hub: int, descriptors: Iterable[int], *, apart: bool) -> Apart:
    """Fork: return in the new process, with the namespaces that it is in; the old one keeps it until its end.

    `hub` is the id of the process that started this one, `descriptors` are the new process's alone.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, TAKEN)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # what is ignored by default may be lost while it is blocked
    with suppress(OSError):
        set_process(PR_SET_CHILD_SUBREAPER, 1)
    names = separate() if apart else Apart()
    end_with_the_parent(signal.SIGTERM)  # after the user namespace, which may take it back
    if os.getppid() != hub:
        os._exit(1)
    child = os.fork()
    if child:
        _keep(child, descriptors)
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, TAKEN)
    end_with_the_parent(signal.SIGKILL)
    return names


def end_with_the_parent(number: signal.Signals) -> None:
    """Have the kernel send this process a signal once its parent ends."""
    with suppress(OSError):  # Linux alone has it; elsewhere the channel's end is seen
        set_process(PR_SET_PDEATHSIG, number)


def _keep(child: int, descriptors: Iterable[int]) -> NoReturn:
    for descriptor in descriptors:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while (status := _ended(child)) is None:
        number = signal.sigwait(TAKEN)
        if number == signal.SIGUSR1:
            os.kill(child, signal.SIGUSR1)
        elif number != signal.SIGCHLD:
            os.kill(child, signal.SIGKILL)
    _end_others(child)
    _end_as(os.waitstatus_to_exitcode(status))


def _ended(child: int) -> int | None:
    """Reap what has ended; return the child's status if it is among it."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            if found[0] == child:
                return found[1]
    return None


def _end_others(child: int) -> None:
    """Kill what the child's session and its runaways are, until nothing is left or the time is up."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    until = monotonic() + SEEK_SECONDS
    while monotonic() < until:
        for pid in _children():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        sleep(PAUSE_SECONDS)


def _children() -> list[int]:
    own = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return [int(pid) for pid in own.read_text("ascii").split()] if own.exists() else []


def _end_as(code: int) -> NoReturn:
    """End as the child did, so that the hub reads its end from the keeper's."""
    if code < 0:
        with suppress(OSError, ValueError):  # SIGKILL has no disposition
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)
