"""`hub audit`: the hub's conservation laws, proved on the data itself."""

from __future__ import annotations

from typing import Any

import click

from hub.cli.invocation import FAULT, Invocation, invoked
from hub.cli.output import say, show_fields, show_table, tell
from hub.clock import system_clock


@click.command()
@invoked
def audit(invocation: Invocation) -> None:
    """Prove that nothing was lost and nothing happened twice; exit status 1 where that does not hold.

    Accepted submissions are counted against what became of them, each conversion has at most one commission, and every
    stored state is the fold of its order's facts. Runs beside a server at any time.
    """
    from hub.operations.audit import audit as examine

    found = invocation.with_store(lambda store: examine(store, system_clock))
    tell(invocation, found, lambda: _show(found))
    if found["violations"]:
        click.get_current_context().exit(FAULT)


def _show(found: dict[str, Any]) -> None:
    violations = found["violations"]
    counts = {name: value for name, value in found.items() if name not in ("violations", "conversionsChecked")}
    show_fields("Submissions", counts)
    say(f"Conversions checked against their facts: {found['conversionsChecked']}")
    if not violations:
        click.secho("Everything holds.", fg="green", bold=True)
        return
    click.secho(f"{len(violations)} violations", fg="red", bold=True)
    names = ("rule", "id", "accountId", "message")
    show_table(["rule", "id", "account", "what is wrong"], [[v[name] for name in names] for v in violations], "")
