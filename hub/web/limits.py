"""Rate limits: requests counted per account and group of endpoints, in this process."""

from __future__ import annotations

from collections.abc import Mapping

from hub.web.windows import HOUR_MS, MINUTE_MS, Allowance, Window, judge

KEPT = 20_000
"""Counters of accounts that fell silent are dropped once there are this many."""

Counts = list[int]


class RateLimits:
    """Counts requests in fixed windows; a group without windows is not limited."""

    def __init__(self, groups: Mapping[str, tuple[int, int]]) -> None:
        """`groups` names each group's limits per minute and per hour; 0 turns one off."""
        self._windows = {
            group: tuple(Window(length, limit) for length, limit in zip((MINUTE_MS, HOUR_MS), limits, strict=True) if limit)
            for group, limits in groups.items()
        }
        self._counters: dict[tuple[str, str], tuple[Counts, Counts]] = {}

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Counts one request at `now` (ms UTC) if it is granted; None where the group has no limit."""
        windows = self._windows[group]
        if not windows:
            return None
        numbers, used = self._counts(account_id, group, windows, now)
        for position, window in enumerate(windows):
            number = window.number(now)
            if numbers[position] != number:
                numbers[position] = number
                used[position] = 0
        allowance = judge(windows, used, now)
        if allowance.granted:
            for position in range(len(used)):
                used[position] += 1
        return allowance

    def _counts(self, account_id: str, group: str, windows: tuple[Window, ...], now: int) -> tuple[Counts, Counts]:
        key = (account_id, group)
        counts = self._counters.get(key)
        if counts is None:
            if len(self._counters) >= KEPT:
                self._forget_silent(now)
            counts = self._counters[key] = ([0] * len(windows), [0] * len(windows))
        return counts

    def _forget_silent(self, now: int) -> None:
        """The last window is the longest: a counter outside it counts nothing any more."""
        for key in [k for k, (numbers, _) in self._counters.items() if numbers[-1] != self._windows[k[1]][-1].number(now)]:
            del self._counters[key]
