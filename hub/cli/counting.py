"""How far long work is: a number that counts up on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import Final

import click

EVERY_SECONDS: Final = 0.2


def counting(words: str) -> Callable[[int], None]:
    """Return a function that takes how many are done and shows it beside `words`, if stderr is a terminal."""
    shown_at = 0.0

    def show(done: int) -> None:
        nonlocal shown_at
        if sys.stderr.isatty() and monotonic() - shown_at >= EVERY_SECONDS:
            shown_at = monotonic()
            click.echo(f"\r\x1b[2K{words}: {done:,}\r", err=True, nl=False)

    return show
