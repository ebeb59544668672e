"""Ids that name their kind and sort by the time they were made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from uuid_utils import UUID, uuid7

NANOSECONDS = 1_000_000
"""Of a millisecond."""

_make: Callable[[], UUID] = uuid7


def new_id(prefix: str) -> str:
    """Return an id: the prefix ("evt"), "_" and a uuid7 as 32 hex digits; the ids of one process ascend."""
    return f"{prefix}_{_make().hex}"


def new_ids(prefix: str, other: str) -> tuple[str, str]:
    """Return the ids of two things of different kinds that are made together: their digits are the same."""
    digits = _make().hex
    return f"{prefix}_{digits}", f"{other}_{digits}"


@contextmanager
def made_by(make: Callable[[], UUID]) -> Iterator[None]:
    """Have the process make its ids by another function than uuid7 while the block lasts."""
    global _make  # noqa: PLW0603 - ids have no owner to hold this: whatever makes one meanwhile makes it so
    before, _make = _make, make
    try:
        yield
    finally:
        _make = before


@contextmanager
def made_at(clock: Callable[[], int]) -> Iterator[None]:
    """Have the process make ids at the moments of a clock (ms UTC), which may stand still, while the block lasts.

    Lists find what came in at some time by its ids, so a past that is played needs ids of that past. Each is at least
    a millisecond later than the one before, so that they ascend.
    """
    last = 0

    def make() -> UUID:
        nonlocal last
        last = max(clock(), last + 1)
        return uuid7(nanoseconds=last * NANOSECONDS)

    with made_by(make):
        yield


def id_at(prefix: str, milliseconds: int) -> str:
    """Return a lower bound of the ids made at or after a moment (ms UTC); ids sort by time."""
    return f"{prefix}_{max(milliseconds, 0):012x}"


def moment_of(made: str) -> int:
    """Return when an id was made (ms UTC)."""
    return int(made.partition("_")[2][:12], 16)
