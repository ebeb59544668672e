"""The rules of exchange: what is a rate, and that its parts always add up to the whole."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.books.exchange import Exchange, Sent, exchanged, exchanged_shares, read_rates, sent_as, through_exchange
from hub.domain.books.ledger import Movement
from hub.domain.money import minor_digits

CODES = st.sampled_from(["JPY", "USD", "EUR", "KWD", "CLF", "IDR"])
RATES = st.one_of(
    st.decimals("0.0000000001", "999999999", places=10).map(lambda rate: f"{rate:f}"),
    st.sampled_from(["1", "0.5", "0.005", "16321.5", "0.0062"]),
)
AMOUNTS = st.integers(-(10**12), 10**12)


@pytest.mark.parametrize(
    ("minor", "base", "quote", "rate", "sent"),
    [
        (1_000, "USD", "EUR", "0.9231", 923),
        (1_005, "USD", "EUR", "0.5", 503),  # halves up, as everything
        (-1_005, "USD", "EUR", "0.5", -503),
        (1_000, "EUR", "JPY", "161.25", 1_613),
        (161, "JPY", "EUR", "0.0062", 100),
        (1_000, "USD", "KWD", "0.3071", 3_071),
        (1, "IDR", "EUR", "0.000057", 0),
    ],
)  # fmt: skip
def test_an_amount_is_exchanged_as_a_whole_and_rounded_once(
    minor: int, base: str, quote: str, rate: str, sent: int
) -> None:
    assert exchanged(minor, base, quote, rate) == sent


@given(st.lists(AMOUNTS, min_size=1, max_size=8), CODES, CODES, RATES)
def test_nothing_is_lost_and_no_minor_unit_is_made(shares: list[int], base: str, quote: str, rate: str) -> None:
    """The parts add up to the whole; the whole is at most half a minor unit off; no part is of the other sign."""
    whole, parts = exchanged(sum(shares), base, quote, rate), exchanged_shares(shares, base, quote, rate)
    assert sum(parts) == whole
    exact = sum(shares) * Fraction(rate) * Fraction(10) ** (minor_digits(quote) - minor_digits(base))
    assert abs(whole - exact) <= Fraction(1, 2)
    assert all(share * part >= 0 for share, part in zip(shares, parts, strict=True))
    assert exchanged(-sum(shares), base, quote, rate) == -whole


def test_the_control_rounds_each_part_and_makes_a_cent() -> None:
    """What the differences of sums are for: three halves of a cent, rounded one by one, are three cents and not two."""
    one_by_one = [exchanged(1, "USD", "EUR", "0.5") for _ in range(3)]
    assert sum(one_by_one) == 3
    assert exchanged_shares([1, 1, 1], "USD", "EUR", "0.5") == [1, 0, 1]
    assert exchanged(3, "USD", "EUR", "0.5") == 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("USD:EUR:0.9231", [("USD", "EUR", "0.9231")]),
        (" usd:eur:01.50 ,\n EUR:USD:2.0", [("EUR", "USD", "2"), ("USD", "EUR", "1.5")]),
        ("USD:JPY:100", [("USD", "JPY", "100")]),
    ],
)  # fmt: skip
def test_rates_are_read(text: str, found: list[tuple[str, str, str]]) -> None:
    assert read_rates(text) == found


@pytest.mark.parametrize(
    "text",
    ["", "USD", "USD:EUR", "USD:EUR:", "USD:USD:1", "USD:XXX:1", "USD:EUR:0", "USD:EUR:0.00", "USD:EUR:-1",
     "USD:EUR:1,5", "USD:EUR:1e3", "USD:EUR:0.00000000001", "USD:EUR:1000000000", "USD:EUR:1,USD:EUR:2",
     ",".join(f"{a}{b}D:EUR:1" for a in "AB" for b in "AB")],
)  # fmt: skip
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="rate"):
        read_rates(text)


def test_what_is_sent_follows_the_rate_in_force() -> None:
    rate = Exchange("exr_1", "USD", "EUR", "0.9")
    assert sent_as(1_000, "USD", "", {}) == Sent("USD", 1_000)
    assert sent_as(1_000, "USD", "USD", {}) == Sent("USD", 1_000)
    assert sent_as(1_000, "USD", "EUR", {("USD", "EUR"): rate}) == Sent("EUR", 900, rate)
    assert sent_as(1_000, "EUR", "USD", {("USD", "EUR"): rate}) == Sent("EUR", 1_000, no_rate=True)


def test_a_movement_at_the_bank_goes_by_way_of_exchange() -> None:
    """Out and back, the two make nothing of each currency."""
    out = Movement("settled", "payout", "bank", 1_000, "USD", "aff_1", None, None, None, "pay_1")
    back = out._replace(kind="returned", debit="bank", credit="adjustments")
    there = [(leg.debit, leg.credit, leg.amount_minor, leg.currency) for leg in through_exchange(out, 923, "EUR")]
    assert there == [("payout", "exchange", 1_000, "USD"), ("exchange", "bank", 923, "EUR")]
    again = [(leg.debit, leg.credit, leg.amount_minor, leg.currency) for leg in through_exchange(back, 923, "EUR")]
    assert again == [("exchange", "adjustments", 1_000, "USD"), ("bank", "exchange", 923, "EUR")]
    assert len(through_exchange(out, 0, "EUR")) == 1
