"""Every column of every table of money, changed by SQL one by one: the proof of the books names each.

The control takes the notes away: what a review once found to be changeable unseen is so again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from hub.config.payout_section import PayoutSettings
from hub.domain.books.money_notes import KEYS
from hub.operations.money.books.books import set_books
from hub.operations.money.books.deposits import move_deposit, require_deposit
from hub.operations.money.books.exchange_rates import approve_rates, propose_rates
from hub.operations.money.invoices.merchant_invoices import issue_invoices
from hub.operations.money.ledger import ledger
from hub.operations.money.ledger.closings import close_month, propose_close
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payees.payout_terms import set_terms
from hub.operations.money.payouts.pay_dates import ScheduledRuns
from hub.operations.money.payouts.payout_files import withdraw_file
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.money.rates.fees import set_fee
from hub.operations.money.rates.payabilities import hold_payments
from hub.operations.money.receipts.bank_report_runs import BankReports, read_now
from hub.operations.money.receipts.bank_report_store import Sent
from hub.operations.money.receipts.receipt_acts import note_receipt, take_receipt_back
from hub.operations.money.tax.issuers import bill_by, self_bill_to, set_issuer
from hub.operations.money.tax.vat_checks import check_merchant_vat
from hub.operations.trail import acting_as
from hub.storage import Store
from tests.ledger.test_closings import SECOND
from tests.ledger.test_findings import SELF_BILLED
from tests.ledger.test_merchant_invoices import profiled
from tests.ledger.test_payout_files import second_affiliate
from tests.ledger.test_payouts import SEALER, create, payable, refund, release, written
from tests.ledger.test_receipts import GERMAN, HEADER
from tests.ledger.test_vat_checks import ASKS, VALID, saying
from tests.ledger.test_verify import entries_of
from tests.processing.harness import DAY, Harness

PROVED: Final = {
    "payout_lines": ("account_id", "payout_id", "line_id", "affiliate_id", "currency", "amount_minor", "status"),
    "deposit_covers": ("account_id", "commission_id", "currency", "amount_minor"),
    "deposits": ("account_id", "currency", "balance_minor"),
    "commissions": ("state", "amount_minor", "currency", "affiliate_id", "paid_at", "payout_reference"),
    "ledger_entries": ("posted_at", "kind", "debit", "credit", "amount_minor", "currency", "affiliate_id",
                       "commission_id", "adjustment_id", "external_order_id", "cause", "hash"),
    "ledger_heads": ("account_id", "entries", "hash", "closed_until"),
    "money_notes": ("account_id", "note_no", "noted_at", "table_name", "row_key", "digest", "hash"),
    "money_note_heads": ("account_id", "notes", "hash"),
}  # fmt: skip
"""Tables that are proved by what they must add up to, or that are the chains themselves, with their columns."""
ONCE_UNSEEN: Final = {
    ("payouts", "mode"), ("payouts", "status"), ("payouts", "created_by"), ("payouts", "released_by"),
    ("payouts", "released_at"), ("payout_items", "commissions"), ("payout_items", "adjustments"),
    ("adjustments", "kind"), ("adjustments", "reason"), ("adjustments", "created_by"), ("adjustments", "decided_by"),
    ("invoices", "issued_at"), ("merchant_fees", "set_by"), ("deposit_payments", "made_by"), ("payees", "waits"),
    ("payees", "changed_at"), ("payout_files", "written_by"), ("payment_holds", "ends_at"),
}  # fmt: skip
"""What a review changed without anybody noticing; only the notes know of it."""


async def lived(harness: Harness) -> None:
    """A network's months: runs, a file that was withdrawn, refunds, a hold, a deposit, fees, invoices, a draft."""
    store, clock, merchant = harness.store, harness.clock, harness.merchant_id
    await set_books(store, clock, "Europe/Berlin")
    await set_fee(store, clock, merchant, "20")
    clock.advance(DAY)
    bea = await second_affiliate(harness)
    await payable(harness, "100.00", "60.00", payee=SELF_BILLED)
    run = (await create(harness))["id"]
    await release(harness, run)
    first = (await written(harness, run)).document["file"]
    assert first is not None
    await withdraw_file(store, clock, PayoutSettings(), first.id)
    await written(harness, run)
    await settle_run(store, clock, run, "B-1")
    month = datetime.fromtimestamp(clock() / 1000, UTC).strftime("%Y-%m")
    await refund(harness, "O-0", "r-1", "40.00")
    await hold_payments(store, clock, bea, "A dispute", clock() + 90 * DAY)
    await require_deposit(store, clock, merchant, required=True)
    await move_deposit(store, clock, merchant, amount="90.00", currency="USD", reference="D-1")
    await payable(harness, "300.00", start=2)
    await release(harness, (await create(harness))["id"])
    await refund(harness, "O-2", "r-2", "10.00")
    await set_terms(store, clock, harness.affiliate_id, paid_in="EUR")
    await payable(harness, "400.00", start=3)
    (rate,) = await propose_rates(store, clock, "USD:EUR:0.9231", "A bank")
    with acting_as(SECOND):
        await approve_rates(store, clock, PayoutSettings(), rate.set_id)
    clock.advance(1)
    await create(harness)
    clock.advance(40 * DAY)
    issued = await issue_invoices(store, clock, merchant, month, GERMAN)
    owed = next(each for each in issued if not each["total"].startswith("-"))
    part = await note_receipt(store, clock, invoice=owed["number"], amount="0.50", reference="R-1")
    await take_receipt_back(store, clock, part["id"], reason="Another's")
    await note_receipt(store, clock, invoice=owed["number"], amount="0.50", reference="R-2")
    await asked_vies_and_the_bank(harness)
    await set_issuer(store, clock, "at", name="Netz GmbH", address="Ring 1", country="AT")
    await bill_by(store, clock, merchant, "at")
    await self_bill_to(store, clock, harness.affiliate_id, "at")
    await set_payee(store, SEALER, clock, None, harness.affiliate_id, SELF_BILLED)
    await set_terms(store, clock, harness.affiliate_id, minimum="25", currencies="USD", waits=True)
    await propose_close(store, clock, month, anyway=True)
    with acting_as(SECOND):
        await close_month(store, clock, PayoutSettings(), month)
    today = datetime.fromtimestamp(clock() / 1000, ZoneInfo("Europe/Berlin")).day
    await ScheduledRuns(store, clock, PayoutSettings(pay_day=f"JPY:{min(28, today)}")).draft()


