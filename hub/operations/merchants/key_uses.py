"""When each key of an account was last used, as far as the newest requests say."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.domain.instants import format_instant
from hub.storage import Store

LOOKED_AT: Final = 2_000
"""How many of the newest requests of the account are looked at."""


class KeyUse(TypedDict):
    """The newest request with a key: when, what was asked, and how it ended."""

    at: str
    request: str
    status: int
    errorCode: str | None


async def last_uses(store: Store, account_id: str) -> dict[str, KeyUse]:
    """Return the newest request of each key by the key's id; a key without one was not used lately."""
    async with store.read() as tx:
        rows = await tx.all("last_requests_of_account", account_id=account_id, limit=LOOKED_AT)
    uses: dict[str, KeyUse] = {}
    for row in rows:
        if row["key_id"] is not None and row["key_id"] not in uses:
            uses[row["key_id"]] = {
                "at": format_instant(row["logged_at"]),
                "request": f"{row['method']} {row['path']}",
                "status": row["status"],
                "errorCode": row["error_code"],
            }
    return uses
