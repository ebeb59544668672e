"""`hub backup` and `hub restore`: a verified copy of the embedded database, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hub.cli.invocation import FAULT, Invocation, invoked
from hub.cli.output import print_result, say, show_fields
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.operations.system.backups import BackupDocument, RestoreDocument

_FILE = click.argument("file", type=click.Path(path_type=Path), metavar="FILE")


@click.command()
@_FILE
@invoked
def backup(invocation: Invocation, file: Path) -> None:
    """Back up the SQLite database to a new, verified file.

    A server may run meanwhile; the copy is of one moment. It is read back, its rows are counted, and only then does the
    file get its name; a file that exists is never replaced. For PostgreSQL the command says which of its own tools
    to use.
    """
    from contextlib import suppress

    from hub.operations.system.backups import make_backup, note_backup
    from hub.storage import StoreError

    settings = invocation.settings()
    made = make_backup(settings, file)
    with suppress(StoreError):  # a full disk keeps nobody from the backup
        invocation.with_store(lambda store: note_backup(store, system_clock, made), settings)

    def human() -> None:
        _show("A verified backup", made)
        say(f"Keep with it, but apart: the master key ({', '.join(made['masterKeys']) or 'none is needed'}).")
        say(f"Not in it: the uploaded files that wait in {settings.upload_directory}.")

    print_result(invocation, made, human)


@click.command()
@_FILE
@click.option("--verify", "only_verify", is_flag=True, help="Only read the backup and say what it holds.")
@click.option("--rehearse", is_flag=True, help="Restore into a scratch folder, audit that, and remove it.")
@invoked
def restore(invocation: Invocation, file: Path, only_verify: bool, rehearse: bool) -> None:
    """Replace the SQLite database with a backup.

    Stop the server first. The backup is verified before anything is replaced, and the database that was there is kept
    beside it. With --verify nothing is replaced, and a server may run; the same goes for --rehearse, which restores the
    backup into a folder beside it, brings its schema up to date and audits it (exit status 1 if that finds anything).
    """
    from hub.operations.system.backups import restore_backup, verify_backup

    settings = invocation.settings()
    if only_verify:
        found = verify_backup(settings, file)
        print_result(invocation, found, lambda: _show("The backup is sound", found))
        return
    if rehearse:
        _rehearse(invocation, settings, file)
        return
    restored = restore_backup(settings, file, system_clock)
    print_result(invocation, restored, lambda: _show_restored(restored))


def _rehearse(invocation: Invocation, settings: Settings, file: Path) -> None:
    import asyncio

    from hub.operations.audits.rehearsal import rehearse

    found = asyncio.run(rehearse(settings, file, system_clock))
    violations = found["audit"]["violations"]

    def human() -> None:
        _show("The backup can be restored", found)
        say(*(f"{each['rule']} {each['id'] or ''}: {each['message']}" for each in violations))
        say("Its audit found violations." if violations else "Its audit: everything holds.")

    print_result(invocation, found, human)
    if violations:
        click.get_current_context().exit(FAULT)


def _show(title: str, found: BackupDocument) -> None:
    show_fields(
        title,
        {
            "file": found["file"],
            "bytes": found["bytes"],
            "rows": sum(found["rows"].values()),
            "events": found["rows"].get("events", 0),
            "schema version": found["schemaVersion"],
            "master keys": found["masterKeys"],
            "of them not here": found["missingKeys"],
        },
    )


def _show_restored(restored: RestoreDocument) -> None:
    _show(f"{restored['database']} was restored", restored)
    if restored["aside"]:
        say(f"The previous database is {restored['aside']}; remove it once `hub audit` finds nothing.")
    say("Next: hub audit, then hub serve.")
