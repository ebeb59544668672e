"""`hub --version`: the release, its commit, and the two parts that come with the machine."""

from __future__ import annotations

import platform
import sqlite3
import subprocess
from pathlib import Path

import click

from hub import __commit__, __version__

ROOT = Path(__file__).resolve().parents[2]


def version_told() -> str:
    """Return the line that a report of a fault begins with."""
    return (
        f"hub, version {__version__} ({_commit()}), Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )


def _commit() -> str:
    """Return the commit of a release, that of a checkout as git has it, or that neither is known."""
    if __commit__:
        return f"commit {__commit__[:12]}"
    if (ROOT / ".git").exists():
        asked = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
        try:
            done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=5)  # noqa: S603 - our own words; git is found by PATH
        except (OSError, subprocess.TimeoutExpired):
            return "a checkout"
        if not done.returncode:
            return f"a checkout of commit {done.stdout.strip()}"
    return "not installed from a release"


def show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the line and end the command."""
    if asked and not ctx.resilient_parsing:
        click.echo(version_told())
        ctx.exit()
