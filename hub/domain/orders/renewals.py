"""Who earns by a subscription's renewal: what the campaign of the order that began it says of renewals.

A shop says in an order's `metadata` that it renews a subscription, and which. By default a renewal is an order like any
other, decided by its click inside the campaign's window; a campaign may let renewals earn never, so many times, or
always, and then it is the affiliate of the order that began the subscription who earns, whatever became of the click.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hub.domain.orders.attribution import Attribution, Reason
from hub.domain.orders.attribution_policy import AttributionPolicy, PolicyDecision
from hub.domain.orders.campaigns import CampaignLife, live_at

RENEWAL: Final = "renewal"
"""The member of an order's `metadata` that is true for a renewal."""
SUBSCRIPTION: Final = "subscription"
"""The member that names the subscription: in renewals, and in the order that began it where the shop knows it then."""
TOLD: Final = frozenset({RENEWAL, SUBSCRIPTION})
LONGEST_ID: Final = 255


class Renewal(NamedTuple):
    """What an order says of its subscription: whether it renews one, and the shop's id of it, None if it names none."""

    renews: bool
    subscription: str | None


class Beginning(NamedTuple):
    """The attributed order that began what a renewal renews, and how many renewals of it have earned before.

    `campaign` is None for a link without one, or a campaign that is no more.
    """

    click_id: str | None
    affiliate_id: str
    affiliate_active: bool
    campaign_id: str | None
    campaign: CampaignLife | None
    policy: AttributionPolicy
    earned: int


def stated_renewal(metadata: Mapping[str, Any] | None) -> Renewal:
    """Return what an order's metadata says of a subscription; what has another type says nothing."""
    told = metadata or {}
    named = told.get(SUBSCRIPTION)
    known = isinstance(named, str) and 0 < len(named) <= LONGEST_ID
    return Renewal(told.get(RENEWAL) is True, named if known else None)


def apply_renewal(found: PolicyDecision, beginning: Beginning | None, ordered_at: int) -> PolicyDecision:
    """Return who earns by a renewal of `ordered_at` (ms UTC) that would be decided as `found` if it were none."""
    policy = found.policy if beginning is None else beginning.policy
    if policy.renewals == "WITHIN_WINDOW":
        return found
    if policy.renewals == "NEVER":
        return _left_out(found, policy, beginning, "renewal_excluded")
    if beginning is None:
        return found  # no order of an affiliate began it: its own click is all that speaks for anybody
    if policy.renewals == "TIMES" and beginning.earned >= policy.renewal_times:
        return _left_out(found, policy, beginning, "renewals_used_up")
    reason = _reason(beginning, ordered_at)
    return PolicyDecision(
        _as_begun(found.attribution, beginning, reason),
        policy,
        "renewal",
    )


def _left_out(
    found: PolicyDecision, policy: AttributionPolicy, beginning: Beginning | None, reason: Reason
) -> PolicyDecision:
    if beginning is not None:
        return PolicyDecision(_as_begun(found.attribution, beginning, reason), policy, "renewal")
    return PolicyDecision(found.attribution._replace(confidence="LOW", reason=reason), policy, "renewal")


def _as_begun(clicked: Attribution, beginning: Beginning, reason: Reason) -> Attribution:
    """Return the attribution to the affiliate of the order that began it; the click's age is that of its own click."""
    return clicked._replace(
        confidence="HIGH" if reason == "renewal_matched" else "LOW",
        reason=reason,
        affiliate_id=beginning.affiliate_id,
        campaign_id=beginning.campaign_id,
    )


def _reason(beginning: Beginning, ordered_at: int) -> Reason:
    """Return whether the affiliate may still earn: only the window does not count for renewals."""
    campaign = beginning.campaign
    if beginning.campaign_id is not None and (campaign is None or not live_at(campaign, ordered_at)):
        return "campaign_not_live"
    return "renewal_matched" if beginning.affiliate_active else "affiliate_inactive"
