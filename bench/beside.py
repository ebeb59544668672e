"""`python -m bench.beside COMMIT [NAME ...]`: the measures here and in another commit, in turn (A B A B).

Both run as their users get them: the other commit in a checkout and an environment of its own. Without names this
benchmark puts the same load on both and asks what an order takes of the processor and of the disk; measures that are
named are made by each commit's own benchmark.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import click
from rich.console import Console

from bench.options import ROUNDS
from bench.report import COLUMNS, WIDTH, compared, comparison

ROOT = Path(__file__).resolve().parent.parent
CHECKOUTS = ROOT / "var" / "beside"
STANDARD = ("order",)
COMPARED = ("perSecond", "cpuUs", "writtenBytes", "instructions")
"""The figures that are compared, of the sides that have them."""

Medians = dict[str, dict[str, float]]
"""The figures of each side by its name."""


@click.command()
@click.argument("commit")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def main(commit: str, names: tuple[str, ...]) -> None:
    """Measure this checkout beside another COMMIT and show what each figure is of the other's."""
    chosen = names or STANDARD
    there = checkout(commit)
    runs: list[tuple[Medians, Medians]] = []
    for turn in range(1, ROUNDS + 1):
        click.echo(f"Round {turn} of {ROUNDS}: {commit}, then this checkout", err=True)
        runs.append((measure(there, chosen), measure(ROOT, chosen)))
    show(commit, runs)


def checkout(commit: str) -> Path:
    """Return a checkout of the commit, installed as its README says; it is kept for the next time."""
    sha = subprocess.run(
        ["git", "rev-parse", "--verify", f"{commit}^{{commit}}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if sha.returncode:
        raise click.UsageError(f"There is no commit {commit!r} here.")
    folder = CHECKOUTS / sha.stdout.strip()
    if not folder.exists():
        CHECKOUTS.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)], check=True)
        subprocess.run(["git", "checkout", "--quiet", sha.stdout.strip()], cwd=folder, check=True)
    subprocess.run(["make", "install", f"PYTHON={sys.executable}"], cwd=folder, check=True)
    return folder


def measure(folder: Path, names: tuple[str, ...]) -> Medians:
    """Run one round of the measures in a checkout."""
    environment = {**os.environ, "BENCH_ROUNDS": "1"}
    place = folder
    if names == STANDARD:
        environment, place = {**environment, "BENCH_HUB": str(folder)}, ROOT
    python = place / ".venv" / "bin" / "python"
    subprocess.run([python, "-m", "bench", *names], cwd=place, env=environment, check=True, stdout=subprocess.DEVNULL)
    found: Medians = json.loads((place / "bench" / "results" / "latest.json").read_text("utf-8"))["medians"]
    return found


def show(commit: str, runs: list[tuple[Medians, Medians]]) -> None:
    """Print each side that both have: the medians, and the median of the rounds' ratios."""
    table = comparison(f"This checkout beside {commit}", ["side", "figure"], ("there", "here"))
    first_there, first_here = runs[0]
    for side, name in product((side for side in first_there if side in first_here), COMPARED):
        pairs = [(there[side][name], here[side][name]) for there, here in runs
                 if name in there.get(side, {}) and name in here.get(side, {})]  # fmt: skip
        if pairs:
            table.add_row(side, COLUMNS.get(name, name), *compared(*zip(*pairs, strict=True)))
    Console(width=WIDTH).print(table)


if __name__ == "__main__":
    main()
