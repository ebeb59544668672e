"""What the table of acts says of four eyes is what happens: one person alone is refused, another one is not.

And what one person does alone within a day is one sum, however it is cut, through whichever hands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from attrs import evolve

from hub.acts.table import ACTS
from hub.config.payout_section import PayoutSettings
from hub.domain.durations import HOUR
from hub.domain.payouts.payees import Payee
from hub.operations.errors import OperatorFault
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment, reject_adjustment
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.books.exchange_rates import approve_rates, propose_rates
from hub.operations.money.ledger.closings import close_month, propose_close
from hub.operations.money.ledger.ledger_mend import adopt_mend
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.four_eyes import Payment, note_alone
from hub.operations.money.payouts.payout_files import withdraw_file
from hub.operations.money.payouts.payout_results import Result
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.money.payouts.payouts import pay_commission
from hub.operations.trail import Actor, acting_as
from hub.operations.users.users import NewUser, create_user
from hub.processing.timed_jobs import LONE_PAYMENTS_KEPT_MS
from tests.ledger.test_payouts import SEALER, create, payable, release, written
from tests.ledger.test_verify import holds, jobs_of
from tests.processing.harness import DAY, Harness
from tests.storage.test_account_locks import one_waits

STRICT: Final = PayoutSettings(four_eyes_above="9.00")
ANN, BOB = Actor("user", "usr_ann", "page"), Actor("user", "usr_bob", "page")
PAYPAL: Final = Payee("Ada", "Main St 1", "10115", "Berlin", "DE", "paypal", "ada@mail.example")
Attempt = Callable[[Harness], Awaitable[Callable[[], Awaitable[Any]]]]


async def proposed(harness: Harness) -> str:
    made = await create_adjustment(
        harness.store, harness.clock, affiliate=harness.affiliate_id, account=f"{harness.merchant_id}:live",
        amount="5.00", currency="USD", reason="A bonus",
    )  # fmt: skip
    return made["id"]


async def approving(harness: Harness) -> Callable[[], Awaitable[Any]]:
    adjustment = await proposed(harness)
    return lambda: approve_adjustment(harness.store, harness.clock, STRICT, adjustment)


async def releasing(harness: Harness) -> Callable[[], Awaitable[Any]]:
    await payable(harness, "200.00")
    run = await create(harness, STRICT)
    return lambda: release(harness, run["id"], STRICT)


async def withdrawing(harness: Harness) -> Callable[[], Awaitable[Any]]:
    """The file of a run, as the one who wrote it; another file could pay it a second time."""
    await payable(harness, "200.00")
    run = await create(harness)
    with acting_as(BOB):
        await release(harness, run["id"])
    kept = (await written(harness, run["id"])).document["file"]
    assert kept is not None
    return lambda: withdraw_file(harness.store, harness.clock, STRICT, kept.id)


async def paying(harness: Harness) -> Callable[[], Awaitable[Any]]:
    """A single payment is one person's; above the limit it goes by a run, which a second one releases."""
    await payable(harness, "200.00")
    (commission,) = await harness.rows("commission_rows")
    return lambda: pay_commission(harness.store, harness.clock, STRICT, commission["commission_id"], "B-1")


async def adopting(harness: Harness) -> Callable[[], Awaitable[Any]]:
    """A proposal of which nothing is missing any more; who may adopt is asked first."""
    async with harness.store.write() as tx:
        await tx.run("insert_mend", mend_id="mnd_1", commissions="[]", proposed_by=ANN.id, now=harness.clock())
    return lambda: adopt_mend(harness.store, harness.clock, STRICT, "mnd_1")


async def closing(harness: Harness) -> Callable[[], Awaitable[Any]]:
    """The month before this one, of which nobody owes anything."""
    month = (datetime.fromtimestamp(harness.clock() / 1000, UTC).replace(day=1) - timedelta(days=1)).strftime("%Y-%m")
    harness.clock.advance(2 * HOUR)
    await propose_close(harness.store, harness.clock, month)
    return lambda: close_month(harness.store, harness.clock, STRICT, month)


async def rating(harness: Harness) -> Callable[[], Awaitable[Any]]:
    """A rate of exchange."""
    (rate,) = await propose_rates(harness.store, harness.clock, "USD:EUR:0.9231", "A bank")
    return lambda: approve_rates(harness.store, harness.clock, STRICT, rate.set_id)


FIRST: Final[dict[str, Attempt]] = {
    "adjustment.approved": approving,
    "ledger.mended": adopting,
    "ledger.closed": closing,
    "exchange.approved": rating,
    "payout.released": releasing,
    "payout.file-withdrawn": withdrawing,
    "commission.paid": paying,
}
"""How each act of four eyes is prepared by a first person."""
BY_A_RUN: Final = {"commission.paid"}
"""What no second person does on the spot, because nothing stands for them to confirm."""


