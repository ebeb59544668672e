"""Instructions of the processor that each act costs, counted by valgrind: the same on a busy machine.

`python -m bench.budget.instructions FOLDER` is what valgrind runs; `count` runs it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from bench.budget.acts import TIMES, run_acts
from bench.faults import Missing
from bench.servers import ROOT
from hub.cli.serve import run_fast

HISTORY = 256
"""Orders decided before: fewer than otherwise, since all takes fifty times as long; the instructions are the same."""
PARTS = {
    "python3": "Python",
    "libpython3": "Python",
    "_sqlite3": "SQLite",
    "libsqlite3": "SQLite",
    "libc": "C library",
    "libcrypto": "OpenSSL",
    "_hashlib": "OpenSSL",
}
"""The parts of the process by the first word of their files' names; the others are small."""


@frozen
class Instructions:
    """The instructions of one act, and of how many each part of the process made."""

    total: int
    by_part: Counter[str]


def count(without: Sequence[str] = (), python: str = sys.executable) -> dict[str, Instructions]:
    """Return the instructions of each act, without these techniques; raise Missing if there is no valgrind."""
    if shutil.which("valgrind") is None:
        raise Missing("valgrind is not installed: apt-get install valgrind.")
    with tempfile.TemporaryDirectory(prefix="hub-budget-") as name:
        out = Path(name) / "callgrind"
        command = [
            "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}",
            python, "-m", "bench.budget.instructions", name, *without,
        ]  # fmt: skip
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Missing(f"valgrind could not count: {done.stderr[-2_000:]}")
        return {act: each for file in sorted(Path(name).glob("callgrind.*")) for act, each in _read(file)}


def _read(file: Path) -> Iterator[tuple[str, Instructions]]:
    """Yield the act and its instructions, if the file is the dump of one."""
    text = file.read_text("utf-8", "replace")
    act = re.search(r"^desc: Trigger: .*\bact:(\S+)", text, re.MULTILINE)
    totals = re.search(r"^totals: (\d+)$", text, re.MULTILINE)
    if act is None or totals is None:
        return
    by_part: Counter[str] = Counter()
    names: dict[str, str] = {}
    part, called = "", False
    for line in text.splitlines():
        if line.startswith("ob="):
            number, _, name = line[3:].partition(" ")
            names.setdefault(number, _part(name))
            part = names[number]
        elif line.startswith("cob="):
            number, _, name = line[4:].partition(" ")
            names.setdefault(number, _part(name))
        elif line.startswith("calls="):
            called = True
        elif line[:1].isdigit() or line[:1] in "+-*":
            _, _, cost = line.partition(" ")
            if cost and not called:  # the line after a call repeats what the called function has on its own
                by_part[part] += int(cost)
            called = False
    yield act[1], Instructions(int(totals[1]) // TIMES, Counter({key: n // TIMES for key, n in by_part.items()}))


def _part(file: str) -> str:
    return PARTS.get(Path(file).name.partition(".")[0], "other")


@contextmanager
def _counted(act: str) -> Iterator[None]:
    """Have valgrind count the block, and write what it counted."""
    _control("--instr=on")
    try:
        yield
    finally:
        _control("--instr=off")
        _control(f"--dump=act:{act}")
        _control("--zero")


def _control(order: str) -> None:
    subprocess.run(["callgrind_control", order, str(os.getpid())], check=True, capture_output=True)


def main(folder: str, *without: str) -> None:
    """Run the acts under valgrind, without these techniques."""
    from bench.plain import LEAVE_OUT

    for name in without:
        LEAVE_OUT[name]()
    run_fast(run_acts(Path(folder), _counted, HISTORY))


if __name__ == "__main__":
    main(*sys.argv[1:])
