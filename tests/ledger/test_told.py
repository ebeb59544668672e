"""An affiliate is told what happens to its money: one notice for each person of it, in the act's own transaction."""

from __future__ import annotations

from attrs import evolve

from hub.config.payout_section import PayoutSettings
from hub.operations.lists import Wanted
from hub.operations.money.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.payees import set_payee
from hub.operations.money.payout_returns import return_payment
from hub.operations.notices import notices_part, read_notices
from hub.operations.orders.commission_decisions import Decision, decide_commission
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.trail import Actor, acting_as
from hub.operations.users.users import NewUser, create_user
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
