"""The answers of the lists that are read by cursor, and of the acts on their entries."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from hub.domain.changes import ChangeType
from hub.domain.words import CommissionSource, CommissionState, Mode
from hub.merchant_api.act_responses import LinkRecord
from hub.records.affiliates import AffiliateRecord
from hub.records.clicks import ClickRecord
from hub.records.events import ListedEvent
from hub.records.figures import DailyFigures
from hub.records.orders import ConversionRecord
from hub.records.record import ABSENT
from hub.records.requests import LoggedRequest
from hub.records.scalars import Currency, Money


@frozen
class CommissionRecord:
    """A commission as it is now."""

    id: str
    state: CommissionState
    amount: Money
    currency: Currency
    base: Money
    source: CommissionSource
    affiliate_id: str
    conversion_id: str
    hold_until: str | None
    paid_at: str | None
    reference: str | None
    merchant_id: str
    merchant_name: str
    affiliate_name: str | None
    mode: Mode
    updated_at: str


@frozen
class DailyReport:
    """The days of a period on which something happened, oldest first."""

    data: list[DailyFigures]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class ConversionList:
    """A page of orders; `next_updated_since` is there if `updatedSince` was."""

    data: list[ConversionRecord]
    next_cursor: str | None
    next_updated_since: str | None = field(default=None, metadata=ABSENT)
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class CommissionList:
    """A page of commissions; `next_updated_since` is there if `updatedSince` was."""

    data: list[CommissionRecord]
    next_cursor: str | None
    next_updated_since: str | None = field(default=None, metadata=ABSENT)
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class EventList:
    """A page of submissions; `next_updated_since` is there if `updatedSince` was."""

    data: list[ListedEvent]
    next_cursor: str | None
    next_updated_since: str | None = field(default=None, metadata=ABSENT)
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class LinkList:
    """A page of tracking links; `next_updated_since` is there if `updatedSince` was."""

    data: list[LinkRecord]
    next_cursor: str | None
    next_updated_since: str | None = field(default=None, metadata=ABSENT)
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class ClickList:
    """A page of clicks."""

    data: list[ClickRecord]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class AffiliateList:
    """A page of affiliates."""

    data: list[AffiliateRecord]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class RequestList:
    """A page of the request log."""

    data: list[LoggedRequest]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class ChangeRecord:
    """A record that changed, as it is now; it may be told again although nothing of it changed."""

    type: ChangeType
    id: str
    changed_at: str
    deleted: bool
    record: dict[str, Any] | None


@frozen
class ChangeList:
    """A part of the change feed."""

    data: list[ChangeRecord]
    cursor: str
    more: bool
    warnings: list[str] | None = field(default=None, metadata=ABSENT)
