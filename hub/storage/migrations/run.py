"""Run migrations: each once, in order, in a transaction of its own, whichever of several nodes comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from hub.storage.errors import MigrationFault, SchemaTooNew, SchemaTooOld
from hub.storage.migrations.files import Migration

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

    async def apply(self, step: Migration, *, is_new: bool) -> None:
        """Run the migration and write it into the ledger; raise MigrationFault if it fails.

        A database that `is_new` gets all of its indexes at once.
        """

    async def commit(self) -> None:
        """End the transaction and keep it."""

    async def rollback(self) -> None:
        """End the transaction and undo it."""


async def run_migrations(session: SchemaSession, steps: Sequence[Migration]) -> list[str]:
    """Apply the steps that are missing and return their file names; raise MigrationFault or SchemaTooNew.

    If nothing is missing, nothing is locked. A new database is made in one transaction, so that whoever opens it
    meanwhile finds all of it or nothing.
    """
    applied = await session.applied()
    wanted = missing(applied, steps)
    done: list[str] = []
    for together in [[step] for step in wanted] if applied else [wanted] if wanted else []:
        await session.begin()
        try:
            # Another node may have applied them while we waited for the lock.
            left = missing(await session.applied(), steps)
            for step in [each for each in together if each in left]:
                await session.apply(step, is_new=not applied)
                done.append(step.file)
        except BaseException:
            await session.rollback()
            raise
        await session.commit()
    return done


def is_older(applied: Mapping[int, str], steps: Sequence[Migration]) -> bool:
    """Return whether a database has a schema that lacks steps; raise as `missing` does."""
    return bool(applied) and bool(missing(applied, steps))


def check_schema(applied: Mapping[int, str], steps: Sequence[Migration]) -> None:
    """Raise SchemaTooOld, SchemaTooNew or MigrationFault unless the database has just these migrations.

    `applied` is their checksums by version, as the database noted them.
    """
    if not missing(applied, steps):
        return
    raise too_old(applied, steps)


def too_old(applied: Mapping[int, str], steps: Sequence[Migration]) -> SchemaTooOld:
    """Return the refusal of a database that lacks some of these steps."""
    if not applied:
        return SchemaTooOld("The database does not have the hub's schema yet: run `hub migrate`.")
    return SchemaTooOld(
        f"The database has schema version {max(applied)}, this release needs {len(steps)}: stop the servers, then run "
        "`hub migrate`."
    )


def missing(applied: Mapping[int, str], steps: Sequence[Migration]) -> list[Migration]:
    """Return the steps that the database lacks; raise MigrationFault if it has others, SchemaTooNew if it has more."""
    for step in steps:
        if applied.get(step.version, step.checksum) != step.checksum:
            raise MigrationFault(
                f"The database was made by another commit before the first release, whose {step.file} differs: move it"
                " into a new one by `hub migrate --from OLD --to NEW`, or restore the file if you edited it."
            )
    if max(applied, default=0) > len(steps):
        raise SchemaTooNew(
            f"The database has schema version {max(applied)}, this release knows only {len(steps)}:"
            " install the newer release."
        )
    return [step for step in steps if step.version not in applied]
