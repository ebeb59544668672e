"""The one place that reads the time; everything else is handed a Clock."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Tells the time in milliseconds UTC since 1970."""


def system_clock() -> int:
    """Tell the machine's time in milliseconds UTC."""
    return time.time_ns() // 1_000_000
