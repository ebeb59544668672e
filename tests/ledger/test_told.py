"""An affiliate is told what happens to its money: one notice for each person of it, in the act's own transaction."""

from __future__ import annotations

import asyncio

from attrs import evolve

from hub.config.payout_section import PayoutSettings
from hub.domain.books.reminders import levels
from hub.operations.lists import Wanted
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.books.write_offs import DebtReminders
from hub.operations.money.invoices.statement_notices import StatementNotices
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.notices import notices_part, read_notices
from hub.operations.orders.commission_decisions import Decision, decide_commission
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.trail import Actor, acting_as
from hub.operations.users.users import NewUser, create_user
from hub.processing.figures import FigureCounter, start_anew
from hub.processing.tellings import tell_of_reviews, tell_of_silence
from tests.ledger.test_messages import connect, deliver
from tests.ledger.test_payouts import PAYEE, SEALER, pay, payable, refund
from tests.processing.harness import DAY, Harness


async def told(harness: Harness, user_id: str) -> list[tuple[str, str]]:
    """The kinds and sentences of the notices that somebody got since this was asked last."""
    found = await notices_part(harness.store, user_id, Wanted(limit=100))
    await read_notices(harness.store, harness.clock, user_id)
    return [(each["kind"], each["sentence"]) for each in reversed(found.entries) if each["readAt"] is None]


async def person(harness: Harness) -> str:
    """Somebody who sees the affiliate's pages."""
    wanted = NewUser("ada@people.example", "affiliate", None, harness.affiliate_id, name="Ada")
    made = await create_user(harness.store, harness.clock, wanted)
    return str(made["id"])


async def test_a_payment_is_told_of_from_its_release_to_its_return(harness: Harness) -> None:
    ada = await person(harness)
    await payable(harness, "100.00", "50.00")
    assert await told(harness, ada) == [], "a first payee changes nothing"
    run = await pay(harness)
    assert await told(harness, ada) == [
        ("payment-released", "7.50 USD are on their way to you."), ("payment-settled", "You are paid 7.50 USD."),
    ]  # fmt: skip
    for _ in range(2):
        await return_payment(harness.store, harness.clock, run["id"], harness.affiliate_id, "Account closed")
    ((kind, sentence),) = await told(harness, ada)
    assert (kind, "came back: Account closed" in sentence) == ("payment-returned", True)


async def test_what_is_taken_back_after_the_payment_is_told_once_for_each_round(harness: Harness) -> None:
    """The refund of one order names it; those that the worker takes together are one notice."""
    ada = await person(harness)
    await payable(harness, "100.00", "50.00", "20.00")
    await pay(harness)
    await told(harness, ada)
    await refund(harness, "O-0", "R-1", "40.00")
    ((kind, sentence),) = await told(harness, ada)
    assert kind == "commission-taken-back"
    assert sentence.startswith("2.00 USD of the commission for order O-0 is taken back. The order was refunded")
    for order in ("O-1", "O-2"):
        body = {"external_order_id": order, "refund_id": "R-1", "refund_amount": "10.00"}
        await harness.webhook("order-refunded", f"d-{order}", **body)
    await harness.work()
    assert [sentence[:33] for _, sentence in await told(harness, ada)] == ["Your balance has 2 new correction"]


async def test_an_approved_bonus_and_a_changed_payee_are_told_but_not_to_who_does_it(harness: Harness) -> None:
    ada = await person(harness)
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, PAYEE)
    for mode in ("test", "live"):
        made = await create_adjustment(
            harness.store, harness.clock, affiliate=harness.affiliate_id, account=f"{harness.merchant_id}:{mode}",
            amount="3.00", currency="USD", reason="Well done",
        )  # fmt: skip
        assert await told(harness, ada) == [], "what is proposed is nobody's yet, and nobody gets test money"
        with acting_as(Actor("user", "usr_second", "page")):
            await approve_adjustment(harness.store, harness.clock, PayoutSettings(), made["id"])
    assert await told(harness, ada) == [("balance-corrected", "Your balance is raised by 3.00 USD: Well done")]
    harness.clock.advance(DAY)
    other = evolve(PAYEE, legal_name="Ada Holm & Co")
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, other)
    assert await told(harness, ada) == [("payee-changed", "Your payment details were changed.")]
    with acting_as(Actor("user", ada, "page")):
        await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, PAYEE)
    assert await told(harness, ada) == []


async def test_a_rejected_commission_is_told_with_the_reason(harness: Harness) -> None:
    ada = await person(harness)
    click_id = await harness.click()
    await harness.order("O-1", "100.00", clickId=click_id)
    await harness.work()
    (order,) = await conversions_of_order(harness.store, harness.clock, "O-1")
    for _ in range(2):
        await decide_commission(harness.store, harness.submissions, harness.clock, harness.account_id,
                                order.id, Decision(approve=False, reason="A friend's order"))  # fmt: skip
        await harness.work()
        harness.clock.advance(1_000)
    assert await told(harness, ada) == [
        ("commission-rejected", "The commission for order O-1 is rejected. The reason: A friend's order")
    ]


