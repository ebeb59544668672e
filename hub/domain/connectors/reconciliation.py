"""When a platform is asked: nightly, spread over connections, and again after failures."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

SECOND_MS: Final = 1_000
MINUTE_MS: Final = 60 * SECOND_MS
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS
NIGHT_BEGINS_MS: Final = HOUR_MS
"""The first reconciliation of a night begins at 01:00 UTC, the last five hours later."""
NIGHT_MS: Final = 5 * HOUR_MS
OVERLAP_MS: Final = HOUR_MS
"""An hour more than is needed is read, for shops whose clock is behind."""
BACKFILL_DAYS: Final = 90
LONGEST_DAYS: Final = 730
READ_PAUSES: Final = (
    MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS,
)  # fmt: skip
"""How long a reading waits after each failure in a row; then it ends, and the next night begins where it began."""
FETCH_PAUSES: Final = (
    5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS,
    12 * HOUR_MS, DAY_MS, DAY_MS,
)  # fmt: skip
"""How long a single order waits to be fetched after each failure: three days in all, then it is given up."""


def next_night(now: int, connection_id: str) -> int:
    """Return when a connection is reconciled next (ms UTC): each at a time of night of its own, always the same."""
    spread = int.from_bytes(sha256(connection_id.encode()).digest()[:4], "big") % NIGHT_MS
    tonight = now - now % DAY_MS + NIGHT_BEGINS_MS + spread
    return tonight if tonight > now else tonight + DAY_MS


def read_again(attempts: int, now: int) -> int | None:
    """Return when a reading goes on after its `attempts`th failure in a row (ms UTC), None if it ends."""
    return None if attempts > len(READ_PAUSES) else now + READ_PAUSES[attempts - 1]


def fetch_again(attempts: int, now: int) -> int | None:
    """Return when something is fetched again after its `attempts`th failure (ms UTC), None if it is given up."""
    return None if attempts > len(FETCH_PAUSES) else now + FETCH_PAUSES[attempts - 1]
