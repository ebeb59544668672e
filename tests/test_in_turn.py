"""Workers collect one after another as long as there are tests that pytest has not compiled."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from tests.in_turn import COMPILED, are_compiled, in_turn


def test_only_one_is_in_the_block(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.touch()
    with shared.open(encoding="utf-8") as other:
        with in_turn(shared), pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_files_that_are_not_compiled_are_a_reason_to_wait(tmp_path: Path) -> None:
    cache = tmp_path / "__pycache__"
    cache.mkdir()
    for number in range(10):
        (tmp_path / f"test_{number}.py").touch()
    for number in range(8):
        (cache / COMPILED.format(f"test_{number}")).touch()
    assert not are_compiled([tmp_path])
    (cache / COMPILED.format("test_8")).touch()
    assert are_compiled([tmp_path]), "the last may be for a shop"


def test_pytest_calls_what_it_compiled_so() -> None:
    """Were it another name, every run would be taken for the first; where nothing may be written there is none."""
    found = [file.name for file in (Path(__file__).parent / "__pycache__").glob("test_in_turn.*-pytest-*")]
    assert not found or COMPILED.format("test_in_turn") in found
