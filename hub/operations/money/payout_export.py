"""A released run as a file for a bank, for PayPal or Wise, or as plain CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, TypedDict

from attrs import frozen
from stdnum import iban as iban_number
from stdnum.exceptions import ValidationError

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.payees import Method, Payee
from hub.domain.payout_batches import part_of, paypal_amount, paypal_id, why_not_paypal
from hub.domain.sepa import Debtor, Transfer, credit_transfers
from hub.domain.spreadsheets import defused
from hub.operations.errors import OperatorFault
from hub.operations.money.payees import load_payees
from hub.operations.money.payout_documents import end_to_end_id, mark_of, require_run, short_id
from hub.sealing import Sealer
from hub.storage import Row, Store

Format = Literal["sepa", "paypal", "wise", "csv"]
METHODS: Mapping[str, Method] = {"sepa": "iban", "paypal": "paypal", "wise": "wise"}


class LeftOut(TypedDict):
    """A payment that the file does not have, and why."""

    affiliateId: str
    currency: str
    amount: str
    reason: str


class ExportDocument(TypedDict):
    """What a file holds: how many payments, and those that have to be paid in another way."""

    payoutId: str
    format: str
    payments: int
    leftOut: list[LeftOut]


@frozen
class Exported:
    """A file's content, and what it holds."""

    content: bytes
    document: ExportDocument


@frozen
class Part:
    """Which payments of a batch: those of a currency (None: all, for PayPal the first), and which file of them."""

    currency: str | None = None
    number: int = 1


WHOLE: Final = Part()
WAITS: Final = "its payment details were just changed, so it waits"


async def export_run(
    store: Store, sealer: Sealer, clock: Clock, settings: PayoutSettings, payout_id: str, form: Format,
    part: Part = WHOLE,
) -> Exported:  # fmt: skip
    """Return a released run as a file: the same bytes however often it is asked for on a day.

    An account that replaced another less than `payee_wait` ago is in no file: a thief's may have got into a run that
    was there already. Raise `OperatorFault` for a run that is not released, for one of test accounts in any form but
    CSV, and if nothing of it can be paid in this way.
    """
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        _refuse(run, form)
        items = [item for item in await tx.all("payout_items_of", payout_id=payout_id)
                 if item["status"] in ("RELEASED", "SETTLED", "RETURNED")]  # fmt: skip
        payees = await load_payees(tx, sealer, [item["affiliate_id"] for item in items])
        now = clock()
        changed = await tx.all("payees_changed_since", since=now - settings.payee_wait)
    waiting = {row["affiliate_id"] for row in changed} & payees.keys()
    if form == "csv":
        known = {affiliate: payee for affiliate, payee in payees.items() if affiliate not in waiting}
        left = [_left_out(item, WAITS) for item in items if item["affiliate_id"] in waiting]
        return Exported(_plain(run, items, known), _document(run, form, len(items) - len(left), left))
    paid, left = _chosen(items, payees, waiting, (form, part))
    if not paid:
        reasons = ", ".join(sorted({each["reason"] for each in left})) or "it has no payments"
        raise OperatorFault(f"Nothing of payout {payout_id} can be paid as {form}: {reasons}.")
    content = _sepa(run, paid, settings, now) if form == "sepa" else _batch(run, paid, form)
    return Exported(content, _document(run, form, len(paid), left))


def _chosen(
    items: Sequence[Row], payees: Mapping[str, Payee], waiting: Collection[str], wanted: tuple[Format, Part]
) -> tuple[list[tuple[Row, Payee]], list[LeftOut]]:
    """Return what is in a file, and what it leaves out."""
    left: list[LeftOut] = []
    paid: list[tuple[Row, Payee]] = []
    form, part = wanted
    currency, place = part.currency, 0
    for item in items:
        payee = payees.get(item["affiliate_id"])
        reason = WAITS if item["affiliate_id"] in waiting else _why_not(item, payee, form)
        if reason is None:
            if currency is None and form == "paypal":
                currency = item["currency"]
            if currency not in (None, item["currency"]):
                reason = f"is in another currency than the file, {currency}"
            else:
                number, place = part_of(place, form), place + 1
                reason = None if number == part.number else f"is in part {number}"
        if reason is None and payee is not None:
            paid.append((item, payee))
        else:
            left.append(_left_out(item, reason or "no payee"))
    return paid, left


