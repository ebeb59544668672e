"""Readers of single values: what is not stated is None, what cannot be meant is refused, nothing is guessed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.connectors.body_values import (
    as_currency,
    as_id,
    as_moment,
    as_money,
    as_number,
    as_quantity,
    as_record,
    as_records,
    as_text,
    id_or_none,
)
from hub.domain.connectors.connector import Unmappable

NOON = 1_772_366_400_000
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("a-1", "a-1"), (" 7 ", "7"), (7, "7"), (2**63 - 1, str(2**63 - 1)), ("007", "007"),
        (0, None), ("0", None), ("", None), (True, None), (-1, None), (2**63, None), (1.5, None), (None, None),
        ("x" * 256, None), ("a\0", None),
    ],
)  # fmt: skip
def test_ids(value: Any, found: str | None) -> None:
    assert id_or_none(value) == found
    if found is None:
        with pytest.raises(Unmappable, match="the order has no id"):
            as_id(value, "the order")


@pytest.mark.parametrize(
    ("value", "amount"),
    [("49.90", "49.90"), (" 5 ", "5"), (".5", "0.5"), (7, "7"), (Decimal("1E-7"), "1E-7"), (None, None), ("", None)],
)
def test_money(value: Any, amount: str | None) -> None:
    assert as_money(value, "total") == (None if amount is None else Decimal(amount))


@pytest.mark.parametrize("value", ["forty", "1,50", "1e3", "-1", "1" * 13, True, [], 1.5, Decimal("1E+400"), "٣"])
def test_what_is_no_money(value: Any) -> None:
    with pytest.raises(Unmappable, match="`total` is no amount of money"):
        as_money(value, "total")


def test_signed_money() -> None:
    assert as_money("-1.50", "total", signed=True) == Decimal("-1.50")


@pytest.mark.parametrize(
    ("value", "how", "moment"),
    [
        ("2026-03-01T12:00:00Z", {}, NOON),
        ("2026-03-01 14:00:00+02:00", {}, NOON),
        ("2026-03-01T12:00:00", {"utc": True}, NOON),
        ("0000-00-00 00:00:00", {}, None),
        (None, {}, None),
        ("soon", {"lenient": True}, None),
        (12, {"lenient": True}, None),
    ],
)
def test_moments(value: Any, how: dict[str, bool], moment: int | None) -> None:
    assert as_moment(value, "paid_at", **how) == moment


@pytest.mark.parametrize("value", ["2026-03-01T12:00:00", "soon", 1_772_366_400, "1969-01-01T00:00:00Z", []])
def test_what_is_no_moment(value: Any) -> None:
    """A time without an offset is nobody's guess, and a number has no unit."""
    with pytest.raises(Unmappable, match="`paid_at` is no date-time"):
        as_moment(value, "paid_at")


def test_quantities_and_currencies() -> None:
    assert [as_quantity(each, 1) for each in (None, 0, 3)] == [1, 0, 3]
    assert [as_currency(each) for each in (None, "", " eur ")] == [None, None, "EUR"]
    for wrong in (-1, 10**9 + 1, True, "3", 1.5):
        with pytest.raises(Unmappable, match="whole number of pieces"):
            as_quantity(wrong, 1)
    with pytest.raises(Unmappable, match="ISO 4217"):
        as_currency("Euro")


@given(anything)
def test_nothing_but_a_refusal_is_ever_raised(value: Any) -> None:
    for read in (
        lambda: as_id(value, "x"), lambda: as_money(value, "x"), lambda: as_quantity(value, 1),
        lambda: as_moment(value, "x"), lambda: as_moment(value, "x", utc=True, lenient=True),
        lambda: as_currency(value), lambda: as_text(value), lambda: as_number(value), lambda: as_record(value),
        lambda: as_records(value),
    ):  # fmt: skip
        try:
            read()
        except Unmappable:
            continue
