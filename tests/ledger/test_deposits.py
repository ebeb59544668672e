"""Commissions only become payable while the merchant's deposit covers them, and in their order."""

from __future__ import annotations

import asyncio
import json

import pytest

from hub.config.payout_section import PayoutSettings
from hub.config.sections import ServerSettings
from hub.mail.letters import compose
from hub.mail.outbox import Outbox
from hub.operations.audits.orders_audit import faults_of
from hub.operations.errors import OperatorFault
from hub.operations.money.books.deposit_mails import ShortageMails
from hub.operations.money.books.deposits import DepositDocument, move_deposit, require_deposit, show_deposit
from hub.operations.money.payouts.payouts import pay_commission
from hub.operations.orders.conversions import require_conversion
from hub.processing.deposits import OnShortage, Shortage
from hub.processing.timed_jobs import TimedJobs
from hub.sealing import Sealer
from hub.storage import Row
from tests.ledger.test_verify import holds, jobs_of
from tests.processing.harness import DAY, Harness
from tests.storage.test_account_locks import one_waits

SEALER = Sealer.of([b"k" * 32])


async def due(harness: Harness, *amounts: str, on_shortage: OnShortage | None = None) -> None:
    """Report confirmed orders, a second apart, and let their holds end."""
    for number, amount in enumerate(amounts):
        await harness.order(f"O-{number}", amount, clickId=await harness.click(), orderStatus="confirmed")
        await harness.work()
        harness.clock.advance(1_000)
    harness.clock.advance(15 * DAY)
    await jobs_of(harness, on_shortage=on_shortage).release_holds()


async def mailed(harness: Harness) -> list[Row]:
    """Return the mails of the outbox, oldest first."""
    async with harness.store.read() as tx:
        return await tx.all("due_mails", now=harness.clock(), limit=100)


async def states(harness: Harness) -> list[str]:
    return [row["state"] for row in await harness.rows("commission_rows")]


async def pay_in(
    harness: Harness, amount: str, reference: str, *, out: bool = False, jobs: TimedJobs | None = None
) -> DepositDocument:
    moved = await move_deposit(
        harness.store, harness.clock, harness.merchant_id, amount=amount, currency="USD", reference=reference, out=out
    )
    while await (jobs or jobs_of(harness)).release_holds():
        pass
    return moved


async def require(harness: Harness, *, required: bool = True) -> None:
    await require_deposit(harness.store, harness.clock, harness.merchant_id, required=required)


async def test_what_is_not_covered_waits_and_is_released_in_its_order(harness: Harness) -> None:
    """The second, which is large, keeps the small third one waiting; the control is a merchant without the setting."""
    await require(harness)
    await pay_in(harness, "6.00", "D-1")
    await due(harness, "100.00", "1000.00", "20.00")  # 5.00, 50.00 and 1.00
    assert await states(harness) == ["PAYABLE", "HOLD", "HOLD"]
    shown = (await show_deposit(harness.store, harness.merchant_id))["balances"]
    assert shown == [{"currency": "USD", "balance": "1.00", "covered": "5.00", "waiting": "51.00", "commissions": 2,
                      "shortage": "50.00"}]  # fmt: skip
    await pay_in(harness, "49.00", "D-2")
    assert await states(harness) == ["PAYABLE", "PAYABLE", "HOLD"]
    for _ in range(2):  # a reference counts once
        await pay_in(harness, "1.00", "D-3")
    assert await states(harness) == ["PAYABLE", "PAYABLE", "PAYABLE"]
    assert (await show_deposit(harness.store, harness.merchant_id))["balances"][0]["balance"] == "0.00"
    await holds(harness.store)


