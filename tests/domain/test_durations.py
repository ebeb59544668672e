"""Durations as a person writes them."""

from __future__ import annotations

import pytest

from hub.domain.durations import DAY, DurationError, parse_duration


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("500ms", 500),
        ("2s", 2_000),
        ("15m", 900_000),
        ("12h", 43_200_000),
        ("14d", 14 * DAY),
        ("0s", 0),
        ("36500d", 36_500 * DAY),
    ],
)
def test_a_duration_is_a_whole_number_and_a_unit(text: str, length: int) -> None:
    assert parse_duration(text) == length


@pytest.mark.parametrize(
    "text", ["", "14", "d", "1.5h", "-1d", "14 d", "14D", "2w", "1h30m", "36501d", "14d\n", "\u0661d"]
)
def test_any_other_form_is_refused_with_examples(text: str) -> None:
    with pytest.raises(DurationError, match='such as "500ms", "2s", "15m", "12h" or "14d"'):
        parse_duration(text)
