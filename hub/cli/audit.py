"""`hub audit`: the hub's conservation laws, checked on the stored data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import FAULT, Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.audits.audit import AuditDocument, ViolationDocument
    from hub.storage import Store

NOT_COUNTS = ("violations", "conversionsChecked", "ledgerEntriesChecked", "figuresChecked", "figuresLeftOut")


@click.command()
@invoked
def audit(invocation: Invocation) -> None:
    """Prove that nothing was lost and nothing happened twice.

    Accepted submissions are counted against what became of them, each conversion has at most one commission, every
    stored state is the fold of its order's facts, and the ledger is proved as by `hub ledger verify`.
    Runs beside a server at any time.
    Exit status 0 if everything holds, else 1.
    """
    from contextlib import suppress

    from hub.operations.audits.audit import audit as examine
    from hub.operations.audits.audit_runs import note_audit
    from hub.storage import StoreUnavailable

    async def run(store: Store) -> AuditDocument:
        started_at = system_clock()
        document = await examine(store, system_clock)
        with suppress(StoreUnavailable):  # a full disk or a server that only reads keeps nobody from the result
            await note_audit(store, system_clock, started_at, document)
        return document

    found = invocation.with_store(run)
    print_result(invocation, found, lambda: _show(found))
    if found["violations"]:
        click.get_current_context().exit(FAULT)


def _counted(violations: list[ViolationDocument]) -> str:
    """Return how many violations there are; of a rule that is broken more often only so many are named."""
    from hub.operations.audits.audit import SHOWN_PER_RULE

    broken = Counter(each["rule"] for each in violations)
    cut = sorted(rule for rule, count in broken.items() if count >= SHOWN_PER_RULE)
    if not cut:
        return f"{len(violations)} violations"
    return f"At least {len(violations)} violations; of {', '.join(cut)} the first {SHOWN_PER_RULE} are named."


def _show(result: AuditDocument) -> None:
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
    click.secho(_counted(violations), fg="red", bold=True)
    rows = [(v["rule"], v["id"], v["accountId"], v["message"]) for v in violations]
    show_table(["rule", "id", "account", "what is wrong"], rows, "")
