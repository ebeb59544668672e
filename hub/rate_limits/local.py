"""Rate limits: requests counted per account and group of endpoints, in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import define

from hub.rate_limits.windows import HOUR_MS, MINUTE_MS, Allowance, Window, judge, numbers_of

KEPT = 20_000
"""Counters of accounts that fell silent are dropped once there are this many."""


@define(eq=False)
class Counter:
    """What an account used of each window, by the windows' numbers; the first is the shortest."""

    numbers: list[int]
    used: list[int]

    def move_to(self, windows: Sequence[Window], now: int) -> None:
        """Goes on in the windows of `now` (ms UTC); what was used in those that are over is forgotten."""
        current = numbers_of(windows, now)
        self.used = [used * (number == was) for used, number, was in zip(self.used, current, self.numbers, strict=True)]
        self.numbers = current


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
        self._counters: dict[tuple[str, str], Counter] = {}

    def take(self, account_id: str, group: str, now: int) -> Allowance | None:
        """Counts one request at `now` (ms UTC) if it is granted; None where the group has no limit."""
        windows = self._windows[group]
        if not windows:
            return None
        counter = self._counters.get((account_id, group)) or self._begin(account_id, group, windows, now)
        if now // windows[0].length_ms != counter.numbers[0]:  # while the shortest lasts, none of them ends
            counter.move_to(windows, now)
        used = counter.used
        allowance = judge(windows, used, now)
        if allowance.granted:
            for place, count in enumerate(used):
                used[place] = count + 1
        return allowance

    async def take_elsewhere(self, account_id: str, group: str, now: int, refusal: Allowance) -> Allowance:  # noqa: ARG002 - the protocol's signature
        """The refusal: this process knows of every request."""
        return refusal

    def _begin(self, account_id: str, group: str, windows: tuple[Window, ...], now: int) -> Counter:
        if len(self._counters) >= KEPT:
            self._forget_silent(now)
        counter = self._counters[account_id, group] = Counter([0] * len(windows), [0] * len(windows))
        return counter

    def _forget_silent(self, now: int) -> None:
        """The last window is the longest: a counter outside it counts nothing any more."""
        silent = [
            key
            for key, counter in self._counters.items()
            if counter.numbers[-1] != now // self._windows[key[1]][-1].length_ms
        ]
        for key in silent:
            del self._counters[key]
