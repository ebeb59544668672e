"""The store: transactions of named queries over SQLite or PostgreSQL."""

from __future__ import annotations

from hub.storage.errors import (
    BadValue,
    Conflict,
    MigrationFault,
    QueryFault,
    SchemaTooNew,
    SchemaTooOld,
    StoreBusy,
    StoreError,
    StoreUnavailable,
    TransferFault,
)
from hub.storage.query import NamedCall
from hub.storage.store import Store
from hub.storage.transaction import Moment, Row, Tx, Values

__all__ = [
    "BadValue",
    "Conflict",
    "MigrationFault",
    "Moment",
    "NamedCall",
    "QueryFault",
    "Row",
    "SchemaTooNew",
    "SchemaTooOld",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreUnavailable",
    "TransferFault",
    "Tx",
    "Values",
]
