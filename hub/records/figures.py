"""What happened in a period, in one currency: by day, campaign, affiliate, product or link."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.records.explanations import AFFILIATE, CAMPAIGN
from hub.records.record import Note
from hub.records.scalars import Currency, MoneySum
from hub.validation.inputs import leading


@frozen(kw_only=True, slots=False)
class PeriodFigures:
    """What happened in a period, in one currency; clicks are a line without a currency."""

    currency: Annotated[Currency | None, Note("The currency of the money; null in the line of the clicks.", "USD")]
    clicks: Annotated[int, Note("Clicks on links of this account.", 0)]
    orders: Annotated[int, Note("Orders, whoever they are attributed to.", 1)]
    attributed: Annotated[int, Note("Those of them that a click proves.", 1)]
    revenue: Annotated[MoneySum | None, Note("The orders' amounts.", "49.90")]
    refunds: Annotated[MoneySum | None, Note("What was refunded of them.", "0.00")]
    commission: Annotated[
        MoneySum | None, Note("What they earn affiliates, by now: all that was not rejected.", "3.99")
    ]
    pending: Annotated[MoneySum | None, Note("Commissions that are PENDING.", "0.00")]
    hold: Annotated[MoneySum | None, Note("Commissions on HOLD.", "3.99")]
    approved: Annotated[MoneySum | None, Note("Commissions that are APPROVED.", "0.00")]
    payable: Annotated[MoneySum | None, Note("Commissions that are PAYABLE.", "0.00")]
    paid: Annotated[MoneySum | None, Note("Commissions that are PAID.", "0.00")]
    rejected: Annotated[
        MoneySum | None, Note("Commissions that were REJECTED, with what they would have been.", "0.00")
    ]


@frozen(kw_only=True, slots=False, field_transformer=leading("day"))
class DailyFigures(PeriodFigures):
    """What happened on a day, in one currency; the clicks of a day are a line without a currency."""

    day: Annotated[str, Note("The day, UTC: that of the orders, or of the clicks.", "2026-11-20", "date")]


@frozen(kw_only=True, slots=False, field_transformer=leading("id", "name"))
class FiguresOf(PeriodFigures):
    """What a campaign or an affiliate brought in a period, in one currency; clicks are a line without a currency."""

    id: Annotated[str | None, Note("The hub's id; null for what belongs to none.", CAMPAIGN)]
    name: Annotated[str | None, Note("Its name.", "Spring sale")]


@frozen(kw_only=True, slots=False)
class FiguresOfProduct:
    """What was sold of a product in a period, in one currency."""

    external_product_id: Annotated[
        str | None, Note("Your id of the product; null for what is not in the catalogue.", "SKU-1")
    ]
    name: Annotated[str | None, Note("Its name.", "Walking shoe")]
    currency: Annotated[Currency, Note("The currency of the money.", "USD")]
    orders: Annotated[int, Note("Orders that have it.", 1)]
    units: Annotated[int, Note("How many were bought.", 1)]
    revenue: Annotated[MoneySum, Note("Their money.", "49.90")]


@frozen(kw_only=True, slots=False)
class FiguresOfLink:
    """What a link brought in a period, in one currency; clicks are a line without a currency."""

    code: Annotated[str, Note("The link's code.", "Yj3kPq8sLm2T")]
    affiliate_id: Annotated[str, Note("Whose link it is.", AFFILIATE)]
    campaign_id: Annotated[str | None, Note("The campaign that it belongs to; null for none.", CAMPAIGN)]
    destination: Annotated[str, Note("Where it leads.", "https://shop.example/p/1")]
    currency: Annotated[Currency | None, Note("The currency of the money; null for the line of the clicks.")]
    clicks: Annotated[int, Note("Its clicks.", 120)]
    orders: Annotated[int, Note("Orders that were attributed to it.", 0)]
    rejections: Annotated[int, Note("How many of them earn nothing.", 0)]
    commission: Annotated[MoneySum | None, Note("What the others earn; null for the line of the clicks.")]
