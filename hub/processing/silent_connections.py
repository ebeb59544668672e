"""Connections that have fallen silent: a store that delivered before, and has sent nothing for a day."""

from __future__ import annotations

from typing import Final

import orjson

from hub.domain.instants import format_instant
from hub.domain.messages.payload_versions import newest_version
from hub.ids import new_id
from hub.processing.notifications import Message
from hub.storage import Row, Store

SILENT_MS: Final = 86_400_000
SILENCES_AT_ONCE: Final = 200


async def report_silent_connections(store: Store, now: int) -> int:
    """Queue a message about each watched connection that fell silent, once for each silence; return how many."""
    async with store.write() as tx:
        silent = await tx.all("silent_connections", before=now - SILENT_MS, limit=SILENCES_AT_ONCE)
        if silent:
            await tx.run("queue_messages", messages=[_message(row, now) for row in silent])
    return len(silent)


def _message(row: Row, now: int) -> Message:
    data = {
        "connectionId": row["connection_id"],
        "connector": row["connector"],
        "title": row["title"],
        "lastDeliveryAt": format_instant(row["last_at"]),
    }
    return Message(
        row["account_id"], "", row["connection_id"], 1, new_id("msg"), "connection.silent",
        orjson.dumps(data).decode(), now, newest_version(),
    )  # fmt: skip
