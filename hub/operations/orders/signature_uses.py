"""What a signature was used for before: of which earlier request a refused one is the repetition."""

from __future__ import annotations

from typing import NamedTuple

from hub.domain.signing import TOLERANCE_SECONDS
from hub.storage import Store


class FirstUse(NamedTuple):
    """The earlier request, by its id; `logged_at` is in ms UTC."""

    logged_at: int
    request_id: str
    method: str
    path: str
    status: int


async def first_use(
    store: Store, account_id: str, *, key_id: str, method: str, path: str | None, signed_at: int, before: int
) -> FirstUse | None:
    """Return the request that was logged closest to the second in which a repetition was signed.

    It has the same key, method and path (None: any), and came before `before` (ms UTC). The log keeps no signatures, so
    of several such requests it is the likeliest one; None if the log has none.
    """
    async with store.read() as tx:
        found = await tx.records(
            FirstUse,
            "first_uses",
            account_id=account_id,
            key_id=key_id,
            method=method,
            path=path,
            signed_at=signed_at * 1000,
            since=(signed_at - TOLERANCE_SECONDS) * 1000,
            before=before,
        )
    return found[0] if found else None


async def is_spent(store: Store, account_id: str, signed_at: int, signature: str) -> bool:
    """Return whether a write was signed by this signature and second (Unix time) before, within the tolerance."""
    async with store.read() as tx:
        row = await tx.one("spent_signature", account_id=account_id, signed_at=signed_at, signature=signature)
    return row is not None
