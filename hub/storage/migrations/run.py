"""Run migrations: each once, in order, in a transaction of its own, whichever of several nodes comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from hub.storage.errors import MigrationFault, SchemaTooNew, SchemaTooOld
from hub.storage.migrations.files import Migration
from hub.storage.migrations.unreleased import is_unreleased, refuse_older

LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version    BIGINT NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    checksum   TEXT   NOT NULL,
    applied_at BIGINT NOT NULL
)
"""


class SchemaSession(Protocol):
    """One database connection that migrations run on."""

    async def begin(self) -> None:
        """Open a transaction that excludes other nodes' migrations, and create the ledger table if it is missing."""

    async def applied(self) -> Mapping[int, str]:
        """Return the checksum of every migration applied, by version; empty if there is no ledger table yet."""

    async def apply(self, step: Migration) -> None:
        """Run the migration and write it into the ledger; raise MigrationFault if it fails."""

    async def adopt(self, step: Migration) -> None:
        """Bring an unreleased database to the first migration's schema; raise MigrationFault if it cannot."""

    async def commit(self) -> None:
        """End the transaction and keep it."""

    async def rollback(self) -> None:
        """End the transaction and undo it."""


async def run_migrations(session: SchemaSession, steps: Sequence[Migration]) -> list[str]:
    """Apply the steps that are missing and return their file names; raise MigrationFault or SchemaTooNew.

    If nothing is missing, nothing is locked.
    """
    done: list[str] = []
    for step in _missing(await session.applied(), steps):
        await session.begin()
        try:
            # Another node may have applied it while we waited for the lock.
            applied = await session.applied()
            if step in _missing(applied, steps):
                await (session.adopt if is_unreleased(applied) else session.apply)(step)
                done.append(step.file)
        except BaseException:
            await session.rollback()
            raise
        await session.commit()
    return done


def check_version(found: int, known: int) -> None:
    """Raise SchemaTooOld or SchemaTooNew unless the database has the schema that this release knows."""
    if found == 0 < known:
        raise SchemaTooOld("The database does not have the schema of a release yet: run `hub migrate`.")
    if found < known:
        raise SchemaTooOld(f"The database has schema version {found}, this release needs {known}: run `hub migrate`.")
    if found > known:
        raise SchemaTooNew(
            f"The database has schema version {found}, this release knows only {known}: install the newer release."
        )


def _missing(applied: Mapping[int, str], steps: Sequence[Migration]) -> list[Migration]:
    """Return the steps that the database lacks; raise MigrationFault if one that it has was edited since."""
    if is_unreleased(applied):
        refuse_older(applied)
        return list(steps)
    if max(applied, default=0) > len(steps):
        check_version(max(applied), len(steps))
    for step in steps:
        if applied.get(step.version, step.checksum) != step.checksum:
            raise MigrationFault(
                f"Migration {step.file} was edited after this database applied it:"
                " restore it, and put the change into a new file."
            )
    return [step for step in steps if step.version not in applied]
