"""Which payments of a released run a file has, and why it leaves the others out."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final, TypedDict

from attrs import define, field, frozen

from hub.domain.instants import format_instant
from hub.domain.payouts.payees import Payee
from hub.domain.payouts.payout_batches import part_of
from hub.domain.payouts.payout_formats import Batch, Format, Payer, Payment
from hub.domain.payouts.payouts import Payability
from hub.operations.errors import OperatorFault
from hub.operations.money.payees.payees import load_payees
from hub.operations.money.payouts.payout_documents import end_to_end_id, mark_of, sent_of, short_id
from hub.operations.money.payouts.payout_runs import pages_of_items
from hub.operations.money.rates.payabilities import NOBODY, payabilities_of
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
    reasons: Counter[str] = field(factory=Counter)

    def leave(self, payment: Payment, reason: str) -> None:
        """Leave a payment out; the first are kept to be shown, and of all how many there are for each reason."""
        self.reasons[reason] += 1
        if len(self.left) < LEFT_SHOWN:
            self.left.append(_left_out(payment, reason))


@frozen
class Candidate:
    """A payment of a run, what stands between its affiliate and its money, and the file that has it."""

    payment: Payment
    payability: Payability
    file_id: str | None


WHOLE: Final = Part()
LEFT_SHOWN: Final = 1_000
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


async def payments_of(
    tx: Tx, sealer: Sealer, run: Row, now: int, payee_wait: int
) -> AsyncIterator[Sequence[Candidate]]:  # fmt: skip
    """Yield the payments of a released run in the order of its affiliates, some at a time."""
    async for page in pages_of_items(tx, run["payout_id"]):
        items = [item for item in page if item["status"] in ("RELEASED", "SETTLED", "RETURNED")]
        affiliates = {item["affiliate_id"] for item in items}
        loose = {item["affiliate_id"] for item in items if item["file_id"] is None}
        payees = await load_payees(tx, sealer, loose)
        standing = await payabilities_of(tx, affiliates, now, payee_wait)
        yield [_candidate(item, standing.get(item["affiliate_id"], NOBODY), payees) for item in items]


def _candidate(item: Row, payability: Payability, payees: Mapping[str, Payee]) -> Candidate:
    currency, minor = sent_of(item)
    exchanged_from = item["currency"] if item["sent_currency"] else ""
    payment = Payment(
        reference=end_to_end_id(item["payout_id"], item["affiliate_id"], exchanged_from),
        affiliate_id=item["affiliate_id"],
        affiliate_name=item["affiliate_name"] or "",
        currency=currency,
        amount_minor=minor,
        status=item["status"],
        bank_reference=item["reference"] or "",
        payee=None if payability.waits or payability.on_hold else payees.get(item["affiliate_id"]),
        earned=(item["currency"], item["amount_minor"]),
    )
    return Candidate(payment, payability, item["file_id"])


@define
class Choice:
    """Chooses what a file has of a run's payments, and what it leaves out; of a TEST run all, since it pays nobody."""

    test: bool
    format_: Format
    part: Part
    chosen: Chosen = field(factory=Chosen)
    _currency: str | None = field(init=False)
    _place: int = 0
    _taken: set[tuple[str, str]] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        """Begin with the currency that is asked for."""
        self._currency = self.part.currency

    def add(self, each: Candidate) -> None:
        """Decide about the next payment."""
        payment = each.payment
        reason = None if self.test else _why_not(each, self.format_) or self._other_currency(payment)
        reason = reason or self._other_part()
        key = payment.affiliate_id, payment.currency
        if reason is None and key in self._taken and not self.test:
            reason = "another payment to it in this currency is in the file; write one more file for it"
        if reason is not None:
            self.chosen.leave(payment, reason)
        elif self.test:
            self.chosen.listed.append(payment)
        elif payment.payee is None:
            self.chosen.leave(payment, "no payee")
        else:
            self._taken.add(key)
            self.chosen.paid.append((payment, payment.payee))

    def _other_currency(self, payment: Payment) -> str | None:
        if self._currency is None and self.format_.one_currency:
            self._currency = payment.currency
        if self._currency in (None, payment.currency):
            return None
        return f"is in another currency than the file, {self._currency}"

    def _other_part(self) -> str | None:
        number, self._place = part_of(self._place, self.format_.most_rows), self._place + 1
        return None if number == self.part.number else f"is in part {number}"


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
