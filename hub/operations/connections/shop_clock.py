"""What the newest delivery of an order shows of the shop's clock, for the check of its connection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.api import Unmappable, parse_body
from hub.domain.connectors.connector import FieldPlace
from hub.domain.connectors.shop_clocks import clock_sentences, shown_at
from hub.domain.instants import format_instant
from hub.intake.stored_body import raw_body
from hub.storage import Tx

NEWEST: Final = 100
"""An order is looked for among so many of the newest deliveries."""


async def wrong_clock(tx: Tx, where: Mapping[str, str], place: FieldPlace | None) -> tuple[str, ...]:
    """Return what is wrong with the shop's clock, nothing if it is right or its deliveries do not show it.

    The newest delivery alone counts, so that the check is clean as soon as the clock is mended.
    """
    row = None if place is None else await tx.one("newest_order_body", **where, limit=NEWEST)
    if row is None:
        return ()
    try:
        body = parse_body(raw_body(row["body"]))
    except Unmappable:
        return ()
    shown = shown_at(place, body)
    return () if shown is None else clock_sentences(shown - row["received_at"], format_instant(row["received_at"]))
