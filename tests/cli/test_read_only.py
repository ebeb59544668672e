"""A place that may not be written to is a sentence that says the mend, not a traceback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import ENVIRONMENT, Operator

PRIVILEGES = "--bounding-set=-dac_override,-dac_read_search"
"""What lets root write where the modes forbid it."""


@pytest.fixture
def place(operator: Operator) -> Iterator[Path]:
    """The folder of a database, which can be written to again afterwards."""
    file = Path(operator.url.removeprefix("sqlite:///"))
    operator.do("merchant", "list")
    yield file.parent
    file.parent.chmod(0o700)
    for each in file.parent.iterdir():
        each.chmod(0o600)


def run(operator: Operator, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user whom modes bind."""
    bound: list[str] = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("Root may write anywhere, and there is no setpriv to forbid it.")
        bound = ["setpriv", PRIVILEGES]
    environment = {**os.environ, **ENVIRONMENT, "HUB_DATABASE_URL": operator.url}
    command = [*bound, sys.executable, "-m", "hub", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("mode", "words", "mend"),
    [
        (0o500, ["serve", "--port", "0"], "The hub has to be able to write to the folder of its database."),
        (0o700, ["serve", "--port", "0"], "Let the hub write to the file and its folder."),
        (0o500, ["audit"], "Let the hub write to the file and its folder."),
    ],
)
def test_files_that_may_only_be_read(operator: Operator, place: Path, mode: int, words: list[str], mend: str) -> None:
    for each in place.iterdir():
        each.chmod(0o400)
    place.chmod(mode)
    done = run(operator, *words)
    assert done.returncode == 1
    assert mend in done.stderr
    assert "Traceback" not in done.stderr
    assert "Try again" not in done.stderr


@pytest.mark.prove
def test_control_the_same_files_that_may_be_written(operator: Operator, place: Path) -> None:
    assert run(operator, "audit").returncode == 0
