"""The one place that reads the time; everything else takes a Clock as an argument."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Returns the time in milliseconds UTC since 1970."""


def system_clock() -> int:
    """Return the machine's time in milliseconds UTC since 1970."""
    return time.time_ns() // 1_000_000
