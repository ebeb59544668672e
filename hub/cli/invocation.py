"""What every command shares: the settings, the open store, and sentences instead of tracebacks."""

from __future__ import annotations

import functools
import os
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import frozen

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.storage import Store

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])

CLIENT_VARIABLES = frozenset({"HUB_BASE_URL", "HUB_KEY", "HUB_SECRET", "HUB_TOKEN", "HUB_WEBHOOK_SECRET"})
"""Read by `hub request`, `sign`, `listen`, `trigger` and `mcp`; they are not settings of the hub, and may
stay exported beside a server."""

FAULT, BAD_SETTINGS = 1, 2

BUSY_TRIES = 5
"""Attempts on a locked SQLite file; each waits as long as SQLite itself does."""

NOT_REACHED = "Check that it runs, and that database.url is right, which `hub settings` shows; then try again."


SHARED: dict[str, dict[str, Any]] = {
    "--config": {"type": click.Path(path_type=Path), "metavar": "FILE", "help": "Settings file in TOML."},
    "--database": {"metavar": "URL", "help": "sqlite:///file or postgresql://… (default: as in the settings)."},
    "--json": {"is_flag": True, "help": "Print one JSON document."},
}
"""The options of every command."""


class Fault(click.ClickException):
    """A fault that a person can mend: one sentence on standard error, exit status 1."""

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - click's signature
        """Print the sentence."""
        click.secho("Error: ", fg="red", bold=True, nl=False, err=True)
        click.echo(self.message, err=True)


@frozen
class Invocation:
    """The options that every command has, as they were given."""

    config: Path | None = None
    database: str | None = None
    json: bool = False

    def settings(self, overrides: dict[str, object] | None = None) -> Settings:
        """Return the settings of file, environment and command line; raise `SettingsFault` with all faults."""
        from hub.config.settings import load_settings

        environ = {name: value for name, value in os.environ.items() if name not in CLIENT_VARIABLES}
        return load_settings(self.config, environ, {"database.url": self.database, **(overrides or {})})

    def with_store(
        self, act: Callable[[Store], Awaitable[T]], settings: Settings | None = None, *, creates: bool = False
    ) -> T:
        """Run an act over a store of its own, beside any server of the same database, and return its result.

        Only an act that `creates` something may create an SQLite file; for others a missing file is a mistake, and
        raises `Fault`.
        """
        import asyncio

        chosen = settings or self.settings()
        path = chosen.database.path
        if path is not None and not creates and not path.exists():
            raise Fault(f"There is no database {path}. `hub serve` creates one; or name another with --database.")
        return asyncio.run(_over_store(chosen, act))

    def over(self, inner: Invocation) -> Invocation:
        """Return this invocation with the options given further right on the command line, which win."""
        return Invocation(inner.config or self.config, inner.database or self.database, inner.json or self.json)


async def _over_store(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """Retry if a server that writes without pause kept the file locked for longer than SQLite waits."""
    from hub.storage import StoreUnavailable

    for _ in range(BUSY_TRIES - 1):
        try:
            return await _over_open_store(settings, act)
        except StoreUnavailable as fault:
            if not _was_locked(fault):
                raise
    return await _over_open_store(settings, act)


async def _over_open_store(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    from hub.storage import Store

    # The embedded database migrates itself; a PostgreSQL one is migrated by `hub migrate` and says so.
    async with await Store.open(settings.database.url, migrate=settings.database.dialect == "sqlite") as store:
        return await act(store)


def _was_locked(fault: BaseException) -> bool:
    """Whether the database was only locked: then nothing was begun, and all of it may be done again."""
    cause = fault.__cause__
    return isinstance(cause, sqlite3.Error) and getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _was_not_reached(fault: BaseException) -> bool:
    """Whether there is no such server, database or user: waiting alone would not mend that."""
    cause = fault.__cause__
    return isinstance(cause, OSError) or str(getattr(cause, "sqlstate", ""))[:2] in ("28", "3D")


class Faults:
    """Turns the faults that commands expect into sentences on standard error and an exit status."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise `SystemExit` for a fault that a person can mend; let bugs through with their traceback."""
        if not isinstance(fault, Exception) or isinstance(fault, click.ClickException | click.exceptions.Exit):
            return
        explained = _explained(fault)
        if explained is None:
            return
        status, sentences = explained
        for sentence in sentences:
            Fault(sentence).show()
        sys.exit(status)


def _explained(fault: Exception) -> tuple[int, list[str]] | None:
    """Return the exit status and the sentences for a fault; None for a bug. Imports are late: most runs need none."""
    from hub.config.settings import SettingsFault
    from hub.operations.errors import OperatorFault
    from hub.sealing import SealingFault
    from hub.storage import StoreError, StoreUnavailable, StoreUnusable

    if isinstance(fault, SettingsFault):
        return BAD_SETTINGS, fault.faults
    if isinstance(fault, StoreUnavailable) and not isinstance(fault, StoreUnusable):
        return FAULT, [f"{fault} {NOT_REACHED if _was_not_reached(fault) else 'Try again in a moment.'}"]
    if isinstance(fault, OperatorFault | SealingFault | StoreError):
        return FAULT, [str(fault)]
    return _explained_at_start(fault)


def _explained_at_start(fault: Exception) -> tuple[int, list[str]] | None:
    """Return the same for faults that only a starting server can have."""
    from hub.agents.part import LibraryMissing
    from hub.app import StartFault
    from hub.plugin_host.registry import PluginFault
    from hub.plugin_host.translation import HostUnavailable, PluginFailed

    if isinstance(fault, PluginFault):
        return FAULT, fault.faults
    if isinstance(fault, HostUnavailable | PluginFailed | LibraryMissing):
        return FAULT, [str(fault)]
    return (FAULT, [str(fault)]) if isinstance(fault, StartFault) else None


def shared_options(command: Command) -> Command:
    """Add --config, --database and --json, which may come before the group's name or after the command's."""
    for name, how in reversed(SHARED.items()):
        command = click.option(name, **how)(command)
    return command


def shared_parameters() -> list[click.Parameter]:
    """Return the same options for a command that is not made from a function."""
    return [click.Option([name], **how) for name, how in SHARED.items()]


def of_root(inner: Invocation) -> Invocation:
    """Return the options of a command over those that stood before the group's name."""
    root = click.get_current_context().find_object(Invocation) or Invocation()
    return root.over(inner)


def invoked(function: Callable[..., None]) -> Callable[..., None]:
    """Add the shared options to a command and pass it the `Invocation` as its first argument."""

    def command(config: Path | None, database: str | None, json: bool, **options: Any) -> None:
        function(of_root(Invocation(config, database, json)), **options)

    return shared_options(functools.update_wrapper(command, function))
