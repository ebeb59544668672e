"""A bank's statement, booked: what came in is matched with invoices, and what is left open is a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.books.receivables import Payment, named_in
from hub.domain.money import format_money
from hub.domain.payouts.report_verdicts import Verdict
from hub.operations.money.books.books import BILLING_LOCK
from hub.operations.money.payouts.report_reading import Reading
from hub.operations.money.receipts.bank_statements import Movement, Statement
from hub.operations.money.receipts.receipts import (
    InvoicePayment,
    NewReceipt,
    new_receipt,
    open_invoices,
    store_receipts,
)
from hub.operations.trail import note_act
from hub.storage import Store, Tx

CHUNK: Final = 500
"""How many movements are booked in one transaction."""


class StatementRead(TypedDict):
    """What became of a statement: how many movements came in, are new, are on their invoices, and are questions.

    `passedOver` are movements of other kinds: what left the account, what came back, what is not booked yet.
    """

    movements: int
    new: int
    matched: int
    questions: int
    passedOver: int


async def read_statement(
    store: Store, clock: Clock, statement: Statement, reading: Reading | None = None
) -> StatementRead:  # fmt: skip
    """Book what came in by a statement, what is known already left aside; killed anywhere, it may be read again.

    It begins behind what `reading` has noted before.
    """
    reading = reading or Reading()
    await reading.checked(len(statement.movements), statement.passed_over)
    for first in range(reading.done, len(statement.movements), CHUNK):
        part = dict(statement.movements[first : first + CHUNK])
        async with store.write() as tx:
            await tx.lock_orders(BILLING_LOCK)
            known = {row["movement"] for row in await tx.all("known_movements", movements=sorted(part))}
            made = await _book(tx, clock(), {key: each for key, each in part.items() if key not in known})
            await reading.keep(tx, [_verdict(row, each, made.get(key))
                                    for row, (key, each) in enumerate(part.items(), start=first + 1)])  # fmt: skip
    async with store.write() as tx:
        done = statement_read(len(statement.movements), reading.counts)
        await note_act(tx, clock(), "statement.read", statement.sha256, after=done)
        await reading.finish(tx)
    return done


def statement_read(movements: int, counts: Mapping[str, int]) -> StatementRead:
    """Return what became of a statement of so many movements, of which so many had each verdict."""
    matched, questions = counts.get("MATCHED", 0), counts.get("QUESTION", 0)
    return {
        "movements": movements, "new": matched + questions, "matched": matched, "questions": questions,
        "passedOver": counts.get("NOT_OURS", 0),
    }  # fmt: skip


def _verdict(row: int, movement: Movement, made: NewReceipt | None) -> Verdict:
    named = f"{movement.booked_on} {format_money(movement.amount_minor, movement.currency)} {movement.currency}"
    if made is None:
        return Verdict(row, named, "", "KNOWN", "")
    return Verdict(row, named, made.receipt_id, "QUESTION" if made.question else "MATCHED", made.question or "")


async def _book(tx: Tx, now: int, movements: Mapping[str, Movement]) -> dict[str, NewReceipt]:
    """Match and store movements; return the receipt of each."""
    accounts = {row["issuer_id"]: row["iban"] for row in await tx.all("issuers")}
    owners = {iban: code for code, iban in accounts.items() if iban}
    named = {each for movement in movements.values() for each in named_in(movement.remittance, accounts)}
    invoices = await open_invoices(tx, named, accounts)
    receipts, payments = dict[str, NewReceipt](), list[InvoicePayment]()
    for key, each in movements.items():
        owner = owners.get(each.account)
        match = invoices.match(Payment(each.currency, each.amount_minor, each.payer, each.remittance, owner))
        invoices.pay(match.booked)
        receipts[key] = receipt = new_receipt(key, "statement", each, match.question, now)
        payments += [InvoicePayment(number, receipt.receipt_id, minor) for number, minor in match.booked]
    await store_receipts(tx, now, list(receipts.values()), payments)
    return receipts
