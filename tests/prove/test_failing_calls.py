"""Whichever call of the store fails, and however: what is done again ends in the same books as if none had failed."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from hub.domain.books.ledger import Owner, paying
from hub.ids import new_id
from hub.operations.audits.audit import audit
from hub.operations.lists import Wanted
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import first_runs
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.processing.post_entries import post
from hub.storage import Store, StoreUnavailable
from tests.ledger.books import Books, books_of
from tests.ledger.test_payouts import LIVE, PLAIN, named, written
from tests.ledger.test_verify import jobs_of
from tests.processing.harness import DAY, FOLDERS, Harness
from tests.prove.failing_store import MANNERS, FailingStore, Manner

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SEED = 20_261_123
TRIES = 20
UNDECIDED = ("RECEIVED", "QUEUED")


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[FailingStore]:
    """A fresh database of either kind."""
    async with await Store.open(
        request.getfixturevalue(f"{request.param}_url"), migrate=True, query_folders=FOLDERS
    ) as opened:
        yield FailingStore(opened)


async def test_whichever_call_fails_what_is_done_again_ends_in_the_same_books(store: FailingStore) -> None:
    """Orders, news, a refund, holds, a payout: each call fails in each manner, and everybody tries again."""
    expected, calls = await _lived(store, 0, "before")
    faults = [(at, manner) for at in range(1, calls + 1) for manner in MANNERS]
    random.Random(SEED).shuffle(faults)
    deadline, tried = time.monotonic() + SECONDS / 2, 0
    for at, manner in faults:
        books, _ = await _lived(store, at, manner)
        assert books == expected, f"call {at} of {calls} failed: {manner}"
        tried += 1
        if tried >= TRIES and time.monotonic() > deadline:
            break
    print(f"{store.dialect}: {tried} of {len(faults)} faults tried ({calls} calls, {len(MANNERS)} manners)")
    assert (await verify_ledger(store))["ok"]
    assert (await audit(store, lambda: 2**42))["violations"] == []


async def test_control_an_act_in_two_transactions_does_not_survive_its_repetition(store: FailingStore) -> None:
    """Entries in one transaction and the commission in the next: some failing call leaves other books."""

    async def careless(hub: Harness) -> None:
        commission = await hub.commission("O-1")
        assert commission is not None
        if commission["state"] == "PAID":
            return
        owner = Owner("USD", hub.affiliate_id, commission["commission_id"], "O-1")
        async with hub.store.write() as tx:
            entries = paying(owner, 300, "payout", "pay_1")
            await post(tx, [(hub.account_id, each) for each in entries], hub.clock())
        async with hub.store.write() as tx:
            await tx.run("pay_commission", account_id=hub.account_id, commission_id=commission["commission_id"],
                         reference="pay_1", now=hub.clock())  # fmt: skip

    expected, calls = await _lived(store, 0, "before", paying_out=[careless])
    others = [await _lived(store, at, "after", paying_out=[careless]) for at in range(max(1, calls - 8), calls + 1)]
    assert any(books != expected for books, _ in others)


async def _lived(
    store: FailingStore,
    at: int,
    manner: Manner,
    *,
    paying_out: list[Callable[[Harness], Awaitable[object]]] | None = None,
) -> tuple[Books, int]:
    """Return a new merchant's books at the end of its story, in which the call `at` failed, and its number of calls."""
    store.arm(0, manner)
    hub = await _newcomer(store)
    try:
        await named(hub)
        click = await hub.click()
        store.arm(at, manner)
        for act in [*_orders(click), _holds, *(_payout() if paying_out is None else paying_out)]:
            await _until_done(store, hub, act)
        calls = store.calls
        assert store.failed or not at
        store.arm(0, manner)
        return await books_of(hub.store, hub.account_id), calls
    finally:
        await hub.submissions.stop()


async def _newcomer(store: FailingStore) -> Harness:
    """A merchant with an affiliate on a database that others have used before."""
    hub = await Harness.over(store)
    await hub.join("live", new_id("cpn"))
    return hub


async def _until_done(store: FailingStore, hub: Harness, act: Callable[[Harness], Awaitable[object]]) -> None:
    """Do something until it says that it is done, as a client does that gets a 503, or no answer."""

    async def doing() -> None:
        await act(hub)

    while True:
        store.caller = asyncio.create_task(doing())
        try:
            await store.caller
        except (StoreUnavailable, asyncio.CancelledError):
            assert store.failed
        else:
            return


def _orders(click: str) -> list[Callable[[Harness], Awaitable[object]]]:
    return [
        lambda hub: hub.order("O-1", "100.00", clickId=click, orderStatus="confirmed"),
        lambda hub: hub.order("O-2", "60.00", clickId=click),
        lambda hub: hub.status("O-3", "delivered", hub.clock()),
        _decided,
        lambda hub: hub.order("O-3", "20.00", clickId=click),
        lambda hub: hub.status("O-2", "cancelled", hub.clock()),
        lambda hub: hub.webhook("order-refunded", "d-1", external_order_id="O-1", refund_id="r", refund_amount="40"),
        _decided,
    ]


async def _decided(hub: Harness) -> None:
    """Let the worker decide all there is; what a failed call left in its hands is due again after a while."""
    while True:
        await hub.work()
        if not any(row["status"] in UNDECIDED for row in await hub.rows("event_rows")):
            return
        hub.clock.advance(60_000)


async def _holds(hub: Harness) -> None:
    if not any(row["state"] == "PAYABLE" for row in await hub.rows("commission_rows")):
        hub.clock.advance(15 * DAY)
    await jobs_of(hub).release_holds()


def _payout() -> list[Callable[[Harness], Awaitable[object]]]:
    made: list[str] = []

    async def create(hub: Harness) -> None:
        """As a script does that does not know whether its run was made: it looks before it makes one."""
        drafts = [str(run["id"]) for run in await first_runs(hub.store, Wanted()) if run["status"] == "DRAFT"]
        made[:] = drafts or [str((await create_run(hub.store, hub.clock, PLAIN, LIVE))["id"])]

    return [
        create,
        lambda hub: release_run(hub.store, hub.clock, PLAIN, made[0]),
        lambda hub: written(hub, made[0]),
        lambda hub: settle_run(hub.store, hub.clock, made[0], "SEPA-1"),
    ]
