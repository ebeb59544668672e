"""`hub migrate`: bring the schema up to date before a new release serves, or move the whole hub to PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hub.cli.invocation import FAULT, Invocation, invoked
from hub.cli.output import print_result, say


def _address(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001 - click passes them
    from hub.config.readers import database_url

    try:
        return value if value is None else database_url(value)
    except ValueError as fault:
        raise click.BadParameter(f"It {fault}.") from fault


@click.command()
@click.option("--from", "source", metavar="URL", callback=_address, help="Move everything from here: sqlite:///file.")
@click.option("--to", "target", metavar="URL", callback=_address, help="Into this empty database: postgresql://….")
@invoked
def migrate(invocation: Invocation, source: str | None, target: str | None) -> None:
    """Bring the database's schema up to date; doing it again changes nothing.

    With --from and --to it moves a whole hub from SQLite to PostgreSQL instead. Stop the hub first. Every row of every
    table is copied in one transaction, then counted, summed and digested on both sides; if anything differs nothing
    is kept and the exit status is 1. The file stays as it is, and a move that was interrupted can be run again.
    """
    import asyncio

    if source or target:
        _move(invocation, *_ends(invocation, source, target))
        return
    document = asyncio.run(_migrate(invocation.settings().database.url))
    print_result(invocation, document, lambda: say(f"The schema is at version {document['schemaVersion']}."))


async def _migrate(url: str) -> dict[str, Any]:
    from hub.storage import Store

    async with await Store.open(url, migrate=True) as store:
        return {"schemaVersion": await store.schema_version()}


def _ends(invocation: Invocation, source: str | None, target: str | None) -> tuple[Path, str]:
    """Return the source file and the target's address; raise UsageError for a move that is not possible."""
    from hub.config.sections import DatabaseSettings

    if source is None or target is None:
        raise click.UsageError("A move needs both: --from sqlite:///… and --to postgresql://….")
    if invocation.database is not None:
        raise click.UsageError("A move takes --from and --to; --database is for the schema alone.")
    if source == target:
        raise click.UsageError("--from and --to are the same database.")
    path = DatabaseSettings(source).path
    if path is None:
        raise click.UsageError("A move starts from SQLite; a PostgreSQL database is copied by pg_dump and pg_restore.")
    if DatabaseSettings(target).path is not None:
        raise click.UsageError("A move goes to PostgreSQL; an SQLite file is copied by sqlite3's VACUUM INTO.")
    return path, target


def _move(invocation: Invocation, path: Path, url: str) -> None:
    from hub.cli.move import move, show_move

    document = move(path, url, invocation.settings(), quiet=invocation.json)
    print_result(invocation, document, lambda: show_move(document))
    if not document["kept"]:
        click.get_current_context().exit(FAULT)
