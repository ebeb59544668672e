"""Moments in time: milliseconds UTC inside the hub, RFC 3339 text outside."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache


def parse_instant(text: str) -> int:
    """Read an RFC 3339 date-time into milliseconds UTC; raise ValueError if it is not one or has no offset."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a date-time without an offset")
    return round(moment.timestamp() * 1000)


@lru_cache(maxsize=4_096)
def format_instant(milliseconds: int) -> str:
    """Write milliseconds UTC as RFC 3339 with milliseconds: 2026-11-20T10:00:00.000Z.

    The same moment stands in a record several times, and in all that was written together.
    """
    seconds, rest = divmod(milliseconds, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{rest:03d}Z"


def instant_or_none(milliseconds: int | None) -> str | None:
    """Write milliseconds UTC as `format_instant` does, and None as None."""
    return None if milliseconds is None else format_instant(milliseconds)