def test_every_act_of_four_eyes_is_tried() -> None:
    """And what is tried is declared, so that pages and documents say it."""
    assert {kind for act in ACTS if act.four_eyes for kind in act.trail} == FIRST.keys()


@pytest.mark.parametrize("kind", FIRST)
async def test_one_person_alone_is_refused_and_another_is_not(sqlite_live: Harness, kind: str) -> None:
    with acting_as(ANN):
        doing = await FIRST[kind](sqlite_live)
        with pytest.raises(OperatorFault, match="another person"):
            await doing()
    with acting_as(BOB):
        if kind in BY_A_RUN:
            with pytest.raises(OperatorFault, match="by a run that another person releases"):
                await doing()
        else:
            await doing()
    await holds(sqlite_live.store)


NOBODYS: Final = Actor("system", "tok_" + "0" * 32, "api")
"""A token that belongs to nobody: Bob may hold it."""


async def test_a_token_of_nobody_is_no_first_pair_of_eyes(sqlite_live: Harness) -> None:
    """What it drafted nobody releases, until a person has made the run theirs and another one releases it."""
    with acting_as(NOBODYS):
        await payable(sqlite_live, "200.00")
        run = await create(sqlite_live, STRICT)
        proposal = await proposed(sqlite_live)
    for actor in (ANN, BOB, NOBODYS):
        with acting_as(actor), pytest.raises(OperatorFault):
            await release(sqlite_live, run["id"], STRICT)
    with acting_as(BOB), pytest.raises(OperatorFault, match="belongs to nobody did the first act"):
        await approve_adjustment(sqlite_live.store, sqlite_live.clock, STRICT, proposal)
    with acting_as(NOBODYS):
        assert (await create(sqlite_live, STRICT))["createdBy"] == NOBODYS.id
    with acting_as(ANN):
        assert (await create(sqlite_live, STRICT))["createdBy"] == ANN.id
        with pytest.raises(OperatorFault, match="another person"):
            await release(sqlite_live, run["id"], STRICT)
    with acting_as(BOB):
        assert (await release(sqlite_live, run["id"], STRICT))["status"] == "RELEASED"


async def test_control_a_token_of_a_person_is_that_person(sqlite_live: Harness) -> None:
    """Ann's token acts in her name, so her run is a first pair of eyes."""
    with acting_as(evolve(ANN, source="api", token_id="tok_" + "1" * 32)):
        await payable(sqlite_live, "200.00")
        run = await create(sqlite_live, STRICT)
    with acting_as(BOB):
        assert (await release(sqlite_live, run["id"], STRICT))["status"] == "RELEASED"


async def test_control_an_act_without_four_eyes_is_one_persons(sqlite_live: Harness) -> None:
    with acting_as(ANN):
        adjustment = await proposed(sqlite_live)
        assert (await reject_adjustment(sqlite_live.store, sqlite_live.clock, adjustment))["status"] == "REJECTED"


