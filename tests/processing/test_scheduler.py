"""A timed job over several nodes: one turn at a time, whoever takes it, and a node that was paused does no harm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen

from hub.storage import Store
from hub.testing.clock import FakeClock
from tests.polling import until_blocking

from .scheduler_node import LEASE_MS

NODES = 3


@frozen
class Turn:
    """One turn of a job at one node; `ended` is None while it lasts, `broken` says that it was broken off."""

    node: int
    began: float
    ended: float | None
    broken: bool = False


def turns_of(notes: Path) -> list[Turn]:
    """The turns as they were noted, in the order in which they began."""
    lines = notes.read_text().splitlines() if notes.exists() else []
    turns: list[Turn] = []
    for line in lines:
        at, node, what = line.split()
        if what == "begin":
            turns.append(Turn(int(node), float(at), None))
            continue
        (index,) = (i for i, turn in enumerate(turns) if turn.node == int(node) and turn.ended is None)
        turns[index] = Turn(int(node), turns[index].began, float(at), what == "broken")
    return turns


def overlapping(turns: list[Turn]) -> list[tuple[Turn, Turn]]:
    """Every two turns that were under way at the same time."""
    return [
        (first, second)
        for number, first in enumerate(turns)
        for second in turns[number + 1 :]
        if first.ended is None or second.began < first.ended
    ]


@contextmanager
def nodes(url: str, notes: Path) -> Iterator[dict[int, subprocess.Popen[bytes]]]:
    command = [sys.executable, "-m", "tests.processing.scheduler_node", url, str(notes)]
    started = [subprocess.Popen(command) for _ in range(NODES)]
    try:
        yield {node.pid: node for node in started}
    finally:
        for node in started:
            node.kill()
        for node in started:
            node.wait()


@pytest.mark.prove
def test_one_turn_at_a_time_and_another_node_takes_over(postgres_url: str, tmp_path: Path) -> None:
    """Long turns never overlap; a node stopped in its turn is replaced, and breaks off when it wakes."""
    notes = tmp_path / "notes"
    with nodes(postgres_url, notes):
        until_blocking(lambda: len(turns_of(notes)) >= 2)
        leader = turns_of(notes)[-1].node
        os.kill(leader, signal.SIGSTOP)
        stopped = time.monotonic()
        until_blocking(lambda: turns_of(notes)[-1].node != leader)
        successor = turns_of(notes)[-1]
        assert successor.began - stopped > LEASE_MS / 1000 * 0.2, "it took the lease while another held it"
        os.kill(leader, signal.SIGCONT)
        until_blocking(lambda: all(turn.ended is not None for turn in turns_of(notes) if turn.node == leader))
        known = len(turns_of(notes))
        until_blocking(lambda: len(turns_of(notes)) >= known + 1)
    turns = turns_of(notes)
    (woken,) = (turn for turn in turns if turn.node == leader and turn.began <= stopped <= (turn.ended or stopped))
    assert woken.broken, "it went on after its lease was another's"
    assert overlapping([turn for turn in turns if turn is not woken]) == []
    assert woken.ended is not None
    assert len(overlapping(turns)) <= 1, "nobody but its successor met the one that was paused"


def test_the_check_finds_turns_that_overlap() -> None:
    """The control."""
    first, second, third = Turn(1, 0.0, 2.0), Turn(2, 1.0, 3.0), Turn(1, 3.0, None)
    assert overlapping([first, second, third]) == [(first, second)]
    assert overlapping([Turn(1, 0.0, None), third]) == [(Turn(1, 0.0, None), third)]


@pytest.mark.parametrize("skew", [0, 2_000])
async def test_a_lease_has_one_owner(postgres_url: str, clock: FakeClock, skew: int) -> None:
    """While it lasts it is its owner's, at a node too whose clock is a little ahead."""
    async with await Store.open(postgres_url) as store, store.write() as tx:
        values = {"name": "job", "now": clock(), "expires_at": clock() + 10_000}
        assert await tx.one("take_lease", owner="a", **values)
        assert not await tx.one("take_lease", owner="b", **{**values, "now": clock() + skew})
        assert await tx.one("take_lease", owner="b", **{**values, "now": clock() + 10_000})
        assert not await tx.one("take_lease", owner="a", **values)
