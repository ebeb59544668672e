"""Rate limits in fixed windows, counted per account and group of endpoints in this process.

The arithmetic over windows is the same wherever the counts are kept; `hub.rate_limits.shared` uses it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from attrs import define, frozen

MINUTE_MS = 60_000
HOUR_MS = 3_600_000
MOST_COUNTERS = 20_000
"""From this many counters on, those of silent accounts are dropped."""


@frozen
class Window:
    """At most `limit` requests in each window of `length_ms`; windows begin at multiples of their length."""

    length_ms: int
    limit: int

    def seconds_left(self, now: int) -> int:
        """Return the whole seconds until the next window, rounded up; `now` is milliseconds UTC."""
        return -(-(self.length_ms - now % self.length_ms) // 1000)


class Allowance(NamedTuple):
    """What a caller may still do: `remaining` of `limit` requests, until `reset` seconds from now."""

    limit: int
    remaining: int
    reset: int
    granted: bool


class RateLimiter(Protocol):
    """Rate limits, wherever their counts are kept."""

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Count a request at `now` (ms UTC) if it is granted; return None if the group has no limit."""

    async def retry_with_lease(self, account_id: str, group: str, now: int, refusal: Allowance) -> Allowance:
        """Return the final allowance of a request that `take` refused: other processes may have left tokens."""


def windows_of(groups: Mapping[str, tuple[int, int]]) -> dict[str, tuple[Window, ...]]:
    """Return each group's windows, the shortest first.

    `groups` maps a group to its limits per minute and per hour; 0 turns a limit off.
    """
    return {
        group: tuple(Window(length, limit) for length, limit in ((MINUTE_MS, minute), (HOUR_MS, hour)) if limit)
        for group, (minute, hour) in groups.items()
    }


def window_numbers(windows: Sequence[Window], now: int) -> list[int]:
    """Return the numbers of the windows that are open at `now` (ms UTC)."""
    return [now // window.length_ms for window in windows]


def allowance_of(windows: Sequence[Window], used: Sequence[int], now: int, tokens: int = 0) -> Allowance:
    """Return the allowance of a request at `now` (ms UTC); it is granted if every window has room.

    `used` is the count of each window before the request; `tokens` of each are still this process's to spend. The
    allowance describes the tightest window, and among exhausted windows the one that opens last.
    """
    tightest, room = windows[0], windows[0].limit - used[0] + tokens
    for place in range(1, len(windows)):
        window = windows[place]
        other = window.limit - used[place] + tokens
        if (other < room and room > 0) or (other <= 0 and window.seconds_left(now) > tightest.seconds_left(now)):
            tightest, room = window, other
    granted = room > 0
    return Allowance(tightest.limit, room - 1 if granted else 0, tightest.seconds_left(now), granted)


@define(eq=False)
class Counter:
    """How many requests an account made in each window; `numbers` are the windows', the shortest first."""

    numbers: list[int]
    used: list[int]

    def roll_over(self, numbers: list[int]) -> None:
        """Continue in the windows of these numbers; the counts of those that ended are forgotten."""
        before, self.numbers = self.numbers, numbers
        self.used = [used * (number == was) for used, number, was in zip(self.used, numbers, before, strict=True)]


class RateLimits:
    """Counts requests in fixed windows; a group without windows is not limited."""

    def __init__(self, groups: Mapping[str, tuple[int, int]]) -> None:
        """Take each group's limits per minute and per hour; 0 turns a limit off."""
        self._windows = windows_of(groups)
        self._counters: dict[tuple[str, str], Counter] = {}

    def __len__(self) -> int:
        """Return how many counters are in memory."""
        return len(self._counters)

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Count a request at `now` (ms UTC) if it is granted; return None if the group has no limit."""
        windows = self._windows[group]
        if not windows:
            return None
        counter = self._counters.get((account_id, group)) or self._add_counter(account_id, group, windows, now)
        if now // windows[0].length_ms != counter.numbers[0]:  # while the shortest lasts, none of them ends
            counter.roll_over(window_numbers(windows, now))
        used = counter.used
        allowance = allowance_of(windows, used, now)
        if allowance.granted:
            for place, count in enumerate(used):
                used[place] = count + 1
        return allowance

    async def retry_with_lease(self, account_id: str, group: str, now: int, refusal: Allowance) -> Allowance:  # noqa: ARG002 - the protocol's signature
        """Return the refusal: this process counts every request."""
        return refusal

    def _add_counter(self, account_id: str, group: str, windows: tuple[Window, ...], now: int) -> Counter:
        if len(self._counters) >= MOST_COUNTERS:
            self._drop_silent(now)
        counter = self._counters[account_id, group] = Counter(window_numbers(windows, now), [0] * len(windows))
        return counter

    def _drop_silent(self, now: int) -> None:
        """Drop the counters whose longest window has ended: they count nothing any more."""
        silent = [
            key
            for key, counter in self._counters.items()
            if counter.numbers[-1] != now // self._windows[key[1]][-1].length_ms
        ]
        for key in silent:
            del self._counters[key]
