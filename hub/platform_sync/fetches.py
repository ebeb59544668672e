"""Orders and products that a delivery only named: fetched one by one, again with pauses, and taken in like deliveries.

Several deliveries of one order are one fetch. A delivery that comes while its order is being fetched raises `wanted`,
so the fetch is repeated: what the platform answered may be older than the news. Each answer is the whole order by now,
so the order of the deliveries cannot matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import structlog
from attrs import frozen

from hub.domain.connectors.reconciliation import fetch_again
from hub.intake.submission_batcher import SubmissionBatcher
from hub.outbound.platform_client import PlatformClient, PlatformFault
from hub.platform_sync.access import Access, Platforms
from hub.platform_sync.arrivals import take_in
from hub.storage import Row

LEASE_MS: Final = 15 * 60_000
GONE: Final = "missing"
ALONE: Final = ("missing", "answer")
"""Faults that concern one item; every other one concerns the platform, and the next items would meet it too."""

log = structlog.get_logger(__name__)


@frozen
class Fetcher:
    """Fetches for connections, and submits to `intake`."""

    platforms: Platforms
    intake: SubmissionBatcher

    async def fetch(self, rows: Sequence[Row]) -> None:
        """Fetch what is due of one connection; raise `StoreUnavailable`."""
        await self.platforms.ask_in_turn(await self._claim(rows), self._fetch_one, self._postpone)

    async def _claim(self, rows: Sequence[Row]) -> list[Row]:
        """Return those that no other process has."""
        now = self.platforms.clock()
        async with self.platforms.store.write() as tx:
            return [row for row in rows if await tx.run("claim_fetch", **_key(row), now=now, until=now + LEASE_MS)]

    async def _fetch_one(self, access: Access, client: PlatformClient, row: Row) -> None:
        single = access.requests.order if row["kind"] == "order" else access.requests.product
        if single is None:
            await self._give_up(row, f"The connector cannot ask for a single {row['kind']}.")
            return
        try:
            body = await client.whole(single, row["item_id"])
        except PlatformFault as fault:
            if fault.code not in ALONE:
                raise
            if fault.code == GONE:
                await client.prove()
                await self._give_up(row, str(fault))
            else:
                await self._postpone(row, str(fault))
            return
        await take_in(self.platforms.store, self.intake, self.platforms.clock, access, single.topic, [body])
        async with self.platforms.store.write() as tx:
            if not await tx.run("finish_fetch", **_key(row), wanted=row["wanted"]):
                await tx.run("repeat_fetch", **_key(row), wanted=row["wanted"])

    async def _postpone(self, row: Row, fault: str, waits: bool = False) -> None:
        attempts, now = row["attempts"] + (0 if waits else 1), self.platforms.clock()
        due_at = fetch_again(max(attempts, 1), now)
        await self._note(row, attempts, fault, due_at)
        if due_at is None:
            log.error("something could not be fetched", connection=row["connection_id"], kind=row["kind"], fault=fault)

    async def _give_up(self, row: Row, fault: str) -> None:
        await self._note(row, row["attempts"] + 1, fault, None)
        log.warning("something is not there to be fetched", connection=row["connection_id"], kind=row["kind"])

    async def _note(self, row: Row, attempts: int, fault: str, due_at: int | None) -> None:
        async with self.platforms.store.write() as tx:
            await tx.run(
                "postpone_fetch", **_key(row), wanted=row["wanted"], attempts=attempts, fault=fault, due_at=due_at
            )


def _key(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("account_id", "connection_id", "kind", "item_id")}
