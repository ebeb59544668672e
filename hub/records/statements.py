"""What an account's commissions come to, and what its merchant owes for a month."""

from __future__ import annotations

from typing import Annotated, Final

from attrs import frozen

from hub.domain.words import BilledWhen, Mode
from hub.records.orders import MERCHANT
from hub.records.record import Note
from hub.records.scalars import Currency, MoneySum

BILLED: Final = (
    "When a commission and the network's fee for it are owed: when it is `paid`, or when it becomes `payable`."
)


@frozen(kw_only=True, slots=False)
class BalanceRecord:
    """What the account's commissions come to by now, in one currency."""

    currency: Annotated[Currency, Note("The currency of the money.", "USD")]
    pending: Annotated[MoneySum, Note("Commissions that are PENDING.", "0.00")]
    hold: Annotated[MoneySum, Note("Commissions on HOLD.", "3.99")]
    approved: Annotated[MoneySum, Note("Commissions that are APPROVED.", "0.00")]
    payable: Annotated[MoneySum, Note("Commissions that are PAYABLE.", "0.00")]
    paid: Annotated[MoneySum, Note("Commissions that are PAID.", "0.00")]
    rejected: Annotated[MoneySum, Note("Commissions that were REJECTED, with what they would have been.", "0.00")]


@frozen(kw_only=True, slots=False)
class OwedDocument:
    """What a merchant owes for a month in one currency: commissions paid, corrections, and the network's fee."""

    currency: Annotated[Currency, Note("The currency of the money.", "USD")]
    commissions: Annotated[
        MoneySum,
        Note("Commissions that were paid in the month, or became payable in it: `billed` says which.", "3.99"),
    ]
    payments: Annotated[int, Note("How many.", 1)]
    corrections: Annotated[MoneySum, Note("Corrections of earlier ones.", "0.00")]
    fee: Annotated[MoneySum, Note("The network's fee.", "0.10")]
    deposit: Annotated[MoneySum, Note("What your deposit has paid of it, at most nought.", "0.00")]
    total: Annotated[MoneySum, Note("What is owed.", "4.09")]


@frozen(kw_only=True, slots=False)
class OwedAmount(OwedDocument):
    """What the account owes for a month in one currency."""


@frozen(kw_only=True, slots=False)
class StatementRecord:
    """What the account owes for a month."""

    month: Annotated[str, Note("The month, like 2026-11.", "2026-11")]
    time_zone: Annotated[str, Note("The time zone of the operator's books, in which the month begins and ends.", "UTC")]
    billed: Annotated[BilledWhen, Note(BILLED, "paid")]
    owed: Annotated[tuple[OwedAmount, ...], Note("What is owed for it, by currency.")]


@frozen(kw_only=True, slots=False)
class MerchantStatement:
    """A merchant's month; the month is one of the books, in their time zone."""

    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    mark: Annotated[str | None, Note("TEST for a test account, null for a live one.")]
    month: Annotated[str, Note("The month, like 2026-11.", "2026-11")]
    rounding: Annotated[str, Note("How lines and totals are rounded.")]
    billed: Annotated[BilledWhen, Note(BILLED, "paid")]
    owed: Annotated[tuple[OwedDocument, ...], Note("What is owed for it, by currency.")]
