"""What a bounded run leaves for another day."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import pytest

WHOLE_SECONDS: Final = 30.0
"""With PROVE_SECONDS of at least this, its default, everything runs."""


def wait_for_turn(place: int, seconds: float, parts: int = 3) -> None:
    """Skip the test in a run bounded to fewer `seconds`, unless today is the turn of this place among others."""
    if seconds < WHOLE_SECONDS and (datetime.now(UTC).toordinal() + place) % parts:
        pytest.skip(f"its turn is on another day: in a bounded run one of {parts} is tried a day (PROVE_SECONDS=30)")
