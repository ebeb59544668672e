"""One history of a hub: shops that report, intake, worker, plugin host, timers, deliverer and two paydays.

All of them are the hub's own, over a real SQLite file. The seed draws in which order they go on, which call of the
store fails, when the process is killed and started anew, what plugins do with a body and receivers with a message.
Everybody outside does what is promised to be enough: sends again what was not acknowledged.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from attrs import define, field, frozen

from hub.domain.money import format_money
from hub.mail.outbox import Outbox
from hub.notifications import deliverer
from hub.notifications.deliverer import Deliverer
from hub.operations.audits.audit import audit
from hub.operations.lists import Wanted
from hub.operations.money.payouts.payout_gathering import NothingToPay, create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import first_runs
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.webhooks.subscriptions import NewSubscription, create_subscription
from hub.plugin_host import pool, process
from hub.plugin_host.cooling import Cooling
from hub.plugin_host.host import PluginHost, plugin_host
from hub.plugin_host.limits import Limits
from hub.processing.worker import Worker
from hub.storage import Row, Store, StoreUnavailable
from tests.ledger.books import Books, books_of
from tests.ledger.test_payouts import LIVE, PLAIN, SEALER, named, written
from tests.ledger.test_verify import jobs_of
from tests.processing.harness import DAY, FOLDERS, POLICY, Harness
from tests.prove.failing_store import FailingStore
from tests.prove.simulated.plugin_process import SimulatedProcess, end_process
from tests.prove.simulated.receivers import HOOK, POSTBACK, Heard, Outside
from tests.prove.simulated.seeded_loop import SeededLoop, simulated

SHOPS, ORDERS = 3, 4
LONGEST_SECONDS: Final = 1_800.0
"""Of virtual time: a history that goes on for longer does not end."""
SECOND: Final = 1_000
AT_WORK: Final = ("translation", "deliverer sub")
PARTS: Final = ("worker", "translation", "deliverer")
"""Beginnings of the names of the tasks that end with the hub's process."""
WATCH: Final = """
CREATE TABLE decided_again (event_id TEXT NOT NULL);
CREATE TRIGGER an_event_is_decided_once AFTER UPDATE OF status, due_at ON events
WHEN old.status IN ('PROCESSED', 'SKIPPED', 'FAILED') BEGIN INSERT INTO decided_again VALUES (old.event_id); END;
"""
"""Notes in the database's own words whether an event that was decided was taken up again."""

Act = Callable[[], Awaitable[object]]
Payday = Callable[[Harness], Awaitable[object]]


@frozen
class Planted:
    """A fault of the hub: statements of its queries that read otherwise, SQL done to its database, and a patch."""

    name: str
    queries: Sequence[tuple[str, str]] = ()
    database: str = ""
    patch: Callable[[pytest.MonkeyPatch], None] = lambda _: None

    def folders(self, beside: Path) -> tuple[Path, ...]:
        """Return where the hub's queries are, with the changed ones."""
        if not self.queries:
            return FOLDERS
        changed = beside / f"sql of {self.name}"
        if not changed.exists():
            shutil.copytree(FOLDERS[0], changed)
            for old, new in self.queries:
                found = [each for each in changed.glob("*.sql") if old in each.read_text()]
                text = found[0].read_text() if len(found) == 1 else ""
                if text.count(old) != 1:  # no AssertionError: that is how a history ends that shows its fault
                    raise LookupError(f"{self.name} is not planted: the queries do not say {old!r} once")
                found[0].write_text(text.replace(old, new))
        return changed, *FOLDERS[1:]


SOUND: Final = Planted("sound")


