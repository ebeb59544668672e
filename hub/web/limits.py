"""Rate limits: requests counted per account and group of endpoints, in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hub.web.windows import HOUR_MS, MINUTE_MS, Allowance, Window, judge

KEPT = 20_000
"""Counters of accounts that fell silent are dropped once there are this many."""

Counts = list[int]


class Limits(Protocol):
    """Rate limits, wherever their counts are kept."""

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Counts one request at `now` (ms UTC) if it is granted; None where the group has no limit."""

    async def take_elsewhere(self, account_id: str, group: str, now: int, refusal: Allowance) -> Allowance:
        """The last word on a request that `take` refused: other processes may have left room."""


def windows_of(groups: Mapping[str, tuple[int, int]]) -> dict[str, tuple[Window, ...]]:
    """Each group's windows; `groups` names its limits per minute and per hour, 0 turns one off."""
    return {
        group: tuple(Window(length, limit) for length, limit in ((MINUTE_MS, minute), (HOUR_MS, hour)) if limit)
        for group, (minute, hour) in groups.items()
    }


class RateLimits:
    """Counts requests in fixed windows; a group without windows is not limited."""

    def __init__(self, groups: Mapping[str, tuple[int, int]]) -> None:
        """`groups` names each group's limits per minute and per hour; 0 turns one off."""
        self._windows = windows_of(groups)
        self._counters: dict[tuple[str, str], tuple[Counts, Counts]] = {}

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Counts one request at `now` (ms UTC) if it is granted; None where the group has no limit."""
        windows = self._windows[group]
        if not windows:
            return None
        numbers, used = self._counts(account_id, group, windows, now)
        current = [now // window.length_ms for window in windows]
        if numbers != current:
            used[:] = [count if number == was else 0 for count, number, was in zip(used, current, numbers, strict=True)]
            numbers[:] = current
        allowance = judge(windows, used, now)
        if allowance.granted:
            used[:] = [count + 1 for count in used]
        return allowance

    async def take_elsewhere(self, account_id: str, group: str, now: int, refusal: Allowance) -> Allowance:  # noqa: ARG002
        """The refusal: this process knows of every request."""
        return refusal

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
        silent = [
            key
            for key, (numbers, _) in self._counters.items()
            if numbers[-1] != now // self._windows[key[1]][-1].length_ms
        ]
        for key in silent:
            del self._counters[key]
