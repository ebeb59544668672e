"""A bank's file as a job: kept sealed, checked whole, noted some lines at a time, and gone on with wherever it ended.

Its control decides without what is known of a payment, and books it twice.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hub.domain.payouts.report_verdicts import Verdict
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts import arrived_payments, payout_outcomes
from hub.operations.money.payouts.arrived_payments import settlement_of
from hub.operations.money.payouts.payout_results import Matching, results_in
from hub.operations.money.payouts.payout_runs import run_part
from hub.operations.money.receipts import bank_report_runs, statement_receipts
from hub.operations.money.receipts.bank_report_runs import BankReports, read_for, read_now
from hub.operations.money.receipts.bank_report_store import (
    LEASE_MS,
    KeptReading,
    LeaseLost,
    Sent,
    first_reports,
    report_verdicts,
    require_report,
    send_report,
    show_report,
    verdicts_csv,
)
from hub.operations.money.receipts.bank_statements import statement_in
from hub.operations.system.secret_rotation import rotate_secrets
from hub.operations.trail import Actor, acting_as
from hub.operations.trail_lists import list_acts
from hub.records.bank_files import BankReportDocument
from hub.sealing import Sealer
from hub.storage import Store
from tests.ledger.test_killed import Dying, Killed
from tests.ledger.test_many_payments import PAYMENTS, five
from tests.ledger.test_payouts import SEALER, create, release, written
from tests.ledger.test_receipts import HEADER, billed
from tests.ledger.test_verify import entries_of
from tests.processing.harness import Harness

OLU = Actor("user", "usr_olu", "page")


@pytest.fixture(autouse=True)
def two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each transaction have two of what it has hundreds of."""
    monkeypatch.setattr(payout_outcomes, "AT_ONCE", 2)
    monkeypatch.setattr(payout_outcomes, "PASSED_AT_ONCE", 2)
    monkeypatch.setattr(statement_receipts, "CHUNK", 2)


def reader(harness: Harness, store: Store | None = None) -> BankReports:
    """Another process that reads reports."""
    return BankReports(store or harness.store, SEALER, harness.clock)


async def released(harness: Harness) -> tuple[str, list[str]]:
    """A run of five payments, all of them in a file, and whom it pays."""
    await five(harness)
    run = (await release(harness, (await create(harness))["id"]))["id"]
    await written(harness, run)
    return run, [each["affiliateId"] for each in (await run_part(harness.store, run, limit=PAYMENTS))["items"]]


def said(run: str, affiliates: list[str]) -> Sent:
    """What the bank says: one came back, one is under way, one is named twice, the others arrived."""
    words = ["PAID", "RETURNED", "PAID", "PENDING", "PAID", "PAID"]
    named = zip([*affiliates, affiliates[0]], words, strict=True)
    rows = [f"{name},{word},B-{number},No such account" for number, (name, word) in enumerate(named)]
    return Sent("\n".join(["affiliateId,status,reference,reason", *rows]).encode(), "answer.csv", run, "BANK")


async def settled(harness: Harness) -> Counter[str]:
    """How often each affiliate's payment was booked as arrived."""
    return Counter(each.affiliate_id for each in await entries_of(harness) if each.kind == "settled")


async def read_whole(harness: Harness, sent: Sent) -> BankReportDocument:
    return await read_now(reader(harness), sent, lambda _: None, 60)


async def test_what_the_bank_says_is_noted_line_by_line_and_kept(harness: Harness) -> None:
    """Who sent it, its hash, and what became of each line; sent again, all is known."""
    run, affiliates = await released(harness)
    sent = said(run, affiliates)
    with acting_as(OLU):
        done = await read_whole(harness, sent)
    assert (done.status, done.rows, done.done, done.sent_by) == ("DONE", 6, 6, "usr_olu")
    assert done.verdicts == {"ARRIVED": 3, "RETURNED": 1, "UNDER_WAY": 1, "REPEATED": 1}
    verdicts = await report_verdicts(harness.store, SEALER, done.id)
    assert [(each.row, each.verdict, each.about) for each in verdicts] == [
        (2, "REPEATED", ""), (3, "RETURNED", affiliates[1]), (4, "ARRIVED", affiliates[2]),
        (5, "UNDER_WAY", affiliates[3]), (6, "ARRIVED", affiliates[4]), (7, "ARRIVED", affiliates[0]),
    ]  # fmt: skip
    assert b"3,aff_" in verdicts_csv(verdicts)
    run_now = await settlement_of(harness.store, run, done.verdicts)
    assert (run_now["settled"], run_now["returned"], run_now["pending"]) == (3, 1, 1)
    assert {each["act"] for each in (await list_acts(harness.store, Wanted({}, 200))).entries} >= {
        "bank-report.sent", "payout.settled", "payout.returned",
    }  # fmt: skip
    again = await read_whole(harness, sent)
    assert again.id != done.id
    assert again.verdicts == {"KNOWN": 4, "UNDER_WAY": 1, "REPEATED": 1}
    assert [each.id for each in await first_reports(harness.store, Wanted({"payout_id": run}))] == [
        again.id, done.id,
    ]  # fmt: skip
    assert (await verify_ledger(harness.store, SEALER))["ok"]


