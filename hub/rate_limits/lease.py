"""Leases of rate limit tokens: what a process holds of an account's windows, asks for and gives back. Pure values."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, frozen

from hub.rate_limits.local import HOUR_MS, MINUTE_MS, Window
from hub.storage import Row

COLUMNS = {MINUTE_MS: "minute_used", HOUR_MS: "hour_used"}
"""The column of the table that counts windows of this length."""

Key = tuple[str, str]
"""(account id, group)"""


@define(eq=False)
class Lease:
    """What this process holds and knows of an account in a group; each list has an entry for each window."""

    numbers: list[int]
    """The numbers of the windows."""
    taken: list[int]
    """The tokens that all processes had taken when the table last answered."""
    orphaned: list[int]
    """Tokens of this process that count in one window alone, because another rolled over before they were spent."""
    tokens: int = 0
    """Tokens of every window that this process may still spend."""
    last_request_at: int = 0
    exhausted_until: int = 0
    """Until when (ms UTC) requests are refused without asking the table."""

    @classmethod
    def empty(cls, numbers: list[int]) -> Lease:
        """Return a lease without tokens, of windows that nothing is known of."""
        return cls(numbers, [0] * len(numbers), [0] * len(numbers))

    @property
    def consumed(self) -> list[int]:
        """What is used up of each window once every token is spent."""
        return [taken - orphaned for taken, orphaned in zip(self.taken, self.orphaned, strict=True)]

    @property
    def holds_any(self) -> bool:
        """Whether there is something to give back."""
        return self.tokens > 0 or any(self.orphaned)

    def roll_over(self, numbers: list[int]) -> None:
        """Begin the windows that are new; a request that was received just before them counts in them."""
        before = self.numbers
        moved = [new if old not in (new, new + 1) else old for old, new in zip(before, numbers, strict=True)]
        if moved != before:
            same = [new == old for old, new in zip(before, moved, strict=True)]
            self.taken = [taken * is_same for taken, is_same in zip(self.taken, same, strict=True)]
            self.orphaned = [(n + self.tokens) * is_same for n, is_same in zip(self.orphaned, same, strict=True)]
            self.numbers, self.tokens, self.exhausted_until = moved, 0, 0

    def add(self, granted: int, taken: list[int], numbers: list[int]) -> None:
        """Add `granted` tokens of the windows of these numbers, some of which may have rolled over since."""
        same = [number == asked for number, asked in zip(self.numbers, numbers, strict=True)]
        self.taken = [new if is_same else old for old, new, is_same in zip(self.taken, taken, same, strict=True)]
        if all(same):
            self.tokens += granted
        else:
            self.orphaned = [n + granted * is_same for n, is_same in zip(self.orphaned, same, strict=True)]

    def release_orphaned(self) -> list[int]:
        """Return the orphaned tokens of each window, which are no longer held."""
        orphaned, self.orphaned = self.orphaned, [0] * len(self.orphaned)
        return orphaned

    def release(self) -> list[int]:
        """Return all tokens of each window, which are no longer held."""
        tokens, self.tokens = self.tokens, 0
        return [tokens + orphaned for orphaned in self.release_orphaned()]


@frozen
class LeaseRequest:
    """How many tokens of every window a process wants, and how many it gives back of each."""

    key: Key
    windows: tuple[Window, ...]
    numbers: list[int]
    wanted: int
    returned: list[int]

    def grant(self, taken: list[int]) -> tuple[int, list[int]]:
        """Return the tokens granted, and what is then taken of each window, of which `taken` was taken before."""
        kept = [max(0, count - back) for count, back in zip(taken, self.returned, strict=True)]
        room = min(window.limit - count for window, count in zip(self.windows, kept, strict=True))
        granted = max(0, min(self.wanted, room))
        return granted, [count + granted for count in kept]

    def opening_row(self) -> tuple[str, str, int, int]:
        """Return the row of `open_limit_counts`: when the windows end (ms UTC).

        A window without a limit ends with the other one, and is not counted.
        """
        ends = {w.length_ms: (number + 1) * w.length_ms for w, number in zip(self.windows, self.numbers, strict=True)}
        last = max(ends.values())
        return (*self.key, ends.get(MINUTE_MS, last), ends.get(HOUR_MS, last))

    def taken_in(self, row: Row) -> list[int]:
        """Return what the table's row says is taken of each window."""
        return [row[COLUMNS[window.length_ms]] for window in self.windows]

    def counted_row(self, taken: Sequence[int], row: Row) -> tuple[str, str, int, int]:
        """Return the row of `write_limit_counts`; a window without a limit keeps the count of `row`."""
        counts = {window.length_ms: count for window, count in zip(self.windows, taken, strict=True)}
        return (*self.key, *(counts.get(length, row[column]) for length, column in COLUMNS.items()))
