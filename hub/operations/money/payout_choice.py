"""Which payments of a released run a file has, and why it leaves the others out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

from attrs import field, frozen

from hub.domain.instants import format_instant
from hub.domain.payees import Payee
from hub.domain.payout_batches import part_of
from hub.domain.payout_formats import Batch, Format, Payer, Payment
from hub.domain.payouts import Payability
from hub.operations.errors import OperatorFault
from hub.operations.money.payabilities import NOBODY, payabilities_of
from hub.operations.money.payees import load_payees
from hub.operations.money.payout_documents import end_to_end_id, mark_of, sent_of, short_id
from hub.sealing import Sealer
from hub.storage import Row, Tx


class LeftOut(TypedDict):
    """A payment that the file does not have, and why."""

    affiliateId: str
    currency: str
    amount: str
    reason: str


@frozen
class Part:
    """Which payments of a batch: those of a currency (None: all, for PayPal the first), and which file of them."""

    currency: str | None = None
    number: int = 1


@frozen
class Chosen:
    """What a file has: payments with their payees, or for a list that pays nobody all payments; and what it has not."""

    paid: list[tuple[Payment, Payee]] = field(factory=list)
    listed: list[Payment] = field(factory=list)
    left: list[LeftOut] = field(factory=list)


@frozen
class Candidate:
    """A payment of a run, what stands between its affiliate and its money, and the file that has it."""

    payment: Payment
    payability: Payability
    file_id: str | None


WHOLE: Final = Part()
WAITS: Final = "its payment details were just changed, so it waits"
HELD: Final = "its payments are on hold"


def refuse_run(run: Row, format_: Format) -> None:
    """Raise `OperatorFault` for a run that is not released, and for a TEST in any form but a list."""
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


async def payments_of(tx: Tx, sealer: Sealer, run: Row, now: int, payee_wait: int) -> list[Candidate]:
    """Return the payments of a released run in the order of its affiliates."""
    items = [item for item in await tx.all("payout_items_of", payout_id=run["payout_id"])
             if item["status"] in ("RELEASED", "SETTLED", "RETURNED")]  # fmt: skip
    affiliates = {item["affiliate_id"] for item in items}
    payees = await load_payees(tx, sealer, affiliates)
    standing = await payabilities_of(tx, affiliates, now, payee_wait)
    found = []
    for item in items:
        payability = standing.get(item["affiliate_id"], NOBODY)
        payee = None if payability.waits or payability.on_hold else payees.get(item["affiliate_id"])
        currency, minor = sent_of(item)
        exchanged_from = item["currency"] if item["sent_currency"] else ""
        payment = Payment(
            reference=end_to_end_id(run["payout_id"], item["affiliate_id"], exchanged_from),
            affiliate_id=item["affiliate_id"],
            affiliate_name=item["affiliate_name"] or "",
            currency=currency,
            amount_minor=minor,
            status=item["status"],
            bank_reference=item["reference"] or "",
            payee=payee,
            earned=(item["currency"], item["amount_minor"]),
        )
        found.append(Candidate(payment, payability, item["file_id"]))
    return found


def choose(run: Row, candidates: Sequence[Candidate], format_: Format, part: Part) -> Chosen:
    """Return what a file has, and what it leaves out; of a TEST run all is listed, since it pays nobody."""
    chosen = Chosen()
    if run["mode"] == "test":
        chosen.listed.extend(each.payment for each in candidates)
        return chosen
    currency, place, taken = part.currency, 0, set[tuple[str, str]]()
    for each in candidates:
        payment, reason = each.payment, _why_not(each, format_)
        if reason is None:
            if currency is None and format_.one_currency:
                currency = payment.currency
            if currency not in (None, payment.currency):
                reason = f"is in another currency than the file, {currency}"
            else:
                number, place = part_of(place, format_.most_rows), place + 1
                reason = None if number == part.number else f"is in part {number}"
        key = payment.affiliate_id, payment.currency
        if reason is None and key in taken:
            reason = "another payment to it in this currency is in the file; write one more file for it"
        if reason is None and payment.payee is not None:
            taken.add(key)
            chosen.paid.append((payment, payment.payee))
        else:
            chosen.left.append(_left_out(payment, reason or "no payee"))
    return chosen


def _why_not(candidate: Candidate, format_: Format) -> str | None:
    """Return why a file may not have a payment, None if it may."""
    payment, payability = candidate.payment, candidate.payability
    if payment.status == "RETURNED":
        return "the payment came back"
    if candidate.file_id is not None:
        return f"is in file {candidate.file_id}"
    if payment.status == "SETTLED":
        return "is settled"
    if payability.on_hold:
        return HELD
    if payability.waits:
        return WAITS
    if payment.payee is None:
        return "no payee"
    if format_.method is not None and payment.payee.method != format_.method:
        return f"is paid by {payment.payee.method}"
    return format_.why_not(payment)


def batch_of(run: Row, file_id: str, payer: Payer, now: int, file_of_day: int, chosen: Chosen) -> Batch:
    """Return what a format writes: the file is of now, under an id of its own."""
    return Batch(
        message_id=short_id(file_id),
        payout_id=run["payout_id"],
        mark=mark_of(run["mode"]) or "",
        written=format_instant(now),
        file_of_day=file_of_day,
        payer=payer,
        paid=chosen.paid,
        listed=chosen.listed or [each for each, _ in chosen.paid],
    )


def _left_out(payment: Payment, reason: str) -> LeftOut:
    return {
        "affiliateId": payment.affiliate_id,
        "currency": payment.currency,
        "amount": payment.amount,
        "reason": reason,
    }
