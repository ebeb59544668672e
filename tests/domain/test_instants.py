"""Moments in time: text outside, milliseconds inside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.instants import format_instant, instant_or_none, parse_instant
from hub.ids import id_at, new_id


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-20T10:00:00.123Z", 1_795_168_800_123),
        ("2026-11-20T12:30:00.123+02:30", 1_795_168_800_123),
        ("2026-11-20T05:00:00-05:00", 1_795_168_800_000),
    ],
)
def test_a_date_time_with_an_offset_is_one_moment(text: str, milliseconds: int) -> None:
    assert parse_instant(text) == milliseconds


@pytest.mark.parametrize("text", ["", "2026-11-20", "2026-11-20T10:00:00", "2026-13-20T10:00:00Z", "yesterday"])
def test_what_names_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse_instant(text)


@given(st.integers(0, 253_402_300_799_999))
def test_what_was_written_is_read_back(milliseconds: int) -> None:
    assert parse_instant(format_instant(milliseconds)) == milliseconds


def test_a_moment_is_written_in_utc_with_milliseconds() -> None:
    assert format_instant(1_795_168_800_005) == instant_or_none(1_795_168_800_005) == "2026-11-20T10:00:00.005Z"
    assert instant_or_none(None) is None


def test_the_least_id_of_a_moment_bounds_those_made_then() -> None:
    made = new_id("evt")
    at = int(made[4:16], 16)
    assert id_at("evt", at) <= made < id_at("evt", at + 1)
    assert id_at("evt", -1) == "evt_000000000000"
