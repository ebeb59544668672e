"""What an affiliate's own API answers: commissions, links, campaigns and lines of reports, made of what pages show."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import format_money
from hub.operations.figures.affiliate_figures import Counted
from hub.operations.figures.figures import day_date
from hub.operations.orders.affiliate_reports import OwnCommission
from hub.records.campaigns import Offer
from hub.records.links import OwnLink
from hub.records.record import Pick


class OwnCommissionDocument(TypedDict):
    """A commission of yours; `amount` is decimal text in `currency`."""

    id: str
    state: str
    amount: str
    currency: str
    holdUntil: str | None
    externalOrderId: str
    orderedAt: str
    merchantId: str
    merchantName: str
    campaignTitle: str | None
    linkCode: str | None
    subIds: dict[str, str]


OWN_LINK: Final = Pick(
    OwnLink,
    "OwnLinkDocument",
    "A tracking link of yours; `stopped` says in words why it earns nothing, null if it earns.",
    only=(
        "code", "destination", "merchant_id", "merchant_name", "campaign_id", "campaign_title", "name", "sub_ids",
        "created_at", "disabled_at", "stopped",
    ),
    without=("affiliate_id", "mode", "disabled_by"),
)  # fmt: skip
OFFER_DOCUMENT: Final = Pick(
    Offer,
    "OfferDocument",
    "A campaign with what it pays; `membership` is your own, null if you take no part.",
    only=(
        "id", "campaign_code", "title", "description", "terms_and_conditions", "merchant_id", "merchant_name", "mode",
        "domains", "currency", "commission_type", "commission_value", "new_customer_commission_type",
        "new_customer_commission_value", "volume_rates", "window_ms", "hold_ms", "status", "by_approval", "who_earns",
        "membership", "reason",
    ),
    without=(
        "start_date", "end_date", "default_commission_type", "default_commission_value", "cookie_duration_days",
        "allowed_traffic_sources", "approval_required", "approval_status", "created_at", "updated_at", "listed",
        "joining", "level", "example", "has_own_rate",
    ),
    renamed={"campaign_code": "code", "terms_and_conditions": "terms"},
)  # fmt: skip


class ReportLine(TypedDict):
    """A line of a report: `key` names the day, the campaign, the link or the sub-id; `earned` is money by currency."""

    key: str
    name: str
    clicks: int
    orders: int
    rejected: int
    earned: dict[str, str]


def commission_document(each: OwnCommission) -> OwnCommissionDocument:
    """Return a commission as its affiliate reads it."""
    return {
        "id": each.commission_id,
        "state": each.state,
        "amount": format_money(each.amount_minor, each.currency),
        "currency": each.currency,
        "holdUntil": instant_or_none(each.hold_until),
        "externalOrderId": each.external_order_id,
        "orderedAt": format_instant(each.ordered_at),
        "merchantId": each.merchant_id,
        "merchantName": each.merchant_name,
        "campaignTitle": each.campaign_title,
        "linkCode": each.code,
        "subIds": dict(each.sub_ids),
    }


def line_document(each: Counted, by: str) -> ReportLine:
    """Return a line of a report; a day is written as a date."""
    key, name = (day_date(int(each.key)).isoformat(),) * 2 if by == "day" else (each.key, each.name)
    earned = {currency: format_money(minor, currency) for currency, minor in each.earned.items()}
    return {"key": key, "name": name, "clicks": each.clicks, "orders": each.orders,
            "rejected": each.rejected, "earned": earned}  # fmt: skip
