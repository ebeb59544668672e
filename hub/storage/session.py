"""The protocols of a session (one open transaction of a driver, in the driver's own SQL) and of a driver's upkeep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol

from hub.storage.migrations.files import Migration
from hub.storage.named_queries.query import Arguments, Query, Statements
from hub.storage.records import Row

Lockable = Literal["account", "catalog", "order"]
"""What a transaction may lock against other nodes: an account's catalogue, one of its orders, or all of its orders."""


class Session(Protocol):
    """One open transaction of a driver; it ends with exactly one `commit` or `rollback`."""

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement that returns no rows, and return how many rows it touched."""

    async def execute_together(self, parts: Sequence[Statements]) -> list[int]:
        """Run independent statements that return no rows, and return how many rows each part touched."""

    async def fetch_together(self, queries: Statements) -> list[list[Row]]:
        """Run queries and return the rows of each."""

    async def command(self, sql: str) -> None:
        """Run a statement that has neither parameters nor rows."""

    async def lock(self, kind: Lockable, keys: Iterable[tuple[str, str]]) -> None:
        """Lock what these keys, each (account id, name), stand for until the transaction ends, in one global order.

        Orders share the lock of their account, so that whoever locks an account waits for all of its orders.
        """

    async def ended_before(self) -> int:
        """Return the number below which every transaction has ended, as triggers note transactions."""

    async def explain(self, query: Query) -> list[str]:
        """Return the plan of a query without values, one line for each step."""

    async def commit(self) -> None:
        """End the transaction and keep it; raise StoreUnavailable if that is not certain."""

    async def rollback(self) -> None:
        """End the transaction and undo it; never raises."""


class Upkeep(Protocol):
    """What a database is done to while the hub serves, and told of it; SQLite has nothing of it to do."""

    @property
    def exhausted_ago(self) -> float | None:
        """See `Store.exhausted_ago`."""

    async def keep_partitions(self, now: int, cutoffs: Mapping[str, int]) -> Mapping[str, int]:
        """See `Store.keep_partitions`."""

    async def build_indexes(self, steps: Sequence[Migration], tell: Callable[[str], object]) -> list[str]:
        """See `Store.build_indexes`; of these steps."""
