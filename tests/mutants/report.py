"""What became of the mutants: in figures, and as docs/mutants.md with the reason of each survivor."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.mutants.session import Judged
from tests.mutants.subjects import ROOT, SUBJECTS

DOCUMENT: Final = ROOT / "docs" / "mutants.md"
REASONS: Final = Path(__file__).with_name("survivors.toml")
KILLED_AT_LEAST: Final = 0.9


def reasons() -> Mapping[str, str]:
    """Return why each known survivor may live, by its name."""
    written = tomllib.loads(REASONS.read_text("utf-8"))
    return {name: group["reason"] for group in written.get("survivors", []) for name in group["mutants"]}


def is_dead(judged: Judged) -> bool:
    """Return whether a test noticed; one that never ends is noticed by whoever waits."""
    return judged.outcome in {"killed", "hung"}


def share(judged: Sequence[Judged]) -> float:
    """Return which part of these mutants is dead, 0 to 1."""
    return sum(map(is_dead, judged)) / len(judged)


def lines(judged: Sequence[Judged], seconds: float) -> Iterator[str]:
    """Yield what a terminal shows: each survivor, then the figures of each subject."""
    known = reasons()
    for each in judged:
        if not is_dead(each):
            mark = "has a reason" if each.mutant.name in known else f"{each.outcome}, {each.tests} tests"
            yield f"line {each.mutant.line} ({mark}) {each.mutant.name}"
    for subject, own in _by_subject(judged).items():
        yield f"{subject}: {sum(map(is_dead, own))} of {len(own)} killed ({share(own):.1%})"
    yield f"all: {sum(map(is_dead, judged))} of {len(judged)} killed ({share(judged):.1%}) in {seconds:.0f} s"


def faults(judged: Sequence[Judged]) -> list[str]:
    """Return what is wrong: survivors without a reason, and too few killed."""
    known = reasons()
    found = [f"survives: {each.mutant.name}" for each in judged if not is_dead(each) and each.mutant.name not in known]
    if judged and share(judged) < KILLED_AT_LEAST:
        found.append(f"only {share(judged):.1%} are killed, fewer than {KILLED_AT_LEAST:.0%}")
    return found


def document(judged: Sequence[Judged], seconds: float) -> str:
    """Return docs/mutants.md after a run over everything."""
    rows = [
        f"| {subject} | {', '.join(f'`{module}.py`' for module in SUBJECTS[subject])} | {len(own)} |"
        f" {sum(map(is_dead, own))} | {share(own):.1%} |"
        for subject, own in _by_subject(judged).items()
    ]
    total = f"| all | | {len(judged)} | {sum(map(is_dead, judged))} | {share(judged):.1%} |"
    return "\n".join([_HEAD.format(seconds=seconds), *rows, total, "", *_survivors(judged)])


def _survivors(judged: Sequence[Judged]) -> Iterator[str]:
    known, by_reason = reasons(), dict[str, list[str]]()
    for each in judged:
        if not is_dead(each):
            reason = known.get(each.mutant.name, "No reason is known: a test is missing.")
            by_reason.setdefault(reason, []).append(each.mutant.name)
    yield "## Survivors\n"
    yield "Each with the reason why no test has to kill it (`tests/mutants/survivors.toml`).\n"
    for reason, names in by_reason.items():
        yield f"{reason}\n"
        yield "```text"
        yield from names
        yield "```\n"


def _by_subject(judged: Sequence[Judged]) -> Mapping[str, list[Judged]]:
    found = {
        subject: [each for each in judged if each.mutant.module in modules] for subject, modules in SUBJECTS.items()
    }
    return {subject: own for subject, own in found.items() if own}


_HEAD: Final = """# Mutants

Do the tests of the money notice a fault? `make mutants` changes the pure rules of eight subjects in one small place at
a time (a comparison, a sum, a condition, a constant, a word, a return, a statement that is left out), asks the tests
that reach the changed function, and writes this document. A mutant is killed if one of them fails, or if it never ends.
Messages, annotations and docstrings are left alone. Before the first mutant the same swap is made with the modules as
they are, and every test has to pass. `tests/prove/test_mutants.py` judges a sample by seed on each run of the proofs:
a survivor that is not in this list fails it.

The last whole run took {seconds:.0f} seconds of one processor.

| subject | modules | mutants | killed | share |
|---|---|---|---|---|"""