async def shopkeeper(harness: Harness) -> str:
    """Somebody who sees the merchant's pages."""
    wanted = NewUser("marit@people.example", "merchant", harness.merchant_id, name="Marit", level="viewer")
    return str((await create_user(harness.store, harness.clock, wanted))["id"])


async def test_commissions_that_news_of_orders_ended_are_told_together_and_once(harness: Harness) -> None:
    """What a person rejected was told by that act; counting anew tells nothing."""
    ada, figures = await person(harness), FigureCounter(harness.store, harness.clock, asyncio.sleep)
    click_id = await harness.click()
    for order in ("O-1", "O-2", "O-3", "O-4"):
        await harness.order(order, "100.00", clickId=click_id)
    await harness.work()
    await figures.count()
    assert await told(harness, ada) == []
    await harness.status("O-1", "cancelled")
    await harness.work()
    await figures.count()
    ((kind, sentence),) = await told(harness, ada)
    assert (kind, sentence.startswith("Your commission for order O-1 with ")) == ("commission-ended", True)
    for order in ("O-2", "O-3"):
        await harness.status(order, "cancelled")
    (by_hand,) = await conversions_of_order(harness.store, harness.clock, "O-4")
    await decide_commission(harness.store, harness.submissions, harness.clock, harness.account_id, by_hand.id,
                            Decision(approve=False, reason="A friend's order"))  # fmt: skip
    await harness.work()
    await figures.count()
    found = await told(harness, ada)
    assert sorted(kind for kind, _ in found) == ["commission-ended", "commission-rejected"]
    assert any(sentence.startswith("2 of your commissions with ") for _, sentence in found)
    async with harness.store.write() as tx:
        await start_anew(tx, harness.account_id)
    await figures.count()
    assert await told(harness, ada) == []


async def test_orders_to_review_are_told_once_each(harness: Harness) -> None:
    marit = await shopkeeper(harness)
    for expected in ("1 more order waits for your review", "2 more orders wait for your review"):
        for number in range(int(expected[0])):
            await harness.order(f"{expected[:2]}{number}", "10.00")
        await harness.work()
        assert await tell_of_reviews(harness.store, harness.clock()) == 1
        ((kind, sentence),) = await told(harness, marit)
        assert (kind, sentence.startswith(expected)) == ("orders-to-review", True)
        assert await tell_of_reviews(harness.store, harness.clock()) == 0


async def test_a_store_that_fell_silent_is_told_of_once_for_each_silence(harness: Harness) -> None:
    """The control: one that never delivered is not silent, nor one within its day."""
    marit, store, clock = await shopkeeper(harness), harness.store, harness.clock
    await connect(harness, "con_1", "con_2")
    for _ in range(2):
        await deliver(harness, "con_1")
        clock.advance(DAY - 1_000)
        assert await tell_of_silence(store, clock()) == 0
        clock.advance(2_000)
        assert [await tell_of_silence(store, clock()) for _ in range(2)] == [1, 0]
        assert await told(harness, marit) == [("store-silent", "Your store Shop has sent nothing for a day.")]


async def test_a_months_statement_is_told_once_it_is_over(harness: Harness) -> None:
    """The control: a merchant that owes nothing for it is told nothing."""
    marit, notices = await shopkeeper(harness), StatementNotices(harness.store, harness.clock)
    await notices.tell()
    assert await told(harness, marit) == []
    await payable(harness, "100.00")
    await pay(harness)
    await notices.tell()
    assert await told(harness, marit) == [], "the month is not over"
    harness.clock.advance(31 * DAY)
    for _ in range(2):
        await notices.tell()
    ((kind, sentence),) = await told(harness, marit)
    assert (kind, sentence.endswith(" is ready: 5.00 USD.")) == ("statement-ready", True)


async def test_an_affiliate_is_reminded_of_what_it_owes_level_by_level(harness: Harness) -> None:
    """Two nodes at once remind once; a hub that stood still tells once; what is settled meanwhile is left alone."""
    ada = await person(harness)
    await payable(harness, "100.00")
    await pay(harness)
    await refund(harness, "O-0", "r-1", "100.00")
    await told(harness, ada)
    debts = DebtReminders(harness.store, harness.clock, levels("30d,90d"))
    harness.clock.advance(29 * DAY)
    assert await debts.send() == 0
    harness.clock.advance(DAY)
    assert sum(await asyncio.gather(debts.send(), debts.send())) == 1
    ((kind, sentence),) = await told(harness, ada)
    assert (kind, sentence.startswith("You owe 5.00 USD since 2")) == ("balance-owed", True)
    harness.clock.advance(400 * DAY)
    assert [await debts.send(), await debts.send()] == [1, 0]
    assert len(await told(harness, ada)) == 1
    await payable(harness, "100.00", start=1)
    await told(harness, ada)
    assert await DebtReminders(harness.store, harness.clock, levels("1d,2d,3d")).send() == 0
    assert await told(harness, ada) == []
