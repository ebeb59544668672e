"""`python -m bench.budget`: count what each act costs, make that the ceilings, and write their table."""

from __future__ import annotations

import click

from bench.budget import instructions, trees
from bench.budget.ceilings import FIGURES, grown, keep, load
from bench.budget.counts import counted_apart
from bench.budget.document import PAGE, with_table
from bench.faults import Missing


@click.command()
@click.option("--check", is_flag=True, help="Change nothing: say what is higher than its ceiling.")
@click.option("--trees", "of_trees", is_flag=True, help="Change nothing: print the log's bytes by table and index.")
def main(*, check: bool, of_trees: bool) -> None:
    """Count what each act costs, make that the ceilings, and write their table into docs/performance.md."""
    if of_trees:
        click.echo(trees.table())
        return
    costs = counted_apart()
    names = tuple(FIGURES)
    try:
        for act, each in instructions.count().items():
            costs[act]["instructions"] = each.total
            parts = ", ".join(f"{part} {number:,}" for part, number in each.by_part.most_common())
            click.echo(f"{act}: {each.total:,} instructions ({parts})")
    except Missing as fault:
        click.echo(f"The ceilings of instructions stay: {fault}", err=True)
        names = tuple(name for name in names if name != "instructions")
    if check:
        faults = grown(costs, load(), names)
        click.echo("\n".join(faults) or "No act costs more than its ceiling.")
        raise SystemExit(bool(faults))
    keep(costs)
    PAGE.write_text(with_table(PAGE.read_text("utf-8"), load()), "utf-8")


if __name__ == "__main__":
    main()
