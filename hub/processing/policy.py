"""The hub's own defaults, for what neither campaign nor merchant sets."""

from __future__ import annotations

from attrs import frozen

from hub.config.settings import Settings
from hub.domain.orders.commission import Rule


@frozen
class Policy:
    """The platform's commission rule, hold and attribution window; durations in milliseconds.

    With `adjust_at_once` a refund after the payout corrects the next one; else an operator approves each correction.
    `customer_key` is that of the hashes by which customers are known again.
    """

    hold_ms: int
    default_window_ms: int
    platform_rule: Rule
    adjust_at_once: bool = True
    customer_key: bytes = b""


def policy_of(settings: Settings) -> Policy:
    """Return the defaults that the settings state."""
    return Policy(
        hold_ms=settings.commission.hold,
        default_window_ms=settings.attribution.default_window,
        platform_rule=Rule("PERCENTAGE", settings.commission.platform_percentage),
        adjust_at_once=settings.payouts.adjustments == "automatic",
    )
