"""Which rule pays how much: the four levels, lines, currencies, and the rounding at the end of each line."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from hub.domain.money import format_money
from hub.domain.orders.commission import (
    Level,
    OrderLine,
    Rule,
    TermLine,
    Terms,
    refund_from_json,
    refund_to_json,
    resolve,
    terms_from_json,
    terms_to_json,
)
from hub.domain.orders.terms import Refund

PLATFORM = Rule("PERCENTAGE", "5")
MERCHANT = Rule("PERCENTAGE", "8")
CAMPAIGN = Rule("PERCENTAGE", "12.5")
PRODUCT = Rule("PERCENTAGE", "20")
TEN_EACH = Rule("FIXED", "10.00")


def decide(order_minor: int, *lines: OrderLine, currency: str = "USD", **rules: Any) -> Terms:
    """Resolve an order of a merchant in USD, with the platform's 5 percent and the rules given."""
    given_rules = {
        "product_rules": {},
        "product_campaign_rules": {},
        "campaign_rule": None,
        "merchant_rule": None,
        "platform_rule": PLATFORM,
        **rules,
    }
    return resolve(order_minor, currency, "USD", lines, **given_rules)


def parts(terms: Terms) -> list[tuple[str | None, str, int, int, int]]:
    """Give each line as (product, source, base, quantity, amount)."""
    return [
        (line.external_product_id, line.source, line.base_minor, line.quantity, line.amount_minor)
        for line in terms.lines
    ]


@pytest.mark.parametrize(
    ("rules", "source", "value", "amount"),
    [
        ({}, "PLATFORM", "5", 500),
        ({"merchant_rule": MERCHANT}, "MERCHANT", "8", 800),
        ({"merchant_rule": MERCHANT, "campaign_rule": CAMPAIGN}, "CAMPAIGN", "12.5", 1250),
        ({"campaign_rule": CAMPAIGN, "new_customer_rule": MERCHANT}, "NEW_CUSTOMER", "8", 800),
        ({"new_customer_rule": MERCHANT, "product_rules": {"p1": PRODUCT}}, "PRODUCT", "20", 2000),
        (
            {"merchant_rule": MERCHANT, "campaign_rule": CAMPAIGN, "product_rules": {"p1": PRODUCT}},
            "PRODUCT",
            "20",
            2000,
        ),
    ],
)
def test_the_most_specific_rule_wins(rules: dict[str, Any], source: str, value: str, amount: int) -> None:
    terms = decide(10_000, OrderLine("p1", 1, 10_000), **rules)
    assert (terms.source, terms.type, terms.value) == (source, "PERCENTAGE", value)
    assert (terms.base_minor, terms.amount_minor) == (10_000, amount)


def test_what_is_paid_for_new_customers_is_tried_only_where_it_is_set() -> None:
    without = decide(10_000, campaign_rule=CAMPAIGN)
    assert [each.level for each in without.levels] == ["PRODUCT", "CAMPAIGN"]
    elsewhere = decide(10_000, currency="EUR", new_customer_rule=TEN_EACH, campaign_rule=CAMPAIGN)
    assert [(each.level, each.outcome) for each in elsewhere.levels[1:]] == [
        ("NEW_CUSTOMER", "currency_differs"), ("CAMPAIGN", "won"),
    ]  # fmt: skip
    assert elsewhere.source == "CAMPAIGN"


def test_each_level_tried_tells_why_it_lost() -> None:
    terms = decide(10_000, OrderLine("p1", 1, 10_000), currency="EUR", campaign_rule=TEN_EACH, merchant_rule=MERCHANT)
    assert terms.levels == (
        Level("PRODUCT", "no_rule", "p1"),
        Level("CAMPAIGN", "currency_differs", None, "FIXED", "10.00"),
        Level("MERCHANT", "won", None, "PERCENTAGE", "8"),
    )


def test_an_order_without_products_says_so() -> None:
    assert decide(100).levels[0] == decide(100, OrderLine(None, 1, 100)).levels[0] == Level("PRODUCT", "no_product")


