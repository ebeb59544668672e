"""The small steps that the stores' conformance suite is made of."""

from __future__ import annotations

from pathlib import Path

from hub.storage import Store, Tx
from hub.storage.named_queries.compiler import QUERY_FOLDER

SUITE_FOLDERS = (QUERY_FOLDER, Path(__file__).parent / "queries")
"""The query folders that a store under the suite reads: the hub's own and the suite's."""


class Boom(Exception):
    """What the suite raises to leave a transaction."""


async def put(tx: Tx, *names: str, owner: str = "suite", number: int = 0) -> list[str]:
    """Add leases and return the names that were free."""
    rows = await tx.all("suite_put_leases", leases=[(name, owner, number) for name in names])
    return [row["name"] for row in rows]


async def names(store: Store) -> list[str]:
    """Return the names of all committed leases."""
    async with store.read() as tx:
        return [row["name"] for row in await tx.all("suite_leases_of", owner=None)]


async def number_of(store: Store, name: str) -> int:
    """Return a lease's number."""
    async with store.read() as tx:
        rows = await tx.all("suite_leases", names=[name])
    number: int = rows[0]["expires_at"]
    return number
