"""Lengths of time as a person writes them ("14d", "14 days", "500ms"), in milliseconds."""

from __future__ import annotations

import re
from typing import Final

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

_UNITS: Final = {"ms": 1, "s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}
_WORDS: Final = {"second": "s", "minute": "m", "hour": "h", "day": "d"}
_DURATION: Final = re.compile(r"([0-9]{1,12})(?:(ms|s|m|h|d)| (second|minute|hour|day)s?)")
# A hundred years: a moment plus any duration stays within what a calendar can show.
_LONGEST: Final = 36_500 * DAY


class DurationError(ValueError):
    """A text that is not a duration; the message completes a sentence that begins with the setting's name."""


def parse_duration(text: str) -> int:
    """Read "2s", "15m", "12h", "500ms" or "14 days" into milliseconds; raise DurationError for any other form."""
    match = _DURATION.fullmatch(text)
    length = int(match[1]) * _UNITS[match[2] or _WORDS[match[3]]] if match else _LONGEST + 1
    if length > _LONGEST:
        raise DurationError('must be a duration of at most 36500d, such as "500ms", "2s", "15m", "12h" or "14d"')
    return length


def duration_text(milliseconds: int) -> str:
    """Return milliseconds in the largest unit that they are a whole number of: "14d", "1500ms"."""
    for unit, size in reversed(_UNITS.items()):
        if milliseconds >= size and milliseconds % size == 0:
            return f"{milliseconds // size}{unit}"
    return f"{milliseconds}ms"
