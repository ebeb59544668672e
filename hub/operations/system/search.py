"""One search over everything: an id, an order number, a coupon, an e-mail address, a name."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from hub.domain.words import PARTY_KINDS
from hub.operations.list_filters import end_of
from hub.operations.lists import List, Wanted, read
from hub.operations.references import like_pattern
from hub.storage import Row, Store

MOST: Final = 50
ORDERS: Final = List("conversions")


@frozen
class Found:
    """What a text names: for a key its merchant, for a click its order or else its link.

    The kind "act" is for anything else that the trail knows by this id, such as a correction, a rate or a token.
    """

    kind: str
    id: str
    name: str


async def find_anything(store: Store, asked: str) -> list[Found]:
    """Return at most 50 things that have this id, order number, click, coupon or e-mail address, or else a part of it.

    The trail, names and parts of order numbers are looked at only if nothing has the text itself. All orders whose
    number begins with it are found, and if there are none, those of the newest that have it in their number.
    """
    wanted = asked.strip()
    async with store.read() as tx:
        found = [Found(row["kind"], row["id"], wanted) for row in await tx.all("ids_anywhere", id=wanted)]
        if "@" in wanted:
            rows = await tx.all("emails_anywhere", email=wanted.lower())
            found += [Found(row["kind"], row["id"], row["name"]) for row in rows]
        coupon = await tx.one("coupons_anywhere", code=wanted.upper())
        if coupon is not None:
            found.append(Found("affiliate", coupon["affiliate_id"], wanted))
        if not found and await tx.one("act_on", subject=wanted) is not None:
            found.append(Found("act", wanted, wanted))
        if not found:
            for noun in PARTY_KINDS:
                rows = await tx.all("parties_like", noun=noun, pattern=like_pattern(wanted), limit=MOST)
                found += [Found(noun, row["id"], row["name"]) for row in rows]
            begin = await tx.all("numbers_anywhere", number=wanted, number_until=end_of(wanted), limit=MOST)
            found += map(_order, begin)
        if not found and wanted:
            recent = await read(tx, ORDERS, Wanted({"text": like_pattern(wanted)}, limit=MOST))
            found += map(_order, recent.entries)
    return list({(each.kind, each.id): each for each in found}.values())[:MOST]


def _order(row: Row) -> Found:
    return Found("conversion", row["conversion_id"], row["external_order_id"])
