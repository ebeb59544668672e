"""The errors of the store, one class for each thing that a caller can do about them."""

from __future__ import annotations


class StoreError(Exception):
    """Any error of the store; the text is a sentence that a person can act on."""


class StoreUnavailable(StoreError):
    """The database cannot answer now (disk full, I/O fault, locked, connection lost, commit unknown): try later."""


class StoreUnusable(StoreUnavailable):
    """The database cannot be used until a person mends something: its file is damaged, or may not be written to."""


class OutcomeUnknown(StoreUnavailable):
    """The database was given the work and did not say in time, or at all, whether it is stored."""


class SchemaMoved(StoreUnavailable):
    """The schema is not the one that this process was started on, so it may write nothing more: restart it."""

    def __init__(self, found: int | str) -> None:
        super().__init__(
            f"The schema is at version {found} now, which this process was not started on: it writes nothing more."
        )


class StoreBusy(StoreError):
    """Servers have the database and must not, or a command has it until it is done (`transient`)."""

    def __init__(self, message: str, *, transient: bool = False) -> None:
        super().__init__(message)
        self.transient = transient


class SchemaTooOld(StoreError):
    """The database lacks migrations that this release needs; `hub migrate` applies them."""


class SchemaTooNew(StoreError):
    """The database was migrated by a newer release than this one."""


class MigrationFault(StoreError):
    """A migration file is missing, is not the one that the database applied, or does not run; nothing was applied."""


class QueryFault(StoreError):
    """A named query is unknown, written wrongly or used wrongly: a fault of the program."""


class Conflict(StoreError):
    """A unique or foreign key refused a row."""


class NotAllNew(StoreError):
    """A statement of an `InsertAll` touched fewer rows than it was given: some of them were there before."""


class BadValue(StoreError, ValueError):
    """A value that the database can never hold: a NUL, half a surrogate pair, more than 64 bits, a wrong type."""


class TransferFault(StoreError):
    """A database cannot be moved; nothing was kept."""
