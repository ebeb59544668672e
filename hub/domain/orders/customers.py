"""The customer as a witness: an order without a click, of somebody whose earlier order an affiliate earned by.

Off by default. A campaign may name a time in days; for as long after an order that earned by its click or coupon, a
keyed hash of its buyer's e-mail address is kept, and lets an order of the same buyer earn for the same affiliate. Any
click or deciding coupon that an order brings itself is heard first. An order that earns this way keeps nothing, so the
time runs from the last order that an affiliate brought.
"""

from __future__ import annotations

import hmac
from typing import Final, NamedTuple

from hub.domain.durations import DAY, SECOND
from hub.domain.orders.attribution import Reason
from hub.domain.orders.attribution_policy import AttributionPolicy, KnownBy, OrderSigns, PolicyDecision, leave_out
from hub.domain.orders.campaigns import CampaignLife, live_at

_BYTES: Final = 16


class Witness(NamedTuple):
    """A customer's latest order that earned and was kept; `campaign` is None for one that is no more."""

    order: KnownBy
    affiliate_id: str
    affiliate_active: bool
    campaign_id: str | None
    campaign: CampaignLife | None
    policy: AttributionPolicy


def customer_hash(key: bytes, account_id: str, customer: str) -> str | None:
    """Return 32 hex digits of a customer within an account, in whatever case the shop writes them; None of a blank."""
    name = customer.strip().casefold()
    if not name:
        return None
    return hmac.digest(key, f"{account_id}\0{name}".encode(), "sha256")[:_BYTES].hex()


def kept_until(found: PolicyDecision, ordered_at: int) -> int | None:
    """Return until when (ms UTC) the customer of an order of `ordered_at` is known by it; None if they are not."""
    earns = found.attribution.confidence == "HIGH" and found.attribution.affiliate_id is not None
    if not earns or found.decided_by not in ("click", "coupon") or not found.policy.customer_days:
        return None
    return ordered_at + found.policy.customer_days * DAY


def apply_customer(
    found: PolicyDecision, witness: Witness | None, signs: OrderSigns, ordered_at: int
) -> PolicyDecision:
    """Return who earns by an order of `ordered_at` (ms UTC) that would be decided as `found` by click and coupon.

    The customer is heard only of an order that names no click, and whose coupon is nobody else's.
    """
    if witness is None or found.attribution.reason != "click_missing":
        return found
    age, longest = ordered_at - witness.order.ordered_at, witness.policy.customer_days * DAY
    if not 0 <= age <= longest or longest == 0 or signs.coupon_owner not in (None, witness.affiliate_id):
        return found
    reason = _reason(witness, ordered_at)
    known = found.attribution._replace(
        confidence="HIGH" if reason == "customer_matched" else "LOW", reason=reason, affiliate_id=witness.affiliate_id,
        campaign_id=witness.campaign_id, window_seconds=longest // SECOND,
    )  # fmt: skip
    return leave_out(PolicyDecision(known, witness.policy, "customer", witness.order), signs)


def _reason(witness: Witness, ordered_at: int) -> Reason:
    if witness.campaign is None or not live_at(witness.campaign, ordered_at):
        return "campaign_not_live"
    return "customer_matched" if witness.affiliate_active else "affiliate_inactive"
