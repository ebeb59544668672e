"""Token buckets by name, for limits on what strangers have recorded: clicks, rows of the request log."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from attrs import define, field

MOST_BUCKETS: Final = 50_000


@define(eq=False)
class TokenBuckets:
    """Buckets of `burst` tokens that refill at `rate` tokens a second; a rate of 0 turns the limit off.

    A bucket is kept as the time at which it will be full again (the generic cell rate algorithm), so a full one need
    not be kept at all.
    """

    rate: float
    burst: int
    now: Callable[[], float] = monotonic
    _full_at: dict[str, float] = field(init=False, factory=dict)

    def wait(self, name: str, tokens: int = 1) -> float:
        """Return after how many seconds so many tokens are in the bucket of this name; 0 if they are there now."""
        if not self.rate:
            return 0
        now = self.now()
        return max(0.0, max(self._full_at.get(name, now), now) + (tokens - self.burst) / self.rate - now)

    def take(self, name: str, tokens: int = 1) -> bool:
        """Take tokens from the bucket of this name and return True, or return False if it has fewer."""
        if not self.rate:
            return True
        now = self.now()
        full_at = max(self._full_at.get(name, now), now) + tokens / self.rate
        if full_at - now > self.burst / self.rate:
            return False
        if len(self._full_at) >= MOST_BUCKETS and name not in self._full_at:
            self._drop(now)
        self._full_at[name] = full_at
        return True

    def __len__(self) -> int:
        """Return how many buckets are not full."""
        return len(self._full_at)

    def _drop(self, now: float) -> None:
        """Drop the buckets that are full again; if all are in use, the older half."""
        self._full_at = {name: full_at for name, full_at in self._full_at.items() if full_at > now}
        if len(self._full_at) >= MOST_BUCKETS:
            self._full_at = dict(list(self._full_at.items())[MOST_BUCKETS // 2 :])
