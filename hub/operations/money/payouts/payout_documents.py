"""Payout runs as commands and pages show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypedDict

from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import format_money
from hub.operations.errors import OperatorFault, known
from hub.operations.money.payouts.overdue import StoppedMerchant
from hub.storage import Row, Tx

TEST_MARK: Final = "TEST"
LINES_SHOWN: Final = 500
"""How many lines of a run a page has."""
ITEMS_SHOWN: Final = 1_000
"""How many payments of a run a document has: a run may have hundreds of thousands."""


class ItemDocument(TypedDict):
    """What a run pays an affiliate in one currency; amounts are decimal text, `commissions` and `adjustments` counts.

    `carried` says whether the balance waits for the next run instead, and `carriedReason` why (`CarriedReason` of
    hub/domain/words.py). `fileId` is the file for a bank that has it, `question` a later word of the bank that
    contradicts what is known. `sentCurrency`, `sentAmount` and `exchangeRate` are what is sent in another currency than
    was earned, and so many of it for one of `currency`; null if it is sent as it is.
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
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None


class SentDocument(TypedDict):
    """What is sent of a payment in another currency than was earned, and by which rate; null if it is sent as it is."""

    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None


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
    """What a run pays in one currency, the one that is sent, by how many payments."""

    currency: str
    amount: str
    payments: int


class RunDocument(TypedDict):
    """A run; `status` is PREVIEW or a word of `PayoutStatus` (hub/domain/words.py), `id` is null for a preview.

    `mark` is "TEST" for a run of test accounts, which pays nobody. `items` are some of its payments; `nextItem` is what
    the next ones are asked for by, null if there are none. `minimum` is the least that it pays, by currency.
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
    minimum: str
    totals: list[TotalDocument]
    items: list[ItemDocument]
    nextItem: str | None


class ShownRun(RunDocument):
    """A run with a page of its lines; `nextLine` is what the next page is asked for by, null if there is none."""

    lines: list[LineDocument]
    nextLine: str | None


class PreviewedRun(ShownRun):
    """A run that would be made, and the merchants of which it pays nothing, because they owe too much overdue.

    `lineCount` is how many lines its payments would have.
    """

    lineCount: int
    stopped: list[StoppedMerchant]


class LinePlace(NamedTuple):
    """The place of a line in a run, by the columns that lines are read in the order of; `LinePlace()` is before all."""

    after_affiliate: str = ""
    after_currency: str = ""
    after_account: str = ""
    after_line: str = ""

    @classmethod
    def of(cls, row: Row) -> LinePlace:
        """Return the place of a line."""
        return cls(row["affiliate_id"], row["currency"], row["account_id"], row["line_id"])


class ItemPlace(NamedTuple):
    """The place of a payment in a run, by the columns of its order; `ItemPlace()` is before all."""

    affiliate_id: str = ""
    currency: str = ""

    @classmethod
    def of(cls, row: Row) -> ItemPlace:
        """Return the place of a payment."""
        return cls(row["affiliate_id"], row["currency"])

    @classmethod
    def at(cls, text: str) -> ItemPlace:
        """Return the place that a page ended with, like "aff_1:EUR"; empty is before all."""
        affiliate_id, _, currency = text.partition(":")
        return cls(affiliate_id, currency)

    def __str__(self) -> str:
        """Return it as the next page is asked for by."""
        return ":".join(self)


class LinesPage(TypedDict):
    """Some lines, and the place that the next ones are asked for by."""

    lines: list[LineDocument]
    nextLine: str | None


def place_of(text: str) -> LinePlace:
    """Return the place that a page ended with, the first for nothing; raise `OperatorFault` for another text."""
    if not text:
        return LinePlace()
    parts = text.split(",")
    if len(parts) != len(LinePlace._fields):
        raise OperatorFault(f"{text!r} is no place in a run's lines; take the nextLine of the page before.")
    return LinePlace(*parts)


def page_of_lines(rows: Sequence[Row], limit: int) -> LinesPage:
    """Return the first `limit` of some lines as a page; whether there is one more says whether another page follows."""
    shown = rows[:limit]
    more = shown and len(rows) > limit
    return {
        "lines": [line_document(row) for row in shown],
        "nextLine": ",".join(LinePlace.of(shown[-1])) if more else None,
    }


def end_to_end_id(payout_id: str, affiliate_id: str, exchanged_from: str = "") -> str:
    """Return the reference of a payment, at most 35 characters that no two share: the ends of both ids.

    One that is sent in another currency than `exchanged_from` names that as well, beside what was earned in the other.
    """
    if exchanged_from:
        return f"{short_id(payout_id)[-12:]}/{short_id(affiliate_id)[-18:]}/{exchanged_from}"
    return f"{short_id(payout_id)[-12:]}/{short_id(affiliate_id)[-22:]}"


def sent_of(item: Row) -> tuple[str, int]:
    """Return in which currency a payment (a row with its exchange) is sent, and how much in minor units."""
    if item["sent_currency"] is None:
        return item["currency"], item["amount_minor"]
    return item["sent_currency"], item["sent_minor"]


def sent_document(item: Row) -> SentDocument:
    """Return what is sent of a payment (a row with its exchange) in another currency than was earned."""
    currency = item["sent_currency"]
    if currency is None:
        return {"sentCurrency": None, "sentAmount": None, "exchangeRate": None}
    return {
        "sentCurrency": currency,
        "sentAmount": format_money(item["sent_minor"], currency),
        "exchangeRate": item["rate"],
    }


def short_id(id_: str) -> str:
    """Return an id without its kind and dashes, as banks take it."""
    return id_.partition("_")[2].replace("-", "") or id_


async def require_run(tx: Tx, payout_id: str) -> Row:
    """Return a run; raise `OperatorFault` if it is unknown."""
    row = await tx.one("payout_found", payout_id=payout_id)
    return known(row, "payout", payout_id, command="`hub payout list` shows them all.")


def run_document(run: Row, totals: Sequence[Row], items: Sequence[Row], limit: int) -> RunDocument:
    """Return the document of a stored run with the first `limit` of some items; one more says that others follow."""
    shown = items[:limit]
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
        "minimum": run["minimum"],
        "totals": totals_of({row["currency"]: (row["amount_minor"], row["payments"]) for row in totals}),
        "items": [item_document(item) for item in shown],
        "nextItem": str(ItemPlace.of(shown[-1])) if shown and len(items) > limit else None,
    }


def mark_of(mode: str) -> str | None:
    """Return what everything that belongs to a run of this mode is marked with."""
    return TEST_MARK if mode == "test" else None


def totals_of(sums: Mapping[str, tuple[int, int]]) -> list[TotalDocument]:
    """Return sums of payments by currency, each (minor units, how many payments)."""
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
        **sent_document(item),
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
