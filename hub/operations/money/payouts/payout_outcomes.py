"""What a bank's results mean for the payments of a run, decided in the transactions that note it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never, get_args

from attrs import field, frozen

from hub.clock import Clock
from hub.domain.payouts.report_verdicts import Verdict
from hub.domain.words import PaymentOutcome, ReportVerdict
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payouts.arrived_payments import SettlementDocument, end_settlement, settle_payments
from hub.operations.money.payouts.payout_release import item_key
from hub.operations.money.payouts.payout_results import Match, Matching, Result
from hub.operations.money.payouts.payout_returns import take_back
from hub.operations.money.payouts.payout_runs import pages_of_items
from hub.operations.money.payouts.report_reading import Reading
from hub.operations.trail import note_act
from hub.processing.noted_rows import items_of, note_rows
from hub.storage import Row, Store, Tx

AT_ONCE: Final = 100
"""So many payments are noted in one transaction."""
PASSED_AT_ONCE: Final = 1_000
OUTCOMES: Final[tuple[PaymentOutcome, ...]] = get_args(PaymentOutcome)


@frozen
class Outcomes:
    """What is to be noted: payments that arrived, each with its reference, came back for a reason, or are questions."""

    arrived: list[tuple[Row, str]] = field(factory=list)
    came_back: list[tuple[Row, str]] = field(factory=list)
    questions: list[tuple[Row, str]] = field(factory=list)


async def settle_by_results(
    store: Store, clock: Clock, payout_id: str, reference: str, results: list[Result], file_id: str | None,
    reading: Reading,
) -> SettlementDocument:  # fmt: skip
    """Note what a bank's results say of a run's payments, behind what `reading` has noted before.

    All of them are checked before any is noted. What each means is decided in the transaction that notes it, by what is
    known of the payment then, so a reading that was broken off settles nothing twice. Raise `OperatorFault` as
    `settle_run` does.
    """
    matches, passed_over = await _matches(store, payout_id, file_id, results)
    await reading.checked(len(matches) + len(passed_over))
    for part in parts_of(matches, reading.done):
        async with store.write() as tx:
            await tx.lock_orders(RUN_LOCK)
            await reading.keep(tx, await _note(tx, clock(), payout_id, part, reference))
    for first in range(max(0, reading.done - len(matches)), len(passed_over), PASSED_AT_ONCE):
        async with store.write() as tx:
            some = passed_over[first : first + PASSED_AT_ONCE]
            await reading.keep(tx, [Verdict(each.row, each.payment, "", word, "") for each, word in some])
    return await end_settlement(store, clock, payout_id, reference, reading)


async def _matches(
    store: Store, payout_id: str, file_id: str | None, results: list[Result]
) -> tuple[list[Match], list[tuple[Result, ReportVerdict]]]:
    """Return the payments that a bank's results name, in one go over the run's payments, and what names none."""
    async with store.read() as tx:
        files = await tx.all("payout_files_of", payout_id=payout_id)
    messages = {row["message_id"]: row["file_id"] for row in files}
    # A bank's file may have a hundred thousand payments: whoever else is served does not wait for it.
    matching = await asyncio.to_thread(Matching, payout_id, messages, results)
    async with store.read() as tx:
        async for items in pages_of_items(tx, payout_id, file_id=file_id):
            matching.look_at(item for item in items if item["status"] != "CARRIED")
    return await asyncio.to_thread(matching.matches), matching.passed_over


def parts_of(matches: Iterable[Match], done: int) -> Iterator[list[Match]]:
    """Yield matches behind so many, some at a time: those of one outcome together, as one transaction notes them."""
    before = 0
    for outcome in OUTCOMES:
        same = [each for each in matches if each[1].outcome == outcome]
        for first in range(max(0, done - before), len(same), AT_ONCE):
            yield same[first : first + AT_ONCE]
        before += len(same)


def decide(status: str, outcome: PaymentOutcome) -> ReportVerdict:
    """Return what a bank's word means beside what is known of a payment, whose status this is."""
    match outcome:
        case "under_way":
            return "UNDER_WAY"
        case "returned":
            return "KNOWN" if status == "RETURNED" else "RETURNED"
        case "paid":
            return "ARRIVED" if status == "RELEASED" else "QUESTION" if status == "RETURNED" else "KNOWN"
        case _:
            assert_never(outcome)


async def _note(tx: Tx, now: int, payout_id: str, part: Sequence[Match], reference: str) -> list[Verdict]:
    """Note what some results of one outcome mean; return what became of each."""
    keys = sorted(paid[:2] for paid, _ in part)
    rows = {(row["affiliate_id"], row["currency"]): row
            for row in await tx.all("payout_items_named", payout_id=payout_id, payments=keys)}  # fmt: skip
    verdicts, outcomes = list[Verdict](), Outcomes()
    for paid, result in part:
        item, verdict = rows[paid[:2]], decide(rows[paid[:2]]["status"], result.outcome)
        under = result.reference or reference
        detail = ""
        if verdict == "ARRIVED":
            detail = under
            outcomes.arrived.append((item, under))
        elif verdict == "RETURNED":
            detail = result.reason
            outcomes.came_back.append((item, result.reason))
        elif verdict == "QUESTION":
            detail = f"The bank says under {under!r} that it arrived, after it came back."
            outcomes.questions.append((item, detail))
        verdicts.append(Verdict(result.row, result.payment, paid.affiliate_id, verdict, detail))
    if outcomes.arrived:
        await settle_payments(tx, outcomes.arrived, now)
    if outcomes.came_back:
        await take_back(tx, outcomes.came_back, now)
    if outcomes.questions:
        await _ask(tx, now, payout_id, outcomes.questions)
    return verdicts


async def _ask(tx: Tx, now: int, payout_id: str, questions: Sequence[tuple[Row, str]]) -> None:
    """Note words of the bank that contradict what is known, each as the question that a person answers."""
    for item, question in questions:
        await tx.run("question_payment", **item_key(item), question=question)
    await note_rows(tx, now, {"payout_items": items_of(item for item, _ in questions)})
    after = {"affiliates": [item["affiliate_id"] for item, _ in questions]}
    await note_act(tx, now, "payout.questioned", payout_id, after=after)
