"""When to send a request again, and how long to wait before."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Retries:
    """How often a request is sent at most, and the pauses between, in seconds: they double, up to the longest."""

    attempts: int = 6
    first_pause: float = 0.5
    longest_pause: float = 30.0

    def pause(self, failed: int, retry_after: str | None) -> float:
        """Return the pause after so many failed attempts, at least what the hub asks for."""
        grown = min(self.longest_pause, self.first_pause * 2.0 ** (failed - 1)) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads clients, guards nothing
        asked = float(retry_after) if retry_after is not None and retry_after.isdigit() else 0.0
        return max(grown, asked)


def may_send_again(status: int | None, *, may_repeat: bool) -> bool:
    """Return whether an attempt may be followed by another; `status` is None if there was no answer.

    After 429 nothing was done. After anything else the request may have been taken, so only what may be repeated is.
    """
    if status == 429:
        return True
    return may_repeat and (status is None or status == 409 or status >= 500)