class TestSums:
    """Each pays 5.00 alone, which the limit of 9.00 lets pass; the next 5.00 within a day do not."""

    async def pay(self, harness: Harness, number: int) -> None:
        """Make 5.00 payable and pay it, as whoever acts."""
        await payable(harness, "100.00", start=number)
        commission = max(await harness.rows("commission_rows"), key=lambda row: row["external_order_id"])
        await pay_commission(harness.store, harness.clock, STRICT, commission["commission_id"], f"B-{number}")

    async def test_a_payment_that_came_back_counts(self, harness: Harness) -> None:
        """Whoever notes a return makes the money payable again; they may not send it again alone."""
        with acting_as(ANN):
            await payable(harness, "100.00")
            run = await create(harness, STRICT)
            await release(harness, run["id"], STRICT)
            harness.clock.advance(DAY)
            await return_payment(harness.store, harness.clock, run["id"], harness.affiliate_id, "closed")
            harness.clock.advance(1)
            again = await create(harness, STRICT)
            with pytest.raises(OperatorFault, match=r"pays 5.00 USD and you released 5.00 within a day"):
                await release(harness, again["id"], STRICT)
        with acting_as(BOB):
            assert (await release(harness, again["id"], STRICT))["status"] == "RELEASED"
        await holds(harness.store)

    async def test_a_payment_that_came_back_by_a_file_counts(self, sqlite_live: Harness) -> None:
        """Whoever sends the file in may have written it."""
        harness = sqlite_live
        await payable(harness, "100.00")
        with acting_as(BOB):
            run = await create(harness, STRICT)
            await release(harness, run["id"], STRICT)
        harness.clock.advance(DAY)
        with acting_as(ANN):
            said = [Result(harness.affiliate_id, "USD", "returned", "", "closed")]
            await settle_run(harness.store, harness.clock, run["id"], "B-1", said)
            harness.clock.advance(1)
            again = await create(harness, STRICT)
            with pytest.raises(OperatorFault, match=r"pays 5.00 USD and you released 5.00 within a day"):
                await release(harness, again["id"], STRICT)

    async def test_an_ended_hold_is_no_way_round(self, sqlite_live: Harness) -> None:
        """A commission is paid once the end of its hold was looked at; then the limit counts, as the control shows."""
        harness = sqlite_live
        await payable(harness)
        await harness.order("O-1", "200.00", clickId=await harness.click(), orderStatus="confirmed")
        await harness.work()
        harness.clock.advance(15 * DAY)
        commission = await harness.commission("O-1")
        assert commission is not None
        name = commission["commission_id"]
        with pytest.raises(OperatorFault, match=r"is HOLD; only a PAYABLE one can be paid. Its hold ended"):
            await pay_commission(harness.store, harness.clock, STRICT, name, "B-1")
        await jobs_of(harness).release_holds()
        with pytest.raises(OperatorFault, match="another person"):
            await pay_commission(harness.store, harness.clock, STRICT, name, "B-1")

    async def test_payments_at_the_same_moment_take_turns(self, postgres_live: Harness) -> None:
        """Two nodes pay at once: the second one adds up what the first has paid. SQLite has one writer."""
        harness = postgres_live
        await payable(harness, "100.00")
        (commission,) = await harness.rows("commission_rows")
        with acting_as(ANN):
            async with harness.store.write() as tx:
                await tx.lock_orders(RUN_LOCK)
                paid = [Payment(harness.affiliate_id, "USD", 500)]
                await note_alone(tx, harness.clock(), "commission.paid", paid)
                paying = asyncio.create_task(
                    pay_commission(harness.store, harness.clock, STRICT, commission["commission_id"], "B-1")
                )
                await one_waits(tx, paying)
            with pytest.raises(OperatorFault, match="you released 5.00 within a day"):
                await paying

    async def test_whom_one_let_in_is_the_same_hand(self, sqlite_live: Harness) -> None:
        """Ann and whom she let in have one sum."""
        harness = sqlite_live
        await payable(harness, "100.00")
        with acting_as(ANN):
            eve = await create_user(harness.store, harness.clock, NewUser("eve@hub.example", "operator-admin"))
            run = await create(harness, STRICT)
            await release(harness, run["id"], STRICT)
            await return_payment(harness.store, harness.clock, run["id"], harness.affiliate_id, "closed")
        harness.clock.advance(1)
        with acting_as(Actor("user", eve["id"], "page")):
            again = await create(harness, STRICT)
            with pytest.raises(OperatorFault, match=r"you released 10.00 within a day"):
                await release(harness, again["id"], STRICT)

    async def test_an_affiliate_gets_no_more_from_many_hands(self, sqlite_live: Harness) -> None:
        """Two people who know nothing of each other pay the same affiliate; the control is a day later."""
        harness = sqlite_live
        await payable(harness, "100.00", "101.00")
        first, second = sorted(row["commission_id"] for row in await harness.rows("commission_rows"))
        with acting_as(ANN):
            await pay_commission(harness.store, harness.clock, STRICT, first, "B-1")
        with acting_as(BOB):
            with pytest.raises(OperatorFault, match=r"single persons paid aff_\w+ 5.0\d within a day, more than 9.00"):
                await pay_commission(harness.store, harness.clock, STRICT, second, "B-2")
            harness.clock.advance(DAY + 1)
            await pay_commission(harness.store, harness.clock, STRICT, second, "B-2")

    async def test_who_says_where_the_money_goes_does_not_send_it(self, sqlite_live: Harness) -> None:
        """Bob is another person than who created the run, but he changed the payee."""
        harness = sqlite_live
        await payable(harness, "200.00")
        with acting_as(BOB):
            await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, PAYPAL)
        harness.clock.advance(4 * DAY)
        with acting_as(ANN):
            run = await create(harness, STRICT)
        with acting_as(BOB), pytest.raises(OperatorFault, match="changed where some of its money goes"):
            await release(harness, run["id"], STRICT)
        with acting_as(Actor("user", "usr_una", "page")):
            assert (await release(harness, run["id"], STRICT))["status"] == "RELEASED"

    async def test_what_was_paid_alone_is_forgotten(self, sqlite_live: Harness) -> None:
        with acting_as(ANN):
            await self.pay(sqlite_live, 1)
        async with sqlite_live.store.write() as tx:
            cutoff = sqlite_live.clock() + 1
            assert await tx.run("sweep_lone_payments", cutoff=cutoff - LONE_PAYMENTS_KEPT_MS) == 0
            assert await tx.run("sweep_lone_payments", cutoff=cutoff) == 1
