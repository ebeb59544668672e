"""A run that is bounded in time tries what fits, names what does not, and is the same for the same commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.within import LEFT, in_turn

LAST_IN_TIME = """\
from tests import within

def test_first():
    within.monotonic = lambda: float("inf")

def test_second():
    pass
"""
FILES = ["tests/storage/test_a.py", *(f"tests/prove/test_{number}.py" for number in range(9))]


def run(folder: Path, *options: str) -> str:
    """Return what pytest prints of a run of the folder, under this plugin alone."""
    command = [
        sys.executable, "-m", "pytest", "-q", "-rs", "-p", "tests.within", "-p", "no:cacheprovider", "-p", "no:xdist",
        "--rootdir", str(folder), "-c", str(folder / "pytest.ini"), *options, str(folder),
    ]  # fmt: skip
    root = Path(__file__).parents[1]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout


def played(folder: Path) -> Path:
    """Return a folder with two files of two tests each, of which the first takes for ever."""
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    for name in ("test_one.py", "test_two.py"):
        (folder / name).write_text(LAST_IN_TIME, "utf-8")
    return folder


@pytest.mark.prove
def test_what_has_no_time_is_named_by_number_and_file(tmp_path: Path) -> None:
    printed = run(played(tmp_path), "--within", "600")
    assert "3 tests had no time, in 2 files" in printed
    assert "test_one.py: 1" in printed
    assert "test_two.py: 2" in printed
    assert "1 passed, 3 skipped" in printed
    assert LEFT in printed


@pytest.mark.prove
def test_control_without_a_bound_all_of_it_runs(tmp_path: Path) -> None:
    printed = run(played(tmp_path))
    assert "4 passed" in printed
    assert "no time" not in printed


def test_a_commit_decides_where_it_begins_and_the_core_is_always_first() -> None:
    commits = [f"{number:040x}" for number in range(64)]
    orders = [in_turn(FILES, commit) for commit in commits]
    assert all(sorted(order) == sorted(FILES) and order[0] == FILES[0] for order in orders)
    assert in_turn(FILES, commits[3]) == orders[3]
    assert {order[1] for order in orders} == set(FILES[1:])
    assert in_turn([], "") == []
