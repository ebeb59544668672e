"""`hub migrate`: bring the schema up to date before a new release serves, or move the hub to another database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from hub.cli.invocation import FAULT, Fault, Invocation, invoked
from hub.cli.output import print_result, say


def _address(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001 - click passes them
    from hub.config.readers import database_url

    try:
        return value if value is None else database_url(value)
    except ValueError as fault:
        raise click.BadParameter(f"It {fault}.") from fault


@click.command()
@click.option("--from", "source", metavar="URL", callback=_address, help="Move everything from here.")
@click.option("--anyway", is_flag=True, help="On PostgreSQL: while processes serve, too; each stops within seconds.")
@click.option("--check", "only_check", is_flag=True, help="Only show what would be done, and which tables that locks.")
@click.option("--partition", is_flag=True, help="On PostgreSQL: have what ages partitioned by time.")
@click.option("--to", "target", metavar="URL", callback=_address, help="Into this empty database, or new file.")
@invoked
def migrate(
    invocation: Invocation,
    source: str | None,
    target: str | None,
    *,
    anyway: bool,
    only_check: bool,
    partition: bool,
) -> None:
    """Bring the database's schema up to date; doing it again changes nothing.

    Only this command and `hub serve` change a schema that is there. Stop the hub first. An SQLite file is first
    copied to NAME.before-N beside it, and the copy is verified; make a backup of PostgreSQL by its own tools.

    With --check nothing is changed: it names the steps that are missing, and each table with rows that they lock, with
    how many it has (PostgreSQL's own estimate) and about how long that takes. A server may run.

    With --partition (or `partitions` in the settings) bodies, request log and used signatures are partitioned by time
    afterwards, so that what was kept long enough is dropped by the day or hour. Servers may run: no row is moved.

    With --from and --to it moves a whole hub into an empty database instead: from SQLite to PostgreSQL, or from one
    that a commit before the first release made. Stop the hub first. Every row of every table is copied in one
    transaction, then counted, summed and digested on both sides; if anything differs nothing is kept and the exit
    status is 1. The source stays as it is, and a move that was interrupted can be run again.
    """
    import asyncio

    if source or target:
        _move(invocation, *_ends(invocation, source, target))
        return
    if only_check:
        _check(invocation)
        return
    database = invocation.settings().database
    if partition and database.dialect != "postgresql":
        raise Fault("SQLite has no partitions: --partition is for PostgreSQL.")
    document = asyncio.run(_migrate(database.url, anyway=anyway))
    wanted = partition or (database.partitions and database.dialect == "postgresql")
    document |= {"partitioned": _partition(database.url)} if wanted else {}
    print_result(invocation, document, lambda: _show(document))


def _show(document: Mapping[str, Any]) -> None:
    say(f"The schema is at version {document['schemaVersion']}.")
    for each in document.get("partitioned", ()):
        say(f"{each['table']} is partitioned by time; its first partition has about {each['rows']:,} rows.")
    if document.get("partitioned") == []:
        say("Everything that can be partitioned by time already is.")


def _partition(url: str) -> list[dict[str, Any]]:
    import asyncio

    from hub.clock import system_clock
    from hub.storage.postgresql.partitioning import partition_tables

    def tell(table: str) -> None:
        click.echo(f"Partitioning {table}: its rows are read once, while others write on.", err=True)

    moved = asyncio.run(partition_tables(url, system_clock(), tell))
    return [{"table": each.table, "rows": each.rows} for each in moved]


def _check(invocation: Invocation) -> None:
    import asyncio

    from hub.storage.migrations.plan import plan_of

    steps, touched = asyncio.run(plan_of(invocation.settings().database.url))
    tables = [
        {"file": t.file, "table": t.table, "lock": t.lock.what, "rows": t.rows, "seconds": t.seconds} for t in touched
    ]

    def human() -> None:
        say("The schema is up to date." if not steps else f"Missing: {', '.join(steps)}.")
        for each in touched:
            many = "an unknown number of" if each.rows is None else f"{each.rows:,}"
            say(f"{each.file}: {each.table} ({many} rows) {each.lock.what}, {_long(each.seconds)}.")

    print_result(invocation, {"missing": steps, "touches": tables}, human)


def _long(seconds: int | None) -> str:
    """Return how long a lock is held, in words."""
    if seconds is None:
        return "for as long as its rows take"
    return f"for about {seconds:,} s" if seconds else "for less than a second"


async def _migrate(url: str, *, anyway: bool) -> dict[str, Any]:
    """Migrate with the server's lock, which only a schema that is not up to date needs."""
    from hub.storage import SchemaTooOld, Store

    try:
        store = await Store.open(url)
    except SchemaTooOld:
        store = await Store.open(url, migrate=True, serve=True, transient=True, beside_servers=anyway)
    async with store:
        built = await store.build_indexes(lambda sentence: click.echo(sentence, err=True))
        return {"schemaVersion": await store.schema_version(), **({"indexesBuilt": built} if built else {})}


def _ends(invocation: Invocation, source: str | None, target: str | None) -> tuple[str, str]:
    """Return both addresses; raise UsageError for a move that is not possible."""
    if source is None or target is None:
        raise click.UsageError("A move needs both, --from and --to: sqlite:///file or postgresql://….")
    if invocation.database is not None:
        raise click.UsageError("A move takes --from and --to; --database is for the schema alone.")
    if source == target:
        raise click.UsageError("--from and --to are the same database.")
    return source, target


def _move(invocation: Invocation, source: str, target: str) -> None:
    from hub.cli.move import move, show_move

    document = move(source, target, invocation.settings(), quiet=invocation.json)
    print_result(invocation, document, lambda: show_move(document))
    if not document["kept"]:
        click.get_current_context().exit(FAULT)
