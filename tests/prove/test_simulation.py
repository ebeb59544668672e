"""Intake, worker, timers and payouts over a faulty store, in many histories: each ends in the same books.

Time is virtual, and a seed draws the order of everything (see `seeded_loop`), so a failing seed fails again:
`SIMULATION_SEED=7`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from hub.domain import rule_kinds
from hub.domain.ledger import Owner, paying
from hub.intake.submission_batcher import SubmissionBatcher
from hub.operations.lists import Wanted
from hub.operations.money.ledger import verify_ledger
from hub.operations.money.payout_release import release_run
from hub.operations.money.payout_runs import create_run, first_runs
from hub.operations.money.payout_settlement import settle_run
from hub.processing.post_entries import post
from hub.storage import Store, StoreUnavailable
from tests.ledger.books import Books, books_of
from tests.ledger.test_payouts import LIVE, PLAIN, named, written
from tests.ledger.test_verify import jobs_of
from tests.processing.harness import DAY, FOLDERS, Harness
from tests.prove import careless
from tests.prove.failing_store import FailingStore
from tests.prove.seeded_loop import SeededLoop, simulated

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SEED = int(os.environ.get("SIMULATION_SEED", time.time() // 86_400 * 1_000))
LEAST = 8
SHOPS, ORDERS = 3, 4
UNDECIDED = ("RECEIVED", "QUEUED")

Act = Callable[[], Awaitable[object]]
Careless = Callable[[Harness], Awaitable[object]]


class History:
    """One history of a hub with shops, a worker, timers and a payday; `fails` is the chance that a call fails."""

    def __init__(self, loop: SeededLoop, hub: Harness, store: FailingStore, *, fails: bool) -> None:
        self._loop, self._hub, self._store, self._fails = loop, hub, store, fails
        self._selling = True
        self.faults = 0

    async def again(self, act: Act) -> None:
        """Do something until it is done, as everybody does who gets a 503."""
        while True:
            try:
                await act()
            except StoreUnavailable:
                await asyncio.sleep(self._loop.moment())
            else:
                return

    async def live(self, click: str, pays: Careless | None) -> None:
        """Sell, decide and let holds end, all at once; then pay."""
        others = [asyncio.create_task(each) for each in (self._trouble(), self._work(), self._time())]
        await asyncio.gather(*[self._shop(number, click) for number in range(SHOPS)])
        self._selling = False
        await asyncio.gather(*others)
        self._store.arm(0, "before")
        await self.again(self._decide_all)
        self._hub.clock.advance(30 * DAY)
        await self.again(jobs_of(self._hub).release_holds)
        await (self._payday() if pays is None else self.again(lambda: pays(self._hub)))

    async def _shop(self, shop: int, click: str) -> None:
        hub = self._hub
        for number in range(ORDERS):
            order, at = f"O-{shop}-{number}", hub.clock()
            news: list[Act] = [
                partial(hub.order, order, f"{shop * 7 + number}3.30", clickId=click),
                partial(hub.status, order, "confirmed", 1_000 + at % 2),
            ]
            if number % 2:
                body = {"external_order_id": order, "refund_id": "r", "refund_amount": "1.11"}
                news.append(partial(hub.webhook, "order-refunded", f"d-{order}", **body))
            if number == 2:
                news.append(partial(hub.status, order, "cancelled", 5_000))
            self._loop.dice.shuffle(news)
            for act in news:
                await self.again(act)
                await asyncio.sleep(self._loop.moment())
                if self._loop.dice.random() < 0.3:
                    await self.again(act)

    async def _work(self) -> None:
        while self._selling:
            await self.again(self._hub.worker.run_once)
            await asyncio.sleep(self._loop.moment() + 0.001)

    async def _time(self) -> None:
        while self._selling:
            self._hub.clock.advance(60_000)
            await self.again(jobs_of(self._hub).release_holds)
            await asyncio.sleep(0.5)

    async def _trouble(self) -> None:
        """Let one of the next calls of the store fail, again and again."""
        while self._selling:
            if self._fails:
                self.faults += self._store.failed
                self._store.arm(self._loop.dice.randint(1, 12), self._loop.dice.choice(("before", "after")))
            await asyncio.sleep(0.3)

    async def _decide_all(self) -> None:
        while True:
            await self._hub.work()
            if not any(row["status"] in UNDECIDED for row in await self._hub.rows("event_rows")):
                return
            self._hub.clock.advance(60_000)

    async def _payday(self) -> None:
        hub = self._hub

        async def draft() -> None:
            if not await first_runs(hub.store, Wanted()):
                await create_run(hub.store, hub.clock, PLAIN, LIVE)

        await self.again(draft)
        (run,) = [str(each["id"]) for each in await first_runs(hub.store, Wanted())]
        for act in (
            lambda: release_run(hub.store, hub.clock, PLAIN, run),
            lambda: written(hub, run),
            lambda: settle_run(hub.store, hub.clock, run, "SEPA-1"),
        ):
            await self.again(act)


def lived(file: Path, seed: int, *, fails: bool = True, pays: Careless | None = None) -> tuple[Books, int, str]:
    """Return the books of a seed's history on a fresh file, how many calls failed, and its trace."""
    fresh = file.with_name(f"{seed}.db")
    shutil.copyfile(file, fresh)

    async def main(loop: SeededLoop) -> tuple[Books, int]:
        async with await Store.open(f"sqlite:///{fresh}", query_folders=FOLDERS) as opened:
            store = FailingStore(opened)
            hub = await Harness.over(store)
            await hub.join("live", "ADA10")
            await named(hub)
            history = History(loop, hub, store, fails=fails)
            try:
                await history.live(await hub.click(), pays)
                assert (await verify_ledger(store))["faults"] == []
                return await books_of(store, hub.account_id), history.faults
            finally:
                store.arm(0, "before")
                await hub.submissions.stop()

    (books, faults), trace = simulated(seed, main)
    for each in fresh.parent.glob(f"{fresh.name}*"):
        each.unlink()
    return books, faults, trace


