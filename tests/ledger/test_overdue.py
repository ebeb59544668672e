"""Invoices that are overdue: merchants are reminded level by level, and above a limit runs pay nothing of theirs."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from hub.config.payout_section import PayoutSettings
from hub.config.sections import ServerSettings
from hub.domain.books.reminders import level_due, levels
from hub.mail.outbox import Outbox
from hub.operations.lists import Wanted as Part
from hub.operations.money.payouts.overdue import Reminders
from hub.operations.money.payouts.pay_dates import next_payouts
from hub.operations.money.payouts.payout_gathering import NothingToPay, create_run
from hub.operations.money.payouts.payout_previews import preview_run
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.receipts.receipt_acts import note_receipt
from hub.operations.system.mails import list_mails
from tests.ledger.test_payouts import SEALER, payable
from tests.ledger.test_receipts import billed, standing
from tests.processing.harness import DAY, Harness
from tests.sqlite_first import on_both

DUNNING: Final = PayoutSettings(reminders="7d,21d", overdue_limit="EUR:1000,USD:50", pay_day="15")


def reminders(harness: Harness, settings: PayoutSettings = DUNNING) -> Reminders:
    return Reminders(harness.store, harness.clock, settings, Outbox(SEALER, is_on=True), ServerSettings())


async def mails(harness: Harness) -> list[str]:
    found = (await list_mails(harness.store, Part(limit=100))).entries
    return [mail.template for mail in found]


@pytest.mark.parametrize(
    ("now", "last", "level"), [(16, 0, None), (17, 0, 1), (17, 1, None), (40, 1, 2), (40, 0, 2), (99, 2, None)]
)
def test_the_highest_level_that_is_due_is_sent_once(now: int, last: int, level: int | None) -> None:
    assert level_due(10, now, (7, 21), last) == level


def test_levels_are_in_their_order() -> None:
    assert levels("7d, 21d") == (7 * DAY, 21 * DAY)
    assert levels("") == ()
    for wrong in ("21d,7d", "7d,7d", "soon"):
        with pytest.raises(ValueError, match=r"later|duration"):
            levels(wrong)


@on_both("database_url")
async def test_a_merchant_is_reminded_level_by_level(harness: Harness) -> None:
    """Two nodes at once remind once; a hub that stood still sends the highest level; what is paid is left alone."""
    await billed(harness, "1000.00")
    harness.clock.advance(14 * DAY + 6 * DAY)
    assert await reminders(harness).send() == 0
    harness.clock.advance(DAY)
    assert sum(await asyncio.gather(*(reminders(harness).send() for _ in range(2)))) == 1
    assert (await standing(harness))["reminders"] == 1
    assert await mails(harness) == ["invoice-overdue"]
    harness.clock.advance(30 * DAY)
    assert [await reminders(harness).send() for _ in range(2)] == [1, 0]
    assert ((await standing(harness))["reminders"], len(await mails(harness))) == (2, 2)
    await billed(harness, "100.00", start=1)
    await note_receipt(harness.store, harness.clock, invoice=2, amount="5.95", reference="R-1")
    harness.clock.advance(60 * DAY)
    assert await reminders(harness).send() == 0


async def test_nothing_is_paid_of_a_merchant_that_owes_too_much(harness: Harness) -> None:
    """Its commissions wait, the preview names it, the affiliate reads why; once it has paid, they are in the run."""
    await billed(harness, "1000.00")
    await payable(harness, "300.00", start=1)
    harness.clock.advance(20 * DAY)
    store, clock = harness.store, harness.clock
    preview = await preview_run(store, clock, DUNNING, Wanted("live"))
    assert (preview["items"], preview["lines"]) == ([], [])
    (stopped,) = preview["stopped"]
    assert (stopped["merchantId"], stopped["overdue"], stopped["limit"]) == (harness.merchant_id, "59.50", "50.00")
    with pytest.raises(NothingToPay, match="of merchants that owe too much"):
        await create_run(store, clock, DUNNING, Wanted("live"))
    (awaited,) = await next_payouts(store, clock, DUNNING, harness.affiliate_id)
    assert (awaited["payable"], awaited["due"], awaited["missing"]) == ("15.00", "0.00", ["merchant_overdue"])
    await note_receipt(store, clock, invoice=1, amount="9.50", reference="R-1")
    assert (await preview_run(store, clock, DUNNING, Wanted("live")))["stopped"] == []
    assert (await create_run(store, clock, DUNNING, Wanted("live")))["totals"][0]["amount"] == "15.00"


async def test_control_without_the_limit_it_is_paid(harness: Harness) -> None:
    await billed(harness, "1000.00")
    await payable(harness, "300.00", start=1)
    harness.clock.advance(20 * DAY)
    settings = PayoutSettings(overdue_limit="")
    made = await create_run(harness.store, harness.clock, settings, Wanted("live"))
    assert made["totals"][0]["amount"] == "15.00"
