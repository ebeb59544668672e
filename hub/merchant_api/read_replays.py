"""Replay memory of reads: in this process, for as long as a signature is valid."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from hub.domain.signing import TOLERANCE_SECONDS

MOST_USES: Final = 500_000
"""Uses remembered at most; beyond it the oldest second is forgotten, because a replayed GET changes nothing."""


class ReadReplayGuard:
    """Remembers which key's signature was used for which path and query."""

    def __init__(self) -> None:
        self._uses_by_second: dict[int, set[int]] = {}
        self._uses = 0

    def __len__(self) -> int:
        """Return how many uses are remembered."""
        return self._uses

    def first_use(self, signed_at: int, use: Hashable, now_seconds: int) -> bool:
        """Remember a use (key, signature, path and query); return False if the same was remembered before.

        `signed_at` and `now_seconds` are Unix seconds.
        """
        uses = self._uses_by_second.get(signed_at)
        if uses is None:
            self._forget(now_seconds)
            uses = self._uses_by_second[signed_at] = set()
        digest = hash(use)  # 64 keyed bits of a value that only the key's owner can make
        if digest in uses:
            return False
        uses.add(digest)
        self._uses += 1
        return True

    def _forget(self, now_seconds: int) -> None:
        horizon = now_seconds - TOLERANCE_SECONDS
        for second in sorted(self._uses_by_second):
            if second >= horizon and self._uses < MOST_USES:
                break
            self._uses -= len(self._uses_by_second.pop(second))
