"""What a hub has kept of what it was sent, read past it: it reads the text of an event only to work on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hub.app import Hub
from hub.storage import Row, Store
from hub.storage.named_queries.compiler import QUERY_FOLDER


async def payloads_of(hub: Hub, account_id: str, events: Sequence[str]) -> list[Row]:
    """The `body` and `headers` that are kept of these events, by `event_id`."""
    return await _read(hub, "payloads_of_events", events=[(account_id, event_id) for event_id in events])


async def mails_to(hub: Hub, recipient: str) -> list[str]:
    """What was written to an address, oldest first: the template and its values as JSON."""
    return [f"{row['template']} {row['parameters']}" for row in await _read(hub, "mails_of", recipient=recipient)]


async def _read(hub: Hub, query: str, **values: object) -> list[Row]:
    folders = (QUERY_FOLDER, Path(__file__).parent / "queries")
    async with await Store.open(hub.parts.settings.database.url, query_folders=folders) as store, store.read() as tx:
        return await tx.all(query, **values)
