"""A released run as a file for a bank, for PayPal or Wise, or as plain CSV."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypedDict

from attrs import frozen
from stdnum import iban as iban_number
from stdnum.exceptions import ValidationError

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.instants import format_instant
from hub.domain.payees import Payee
from hub.domain.payout_batches import part_of
from hub.domain.payout_formats import Batch, Format, Payment, format_of
from hub.domain.sepa import Debtor
from hub.domain.words import PayoutFormat
from hub.operations.errors import OperatorFault
from hub.operations.money.payees import load_payees
from hub.operations.money.payout_documents import end_to_end_id, mark_of, require_run, short_id
from hub.sealing import Sealer
from hub.storage import Row, Store


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
    store: Store, sealer: Sealer, clock: Clock, settings: PayoutSettings, payout_id: str, form: PayoutFormat,
    part: Part = WHOLE,
) -> Exported:  # fmt: skip
    """Return a released run as a file: the same bytes however often it is asked for on a day.

    An account that replaced another less than `payee_wait` ago is in no file: a thief's may have got into a run that
    was there already. Raise `OperatorFault` for a run that is not released, for one of test accounts in any form but
    CSV, and if nothing of it can be paid in this way.
    """
    format_ = format_of(form)
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        _refuse(run, format_)
        items = [item for item in await tx.all("payout_items_of", payout_id=payout_id)
                 if item["status"] in ("RELEASED", "SETTLED", "RETURNED")]  # fmt: skip
        payees = await load_payees(tx, sealer, [item["affiliate_id"] for item in items])
        now = clock()
        changed = await tx.all("payees_changed_since", since=now - settings.payee_wait)
    waiting = {row["affiliate_id"] for row in changed} & payees.keys()
    payments = [_payment(run, item, payees, waiting) for item in items]
    paid, left = _chosen(payments, waiting, format_, part)
    if not paid and format_.method is not None:
        reasons = ", ".join(sorted({each["reason"] for each in left})) or "it has no payments"
        raise OperatorFault(f"Nothing of payout {payout_id} can be paid as {form}: {reasons}.")
    listed = payments if format_.method is None else ()
    try:
        content = format_.write(_batch(run, settings, now, paid, listed))
    except ValueError as fault:
        raise OperatorFault(f"The {form} file cannot be written: {fault}.") from None
    count = len(paid) if format_.method else len(payments) - len(left)
    return Exported(content, {"payoutId": payout_id, "format": form, "payments": count, "leftOut": left})


def _payment(run: Row, item: Row, payees: Mapping[str, Payee], waiting: Collection[str]) -> Payment:
    """Return a payment with its payee, unless the payee waits."""
    affiliate_id = item["affiliate_id"]
    return Payment(
        reference=end_to_end_id(run["payout_id"], affiliate_id),
        affiliate_id=affiliate_id,
        affiliate_name=item["affiliate_name"] or "",
        currency=item["currency"],
        amount_minor=item["amount_minor"],
        status=item["status"],
        bank_reference=item["reference"] or "",
        payee=None if affiliate_id in waiting else payees.get(affiliate_id),
    )


def _chosen(
    payments: Sequence[Payment], waiting: Collection[str], format_: Format, part: Part
) -> tuple[list[tuple[Payment, Payee]], list[LeftOut]]:
    """Return what is in a file, and what it leaves out."""
    left: list[LeftOut] = []
    paid: list[tuple[Payment, Payee]] = []
    currency, place = part.currency, 0
    for payment in payments:
        reason = WAITS if payment.affiliate_id in waiting else _why_not(payment, format_)
        if reason is None and format_.method is not None:
            if currency is None and format_.one_currency:
                currency = payment.currency
            if currency not in (None, payment.currency):
                reason = f"is in another currency than the file, {currency}"
            else:
                number, place = part_of(place, format_.most_rows), place + 1
                reason = None if number == part.number else f"is in part {number}"
        if reason is not None:
            left.append(_left_out(payment, reason))
        elif payment.payee is not None:
            paid.append((payment, payment.payee))
    return paid, left


def _refuse(run: Row, format_: Format) -> None:
    payout_id = run["payout_id"]
    if run["mode"] == "test" and format_.method is not None:
        raise OperatorFault(
            f"Payout {payout_id} is a TEST: it pays nobody, so it is written as CSV only, never for a bank."
        )
    if run["status"] not in ("RELEASED", "SETTLED"):
        raise OperatorFault(
            f"Payout {payout_id} is {run['status']}; release it first.",
            command=f"To release it: hub payout release {payout_id}",
        )


def _why_not(payment: Payment, format_: Format) -> str | None:
    if format_.method is None:
        return None
    if payment.status == "RETURNED":
        return "the payment came back"
    if payment.payee is None:
        return "no payee"
    if payment.payee.method != format_.method:
        return f"is paid by {payment.payee.method}"
    return format_.why_not(payment)


def _batch(
    run: Row, settings: PayoutSettings, now: int, paid: Sequence[tuple[Payment, Payee]], listed: Sequence[Payment]
) -> Batch:
    released, today = format_instant(run["released_at"]), format_instant(now)[:10]
    return Batch(
        message_id=short_id(run["payout_id"]),
        payout_id=run["payout_id"],
        mark=mark_of(run["mode"]) or "",
        written=released,
        execution_day=max(released[:10], today),  # a bank refuses one that is past
        debtor=_debtor(settings),
        paid=paid,
        listed=listed,
    )


def _debtor(settings: PayoutSettings) -> Debtor | None:
    name, iban, bic = settings.debtor_name.strip(), settings.debtor_iban, settings.debtor_bic.strip()
    try:
        account = iban_number.validate("".join(iban.split()).upper())
    except ValidationError:
        return None
    return Debtor(name, account, bic) if name else None


def _left_out(payment: Payment, reason: str) -> LeftOut:
    return {
        "affiliateId": payment.affiliate_id,
        "currency": payment.currency,
        "amount": payment.amount,
        "reason": reason,
    }
