"""A disk of some megabytes that a hub has for itself, so that it can be filled: tmpfs in a mount namespace."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from attrs import frozen

BLOCK: Final = 4_096


@frozen
class SmallDisk:
    """A folder that is a disk of its own to programs that run `inside`; `outside` is where the test sees it."""

    folder: Path
    outside: Path
    inside: Sequence[str]

    def fill(self) -> int:
        """Take all that is free; return how many bytes that was."""
        with (self.outside / "filler").open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(BLOCK))
            except OSError:
                return file.tell()

    def empty(self) -> None:
        """Give back what was taken."""
        (self.outside / "filler").unlink()


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Make one of a folder; what is in the folder is on it. Skips where a user may not make namespaces."""
    mount = f'mount -t tmpfs -o size={megabytes}m tmpfs "$1" && echo mounted && exec cat'
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh", str(folder)]
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        pytest.skip("No disk is filled: there is no unshare and nsenter (util-linux).")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        if keeper.stdout.readline() != "mounted\n":
            pytest.skip("No disk is filled: this user may not mount one of its own.")
        enter = ["nsenter", "-t", str(keeper.pid), "--user", "--mount", "--preserve-credentials", "--"]
        outside = Path(f"/proc/{keeper.pid}/root") / folder.relative_to("/")
        for each in folder.iterdir():
            shutil.copy2(each, outside / each.name)
        try:
            yield SmallDisk(folder, outside, enter)
        finally:
            keeper.stdin.close()


def here() -> dict[str, str]:
    """Return the environment of a program inside, which does not begin in this folder."""
    return {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])}
