"""Whose click led to an order: HIGH if a live click proves it, else LOW with the first reason that fails.

The rules are the API specification's, Attribution.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from hub.domain.durations import DAY, MINUTE, SECOND
from hub.domain.orders.campaigns import CampaignLife, live_at
from hub.domain.words import Confidence

__all__ = [
    "CLOCK_TOLERANCE_MS",
    "SESSION_WINDOW_MS",
    "Attribution",
    "CampaignLife",
    "Click",
    "Confidence",
    "Reason",
    "attribute",
    "well_formed_click",
    "window_ms",
]

Reason = Literal[
    "matched",
    "click_missing",
    "click_malformed",
    "click_unknown",
    "click_after_order",
    "click_outside_window",
    "campaign_not_live",
    "affiliate_inactive",
    "coupon_owner",
    "coupon_matched",
    "coupon_excluded",
    "sub_affiliate_excluded",
    "customer_not_new",
    "customer_unknown",
    "renewal_matched",
    "renewal_excluded",
    "renewals_used_up",
    "customer_matched",
]
"""The last ten are those of a campaign's own policy (hub/domain/orders/attribution_policy.py).

No order is decided by `coupon_matched` any more: stored explanations of orders that a coupon decided before have it.
"""

CLOCK_TOLERANCE_MS: Final = 5 * MINUTE
"""How long after its order a click may be recorded, since the shop's clock and ours differ."""

SESSION_WINDOW_MS: Final = DAY
"""The window of a campaign whose cookieDurationDays is 0: a session, which we count as 24 hours."""

_CLICK: Final = re.compile(r"clk_[0-9a-fA-F]{8}(-?)[0-9a-fA-F]{4}\1[0-9a-fA-F]{4}\1[0-9a-fA-F]{4}\1[0-9a-fA-F]{12}")


class Click(NamedTuple):
    """A recorded click; `clicked_at` is ms UTC, `campaign_id` is None if the link belongs to no campaign."""

    click_id: str
    affiliate_id: str
    campaign_id: str | None
    clicked_at: int


class Attribution(NamedTuple):
    """The decision and its reason; affiliate, campaign, age and window (whole seconds) are None without a click."""

    confidence: Confidence
    reason: Reason
    click_id: str | None
    affiliate_id: str | None
    campaign_id: str | None
    click_age_seconds: int | None
    window_seconds: int | None


def well_formed_click(text: str) -> bool:
    """Return whether a text looks like a click id: "clk_" and a uuid, with all its dashes or none, hex in any case."""
    return _CLICK.fullmatch(text) is not None


def attribute(
    click_id: str | None,
    ordered_at: int,
    click: Click | None,
    campaign: CampaignLife | None,
    affiliate_active: bool,
    default_window_ms: int,
) -> Attribution:
    """Decide the attribution of an order of `ordered_at` (ms UTC, its receipt at the latest) that names `click_id`.

    `click` is the account's click of that id and `campaign` that click's campaign, None if there is none.
    """
    if click is None:
        return Attribution("LOW", _reason_without_click(click_id), click_id, None, None, None, None)
    age = max(0, ordered_at - click.clicked_at)
    window = window_ms(campaign, default_window_ms)
    reason = _reason(click, campaign, ordered_at, age <= window, affiliate_active)
    return Attribution(
        "HIGH" if reason == "matched" else "LOW",
        reason,
        click_id,
        click.affiliate_id,
        click.campaign_id,
        age // SECOND,
        window // SECOND,
    )


def window_ms(campaign: CampaignLife | None, default_ms: int) -> int:
    """Return how many ms before an order its click may come: the campaign's cookieDurationDays or the default."""
    if campaign is None or campaign.cookie_duration_days is None:
        return default_ms
    return campaign.cookie_duration_days * DAY or SESSION_WINDOW_MS


def _reason_without_click(click_id: str | None) -> Reason:
    if not click_id:
        return "click_missing"
    return "click_unknown" if well_formed_click(click_id) else "click_malformed"


def _reason(
    click: Click, campaign: CampaignLife | None, ordered_at: int, inside_window: bool, affiliate_active: bool
) -> Reason:
    if click.clicked_at - ordered_at > CLOCK_TOLERANCE_MS:
        return "click_after_order"
    if not inside_window:
        return "click_outside_window"
    # A shop that states the order's time in whole seconds may place it before its own click, which it cannot precede.
    order_moment = max(ordered_at, click.clicked_at)
    if click.campaign_id is not None and (campaign is None or not live_at(campaign, order_moment)):
        return "campaign_not_live"
    return "matched" if affiliate_active else "affiliate_inactive"
