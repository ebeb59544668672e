"""`hub audit`: the hub's conservation laws, checked on the stored data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import FAULT, Fault, Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.cli.replica import with_replica
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.audits.audit import AuditDocument, ViolationDocument

NOT_COUNTS = ("violations", "conversionsChecked", "ledgerEntriesChecked", "figuresChecked", "figuresLeftOut")


@click.command()
@click.option("--output", type=click.Path(path_type=Path), help="A new file that names every violation, one a line.")
@invoked
def audit(invocation: Invocation, output: Path | None) -> None:
    """Verify that nothing was lost and nothing happened twice.

    Accepted submissions are counted against what became of them, each conversion has at most one commission, every
    stored state is the fold of its order's facts, and the ledger is proved as by `hub ledger verify`.
    Runs beside a server at any time. Of a rule that is broken very often only the first violations are named; with
    --output all of them are counted, and are in the file as JSON, one a line.
    Exit status 0 if everything holds, else 1.
    """
    from contextlib import suppress

    from hub.operations.audits.audit import SHOWN_PER_RULE
    from hub.operations.audits.audit import audit as examine
    from hub.operations.audits.audit_runs import note_audit
    from hub.operations.money.faults import ALL
    from hub.storage import StoreUnavailable

    if output is not None and output.exists():
        raise Fault(f"{output} is there already: name a new file.")
    most = SHOWN_PER_RULE if output is None else ALL

    started_at = system_clock()
    found = with_replica(invocation, lambda store: examine(store, system_clock, most))
    with suppress(StoreUnavailable):  # a full disk or a server that only reads keeps nobody from the result
        invocation.with_store(lambda store: note_audit(store, system_clock, started_at, found))
    counted = _counted(found["violations"], most)
    if output is not None:
        _write(output, found["violations"])
        counted += f" Each is a line of {output}."
        found["violations"] = found["violations"][:SHOWN_PER_RULE]
    print_result(invocation, found, lambda: _show(found, counted))
    if found["violations"]:
        click.get_current_context().exit(FAULT)


def _write(output: Path, violations: list[ViolationDocument]) -> None:
    import orjson

    try:
        with output.open("xb") as file:
            file.writelines(orjson.dumps(each) + b"\n" for each in violations)
    except OSError as error:
        raise Fault(f"{output} cannot be written: {error.strerror}.") from error


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
    show_fields("Submissions", counts)
    say(f"Conversions checked against their facts: {result['conversionsChecked']}")
    say(f"Entries of the ledger checked: {result['ledgerEntriesChecked']}")
    say(f"Accounts whose figures were compared with their orders: {result['figuresChecked']}")
    if result["figuresLeftOut"]:
        say(f"Accounts left out, because their figures were just changing: {result['figuresLeftOut']}")
    if not violations:
        click.secho("Everything holds.", fg="green", bold=True)
        return
    click.secho(counted, fg="red", bold=True)
    rows = [(v["rule"], v["id"], v["accountId"], v["message"]) for v in violations]
    show_table(["rule", "id", "account", "what is wrong"], rows, "")