def test_a_product_on_two_lines_tells_its_levels_once() -> None:
    terms = decide(300, OrderLine("p1", 1, 100), OrderLine("p1", 1, 200), product_rules={"p1": PRODUCT})
    assert terms.levels == (Level("PRODUCT", "won", "p1", "PERCENTAGE", "20"),)
    assert parts(terms) == [("p1", "PRODUCT", 100, 1, 20), ("p1", "PRODUCT", 200, 1, 40)]


def test_a_product_rule_takes_its_own_lines_and_the_default_the_rest() -> None:
    lines = (OrderLine("p1", 2, 3_000), OrderLine("p2", 1, 5_000), OrderLine(None, 1, 1_000))
    terms = decide(10_000, *lines, product_rules={"p1": PRODUCT}, campaign_rule=CAMPAIGN)
    assert parts(terms) == [("p1", "PRODUCT", 3_000, 2, 600), (None, "CAMPAIGN", 7_000, 1, 875)]
    assert (terms.source, terms.type, terms.value) == ("MIXED", None, None)
    assert (terms.base_minor, terms.amount_minor) == (10_000, 1_475)


def test_two_products_with_different_rules_are_one_source_without_one_value() -> None:
    rules = {"p1": PRODUCT, "p2": Rule("PERCENTAGE", "10")}
    terms = decide(200, OrderLine("p1", 1, 100), OrderLine("p2", 1, 100), product_rules=rules)
    assert (terms.source, terms.type, terms.value, terms.amount_minor) == ("PRODUCT", None, None, 30)


def test_two_products_with_the_same_rule_have_one_value() -> None:
    rules = {"p1": PRODUCT, "p2": PRODUCT}
    terms = decide(200, OrderLine("p1", 1, 100), OrderLine("p2", 1, 100), product_rules=rules)
    assert (terms.source, terms.type, terms.value, terms.amount_minor) == ("PRODUCT", "PERCENTAGE", "20", 40)


def test_a_line_of_a_products_own_campaign_names_its_levels() -> None:
    terms = decide(100, OrderLine("p1", 1, 100), product_campaign_rules={"p1": CAMPAIGN})
    tried = [(level.level, level.outcome, level.external_product_id) for level in terms.levels]
    assert tried == [("PRODUCT", "no_rule", "p1"), ("CAMPAIGN", "won", "p1")]


def test_the_levels_of_an_order_are_tried_to_the_platforms() -> None:
    terms = decide(100)
    tried = [(level.level, level.outcome) for level in terms.levels]
    assert tried == [("PRODUCT", "no_product"), ("CAMPAIGN", "no_rule"), ("MERCHANT", "no_rule"), ("PLATFORM", "won")]


def test_an_order_of_nothing_earns_nothing() -> None:
    assert parts(decide(0)) == parts(decide(-1)) == [(None, "PLATFORM", 0, 1, 0)]
    assert parts(decide(0, OrderLine("p1", 1, 100), product_rules={"p1": PRODUCT})) == [("p1", "PRODUCT", 0, 1, 0)]


def test_nothing_is_left_for_the_default_where_products_take_all() -> None:
    terms = decide(100, OrderLine("p1", 1, 100), product_rules={"p1": PRODUCT}, campaign_rule=TEN_EACH)
    assert parts(terms) == [("p1", "PRODUCT", 100, 1, 20)]


def test_fixed_is_paid_for_each_unit_of_a_product() -> None:
    terms = decide(9_000, OrderLine("p1", 3, 9_000), product_rules={"p1": Rule("FIXED", "2.50")})
    assert (terms.source, terms.type, terms.value, terms.amount_minor) == ("PRODUCT", "FIXED", "2.50", 750)


@pytest.mark.parametrize("level", ["campaign_rule", "merchant_rule"])
def test_fixed_defaults_are_paid_once(level: str) -> None:
    lines = (OrderLine("p1", 3, 6_000), OrderLine("p2", 2, 3_000))
    rule: dict[str, Any] = {level: TEN_EACH}
    assert decide(9_000, *lines, **rule).amount_minor == 1_000


def test_fixed_may_exceed_a_small_order() -> None:
    assert decide(300, campaign_rule=TEN_EACH).amount_minor == 1_000