@define
class History:
    """A history under way; `fails` is whether anything ever goes wrong in it."""

    loop: SeededLoop
    hub: Harness
    store: FailingStore
    fails: bool
    outside: Outside = field(init=False)
    faults: int = field(init=False, default=0)
    kills: int = field(init=False, default=0)
    _going: bool = field(init=False, default=True)
    _host: PluginHost = field(init=False)
    _deliverer: Deliverer = field(init=False)
    _subscriptions: list[str] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.outside = Outside(self.fails)

    async def again(self, act: Act) -> None:
        """Do something until it is done, as everybody does who gets a 503."""
        while True:
            try:
                await act()
            except StoreUnavailable:
                await asyncio.sleep(self.loop.moment())
            else:
                return

    async def live(self, payday: Payday | None) -> None:
        """Sell, pay, take refunds of what was paid, sell once more, and pay again."""
        await self._subscribe()
        click = await self._click()
        await self._start()
        beside = [asyncio.create_task(each, name="beside") for each in (self._trouble(), self._time(), self._crashes())]
        await asyncio.gather(*[self._shop(number, click, range(ORDERS)) for number in range(SHOPS)])
        await self._pay(payday)
        await asyncio.gather(*[self._late_refunds(number) for number in range(SHOPS)])
        click = await self._click()
        await asyncio.gather(*[self._shop(number, click, (ORDERS, ORDERS + 2)) for number in range(SHOPS)])
        await self._pay(None)
        await self._quiet()
        self._going = False
        await asyncio.gather(*beside)
        self.store.arm(0, "before")

    async def _click(self) -> str:
        while True:
            with suppress(StoreUnavailable):
                return await self.hub.click()

    async def _subscribe(self) -> None:
        hub = self.hub
        for wanted in (
            NewSubscription(HOOK, ("*",), hub.merchant_id, "live"),
            NewSubscription(POSTBACK, ("commission.*",), affiliate_id=hub.affiliate_id),
        ):
            made = await create_subscription(hub.store, SEALER, hub.clock, (), wanted)
            self._subscriptions.append(made.id)
            self.outside.secret = made.secret or self.outside.secret

    async def _start(self) -> None:
        """Start what a process of the hub runs behind its doors."""
        hub = self.hub
        self._host = plugin_host(Limits(), check_seconds=0)
        self._host._cooling = Cooling(self.loop.time)
        hub.worker = Worker(self.store, self._host, POLICY, hub.clock, batch=8)
        self._deliverer = Deliverer(self.store, SEALER, hub.clock, Outbox(SEALER, False))
        await self.again(hub.worker.start)
        await self.again(self._deliverer.start)

    async def _kill(self) -> None:
        """End the hub's tasks wherever they are, and the plugins' process with them."""
        await ended(each for each in asyncio.all_tasks(self.loop) if each.get_name().startswith(PARTS))
        await self._host.close()
        self.kills += 1

    async def _crashes(self) -> None:
        while self._going:
            await asyncio.sleep(1)
            if self.fails and self.loop.is_stormy and self.loop.dice.random() < 0.1:
                await self._kill()
                await self._start()

    async def _shop(self, shop: int, click: str, orders: Iterable[int]) -> None:
        hub = self.hub
        for number in orders:
            order, at = f"O-{shop}-{number}", hub.clock()
            news: list[Act] = [
                partial(hub.order, order, f"{shop * 7 + number}3.30", clickId=click),
                partial(hub.status, order, "confirmed", 1_000 + at % 2),
            ]
            if number % 2:
                news.append(self._refund(order, "r", "1.11"))
                news.append(self._refund(order, "r-2", "0.41"))
            if number == 2:
                news.append(partial(hub.status, order, "cancelled", 5_000))
            await self._told(news)

    async def _late_refunds(self, shop: int) -> None:
        """What was paid is refunded in part, in two parts, of which each is told under two deliveries."""
        for order in (f"O-{shop}-0", f"O-{shop}-1"):
            parts = [("late-1", "2.22"), ("late-2", "13.33")]
            await self._told([self._refund(order, *each, again) for each in parts for again in ("", "-again")])

    def _refund(self, order: str, name: str, amount: str, again: str = "") -> Act:
        body = {"external_order_id": order, "refund_id": name, "refund_amount": amount}
        return partial(self.hub.webhook, "order-refunded", f"d-{order}-{name}{again}", **body)

    async def _told(self, news: list[Act]) -> None:
        self.loop.dice.shuffle(news)
        for act in news:
            await self.again(act)
            await asyncio.sleep(self.loop.moment())
            if self.loop.dice.random() < 0.3:
                await self.again(act)

    async def _time(self) -> None:
        """Let the hub's clock go, and be set forward by a minute now and then: leases end while their holders live."""
        while self._going:
            await self.again(jobs_of(self.hub).release_holds)
            for _ in range(4):
                jumps = self.fails and self.loop.is_stormy and self.loop.dice.random() < 0.05
                self.hub.clock.advance(60 * SECOND if jumps else SECOND)
                await asyncio.sleep(0.5)

    async def _trouble(self) -> None:
        """Let one of the next calls of the store fail, again and again."""
        while self._going:
            self.faults += self.store.failed
            at = self.loop.dice.randint(1, 12) if self.fails and self.loop.is_stormy else 0
            self.store.arm(at, self.loop.dice.choice(("before", "after")))
            await asyncio.sleep(self.loop.dice.choice((0.3, 1.0)))

    async def _quiet(self) -> None:
        """Wait until everything that was accepted is decided, and every message was delivered or given up."""
        while (waits := await self._waiting()) is not None:
            if not any(each.get_name().startswith(AT_WORK) for each in asyncio.all_tasks(self.loop)):
                self.hub.clock.advance(max(waits - self.hub.clock(), 5 * SECOND))
            await asyncio.sleep(0.5)

    async def _waiting(self) -> int | None:
        """Return when the next of what is not done yet is due (ms UTC), None if everything is done."""
        try:
            async with self.store.read() as tx:
                row = await tx.one("simulated_work", account_id=self.hub.account_id)
        except StoreUnavailable:
            return 0
        return None if row is None else row["due_at"]

    async def _messages(self) -> Sequence[Row]:
        async with self.store.read() as tx:
            found: Sequence[Row] = await tx.all("simulated_messages")
        return found

    async def _pay(self, payday: Payday | None) -> None:
        await self._quiet()
        self.hub.clock.advance(30 * DAY)
        await self.again(jobs_of(self.hub).release_holds)
        await self._quiet()
        if payday is not None:
            await self.again(lambda: payday(self.hub))
            return
        before = {str(each["id"]) for each in await self._runs()}
        await asyncio.gather(*[self.again(self._draft) for _ in range(2)])
        for run in sorted(str(each["id"]) for each in await self._runs() if each["id"] not in before):
            await self._settle(run)

    async def _runs(self) -> list[dict[str, object]]:
        while True:
            with suppress(StoreUnavailable):
                return [dict(each) for each in await first_runs(self.store, Wanted())]

    async def _draft(self) -> None:
        """Make the day's run, as one of two people who do at once."""
        with suppress(NothingToPay):
            await create_run(self.store, self.hub.clock, PLAIN, LIVE)

    async def _settle(self, run: str) -> None:
        hub = self.hub
        release = partial(self.again, lambda: release_run(hub.store, hub.clock, PLAIN, run))
        await asyncio.gather(release(), release())
        await self.again(lambda: written(hub, run))
        await self.again(lambda: settle_run(hub.store, hub.clock, run, f"SEPA-{run}"))

    async def found(self) -> Books:
        """Return the books and payments; raise AssertionError unless the audit holds and receivers know the same."""
        hub = self.hub
        assert (await audit(self.store, hub.clock))["violations"] == []
        async with self.store.read() as tx:
            assert [row["event_id"] for row in await tx.all("decided_again")] == []
        runs = [
            (item["currency"], item["amount"], item["status"])
            for run in await first_runs(self.store, Wanted())
            for item in run["items"]
        ]
        messages = await self._messages()
        assert {each["status"] for each in messages} == {"DELIVERED"}
        stands = {
            row["conversion_id"]: (row["state"], format_money(row["amount_minor"], row["currency"]))
            for row in await hub.rows("commission_rows")
        }
        receivers = zip(self._subscriptions, (self.outside.hooks, self.outside.postbacks), strict=True)
        for name, heard in receivers:
            assert last_heard([each for each in messages if each["subscription_id"] == name], heard) == stands
        return [*await books_of(self.store, hub.account_id), *sorted(runs)]


