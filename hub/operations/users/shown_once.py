"""What is shown once, such as a new token: to the browser that made it alone, and for ten minutes at most.

The form that makes it leads on to a page that shows it, so that a reload makes no second one and nothing secret is in
an address. Until then it is stored sealed under the cookie of that browser, of which the hub keeps only a digest:
neither the database nor the master key can open it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from attrs import frozen

from hub.clock import Clock
from hub.ids import new_id
from hub.sealing import Sealer
from hub.storage import Store

SHOWN_MS: Final = 10 * 60_000


@frozen
class Holder:
    """A session and the cookie of its browser, which alone opens what is stored for it."""

    session_id: str
    token: str

    @property
    def sealer(self) -> Sealer:
        """Seals under the cookie."""
        return Sealer.of([sha256(f"shown once:{self.token}".encode()).digest()])


async def keep_shown(store: Store, clock: Clock, holder: Holder, shown: Mapping[str, Any]) -> str:
    """Keep what JSON can write for the session that made it; return the id under which that session finds it."""
    now, shown_id = clock(), new_id("once")
    sealed = holder.sealer.seal(json.dumps(shown).encode(), shown_id)
    async with store.write() as tx:
        await tx.run("forget_shown_secrets", now=now)
        await tx.run(
            "keep_shown", session_id=holder.session_id, subject_id=shown_id, ends_at=now + SHOWN_MS, sealed=sealed
        )
    return shown_id


async def kept_shown(store: Store, clock: Clock, holder: Holder, shown_id: str) -> dict[str, Any] | None:
    """Return what is kept, None for another session and once it was stored or ten minutes have passed."""
    async with store.read() as tx:
        row = await tx.one("kept_shown", session_id=holder.session_id, subject_id=shown_id, now=clock())
    return None if row is None else json.loads(holder.sealer.open(row["sealed"], shown_id))


async def forget_shown(store: Store, holder: Holder, shown_id: str) -> None:
    """Forget what is kept: the person has stored it, or handed it over."""
    async with store.write() as tx:
        await tx.run("hide_secret", session_id=holder.session_id, subject_id=shown_id)
