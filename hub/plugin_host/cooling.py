"""Which connectors are given nothing for a while, because what they did last cost others time."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import define, field

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 60.0


@define
class Cooling:
    """Pauses by name, each twice as long as the one before, until the name does well again."""

    _now: Callable[[], float] = monotonic
    _pauses: dict[str, tuple[float, float]] = field(init=False, factory=dict)

    def left(self, name: str) -> float:
        """Return how many seconds a name has yet to pause, 0 if none."""
        until, _ = self._pauses.get(name, (0.0, 0.0))
        return max(0.0, until - self._now())

    def cool(self, name: str) -> float:
        """Have a name pause; return for how many seconds."""
        _, before = self._pauses.get(name, (0.0, 0.0))
        pause = min(before * 2 or FIRST_SECONDS, LONGEST_SECONDS)
        self._pauses[name] = (self._now() + pause, pause)
        return pause

    def clear(self, name: str) -> None:
        """Forget a name's pauses: it did well."""
        self._pauses.pop(name, None)