async def test_a_shortage_is_mailed_once(harness: Harness) -> None:
    """A refund, which makes the hub try again, mails nothing new; a payment that is too small does, and a new one."""
    mails = ShortageMails(Outbox(SEALER, is_on=True), ServerSettings(public_url="https://hub.example"))
    jobs = jobs_of(harness, on_shortage=mails.add)
    await require(harness)
    await pay_in(harness, "6.00", "D-1")
    await due(harness, "100.00", "1000.00", "20.00", on_shortage=mails.add)  # 5.00, 50.00 and 1.00
    (mail,) = await mailed(harness)
    assert mail["recipient"] == "shop@shop.example"
    shown = {"balance": "1.00", "waiting": "51.00", "shortage": "50.00", "merchant": "Shop", "currency": "USD"}
    assert json.loads(mail["parameters"]) == shown
    await harness.webhook("order-refunded", "d-1", external_order_id="O-0", refund_id="r", refund_amount="60.00")
    await harness.work()
    assert await jobs.release_holds() == 0
    assert await states(harness) == ["PAYABLE", "HOLD", "HOLD"]
    assert len(await mailed(harness)) == 1
    await pay_in(harness, "2.00", "D-2", jobs=jobs)
    assert len(await mailed(harness)) == 2
    await pay_in(harness, "46.00", "D-3", jobs=jobs)
    assert await states(harness) == ["PAYABLE"] * 3
    await harness.order("O-9", "40.00", clickId=await harness.click(), orderStatus="confirmed")
    await harness.work()
    harness.clock.advance(15 * DAY)
    await jobs.release_holds()
    assert [json.loads(each["parameters"])["shortage"] for each in await mailed(harness)] == ["50.00", "45.00", "1.00"]


async def test_the_mail_leads_to_the_deposit(sqlite_live: Harness) -> None:
    shortage = Shortage(sqlite_live.account_id, "USD", 100, 5_100, 2)
    mails = ShortageMails(Outbox(SEALER, is_on=True), ServerSettings(public_url="https://hub.example/"))
    async with sqlite_live.store.write() as tx:
        await mails.add(tx, shortage, sqlite_live.clock())
    (row,) = await mailed(sqlite_live)
    message = compose(
        row["template"], json.loads(row["parameters"]), link=SEALER.open(row["sealed_link"], row["mail_id"]).decode(),
        expires_at=None, mail_id=row["mail_id"], recipient=row["recipient"], sender="hub@hub.example", now=0,
    )  # fmt: skip
    assert message["Subject"] == "Your deposit is 50.00 USD short"
    body = message.get_body(("plain",))
    assert body is not None
    assert "https://hub.example/merchant/statements/deposit" in body.get_content()
    async with sqlite_live.store.write() as tx:
        await ShortageMails(Outbox(SEALER, is_on=False), ServerSettings()).add(tx, shortage, sqlite_live.clock())
    assert len(await mailed(sqlite_live)) == 1


async def test_without_the_setting_nothing_waits(sqlite_live: Harness) -> None:
    await due(sqlite_live, "100.00")
    assert await states(sqlite_live) == ["PAYABLE"]
    await require(sqlite_live)
    assert await states(sqlite_live) == ["PAYABLE"]


async def test_nothing_waits_for_a_deposit_that_was_just_waived(postgres_live: Harness) -> None:
    """The timer of another node is about to let a commission wait; and one that comes too late lets nothing wait."""
    harness = postgres_live
    await due(harness)
    await require(harness)
    await harness.order("O-0", "100.00", clickId=await harness.click(), orderStatus="confirmed")
    await harness.work()
    harness.clock.advance(15 * DAY)
    commission = await harness.commission("O-0")
    assert commission is not None
    waits = [(harness.account_id, commission["commission_id"])]
    async with harness.store.write() as tx:
        await tx.lock_orders([(harness.account_id, "O-0")])
        await tx.run("await_deposit", commissions=waits)
        waiving = asyncio.create_task(require(harness, required=False))
        await one_waits(tx, waiving)
    await waiving
    async with harness.store.write() as tx:
        assert await tx.run("await_deposit", commissions=waits) == 0
    await jobs_of(harness).release_holds()
    assert await states(harness) == ["PAYABLE"]


async def test_what_shrinks_while_it_waits_is_tried_again(sqlite_live: Harness) -> None:
    """Of 3.10 a commission of 5.00 is not covered, and the 0.50 behind it waits; once it is 3.00, only that does."""
    harness = sqlite_live
    await require(harness)
    await pay_in(harness, "3.10", "B-1")
    await due(harness, "100.00", "10.00")
    assert await states(harness) == ["HOLD", "HOLD"]
    await harness.webhook("order-refunded", "d-1", external_order_id="O-0", refund_id="r-1", refund_amount="40.00")
    await harness.work()
    await jobs_of(harness).release_holds()
    assert await states(harness) == ["PAYABLE", "HOLD"]
    await holds(harness.store)


