"""The output of commands: one JSON document for a program, tables and short lines for a person."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click
from attrs import frozen

from hub.cli.invocation import Invocation

WIDE = 400
"""Columns of the screen that fields are made for: ids are copied, so they are never cut or folded to fit."""
ALIGNED = 64
"""A value of a table that is longer makes its column no wider for all other rows."""
RIGHT = frozenset({"amount", "commission", "status code", "ms", "rows"})
"""The columns of tables that are aligned at their ends."""
MISSING = "-"

COLOURS = {
    "APPROVED": "green", "ACTIVE": "green", "PROCESSED": "green", "PAYABLE": "green", "PAID": "green", "HIGH": "green",
    "PENDING": "yellow", "HOLD": "yellow", "LOW": "yellow", "OPEN": "yellow", "PARKED": "yellow", "QUEUED": "yellow",
    "RECEIVED": "yellow", "IN_REVIEW": "yellow", "SUSPENDED": "red", "REJECTED": "red", "CLOSED": "red",
    "FAILED": "red", "UNMATCHED": "red",
}  # fmt: skip


def print_result(invocation: Invocation, document: Any, human: Callable[[], None]) -> None:
    """Print a document, a record or a list of them as JSON if --json was given, else call `human`, for a person."""
    if invocation.json:
        from hub.records.wire import write

        click.echo(json.dumps(write(document), indent=2))
    else:
        human()


def show_fields(title: str, fields: Any) -> None:
    """Print a title and aligned lines of a name and a value, which are a mapping's or a record's."""
    from rich.table import Table
    from rich.text import Text

    from hub.records.wire import write

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in write(fields).items():
        table.add_row("  " + name, _cell(value))
    _print(Text(printable(title), style="bold"), table)


def show_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], empty: str) -> None:
    """Print a table; without rows print `empty`, a sentence that says so and what to do next.

    A value that is much longer than others is not cut, and moves its own row alone.
    """
    from rich.text import Text

    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        click.echo(empty)
        return
    head = [Text(column.upper(), style="bold") for column in columns]
    widths = [
        max(cell.cell_len for cell in column if cell is column[0] or cell.cell_len <= ALIGNED)
        for column in zip(head, *cells, strict=True)
    ]
    lines = []
    for row in (head, *cells):
        line = Text()
        for column, width, cell in zip(columns, widths, row, strict=True):
            gap = " " * (width - cell.cell_len)
            line.append_text(Text.assemble(gap, cell) if column in RIGHT else Text.assemble(cell, gap)).append("  ")
        lines.append(line)
    _print(*lines)


@frozen
class Table:
    """How a list is shown to a person: its columns, the row of an entry, and what is said if there is none."""

    columns: Sequence[str]
    row: Callable[[Any], Sequence[Any]]
    empty: str

    def __call__(self, found: Iterable[Any]) -> None:
        """Print a list."""
        show_table(self.columns, map(self.row, found), self.empty)


def named(id_: str | None, name: str | None) -> str | None:
    """Return an id with the name beside it: "mer_1 (Fjord & Fern)"."""
    return id_ if id_ is None or name is None else f"{id_} ({name})"


def say(*sentences: str) -> None:
    """Print sentences for a person, each on a line of its own."""
    for sentence in sentences:
        click.echo(printable(sentence))


def printable(text: str) -> str:
    """Return the text with control characters made visible: an order id may contain a terminal's escape codes."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _cell(value: Any) -> Any:
    from rich.text import Text

    if value is None or value in ([], (), ""):
        return Text(MISSING, style="dim")
    if isinstance(value, bool):
        return Text("yes" if value else "no")
    text = printable(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
    return Text(text, style=COLOURS.get(text, ""))


def _print(*renderables: Any) -> None:
    """Print whole lines without the blanks that rich pads them with; a narrow terminal wraps them itself."""
    from rich.console import Console

    screen = Console(width=WIDE, highlight=False, emoji=False, markup=False)
    with screen.capture() as text:
        screen.print(*renderables, sep="\n", soft_wrap=True)
    for line in text.get().splitlines():
        click.echo(line.rstrip())
