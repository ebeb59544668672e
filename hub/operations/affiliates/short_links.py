"""Short addresses of links: `/s/NAME`, chosen by the affiliate, followed as the link itself is."""

from __future__ import annotations

import re
from typing import Annotated, Final

from attrs import frozen

from hub.clock import Clock
from hub.operations.affiliates.links import require_link
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.records.links import CODE
from hub.records.record import Note
from hub.storage import Store, Tx

SHORT: Final = re.compile(r"(?=.{3,32}$)[a-z0-9]+(?:-[a-z0-9]+)*")
MOST: Final = 5
"""How many a link may have: none is ever given back, so that what was printed never leads to another's shop."""


@frozen(kw_only=True, slots=False)
class ShortLink:
    """A short address of a link."""

    code: Annotated[str, Note("The link's code.", CODE)]
    short: Annotated[str, Note("What follows /s/ in the address.", "oak-lamp")]
    url: Annotated[str, Note("The short address.", "https://hub.example/s/oak-lamp")]


async def shorten_link(
    store: Store, clock: Clock, public_url: str, code: str, wanted: str, affiliate_id: str | None = None
) -> ShortLink:
    """Give a link a short address; one that it has already stays.

    Raise `OperatorFault` for one that cannot be used or is taken, for a sixth, and if there is no such link, or not of
    the affiliate given.
    """
    short = wanted.strip().lower()
    if not SHORT.fullmatch(short):
        raise OperatorFault("A short address has 3 to 32 letters, digits and single hyphens, like oak-lamp.")
    found = ShortLink(code=code, short=short, url=f"{public_url.rstrip('/')}/s/{short}")
    async with store.write() as tx:
        row = await require_link(tx, code, affiliate_id)
        known = await _shorts(tx, row["account_id"], code)
        if short in known:
            return found
        if len(known) >= MOST:
            raise OperatorFault(f"A link has at most {MOST} short addresses; each stays its own for good.")
        now = clock()
        if not await tx.run("insert_short_link", short=short, account_id=row["account_id"], code=code, now=now):
            raise OperatorFault(f"{short} is already taken. Choose another short address.")
        await note_act(tx, now, "link.shortened", code, after={"short": short})
    return found


async def short_links(store: Store, public_url: str, code: str) -> list[ShortLink]:
    """Return the short addresses of a link, newest first; raise `OperatorFault` if there is no such link."""
    root = public_url.rstrip("/")
    async with store.read() as tx:
        row = await require_link(tx, code)
        names = await _shorts(tx, row["account_id"], code)
    return [ShortLink(code=code, short=name, url=f"{root}/s/{name}") for name in names]


async def _shorts(tx: Tx, account_id: str, code: str) -> list[str]:
    rows = await tx.all("short_links_of", account_id=account_id, code=code, limit=MOST)
    return [row["short"] for row in rows]
