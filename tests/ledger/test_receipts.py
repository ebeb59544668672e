"""What merchants pay of their invoices: statements that are read, questions that they leave, and the way back."""

from __future__ import annotations

from typing import Final

import pytest

from hub.domain.books.receivables import creditor_reference
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.invoices.invoice_standings import ShownInvoice, invoices_with_standing
from hub.operations.money.invoices.merchant_invoices import issue_invoices
from hub.operations.money.receipts import bank_statements
from hub.operations.money.receipts.bank_statements import statement_in
from hub.operations.money.receipts.receipt_acts import (
    assign_receipt,
    close_receipt,
    note_receipt,
    set_off,
    take_receipt_back,
)
from hub.operations.money.receipts.receipts import ReceiptDocument, first_receipts
from hub.operations.money.receipts.statement_receipts import StatementRead, read_statement
from hub.operations.money.tax.billing import Billing
from tests.ledger.test_merchant_invoices import month_of
from tests.ledger.test_payouts import pay, payable, refund
from tests.ledger.test_verify import entries_of, holds
from tests.processing.harness import DAY, Harness

GERMAN: Final = Billing(("Network", "DE"), "DE", "19", 14 * DAY, "IBAN DE89 3704 0044 0532 0130 00")
HEADER: Final = "bookedOn,amount,currency,payer,remittance,reference\n"
CAMT: Final = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>{entries}</Stmt></BkToCstmrStmt></Document>"""
ENTRY: Final = """<Ntry><Amt Ccy="USD">{amount}</Amt><CdtDbtInd>{way}</CdtDbtInd><Sts><Cd>{status}</Cd></Sts>
<BookgDt><Dt>2026-12-0{day}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Dbtr><Pty><Nm>Somebody</Nm></Pty></Dbtr></RltdPties>
<RmtInf><Ustrd>{written}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>"""


def entry(amount: str, written: str, *, way: str = "CRDT", status: str = "BOOK", day: int = 1) -> str:
    return ENTRY.format(amount=amount, written=written, way=way, status=status, day=day)


def camt(*entries: str) -> bytes:
    return CAMT.format(entries="".join(entries)).encode()


async def read(harness: Harness, content: bytes | str) -> StatementRead:
    statement = statement_in(content.encode() if isinstance(content, str) else content, "statement")
    return await read_statement(harness.store, harness.clock, statement)


async def billed(harness: Harness, *amounts: str, start: int = 0) -> None:
    """Orders of a month that are paid out and invoiced, with German VAT: 5 % of each amount, and 19 % on it."""
    await payable(harness, *amounts, start=start)
    await pay(harness)
    month = month_of(harness)
    harness.clock.advance(31 * DAY)
    assert await issue_invoices(harness.store, harness.clock, harness.merchant_id, month, GERMAN)


async def standing(harness: Harness, number: int = 1) -> ShownInvoice:
    found = await invoices_with_standing(harness.store, harness.clock)
    return next(each for each in found if each["number"] == number)


async def questions(harness: Harness) -> list[ReceiptDocument]:
    return await first_receipts(harness.store, Wanted({"status": "OPEN"}, 100))


async def test_a_statement_pays_the_invoice_that_it_names(harness: Harness) -> None:
    """Gross, with its VAT: the merchant owes nothing any more, in the ledger, too; read again it is known."""
    await billed(harness, "1000.00")
    assert ((await standing(harness))["state"], (await standing(harness))["left"]) == ("open", "59.50")
    harness.clock.advance(20 * DAY)
    assert (await standing(harness))["state"] == "overdue"
    content = camt(
        entry("59.50", f"Rechnung {creditor_reference(1)}"), entry("7.00", creditor_reference(1), way="DBIT"),
        entry("59.50", creditor_reference(1), status="PDNG"),
    )  # fmt: skip
    done = await read(harness, content)
    assert done == {"movements": 1, "new": 1, "matched": 1, "questions": 0, "passedOver": 2}
    paid = await standing(harness)
    assert (paid["state"], paid["paidOn"], paid["overdueSince"], paid["left"]) == ("paid", "2026-12-01", None, "0.00")
    assert (await read(harness, content))["new"] == 0
    assert (await read(harness, camt(entry("59.50", f"Rechnung {creditor_reference(1)}"))))["new"] == 0
    owed = sum((e.amount_minor if e.credit == "merchant" else -e.amount_minor)
               for e in await entries_of(harness) if "merchant" in (e.debit, e.credit))  # fmt: skip
    assert owed == 0
    await holds(harness.store)


async def test_two_equal_movements_of_a_day_are_two(harness: Harness) -> None:
    """Whoever pays the same twice paid twice; the statement of the whole day names no more than it did."""
    await billed(harness, "1000.00")
    twice = camt(*[entry("20.00", creditor_reference(1))] * 2)
    assert (await read(harness, twice))["new"] == 2
    assert (await read(harness, twice + b"\n"))["new"] == 0
    assert (await standing(harness))["paid"] == "40.00"


async def test_parts_are_questions_until_nothing_is_left(harness: Harness) -> None:
    await billed(harness, "1000.00")
    lines = f"{HEADER}2026-12-01,50.00,USD,Somebody,{creditor_reference(1)},B1\n"
    assert (await read(harness, lines))["questions"] == 1
    (part,) = await questions(harness)
    assert (part["question"], part["pays"]) == ("part_paid", [{"invoice": 1, "amount": "50.00", "currency": "USD"}])
    await read(harness, f"{HEADER}2026-12-09,9.50,USD,Somebody,{creditor_reference(1)},B2\n")
    assert await questions(harness) == []
    assert (await standing(harness))["paidOn"] == "2026-12-09"
    await holds(harness.store)


async def test_what_is_too_much_waits_for_a_person(harness: Harness) -> None:
    """On another invoice, or closed with its reason; an unknown payment is put on its invoice by hand."""
    await billed(harness, "1000.00")
    await billed(harness, "400.00", start=1)
    store, clock = harness.store, harness.clock
    content = f"{HEADER}2026-12-01,69.50,USD,,{creditor_reference(1)},B1\n2026-12-02,5.00,USD,Unknown,thanks,B2\n"
    assert (await read(harness, content))["questions"] == 2
    over, unknown = sorted(await questions(harness), key=lambda each: each["bookedOn"])
    assert (over["question"], over["left"], unknown["question"]) == ("overpaid", "10.00", "unmatched")
    done = await assign_receipt(store, clock, over["id"], invoice=2)
    assert (done["status"], done["left"]) == ("MATCHED", "0.00")
    assert (await standing(harness, 2))["left"] == "13.80"
    with pytest.raises(OperatorFault, match="Nothing is left of it"):
        await assign_receipt(store, clock, over["id"], invoice=2)
    with pytest.raises(OperatorFault, match="Invoice 1 is paid already"):
        await assign_receipt(store, clock, unknown["id"], invoice=1)
    closed = await close_receipt(store, clock, unknown["id"], reason="Somebody else's; sent back")
    assert (closed["status"], closed["decision"]) == ("CLOSED", "Somebody else's; sent back")
    assert await close_receipt(store, clock, unknown["id"], reason="Again") == closed
    with pytest.raises(OperatorFault, match="no question to close"):
        await close_receipt(store, clock, over["id"], reason="x")
    assert await questions(harness) == []
    await holds(harness.store)


async def test_a_mistake_is_taken_back(harness: Harness) -> None:
    """The invoice is open again, the ledger has both ways, and the payment is a question again."""
    await billed(harness, "1000.00")
    store, clock = harness.store, harness.clock
    await read(harness, f"{HEADER}2026-12-01,59.50,USD,,{creditor_reference(1)},B1\n")
    (paid,) = await first_receipts(store, Wanted(limit=9))
    back = await take_receipt_back(store, clock, paid["id"], reason="Another's payment")
    assert (back["status"], back["question"], back["left"]) == ("OPEN", "unmatched", "59.50")
    assert (await standing(harness))["left"] == "59.50"
    with pytest.raises(OperatorFault, match="pays no invoice"):
        await take_receipt_back(store, clock, paid["id"], reason="Again")
    assert [e.kind for e in await entries_of(harness)][-2:] == ["invoice_paid", "invoice_reopened"]
    await holds(harness.store)


async def test_payments_by_hand_count_once_and_a_credit_note_is_used_up(harness: Harness) -> None:
    """A credit note is set off against an invoice, or paid back with a negative amount; never more than is left."""
    await billed(harness, "1000.00")
    await refund(harness, "O-0", "r-1", "200.00")
    store, clock, month = harness.store, harness.clock, month_of(harness)
    clock.advance(31 * DAY)
    assert await issue_invoices(store, clock, harness.merchant_id, month, GERMAN)
    credit = await standing(harness, 2)
    assert (credit["state"], credit["left"]) == ("credit", "-11.90")
    by_hand = await note_receipt(store, clock, invoice=1, amount="40.00", reference="B1", booked_on="2026-12-03")
    assert await note_receipt(store, clock, invoice=1, amount="40.00", reference="B1") == by_hand
    with pytest.raises(OperatorFault, match="noted with another amount"):
        await note_receipt(store, clock, invoice=1, amount="41.00", reference="B1")
    with pytest.raises(OperatorFault, match="such an amount is not on it"):
        await note_receipt(store, clock, invoice=1, amount="-1.00", reference="B2")
    with pytest.raises(OperatorFault, match=r"Only 11\.90 USD is left of credit note 2"):
        await note_receipt(store, clock, invoice=2, amount="-12.00", reference="B2")
    await note_receipt(store, clock, invoice=2, amount="-1.90", reference="B2")
    used = await set_off(store, clock, credit=2, invoice=1)
    assert [(each["invoice"], each["amount"]) for each in used["pays"]] == [(1, "10.00"), (2, "-10.00")]
    assert ((await standing(harness, 2))["state"], (await standing(harness, 1))["left"]) == ("paid", "9.50")
    with pytest.raises(OperatorFault, match="nothing was done"):
        await set_off(store, clock, credit=2, invoice=1)
    await holds(harness.store)
    await take_receipt_back(store, clock, used["id"], reason="Not agreed")
    assert (await standing(harness, 2))["left"] == "-10.00"
    await holds(harness.store)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<a/>", "no statement that the hub reads"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "not XML that the hub reads"),
        (camt(entry("1.001", "x")), "has an amount that"),
        (camt(entry("1.00", "x")).replace(b"USD", b"XXQ"), "without an amount in a currency"),
        (camt(entry("1.00", "x")).replace(b"2026-12", b"2026-13"), "write it like 2026-11-30"),
        (b"a,b\n1,2\n", "lacks bookedon, amount, currency"),
        (HEADER.encode(), "has no line"),
        (HEADER.encode() + b"2026-12-01,1.00,QQQ,,,\n", "a currency instead of 'QQQ'"),
        (HEADER.encode() + b"1.12.2026,1.00,USD,,,\n", "write it like 2026-11-30"),
        (b"\xff\xfe\x00", "cannot be read"),
    ],
)
def test_what_is_no_statement_is_refused_whole(content: bytes, words: str) -> None:
    with pytest.raises(OperatorFault, match=words):
        statement_in(content, "statement")


async def test_control_without_the_names_of_movements_a_statement_pays_twice(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reading names them anew: the second one pays again, and the books would agree with it."""
    monkeypatch.setattr(bank_statements, "_keyed", lambda found: [(new_id("key"), each) for each in found])
    await billed(harness, "1000.00")
    content = camt(entry("20.00", creditor_reference(1)))
    assert [(await read(harness, content))["new"] for _ in range(2)] == [1, 1]
    assert (await standing(harness))["paid"] == "40.00"
    await holds(harness.store)
