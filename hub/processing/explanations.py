"""Parts of an event's explanation, as the API's event lookup shows them."""

from __future__ import annotations

from hub.domain.attribution import Attribution
from hub.processing.ledger_rows import Conversion


def explain_attribution(attribution: Attribution) -> dict[str, object]:
    """Return the `attribution` part of an event's explanation."""
    return {
        "confidence": attribution.confidence,
        "reason": attribution.reason,
        "clickId": attribution.click_id,
        "affiliateId": attribution.affiliate_id,
        "campaignId": attribution.campaign_id,
        "clickAgeSeconds": attribution.click_age_seconds,
        "windowSeconds": attribution.window_seconds,
    }


def known_attribution(conversion: Conversion) -> dict[str, object]:
    """Return the same of a stored conversion; only the event that created it knows the age of its click."""
    return {
        "confidence": conversion.confidence,
        "reason": conversion.reason,
        "clickId": conversion.click_id,
        "affiliateId": conversion.affiliate_id,
        "campaignId": conversion.campaign_id,
        "clickAgeSeconds": None,
        "windowSeconds": None,
    }
