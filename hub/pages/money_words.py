"""The words of money pages: why a balance waits, what an entry of the ledger says, and where money is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.domain.words import MissingForReport

CARRIED: Final[Mapping[str, str]] = {
    "negative": "The affiliate owes more than it earned, so the balance is held against later commissions.",
    "below_minimum": "The balance is below the minimum, so it waits for the next run.",
    "below_own_minimum": "The balance is below the minimum that the affiliate chose.",
    "own_wait": "The affiliate asked to wait, so the balance is carried over until they say otherwise.",
    "own_currency": "The affiliate chose not to be paid in this currency.",
    "on_hold": "Payments to the affiliate are on hold, so the balance waits until the hold ends.",
    "no_payee": "There are no payment details yet. The balance is paid with the run after they are entered.",
    "payee_waits": "The payment details were just changed, so the balance waits until that is known to be right.",
    "no_method": "The payment method does not support this currency. Payment details that do are needed.",
    "no_rate": "The affiliate is paid in another currency, and there is no recent approved exchange rate.",
    "changed": "Orders were refunded before the release, so what is left waits for the next run.",
    "cancelled": "The run was cancelled, so the balance waits for the next one.",
}
"""Why a run carries a balance on."""

MISSING: Final[Mapping[str, str]] = {
    "nothing_due": "No commission or correction becomes payable in time for it.",
    "merchant_overdue": "The merchants it comes from owe the network too much, so it waits until they pay.",
    "negative": "You owe more than you earned, so it is held against your later commissions.",
    "below_minimum": "It is below the minimum payout, so it waits until there is more.",
    "below_own_minimum": "It is below the minimum that you chose.",
    "own_wait": "You asked to wait. Say below that you want to be paid again.",
    "own_currency": "You chose not to be paid in this currency.",
    "on_hold": "Payments to you are on hold. Ask the network's operator why.",
    "no_payee": "There are no payment details. Set them before that day.",
    "payee_waits": "Your payment details were changed recently, so on that day payouts are still paused.",
    "no_method": "Your payment method does not support this currency. Set payment details that do.",
    "no_rate": "You chose another currency to be paid in, and the network has no exchange rate for it yet.",
}
"""What an affiliate's next payout lacks, and what to do."""

METHODS: Final[Mapping[str, str]] = {
    "iban": "Bank transfer to an IBAN",
    "ach": "Bank transfer in the United States (ACH)",
    "bacs": "Bank transfer in the United Kingdom (Bacs)",
    "paypal": "PayPal",
    "wise": "Wise",
    "stripe": "Stripe",
}
ACCOUNT_TYPES: Final[Mapping[str, str]] = {"": "Not an American account", "checking": "Checking", "savings": "Savings"}
ADJUSTMENT_KINDS: Final[Mapping[str, str]] = {
    "refund": "Refund after the payout",
    "manual": "Made by hand",
    "returned": "Payment that came back",
    "carried": "Carried over from a run",
    "written_off": "Debt written off",
    "volume": "Rates by volume",
}

VAT_OUTCOMES: Final[Mapping[str, str]] = {
    "": "not looked up in VIES.",
    "valid": "valid.",
    "invalid": "not valid.",
    "unreached": "not confirmed, since VIES gave no answer yet.",
}
"""What is known of a VAT number; empty for one that nobody asked about."""
RECEIPT_QUESTIONS: Final[Mapping[str, str]] = {
    "unmatched": "It names no open invoice. Say which one it is for, or close it.",
    "several": "It names several invoices whose total is different. Assign it to each of them.",
    "part_paid": "It is less than the invoice, which stays open.",
    "overpaid": "It is more than the invoice. Assign the rest to another one, or pay it back and close it.",
    "already_paid": "The invoice that it names is paid already.",
    "other_currency": "It is in a different currency from the invoice.",
    "other_issuer": "It came to a different company's account than the invoice's.",
}
"""Why a person has to look at a merchant's payment."""
RECEIPT_SOURCES: Final[Mapping[str, str]] = {
    "statement": "Bank statement",
    "by_hand": "Recorded by hand",
    "set_off": "Credit note set off",
}
BILLED: Final[Mapping[str, str]] = {
    "paid": "Commissions when they are paid",
    "payable": "Commissions when they become payable",
}
BANK_REPORTS: Final[Mapping[str, str]] = {"results": "Payments of a run", "statement": "What came into an account"}
REPORT_VERDICTS: Final[Mapping[str, str]] = {
    "ARRIVED": "Arrived",
    "RETURNED": "Came back",
    "UNDER_WAY": "Under way",
    "MATCHED": "On its invoices",
    "QUESTION": "A question for a person",
    "KNOWN": "Known before",
    "REPEATED": "Repeated further down",
    "NOT_OURS": "Not the network's",
}
INVOICE_STATES: Final[Mapping[str, str]] = {"open": "UNPAID", "overdue": "OVERDUE", "paid": "PAID", "credit": "CREDIT"}
"""The status that the state of an invoice is shown as."""

ENTRIES: Final[Mapping[str, str]] = {
    "opened": "Balance when the books were opened",
    "earned": "Commission earned",
    "held": "Put on hold",
    "released": "Hold ended",
    "clawed_back": "Commission reduced or taken back",
    "adjusted": "Correction approved",
    "paid": "Put into a payout",
    "settled": "Payment arrived",
    "returned": "Payment came back, or was carried over",
    "fee": "Network fee",
    "withheld": "Waits for the merchant's deposit",
    "deposited": "Paid into the deposit",
    "withdrawn": "Taken out of the deposit",
    "covered": "Covered by the deposit",
    "uncovered": "Given back to the deposit",
    "written_off": "Debt of an affiliate written off",
    "taxed": "VAT of an invoice",
    "invoice_paid": "Invoice paid by the merchant",
    "invoice_reopened": "Payment of an invoice taken back",
    "exchanged": "Sent in a different currency than it was earned in",
    "adopted": "Adopted into the books after an audit",
}
"""What each kind of entry says."""

PLACES: Final[Mapping[str, str]] = {
    "merchant": "Merchant owes",
    "pending": "Pending",
    "held": "On hold",
    "payable": "Payable",
    "adjustments": "Corrections",
    "payout": "Payout under way",
    "bank": "Paid",
    "fees": "Network's fees",
    "deposit": "Merchant's deposit",
    "received": "Received from merchants",
    "losses": "Network's losses",
    "tax": "VAT of invoices",
    "exchange": "Exchanged",
}
"""Where an entry takes money from, or puts it."""


def words_of(table: Mapping[str, str], code: str) -> str:
    """Return the words of a code; one without words of its own as it is, without underscores."""
    return table.get(code, code.replace("_", " ").capitalize())


MISSING_FOR_REPORT: Final[Mapping[MissingForReport, str]] = {
    "payee": "the payment details",
    "birth_date": "the date of birth",
    "registration_number": "the registration number",
    "tin": "a tax number",
    "tin_country": "the country of the tax number",
}
