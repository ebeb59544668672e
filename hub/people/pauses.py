"""The pause after failed sign-ins, which grows with every failure of an address and of an account."""

from __future__ import annotations

from typing import Final

FREE: Final = 5
"""Failures before there is a pause at all."""
STRANGERS_MAILS: Final = 3
"""Mails to one address that strangers may cause until none has gone there for a day."""
FORGOTTEN_MS: Final = 86_400_000
ADDRESS_MOST_MS: Final = 15 * 60_000
ACCOUNT_MOST_MS: Final = 60_000
"""Short, because anybody may fail in another's name and must not keep them out."""


def pause_ms(failures: int, most_ms: int) -> int:
    """Return how long an origin waits after its last failure: nothing at first, then 1, 2, 4 ... seconds."""
    return 0 if failures < FREE else min(most_ms, 1000 * 2 ** min(failures - FREE, 30))


def waits_ms(failures: int, failed_at: int, now: int, most_ms: int) -> int:
    """Return how many milliseconds an origin still has to wait at `now`; times in ms UTC."""
    return max(0, failed_at + pause_ms(failures, most_ms) - now)


def failures_after(failures: int, failed_at: int, now: int) -> int:
    """Return the failures with one more at `now`; those of more than a day ago are forgotten."""
    return 1 if now - failed_at > FORGOTTEN_MS else failures + 1
