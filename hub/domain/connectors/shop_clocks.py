"""The clock of a shop against ours: how far it is off by what a delivery shows, and what that means for its orders.

A shop on somebody's own server may have any time. What it says of its orders is then wrong by the same length, and a
click that we recorded seems to be younger than the order that it led to.
"""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any, Final

from hub.domain.connectors.connector import FieldPlace
from hub.domain.connectors.deliveries import NO_HEADERS, value_at
from hub.domain.durations import DAY, HOUR, MINUTE
from hub.domain.orders.attribution import CLOCK_TOLERANCE_MS

NOISE_MS: Final = MINUTE
"""A delivery may be on its way for so long: no clock is known better than that."""
ALLOWED_MS: Final = HOUR
"""A clock that is known to be off by at most this much is allowed for; a person looks at the orders of any other."""
TOLD_MS: Final = CLOCK_TOLERANCE_MS
"""From here on a wrong clock is told."""
MOST_OFF_MS: Final = 31 * DAY
"""A reading begins earlier by as much as a clock is behind, up to this: no night reads the orders of a year."""
_LAST_MS: Final = 2**53


def shown_at(place: FieldPlace | None, body: Any) -> int | None:
    """Return what the shop's clock showed as it sent a body (ms UTC); None if the body does not say it there."""
    text = None if place is None else value_at(place, NO_HEADERS, body)
    if text is None or not text.isascii() or not text.isdigit():
        return None
    return at if 0 < (at := int(text)) < _LAST_MS else None


def behind_by(date: str, now: int) -> int:
    """Return by how many ms the clock that wrote an answer's header Date is behind ours (`now`, ms UTC).

    0 if it is not, or by no more than an answer may be on its way, by more than MOST_OFF_MS, or if nobody can say.
    """
    return max(0, -_ahead(date, now))


def ahead_by(date: str, now: int) -> int:
    """Return by how many ms that clock is ahead of ours, as `behind_by` does."""
    return max(0, _ahead(date, now))


def _ahead(date: str, now: int) -> int:
    try:
        shown = parsedate_to_datetime(date)
    except ValueError:
        return 0
    ahead = int(shown.timestamp() * 1000) - now if shown.tzinfo is not None else 0
    return ahead if NOISE_MS <= abs(ahead) <= MOST_OFF_MS else 0


def on_our_clock(ordered_at: int, clock_off: int | None, received_at: int) -> int:
    """Return when an order was placed by our clock (ms UTC), which is not after its receipt.

    `clock_off` is by how many ms the shop's clock is ahead, negative if it is behind, None if nobody knows.
    """
    if clock_off is None or not NOISE_MS <= abs(clock_off) <= ALLOWED_MS:
        return ordered_at
    return min(ordered_at - clock_off, received_at)


def clock_sentences(clock_off: int, at: str) -> tuple[str, ...]:
    """Return what is wrong with a clock, as a delivery of the moment `at` shows it: one sentence, none if it is right.

    `clock_off` is as in `on_our_clock`.
    """
    if abs(clock_off) <= TOLD_MS:
        return ()
    if abs(clock_off) <= ALLOWED_MS:
        means = "That is allowed for when its orders are compared with their clicks."
    elif clock_off < 0:
        means = "Its orders seem to be older than their clicks, so they wait for a person."
    else:
        means = "Its orders count as placed when they arrived."
    way = "behind" if clock_off < 0 else "ahead"
    said = (
        f"The shop's clock is {_length(abs(clock_off))} {way}, as its delivery of {at} shows. {means} Have its server "
        "set its time by NTP."
    )
    return (said,)


def _length(milliseconds: int) -> str:
    if milliseconds >= 2 * DAY:
        return f"{round(milliseconds / DAY)} days"
    if milliseconds >= 2 * HOUR:
        return f"{round(milliseconds / HOUR)} h"
    return f"{round(milliseconds / MINUTE)} minutes"
