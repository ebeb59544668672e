"""Fixed windows of a rate limit: pure arithmetic over counts, wherever the counts are kept."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

MINUTE_MS = 60_000
HOUR_MS = 3_600_000


@frozen
class Window:
    """At most `limit` requests in each window of `length_ms`; windows begin at multiples of their length."""

    length_ms: int
    limit: int

    def number(self, now: int) -> int:
        """Which window a moment (ms UTC) falls into."""
        return now // self.length_ms

    def seconds_left(self, now: int) -> int:
        """Whole seconds until the next window, rounded up."""
        return -(-(self.length_ms - now % self.length_ms) // 1000)


@frozen
class Allowance:
    """What a caller may still do: `remaining` of `limit`, until `reset` seconds from now."""

    limit: int
    remaining: int
    reset: int
    granted: bool


def judge(windows: Sequence[Window], used: Sequence[int], now: int) -> Allowance:
    """Grants a request where every window has room, given what was `used` before it in each.

    The allowance speaks of the tightest window; of several exhausted ones the last to open again.
    """
    exhausted = [w for w, count in zip(windows, used, strict=True) if count >= w.limit]
    if exhausted:
        slowest = max(exhausted, key=lambda w: w.seconds_left(now))
        return Allowance(slowest.limit, 0, slowest.seconds_left(now), granted=False)
    tightest, count = min(zip(windows, used, strict=True), key=lambda pair: pair[0].limit - pair[1])
    return Allowance(tightest.limit, tightest.limit - count - 1, tightest.seconds_left(now), granted=True)