def last_heard(messages: Sequence[Row], heard: Sequence[Heard]) -> dict[str, tuple[str, str]]:
    """Return state and amount of each order's commission as a receiver was told last.

    Raise AssertionError unless it heard all messages, those of one subject one after the other: a message that comes
    again comes before the next.
    """
    waiting: dict[str, list[str]] = {}
    for each in sorted(messages, key=lambda each: (each["subject"], each["number"])):
        waiting.setdefault(each["subject"], []).append(each["message_id"])
    subjects = {each["message_id"]: each["subject"] for each in messages}
    last: dict[str, str] = {}
    said: dict[str, tuple[str, str]] = {}
    for told in heard:
        subject = subjects[told.message_id]
        if told.message_id != last.get(subject):
            assert told.message_id == waiting[subject].pop(0), f"out of order: {subject} {told}"
            last[subject] = told.message_id
        if told.conversion_id:
            said[told.conversion_id] = (told.state, told.amount)
    assert not any(waiting.values()), f"never heard: {waiting}"
    return said


async def ended(tasks: Iterable[asyncio.Task[object]]) -> None:
    """Cancel tasks, in the order of their names, and wait for their ends."""
    chosen = sorted(tasks, key=lambda each: each.get_name())
    for each in chosen:
        each.cancel()
    await asyncio.gather(*chosen, return_exceptions=True)


