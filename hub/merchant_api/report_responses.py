"""The answers of the reports by campaign, affiliate and product, and of a month's statement."""

from __future__ import annotations

from attrs import field, frozen

from hub.domain.words import BilledWhen
from hub.records.figures import FiguresOf
from hub.records.record import ABSENT
from hub.records.scalars import Currency, MoneySum


@frozen
class FiguresReport:
    """The campaigns or the affiliates of a period, the most revenue first."""

    data: list[FiguresOf]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class FiguresOfProduct:
    """What was sold of a product in a period, in one currency."""

    external_product_id: str | None
    name: str | None
    currency: Currency
    orders: int
    units: int
    revenue: MoneySum


@frozen
class ProductReport:
    """The products of a period, the most revenue first."""

    data: list[FiguresOfProduct]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class FiguresOfLink:
    """What a link brought in a period, in one currency; clicks are a line without a currency."""

    code: str
    affiliate_id: str
    campaign_id: str | None
    destination: str
    currency: Currency | None
    clicks: int
    orders: int
    rejections: int
    commission: MoneySum | None


@frozen
class LinkReport:
    """The links of a period, the most clicks first."""

    data: list[FiguresOfLink]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class BalanceRecord:
    """What the account's commissions come to by now, in one currency."""

    currency: Currency
    pending: MoneySum
    hold: MoneySum
    approved: MoneySum
    payable: MoneySum
    paid: MoneySum
    rejected: MoneySum


@frozen
class BalanceList:
    """The balances of the account, by currency."""

    data: list[BalanceRecord]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class OwedAmount:
    """What the account owes for a month in one currency."""

    currency: Currency
    commissions: MoneySum
    payments: int
    corrections: MoneySum
    fee: MoneySum
    deposit: MoneySum
    total: MoneySum


@frozen
class StatementRecord:
    """What the account owes for a month."""

    month: str
    time_zone: str
    billed: BilledWhen
    owed: list[OwedAmount]


@frozen
class StatementList:
    """The months in which something was owed, newest first."""

    data: list[StatementRecord]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)
