"""A campaign's policy: the click decides unless the campaign says otherwise, and nothing is left out silently."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.attribution import Attribution
from hub.domain.orders.attribution_policy import (
    DEFAULT_POLICY,
    RENEWALS,
    RULES,
    AttributionPolicy,
    CouponOffer,
    OrderSigns,
    apply_policy,
    policy_from_json,
    policy_sentence,
    policy_to_json,
    stated_new_customer,
)

MATCHED = Attribution("HIGH", "matched", "clk_1", "aff_click", "cmp_1", 60, 3_600)
OUTSIDE = MATCHED._replace(confidence="LOW", reason="click_outside_window")
MISSING = Attribution("LOW", "click_missing", None, None, None, None, None)
COUPON, WITHOUT_CLICK = AttributionPolicy(rule="COUPON"), AttributionPolicy(rule="COUPON_WITHOUT_CLICK")

words = st.lists(st.sampled_from(["SAVE", "VIP", "x-1", "blog"]), unique=True, max_size=2).map(tuple)
policies = st.builds(AttributionPolicy, st.sampled_from(RULES), st.booleans(), words, words, words, st.booleans(),
                     st.sampled_from(RENEWALS), st.integers(0, 9))  # fmt: skip
signs = st.builds(
    OrderSigns,
    st.sampled_from([None, "SAVE", "vip", "OTHER"]),
    st.sampled_from([None, "aff_coupon"]),
    st.lists(st.builds(CouponOffer, st.sampled_from(["cmp_1", "cmp_2"]), policies), max_size=2),
    words.map(frozenset),
    st.sampled_from([None, True, False]),
)
clicked = st.sampled_from([MATCHED, OUTSIDE, MISSING])


def coupon_of(policy: AttributionPolicy, campaign_id: str = "cmp_1") -> OrderSigns:
    return OrderSigns("VIP", "aff_coupon", [CouponOffer(campaign_id, policy)])


@given(clicked, signs.filter(lambda each: all(offer.policy.rule == "CLICK" for offer in each.coupon_offers)))
def test_the_default_is_the_specifications_rule(click: Attribution, order: OrderSigns) -> None:
    """Whatever an order says beside its click, v1's answer stays."""
    assert apply_policy(click, DEFAULT_POLICY, order).attribution == click


@given(clicked, policies, signs)
def test_nobody_earns_but_the_clicks_or_the_coupons_affiliate(
    click: Attribution, policy: AttributionPolicy, order: OrderSigns
) -> None:
    """A coupon never earns for a campaign that does not let it, and what is left out says why."""
    found = apply_policy(click, policy, order)
    assert found.attribution.affiliate_id in {click.affiliate_id, order.coupon_owner}
    if found.decided_by == "coupon":
        assert found.policy.rule != "CLICK"
        assert found.attribution.affiliate_id == order.coupon_owner
    else:
        assert found.policy == policy
    assert (found.attribution.confidence == "HIGH") == (found.attribution.reason in {"matched", "coupon_owner"})


@given(policies)
def test_a_policy_survives_its_json(policy: AttributionPolicy) -> None:
    assert policy_from_json(policy_to_json(policy)) == policy


@given(policies)
def test_a_policy_is_one_sentence_that_names_what_it_leaves_out(policy: AttributionPolicy) -> None:
    sentence = policy_sentence(policy)
    assert sentence.count(".") == 1
    for name in (*policy.excluded_coupons, *policy.excluded_products, *policy.excluded_subs):
        assert name in sentence


def test_a_coupon_that_decides_goes_before_another_affiliates_click() -> None:
    found = apply_policy(MATCHED, COUPON, coupon_of(COUPON))
    assert (found.attribution.affiliate_id, found.attribution.reason, found.decided_by) == (
        "aff_coupon", "coupon_owner", "coupon",
    )  # fmt: skip


def test_a_coupon_of_another_campaign_does_not_take_a_good_click() -> None:
    assert apply_policy(MATCHED, COUPON, coupon_of(COUPON, "cmp_2")).attribution == MATCHED
    assert apply_policy(MATCHED, DEFAULT_POLICY, coupon_of(COUPON)).attribution == MATCHED


def test_a_coupon_counts_without_a_click_but_not_beside_one() -> None:
    order = coupon_of(WITHOUT_CLICK)
    assert apply_policy(MISSING, DEFAULT_POLICY, order).attribution.affiliate_id == "aff_coupon"
    assert apply_policy(MATCHED, WITHOUT_CLICK, order).attribution == MATCHED
    assert apply_policy(OUTSIDE, WITHOUT_CLICK, order).attribution == OUTSIDE


def test_what_a_campaign_leaves_out_is_low_and_keeps_its_affiliate() -> None:
    limited = AttributionPolicy("CLICK", True, ("SAVE",), (), ("deals",))
    cases = {
        OrderSigns("save", is_new_customer=True): "coupon_excluded",
        OrderSigns(subs=frozenset({"deals"}), is_new_customer=True): "sub_affiliate_excluded",
        OrderSigns(is_new_customer=False): "customer_not_new",
        OrderSigns(): "customer_unknown",
        OrderSigns(is_new_customer=True): "matched",
    }
    for order, reason in cases.items():
        found = apply_policy(MATCHED, limited, order).attribution
        assert (found.reason, found.affiliate_id) == (reason, "aff_click")


def test_only_a_boolean_says_whether_a_customer_is_new() -> None:
    assert stated_new_customer({"newCustomer": True}) is True
    assert stated_new_customer({"new_customer": False}) is False
    assert stated_new_customer({"newCustomer": "yes"}) is None
    assert stated_new_customer(None) is None
