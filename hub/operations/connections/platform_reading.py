"""A reading of a platform that is asked for and followed to its end, as at the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from hub.intake.submission_batcher import SubmissionBatcher
from hub.operations.connections.platform_access import ask_for_read
from hub.operations.connections.platform_documents import ReadDocument, read_document
from hub.operations.errors import known
from hub.platform_sync.access import Platforms
from hub.platform_sync.reads import Reader
from hub.storage import Row

DAY_MS: Final = 86_400_000
POLL_SECONDS: Final = 0.5


async def read_to_the_end(
    platforms: Platforms, connection_id: str, kind: str, since: str | None, note: Callable[[int], None]
) -> ReadDocument:
    """Ask for a reading and return what came of it, once it ended or broke off; raise `OperatorFault`.

    A server that has taken it up reads; otherwise this process does. `note` is called now and then with how many items
    are read.
    """
    read_id = await ask_for_read(platforms, connection_id, since=since, kind=kind)
    row = await _row(platforms, connection_id, read_id)
    intake = SubmissionBatcher(platforms.store, platforms.clock, idempotency_ttl_ms=DAY_MS)
    await intake.start()
    reading = asyncio.ensure_future(Reader(platforms, intake).read(row["account_id"], connection_id, read_id))
    try:
        while not (await asyncio.wait({reading}, timeout=POLL_SECONDS))[0]:
            note((await _row(platforms, connection_id, read_id))["items"])
        reading.result()
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await intake.stop()
    row = await _row(platforms, connection_id, read_id)
    while row["status"] == "WAITING" and row["lease_until"] > platforms.clock():
        note(row["items"])
        await asyncio.sleep(POLL_SECONDS)
        row = await _row(platforms, connection_id, read_id)
    async with platforms.store.read() as tx:
        where = {"account_id": row["account_id"], "connection_id": connection_id}
        return await read_document(tx, row, where)


async def _row(platforms: Platforms, connection_id: str, read_id: str) -> Row:
    async with platforms.store.read() as tx:
        about = await tx.one("connection_anywhere", connection_id=connection_id)
        row = None
        if about is not None:
            key = {"account_id": about["account_id"], "connection_id": connection_id}
            row = await tx.one("read_of", **key, read_id=read_id)
    return known(row, "reading", read_id, command=f"`hub connection platform {connection_id}` shows them.")
