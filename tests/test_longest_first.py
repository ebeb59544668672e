"""The longest files begin first, and each of them is there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.longest_first import LONGEST, places

ROOT = Path(__file__).parents[1]


def test_the_longest_files_are_there() -> None:
    assert [file for file in LONGEST if not (ROOT / file).is_file()] == []
    assert len(set(LONGEST)) == len(LONGEST)


def test_long_files_come_first_and_then_those_of_many_tests() -> None:
    nodeids = ["few.py::a", *[f"many.py::{number}" for number in range(3)], f"{LONGEST[1]}::a", f"{LONGEST[0]}::a"]
    order = places([cast("pytest.Item", SimpleNamespace(nodeid=nodeid)) for nodeid in nodeids])
    assert sorted(order, key=lambda file: order[file]) == [LONGEST[0], LONGEST[1], "many.py", "few.py"]
