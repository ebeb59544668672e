"""Money: what is read, what is refused, and the one rounding rule."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import iso4217
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.money import (
    CURRENCIES,
    MoneyError,
    format_money,
    minor_digits,
    money_shown,
    parse_money,
    parse_percentage,
    read_money,
    round_half_up,
    scaled_percentage,
    to_minor,
)

currencies = st.sampled_from(sorted(CURRENCIES))


def test_the_currency_table_is_the_active_part_of_iso_4217_that_has_a_minor_unit() -> None:
    assert dict(CURRENCIES) == {c.code: c.exponent for c in iso4217.Currency if c.exponent is not None}


def test_currencies_that_platforms_have_and_iso_has_not() -> None:
    """WooCommerce offers each of them, and orders in them count."""
    for code in ["ANG", "BGN", "BTC", "BYR", "CUC", "GGP", "HRK", "IMP", "IRT", "JEP", "PRB", "SLL", "VEF"]:
        assert minor_digits(code) in {0, 2, 8}, code


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("49.90", "USD", 4990),
        ("49.9", "USD", 4990),
        ("49", "USD", 4900),
        ("0", "USD", 0),
        ("0.01", "USD", 1),
        ("007.5", "USD", 750),
        ("999999999999.99", "USD", 99999999999999),
        ("500", "JPY", 500),
        ("1.234", "KWD", 1234),
        ("1.2", "KWD", 1200),
        ("0.0001", "CLF", 1),
    ],
)
def test_an_amount_is_read_into_minor_units(text: str, currency: str, minor: int) -> None:
    assert parse_money(text, currency) == minor


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("", "USD"),
        (".5", "USD"),
        ("5.", "USD"),
        ("49.999", "USD"),
        ("-1", "USD"),
        ("+1", "USD"),
        (" 1", "USD"),
        ("1\n", "USD"),
        ("1e3", "USD"),
        ("1,50", "USD"),
        ("1_000", "USD"),
        ("0x10", "USD"),
        ("NaN", "USD"),
        ("Infinity", "USD"),
        ("\u0664\u0669", "USD"),
        ("\uff14\uff19", "USD"),
        ("1000000000000", "USD"),
        ("500.0", "JPY"),
        ("500.", "JPY"),
        ("1.2345", "KWD"),
    ],
)
def test_any_other_form_of_an_amount_is_refused(text: str, currency: str) -> None:
    with pytest.raises(MoneyError, match=f"^must be an amount such as .* for {currency}$"):
        parse_money(text, currency)


def test_the_refusal_says_what_would_be_right_in_that_currency() -> None:
    with pytest.raises(MoneyError) as fault:
        parse_money("1.5", "JPY")
    assert str(fault.value) == 'must be an amount such as "49": up to 12 digits and no decimals for JPY'


@pytest.mark.parametrize("code", ["usd", "US", "", "ZZZ", "XXX", "XAU", "USD ", "DEM", "\uff35\uff33\uff24"])
def test_what_is_no_currency_with_a_minor_unit_is_refused(code: str) -> None:
    with pytest.raises(MoneyError, match="ISO 4217"):
        minor_digits(code)


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (4990, "USD", "49.90"),
        (5, "USD", "0.05"),
        (0, "USD", "0.00"),
        (-5, "USD", "-0.05"),
        (-4990, "USD", "-49.90"),
        (500, "JPY", "500"),
        (-500, "JPY", "-500"),
        (1234, "KWD", "1.234"),
        (10**15, "USD", "10000000000000.00"),
    ],
)
def test_minor_units_are_written_with_all_digits_of_their_currency(minor: int, currency: str, text: str) -> None:
    assert format_money(minor, currency) == text


@given(st.integers(0, 10**12 - 1), currencies)
def test_what_was_written_is_read_back(minor: int, currency: str) -> None:
    text = format_money(minor, currency)
    assert parse_money(text, currency) == read_money(text) == minor


@given(st.integers(-(10**25), 10**25), currencies)
def test_stored_money_of_any_size_and_sign_is_read_back(minor: int, currency: str) -> None:
    assert read_money(format_money(minor, currency)) == minor


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [
        ("49.90", "USD", 4990),
        ("0.005", "USD", 1),
        ("0.0049999999999999999999999999999999", "USD", 0),
        ("-0.005", "USD", -1),
        ("1.005", "USD", 101),
        ("0.5", "JPY", 1),
        ("1.0005", "KWD", 1001),
        ("4.99E+1", "USD", 4990),
        ("1E-999999", "USD", 0),
        ("0E+999999", "USD", 0),
    ],
)
def test_a_connectors_decimal_is_rounded_half_up(amount: str, currency: str, minor: int) -> None:
    assert to_minor(Decimal(amount), currency) == minor


@pytest.mark.parametrize("amount", ["NaN", "sNaN", "Infinity", "-Infinity", "1E+12", "1E+999999", "1000000000000"])
def test_a_decimal_that_is_no_amount_is_refused(amount: str) -> None:
    with pytest.raises(MoneyError):
        to_minor(Decimal(amount), "USD")


@given(st.decimals(-(10**11), 10**11, allow_nan=False, allow_infinity=False), currencies)
def test_both_ways_of_rounding_are_the_same_rule(amount: Decimal, currency: str) -> None:
    assert to_minor(amount, currency) == round_half_up(Fraction(amount) * 10 ** minor_digits(currency))


@pytest.mark.parametrize(
    ("value", "rounded"),
    [("1/2", 1), ("3/2", 2), ("5/2", 3), ("-1/2", -1), ("49/100", 0), ("-49/100", 0), ("1/3", 0), ("2/3", 1), ("7", 7)],
)
def test_halves_are_rounded_away_from_zero(value: str, rounded: int) -> None:
    assert round_half_up(Fraction(value)) == rounded


@given(st.fractions())
def test_rounding_is_never_off_by_more_than_a_half(value: Fraction) -> None:
    assert abs(round_half_up(value) - value) <= Fraction(1, 2)


def test_control_the_builtin_round_breaks_the_rule() -> None:
    assert (round(Fraction(1, 2)), round_half_up(Fraction(1, 2))) == (0, 1)


@pytest.mark.parametrize(
    ("text", "scaled"),
    [("0", 0), ("5", 50_000), ("8.25", 82_500), ("12.3456", 123_456), ("100", 1_000_000), ("100.0000", 1_000_000)],
)
def test_a_percentage_has_up_to_four_decimals(text: str, scaled: int) -> None:
    assert scaled_percentage(text) == scaled
    assert parse_percentage(text) == Fraction(scaled, 10_000) == Fraction(text)


@pytest.mark.parametrize(
    "text", ["", "100.0001", "101", "-1", "5%", "1.23456", ".5", "5.", "1e1", " 5", "5\n", "\u0665"]
)
def test_any_other_percentage_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match=r'^must be a percentage from "0" to "100" with at most 4 decimals$'):
        parse_percentage(text)


@pytest.mark.parametrize(
    ("currency", "rule"),
    [("USD", '"49.90": up to 12 digits and at most 2 decimals for USD'),
     ("JPY", '"49": up to 12 digits and no decimals for JPY'),
     ("KWD", '"49.900": up to 12 digits and at most 3 decimals for KWD')],
)  # fmt: skip
def test_a_refusal_shows_an_amount_of_the_currency(currency: str, rule: str) -> None:
    with pytest.raises(MoneyError) as refused:
        parse_money("x", currency)
    assert str(refused.value) == f"must be an amount such as {rule}"


def test_what_is_kept_in_64_bits_is_the_largest_amount() -> None:
    """Twelve digits before the point are too many for a currency with eight behind it."""
    most = Decimal("9999999999.99999999")
    assert to_minor(most, "BTC") == -to_minor(-most, "BTC") == 10**18 - 1
    for amount in (Decimal("1e10"), Decimal("-1e10")):
        with pytest.raises(MoneyError, match="must be less than 10,000,000,000 BTC"):
            to_minor(amount, "BTC")


def test_a_proof_shows_an_amount_of_a_currency_that_there_is_not() -> None:
    assert money_shown(4990, "USD") == "49.90"
    assert money_shown(4990, "XXX") == "4990 (minor units)"
