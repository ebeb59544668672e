"""The progress of a file: a moving line on a terminal, else a plain line now and then."""

from __future__ import annotations

from collections import deque
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import click
from attrs import frozen

from hub.cli.output import printable

if TYPE_CHECKING:
    from hub.csv_import.job import Upload

WINDOW_SECONDS: Final = 10.0
"""The rate is that of the last seconds, so that it follows changes."""
LINE_SECONDS: Final = 10.0
"""How often a plain line is written if there is no terminal."""


@frozen
class Mark:
    """The rows and bytes done at a time (seconds of a monotonic clock)."""

    at: float
    rows: int
    position: int


class Rate:
    """How fast rows are decided, and how long the rest will take at that rate."""

    def __init__(self) -> None:
        self._marks: deque[Mark] = deque()
        self._size = 0

    def note(self, rows: int, position: int, size: int, at: float) -> None:
        """Record that at time `at` (seconds) `rows` are decided, up to byte `position` of `size`."""
        self._size = size
        self._marks.append(Mark(at, rows, position))
        while len(self._marks) > 2 and at - self._marks[1].at >= WINDOW_SECONDS:
            self._marks.popleft()

    @property
    def words(self) -> str:
        """Return rows, rate and time left, as far as they are known: `450,000 rows   25,310 rows/s   0:00:22 left`."""
        if not self._marks:
            return ""
        first, last = self._marks[0], self._marks[-1]
        parts = [f"{last.rows:,} rows"]
        seconds, read = last.at - first.at, last.position - first.position
        if seconds > 0 and last.rows > first.rows and read > 0:
            parts.append(f"{(last.rows - first.rows) / seconds:,.0f} rows/s")
            parts.append(f"{clock_text((self._size - last.position) * seconds / read)} left")
        return "   ".join(parts)


def clock_text(seconds: float) -> str:
    """Return seconds as a clock shows them: 0:01:05."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


class Progress:
    """Shows an upload's progress on standard error for the duration of a `with` block."""

    def __init__(self, title: str) -> None:
        self._title = printable(title)
        self._rate = Rate()
        self._bar: Any = None
        self._task: Any = None
        self._line_at = monotonic() + LINE_SECONDS

    def __enter__(self) -> Self:
        """Start the moving line if standard error is a terminal that can have one."""
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn
        from rich.progress import Progress as Bar

        screen = Console(stderr=True, highlight=False, emoji=False, markup=False)
        if screen.is_terminal and not screen.is_dumb_terminal:
            self._bar = Bar(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                TaskProgressColumn(),
                TextColumn("{task.fields[rate]}", markup=False),
                console=screen,
                transient=True,
            )
            self._task = self._bar.add_task(self._title, total=None, rate="reading the file")
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the moving line."""
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, upload: Upload) -> None:
        """Show the progress of the upload."""
        now = monotonic()
        self._rate.note(upload.rows, upload.position, upload.size, now)
        if self._bar is not None:
            self._bar.update(self._task, total=upload.size, completed=upload.position, rate=self._rate.words)
        elif now >= self._line_at:
            self._line_at = now + LINE_SECONDS
            share = 100 * upload.position // max(upload.size, 1)
            self.say(f"{self._title}   {share}%   {self._rate.words}")

    def say(self, sentence: str) -> None:
        """Print a sentence above the moving line."""
        if self._bar is not None:
            self._bar.console.print(printable(sentence), soft_wrap=True)
        else:
            click.echo(printable(sentence), err=True)
