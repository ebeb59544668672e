"""Statements: to an affiliate for each run, and to a merchant for each month."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Final, NamedTuple, TypedDict, TypeVar

from hub.domain.books.book_time import span_of_month
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.payouts.payees import Payee, payee_from_json, payee_identity
from hub.domain.words import BilledWhen
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import books_in, zone_of_books
from hub.operations.money.payees.payees import load_payees
from hub.operations.money.payouts.payout_documents import (
    LineDocument,
    line_document,
    mark_of,
    require_run,
    sent_document,
)
from hub.operations.money.tax.self_billing import SelfBilled, self_billed
from hub.operations.references import merchant_id_of
from hub.records.statements import MerchantStatement, OwedDocument
from hub.sealing import Sealer
from hub.storage import Row, Store, Tx

Shown = TypeVar("Shown", bound=OwedDocument)
BILLED_COMMISSIONS: Final[Mapping[BilledWhen, str]] = {
    "paid": "Affiliates' commissions that were paid",
    "payable": "Affiliates' commissions that became payable",
}
"""What a merchant is billed, as a bill says it."""
ROUNDING = (
    "Each line is rounded once to the currency's smallest unit, halves up; totals are sums of rounded lines, so they "
    "need no rounding of their own."
)


class StatementPart(SelfBilled, TypedDict):
    """An affiliate's account in one currency; amounts are decimal text, `invoice` the number of a self-billed one.

    `invoiceAmount` is what that invoice is over, which leaves out what an earlier one has; `corrects` are the numbers
    of the invoices that its refunds take back from. `invoiceNumber` and `corrected` are the same as the invoices say
    it, each company of the network with a series of its own; `invoiceTo` is the company as it was, and `vatNote` the
    sentence that VAT asks for. `sentCurrency`, `sentAmount` and `exchangeRate` are what is sent of `paid` in another
    currency; null if it is sent as it is.
    """

    currency: str
    balanceBefore: str
    commissions: str
    adjustments: str
    paid: str
    balanceAfter: str
    status: str
    reference: str | None
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None
    lines: list[LineDocument]


class PayeeLines(TypedDict):
    """Who the statement is for, as the payee was when an invoice was issued, else as it is now."""

    name: str
    address: list[str]
    taxId: str | None


class StatementDocument(TypedDict):
    """What a run paid an affiliate, and for what; `mark` is "TEST" for a run of test accounts."""

    payoutId: str
    mark: str | None
    status: str
    affiliateId: str
    affiliateName: str
    payee: PayeeLines | None
    createdAt: str
    releasedAt: str | None
    issuer: str
    rounding: str
    parts: list[StatementPart]


class Owed(NamedTuple):
    """What a merchant owes in one currency, in minor units; `payments` is how many commissions were paid."""

    currency: str
    commissions_minor: int
    payments: int
    corrections_minor: int
    fee_minor: int
    deposit_minor: int = 0
    """At most nought: what the merchant's deposit has paid of it."""

    @property
    def net_minor(self) -> int:
        """What is billed, before VAT and before what the deposit has paid."""
        return self.commissions_minor + self.corrections_minor + self.fee_minor

    @property
    def total_minor(self) -> int:
        """All of it; negative if corrections took back more than was paid."""
        return self.net_minor + self.deposit_minor


async def affiliate_statement(
    store: Store, sealer: Sealer, payout_id: str, affiliate: str, issuer: str
) -> StatementDocument:
    """Return what a run paid an affiliate; `issuer` is the name of the network.

    Raise `OperatorFault` if the run is unknown or has nothing of the affiliate.
    """
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        row = await require_affiliate(tx, affiliate)
        affiliate_id = row["affiliate_id"]
        items = await tx.all("payout_items_to", payout_id=payout_id, affiliate_id=affiliate_id)
        if not items:
            raise OperatorFault(f"Payout {payout_id} has nothing of affiliate {affiliate_id}.")
        lines = await tx.all("payout_lines_of", payout_id=payout_id, affiliate_id=affiliate_id)
        invoices = {
            i["currency"]: i for i in await tx.all("invoices_of", payout_id=payout_id, affiliate_id=affiliate_id)
        }
        payee = await _payee(tx, sealer, affiliate_id, list(invoices.values()))
    return {
        "payoutId": payout_id,
        "mark": mark_of(run["mode"]),
        "status": run["status"],
        "affiliateId": affiliate_id,
        "affiliateName": row["name"],
        "payee": None if payee is None else _payee_lines(payee),
        "createdAt": format_instant(run["created_at"]),
        "releasedAt": None if run["released_at"] is None else format_instant(run["released_at"]),
        "issuer": issuer,
        "rounding": ROUNDING,
        "parts": [_part(item, lines, self_billed(invoices.get(item["currency"]), payee)) for item in items],
    }