def test_fixed_applies_only_in_the_merchants_currency() -> None:
    rules: dict[str, Any] = {
        "product_rules": {"p1": TEN_EACH},
        "campaign_rule": TEN_EACH,
        "merchant_rule": TEN_EACH,
    }
    terms = decide(10_000, OrderLine("p1", 1, 10_000), currency="EUR", **rules)
    assert (terms.source, terms.amount_minor) == ("PLATFORM", 500)
    assert [level.outcome for level in terms.levels] == ["currency_differs"] * 3 + ["won"]


def test_a_platform_rule_that_cannot_apply_is_a_fault_of_the_operator() -> None:
    with pytest.raises(ValueError, match="must be a percentage"):
        decide(100, currency="EUR", platform_rule=TEN_EACH)


@pytest.mark.parametrize(
    ("campaign_rule", "expected"),
    [
        (None, ("p1", "CAMPAIGN", 4_000, 2, 400)),
        (CAMPAIGN, (None, "CAMPAIGN", 10_000, 1, 1_250)),
    ],
    ids=["asked where the order has none", "not asked where it has one"],
)
def test_a_products_own_campaign_stands_in(campaign_rule: Rule | None, expected: tuple[Any, ...]) -> None:
    own = {"p1": Rule("PERCENTAGE", "10")}
    terms = decide(10_000, OrderLine("p1", 2, 4_000), product_campaign_rules=own, campaign_rule=campaign_rule)
    assert parts(terms)[0] == expected


def test_a_fixed_default_of_a_products_own_campaign_is_paid_once() -> None:
    terms = decide(4_000, OrderLine("p1", 2, 4_000), product_campaign_rules={"p1": TEN_EACH})
    assert parts(terms) == [("p1", "CAMPAIGN", 4_000, 2, 1_000)]


def test_lines_never_take_more_than_the_order() -> None:
    rules = {"p1": PRODUCT, "p2": PRODUCT, "p3": PRODUCT}
    lines = (OrderLine("p1", 1, 80), OrderLine("p2", 1, 45), OrderLine("p3", 1, 10))
    assert [line.base_minor for line in decide(100, *lines, product_rules=rules).lines] == [80, 20, 0]


def test_negative_amounts_and_counts_earn_nothing() -> None:
    terms = decide(-100, OrderLine("p1", -1, -100), product_rules={"p1": TEN_EACH})
    assert (terms.base_minor, terms.amount_minor) == (0, 0)


def test_an_empty_order_still_has_one_line() -> None:
    assert parts(decide(0)) == [(None, "PLATFORM", 0, 1, 0)]


@pytest.mark.parametrize(
    ("minor", "currency", "percent", "amount"),
    [
        (4_990, "USD", "8", 399),  # 3.992
        (10, "USD", "5", 1),  # exactly half a cent goes up
        (9, "USD", "5", 0),  # 0.45 cent
        (3_333, "USD", "33.3333", 1_111),  # 1110.998889
        (500, "JPY", "5", 25),
        (510, "JPY", "5", 26),  # 25.5 yen
        (509, "JPY", "5", 25),  # 25.45 yen
        (1_230, "KWD", "5", 62),  # 61.5 fils
        (1_229, "KWD", "5", 61),  # 61.45 fils
        (99_999_999_999_999, "USD", "0.0001", 100_000_000),
        (99_999_999_999_999, "USD", "100", 99_999_999_999_999),
    ],
)
def test_a_percentage_is_rounded_half_up_to_the_minor_unit(
    minor: int, currency: str, percent: str, amount: int
) -> None:
    terms = decide(minor, currency=currency, merchant_rule=Rule("PERCENTAGE", percent))
    assert terms.amount_minor == amount


def test_each_line_is_rounded_by_itself() -> None:
    five = Rule("PERCENTAGE", "5")
    lines = (OrderLine("p1", 1, 10), OrderLine("p2", 1, 10))
    assert decide(20, *lines, product_rules={"p1": five, "p2": five}).amount_minor == 2
    assert decide(20, *lines, merchant_rule=five).amount_minor == 1


def test_fixed_is_read_in_the_currencys_own_digits() -> None:
    terms = resolve(9_000, "JPY", "JPY", (), {}, {}, Rule("FIXED", "500"), None, PLATFORM)
    assert (terms.amount_minor, format_money(terms.amount_minor, "JPY")) == (500, "500")


