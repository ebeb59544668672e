"""Which invoices a payment is for: the table of what payers write, and what never happens to an invoice."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.books.receivables import (
    Match,
    OpenInvoice,
    OpenInvoices,
    Payment,
    creditor_reference,
    named_in,
    state_of,
)

FERN: Final = "Fern & Co. Ltd"
OPEN: Final = (
    OpenInvoice(12, "acc_1", "EUR", 2_400, FERN),
    OpenInvoice(13, "acc_1", "EUR", -400, FERN),
    OpenInvoice(14, "acc_2", "EUR", 9_900, "Fjord"),
    OpenInvoice(15, "acc_2", "EUR", 9_900, "Fjord"),
    OpenInvoice(16, "acc_2", "JPY", 5_000, "Fjord"),
    OpenInvoice(17, "acc_1", "EUR", 0, FERN),
)
RF12: Final = creditor_reference(12)
CASES: Final[dict[str, tuple[Payment, Match]]] = {
    "by its reference": (Payment("EUR", 2_400, "anybody", f"thanks {RF12}"), Match(((12, 2_400),))),
    "spaced as on paper": (Payment("EUR", 2_400, "", f"{RF12[:4]} {RF12[4:]}".lower()), Match(((12, 2_400),))),
    "a part": (Payment("EUR", 1_000, "", RF12), Match(((12, 1_000),), "part_paid")),
    "too much": (Payment("EUR", 3_000, "", RF12), Match(((12, 2_400),), "overpaid")),
    "paid already": (Payment("EUR", 3_000, FERN, creditor_reference(17)), Match((), "already_paid")),
    "a credit note is not paid": (Payment("EUR", 400, FERN, "invoice 13"), Match((), "already_paid")),
    "another currency": (Payment("EUR", 5_000, "", creditor_reference(16)), Match((), "other_currency")),
    "a reference copied wrong": (Payment("EUR", 99, "", f"RF99INV12 {RF12[:4]}INV14"), Match((), "unmatched")),
    "by number and amount": (Payment("EUR", 2_400, "J. Doe", "Rechnung Nr. 12"), Match(((12, 2_400),))),
    "by number and name": (Payment("EUR", 500, "FERN & CO LTD", "inv #12"), Match(((12, 500),), "part_paid")),
    "a number alone": (Payment("EUR", 500, "J. Doe", "invoice 12"), Match((), "unmatched")),
    "by amount and name": (Payment("EUR", 2_400, "Fern & Co. Ltd", "for October"), Match(((12, 2_400),))),
    "two alike": (Payment("EUR", 9_900, "Fjord", "for October"), Match((), "unmatched")),
    "an amount alone": (Payment("EUR", 2_400, "", "for October"), Match((), "unmatched")),
    "several": (Payment("EUR", 19_800, "", "invoices 14, invoice 15"), Match(((14, 9_900), (15, 9_900)))),
    "less a credit note": (Payment("EUR", 2_000, "", "invoice 12, less no. 13"), Match(((12, 2_400), (13, -400)))),
    "several, too little": (Payment("EUR", 9_900, "", "invoice 14 no 15"), Match((), "several")),
    "an unknown one": (Payment("EUR", 2_400, "J. Doe", "invoice 99"), Match((), "unmatched")),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_payer_writes(case: str) -> None:
    payment, expected = CASES[case]
    assert OpenInvoices(OPEN).match(payment) == expected


def test_the_reference_is_that_of_the_standard() -> None:
    """ISO 11649's own example of check digits, and that one wrong digit is never another invoice's."""
    assert creditor_reference(2348231) != creditor_reference(2348213)
    for number in (1, 12, 999_999_999):
        digits = "".join(str(int(char, 36)) for char in creditor_reference(number)[4:] + creditor_reference(number)[:4])
        assert int(digits) % 97 == 1


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 20)), max_size=12))
def test_no_invoice_is_ever_paid_more_than_it_is(payments: list[tuple[int, int]]) -> None:
    """Whatever comes in: what is booked is at most what came in, and what is left never below nought."""
    invoices = OpenInvoices([OpenInvoice(number, "acc", "EUR", 10, f"M{number}") for number in (1, 2)])
    for number, minor in payments:
        match = invoices.match(Payment("EUR", minor, "", creditor_reference(number)))
        assert sum(each for _, each in match.booked) <= minor
        invoices.pay(match.booked)
        assert all(found.left_minor >= 0 for number in (1, 2) if (found := invoices.of(number)))


def test_each_invoice_is_named_once() -> None:
    assert [each.number for each in named_in(f"{RF12} and {RF12}, invoice 99")] == [12]


@pytest.mark.parametrize(
    ("total", "paid", "now", "state"),
    [(100, 0, 9, "open"), (100, 99, 10, "overdue"), (100, 100, 99, "paid"), (0, 0, 99, "paid"), (-5, 0, 99, "credit"),
     (-5, -5, 0, "paid")],
)  # fmt: skip
def test_what_became_of_an_invoice(total: int, paid: int, now: int, state: str) -> None:
    assert state_of(total, paid, 10, now) == state
