"""Payout runs as commands and pages show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import format_money
from hub.domain.payouts import Gathered
from hub.operations.errors import unknown
from hub.operations.money.overdue import StoppedMerchant
from hub.storage import Row, Tx

TEST_MARK = "TEST"


class ItemDocument(TypedDict):
    """What a run pays an affiliate in one currency; amounts are decimal text, `commissions` and `adjustments` counts.

    `carried` says whether the balance waits for the next run instead, and `carriedReason` why (`CarriedReason` of
    hub/domain/words.py). `fileId` is the file for a bank that has it, `question` a later word of the bank that
    contradicts what is known.
    """

    affiliateId: str
    affiliateName: str | None
    currency: str
    amount: str
    commissions: int
    adjustments: int
    adjustmentsAmount: str
    carried: bool
    carriedReason: str | None
    status: str
    reference: str | None
    returnedReason: str | None
    fileId: str | None
    question: str | None


class LineDocument(TypedDict):
    """A commission or a correction in a run."""

    id: str
    affiliateId: str
    merchantId: str
    merchantName: str
    externalOrderId: str | None
    amount: str
    currency: str
    reason: str | None
    status: str


class TotalDocument(TypedDict):
    """What a run pays in one currency, to how many affiliates."""

    currency: str
    amount: str
    payments: int


class RunDocument(TypedDict):
    """A run; `status` is PREVIEW, DRAFT, RELEASING, RELEASED, SETTLED or CANCELLED, `id` is null for a preview.

    `mark` is "TEST" for a run of test accounts, which pays nobody.
    """

    id: str | None
    status: str
    mode: str
    mark: str | None
    currency: str | None
    cutoff: str
    createdBy: str | None
    createdAt: str | None
    releasedBy: str | None
    releasedAt: str | None
    totals: list[TotalDocument]
    items: list[ItemDocument]


class ShownRun(RunDocument):
    """A run with every line."""

    lines: list[LineDocument]


class PreviewedRun(ShownRun):
    """A run that would be made, and the merchants of which it pays nothing, because they owe too much overdue."""

    stopped: list[StoppedMerchant]


def end_to_end_id(payout_id: str, affiliate_id: str) -> str:
    """Return the reference of a payment, at most 35 characters that no two share: the ends of both ids."""
    return f"{short_id(payout_id)[-12:]}/{short_id(affiliate_id)[-22:]}"


def short_id(id_: str) -> str:
    """Return an id without its kind and dashes, as banks take it."""
    return id_.partition("_")[2].replace("-", "") or id_


async def require_run(tx: Tx, payout_id: str) -> Row:
    """Return a run; raise `OperatorFault` if it is unknown."""
    row = await tx.one("payout_found", payout_id=payout_id)
    if row is None:
        raise unknown("payout", payout_id, command="`hub payout list` shows them all.")
    return row


def run_document(run: Row, items: Sequence[Row]) -> RunDocument:
    """Return the document of a stored run."""
    return {
        "id": run["payout_id"],
        "status": run["status"],
        "mode": run["mode"],
        "mark": mark_of(run["mode"]),
        "currency": run["currency"],
        "cutoff": format_instant(run["cutoff_at"]),
        "createdBy": run["created_by"],
        "createdAt": format_instant(run["created_at"]),
        "releasedBy": run["released_by"],
        "releasedAt": instant_or_none(run["released_at"]),
        "totals": totals_of((i["currency"], i["amount_minor"]) for i in items if i["status"] != "CARRIED"),
        "items": [item_document(item) for item in items],
    }


def mark_of(mode: str) -> str | None:
    """Return what everything that belongs to a run of this mode is marked with."""
    return TEST_MARK if mode == "test" else None


def totals_of(paid: Iterable[tuple[str, int]]) -> list[TotalDocument]:
    """Return the sums of payments, each (currency, minor units), by currency."""
    sums: dict[str, tuple[int, int]] = {}
    for currency, minor in paid:
        total, count = sums.get(currency, (0, 0))
        sums[currency] = (total + minor, count + 1)
    return [
        {"currency": currency, "amount": format_money(total, currency), "payments": count}
        for currency, (total, count) in sorted(sums.items())
    ]


def item_document(item: Row) -> ItemDocument:
    """Return the document of an item of a run."""
    return {
        "affiliateId": item["affiliate_id"],
        "affiliateName": item["affiliate_name"],
        "currency": item["currency"],
        "amount": format_money(item["amount_minor"], item["currency"]),
        "commissions": item["commissions"],
        "adjustments": item["adjustments"],
        "adjustmentsAmount": format_money(item["adjustments_minor"], item["currency"]),
        "carried": item["status"] == "CARRIED",
        "carriedReason": item["carried"],
        "status": item["status"],
        "reference": item["reference"],
        "returnedReason": item["returned"],
        "fileId": item["file_id"],
        "question": item["question"],
    }


def line_document(line: Row) -> LineDocument:
    """Return the document of a line of a run."""
    return {
        "id": line["line_id"],
        "affiliateId": line["affiliate_id"],
        "merchantId": line["merchant_id"],
        "merchantName": line["merchant_name"],
        "externalOrderId": line["external_order_id"] or line["adjusted_order_id"],
        "amount": format_money(line["amount_minor"], line["currency"]),
        "currency": line["currency"],
        "reason": line["reason"],
        "status": line["status"],
    }


def previewed_item(gathered: Gathered, carried: str | None, name: str | None) -> ItemDocument:
    """Return the item that a run would have; `carried` is why it would be carried on, None if it would be paid."""
    return {
        "affiliateId": gathered.affiliate_id,
        "affiliateName": name,
        "currency": gathered.currency,
        "amount": format_money(gathered.amount_minor, gathered.currency),
        "commissions": gathered.commissions,
        "adjustments": gathered.adjustments,
        "adjustmentsAmount": format_money(gathered.adjustments_minor, gathered.currency),
        "carried": carried is not None,
        "carriedReason": carried,
        "status": "OPEN" if carried is None else "CARRIED",
        "reference": None,
        "returnedReason": None,
        "fileId": None,
        "question": None,
    }