async def asked_vies_and_the_bank(harness: Harness) -> None:
    """A number that VIES called valid, and a statement of the bank."""
    await profiled(harness, "AT", "ATU12345675")
    await check_merchant_vat(harness.store, harness.clock, ASKS, saying(VALID), harness.merchant_id)
    sent = Sent(f"{HEADER}2026-12-01,7.00,USD,Bea,hello,x\n".encode(), "statement.csv")
    await read_now(BankReports(harness.store, SEALER, harness.clock), sent, lambda _: None, 60)


def places(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns of a table."""
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]


def put(connection: sqlite3.Connection, table: str, old: dict[str, object], new: dict[str, object]) -> None:
    """Make a row another one."""
    sets, where = (sep.join(f"{name} {word} ?" for name in old) for sep, word in ((", ", "="), (" AND ", "IS")))
    statement = f"UPDATE {table} SET {sets} WHERE {where}"  # names of our own
    found = connection.execute(statement, [*new.values(), *old.values()])
    assert found.rowcount == 1
    connection.commit()


@contextmanager
def changed(connection: sqlite3.Connection, table: str, column: str) -> Iterator[None]:
    """Change one column of one row to another value of its kind; take it back afterwards."""
    names = places(connection, table)
    row = connection.execute(f"SELECT * FROM {table} ORDER BY {column} IS NULL LIMIT 1").fetchone()  # as above
    old = dict(zip(names, row, strict=True))
    known = old[column]
    numeric = next(row[2] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] == column) != "TEXT"
    new = (known or 0) + 1_000 if numeric else f"{known[:-4]}AAAA" if column.startswith("sealed") else f"{known or ''}x"
    put(connection, table, old, {**old, column: new})
    yield
    put(connection, table, {**old, column: new}, old)


async def unseen(harness: Harness, url: str, columns: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Change each of these columns in turn; return those that the proof does not name."""
    found = set[tuple[str, str]]()
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for table, column in columns:
            with changed(connection, table, column):
                if (await verify_ledger(harness.store, SEALER))["ok"]:
                    found.add((table, column))
    return found


@pytest.mark.prove
async def test_every_column_that_is_changed_by_sql_is_named(sqlite_live: Harness, sqlite_url: str) -> None:
    await lived(sqlite_live)
    assert (await verify_ledger(sqlite_live.store, SEALER))["faults"] == []
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        noted = [(table, column) for table in KEYS for column in places(connection, table)]
    proved = [(table, column) for table, names in PROVED.items() for column in names]
    assert await unseen(sqlite_live, sqlite_url, noted + proved) == set()
    assert (await verify_ledger(sqlite_live.store, SEALER))["ok"]


async def test_control_without_notes_the_changes_of_the_review_are_unseen(
    sqlite_live: Harness, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_store: Store) -> AsyncIterator[tuple[str, str]]:
        for each in tuple[tuple[str, str], ...]():
            yield each

    await lived(sqlite_live)
    monkeypatch.setattr(ledger, "note_faults", nothing)
    assert await unseen(sqlite_live, sqlite_url, ONCE_UNSEEN) == ONCE_UNSEEN


async def test_every_row_that_is_taken_out_is_named(sqlite_live: Harness, sqlite_url: str) -> None:
    """Its whole row, of each table; the fee at the end of a chain together with its head, too."""
    await lived(sqlite_live)
    silent = set[str]()
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        for table in (*KEYS, "payout_lines", "deposit_covers", "ledger_entries", "money_notes"):
            row = connection.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()  # names of our own
            where = " AND ".join(f"{name} IS ?" for name in places(connection, table))
            connection.execute(f"DELETE FROM {table} WHERE {where}", row)  # as above
            connection.commit()
            if (await verify_ledger(sqlite_live.store, SEALER))["ok"]:
                silent.add(table)
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)  # as above
            connection.commit()
    assert silent == set()
    assert (await verify_ledger(sqlite_live.store, SEALER))["ok"]


async def test_a_fee_that_is_taken_off_the_end_of_a_chain_with_its_head_is_named(
    harness: Harness, tampering: Store
) -> None:
    """Nothing compared fees with anything; now the fee in force is due right behind what was paid."""
    await set_fee(harness.store, harness.clock, harness.merchant_id, "20")
    harness.clock.advance(DAY)
    await payable(harness, "100.00")
    await release(harness, (await create(harness))["id"])
    entries = await entries_of(harness)
    assert entries[-1].kind == "fee"
    last = entries[-2]
    async with tampering.write() as tx:
        await tx.run("cut_chain", account_id=harness.account_id, entry=last.entry_no)
        await tx.run("cut_head", account_id=harness.account_id, entry=last.entry_no, hash=last.hash)
    (fault,) = (await verify_ledger(harness.store))["faults"]
    assert fault["message"] == f"The fee behind entry {last.entry_no} is 0.00 USD, but 1.00 was due."
