"""The formats of files that pay: what each takes, and how it is written.

A new format is one more word of `PayoutFormat` (hub/domain/words.py) and one more row here; `format_of` does not
type-check without it. Choices of commands, buttons of pages, names of files and the tables of documents come from the
rows or are compared with them by tests/test_words.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, assert_never

from attrs import frozen

from hub.domain.money import format_money
from hub.domain.payouts import bacs, nacha, sepa
from hub.domain.payouts.connect_transfers import stripe_amount, why_not_stripe
from hub.domain.payouts.payees import Payee
from hub.domain.payouts.payout_batches import ach_id, bacs_id, paypal_amount, paypal_id, why_not_paypal
from hub.domain.payouts.sepa import Debtor
from hub.domain.spreadsheets import csv_bytes
from hub.domain.words import PAYOUT_FORMATS, PayoutFormat, PayoutMethod


@frozen
class Payment:
    """What a run pays an affiliate in one currency, in minor units; `reference` is the end-to-end id of the payment.

    `earned` is what it is for, in the currency and the minor units of the run; None: as it is sent.
    """

    reference: str
    affiliate_id: str
    affiliate_name: str
    currency: str
    amount_minor: int
    status: str
    bank_reference: str
    payee: Payee | None
    earned: tuple[str, int] | None = None

    @property
    def amount(self) -> str:
        """The amount as decimal text."""
        return format_money(self.amount_minor, self.currency)


@frozen
class Payer:
    """The account that pays, as each way of paying names it; None where the settings do not say it."""

    sepa: Debtor | None = None
    ach: nacha.Originator | None = None
    bacs: bacs.ServiceUser | None = None


@frozen
class Batch:
    """The payments of a file: `paid` are those with their payees, `listed` all of the run, for a plain list.

    `message_id` names the file, `mark` is TEST for one that pays nobody, `written` an RFC 3339 time. `file_of_day` is
    how many files of this format were written on its day before. Only transfers of banks need the account that pays.
    """

    message_id: str
    payout_id: str
    mark: str
    written: str
    file_of_day: int
    payer: Payer
    paid: Sequence[tuple[Payment, Payee]]
    listed: Sequence[Payment]


@frozen
class Format:
    """A format: `method` is that of the payees it pays, None for a list of all; `most_rows` are in one file.

    `why_not` says why a payment of its method cannot be in such a file. `write` raises ValueError for what it cannot
    write. `one_currency`: a file has payments of one currency only; `has_schema`: it has to be valid pain.001.
    """

    name: PayoutFormat
    words: str
    method: PayoutMethod | None
    suffix: str
    media: str
    most_rows: int
    one_currency: bool
    why_not: Callable[[Payment], str | None]
    write: Callable[[Batch], bytes]
    has_schema: bool = False


def _takes_all(_payment: Payment) -> str | None:
    return None


def _not_by_sepa(payment: Payment) -> str | None:
    if payment.currency != "EUR":
        return "SEPA pays EUR only"
    country = "" if payment.payee is None else payment.payee.account[:2]
    return None if country in sepa.COUNTRIES else f"its account is in {country}, which is no country of SEPA"


def _not_by_pain001(payment: Payment) -> str | None:
    if _not_by_sepa(payment) is None:
        return "SEPA pays it"
    return None if payment.payee is not None and payment.payee.bic else "a transfer that is no SEPA one needs a BIC"


def _not_by_paypal(payment: Payment) -> str | None:
    return why_not_paypal(payment.currency, payment.amount_minor)


def _not_by_ach(payment: Payment) -> str | None:
    if payment.currency != "USD":
        return "ACH pays USD only"
    if payment.amount_minor > nacha.MOST_CENTS:
        return "is an amount that ACH does not take"
    name = "" if payment.payee is None else payment.payee.legal_name
    return None if nacha.ach_name(name) else f"no letter of the name {name!r} can be written in an ACH file"


def _not_by_bacs(payment: Payment) -> str | None:
    if payment.currency != "GBP":
        return "Bacs pays GBP only"
    if payment.amount_minor > bacs.MOST_PENCE:
        return "is an amount that Bacs does not take"
    name = "" if payment.payee is None else payment.payee.legal_name
    return None if bacs.bacs_text(name) else f"no letter of the name {name!r} can be written in a Bacs file"


def _not_by_stripe(payment: Payment) -> str | None:
    return why_not_stripe(payment.currency, payment.amount_minor)


def _sepa(batch: Batch) -> bytes:
    return _transfers(batch, sepa.credit_transfers)


def _pain001(batch: Batch) -> bytes:
    return _transfers(batch, sepa.other_transfers)


def _transfers(batch: Batch, write: Callable[[str, str, str, Debtor, Sequence[sepa.Transfer]], bytes]) -> bytes:
    debtor = batch.payer.sepa
    if debtor is None:
        raise ValueError("it needs the account that pays; set [payouts] debtor_name and debtor_iban")
    transfers = [
        sepa.Transfer(each.reference, payee.legal_name, payee.account, payee.bic, each.amount_minor,
                 f"{debtor.name}, commissions paid {batch.written[:7]}, {each.reference}",
                 sepa.Address(payee.street, payee.postal_code, payee.city, payee.country), each.currency)
        for each, payee in batch.paid
    ]  # fmt: skip
    paid_on = sepa.business_day(date.fromisoformat(batch.written[:10])).isoformat()
    return write(batch.message_id, batch.written, paid_on, debtor, transfers)


def _ach(batch: Batch) -> bytes:
    if batch.payer.ach is None:
        raise ValueError("it needs the account that pays; set [payouts] debtor_name, ach_routing and ach_company_id")
    credits_ = [
        nacha.Credit(payee.bank_code or "", payee.account, payee.account_type or "checking", each.amount_minor,
                     ach_id(each.affiliate_id), payee.legal_name, payee.is_business)
        for each, payee in batch.paid
    ]  # fmt: skip
    return nacha.credits_file(batch.payer.ach, batch.message_id, batch.written, batch.file_of_day, credits_)


def _bacs(batch: Batch) -> bytes:
    if batch.payer.bacs is None:
        raise ValueError(
            "it needs the account that pays; set [payouts] debtor_name, bacs_user_number, bacs_sort_code and "
            "bacs_account"
        )
    paid = [
        bacs.DirectCredit(payee.bank_code or "", payee.account, each.amount_minor, bacs_id(each.affiliate_id),
                          payee.legal_name)
        for each, payee in batch.paid
    ]  # fmt: skip
    return bacs.submission(batch.payer.bacs, batch.written, batch.file_of_day, paid)


def _stripe(batch: Batch) -> bytes:
    columns = ["destination", "amount", "currency", "description", "transfer_group", "metadata[affiliate]",
               "idempotency_key"]  # fmt: skip
    return csv_bytes(columns, (
        [payee.account, str(stripe_amount(each.currency, each.amount_minor)), each.currency.lower(),
         f"Payout {batch.payout_id}", batch.payout_id, each.affiliate_id, f"{each.reference}/{each.currency}"]
        for each, payee in batch.paid
    ))  # fmt: skip


def _paypal(batch: Batch) -> bytes:
    columns = ["Email/Phone", "Amount", "Currency code", "Reference ID", "Note to recipient", "Recipient wallet"]
    return csv_bytes(columns, (
        [payee.account, paypal_amount(each.currency, each.amount_minor), each.currency, paypal_id(each.affiliate_id),
         f"Payout {batch.payout_id}", "PAYPAL"]
        for each, payee in batch.paid
    ))  # fmt: skip


def _wise(batch: Batch) -> bytes:
    columns = ["name", "recipientEmail", "paymentReference", "receiverType", "amountCurrency", "amount",
               "sourceCurrency", "targetCurrency"]  # fmt: skip
    return csv_bytes(columns, (
        [payee.legal_name, payee.account, each.reference, "INSTITUTION" if payee.is_business else "PERSON", "target",
         each.amount, each.currency, each.currency]
        for each, payee in batch.paid
    ))  # fmt: skip


def _plain(batch: Batch) -> bytes:
    columns = ["mark", "payoutId", "affiliateId", "affiliateName", "legalName", "method", "account", "amount",
               "currency", "status", "reference", "bankCode", "accountType"]  # fmt: skip
    return csv_bytes(columns, (
        [batch.mark, batch.payout_id, each.affiliate_id, each.affiliate_name, *_ways(each.payee), each.amount,
         each.currency, each.status, each.bank_reference, *_bank_of(each.payee)]
        for each in batch.listed
    ))  # fmt: skip


def _ways(payee: Payee | None) -> tuple[str, str, str]:
    return ("", "", "") if payee is None else (payee.legal_name, payee.method, payee.account)


def _bank_of(payee: Payee | None) -> tuple[str, str]:
    return ("", "") if payee is None else (payee.bank_code or "", payee.account_type or "")


MOST_ROWS: Final = 10_000
"""So many payments are in one file where nobody says less: it is written, sealed and kept as a whole."""
_XML: Final = "application/xml; charset=utf-8"
_CSV: Final = "text/csv; charset=utf-8"
_TEXT: Final = "text/plain; charset=us-ascii"
SEPA: Final = Format(
    "sepa", "SEPA transfers (pain.001)", "iban", "xml", _XML, MOST_ROWS, one_currency=False, why_not=_not_by_sepa,
    write=_sepa, has_schema=True,
)  # fmt: skip
PAIN001: Final = Format(
    "pain001", "Transfers in other currencies (pain.001)", "iban", "xml", _XML, MOST_ROWS, one_currency=True,
    why_not=_not_by_pain001, write=_pain001, has_schema=True,
)  # fmt: skip
ACH: Final = Format(
    "ach", "ACH credits (Nacha)", "ach", "ach", _TEXT, MOST_ROWS, one_currency=False, why_not=_not_by_ach, write=_ach
)
BACS: Final = Format(
    "bacs", "Bacs (Standard 18)", "bacs", "txt", _TEXT, MOST_ROWS, one_currency=False, why_not=_not_by_bacs, write=_bacs
)
PAYPAL: Final = Format(
    "paypal", "PayPal batch", "paypal", "csv", _CSV, 5_000, one_currency=True, why_not=_not_by_paypal, write=_paypal
)
WISE: Final = Format(
    "wise", "Wise batch", "wise", "csv", _CSV, 1_000, one_currency=False, why_not=_takes_all, write=_wise
)
STRIPE: Final = Format(
    "stripe", "Stripe transfers (CSV)", "stripe", "csv", _CSV, MOST_ROWS, one_currency=False, why_not=_not_by_stripe,
    write=_stripe,
)  # fmt: skip
PLAIN: Final = Format(
    "csv", "Plain CSV", None, "csv", _CSV, MOST_ROWS, one_currency=False, why_not=_takes_all, write=_plain
)


def format_of(name: PayoutFormat) -> Format:
    """Return the row of a format."""
    match name:
        case "sepa":
            return SEPA
        case "pain001":
            return PAIN001
        case "ach":
            return ACH
        case "bacs":
            return BACS
        case "paypal":
            return PAYPAL
        case "wise":
            return WISE
        case "stripe":
            return STRIPE
        case "csv":
            return PLAIN
        case _:
            assert_never(name)


FORMATS: Final[Sequence[Format]] = tuple(map(format_of, PAYOUT_FORMATS))


def format_named(name: str) -> Format | None:
    """Return the format of a name, None if there is none."""
    return next((each for each in FORMATS if each.name == name), None)


def file_identity(file_id: str, sha256: str) -> str:
    """Return the name of the row and the content that a sealed file is bound to."""
    return f"payout-file:{file_id}:{sha256}"
