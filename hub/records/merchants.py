"""A merchant, as the operator sees it."""

from __future__ import annotations

from typing import Annotated, Literal

from attrs import frozen

from hub.domain.orders.rule_kinds import TYPES_SAID, RuleType
from hub.domain.words import LiveAccess, MerchantStatus
from hub.records.orders import MERCHANT, NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant
from hub.validation.inputs import leading


@frozen
class AccountIds:
    """The ids of a merchant's two accounts."""

    test: Annotated[str, Note("The test account.", "acc_01936f3e8c7a7b3e9d5a4c2b1f0e8d91")]
    live: Annotated[str, Note("The live account.", "acc_01936f3e8c7a7b3e9d5a4c2b1f0e8d92")]


@frozen(kw_only=True, slots=False)
class ListedMerchant:
    """A merchant in a list."""

    id: Annotated[str, Note("The hub's id.", MERCHANT)]
    name: Annotated[str, Note("What it is called.", "Fjord & Fern")]
    email: Annotated[str, Note("Where mails to it go.", "ann@shop.example")]
    domains: Annotated[tuple[str, ...], Note("Its approved domains.", ("shop.example",))]
    status: Annotated[Literal[MerchantStatus, "CLOSED"], Note("CLOSED once it is closed.", "APPROVED")]
    live_access: Annotated[LiveAccess | None, Note("Whether it may issue live keys itself; null if it never asked.")]
    created_at: Annotated[int, Instant("When it was created.", NOON)]


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading(
        "id", "status", "name", "email", "domains", "currency", "commission_type", "commission_value", "hold_ms",
        "accounts",
    ),
)  # fmt: skip
class MerchantDocument(ListedMerchant):
    """A merchant; `status` is CLOSED once it is closed, and `status_reason` is what the operator gave for the status.

    `commission_value` is a percentage or an amount in `currency`. Both and `hold_ms` are null where the hub's count.
    """

    currency: Annotated[str, Note("Of its prices and FIXED commissions, for good.", "EUR")]
    commission_type: Annotated[RuleType | None, Note(f"{TYPES_SAID}; null: as the hub's.", "PERCENTAGE")]
    commission_value: Annotated[str | None, Note("Percent of an order, or money in `currency`.", "8")]
    hold_ms: Annotated[int | None, Note("How long its commissions are held, in milliseconds; null: as the hub's.")]
    accounts: Annotated[AccountIds, Note("The ids of its two accounts.")]
    updated_at: Annotated[int, Instant("When it last changed.", NOON)]
    status_reason: Annotated[str | None, Note("What the operator gave as the reason of its status; null if nothing.")]
    closed_at: Annotated[int | None, Instant("When it was closed; null while it is not.", "")]


def merchant_document(row: Row) -> MerchantDocument:
    """Return the merchant of a row of `merchant_with_accounts`."""
    accounts = AccountIds(row["test_account_id"], row["live_account_id"])
    return read_row(MerchantDocument, row, id=row["merchant_id"], accounts=accounts)
