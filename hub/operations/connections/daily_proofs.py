"""Whether a shop still asks every day if this is its hub, as its plugin does: for the check of a connection.

Something else may answer at the hub's address: a parked domain, a proxy's maintenance page. The shop's own pages say
so; here all that can be seen is that the shop no longer asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hub.domain.instants import format_instant
from hub.plugin_host.catalog import Declaration
from hub.storage import Tx

DAY_MS = 86_400_000
SINCE_MS = 7 * DAY_MS
LATE_MS = 2 * DAY_MS
"""One day may be missed: a quiet shop's tasks wait for a visitor."""


async def newest_greetings(tx: Tx, where: Mapping[str, str], since: int) -> dict[str, int]:
    """Return when a connection last answered pings ("POST") and proofs ("GET"), if that was since a moment (ms UTC)."""
    path = f"/connect/{where['connection_id']}"
    rows = await tx.all("connection_greetings", account_id=where["account_id"], since=since, path=path)
    return {each["method"]: each["last_at"] for each in rows}


async def last_proof(tx: Tx, where: Mapping[str, str], now: int, declared: Declaration | None) -> int | None:
    """Return when the shop last asked (ms UTC); None if its plugin does not do so daily, or did not within a week."""
    if declared is None or declared.challenge is None or not declared.challenge.is_daily:
        return None
    return (await newest_greetings(tx, where, now - SINCE_MS)).get("GET")


def proofs_stopped(proved_at: int | None, heard_at: int | None, title: str, now: int) -> Iterator[str]:
    """Yield what is wrong if the shop, last heard of at `heard_at` by a delivery, asked before and does so no more."""
    if proved_at is not None and now - max(proved_at, heard_at or 0) >= LATE_MS:
        yield (
            f"The shop has not asked for this hub since {format_instant(proved_at)}, although its plugin does so every "
            "day: something else may answer at the hub's address, or the shop's scheduled tasks stand still. See what "
            f"the plugin's page in {title} says."
        )
