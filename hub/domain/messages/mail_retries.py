"""When a mail that could not be sent is tried again, and when it is given up."""

from __future__ import annotations

from typing import Final

FIRST_PAUSE_MS: Final = 15_000
LONGEST_PAUSE_MS: Final = 3_600_000


def next_attempt(attempts: int, created_at: int, now: int, given_up_after_ms: int) -> int | None:
    """Return when a mail is due again after its `attempts`th failure, None if it is given up; times in ms UTC.

    The pauses are 15 seconds, 30, 60 and so on up to an hour, the last attempt at the end of the mail's time.
    """
    end = created_at + given_up_after_ms
    if now >= end:
        return None
    return min(end, now + min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << min(attempts - 1, 20)))
