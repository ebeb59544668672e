"""The lock of an account on PostgreSQL: whoever has it is alone with all of the account's orders."""

from __future__ import annotations

import asyncio
from typing import Any

from hub.storage import Store, Tx
from tests.polling import until

WAITING = """SELECT count(*) AS waiting FROM pg_locks
             WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"""
"""How many wait for this transaction; of what `pg_stat_activity` shows a transaction sees the first reading alone."""


async def one_waits(tx: Tx, work: asyncio.Future[Any] | None = None) -> None:
    """Return once another transaction waits for this one, or the work that should has ended without."""

    async def waiting() -> bool:
        (row,) = await tx._session.fetch(WAITING, [])
        return bool(row["waiting"]) or (work is not None and work.done())

    await until(waiting)


async def test_an_account_waits_for_its_orders_and_orders_for_their_account(postgres_store: Store) -> None:
    """Orders of one account go side by side, and other accounts wait for nobody; that is the control."""
    done: list[str] = []

    async def lock(account_id: str, order: str | None = None) -> None:
        async with postgres_store.write() as tx:
            if order is None:
                await tx.lock_account(account_id)
            else:
                await tx.lock_orders([(account_id, order)])
            done.append(f"{account_id} {order}")

    async with postgres_store.write() as one:
        await one.lock_orders([("acc_1", "A"), ("acc_2", "B")])
        await lock("acc_1", "C")
        await lock("acc_3")
        whole = asyncio.create_task(lock("acc_1"))
        await one_waits(one)
        assert done == ["acc_1 C", "acc_3 None"]
    await whole
    async with postgres_store.write() as one:
        await one.lock_account("acc_1")
        single = asyncio.create_task(lock("acc_1", "A"))
        await one_waits(one)
        await lock("acc_2", "B")
        assert done[-1] == "acc_2 B"
    await single
    assert done[-1] == "acc_1 A"
