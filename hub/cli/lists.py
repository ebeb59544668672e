"""The options of long lists: filters, which part is printed, and the line that says there is more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import frozen

from hub.cli.invocation import Invocation
from hub.cli.output import print_result, say
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.lists import FilterValues, List, Wanted

TABLE_ROWS = 100
"""How many rows a table has unless --limit or --all says otherwise."""
MOST = 1_000_000

Command = TypeVar("Command", bound=Callable[..., Any])
Entry = TypeVar("Entry")

merchant_filter = click.option(
    "--merchant", metavar="ID", help="Only this merchant's: its id, or its exact name or e-mail address."
)
affiliate_filter = click.option(
    "--affiliate", metavar="AFF", help="Only this affiliate's: its id, or its exact name or e-mail address."
)
mode_filter = click.option("--mode", type=click.Choice(MODES), help="Only of this mode (default: both).")


def party_filters(command: Command) -> Command:
    """Add the filters by affiliate, merchant and mode."""
    return affiliate_filter(merchant_filter(mode_filter(command)))


@frozen
class AskedPart:
    """Which part of a long list a command was asked for, by the options of `part_options`."""

    limit: int | None
    everything: bool
    after: str | None
    oldest: bool

    def most(self, invocation: Invocation) -> int:
        """Return how many entries are asked for at the most."""
        from hub.operations.lists import ALL

        if self.everything and self.limit is not None:
            raise click.UsageError("--all and --limit contradict each other; give one of them.")
        if self.limit is None:
            return ALL if self.everything or invocation.json else TABLE_ROWS
        return self.limit

    def wanted(self, invocation: Invocation, of: List, prefix: str, filters: FilterValues) -> Wanted:
        """Return this part of a list in the order of its ids, with one entry more, which shows that there is.

        `prefix` is that of its ids. Raise `OperatorFault` if `after` is the id of something else.
        """
        from hub.operations.lists import Wanted, behind

        wanted = Wanted(filters, self.most(invocation) + 1, oldest_first=self.oldest)
        return wanted if self.after is None else behind(of, wanted, self.after, prefix)

    def print(
        self,
        invocation: Invocation,
        found: Sequence[Entry],
        show: Callable[[Sequence[Entry]], None],
        id_name: str = "id",
    ) -> None:
        """Print what was found without the entry too many; a table that is not complete ends with how to go on."""
        from hub.records.record import value_of

        shown = found[: self.most(invocation)]

        def human() -> None:
            show(shown)
            if len(shown) < len(found):
                say(f"{len(shown)} of more; the next: --after {value_of(shown[-1], id_name)}, or all of them: --all")

        print_result(invocation, shown, human)


def part_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --limit, --all, --after and --oldest-first; the command gets them as `part`, an `AskedPart`."""

    @wraps(command)
    def with_part(*, limit: int | None, all_: bool, after: str | None, oldest: bool, **values: Any) -> None:
        command(part=AskedPart(limit, all_, after, oldest), **values)

    options = (
        click.option("--oldest-first", "oldest", is_flag=True, help="List the oldest first."),
        click.option("--after", metavar="CURSOR", help="Begin after this id, the last one of the previous page."),
        click.option("--all", "all_", is_flag=True, help="List all of them."),
        click.option(
            "--limit",
            type=click.IntRange(1, MOST),
            metavar="N",
            help=f"The most to list (default: {TABLE_ROWS}; with --json all).",
        ),
    )
    for option in options:
        with_part = option(with_part)
    return with_part


def older_options(command: Command) -> Command:
    """Add --limit and --before, for a list that begins with the newest."""
    limit = click.option("--limit", type=click.IntRange(1, MOST), default=TABLE_ROWS, show_default=True, metavar="N",
                         help="The most to list.")  # fmt: skip
    before = click.option("--before", metavar="CURSOR", help="Only what is older than this, where the last list ended.")
    return before(limit(command))


def print_newest(invocation: Invocation, found: Sequence[Entry], limit: int, show: Callable[[], None]) -> None:
    """Print at most `limit` entries of what was found; if there are more, say how to see the older ones."""
    from hub.records.record import value_of

    def human() -> None:
        show()
        if len(found) > limit:
            last = value_of(found[limit - 1], "id")
            say(f"There are older ones: --before {last}, or more at once: --limit N")

    print_result(invocation, found[:limit], human)
