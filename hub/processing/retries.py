"""How often an event is tried, and when again: with growing pauses, and not forever."""

from __future__ import annotations

ATTEMPTS = 10
FIRST_RETRY_MS = 500
LAST_RETRY_MS = 300_000


def retry_at(attempts: int, now: int) -> int | None:
    """Return when an event that failed for the `attempts`th time is due again (ms UTC), None if it has failed."""
    return None if attempts >= ATTEMPTS else now + min(FIRST_RETRY_MS << (attempts - 1), LAST_RETRY_MS)
