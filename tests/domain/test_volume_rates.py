"""Rates by volume as plain rules: the table of places and amounts, and properties against a list written by hand."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.commission import resolve
from hub.domain.orders.terms import Level, OrderLine, Refund, Rule, TermLine, Terms
from hub.domain.orders.volume_rates import (
    MOST_TIERS,
    VOLUME_CAUSE,
    CountedOrder,
    Tier,
    Volume,
    VolumeRates,
    VolumeVersion,
    added_by,
    ordinal,
    rates_at,
    tiers_reached,
    volume_faults,
    volume_from_json,
    volume_words,
)

TENTH, FIFTH = Rule("PERCENTAGE", "10"), Rule("PERCENTAGE", "20")
BY_ORDERS = VolumeRates("MONTH", "ORDERS", (Tier("3", TENTH), Tier("5", FIFTH)))
BY_AMOUNT = VolumeRates("MONTH", "AMOUNT", (Tier("100.00", TENTH), Tier("250.00", FIFTH)))
FIXED = VolumeRates("MONTH", "ORDERS", (Tier("2", TENTH), Tier("3", Rule("FIXED", "5.00"))))


NONE = Volume()


def order(number: int, minor: int = 6_000, currency: str = "EUR") -> CountedOrder:
    return CountedOrder(number, f"O-{number}", currency, minor)


def reached(rates: VolumeRates, orders: list[CountedOrder], before: Volume = NONE) -> list[tuple[int, str | None]]:
    found = tiers_reached(orders, [VolumeVersion(0, rates)], "EUR", before)
    return [(each.place, None if each.tier is None else each.tier.begins) for each in found]


def test_the_order_that_makes_up_the_number_is_the_first_that_earns_more() -> None:
    places = [(1, None), (2, None), (3, "3"), (4, "3"), (5, "5"), (6, "5")]
    assert reached(BY_ORDERS, [order(n) for n in range(6)]) == places


def test_an_amount_is_reached_by_the_orders_before_and_never_by_a_part_of_one() -> None:
    """60, 120, 180, 240, 300: the third order has 120.00 before it, the sixth 300.00."""
    found = reached(BY_AMOUNT, [order(n) for n in range(6)])
    assert [tier for _, tier in found] == [None, None, "100.00", "100.00", "100.00", "250.00"]
    assert [tier for _, tier in reached(BY_AMOUNT, [order(0, 10_000), order(1)])] == [None, "100.00"]
    assert [tier for _, tier in reached(BY_AMOUNT, [order(0, 9_999), order(1)])] == [None, None]


def test_a_month_begins_anew_and_all_orders_go_on_from_those_before() -> None:
    orders = [order(n) for n in range(2)]
    assert reached(BY_ORDERS, orders, Volume(4, 24_000)) == [(1, None), (2, None)]
    ever = VolumeRates("EVER", "ORDERS", BY_ORDERS.tiers)
    assert reached(ever, orders, Volume(3, 18_000)) == [(4, "3"), (5, "5")]
    ever = VolumeRates("EVER", "AMOUNT", BY_AMOUNT.tiers)
    assert reached(ever, orders, Volume(1, 19_000)) == [(2, "100.00"), (3, "250.00")]


def test_currencies_are_never_converted() -> None:
    """Orders count in any currency, amounts only in the merchant's; a fixed rate leaves the one before it."""
    mixed = [order(0), order(1, currency="USD"), order(2, currency="USD"), order(3)]
    assert [tier for _, tier in reached(FIXED, mixed)] == [None, "2", "2", "3"]
    nearly = [order(0, 90_000, "USD"), order(1, 9_999), order(2)]
    assert [tier for _, tier in reached(BY_AMOUNT, nearly)] == [None] * 3
    assert [tier for _, tier in reached(BY_AMOUNT, [order(0, 90_000, "USD"), order(1), order(2, 1)])] == [None] * 3
    assert [tier for _, tier in reached(BY_AMOUNT, [order(0, 90_000), order(1, currency="USD")])] == [None, None]


def test_an_order_takes_the_tiers_of_its_own_time() -> None:
    versions = [VolumeVersion(30, None), VolumeVersion(10, BY_ORDERS), VolumeVersion(20, FIXED)]
    assert [rates_at(versions, at) for at in (9, 10, 19, 20, 29, 30)] == [
        None, BY_ORDERS, BY_ORDERS, FIXED, FIXED, None,
    ]  # fmt: skip
    orders = [order(n) for n in (0, 1, 12, 21, 31)]
    found = tiers_reached(orders, versions, "EUR", Volume())
    assert [None if each.tier is None else each.tier.begins for each in found] == [None, None, "3", "3", None]


def terms_of(new: Rule | None = None, product: Rule | None = None) -> Terms:
    lines = (OrderLine("BOOK", 2, 4_000),) if product else ()
    rules = {} if product is None else {"BOOK": product}
    return resolve(10_000, "EUR", "EUR", lines, rules, {}, Rule("PERCENTAGE", "8"), None, TENTH, new)


