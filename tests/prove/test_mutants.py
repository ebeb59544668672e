"""A sample of small changes to the rules of the money, by seed: tests notice nine of ten, and the rest is known."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.mutants.operators import mutants_of
from tests.mutants.subjects import SUBJECTS, path_of
from tests.prove.turns import day

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
LEAST = "150"
"""A sample that a slow machine keeps smaller says nothing of one mutant in ten."""


def judged(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.mutants", *arguments], capture_output=True, text=True, timeout=900, check=False
    )


def test_nine_of_ten_are_killed_and_every_survivor_has_a_reason() -> None:
    """A new sample each day; what it was is in the command that is printed."""
    arguments = ("--seconds", str(SECONDS), "--least", LEAST, "--seed", str(day()))
    done = judged(*arguments)
    print(f"python -m tests.mutants {' '.join(arguments)}\n{done.stdout}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_control_tests_that_assert_nothing_kill_nothing() -> None:
    """A run that asks only tests of another subject has to say that mutants live."""
    done = judged("idempotency", "--seconds", "1", "--tests", "tests/domain/test_countries.py")
    assert done.returncode == 1
    assert "survives: hub/intake/rules" in done.stdout


def test_control_every_subject_has_mutants_of_many_kinds() -> None:
    for modules in SUBJECTS.values():
        found = [
            mutant
            for module in modules
            for mutant in mutants_of(module, path_of(module).read_text("utf-8"), str(path_of(module)))
        ]
        assert len(found) >= 15
        assert len({mutant.name for mutant in found}) >= len(found) / 2
