"""`hub clock`: what the serving processes think of their clocks, and the clock of a test account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.output import Table, say
from hub.domain.durations import duration_text

if TYPE_CHECKING:
    from hub.acts.system import ConfirmedClocks
    from hub.operations.merchants.test_accounts import AdvancedDocument


@click.group()
def clock() -> None:
    """Show and confirm clocks; move a test account's clock forward."""


def _confirmed(done: ConfirmedClocks) -> None:
    number = done["confirmed"]
    say(f"{number} clocks are confirmed." if number else "No clock waits for a confirmation.")


def _advanced(done: AdvancedDocument) -> None:
    say(f"The test account {done['accountId']} is {duration_text(done['byMs'])} further on, "
        f"{duration_text(done['advancedMs'])} in all. Holds that ended are released within a second.")  # fmt: skip


NODES: Final = Table(
    ["process", "serves", "seen", "clock jumped by s"],
    lambda node: (node["nodeId"], node["serves"], node["seenAt"], node["clockJumpSeconds"] or None),
    "No process has served yet.",
)

for each in (
    ActCommand("status", "system.listNodes",
               "List the processes that served recently, and by how much their clocks jumped.", NODES),
    ActCommand("confirm", "system.confirmClocks",
               "Say that the clocks that jumped are right now: holds end and old data is purged by them again.\n\n"
               "A process whose clock jumped by more than five minutes waits with both until the clock has returned, "
               "has run steadily for six hours, or is confirmed here.",
               _confirmed),
    ActCommand("advance", "merchants.advanceTestClock",
               "Move the clock of a merchant's test account forward.\n\n"
               "Everything that happened in the test account is then that much longer ago: holds end, clicks age, "
               "campaigns end. What the store reports next happens now. It cannot be moved back.",
               _advanced,
               Takes(on={"merchant": Value("--merchant", "The merchant's id, name or e-mail address.", "ID")},
                     values={"by": Value("--by", "How far, like 30d or 12h.", "DURATION")})),
):  # fmt: skip
    clock.add_command(each)
