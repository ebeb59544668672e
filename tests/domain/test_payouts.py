"""What a run pays, and why it carries the rest on."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from hub.domain.books.exchange import Sent
from hub.domain.payouts.payouts import (
    Gathered,
    Payability,
    Terms,
    amount_for,
    amounts_by_currency,
    carried_reason,
    missing_for,
    takes,
)
from hub.domain.words import PayoutMethod

BY_BANK = Payability("iban")


def gathered(minor: int, currency: str = "EUR") -> Gathered:
    return Gathered("aff_1", currency, minor + 40, 2, -40, 1)


def test_a_payee_neither_waits_nor_is_held_unless_it_is_said() -> None:
    assert Payability("iban") == Payability("iban", waits=False, on_hold=False)


def test_an_amount_is_what_was_earned_and_what_was_corrected() -> None:
    assert gathered(60).amount_minor == 60
    assert Gathered("aff_1", "EUR", 100, 1, -140, 1).amount_minor == -40


class TestAmounts:
    def test_one_amount_is_for_every_currency(self) -> None:
        amounts = amounts_by_currency("25")
        assert [amount_for(amounts, each) for each in ("EUR", "JPY", "KWD")] == [2_500, 25, 25_000]

    def test_a_currency_of_its_own_comes_before(self) -> None:
        amounts = amounts_by_currency("25, JPY:3000 ,EUR:0.50")
        assert amounts == {"": Decimal(25), "JPY": Decimal(3000), "EUR": Decimal("0.50")}
        assert [amount_for(amounts, each) for each in ("EUR", "JPY", "USD")] == [50, 3_000, 2_500]

    def test_none_holds_where_none_was_said(self) -> None:
        assert amount_for(amounts_by_currency("EUR:1"), "USD") is None

    @pytest.mark.parametrize(
        ("text", "message"),
        [("XXX:1", "'XXX' is not a currency"), ("JPY:0.5", "no decimals for JPY"), ("0.0001", "^is not an amount$"),
         (":1", "'' is not a currency"), ("", "^is not an amount$"), ("EUR:", "amount such as")],
    )  # fmt: skip
    def test_anything_else_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            amounts_by_currency(text)

    def test_three_decimals_are_an_amount_until_a_currency_has_fewer(self) -> None:
        assert amounts_by_currency("0.005") == {"": Decimal("0.005")}


@pytest.mark.parametrize(
    ("minor", "payability", "missing", "carried"),
    [
        (1_000, BY_BANK, [], None),
        (999, BY_BANK, ["below_minimum"], "below_minimum"),
        (1, BY_BANK, ["below_minimum"], "below_minimum"),
        (0, BY_BANK, ["nothing_due"], "below_minimum"),
        (-1, BY_BANK, ["negative"], "negative"),
        (1_000, None, [], None),
        (5, None, ["below_minimum"], "below_minimum"),
        (1_000, Payability(None), ["no_payee"], "no_payee"),
        (1_000, Payability(None, waits=True, on_hold=True), ["on_hold", "no_payee"], "on_hold"),
        (1_000, Payability("iban", waits=True), ["payee_waits"], "payee_waits"),
        (1_000, Payability("iban", waits=True, on_hold=True), ["on_hold", "payee_waits"], "on_hold"),
        (-5, Payability("iban", on_hold=True), ["negative", "on_hold"], "negative"),
    ],
)
def test_a_balance_is_carried_on_for_what_weighs_most(
    minor: int, payability: Payability | None, missing: Sequence[str], carried: str | None
) -> None:
    assert list(missing_for(Sent("EUR", minor), 1_000, payability)) == missing
    assert carried_reason(Sent("EUR", minor), 1_000, payability) == carried


@pytest.mark.parametrize(("minor", "missing"), [(1_000, ["no_method"]), (1, ["no_method"]), (0, []), (-5, [])])
def test_a_way_that_does_not_take_the_currency_pays_nothing(minor: int, missing: Sequence[str]) -> None:
    """Of what is not due anyway it is not said."""
    said = [each for each in missing_for(Sent("KWD", minor), 1, Payability("paypal")) if each == "no_method"]
    assert said == missing


def test_a_bank_takes_every_currency_and_paypal_its_own() -> None:
    assert [takes("iban", "KWD", 1), takes("wise", "KWD", 1), takes("paypal", "KWD", 1)] == [True, True, False]
    by_paypal = [("HUF", 100), ("HUF", 101), ("EUR", 101)]
    assert [takes("paypal", currency, minor) for currency, minor in by_paypal] == [True, False, True]


@pytest.mark.parametrize(
    ("method", "currency", "minor", "taken"),
    [
        ("ach", "USD", 9_999_999_999, True), ("ach", "USD", 10_000_000_000, False), ("ach", "EUR", 1, False),
        ("bacs", "GBP", 2_000_000_000, True), ("bacs", "GBP", 2_000_000_001, False), ("bacs", "EUR", 1, False),
        ("stripe", "MGA", 500, True), ("stripe", "MGA", 501, False),
    ],
)  # fmt: skip
def test_a_file_of_a_country_takes_its_currency_up_to_its_most(
    method: PayoutMethod, currency: str, minor: int, taken: bool
) -> None:
    assert takes(method, currency, minor) is taken


@pytest.mark.parametrize(
    ("terms", "minor", "missing"),
    [
        (Terms(), 500, []),
        (Terms(amounts_by_currency("EUR:5,JPY:9000")), 499, ["below_own_minimum"]),
        (Terms(amounts_by_currency("EUR:5,JPY:9000")), 500, []),
        (Terms(amounts_by_currency("JPY:9000")), 1, []),
        (Terms(amounts_by_currency("EUR:5")), 1, ["below_own_minimum"]),
        (Terms(amounts_by_currency("5")), 0, ["nothing_due"]),
        (Terms(amounts_by_currency("5")), -1, ["negative"]),
        (Terms(currencies=frozenset({"USD"})), 500, ["own_currency"]),
        (Terms(currencies=frozenset({"EUR"})), 500, []),
        (Terms(amounts_by_currency("9"), frozenset({"USD"}), waits=True), 500,
         ["below_own_minimum", "own_wait", "own_currency"]),
    ],
)  # fmt: skip
def test_what_an_affiliate_chose_carries_its_balance_on(terms: Terms, minor: int, missing: list[str]) -> None:
    assert list(missing_for(Sent("EUR", minor), 0, Payability("iban", terms=terms))) == missing


def test_who_chose_nothing_is_paid_at_once() -> None:
    assert Terms() == Terms({}, frozenset(), waits=False, paid_in="")


def test_nothing_may_be_due_because_merchants_owe_too_much() -> None:
    assert missing_for(Sent("EUR", 0), 0, BY_BANK, waits_for_merchants=True) == ["merchant_overdue"]
    assert missing_for(Sent("EUR", 0), 0, BY_BANK) == ["nothing_due"]
    assert missing_for(Sent("EUR", 1), 0, BY_BANK, waits_for_merchants=True) == []


def test_what_has_no_rate_of_exchange_waits_whatever_its_way_takes() -> None:
    """The amount is in the currency that was earned until there is a rate: no way of paying is asked about it."""
    unchanged = Sent("KWD", 1_000, no_rate=True)
    assert missing_for(unchanged, 0, Payability("paypal")) == ["no_rate"]
    assert carried_reason(unchanged, 0, Payability("paypal")) == "no_rate"
    assert missing_for(Sent("EUR", 1_000, no_rate=False), 0, Payability("paypal")) == []
