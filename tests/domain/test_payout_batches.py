"""What PayPal's and Wise's batch files take."""

from __future__ import annotations

import pytest

from hub.domain.payouts.payout_batches import (
    LONGEST_PAYPAL_ID,
    PAYPAL_PAYS,
    PAYPAL_WHOLE,
    part_of,
    paypal_amount,
    paypal_id,
    why_not_paypal,
)
from hub.ids import new_id


@pytest.mark.parametrize(
    ("currency", "minor", "amount", "reason"),
    [
        ("USD", 490, "4.90", None),
        ("JPY", 490, "490", None),
        ("HUF", 49_000, "490", None),
        ("HUF", 49_050, "490", "PayPal pays no decimals of HUF"),
        ("KWD", 1, "0.001", "PayPal does not pay KWD"),
    ],
)
def test_amounts_are_written_as_paypal_reads_them(currency: str, minor: int, amount: str, reason: str | None) -> None:
    assert (paypal_amount(currency, minor), why_not_paypal(currency, minor)) == (amount, reason)


def test_an_affiliates_id_is_short_enough_and_still_its_own() -> None:
    ids = [new_id("aff") for _ in range(100)]
    assert {len(paypal_id(each)) for each in ids} == {LONGEST_PAYPAL_ID}
    assert len({paypal_id(each) for each in ids}) == len(ids)


def test_a_batch_is_cut_where_the_service_ends() -> None:
    assert [(part_of(most - 1, most), part_of(most, most)) for most in (5_000, 1_000)] == [(1, 2), (1, 2)]
    assert part_of(10**6, None) == 1


def test_paypals_rules_are_those_of_its_guide() -> None:
    assert " ".join(sorted(PAYPAL_PAYS)) == (
        "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR JPY MXN MYR NOK NZD PHP PLN RUB SEK SGD THB TRY TWD USD"
    )
    assert sorted(PAYPAL_WHOLE) == ["HUF", "JPY", "TWD"]
    assert LONGEST_PAYPAL_ID == 30
    assert paypal_id("aff_0123456789abcdefghijklmnopqrstuv") == "aff_6789abcdefghijklmnopqrstuv"
