"""`python -m tests.mutants`: judge mutants of the money's rules, and with `--write` say so in docs/mutants.md."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterable

import pytest

from tests.mutants.operators import Mutant, mutants_of
from tests.mutants.report import DOCUMENT, document, faults, lines
from tests.mutants.session import MutantSession
from tests.mutants.subjects import SUBJECTS, TESTS, path_of


def all_mutants(modules: Iterable[str]) -> list[Mutant]:
    """Return every change of these modules, in the order of their lines."""
    return [
        mutant
        for module in modules
        for mutant in mutants_of(module, path_of(module).read_text("utf-8"), str(path_of(module)))
    ]


def main() -> int:
    """Judge, print, and end with 1 if a survivor has no reason."""
    given = _arguments()
    modules = [module for name in given.subjects or SUBJECTS for module in SUBJECTS[name]]
    mutants = all_mutants(modules)
    if given.seed is not None:
        random.Random(given.seed).shuffle(mutants)
    session = MutantSession(modules, mutants, given.seconds, given.least)
    began = _processor_seconds()
    status = pytest.main(
        ["-q", "-s", "--tb=no", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-o",
         "tmp_path_retention_policy=none", "--hypothesis-profile=mutants", *(given.tests or TESTS)],
        plugins=[session],
    )  # fmt: skip
    if session.failure or not session.judged:
        print(session.failure or f"No mutant was judged (pytest ended with {status}).")
        return 1
    seconds = _processor_seconds() - began
    print(*lines(session.judged, seconds), sep="\n")
    if given.write:
        DOCUMENT.write_text(document(session.judged, seconds), "utf-8")
    wrong = faults(session.judged)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


def _processor_seconds() -> float:
    """Return how long this process and those that it forked have had a processor, however busy the machine is."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("subjects", nargs="*", help=f"all, or some of: {', '.join(SUBJECTS)}")
    parser.add_argument("--seconds", type=float, help="how long to judge; without it, all mutants")
    parser.add_argument("--least", type=int, default=1, help="with --seconds, how many to judge at least")
    parser.add_argument("--seed", type=int, help="judge in an order of its own: with --seconds, a sample")
    parser.add_argument("--tests", action="append", help="ask these tests only")
    parser.add_argument("--write", action="store_true", help="write docs/mutants.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