def _refuse(run: Row, form: Format) -> None:
    payout_id = run["payout_id"]
    if run["mode"] == "test" and form != "csv":
        raise OperatorFault(
            f"Payout {payout_id} is a TEST: it pays nobody, so it is written as CSV only, never for a bank."
        )
    if run["status"] not in ("RELEASED", "SETTLED"):
        raise OperatorFault(
            f"Payout {payout_id} is {run['status']}; release it first.",
            command=f"To release it: hub payout release {payout_id}",
        )


def _why_not(item: Row, payee: Payee | None, form: Format) -> str | None:
    if item["status"] == "RETURNED":
        return "the payment came back"
    if payee is None:
        return "no payee"
    if payee.method != METHODS[form]:
        return f"is paid by {payee.method}"
    if form == "sepa" and item["currency"] != "EUR":
        return "SEPA pays EUR only"
    return why_not_paypal(item["currency"], item["amount_minor"]) if form == "paypal" else None


def _sepa(run: Row, paid: Sequence[tuple[Row, Payee]], settings: PayoutSettings, now: int) -> bytes:
    name, iban, bic = settings.debtor_name.strip(), settings.debtor_iban, settings.debtor_bic.strip()
    try:
        account = iban_number.validate("".join(iban.split()).upper())
    except ValidationError:
        account = ""
    if not name or not account:
        raise OperatorFault("SEPA files need the account that pays: set [payouts] debtor_name and debtor_iban.")
    transfers = [
        Transfer(_reference(run, item), payee.legal_name, payee.account, payee.bic, item["amount_minor"],
                 f"Payout {run['payout_id']}")
        for item, payee in paid
    ]  # fmt: skip
    released, today = format_instant(run["released_at"]), format_instant(now)[:10]
    day = max(released[:10], today)  # a bank refuses one that is past
    try:
        return credit_transfers(short_id(run["payout_id"]), released, day, Debtor(name, account, bic), transfers)
    except ValueError as fault:
        raise OperatorFault(f"The SEPA file cannot be written: {fault}.") from None


def _batch(run: Row, paid: Sequence[tuple[Row, Payee]], form: Format) -> bytes:
    if form == "paypal":
        columns = ["Email/Phone", "Amount", "Currency code", "Reference ID", "Note to recipient", "Recipient wallet"]
        rows = [
            [payee.account, paypal_amount(item["currency"], item["amount_minor"]), item["currency"],
             paypal_id(item["affiliate_id"]), f"Payout {run['payout_id']}", "PAYPAL"]
            for item, payee in paid
        ]  # fmt: skip
        return _csv(columns, rows)
    columns = ["name", "recipientEmail", "paymentReference", "receiverType", "amountCurrency", "amount",
               "sourceCurrency", "targetCurrency"]  # fmt: skip
    rows = [
        [payee.legal_name, payee.account, _reference(run, item), "INSTITUTION" if payee.is_business else "PERSON",
         "target", _amount(item), item["currency"], item["currency"]]
        for item, payee in paid
    ]  # fmt: skip
    return _csv(columns, rows)


def _plain(run: Row, items: Sequence[Row], payees: Mapping[str, Payee]) -> bytes:
    rows = []
    for item in items:
        payee = payees.get(item["affiliate_id"])
        rows.append([
            mark_of(run["mode"]) or "", run["payout_id"], item["affiliate_id"], item["affiliate_name"] or "",
            "" if payee is None else payee.legal_name, "" if payee is None else payee.method,
            "" if payee is None else payee.account, _amount(item), item["currency"], item["status"],
            item["reference"] or "",
        ])  # fmt: skip
    columns = ["mark", "payoutId", "affiliateId", "affiliateName", "legalName", "method", "account", "amount",
               "currency", "status", "reference"]  # fmt: skip
    return _csv(columns, rows)


def _amount(item: Row) -> str:
    return format_money(item["amount_minor"], item["currency"])


def _csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([[defused(cell) for cell in row] for row in rows])
    return text.getvalue().encode()


def _left_out(item: Row, reason: str) -> LeftOut:
    return {
        "affiliateId": item["affiliate_id"],
        "currency": item["currency"],
        "amount": _amount(item),
        "reason": reason,
    }


def _document(run: Row, form: Format, payments: int, left: list[LeftOut]) -> ExportDocument:
    return {"payoutId": run["payout_id"], "format": form, "payments": payments, "leftOut": left}


def _reference(run: Row, item: Row) -> str:
    return end_to_end_id(run["payout_id"], item["affiliate_id"])
