"""What every command shares: where the settings come from, the open store, and how faults are told."""

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

CLIENT_VARIABLES = frozenset({"HUB_BASE_URL", "HUB_KEY", "HUB_SECRET"})
"""Read by `hub request` and `hub sign`; they are no settings of the hub, and may stay exported beside a server."""

FAULT, BAD_SETTINGS = 1, 2

BUSY_TRIES = 5
"""How often a locked SQLite file is tried; each try waits for as long as its connection does."""


class Fault(click.ClickException):
    """A fault that a person can mend: one sentence on standard error, exit status 1."""

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - click's signature
        """Prints the sentence."""
        click.secho("Error: ", fg="red", bold=True, nl=False, err=True)
        click.echo(self.message, err=True)


@frozen
class Invocation:
    """How the command was called: the options that every command has."""

    config: Path | None = None
    database: str | None = None
    json: bool = False

    def settings(self, overrides: dict[str, object] | None = None) -> Settings:
        """The settings of file, environment and command line; raises `SettingsFault` with all faults."""
        from hub.config.settings import load_settings

        environ = {name: value for name, value in os.environ.items() if name not in CLIENT_VARIABLES}
        return load_settings(self.config, environ, {"database.url": self.database, **(overrides or {})})

    def with_store(
        self, act: Callable[[Store], Awaitable[T]], settings: Settings | None = None, *, creates: bool = False
    ) -> T:
        """Runs an act over a store of its own, beside whatever server uses the same database.

        Only what `creates` something from nothing may make a new embedded database; elsewhere its absence is a slip.
        """
        import asyncio

        chosen = settings or self.settings()
        path = chosen.database.path
        if path is not None and not creates and not path.exists():
            raise Fault(f"There is no database {path}. `hub serve` makes one; or name another with --database.")
        return asyncio.run(_over_store(chosen, act))

    def over(self, inner: Invocation) -> Invocation:
        """This invocation with what was said further right on the command line."""
        return Invocation(inner.config or self.config, inner.database or self.database, inner.json or self.json)


async def _over_store(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """Tries again where a server that writes without pause kept the file locked for longer than SQLite waits."""
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


class Faults:
    """Turns the faults that commands expect into sentences on standard error and an exit status."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raises `SystemExit` for a fault that a person can mend; lets bugs through with their traceback."""
        if not isinstance(fault, Exception) or isinstance(fault, click.ClickException | click.exceptions.Exit):
            return
        told = _told(fault)
        if told is None:
            return
        status, sentences = told
        for sentence in sentences:
            Fault(sentence).show()
        sys.exit(status)


def _told(fault: Exception) -> tuple[int, list[str]] | None:
    """The exit status and the sentences for a fault; None for a bug. Imports are late: most runs need none of them."""
    from hub.config.settings import SettingsFault
    from hub.operations.errors import OperatorFault
    from hub.sealing import SealingFault
    from hub.storage import StoreError, StoreUnavailable

    if isinstance(fault, SettingsFault):
        return BAD_SETTINGS, fault.faults
    if isinstance(fault, StoreUnavailable):
        return FAULT, [f"{fault} Try again in a moment."]
    if isinstance(fault, OperatorFault | SealingFault | StoreError):
        return FAULT, [str(fault)]
    return _told_at_start(fault)


def _told_at_start(fault: Exception) -> tuple[int, list[str]] | None:
    """The same for what only a server can meet."""
    from hub.app import StartFault
    from hub.plugin_host.registry import PluginFault

    if isinstance(fault, PluginFault):
        return FAULT, fault.faults
    return (FAULT, [str(fault)]) if isinstance(fault, StartFault) else None


def shared_options(command: Command) -> Command:
    """The options that may stand before the noun or after the verb: --config, --database, --json."""
    options = (
        click.option("--json", is_flag=True, help="Print one JSON document."),
        click.option("--database", metavar="URL", help="sqlite:///file or postgresql://… (default: the settings')."),
        click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Settings in TOML."),
    )
    for option in options:
        command = option(command)
    return command


def invoked(function: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the shared options and passes it the `Invocation` first."""

    def command(config: Path | None, database: str | None, json: bool, **options: Any) -> None:
        root = click.get_current_context().find_object(Invocation) or Invocation()
        function(root.over(Invocation(config, database, json)), **options)

    return shared_options(functools.update_wrapper(command, function))
