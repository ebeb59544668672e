"""How much of a run fits into a number of seconds (`--within SECONDS`): what continuous integration can wait for.

Files begin at a place that the commit decides, so that a commit always tries the same ones and the next commit others;
those in which the core asks PostgreSQL come before all. Once the time is over each test that is left is skipped, which
the summary says by number and file. A test that has begun is let finish. Without the option everything runs.
"""

from __future__ import annotations

import subprocess
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final

import pytest

CORE: Final = ("tests/storage/", "tests/intake/", "tests/processing/", "tests/ledger/", "tests/nodes/")
"""Where a fault of one database costs an order or money: these files have their time before all others."""
LEFT: Final = "NO TIME LEFT"
_BEGAN: Final = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--within`."""
    parser.addoption("--within", type=float, metavar="SECONDS", help="skip what is left once this time is over")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Note when the run began, in each process that runs tests."""
    session.config.stash[_BEGAN] = monotonic()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring the files into the order of this commit, if the time is bounded."""
    if config.getoption("--within") is not None:
        files = list(dict.fromkeys(file_of(each.nodeid) for each in items))
        places = {file: place for place, file in enumerate(in_turn(files, commit_of(config.rootpath)))}
        items.sort(key=lambda item: places[file_of(item.nodeid)])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that begins too late."""
    within = item.config.getoption("--within")
    if within is not None and monotonic() - item.config.stash[_BEGAN] > within:
        pytest.skip(f"{LEFT}: {within:.0f} seconds are over")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which files had no time."""
    left = Counter(
        file_of(report.nodeid) for report in terminalreporter.stats.get("skipped", ()) if LEFT in report.longreprtext
    )
    if left:
        terminalreporter.section(f"{left.total()} tests had no time, in {len(left)} files", yellow=True)
        for file, number in sorted(left.items()):
            terminalreporter.line(f"{file}: {number}")


def file_of(nodeid: str) -> str:
    """Return the file of a test by its id."""
    return nodeid.partition("::")[0]


def in_turn(files: Sequence[str], commit: str) -> list[str]:
    """Return the files in the order of a commit: the core's, then the others from a place that it decides."""
    core = [file for file in files if file.startswith(CORE)]
    others = [file for file in files if not file.startswith(CORE)]
    place = zlib.crc32(commit.encode()) % max(len(others), 1)
    return [*core, *others[place:], *others[:place]]


def commit_of(root: Path) -> str:
    """Return the commit that is checked out; "" where there is none."""
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.strip()
