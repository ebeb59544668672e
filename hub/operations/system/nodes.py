"""The processes that serve a database: when each was last seen, its master keys, and whether its clock is trusted."""

from __future__ import annotations

import json
from typing import TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.operations.trail import note_act
from hub.storage import Row, Store

LIVE_MS = 15_000
"""A process that has not been seen for longer does not serve."""


class NodeDocument(TypedDict):
    """A process that serves or served; `clockJumpSeconds` is 0 if its clock is trusted."""

    nodeId: str
    serves: bool
    startedAt: str
    seenAt: str
    masterKeys: list[str]
    clockJumpSeconds: float


async def list_nodes(store: Store, clock: Clock) -> list[NodeDocument]:
    """Return the processes of the last days, the newest first."""
    async with store.read() as tx:
        rows = await tx.all("nodes_listed")
    return [_document(row, clock()) for row in rows]


async def confirm_clocks(store: Store, clock: Clock) -> int:
    """Let the processes whose clocks jumped trust them; return how many they are. Each does so within a second."""
    async with store.write() as tx:
        confirmed = await tx.run("confirm_clocks")
        if confirmed:
            await note_act(tx, clock(), "clock.confirmed", "nodes", after={"confirmed": confirmed})
        return confirmed


def _document(row: Row, now: int) -> NodeDocument:
    return {
        "nodeId": row["node_id"],
        "serves": abs(now - row["seen_at"]) <= LIVE_MS,
        "startedAt": format_instant(row["started_at"]),
        "seenAt": format_instant(row["seen_at"]),
        "masterKeys": json.loads(row["master_keys"]),
        "clockJumpSeconds": row["clock_jump_ms"] / 1000,
    }
