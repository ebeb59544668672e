"""What a bounded run leaves for another commit, and the day whose seeds are lived."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

import pytest

from tests.sampled import has_turn
from tests.within import commit_of

ROOT: Final = Path(__file__).parents[2]
DAY_OF_CI: Final = 20_785
WHOLE_SECONDS: Final = 30.0
"""With PROVE_SECONDS of at least this, its default, everything runs."""


def wait_for_turn(place: int, seconds: float, parts: int = 3) -> None:
    """Skip the test in a run bounded to fewer `seconds`, unless this commit is the turn of its place among others."""
    if seconds < WHOLE_SECONDS and not has_turn(place, parts, commit_of(ROOT)):
        pytest.skip(f"its turn is at another commit: in a bounded run one of {parts} is tried (PROVE_SECONDS=30)")


def day() -> int:
    """Return a number that is another one each day, and so are the seeds made of it.

    On CI it is the same each time, as the examples of properties are: what a commit is judged by says nothing of when.
    """
    return DAY_OF_CI if os.environ.get("CI") else int(time.time() // 86_400)
