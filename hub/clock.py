"""The one place that reads the time; everything else takes a Clock as an argument."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Returns the time in milliseconds UTC since 1970."""


def steady_clock() -> int:
    """Tell milliseconds since the machine was started, asleep or not: nobody can set this clock."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1_000_000


def system_clock() -> int:
    """Return the machine's time in milliseconds UTC since 1970."""
    return time.time_ns() // 1_000_000
