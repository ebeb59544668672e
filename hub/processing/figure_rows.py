"""The figures of days and products as the store keeps them, typed: each record is a row of its queries."""

from __future__ import annotations

from typing import NamedTuple


class DayRow(NamedTuple):
    """What happened on a day since 1970 (UTC) for a campaign, an affiliate and a currency: "" for none, "*" for all.

    Amounts are in minor units of the currency; the states have how many commissions are in each, and their amounts.
    """

    account_id: str
    day: int
    campaign_id: str
    affiliate_id: str
    currency: str
    clicks: int
    orders: int
    high: int
    revenue_minor: int
    refunds_minor: int
    pending: int
    pending_minor: int
    hold: int
    hold_minor: int
    approved: int
    approved_minor: int
    payable: int
    payable_minor: int
    paid: int
    paid_minor: int
    rejected: int
    rejected_minor: int


class ProductRow(NamedTuple):
    """What was sold of a product ("" for what is not in the catalogue) on a day since 1970 (UTC), in a currency."""

    account_id: str
    day: int
    external_product_id: str
    currency: str
    orders: int
    units: int
    revenue_minor: int


class PlaceRow(NamedTuple):
    """What an affiliate's campaign, link or sub-id (`place`, see `PLACES`) brought on a day since 1970 (UTC).

    `earned_minor` are the commissions that were not rejected, in minor units of the currency; clicks have none: "".
    """

    account_id: str
    affiliate_id: str
    place: str
    day: int
    name: str
    currency: str
    clicks: int
    orders: int
    rejected: int
    earned_minor: int


NOTHING_OF_ORDERS = (0,) * (len(DayRow._fields) - 6)
"""The numbers of a day of clicks."""
