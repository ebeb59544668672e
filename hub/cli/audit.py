"""`hub audit`: the hub's conservation laws, checked on the stored data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import FAULT, Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.cli.output_files import refuse_existing, target
from hub.cli.proved_heads import Kept, keep, read_kept
from hub.cli.replica import with_replica
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.audits.recent_audit import Mark
    from hub.operations.audits.violations import AuditDocument, ViolationDocument
    from hub.storage import Store

    Examined = tuple[AuditDocument, Mark]

NOT_COUNTS = ("since", "violations", "conversionsChecked", "ledgerEntriesChecked", "figuresChecked", "figuresLeftOut")
LEDGER_ALONE = (
    "{} was kept by `hub ledger verify`, which looks at the ledger alone: name a new file, and all is audited."
)


@click.command()
@click.option("--output", type=click.Path(path_type=Path), help="A new file that names every violation, one per line.")
@click.option(
    "--heads", type=click.Path(path_type=Path, dir_okay=False), help="A file that keeps how far everything held."
)
@click.option(
    "--share",
    type=click.IntRange(1, 100),
    default=100,
    metavar="PERCENT",
    help="Percent of the time to work; it rests in between.",
)
@invoked
def audit(invocation: Invocation, output: Path | None, heads: Path | None, share: int) -> None:
    """Verify that nothing was lost and nothing happened twice.

    Accepted submissions are counted against what became of them, each conversion has at most one commission, every
    stored state is the fold of its order's facts, and the ledger is proved as by `hub ledger verify`.
    Runs beside a server at any time, in pages. If a rule is broken very often, only the first violations are named;
    with --output all of them are counted, and are in the file as JSON, one a line.
    Exit status 0 if everything holds, else 1.

    With --heads a file keeps how far everything held. If it is there, only what changed since is audited, which takes
    no longer however much there was before; without it all is. Keep it where the database's keeper cannot write.

    With --share 20 it works for a fifth of the time and rests for the remainder, so that whatever runs beside it
    hardly notices; it takes five times as long.
    """
    from hub.operations.audits.violations import SHOWN_PER_RULE
    from hub.operations.money.ledger.faults import ALL

    if output is not None:
        refuse_existing(output)
    most = SHOWN_PER_RULE if output is None else ALL
    found = _audited(invocation, heads, most, share)
    counted = _counted(found["violations"], most)
    if output is not None:
        _write(output, found["violations"])
        counted += f" Each is a line of {output}."
        found["violations"] = found["violations"][:SHOWN_PER_RULE]
    print_result(invocation, found, lambda: _show(found, counted))
    if found["violations"]:
        click.get_current_context().exit(FAULT)


def _audited(invocation: Invocation, heads: Path | None, most: int, share: int) -> AuditDocument:
    """Audit everything, or what changed since the file's last audit; note the run, and keep how far all held."""
    from contextlib import suppress

    from hub.operations.audits.audit_runs import note_audit
    from hub.storage import StoreUnavailable

    mark, started_at = None if heads is None or not heads.exists() else _mark_of(heads), system_clock()
    found, reached = with_replica(invocation, _examination(mark, most, share))
    since = None if mark is None else mark.proved_at
    with suppress(StoreUnavailable):  # a full disk or a server that only reads keeps nobody from the result
        invocation.with_store(lambda store: note_audit(store, system_clock, started_at, found, since))
    if heads is not None and not found["violations"]:
        keep(heads, Kept(reached.proved_at, list(reached.heads.values()), reached.change))
    return found


def _mark_of(file: Path) -> Mark:
    """Return where the last audit ended that kept it in a file."""
    from hub.operations.audits.recent_audit import Mark

    kept = read_kept(file)
    if kept.change is None:
        raise Fault(LEDGER_ALONE.format(file))
    return Mark(kept.proved_at, {head.account_id: head for head in kept.heads}, kept.change)


def _examination(mark: Mark | None, most: int, share: int) -> Callable[[Store], Awaitable[Examined]]:
    """Return what looks at a store: all of it, or what came since a mark; for a share of the time, in per cent."""
    from hub.operations.audits.audit import audit_all
    from hub.operations.audits.recent_audit import audit_since
    from hub.storage import Pace

    async def examine(store: Store) -> Examined:
        read = store if share == 100 else store.at_pace(Pace(share / 100))
        if mark is None:
            return await audit_all(read, system_clock, most)
        return await audit_since(read, system_clock, mark, most)

    return examine


def _write(output: Path, violations: list[ViolationDocument]) -> None:
    import orjson

    with target(output, is_new=True) as file:
        file.writelines(orjson.dumps(each) + b"\n" for each in violations)


def _counted(violations: list[ViolationDocument], most: int) -> str:
    """Return how many violations there are; of a rule that is broken more often only so many are named."""
    broken = Counter(each["rule"] for each in violations)
    cut = sorted(rule for rule, count in broken.items() if count >= most)
    if not cut:
        return f"{len(violations)} violations."
    return (
        f"At least {len(violations)} violations; of {', '.join(cut)} the first {most} are named. --output FILE has all."
    )


def _show(result: AuditDocument, counted: str) -> None:
    violations = result["violations"]
    counts = {name: value for name, value in result.items() if name not in NOT_COUNTS}
    show_fields(
        "Submissions" if result["since"] is None else f"Submissions that changed since {result['since']}", counts
    )
    say(f"Conversions checked against their facts: {result['conversionsChecked']}")
    say(f"Entries of the ledger checked: {result['ledgerEntriesChecked']}")
    if result["since"] is None:
        say(f"Accounts whose figures were compared with their orders: {result['figuresChecked']}")
        if result["figuresLeftOut"]:
            say(f"Accounts left out, because their figures were just changing: {result['figuresLeftOut']}")
    if not violations:
        new = "Everything holds." if result["since"] is None else "All that is new holds."
        click.secho(new, fg="green", bold=True)
        return
    click.secho(counted, fg="red", bold=True)
    rows = [(v["rule"], v["id"], v["accountId"], v["message"]) for v in violations]
    show_table(["rule", "id", "account", "what is wrong"], rows, "")
