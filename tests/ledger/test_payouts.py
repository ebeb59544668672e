"""Runs pay what is payable, once; refunds after a payout and payments that come back are the next run's business."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payees import Payee
from hub.operations import lists
from hub.operations.errors import OperatorFault
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment, first_adjustments
from hub.operations.money.books.balances import affiliate_balances
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_files import Exported, export_run
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_previews import preview_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.payouts.payout_runs import Wanted, run_part, show_run, with_minimum
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.orders.order_explanations import order_anywhere
from hub.operations.trail import Actor, acting_as
from hub.sealing import Sealer
from tests.ledger.test_verify import holds, jobs_of
from tests.processing.harness import DAY, Harness
from tests.sqlite_first import on_both

SEALER = Sealer.of([b"k" * 32])
PAYEE = Payee("Ada Łovelace & Söhne", "Main St 1", "10115", "Berlin", "DE", "iban", "DE89 3704 0044 0532 0130 00")
PLAIN = PayoutSettings()
LIVE = Wanted("live")
OTHER = Actor("user", "usr_other", "cli")


async def named(harness: Harness, payee: Payee = PAYEE) -> None:
    """Name who is paid for the affiliate, if nobody is."""
    async with harness.store.read() as tx:
        known = await tx.one("payee_of", affiliate_id=harness.affiliate_id)
    if known is None:
        await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, payee)


async def payable(
    harness: Harness, *amounts: str, start: int = 0, currency: str = "USD", payee: Payee | None = PAYEE
) -> None:
    """Orders whose commissions of 5 % are payable to this payee; None leaves it unnamed."""
    if payee is not None:
        await named(harness, payee)
    click_id = await harness.click()
    for number, amount in enumerate(amounts, start):
        await harness.order(f"O-{number}", amount, clickId=click_id, orderStatus="confirmed", currency=currency)
    await harness.work()
    harness.clock.advance(15 * DAY)
    await jobs_of(harness).release_holds()


async def create(harness: Harness, settings: PayoutSettings = PLAIN, wanted: Wanted = LIVE) -> Any:
    return await create_run(harness.store, harness.clock, settings, wanted)


async def release(harness: Harness, payout_id: str, settings: PayoutSettings = PLAIN) -> Any:
    return await release_run(harness.store, harness.clock, settings, payout_id)


async def written(harness: Harness, payout_id: str) -> Exported:
    """The file with which the run is paid by hand."""
    return await export_run(harness.store, SEALER, harness.clock, PLAIN, payout_id, "csv")


async def pay(harness: Harness) -> Any:
    """A run to its end, and what it became."""
    run = await create(harness)
    await release(harness, run["id"])
    await written(harness, run["id"])
    await settle_run(harness.store, harness.clock, run["id"], "SEPA-1")
    return await show_run(harness.store, run["id"])


async def balance(harness: Harness) -> dict[str, str]:
    (found,) = await affiliate_balances(harness.store, harness.affiliate_id)
    return {name: str(found[name]) for name in ("payable", "paid", "underWay", "negative")}


async def refund(harness: Harness, order: str, refund_id: str, amount: str) -> dict[str, Any]:
    body = {"external_order_id": order, "refund_id": refund_id, "refund_amount": amount}
    accepted = await harness.webhook("order-refunded", f"d-{order}-{refund_id}-{amount}", **body)
    await harness.work()
    return await harness.event(accepted.event_id)


async def test_a_run_pays_what_is_payable_once(harness: Harness) -> None:
    """Preview, create, release and settle, each twice; the second run has nothing to pay."""
    await payable(harness, "100.00", "50.00")
    preview = await preview_run(harness.store, harness.clock, PLAIN, LIVE)
    assert (preview["id"], preview["status"], len(preview["lines"])) == (None, "PREVIEW", 2)
    run = await create(harness)
    assert run["items"] == [{**each, "affiliateName": "Ada"} for each in preview["items"]]
    (item,) = run["items"]
    assert (item["amount"], item["commissions"], item["adjustments"], item["carried"]) == ("7.50", 2, 0, False)
    assert (await create(harness))["id"] == run["id"]
    assert await run_part(harness.store, run["id"], limit=1) == run
    last = f"{item['affiliateId']}:{item['currency']}"
    assert await run_part(harness.store, run["id"], after=last, limit=1) == {**run, "items": []}
    for _ in range(2):
        assert (await release(harness, run["id"]))["status"] == "RELEASED"
    assert await balance(harness) == {"payable": "0.00", "paid": "7.50", "underWay": "7.50", "negative": "0.00"}
    await holds(harness.store)
    with pytest.raises(OperatorFault, match="1 of 1 payments of payout .* are in no file"):
        await settle_run(harness.store, harness.clock, run["id"], "SEPA-1")
    await written(harness, run["id"])
    for _ in range(2):
        done = await settle_run(harness.store, harness.clock, run["id"], "SEPA-1")
        assert (done["status"], done["items"][0]["reference"]) == ("SETTLED", "SEPA-1")
    with pytest.raises(OperatorFault, match="settled already, under 'SEPA-1'"):
        await settle_run(harness.store, harness.clock, run["id"], "SEPA-2")
    with pytest.raises(OperatorFault, match="nothing to pay"):
        await create(harness)
    commission = await harness.commission("O-0")
    assert commission is not None
    assert (commission["state"], commission["payout_reference"]) == ("PAID", run["id"])
    await holds(harness.store)


async def test_a_refund_after_the_payout_is_taken_from_the_next(harness: Harness) -> None:
    """At the frozen rate, a refund id once, never more than the commission; the event is SKIPPED as before."""
    await payable(harness, "100.00")
    run = await pay(harness)
    event = await refund(harness, "O-0", "r-1", "40.00")
    assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "commission_paid")
    (made,) = await first_adjustments(harness.store, lists.Wanted())
    assert made["id"] == event["explanation"]["adjustmentId"]
    assert (made["amount"], made["status"], made["externalOrderId"], made["paidReference"]) == (
        "-2.00", "APPROVED", "O-0", run["id"]
    )  # fmt: skip
    assert await balance(harness) == {"payable": "0.00", "paid": "5.00", "underWay": "0.00", "negative": "-2.00"}
    conversion = await harness.conversion("O-0")
    assert conversion is not None
    order = await order_anywhere(harness.store, conversion["conversion_id"])
    assert [(each.fact_key, each.amount_minor) for each in order.corrections] == [("refund:r-1", -200)]
    again = await refund(harness, "O-0", "r-1", "60.00")
    assert (again["explanation"]["skipReason"], "adjustmentId" in again["explanation"]) == ("already_known", False)
    await refund(harness, "O-0", "r-2", "500.00")
    await harness.status("O-0", "cancelled")
    await harness.work()
    assert [each["amount"] for each in await first_adjustments(harness.store, lists.Wanted())] == ["-3.00", "-2.00"]
    with pytest.raises(OperatorFault, match=r"-5.00 USD \(negative\)"):
        await create(harness)
    await payable(harness, "200.00", start=1)
    assert (await create(harness))["items"][0]["amount"] == "5.00"
    await holds(harness.store)


async def test_a_refund_between_creation_and_release_is_not_paid(harness: Harness) -> None:
    """The line is dropped; a correction that it should have paid for is carried on, and nothing is lost."""
    await payable(harness, "100.00", "60.00")
    await pay(harness)
    await refund(harness, "O-0", "r-1", "100.00")
    await payable(harness, "80.00", "40.00", start=2)
    run = await create(harness)
    assert run["items"][0]["amount"] == "1.00"
    await refund(harness, "O-2", "r-1", "80.00")
    released = await release(harness, run["id"])
    (item,) = released["items"]
    assert (item["status"], item["carriedReason"]) == ("CARRIED", "changed")
    assert (await balance(harness))["negative"] == "-3.00"
    await holds(harness.store)
    await payable(harness, "100.00", start=4)
    assert (await create(harness))["items"][0]["amount"] == "2.00"


async def test_a_payment_that_came_back_is_paid_again(harness: Harness) -> None:
    """Once: noting it twice changes nothing."""
    await payable(harness, "100.00")
    run = await pay(harness)
    for _ in range(2):
        done = await return_payment(harness.store, harness.clock, run["id"], harness.affiliate_id, "account closed")
        assert done["items"][0]["status"] == "RETURNED"
    assert await balance(harness) == {"payable": "5.00", "paid": "0.00", "underWay": "0.00", "negative": "0.00"}
    await holds(harness.store)
    again = await pay(harness)
    assert (again["items"][0]["amount"], again["items"][0]["adjustments"]) == ("5.00", 1)
    assert await balance(harness) == {"payable": "0.00", "paid": "5.00", "underWay": "0.00", "negative": "0.00"}
    await holds(harness.store)


async def test_less_than_the_minimum_is_carried_on(harness: Harness) -> None:
    """By currency; the carried commissions are in no run."""
    await payable(harness, "100.00")
    await payable(harness, "100.00", start=1, currency="EUR")
    run = await create(harness, PayoutSettings(minimum="EUR:5.01"))
    assert {i["currency"]: (i["carried"], i["carriedReason"]) for i in run["items"]} == {
        "EUR": (True, "below_minimum"), "USD": (False, None)
    }  # fmt: skip
    assert [line["currency"] for line in (await show_run(harness.store, run["id"]))["lines"]] == ["USD"]


def test_a_minimum_that_cannot_be_used_is_explained() -> None:
    for text, said in {"abc": "is not an amount", "XX:1": "'XX' is not a currency", "EUR:1.234": "2 decimals"}.items():
        with pytest.raises(OperatorFault, match=said):
            with_minimum(PLAIN, text)


async def test_a_large_run_is_released_by_another_person(harness: Harness) -> None:
    await payable(harness, "100.00")
    strict = PayoutSettings(four_eyes_above="4.99")
    run = await create(harness, strict)
    with pytest.raises(OperatorFault, match="another person than"):
        await release(harness, run["id"], strict)
    with acting_as(OTHER):
        released = await release(harness, run["id"], strict)
    assert (released["status"], released["releasedBy"]) == ("RELEASED", "usr_other")


async def test_a_large_run_cannot_be_cut_into_small_ones(harness: Harness) -> None:
    """What one person releases alone within a day is one sum; another day, or another person, is not."""
    strict = PayoutSettings(four_eyes_above="9.00")
    await payable(harness, "100.00")
    await release(harness, (await create(harness, strict))["id"], strict)
    made = await create_adjustment(
        harness.store, harness.clock, affiliate=harness.affiliate_id, account=f"{harness.merchant_id}:live",
        amount="5.00", currency="USD", reason="A bonus",
    )  # fmt: skip
    with acting_as(OTHER):
        await approve_adjustment(harness.store, harness.clock, PayoutSettings(), str(made["id"]))
    harness.clock.advance(1)
    second = (await create(harness, strict))["id"]
    with pytest.raises(OperatorFault, match=r"you released 5.00 within a day, more than 9.00"):
        await release(harness, second, strict)
    harness.clock.advance(DAY)
    assert (await release(harness, second, strict))["status"] == "RELEASED"


async def test_a_token_of_nobody_is_no_second_person(sqlite_live: Harness) -> None:
    """Whoever created the run may hold it; the control is a second person."""
    harness, strict = sqlite_live, PayoutSettings(four_eyes_above="4.99")
    await payable(harness, "100.00")
    run = await create(harness, strict)
    made = await create_adjustment(
        harness.store, harness.clock, affiliate=harness.affiliate_id, account=f"{harness.merchant_id}:live",
        amount="1.00", currency="USD", reason="A bonus",
    )  # fmt: skip
    with acting_as(Actor("system", "tok_1", "api")):
        with pytest.raises(OperatorFault, match="another person than"):
            await release(harness, run["id"], strict)
        with pytest.raises(OperatorFault, match="a token that belongs to nobody is not a person"):
            await approve_adjustment(harness.store, harness.clock, PayoutSettings(), str(made["id"]))
    with acting_as(OTHER):
        assert (await release(harness, run["id"], strict))["status"] == "RELEASED"


async def test_a_correction_needs_a_second_person(harness: Harness) -> None:
    """A bonus counts once it is approved, and is paid with the next run."""
    await payable(harness, "100.00")
    account = f"{harness.merchant_id}:live"
    made = await create_adjustment(
        harness.store, harness.clock, affiliate=harness.affiliate_id, account=account, amount="3.00", currency="USD",
        reason="Bonus for spring",
    )  # fmt: skip
    assert (await preview_run(harness.store, harness.clock, PLAIN, LIVE))["items"][0]["amount"] == "5.00"
    with pytest.raises(OperatorFault, match="another person approves it"):
        await approve_adjustment(harness.store, harness.clock, PayoutSettings(), made["id"])
    with acting_as(OTHER):
        assert (await approve_adjustment(harness.store, harness.clock, PayoutSettings(), made["id"]))[
            "status"
        ] == "APPROVED"
    run = await pay(harness)
    assert run["items"][0]["amount"] == "8.00"
    (paid,) = await first_adjustments(harness.store, lists.Wanted())
    assert (paid["status"], paid["payoutId"]) == ("PAID", run["id"])
    await holds(harness.store)


async def test_test_accounts_have_runs_of_their_own(sqlite_url: str) -> None:
    """They say TEST, and a live run finds nothing of theirs."""
    harness = await Harness.open(sqlite_url, mode="test")
    await payable(harness, "100.00")
    with pytest.raises(OperatorFault, match="nothing to pay"):
        await create(harness)
    run = await create(harness, wanted=Wanted("test"))
    assert run["mark"] == "TEST"
    assert (await release(harness, run["id"]))["status"] == "RELEASED"
    await harness.close()


@on_both("database_url")
async def test_two_settlements_at_once_cannot_both_name_the_payment(harness: Harness) -> None:
    """The second of two that read the same moment is refused as it is when it comes later."""
    await payable(harness, "100.00")
    run = await create(harness)
    await release(harness, run["id"])
    await written(harness, run["id"])

    async def settled(reference: str) -> str:
        try:
            done = await settle_run(harness.store, harness.clock, run["id"], reference)
        except OperatorFault as fault:
            return str(fault)
        return str(done["settled"])

    first, second = sorted(await asyncio.gather(settled("R-1"), settled("R-2")))
    assert (first, "was settled already, under" in second) == ("1", True)
    await holds(harness.store)
