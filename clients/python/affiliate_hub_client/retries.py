"""When to send a request again, and how long to wait before."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Retries:
    """How often a request is sent at most, and the pauses between, in seconds: they double, up to the longest.

    A pause that the hub asks for is heeded up to the longest; a longer one is the caller's to wait for: the call ends
    with the hub's answer, whose `retry_after` says how long. `deadline` bounds all attempts and pauses together.
    """

    attempts: int = 6
    first_pause: float = 0.5
    longest_pause: float = 30.0
    deadline: float | None = None

    def pause(self, failed: int, asked: float, elapsed: float) -> float | None:
        """Return the pause after so many failed attempts, at least what the hub asks for; None if that is too long."""
        grown = min(self.longest_pause, self.first_pause * 2.0 ** (failed - 1)) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads clients, guards nothing
        pause = max(grown, asked)
        too_late = self.deadline is not None and elapsed + pause > self.deadline
        return None if asked > self.longest_pause or too_late else pause


def seconds_asked(retry_after: str | None) -> float:
    """Return the seconds of a `Retry-After`, 0 without one."""
    return float(retry_after) if retry_after is not None and retry_after.isdecimal() and retry_after.isascii() else 0.0


def may_send_again(status: int | None, *, may_repeat: bool) -> bool:
    """Return whether an attempt may be followed by another; `status` is None if there was no answer.

    After 429 nothing was done. After anything else the request may have been taken, so only what may be repeated is.
    """
    if status == 429:
        return True
    return may_repeat and (status is None or status == 409 or status >= 500)