@pytest.fixture
def file(migrated_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(migrated_file, tmp_path / "fresh.db"))


def test_every_history_ends_in_the_same_books(file: Path) -> None:
    expected, _, _ = lived(file, 0, fails=False)
    assert {each[1] for each in expected} >= {"bank", "PAID", "REJECTED"}
    end, seed, faults, traces = time.monotonic() + SECONDS, SEED, 0, set[str]()
    while seed < SEED + LEAST or time.monotonic() < end:
        books, failed, trace = lived(file, seed)
        assert books == expected, f"SIMULATION_SEED={seed}"
        faults, seed = faults + failed, seed + 1
        traces.add(trace)
    print(
        f"{seed - SEED} histories from SIMULATION_SEED={SEED} on, {faults} failed calls, {len(traces)} of them differ"
    )
    assert len(traces) == seed - SEED
    assert faults >= seed - SEED


def test_a_seed_is_one_history(file: Path) -> None:
    assert lived(file, SEED)[2] == lived(file, SEED)[2]
    assert lived(file, SEED)[2] != lived(file, SEED + 1)[2]


def _round_down(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rule_kinds, "divide_half_up", lambda top, bottom: top // bottom)


def _answer_first(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SubmissionBatcher, "submit", careless._answer_first)


@pytest.fixture(params=[_round_down, _answer_first])
def planted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return partial(request.param, monkeypatch)


def test_control_a_planted_fault_shows_in_some_history(file: Path, planted: Callable[[], None]) -> None:
    """A hub that rounds down, and one that answers before it commits."""
    expected, _, _ = lived(file, 0, fails=False)
    planted()
    assert any(_differs(file, seed, expected) for seed in range(SEED, SEED + 12))


def test_control_a_payment_in_two_transactions_shows(file: Path) -> None:
    """Entries in one and the commission in the next: done again after a failure, they are there twice."""

    async def pays(hub: Harness) -> None:
        commission = await hub.commission("O-0-0")
        assert commission is not None
        owner = Owner("USD", hub.affiliate_id, commission["commission_id"], "O-0-0")
        for row in [commission] if commission["state"] != "PAID" else []:
            async with hub.store.write() as tx:
                entries = paying(owner, ("payable", row["amount_minor"]), "payout", "pay_1")
                await post(tx, [(hub.account_id, each) for each in entries], hub.clock())
            if isinstance(hub.store, FailingStore) and not hub.store.failed:
                hub.store.arm(1, "before")
            async with hub.store.write() as tx:
                await tx.run("pay_commission", account_id=hub.account_id, commission_id=row["commission_id"],
                             reference="pay_1", now=hub.clock())  # fmt: skip

    with pytest.raises(AssertionError):
        lived(file, SEED, pays=pays)


def _differs(file: Path, seed: int, expected: Books) -> bool:
    try:
        return lived(file, seed)[0] != expected
    except AssertionError:
        return True