async def killed_at(harness: Harness, lives: int, sent: Sent) -> bool:
    """Read a report in a process that dies before its n-th transaction commits; return whether it did."""
    dying: Any = Dying(harness.store, lives)
    try:
        await read_now(reader(harness, dying), sent, lambda _: None, 60)
    except Killed:
        return True
    return False


async def test_killed_anywhere_it_goes_on_and_settles_nothing_twice(harness: Harness) -> None:
    """Each transaction in turn is the last one of a process; another goes on once the lease has run out."""
    run, affiliates = await released(harness)
    sent, deaths = said(run, affiliates), 0
    for lives in (0, 2, 3, 3, 3, 3, 3, 3, 3, 3):
        deaths += await killed_at(harness, lives, sent)
        harness.clock.advance(LEASE_MS + 1)
    await reader(harness).read()
    (done,) = await first_reports(harness.store, Wanted())
    assert (done.status, done.done, deaths > 4) == ("DONE", 6, True)
    verdicts = await report_verdicts(harness.store, SEALER, done.id)
    assert Counter(each.verdict for each in verdicts) == done.verdicts
    assert [each.row for each in verdicts] == [2, 3, 4, 5, 6, 7]
    assert await settled(harness) == Counter({affiliates[each]: 1 for each in (0, 2, 4)})
    assert (await verify_ledger(harness.store, SEALER))["ok"]


async def test_control_without_what_is_known_a_payment_is_booked_twice(
    sqlite_live: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reading that takes the bank's word alone, and marks a payment whatever it is."""

    async def always(*_: object, **__: object) -> bool:
        return True

    monkeypatch.setattr(payout_outcomes, "decide", lambda _status, _outcome: "ARRIVED")
    monkeypatch.setattr(arrived_payments, "move_item", always)
    run, affiliates = await released(sqlite_live)
    sent = Sent(f"affiliateId,status\n{affiliates[0]},PAID\n".encode(), "answer.csv", run, "BANK")
    for _ in range(2):
        await read_whole(sqlite_live, sent)
    assert await settled(sqlite_live) == Counter({affiliates[0]: 2})


async def test_two_processes_at_once_note_a_report_once(harness: Harness) -> None:
    """The lease decides; one whose lease has gone meanwhile notes nothing any more."""
    run, affiliates = await released(harness)
    report_id = await send_report(harness.store, SEALER, harness.clock, said(run, affiliates))
    assert await send_report(harness.store, SEALER, harness.clock, said(run, affiliates)) == report_id
    first, second = reader(harness), reader(harness)
    await asyncio.gather(first.read(), second.read())
    done = await show_report(harness.store, report_id)
    assert (done.status, done.done) == ("DONE", 6)
    assert await settled(harness) == Counter({affiliates[each]: 1 for each in (0, 2, 4)})


async def test_who_has_lost_the_lease_notes_nothing(harness: Harness) -> None:
    """A process that stood still finds that another one has gone on; what it began is undone."""
    run, affiliates = await released(harness)
    report_id = await send_report(harness.store, SEALER, harness.clock, said(run, affiliates))
    slow, other = reader(harness), reader(harness)
    assert await slow._leased(report_id)
    assert not await other._leased(report_id)
    async with harness.store.read() as tx:
        row = await require_report(tx, report_id)
    reading = KeptReading(harness.store, SEALER, harness.clock, row, slow.owner)
    await reading.checked(6)
    harness.clock.advance(LEASE_MS + 1)
    assert await other._leased(report_id)
    with pytest.raises(LeaseLost):
        async with harness.store.write() as tx:
            await reading.keep(tx, [Verdict(1, "x", "", "KNOWN", "")])
    assert await report_verdicts(harness.store, SEALER, report_id) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("affiliateId,status\n{0},PAID\naff_none,PAID\n", "no payment of the run is called"),
        ("affiliateId,status\n{0},PAID\n{0},RETURNED\n", "contradict themselves"),
        ("affiliateId,status\n{0},PAID\n{1},LATER\n", "needs an affiliateId and a status"),
    ],
)
async def test_a_report_is_refused_whole_and_says_why(harness: Harness, content: str, words: str) -> None:
    run, affiliates = await released(harness)
    sent = Sent(content.format(*affiliates).encode(), "answer.csv", run, "BANK")
    with pytest.raises(OperatorFault, match=words):
        await read_whole(harness, sent)
    (kept,) = await first_reports(harness.store, Wanted({"status": "REFUSED"}))
    assert (kept.done, words in str(kept.fault)) == (0, True)
    assert await settled(harness) == Counter()