@pytest.mark.parametrize(
    ("terms", "rule", "refunds", "added"),
    [
        (terms_of(), FIFTH, [], 1_200),
        (terms_of(), Rule("FIXED", "9.00"), [], 100),
        (terms_of(), Rule("PERCENTAGE", "7"), [], 0),
        (terms_of(new=Rule("PERCENTAGE", "1")), FIFTH, [], 0),
        (terms_of(product=Rule("PERCENTAGE", "1")), FIFTH, [], 720),
        (terms_of(), FIFTH, [Refund(5_000, ())], 600),
        (terms_of(), FIFTH, [Refund(10_000, ())], 0),
        (resolve(10_000, "EUR", "EUR", (), {}, {}, None, Rule("PERCENTAGE", "6"), TENTH), FIFTH, [], 1_400),
        (resolve(10_000, "EUR", "EUR", (), {}, {}, None, None, TENTH), FIFTH, [], 1_000),
    ],
)
def test_a_tier_stands_in_the_place_of_the_default_and_adds_the_difference(
    terms: Terms, rule: Rule, refunds: list[Refund], added: int
) -> None:
    """Product, own and new-customer rates stay; a rate that is no higher adds nothing; refunds take their share."""
    assert added_by(rule, terms, 10_000, (), refunds) == added


def test_a_product_that_inherits_its_own_campaigns_rate_keeps_it() -> None:
    inherited = TermLine("BOOK", "CAMPAIGN", "PERCENTAGE", "8", 10_000, 1, 800)
    terms = Terms("CAMPAIGN", "PERCENTAGE", "8", (inherited,), (Level("CAMPAIGN", "won"),), "EUR")
    assert added_by(FIFTH, terms, 10_000, (), []) == 0


def test_tiers_that_do_not_rise_are_refused_in_a_sentence() -> None:
    def faults(measure: str, *tiers: tuple[str, str, str]) -> str:
        rates = volume_from_json({"period": "MONTH", "measure": measure, "tiers": [
            {"from": begins, "commissionType": kind, "commissionValue": value} for begins, kind, value in tiers
        ]})  # fmt: skip
        return " / ".join(volume_faults(rates, "EUR"))

    assert faults("ORDERS", ("2", "PERCENTAGE", "9"), ("1000000000", "PERCENTAGE", "10")) == ""
    assert faults("ORDERS", ("2", "PERCENTAGE", "9"), ("3", "FIXED", "1")) == ""
    assert "from 3 stands behind one from 3" in faults("ORDERS", ("3", "FIXED", "1"), ("3", "FIXED", "2"))
    assert "pays 9, from 2 9" in faults("ORDERS", ("2", "PERCENTAGE", "9"), ("3", "PERCENTAGE", "9"))
    assert "2nd order or a later" in faults("ORDERS", ("1", "FIXED", "1"))
    assert "2nd order or a later" in faults("ORDERS", ("2.5", "FIXED", "1"))
    assert "2nd order or a later" in faults("ORDERS", ("1000000001", "FIXED", "1"))
    assert faults("AMOUNT", ("0.00", "FIXED", "1")) == "must begin at more than nothing"
    assert faults("ORDERS", ("x", "FIXED", "1"), ("3", "FIXED", "1")).count("2nd order or a later") == 1
    assert (MOST_TIERS, VOLUME_CAUSE) == (10, "volume:")  # the second is kept with each entry
    assert "begins at an amount that" in faults("AMOUNT", ("1.234", "FIXED", "1"))
    assert "commissionValue that" in faults("AMOUNT", ("1", "PERCENTAGE", "101"))
    assert faults("AMOUNT", ("0.01", "FIXED", "1"), ("0.02", "FIXED", "1.01")) == ""


def stored(period: str, measure: str, *tiers: tuple[str, str, str]) -> dict[str, object]:
    names = ("from", "commissionType", "commissionValue")
    return {
        "period": period,
        "measure": measure,
        "tiers": [dict(zip(names, tier, strict=True)) for tier in tiers],
    }


def test_they_are_said_and_stored_as_they_are_read() -> None:
    fixed = stored("MONTH", "ORDERS", ("2", "PERCENTAGE", "10"), ("3", "FIXED", "5.00"))
    assert volume_from_json(fixed) == FIXED
    assert volume_words(fixed, "EUR") == ("10 % from the 2nd order of a month; 5.00 EUR from the 3rd order of a month")
    ever = stored("EVER", "AMOUNT", ("100.00", "PERCENTAGE", "10"), ("250.00", "PERCENTAGE", "20"))
    assert volume_words(ever, "EUR") == ("10 % once the orders reach 100.00 EUR; 20 % once the orders reach 250.00 EUR")
    assert volume_words(None, "EUR") == ""
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip


rates = st.sampled_from([BY_ORDERS, BY_AMOUNT, FIXED, VolumeRates("EVER", "ORDERS", BY_ORDERS.tiers)])
histories = st.lists(
    st.builds(order, st.integers(0, 50), st.integers(0, 20_000), st.sampled_from(["EUR", "USD"])),
    max_size=12, unique_by=lambda each: each.external_order_id,
)  # fmt: skip


@given(rates, histories, st.randoms())
def test_the_order_of_reporting_cannot_matter(which: VolumeRates, orders: list[CountedOrder], chance: Random) -> None:
    shuffled = orders[:]
    chance.shuffle(shuffled)
    assert reached(which, shuffled) == reached(which, orders)


@given(rates, histories, st.builds(order, st.integers(51, 99)), st.integers(-1, 50))
def test_one_more_order_never_lowers_what_the_others_reached(
    which: VolumeRates, orders: list[CountedOrder], more: CountedOrder, at: int
) -> None:
    """So that what comes late books something on top, and an order that is pending need not be waited for."""
    late = more._replace(placed_at=at)
    tiers = [tier.begins for tier in which.tiers]

    def rank(found: list[CountedOrder]) -> dict[str, int]:
        result = tiers_reached(found, [VolumeVersion(-1, which)], "EUR", Volume())
        return {
            each.order.external_order_id: -1 if each.tier is None else tiers.index(each.tier.begins) for each in result
        }

    before, after = rank(orders), rank([*orders, late])
    assert all(after[number] >= place for number, place in before.items())
