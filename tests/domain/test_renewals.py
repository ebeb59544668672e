"""Renewals of subscriptions: by default nothing is special about them, and a campaign may let them earn or not."""

from __future__ import annotations

import pytest

from hub.domain.orders.attribution import Attribution
from hub.domain.orders.attribution_policy import (
    DEFAULT_POLICY,
    AttributionPolicy,
    PolicyDecision,
    Renewals,
    policy_sentence,
)
from hub.domain.orders.campaigns import CampaignLife
from hub.domain.orders.renewals import Beginning, Renewal, apply_renewal, stated_renewal

NOW = 1_000
LIVE = CampaignLife("cmp_1", None, None, 30, ((0, "ACTIVE"),))
MATCHED = Attribution("HIGH", "matched", "clk_1", "aff_1", "cmp_1", 60, 3_600)
OUTSIDE = MATCHED._replace(confidence="LOW", reason="click_outside_window")


def policy(renewals: Renewals, times: int = 0) -> AttributionPolicy:
    return AttributionPolicy(renewals=renewals, renewal_times=times)


def begun(own: AttributionPolicy, earned: int = 0, **more: object) -> Beginning:
    found = Beginning("clk_1", "aff_1", True, "cmp_1", LIVE, own, earned)
    return found._replace(**more)  # type: ignore[arg-type]  # the members of the cases below


def reason(clicked: Attribution, beginning: Beginning | None) -> tuple[str, str]:
    found = apply_renewal(PolicyDecision(clicked, DEFAULT_POLICY, "click"), beginning, NOW).attribution
    return found.confidence, found.reason


@pytest.mark.parametrize(
    ("own", "earned", "inside", "outside"),
    [
        (policy("WITHIN_WINDOW"), 9, ("HIGH", "matched"), ("LOW", "click_outside_window")),
        (policy("NEVER"), 0, ("LOW", "renewal_excluded"), ("LOW", "renewal_excluded")),
        (policy("TIMES", 2), 1, ("HIGH", "renewal_matched"), ("HIGH", "renewal_matched")),
        (policy("TIMES", 2), 2, ("LOW", "renewals_used_up"), ("LOW", "renewals_used_up")),
        (policy("ALWAYS"), 99, ("HIGH", "renewal_matched"), ("HIGH", "renewal_matched")),
    ],
)
def test_each_setting_decides_alike_whatever_became_of_the_click(
    own: AttributionPolicy, earned: int, inside: tuple[str, str], outside: tuple[str, str]
) -> None:
    assert reason(MATCHED, begun(own, earned)) == inside
    assert reason(OUTSIDE, begun(own, earned)) == outside


def test_without_an_attributed_beginning_the_click_decides() -> None:
    """Nobody earns by a subscription that no order of an affiliate began."""
    assert reason(OUTSIDE, None) == ("LOW", "click_outside_window")
    assert reason(MATCHED, None) == ("HIGH", "matched")


def test_the_affiliate_of_the_beginning_earns_while_active_and_while_the_campaign_runs() -> None:
    always = policy("ALWAYS")
    other = MATCHED._replace(affiliate_id="aff_2", campaign_id="cmp_2")
    found = apply_renewal(PolicyDecision(other, DEFAULT_POLICY, "click"), begun(always), NOW)
    assert (found.attribution.affiliate_id, found.attribution.campaign_id, found.decided_by) == (
        "aff_1", "cmp_1", "renewal",
    )  # fmt: skip
    assert reason(MATCHED, begun(always, affiliate_active=False)) == ("LOW", "affiliate_inactive")
    assert reason(MATCHED, begun(always, campaign=None)) == ("LOW", "campaign_not_live")
    assert reason(MATCHED, begun(always, campaign_id=None, campaign=None)) == ("HIGH", "renewal_matched")


@pytest.mark.parametrize("metadata", [None, {}, {"renewal": "yes"}, {"renewal": 1}, {"subscription": 7}])
def test_only_true_makes_a_renewal_and_only_text_names_a_subscription(metadata: dict[str, object] | None) -> None:
    assert stated_renewal(metadata) == Renewal(False, None)
    assert stated_renewal({"renewal": True, "subscription": "sub_1"}) == Renewal(True, "sub_1")


def test_the_sentence_for_affiliates_says_it() -> None:
    assert "renewal" not in policy_sentence(DEFAULT_POLICY)
    assert "the first 3 renewals of a subscription" in policy_sentence(policy("TIMES", 3))
    assert "earn nothing" in policy_sentence(policy("NEVER"))
    assert "every renewal" in policy_sentence(policy("ALWAYS"))
