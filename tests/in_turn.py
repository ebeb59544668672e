"""Workers that collect one after another where no test was run yet: the first compiles all tests, the others read that.

Pytest writes each assertion anew before it compiles a file, which takes longer than all else of a collection. Two
workers that begin together would both do all of it; and beside the first the check of types has the other processor.
So it is with the characters that Hypothesis makes texts of: it tries a million, and keeps them in `.hypothesis`.
"""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import strategies as st

COMPILED: Final = f"{{}}.{sys.implementation.cache_tag}-pytest-{pytest.__version__}.pyc"
"""How pytest names what it compiled of a file, in the folder beside it."""
NEARLY_ALL: Final = 0.9


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, Any, Any]:
    """Wait for the workers that collect already, if there are files that nobody has compiled."""
    config = session.config
    folders = [config.rootpath / each for each in config.getini("testpaths")]
    if not hasattr(config, "workerinput") or are_compiled(folders):
        return (yield)
    with in_turn(Path(__file__)):
        st.text().validate()
        return (yield)


def are_compiled(folders: Iterable[Path]) -> bool:
    """Return whether pytest has compiled nearly all tests in these folders, be it as they are now or as they were.

    It never compiles those that need a shop which this machine does not have.
    """
    files = [file for folder in folders for file in folder.rglob("test_*.py")]
    compiled = [file for file in files if (file.parent / "__pycache__" / COMPILED.format(file.stem)).exists()]
    return len(compiled) >= NEARLY_ALL * len(files)


@contextmanager
def in_turn(file: Path) -> Iterator[None]:
    """Run the block while no other process runs one over the same file; a process that dies lets the next one go on."""
    with file.open(encoding="utf-8") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
