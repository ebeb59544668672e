"""The second process by itself: how it ends, and what it is asked by nobody."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hub.processing.decider import HEAD_BYTES, command, packed, size_of, unpacked
from hub.processing.decider_process import DeciderFault, DeciderProcess
from tests.processing.house import NOON, POLICY


@contextmanager
def program(url: str) -> Iterator[subprocess.Popen[bytes]]:
    """The second process by itself, ready."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command(url, POLICY), stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert unpacked(process.stdout.read(size_of(process.stdout.read(HEAD_BYTES)))) == (None, None)
        try:
            yield process
        finally:
            process.kill()


def test_it_ends_with_the_server_however_that_ended(sqlite_url: str) -> None:
    """The pipe closes; nothing else tells it, and nothing is said of it."""
    with program(sqlite_url) as process:
        process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.2)
        assert process.communicate(timeout=10) == (b"", b"")
        assert process.returncode == 0


def test_an_answer_that_nobody_takes_ends_it_too(sqlite_url: str) -> None:
    """The server was killed while it decided."""
    with program(sqlite_url) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(packed((NOON, [])))
        process.stdin.flush()
        assert process.wait(10) == 0
        assert process.stderr.read() == b""


async def test_asking_a_process_that_has_ended_is_a_fault() -> None:
    """Which nobody needs to look at."""
    with pytest.raises(DeciderFault, match="does not run"):
        await DeciderProcess(["true"]).ask(0, [])
