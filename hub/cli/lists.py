"""Commands of long lists: filters, which part is printed, and the line that says there is more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from attrs import frozen

from hub.cli.act_values import Typed
from hub.cli.invocation import Invocation, of_root, shared_parameters
from hub.cli.output import print_result, say
from hub.domain.words import MODES

if TYPE_CHECKING:
    from hub.operations.lists import FilterValues, List, Wanted
    from hub.storage import Store

TABLE_ROWS = 100
"""How many rows a table has unless --limit or --all says otherwise."""
PARTS: Final = (
    f"A table has {TABLE_ROWS} rows and says if there are more; --json prints all of them unless --limit is given."
)
"""What the help of several lists says of their parts."""
MOST = 1_000_000

Command = TypeVar("Command", bound=Callable[..., Any])
Entry = TypeVar("Entry")


FILTERS: dict[str, dict[str, Any]] = {
    "--affiliate": {
        "metavar": "AFF", "help": "Only this affiliate's: its id, or its exact name or e-mail address.",
    },
    "--merchant": {"metavar": "ID", "help": "Only this merchant's: its id, or its exact name or e-mail address."},
    "--mode": {"type": click.Choice(MODES), "help": "Only of this mode (default: both)."},
}  # fmt: skip
"""Options that several lists take."""


def filters(*names: str) -> list[click.Parameter]:
    """Return the options of these names, which several lists take."""
    return [click.Option([name], **FILTERS[name]) for name in names]


@frozen
class Listed:
    """A list in the order of its ids, which begin with `prefix`, what reads a part of it, and the filters in force."""

    of: List
    prefix: str
    read: Callable[[Store, Wanted], Awaitable[Sequence[Any]]]
    filters: FilterValues


class ListCommand(click.Command):
    """A command that prints a part of a long list; a table that is not complete ends with how to go on.

    `lists` finds the list by what was typed and imports it, so that the help of a group stays quick. `id_name` is the
    member of an entry that --after takes.
    """

    def __init__(
        self,
        name: str,
        about: str,
        shows: Callable[[Sequence[Any]], None],
        lists: Callable[[Typed], Listed],
        options: Sequence[click.Parameter] = (),
        id_name: str = "id",
    ) -> None:
        super().__init__(
            name, help=about, callback=self._do, params=[*options, *_part_parameters(), *shared_parameters()]
        )
        self._shows = shows
        self._lists = lists
        self._id_name = id_name

    def _do(
        self, config: Path | None, database: str | None, json: bool,
        limit: int | None, all_: bool, after: str | None, oldest: bool, **typed: Any,
    ) -> None:  # fmt: skip
        from hub.operations.lists import Wanted, behind

        invocation = of_root(Invocation(config, database, json))
        listed, most = self._lists(typed), _most(invocation, limit, everything=all_)
        wanted = Wanted(listed.filters, most + 1, oldest_first=oldest)  # one more shows that there is
        if after is not None:
            wanted = behind(listed.of, wanted, after, listed.prefix)
        found = invocation.with_store(lambda store: listed.read(store, wanted))
        print_result(invocation, found[:most], lambda: self._show(found, most))

    def _show(self, found: Sequence[Any], most: int) -> None:
        from hub.records.record import value_of

        shown = found[:most]
        self._shows(shown)
        if len(shown) < len(found):
            last = value_of(shown[-1], self._id_name)
            say(f"{len(shown)} of more; the next: --after {last}, or all of them: --all")


def _most(invocation: Invocation, limit: int | None, *, everything: bool) -> int:
    """Return how many entries are asked for at the most."""
    from hub.operations.lists import ALL

    if everything and limit is not None:
        raise click.UsageError("--all and --limit contradict each other; give one of them.")
    if limit is None:
        return ALL if everything or invocation.json else TABLE_ROWS
    return limit


def _part_parameters() -> list[click.Parameter]:
    most = f"The most to list (default: {TABLE_ROWS}; with --json all)."
    return [
        click.Option(["--limit"], type=click.IntRange(1, MOST), metavar="N", help=most),
        click.Option(["--all", "all_"], is_flag=True, help="List all of them."),
        click.Option(["--after"], metavar="CURSOR", help="Begin after this id, the last one of the previous page."),
        click.Option(["--oldest-first", "oldest"], is_flag=True, help="List the oldest first."),
    ]


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
