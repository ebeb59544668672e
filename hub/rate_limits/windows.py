"""Fixed windows of a rate limit: pure arithmetic over counts, wherever the counts are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from attrs import frozen

MINUTE_MS = 60_000
HOUR_MS = 3_600_000


@frozen
class Window:
    """At most `limit` requests in each window of `length_ms`; windows begin at multiples of their length."""

    length_ms: int
    limit: int

    def seconds_left(self, now: int) -> int:
        """Whole seconds until the next window, rounded up."""
        return -(-(self.length_ms - now % self.length_ms) // 1000)


class Allowance(NamedTuple):
    """What a caller may still do: `remaining` of `limit`, until `reset` seconds from now."""

    limit: int
    remaining: int
    reset: int
    granted: bool


def numbers_of(windows: Sequence[Window], now: int) -> list[int]:
    """The numbers of the windows that are open at `now` (ms UTC)."""
    return [now // window.length_ms for window in windows]


def judge(windows: Sequence[Window], used: Sequence[int], now: int, spare: int = 0) -> Allowance:
    """Grants a request where every window has room, given what was `used` before it in each, but for the `spare`.

    The allowance speaks of the tightest window; of several exhausted ones of the last to open again.
    """
    tightest, room = windows[0], windows[0].limit - used[0] + spare
    for place in range(1, len(windows)):
        window = windows[place]
        left = window.limit - used[place] + spare
        if (left < room and room > 0) or (left <= 0 and window.seconds_left(now) > tightest.seconds_left(now)):
            tightest, room = window, left
    granted = room > 0
    return Allowance(tightest.limit, room - 1 if granted else 0, tightest.seconds_left(now), granted)