@frozen
class Lived:
    """How a history ended: its books, how many calls of the store failed, how many kills there were, and its trace."""

    books: Books
    faults: int
    kills: int
    trace: str


@contextmanager
def _pretended(fails: bool, planted: Planted, outside: list[Outside]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "PluginProcess", SimulatedProcess)
        patch.setattr(SimulatedProcess, "fails", fails)
        patch.setattr(process, "_kill", end_process)
        patch.setattr(deliverer, "new_session", lambda *_: outside[0])
        planted.patch(patch)
        yield


def lived(
    file: Path, seed: int, *, fails: bool = True, planted: Planted = SOUND, payday: Payday | None = None
) -> Lived:  # fmt: skip
    """Live the history of a seed on a copy of a migrated file; raise AssertionError if something does not hold."""
    fresh = file.with_name(f"{seed}.db")
    shutil.copyfile(file, fresh)
    with closing(sqlite3.connect(fresh)) as direct:
        direct.executescript(WATCH + planted.database)
    outside: list[Outside] = []

    async def main(loop: SeededLoop) -> tuple[Books, int, int]:
        folders = (*planted.folders(file.parent), Path(__file__).parent / "queries")
        async with await Store.open(f"sqlite:///{fresh}", query_folders=folders) as opened:
            store = FailingStore(opened)
            hub = await Harness.over(store)
            await hub.join("live", "ADA10")
            await named(hub)
            history = History(loop, hub, store, fails)
            outside.append(history.outside)
            try:
                async with asyncio.timeout(LONGEST_SECONDS):
                    await history.live(payday)
                found = await history.found()
                return found, history.faults, history.kills
            finally:
                store.arm(0, "before")
                others = asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
                await ended(each for each in others if each.get_name().startswith((*PARTS, "beside", "plugin")))
                await hub.submissions.stop()

    try:
        with _pretended(fails, planted, outside):
            (books, faults, kills), trace = simulated(seed, main)
    finally:
        for each in fresh.parent.glob(f"{fresh.name}*"):
            each.unlink()
    return Lived(books, faults, kills, trace)
