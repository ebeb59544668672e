"""A clock that moves when told to."""

from __future__ import annotations

from attrs import define

NOON = 1_795_176_000_000
"""2026-11-20T12:00:00Z."""


@define
class FakeClock:
    """Call it for the time in milliseconds UTC, like any Clock; set `now` or `advance` to move it."""

    now: int = NOON

    def __call__(self) -> int:
        """Tell the time it stands at."""
        return self.now

    def advance(self, milliseconds: int) -> None:
        """Move it on."""
        self.now += milliseconds
