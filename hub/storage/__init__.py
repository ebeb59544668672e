"""The store: transactions of named queries on SQLite or PostgreSQL."""

from __future__ import annotations

from hub.storage.bounded_wait import bounded
from hub.storage.errors import (
    BadValue,
    Conflict,
    MigrationFault,
    NotAllNew,
    OutcomeUnknown,
    QueryFault,
    SchemaMoved,
    SchemaTooNew,
    SchemaTooOld,
    StoreBusy,
    StoreError,
    StoreUnavailable,
    StoreUnusable,
    TransferFault,
)
from hub.storage.named_queries.compiler import declared_lists
from hub.storage.named_queries.lists import HIGHEST, LOWEST, Key, Kind, ListQuery, Order, lowest_of
from hub.storage.named_queries.query import NamedCall
from hub.storage.pace import Pace
from hub.storage.records import Row, pick_record, pick_records, read_records, values_of
from hub.storage.store import Store
from hub.storage.transaction import InsertAll, Tx, Work

__all__ = [
    "HIGHEST",
    "LOWEST",
    "BadValue",
    "Conflict",
    "InsertAll",
    "Key",
    "Kind",
    "ListQuery",
    "MigrationFault",
    "NamedCall",
    "NotAllNew",
    "Order",
    "OutcomeUnknown",
    "Pace",
    "QueryFault",
    "Row",
    "SchemaMoved",
    "SchemaTooNew",
    "SchemaTooOld",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreUnavailable",
    "StoreUnusable",
    "TransferFault",
    "Tx",
    "Work",
    "bounded",
    "declared_lists",
    "lowest_of",
    "pick_record",
    "pick_records",
    "read_records",
    "values_of",
]
