"""Links that a person hands over because the hub sends no mail, shown to their own browser for ten minutes at most.

The form that makes a link leads on to a page that shows it, so that a reload makes no second one and the link is in no
address. Until then it is stored sealed under the cookie of that browser, of which the hub keeps only a digest: neither
the database nor the master key can open it.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Final

from attrs import asdict, frozen

from hub.clock import Clock
from hub.ids import new_id
from hub.operations.users.login_links import Purpose
from hub.sealing import Sealer
from hub.storage import Store

SHOWN_MS: Final = 10 * 60_000


@frozen
class Handover:
    """A link to hand over; `expires_at` is an RFC 3339 time, None if the link itself ends with its use alone."""

    email: str
    url: str
    purpose: Purpose
    expires_at: str | None


@frozen
class Holder:
    """A session and the cookie of its browser, which alone opens what is stored for it."""

    session_id: str
    token: str

    @property
    def sealer(self) -> Sealer:
        """Seals under the cookie."""
        return Sealer.of([sha256(f"handover:{self.token}".encode()).digest()])


async def offer_link(store: Store, clock: Clock, holder: Holder, handover: Handover) -> str:
    """Keep a link for the session that made it; return the id under which that session finds it."""
    now, handover_id = clock(), new_id("hand")
    sealed = holder.sealer.seal(json.dumps(asdict(handover)).encode(), handover_id)
    async with store.write() as tx:
        await tx.run("forget_shown_secrets", now=now)
        await tx.run(
            "show_link",
            session_id=holder.session_id,
            subject_id=handover_id,
            ends_at=now + SHOWN_MS,
            sealed_link=sealed,
        )
    return handover_id


async def offered_link(store: Store, clock: Clock, holder: Holder, handover_id: str) -> Handover | None:
    """Return the link, None for another session and once it was handed over or ten minutes have passed."""
    async with store.read() as tx:
        row = await tx.one("shown_link", session_id=holder.session_id, subject_id=handover_id, now=clock())
    return None if row is None else Handover(**json.loads(holder.sealer.open(row["sealed_link"], handover_id)))


async def end_handover(store: Store, holder: Holder, handover_id: str) -> None:
    """Forget a link: the person has handed it over."""
    async with store.write() as tx:
        await tx.run("hide_secret", session_id=holder.session_id, subject_id=handover_id)
