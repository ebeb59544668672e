"""What merchants owe on invoices: whether one is paid, and which invoices a payment is for.

An invoice asks to be paid under its creditor reference (ISO 11649), which says by its check digits that it was copied
right. What names an invoice only by its number counts if the amount or the payer's name says the same. Each issuer
numbers its own invoices: those of the first are 1, 2, 3, those of others carry their code before it, like AT-1. Amounts
are minor units.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from hub.domain.words import InvoiceState, ReceiptQuestion

_REFERENCE: Final = re.compile(r"RF([0-9]{2})INV([0-9]{1,9})(?![0-9])")
_NAMED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:invoices?|inv|rechnung(?:en)?|rg|re|factures?|facturas?|fattura|numbers?|nos?|nr|nummer|#)"
    r"[\s.:#-]*(?:(?:no|nr|nummer|number)[\s.:#-]*)?([0-9]{1,9})(?![0-9])",
    re.IGNORECASE,
)


FIRST_ISSUER: Final = ""
"""The issuer of the settings; others have a code."""


def invoice_number(issuer: str, series: int) -> str:
    """Return the number that an invoice says, like 12, or AT-12 of the issuer "at"."""
    return f"{issuer.upper()}-{series}" if issuer else str(series)


class OpenInvoice(NamedTuple):
    """An invoice with what is left to pay of it (negative: what is left of a credit note), and whom it billed.

    `number` is the hub's, over all issuers, `series` the one among its issuer's (nought: the same).
    """

    number: int
    account_id: str
    currency: str
    left_minor: int
    billed_to: str
    issuer: str = FIRST_ISSUER
    series: int = 0


class Payment(NamedTuple):
    """What somebody paid; `remittance` is what the payer wrote, `issuer` whose account it came to (None: not known)."""

    currency: str
    amount_minor: int
    payer: str
    remittance: str
    issuer: str | None = None


class Match(NamedTuple):
    """Which invoices a payment pays and how much of each, by number, and what a person has to look at."""

    booked: tuple[tuple[int, int], ...] = ()
    question: ReceiptQuestion | None = None


UNMATCHED: Final = Match((), "unmatched")


def state_of(total_minor: int, paid_minor: int, due_at: int, now: int) -> InvoiceState:
    """Return what became of an invoice; both moments are ms UTC. An invoice of nothing is paid."""
    if total_minor == paid_minor:
        return "paid"
    if total_minor < 0:
        return "credit"
    return "overdue" if due_at <= now else "open"


def creditor_reference(number: int) -> str:
    """Return the creditor reference of an invoice, like RF57INV12 (ISO 11649, with its check digits of ISO 7064)."""
    body = f"INV{number}"
    return f"RF{98 - _remainder(body + 'RF00'):02d}{body}"


def _remainder(text: str) -> int:
    return int("".join(str(int(char, 36)) for char in text)) % 97


class Named(NamedTuple):
    """An invoice that a payer named: `surely` by its reference, which has the hub's number, or by its issuer's."""

    number: int
    surely: bool
    issuer: str = FIRST_ISSUER


def named_in(remittance: str, issuers: Collection[str] = ()) -> list[Named]:
    """Return the invoices that a text names, each once: by their references, or if there is none by their numbers.

    `issuers` are the codes that numbers may carry.
    """
    text = "".join(remittance.upper().split())
    sure = {int(number) for digits, number in _REFERENCE.findall(text)
            if creditor_reference(int(number)) == f"RF{digits}INV{number}"}  # fmt: skip
    if sure:
        return [Named(number, surely=True) for number in sorted(sure)]
    plain = {(FIRST_ISSUER, int(each)) for each in _NAMED.findall(remittance)}
    coded = {(code.lower(), int(number)) for code, number in _coded(issuers).findall(remittance)} if issuers else set()
    return [Named(number, surely=False, issuer=issuer) for issuer, number in sorted(plain | coded)]


def _coded(issuers: Collection[str]) -> re.Pattern[str]:
    """Return the pattern of numbers that carry one of these codes, which are letters and digits."""
    codes = "|".join(sorted(issuers, key=len, reverse=True))
    return re.compile(rf"(?<![A-Za-z0-9])({codes})[\s.:#-]*([0-9]{{1,9}})(?![0-9])", re.IGNORECASE)


class OpenInvoices:
    """The invoices that payments are compared with, as they are being paid; those that are named may be paid already.

    Each payment is matched by number, or by amount and name, so a thousand payments cost a thousand looks.
    """

    def __init__(self, invoices: Iterable[OpenInvoice], issuers: Collection[str] = ()) -> None:
        self._issuers = issuers
        self._by_number = {each.number: each for each in invoices}
        self._by_series = {(each.issuer, each.series or each.number): each.number for each in self._by_number.values()}
        self._by_amount: dict[tuple[str, int, str], set[int]] = {}
        for each in self._by_number.values():
            self._by_amount.setdefault(_likeness(each), set()).add(each.number)

    def of(self, number: int) -> OpenInvoice | None:
        """Return an invoice by its number."""
        return self._by_number.get(number)

    def _named(self, named: Named) -> OpenInvoice | None:
        if named.surely:
            return self.of(named.number)
        number = self._by_series.get((named.issuer, named.number))
        return None if number is None else self.of(number)

    def pay(self, booked: Iterable[tuple[int, int]]) -> None:
        """Take amounts off what is left of invoices."""
        for number, minor in booked:
            before = self._by_number[number]
            after = before._replace(left_minor=before.left_minor - minor)
            self._by_amount[_likeness(before)].discard(number)
            self._by_amount.setdefault(_likeness(after), set()).add(number)
            self._by_number[number] = after

    def match(self, payment: Payment) -> Match:
        """Return what a payment pays: the rule of this module."""
        named = named_in(payment.remittance, self._issuers)
        known = [(invoice, each.surely) for each in named if (invoice := self._named(each)) is not None]
        if any(payment.issuer not in (None, invoice.issuer) for invoice, _ in known):
            return Match((), "other_issuer")
        if not known:
            payer = _plain(payment.payer)
            found = self._by_amount.get((payment.currency, payment.amount_minor, payer), set())
            alike = {each for each in found if payment.issuer in (None, self._by_number[each].issuer)}
            is_one = bool(payer) and len(alike) == 1
            return Match(((min(alike), payment.amount_minor),)) if is_one else UNMATCHED
        if len(known) > 1:
            return _of_several([invoice for invoice, _ in known], payment)
        ((invoice, surely),) = known
        same_name = bool(_plain(payment.payer)) and _plain(payment.payer) == _plain(invoice.billed_to)
        is_likely = payment.amount_minor == invoice.left_minor or same_name
        return part_of(invoice, payment) if surely or is_likely else UNMATCHED


def part_of(invoice: OpenInvoice, payment: Payment) -> Match:
    """Return what a payment pays of the invoice that it is for, and what is not as the invoice asks."""
    if payment.currency != invoice.currency:
        return Match((), "other_currency")
    if invoice.left_minor <= 0:
        return Match((), "already_paid")
    booked = ((invoice.number, min(payment.amount_minor, invoice.left_minor)),)
    if payment.amount_minor == invoice.left_minor:
        return Match(booked)
    return Match(booked, "part_paid" if payment.amount_minor < invoice.left_minor else "overpaid")


def _of_several(invoices: Sequence[OpenInvoice], payment: Payment) -> Match:
    """Return that a payment pays all invoices that it names, if it is what is left of them together."""
    fits = sum(each.left_minor for each in invoices) == payment.amount_minor
    if not fits or any(each.currency != payment.currency or not each.left_minor for each in invoices):
        return Match((), "several")
    return Match(tuple((each.number, each.left_minor) for each in invoices))


def _likeness(invoice: OpenInvoice) -> tuple[str, int, str]:
    return invoice.currency, invoice.left_minor, _plain(invoice.billed_to)


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())