async def merchant_statement(store: Store, merchant: str, month: str, mode: str = "live") -> MerchantStatement:
    """Return what a merchant owes for a month such as "2026-11"; raise `OperatorFault` for another form."""
    async with store.read() as tx:
        since, until = month_span(month, await zone_of_books(tx))
        merchant_id = await merchant_id_of(tx, merchant)
        account = await tx.one("test_account", merchant_id=merchant_id, mode=mode)
        if account is None:
            raise OperatorFault(f"Merchant {merchant_id} has no {mode} account.")
        owed, books = await owed_in(tx, account["account_id"], since, until), await books_in(tx)
    return MerchantStatement(
        merchant_id=merchant_id, mode=account["mode"], mark=mark_of(mode), month=month, rounding=ROUNDING,
        billed=books["billed"], owed=tuple(owed_document(OwedDocument, each) for each in owed),
    )  # fmt: skip


async def owed_in(tx: Tx, account_id: str, since: int, until: int) -> list[Owed]:
    """Return what an account owes of a time (ms UTC, the end exclusive), by currency."""
    span = {"account_id": account_id, "since": since, "until": until}
    rows = {(row["currency"], row["what"]): row for row in await tx.all("owed_by_account", **span)}

    def sum_of(currency: str, what: str, name: str = "minor") -> int:
        row = rows.get((currency, what))
        return 0 if row is None else int(row[name])

    return [
        Owed(
            currency,
            sum_of(currency, "commission"),
            sum_of(currency, "commission", "entries"),
            sum_of(currency, "correction"),
            sum_of(currency, "fee"),
            sum_of(currency, "commission", "deposit_minor") + sum_of(currency, "cover", "deposit_minor"),
        )
        for currency in sorted({currency for currency, _ in rows})
    ]


def owed_document(kind: type[Shown], owed: Owed) -> Shown:
    """Return what is owed as a kind of record shows it, in major units."""
    return kind(
        currency=owed.currency,
        payments=owed.payments,
        commissions=format_money(owed.commissions_minor, owed.currency),
        corrections=format_money(owed.corrections_minor, owed.currency),
        fee=format_money(owed.fee_minor, owed.currency),
        deposit=format_money(owed.deposit_minor, owed.currency),
        total=format_money(owed.total_minor, owed.currency),
    )


def month_span(text: str, zone: tzinfo) -> tuple[int, int]:
    """Return the first moments of a month of the books like 2026-11 and of the next, in ms UTC.

    Raise `OperatorFault` for any other text.
    """
    try:
        return span_of_month(text, zone)
    except ValueError:
        raise OperatorFault(f"{text!r} is not a month; write it like 2026-11.") from None


async def _payee(tx: Tx, sealer: Sealer, affiliate_id: str, invoices: Sequence[Row]) -> Payee | None:
    if invoices:
        opened = sealer.open(invoices[0]["sealed_payee"], payee_identity(affiliate_id))
        return payee_from_json(json.loads(opened))
    return (await load_payees(tx, sealer, [affiliate_id])).get(affiliate_id)


def _payee_lines(payee: Payee) -> PayeeLines:
    address = [payee.street, f"{payee.postal_code} {payee.city}", payee.country]
    return {"name": payee.legal_name, "address": address, "taxId": payee.tax_id}


def _part(item: Row, lines: Sequence[Row], billed: SelfBilled) -> StatementPart:
    currency = item["currency"]
    own = [line for line in lines if line["currency"] == currency and line["status"] != "DROPPED"]
    corrections = item["adjustments_minor"]
    carried = item["status"] == "CARRIED"
    amount = item["amount_minor"]
    return {
        "currency": currency,
        **billed,
        "balanceBefore": format_money(amount, currency),
        "commissions": format_money(amount - corrections, currency),
        "adjustments": format_money(corrections, currency),
        "paid": format_money(0 if carried else amount, currency),
        "balanceAfter": format_money(amount if carried or item["status"] == "RETURNED" else 0, currency),
        "status": item["status"],
        "reference": item["reference"],
        **sent_document(item),
        "lines": [line_document(line) for line in own],
    }
