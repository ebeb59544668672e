"""What happened in a period, in one currency: by day, by campaign or by affiliate."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from hub.records.explanations import CAMPAIGN
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