amounts = st.integers(0, 10**14)
percents = st.integers(0, 1_000_000).map(lambda scaled: f"{scaled // 10_000}.{scaled % 10_000:04}")


def half_up(base: int, percent: str) -> int:
    """Give the share as a schoolbook would: the exact fraction, a half added, the rest cut."""
    return int(base * Fraction(percent) / 100 + Fraction(1, 2))


@given(amounts, percents)
def test_a_share_is_never_off_by_a_minor_unit(base: int, percent: str) -> None:
    assert decide(base, merchant_rule=Rule("PERCENTAGE", percent)).amount_minor == half_up(base, percent)


def test_control_floats_would_drift() -> None:
    def in_floats(base: int) -> int:
        return round(100 * round(base / 100 * 10 / 100, 2))

    base = find(st.integers(0, 100_000), lambda base: in_floats(base) != half_up(base, "10"))
    assert decide(base, merchant_rule=Rule("PERCENTAGE", "10")).amount_minor == half_up(base, "10")


def test_control_the_builtin_round_is_not_half_up() -> None:
    assert (round(0.5), half_up(10, "5")) == (0, 1)


order_lines = st.builds(
    OrderLine, st.sampled_from(["p1", "p2", "p3", None]), st.integers(-1, 5), st.integers(-100, 20_000)
)
any_rule = st.builds(Rule, st.just("PERCENTAGE"), percents) | st.just(TEN_EACH)
rule_books = st.dictionaries(st.sampled_from(["p1", "p2", "p3"]), any_rule)


@given(amounts, st.lists(order_lines, max_size=6), rule_books, rule_books, st.none() | any_rule, st.none() | any_rule)
def test_the_lines_share_out_the_order_exactly(
    order_minor: int,
    lines: list[OrderLine],
    products: dict[str, Rule],
    own: dict[str, Rule],
    campaign: Rule | None,
    merchant: Rule | None,
) -> None:
    terms = decide(
        order_minor,
        *lines,
        product_rules=products,
        product_campaign_rules=own,
        campaign_rule=campaign,
        merchant_rule=merchant,
    )
    assert terms.base_minor == order_minor
    assert all(line.base_minor >= 0 and line.amount_minor >= 0 for line in terms.lines)
    assert terms_from_json(json.loads(json.dumps(terms_to_json(terms)))) == terms


def test_the_json_of_terms_is_the_explanations() -> None:
    terms = decide(4_990, OrderLine("p1", 1, 1_990), product_rules={"p1": TEN_EACH}, campaign_rule=CAMPAIGN)
    assert json.loads(json.dumps(terms_to_json(terms))) == {
        "source": "MIXED",
        "type": None,
        "value": None,
        "currency": "USD",
        "lines": [
            {
                "externalProductId": "p1",
                "source": "PRODUCT",
                "type": "FIXED",
                "value": "10.00",
                "base": "19.90",
                "quantity": 1,
                "amount": "10.00",
            },
            {
                "externalProductId": None,
                "source": "CAMPAIGN",
                "type": "PERCENTAGE",
                "value": "12.5",
                "base": "30.00",
                "quantity": 1,
                "amount": "3.75",
            },
        ],
        "levels": [
            {"level": "PRODUCT", "outcome": "won", "externalProductId": "p1", "type": "FIXED", "value": "10.00"},
            {"level": "CAMPAIGN", "outcome": "won", "type": "PERCENTAGE", "value": "12.5"},
        ],
    }


def test_amounts_beyond_twelve_digits_are_stored_too() -> None:
    line = TermLine("p1", "PRODUCT", "FIXED", "999999999999.00", 1, 10_000, 999_999_999_999_000_000)
    terms = Terms("PRODUCT", "FIXED", "999999999999.00", (line,), (), "USD")
    assert terms_from_json(json.loads(json.dumps(terms_to_json(terms)))) == terms


@pytest.mark.parametrize(
    "refund", [Refund(None, ()), Refund(100, ()), Refund(None, (("p1", 1, None), (None, None, 5)))]
)
def test_a_refund_is_stored_and_read_back(refund: Refund) -> None:
    assert refund_from_json(json.loads(json.dumps(refund_to_json(refund)))) == refund
