"""`hub trail`: who did what."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import older_options, print_newest
from hub.cli.output import show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.trail import ActDocument

BRIEF = 160
"""Characters of a change in a table."""


@click.command()
@click.option("--subject", metavar="ID", help="Acts on the merchant, key, user or other thing with this id.")
@click.option("--actor", metavar="WHO", help="Acts by this user id, or by this system user.")
@click.option("--act", metavar="ACT", help="Acts of one kind, such as merchant.approved.")
@click.option("--since", metavar="DURATION", help="How far back, like 12h or 90d (default: all).")
@older_options
@invoked
def trail(
    invocation: Invocation,
    subject: str | None,
    actor: str | None,
    act: str | None,
    since: str | None,
    limit: int,
    before: str | None,
) -> None:
    """Show who did what, newest first."""
    from hub.operations.checks import checked_duration
    from hub.operations.lists import Wanted
    from hub.operations.trail_lists import ACTS, newest_acts

    start = None if since is None else max(0, system_clock() - checked_duration(since, "the time to look back"))
    cursor = None if before is None else ACTS.cursor(Wanted(), "older", [before])
    wanted = Wanted({"subject": subject, "actor": actor, "act": act, "since": start}, limit + 1, cursor)
    found = invocation.with_store(lambda store: newest_acts(store, wanted))
    rows = ((a["at"], a["actor"], a["source"], a["act"], a["subject"], changes(a)) for a in found[:limit])
    columns = ["at", "who", "by", "act", "subject", "what changed"]
    print_newest(invocation, found, limit, lambda: show_table(columns, rows, "There are no such acts."))


def changes(act: ActDocument) -> str:
    """Return what an act changed, on one line that is cut to fit a table; --json prints all of it."""
    from hub.operations.trail import changed_fields

    texts = [
        f"{name}: {json.dumps(new, ensure_ascii=False)}"
        if old is None
        else f"{name}: {json.dumps(old, ensure_ascii=False)} → {json.dumps(new, ensure_ascii=False)}"
        for name, old, new in changed_fields(act)
    ]
    text = ", ".join(texts)
    return text if len(text) <= BRIEF else text[: BRIEF - 1] + "…"