async def test_what_is_kept_is_sealed_and_sealed_anew(sqlite_live: Harness, sqlite_url: str) -> None:
    """Account numbers of a statement are nowhere in clear, and a new master key takes the file along."""
    header, iban = HEADER.replace("reference", "reference,account"), "DE02120300000000202051"
    content = f"{header}2026-12-01,7.00,USD,Bea,hello,x,{iban}\n"
    done = await read_whole(sqlite_live, Sent(content.encode(), "statement.csv"))
    assert done.verdicts == {"QUESTION": 1}
    for file in Path(sqlite_url.removeprefix("sqlite:///")).parent.iterdir():
        assert file.is_dir() or iban.encode() not in file.read_bytes()
    later = Sealer.of([b"k" * 32, b"l" * 32])
    await rotate_secrets(sqlite_live.store, later, sqlite_live.clock, shared=False)
    only = Sealer.of([b"l" * 32])
    (verdict,) = await report_verdicts(sqlite_live.store, only, done.id)
    assert (verdict.row, verdict.detail) == (1, "unmatched")


async def test_a_statement_is_gone_on_with_as_well(harness: Harness) -> None:
    await billed(harness, "1000.00", "2000.00")
    rows = [f"2026-12-01,{each}.00,USD,Payer {each},hello,x{each}\n" for each in range(1, 6)]
    sent = Sent((HEADER + "".join(rows)).encode(), "statement.csv")
    for lives in (2, 3, 3, 3):
        await killed_at(harness, lives, sent)
        harness.clock.advance(LEASE_MS + 1)
    await reader(harness).read()
    (done,) = await first_reports(harness.store, Wanted())
    assert (done.status, done.rows, done.verdicts) == ("DONE", 5, {"QUESTION": 5})
    assert [each.row for each in await report_verdicts(harness.store, SEALER, done.id)] == [1, 2, 3, 4, 5]
    assert (await verify_ledger(harness.store, SEALER))["ok"]


async def test_a_page_waits_a_moment_and_a_timer_reads_the_rest(harness: Harness) -> None:
    run, affiliates = await released(harness)
    begun = await read_for(reader(harness), said(run, affiliates), 0)
    assert begun.status != "DONE"
    assert await reader(harness).read() == 1
    assert (await show_report(harness.store, begun.id)).status == "DONE"


async def test_files_are_parsed_and_matched_off_the_event_loop(
    sqlite_live: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever else is served does not wait for a hundred thousand lines."""
    threads = set[int]()

    def watched(work: Any) -> Any:
        def called(*args: Any) -> Any:
            threads.add(threading.get_ident())
            return work(*args)

        return called

    monkeypatch.setattr(bank_report_runs, "results_in", watched(results_in))
    monkeypatch.setattr(bank_report_runs, "statement_in", watched(statement_in))
    monkeypatch.setattr(payout_outcomes, "Matching", watched(Matching))
    run, affiliates = await released(sqlite_live)
    await read_whole(sqlite_live, said(run, affiliates))
    await read_whole(sqlite_live, Sent((HEADER + "2026-12-01,7.00,USD,Bea,hello,x\n").encode(), "statement.csv"))
    assert threads
    assert threading.get_ident() not in threads
