"""The customer as a witness: who is known, for how long, and what is heard before them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.durations import DAY
from hub.domain.orders.attribution import Attribution
from hub.domain.orders.attribution_policy import (
    DEFAULT_POLICY,
    AttributionPolicy,
    KnownBy,
    OrderSigns,
    PolicyDecision,
    policy_sentence,
)
from hub.domain.orders.campaigns import CampaignLife
from hub.domain.orders.customers import Witness, apply_customer, customer_hash, kept_until

LIVE = CampaignLife("cmp_1", None, None, 30, ((0, "ACTIVE"),))
KNOWS = AttributionPolicy(customer_days=90)
MATCHED = Attribution("HIGH", "matched", "clk_1", "aff_2", "cmp_2", 60, 3_600)
MISSING = Attribution("LOW", "click_missing", None, None, None, None, None)
PLACED = 1_000 * DAY
EARLIER = Witness(KnownBy("1042", PLACED), "aff_1", True, "cmp_1", LIVE, KNOWS)
NOTHING = OrderSigns()

clicked = st.sampled_from([
    MATCHED, MISSING, MATCHED._replace(confidence="LOW", reason="click_outside_window"),
    MISSING._replace(reason="click_unknown", click_id="clk_2"), MATCHED._replace(reason="coupon_owner"),
    MATCHED._replace(confidence="LOW", reason="coupon_excluded"),
])  # fmt: skip
policies = st.builds(AttributionPolicy, new_customers_only=st.booleans(), customer_days=st.integers(0, 3))
witnesses = st.builds(
    Witness, st.just(KnownBy("1042", PLACED)), st.sampled_from(["aff_1", "aff_2"]), st.booleans(),
    st.sampled_from(["cmp_1", None]), st.sampled_from([LIVE, None]), policies,
)  # fmt: skip
signs = st.builds(
    OrderSigns, st.sampled_from([None, "VIP"]), st.sampled_from([None, "aff_1", "aff_9"]), st.just(()),
    st.just(frozenset()), st.sampled_from([None, True, False]),
)  # fmt: skip


def decided(attribution: Attribution) -> PolicyDecision:
    return PolicyDecision(attribution, DEFAULT_POLICY, "click")


def found(witness: Witness | None, days: float, signs: OrderSigns = NOTHING) -> tuple[str, str | None]:
    order = apply_customer(decided(MISSING), witness, signs, int(PLACED + days * DAY)).attribution
    return order.reason, order.affiliate_id


@pytest.mark.parametrize(
    ("days", "reason"),
    [(-0.1, "click_missing"), (0, "customer_matched"), (90, "customer_matched"), (90.01, "click_missing")],
)
def test_a_customer_is_known_for_the_time_that_the_campaign_names(days: float, reason: str) -> None:
    assert found(EARLIER, days) == (reason, "aff_1" if reason == "customer_matched" else None)


def test_what_ends_an_affiliates_earning_ends_this_too_and_says_so() -> None:
    assert found(EARLIER._replace(affiliate_active=False), 1) == ("affiliate_inactive", "aff_1")
    ended = CampaignLife("cmp_1", None, None, 30, ((0, "ACTIVE"), (PLACED, "PAUSED")))
    assert found(EARLIER._replace(campaign=ended), 1) == ("campaign_not_live", "aff_1")
    assert found(EARLIER._replace(campaign=None), 1) == ("campaign_not_live", "aff_1")
    without = EARLIER._replace(policy=AttributionPolicy(customer_days=90, excluded_coupons=("SALE",)))
    assert found(without, 1, OrderSigns(coupon="sale")) == ("coupon_excluded", "aff_1")


def test_another_affiliates_coupon_speaks_against_the_customer() -> None:
    """Whose it is then is for a person; the control is the same affiliate's coupon, and nobody's."""
    assert found(EARLIER, 1, OrderSigns("VIP", "aff_9")) == ("click_missing", None)
    assert found(EARLIER, 1, OrderSigns("VIP", "aff_1")) == ("customer_matched", "aff_1")
    assert found(EARLIER, 1, OrderSigns("SALE", None)) == ("customer_matched", "aff_1")


@given(clicked, st.none() | witnesses, signs, st.integers(-DAY, 4 * DAY))
def test_only_an_order_without_a_click_is_decided_by_its_customer(
    own: Attribution, witness: Witness | None, order: OrderSigns, later: int
) -> None:
    """Whatever else is known: nothing that a click or a coupon decided moves, and off is off."""
    before = decided(own)
    after = apply_customer(before, witness, order, PLACED + later)
    if after == before:
        return
    assert witness is not None
    assert own.reason == "click_missing"
    assert 0 <= later <= witness.policy.customer_days * DAY
    assert witness.policy.customer_days > 0
    assert (after.decided_by, after.known_by) == ("customer", witness.order)
    assert after.attribution.affiliate_id == witness.affiliate_id
    assert order.coupon_owner in (None, witness.affiliate_id)
    if after.attribution.confidence == "HIGH":
        assert witness.affiliate_active
        assert witness.campaign is not None
        assert order.is_new_customer is True or not witness.policy.new_customers_only


@given(clicked, policies, st.sampled_from(["click", "coupon", "renewal", "customer"]))
def test_a_customer_is_kept_only_by_orders_that_earned_by_themselves(
    own: Attribution, policy: AttributionPolicy, by: str
) -> None:
    """So no order that a customer or a renewal brought lengthens the time, and a campaign that is silent keeps none."""
    until = kept_until(PolicyDecision(own, policy, by), PLACED)  # type: ignore[arg-type]  # one of the words
    earned = own.confidence == "HIGH" and by in ("click", "coupon") and policy.customer_days > 0
    assert until == (PLACED + policy.customer_days * DAY if earned else None)


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_hash_is_of_one_account_and_one_key_alone(one: str, other: str) -> None:
    hashed = customer_hash(b"k", "acc_1", one)
    assert (hashed is None) == (not one.strip())
    if hashed is None:
        return
    assert hashed == customer_hash(b"k", "acc_1", f" {one}\n")
    assert hashed != customer_hash(b"k", "acc_2", one)
    assert hashed != customer_hash(b"j", "acc_1", one)
    assert (hashed == customer_hash(b"k", "acc_1", other)) == (one.strip().casefold() == other.strip().casefold())


def test_a_shop_may_write_an_address_in_any_case() -> None:
    assert customer_hash(b"k", "acc_1", "Ada@Example.com ") == customer_hash(b"k", "acc_1", "ada@example.com")


def test_affiliates_read_it_in_the_campaigns_sentence() -> None:
    assert "its customer's order earned within 90 days before" in policy_sentence(KNOWS)
    assert "within a day before" in policy_sentence(AttributionPolicy(customer_days=1))
    assert "customer" not in policy_sentence(AttributionPolicy())
