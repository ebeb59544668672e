"""What can go wrong in the store, named by what the caller has to do about it."""

from __future__ import annotations


class StoreError(Exception):
    """Any fault of the store; the text is a sentence that a person can act on."""


class StoreUnavailable(StoreError):
    """The database cannot answer now (disk full, I/O fault, locked, connection lost, commit unknown): try later."""


class OutcomeUnknown(StoreUnavailable):
    """The database was given the work and did not say in time, or at all, whether it is stored."""


class StoreBusy(StoreError):
    """Another server already serves this SQLite file, or a command has it until its work is done (`transient`)."""

    def __init__(self, message: str, *, transient: bool = False) -> None:
        super().__init__(message)
        self.transient = transient


class SchemaTooOld(StoreError):
    """The database lacks migrations that this release needs; `hub migrate` brings them."""


class SchemaTooNew(StoreError):
    """The database was migrated by a newer release than this one."""


class MigrationFault(StoreError):
    """A migration file is missing, edited after it was applied, or does not run; nothing of it was applied."""


class QueryFault(StoreError):
    """A named query is unknown, written wrongly, or called with other parameters than it has."""


class Conflict(StoreError):
    """A unique or foreign key refused the row."""


class NotAllNew(StoreError):
    """A statement of an `InsertAll` touched fewer rows than it was given: some of them were there before."""


class BadValue(StoreError, ValueError):
    """A value that the database can never hold: a NUL or half a surrogate pair, over 64 bits, a wrong type."""


class TransferFault(StoreError):
    """A database cannot be moved, from there or to there; nothing was moved."""
