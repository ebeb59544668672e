"""Replay memory of safe requests: in this process, for as long as a signature can be valid."""

from __future__ import annotations

from collections.abc import Hashable

from hub.domain.signing import TOLERANCE_SECONDS

KEPT = 500_000
"""Uses kept at most; beyond it the oldest second is forgotten, for a GET that is replayed changes nothing."""


class ReadReplayGuard:
    """Remembers which key's signature was used for which path and query."""

    def __init__(self) -> None:
        self._seconds: dict[int, set[int]] = {}
        self._kept = 0

    def first_use(self, signed_at: int, use: Hashable, now_seconds: int) -> bool:
        """Notes the use (key, signature, path and query); False where the same came before."""
        uses = self._seconds.get(signed_at)
        if uses is None:
            self._forget(now_seconds)
            uses = self._seconds[signed_at] = set()
        mark = hash(use)  # 64 keyed bits of a value only the key's owner can make
        if mark in uses:
            return False
        uses.add(mark)
        self._kept += 1
        return True

    def _forget(self, now_seconds: int) -> None:
        horizon = now_seconds - TOLERANCE_SECONDS
        for second in sorted(self._seconds):
            if second >= horizon and self._kept < KEPT:
                break
            self._kept -= len(self._seconds.pop(second))
