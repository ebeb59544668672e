"""The terminal of a hub whose records are looked at."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import CliRunner

from hub.cli import hub as command


def terminal(database_url: str) -> Callable[..., str]:
    """Return what runs a command on a database, and returns what it prints; it must succeed."""
    given = {"HUB_MASTER_KEY": "5a" * 32, "HUB_DATABASE_URL": database_url}

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(command, arguments, env=given, prog_name="hub", terminal_width=200)
        assert result.exit_code == 0, result.output
        return result.stdout

    return run
