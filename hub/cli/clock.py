"""`hub clock`: what the serving processes think of their clocks, and the clock of a test account."""

from __future__ import annotations

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_table
from hub.clock import system_clock
from hub.domain.durations import duration_text


@click.group()
def clock() -> None:
    """Show and confirm clocks; move the clock of a test account on."""


@clock.command()
@invoked
def status(invocation: Invocation) -> None:
    """List the processes that served lately, and by how much their clocks jumped."""
    from hub.operations.system.nodes import list_nodes

    found = invocation.with_store(lambda store: list_nodes(store, system_clock))
    rows = [(node["nodeId"], node["serves"], node["seenAt"], node["clockJumpSeconds"] or None) for node in found]
    print_result(
        invocation,
        found,
        lambda: show_table(["process", "serves", "seen", "clock jumped by s"], rows, "No process has served yet."),
    )


@clock.command()
@invoked
def confirm(invocation: Invocation) -> None:
    """Say that the clocks that jumped are right now: holds end and old data is purged by them again.

    A process whose clock jumped by more than five minutes waits with both until the clock has returned, has run
    steadily for six hours, or is confirmed here.
    """
    from hub.operations.system.nodes import confirm_clocks

    confirmed = invocation.with_store(lambda store: confirm_clocks(store, system_clock))
    text = f"{confirmed} clocks are confirmed." if confirmed else "No clock waits for a confirmation."
    print_result(invocation, {"confirmed": confirmed}, lambda: say(text))


@clock.command()
@click.option("--merchant", required=True, metavar="ID", help="The merchant's id, name or e-mail address.")
@click.option("--by", required=True, metavar="DURATION", help="How far, like 30d or 12h.")
@invoked
def advance(invocation: Invocation, merchant: str, by: str) -> None:
    """Move the clock of a merchant's test account forward.

    Everything that happened in the test account is then that much longer ago: holds end, clicks age, campaigns end.
    What the store reports next happens now. It cannot be moved back.
    """
    from hub.operations.merchants.test_accounts import advance_clock

    advanced = invocation.with_store(lambda store: advance_clock(store, system_clock, merchant, by))
    text = (
        f"The test account {advanced['accountId']} is {duration_text(advanced['byMs'])} further on, "
        f"{duration_text(advanced['advancedMs'])} in all. Holds that ended are released within a second."
    )
    print_result(invocation, advanced, lambda: say(text))