async def test_what_is_called_off_holds_up_nobody(sqlite_live: Harness) -> None:
    """The one behind the first, which was too large for the deposit, waits for that alone."""
    harness = sqlite_live
    await require(harness)
    await pay_in(harness, "3.10", "B-1")
    await due(harness, "100.00", "10.00")
    await harness.status("O-0", "cancelled")
    await harness.work()
    await jobs_of(harness).release_holds()
    assert await states(harness) == ["REJECTED", "PAYABLE"]
    await holds(harness.store)


async def test_a_refund_while_it_waits_is_no_fault_of_the_books(sqlite_live: Harness) -> None:
    """By the order's facts the commission was payable when the refund came; what it is now is another matter."""
    harness = sqlite_live
    await require(harness)
    await due(harness, "100.00")
    body = {"external_order_id": "O-0", "refund_id": "r-1", "refund_amount": "40.00"}
    await harness.webhook("order-refunded", "d-1", **body)
    await harness.work()
    (conversion,) = await harness.rows("conversion_rows")
    async with harness.store.read() as tx:
        details = await require_conversion(tx, conversion["conversion_id"])
    assert details.commission is not None
    assert (details.commission.state, details.commission.amount_minor) == ("HOLD", 300)
    assert list(faults_of(details, harness.clock())) == []
    for wrong in (details.commission._replace(state="REJECTED"), details.commission._replace(amount_minor=500)):
        assert [rule for rule, _ in faults_of(details._replace(commission=wrong), harness.clock())] == ["fold"]


async def test_news_of_an_order_does_not_go_round_the_deposit(sqlite_live: Harness) -> None:
    """A delivery that comes after the hold, and a payment by hand, find it as the timer left it."""
    harness = sqlite_live
    await require(harness)
    await due(harness, "100.00")
    await harness.status("O-0", "paid", NEWS)
    await harness.work()
    assert await states(harness) == ["HOLD"]
    commission = await harness.commission("O-0")
    assert commission is not None
    with pytest.raises(OperatorFault, match="only a PAYABLE one"):
        await pay_commission(harness.store, harness.clock, PayoutSettings(), commission["commission_id"], "SEPA-1")
    await require(harness, required=False)
    await jobs_of(harness).release_holds()
    assert await states(harness) == ["PAYABLE"]
    await holds(harness.store)


NEWS = 1_700_000_000_000


async def test_a_refund_gives_the_deposit_back_and_releases_the_next(harness: Harness) -> None:
    await require(harness)
    await pay_in(harness, "5.00", "D-1")
    await due(harness, "100.00", "60.00")
    assert await states(harness) == ["PAYABLE", "HOLD"]
    await harness.webhook("order-refunded", "d-1", external_order_id="O-0", refund_id="r", refund_amount="60.00")
    await harness.work()
    while await jobs_of(harness).release_holds():
        pass
    assert await states(harness) == ["PAYABLE", "PAYABLE"]
    assert (await show_deposit(harness.store, harness.merchant_id))["balances"][0]["covered"] == "5.00"
    await holds(harness.store)


async def test_what_covers_something_cannot_be_taken_out(sqlite_live: Harness) -> None:
    harness = sqlite_live
    await require(harness)
    await pay_in(harness, "6.00", "D-1")
    await due(harness, "100.00")
    with pytest.raises(OperatorFault, match=r"Only 1\.00 USD is left"):
        await pay_in(harness, "2.00", "W-1", out=True)
    assert (await pay_in(harness, "1.00", "W-1", out=True))["balances"][0]["balance"] == "0.00"
    with pytest.raises(OperatorFault, match="another amount"):
        await pay_in(harness, "0.50", "W-1", out=True)
    await holds(harness.store)


async def test_a_deposit_that_was_changed_by_hand_is_found(sqlite_live: Harness) -> None:
    """The control of `holds`: the balance is compared with the ledger."""
    await pay_in(sqlite_live, "6.00", "D-1")
    async with sqlite_live.store.write() as tx:
        await tx.run("move_deposits", deposits=[(sqlite_live.account_id, "USD", 1)])
    with pytest.raises(AssertionError, match="The account has 6.00 USD in deposit"):
        await holds(sqlite_live.store)
