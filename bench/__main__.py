"""`python -m bench [NAME ...]`: the standard set of measures, or those that are named."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from bench import plan, report
from bench.faults import Mismatch
from bench.machine import look
from bench.measures import MEASURES
from bench.options import ROUNDS
from bench.workbench import Workbench


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--list", "lists", is_flag=True, help="Show the measures and exit.")
def main(names: tuple[str, ...], lists: bool) -> None:
    """Measure the hub side by side with its limit and its peers; without names, all but the long ones.

    BENCH_ROUNDS and BENCH_SECONDS say how often and how long; BENCH_MILLIONS, BENCH_REQUESTS and BENCH_CSV_ROWS how
    much the long ones do; BENCH_TECHNIQUES which techniques are left out. TMPDIR names the disk.
    """
    if lists:
        for measure in MEASURES.values():
            click.echo(f"  {measure.name:12} {measure.about}{'' if measure.standard else ' (by name only)'}")
        return
    unknown = [name for name in names if name not in MEASURES]
    if unknown:
        raise click.UsageError(f"There is no measure {unknown[0]!r}; --list shows them all.")
    if shutil.which("wrk") is None:
        click.echo("wrk makes most of the load, and is not installed: apt-get install wrk", err=True)
    chosen = [measure for measure in MEASURES.values() if (measure.name in names if names else measure.standard)]
    try:
        missed = measure_all(chosen)
    except Mismatch as fault:
        sys.exit(f"The run fails: {fault}")
    if missed:
        click.echo(f"Not met: {'; '.join(missed)}", err=True)


def measure_all(chosen: list[plan.Measure]) -> list[str]:
    """Run the measures, show and keep the findings, and return the requirements that are not met."""
    with Workbench() as bench:
        machine = look(bench)
        findings = plan.run(chosen, bench, ROUNDS, lambda line: click.echo(line, err=True))
    report.show(chosen, findings, machine)
    path = report.keep(chosen, findings, machine)
    click.echo(f"\nKept in {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
    return report.unmet(chosen, findings)


if __name__ == "__main__":
    main()
