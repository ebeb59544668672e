"""A disk that cannot sync, a full one, too little memory and a wrong clock, beneath a hub that takes orders.

Customers send each order until it is acknowledged. Whatever the machine does meanwhile, what was acknowledged is stored
once, and the hub goes on by itself when the trouble is over, or after it was started again.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import resource
import shutil
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.polling import PATIENCE_SECONDS, lasting, until
from tests.prove import shop as shop_module
from tests.prove.customers import Customers, opened
from tests.prove.recorded_disk import library
from tests.prove.shop import Server, Shop, database_in, hub
from tests.prove.small_disk import here, small_disk
from tests.prove.troubled import CARELESS, TROUBLES

pytestmark = pytest.mark.prove

TROUBLED = [sys.executable, "-m", "tests.prove.troubled", "serve"]
CARELESS_SERVER = [sys.executable, "-m", "tests.prove.careless", "serve"]
SENDERS = 12
BEFORE_SECONDS, TROUBLED_SECONDS, AFTER_SECONDS = 1.5, 4.0, 2.0
LEAST_ORDERS = 50
"""How many are acknowledged before the trouble at least, and in it where a control acknowledges all."""
DISK_MEGABYTES = 256
FAIR = {"202", "429"}
"""How a hub answers large bodies that is short of nothing."""
ENOUGH = 1_000
LONGEST_SECONDS = 600.0
"""Of a shop in trouble: its customers give up after five minutes, and the hub is started once."""
SPARE_MEGABYTES = (16, 4, 0, ENOUGH, ENOUGH)
"""How much memory more than it has a hub may take in trouble, from its beginning to its end."""
DAY = 86_400
HELD = 20
"""How many orders are delivered, which begins their holds."""
JUMPED_SECONDS = 5.0
"""Some turns of the job that ends holds."""


@contextmanager
def file_there(file: Path, text: str = "0") -> Iterator[None]:
    """A file exists."""
    file.write_text(text)
    yield
    file.unlink()


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A merchant on a fresh file in the folder `hub`."""
    (tmp_path / "hub").mkdir()
    hub(database_in(tmp_path / "hub"), "migrate")
    return Shop.open(database_in(tmp_path / "hub"))


@pytest.fixture
def troubles(tmp_path: Path) -> Path:
    folder = tmp_path / "troubles"
    folder.mkdir()
    return folder


async def shopped(
    customers: Customers,
    trouble: AbstractContextManager[Any],
    has_met_enough: Callable[[], Awaitable[bool]],
    tag: str = "N",
) -> float:
    """Let customers shop before, in and after a trouble; return how long after it the next order was acknowledged.

    The trouble lasts until it has met enough.
    """
    ended = asyncio.Event()
    load = asyncio.create_task(customers.shop_on(seconds=0, senders=SENDERS, tag=tag, has_met_enough=ended.is_set))
    await asyncio.sleep(BEFORE_SECONDS)
    await until(lambda: len(customers.acknowledged) > LEAST_ORDERS)
    with trouble:
        await asyncio.sleep(TROUBLED_SECONDS)
        await until(has_met_enough)
    over = time.monotonic()
    await asyncio.sleep(AFTER_SECONDS)
    ended.set()
    await load
    return min((at for at in customers.answered_at if at > over), default=math.inf) - over


def refused(customers: Customers) -> Callable[[], Awaitable[bool]]:
    """Return what says whether anything was refused."""

    async def found() -> bool:
        return bool(customers.outcomes["503"])

    return found


def answered_in_vain(customers: Customers, server: Server) -> Callable[[], Awaitable[bool]]:
    """Return what says whether enough was acknowledged since the hub knew that it can keep nothing."""
    known: list[int] = []

    async def found() -> bool:
        if not known:
            async with aiohttp.ClientSession() as session, session.get(f"{server.base_url}/readyz") as answer:
                known.extend([len(customers.acknowledged)] if answer.status == 503 else [])
        return bool(known) and len(customers.acknowledged) - known[0] > LEAST_ORDERS

    return found


def just_answered(customers: Customers, server: Server, over: asyncio.Event) -> Callable[[], Awaitable[bool]]:
    """Return what says, once something is over, whether an order was acknowledged just now, or none can be."""
    before = len(customers.acknowledged)

    async def found() -> bool:
        nonlocal before
        is_new, before = len(customers.acknowledged) > before, len(customers.acknowledged)
        return over.is_set() and (is_new or server.process is None or server.process.poll() is not None)

    return found


def reckoned(customers: Customers, folder: Path, what: str, again: float) -> set[str]:
    """Say what became of the orders, and return those that were acknowledged and are not in the folder's database."""
    with sqlite3.connect(f"file:{folder / 'hub.db'}?mode=ro", uri=True) as opened_:
        rows = dict(opened_.execute("SELECT event_id, external_order_id FROM events").fetchall())
    opened_.close()
    lost = {order for order, ids in customers.acknowledged.items() if not ids <= rows.keys()}
    print(
        f"{what}: {len(customers.acknowledged)} acknowledged, {dict(customers.outcomes)}, acknowledged again "
        f"{again:.1f} s after it was over, {len(lost)} lost"
    )
    assert all(len(ids) == 1 for ids in customers.acknowledged.values())
    assert not customers.unanswered
    return lost


class TestSyncsThatFail:
    def server(self, shop: Shop, tmp_path: Path, troubles: Path, careless: str = "") -> Server:
        try:
            library()
        except LookupError as fault:
            pytest.skip(f"No sync fails: {fault}.")
        (troubles / "watched").touch()
        around = {TROUBLES: str(troubles), CARELESS: careless}
        return Server(database_in(tmp_path / "hub"), TROUBLED, around)

    def test_acknowledge_nothing(self, shop: Shop, tmp_path: Path, troubles: Path) -> None:
        server = self.server(shop, tmp_path, troubles)
        server.start()
        customers = Customers(shop, [server])
        again = asyncio.run(shopped(customers, file_there(troubles / "syncs"), refused(customers)))
        server.kill()
        assert reckoned(customers, tmp_path / "hub", "failing syncs", again) == set()
        assert set(customers.outcomes) <= {"202", "503", "TimeoutError"}
        assert customers.outcomes["503"]
        assert hub(server.database, "audit")["violations"] == []

    def test_control_a_hub_that_answers_first_loses_some(self, shop: Shop, tmp_path: Path, troubles: Path) -> None:
        server = self.server(shop, tmp_path, troubles, "answer")
        server.start()
        customers = Customers(shop, [server])
        lost_some = answered_in_vain(customers, server)
        again = asyncio.run(shopped(customers, file_there(troubles / "syncs"), lost_some))
        server.kill()
        assert reckoned(customers, tmp_path / "hub", "failing syncs, careless", again)


class TestAFullDisk:
    def filled(self, shop: Shop, tmp_path: Path, careless: bool) -> set[str]:
        with small_disk(tmp_path / "hub", DISK_MEGABYTES) as disk:
            program = CARELESS_SERVER if careless else [sys.executable, "-m", "hub", "serve"]
            server = Server(database_in(tmp_path / "hub"), [*disk.inside, *program], here())
            server.start()
            customers = Customers(shop, [server])

            @contextmanager
            def full() -> Iterator[None]:
                print(f"{disk.fill()} bytes were free")
                yield
                disk.empty()

            has_met_enough = answered_in_vain(customers, server) if careless else refused(customers)
            again = asyncio.run(shopped(customers, full(), has_met_enough))
            server.kill()
            after = tmp_path / "after"
            shutil.copytree(disk.outside, after)
        assert set(customers.outcomes) <= {"202", "503", "TimeoutError"}
        lost = reckoned(customers, after, "a full disk", again)
        if not careless:
            assert customers.outcomes["503"]
            assert hub(database_in(after), "audit")["violations"] == []
        return lost

    def test_takes_nothing_that_is_acknowledged(self, shop: Shop, tmp_path: Path) -> None:
        assert self.filled(shop, tmp_path, careless=False) == set()

    def test_control_a_hub_that_answers_first_loses_some(self, shop: Shop, tmp_path: Path) -> None:
        assert self.filled(shop, tmp_path, careless=True)


@pytest.mark.parametrize("beside", ["sleep 0", "sleep 600"], ids=["alone", "with a child that holds its output"])
def test_a_server_that_says_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str) -> None:
    """A proof that waits for its line ends, whatever the machine has done to it."""
    child, patience = tmp_path / "child", 0.5
    while not child.exists():  # a slow machine has begun nothing by then
        monkeypatch.setattr(shop_module, "START_SECONDS", patience)
        program = f"{beside} & echo $! >{child}.pid; mv {child}.pid {child}; exec sleep 600"
        server, began = Server(database_in(tmp_path), ["sh", "-c", program]), time.monotonic()
        with pytest.raises(AssertionError, match="did not start"):
            server.start()
        assert server.ended(PATIENCE_SECONDS) == -signal.SIGKILL
        assert time.monotonic() - began < PATIENCE_SECONDS
        patience *= 2
    with suppress(ProcessLookupError):
        os.kill(int(child.read_text()), signal.SIGKILL)


@contextmanager
def short_of_memory(server: Server, has_failed: Callable[[], bool], over: asyncio.Event) -> Iterator[None]:
    """Let a process have hardly more memory than it has, less and less, then enough; at last the kernel kills one.

    The least it has until something failed for it. One that ended by itself before is started again as well.
    """
    assert server.process is not None
    process, (_, most) = server.process, resource.prlimit(server.process.pid, resource.RLIMIT_AS)
    steps = iter(SPARE_MEGABYTES)

    def turn(spare: int | None = None) -> None:
        if spare != 0 or has_failed():
            spare = next(steps, None)
        if spare is None or process.poll() is not None:
            over.set()
        else:
            status = Path(f"/proc/{process.pid}/status").read_text()
            kib = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmSize")))
            bound = kib * 1_024 + spare * 1_048_576 if spare < ENOUGH else most
            resource.prlimit(process.pid, resource.RLIMIT_AS, (bound, most))
            asyncio.get_running_loop().call_later(TROUBLED_SECONDS / len(SPARE_MEGABYTES), turn, spare)

    turn()
    yield
    print("the process was killed" if process.poll() is None else f"the process ended with {process.poll()}")
    server.kill()
    server.start()


async def heavy(shop: Shop, server: Server, answers: Counter[str], over: asyncio.Event) -> None:
    """Send large lawful bodies, four at once, until the trouble is over, and count how they were answered."""
    products = [
        {
            "externalProductId": f"P-{number}",
            "name": "x" * 150,
            "price": "1.00",
            "productUrl": f"https://shop.example/{number}",
        }
        for number in range(3_000)
    ]
    body = json.dumps({"products": products}).encode()
    await asyncio.sleep(BEFORE_SECONDS)

    async def send(session: aiohttp.ClientSession, sender: int) -> None:
        number = sender
        while not over.is_set():
            number += 4
            own = body + b" " * number  # a signature counts once
            try:
                url = f"{server.base_url}/api/v1/products/import"
                async with session.post(url, data=own, headers=shop.headers(own)) as answer:
                    await answer.read()
                    answers[str(answer.status)] += 1
            except (aiohttp.ClientError, OSError, TimeoutError) as fault:
                answers[type(fault).__name__] += 1

    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
        await asyncio.gather(*(send(session, sender) for sender in range(4)))


class TestTooLittleMemory:
    def starved(self, shop: Shop, tmp_path: Path, program: list[str], tag: str = "N") -> tuple[set[str], Counter[str]]:
        server = Server(database_in(tmp_path / "hub"), program)
        server.start()
        customers, answers = Customers(shop, [server]), Counter[str]()

        async def both() -> float:
            over = asyncio.Event()
            large = asyncio.create_task(heavy(shop, server, answers, over))
            trouble = short_of_memory(server, lambda: bool(set(answers) - FAIR), over)
            again = await shopped(customers, trouble, just_answered(customers, server, over), tag)
            await large
            return again

        try:
            again = asyncio.run(asyncio.wait_for(both(), LONGEST_SECONDS))
        finally:
            server.kill()
        print(f"large bodies in the trouble: {dict(answers)}")
        return reckoned(customers, tmp_path / "hub", "too little memory", again), answers

    def test_control_a_hub_that_answers_first_loses_some(self, shop: Shop, tmp_path: Path) -> None:
        lost, turns = set[str](), count()
        goes_on = lasting(0, lambda: bool(lost))
        while goes_on():
            lost, _ = self.starved(shop, tmp_path, CARELESS_SERVER, f"T{next(turns)}")
        assert lost

    def test_loses_nothing_that_was_acknowledged(self, shop: Shop, tmp_path: Path) -> None:
        lost, answers = self.starved(shop, tmp_path, [sys.executable, "-m", "hub", "serve"])
        assert lost == set()
        assert "400" not in answers  # a lawful body is not called faulty for want of memory
        assert set(answers) - FAIR
        assert hub(database_in(tmp_path / "hub"), "audit")["violations"] == []


class TestAWrongClock:
    """Holds of 14 days, and a clock that jumps; customers and their signatures have the right time."""

    async def through(
        self, customers: Customers, jump_to: Callable[[int], object], database: Path, *, ends: bool
    ) -> list[dict[str, int]]:
        """Jump by 200 s both ways, back by an hour and on by 20 days; return the commissions by state after each.

        `ends` waits after the last for the holds to end.
        """
        await customers.shop_on(
            seconds=1, senders=4, tag="before", has_met_enough=lambda: len(customers.acknowledged) >= HELD
        )
        for order in list(customers.acknowledged)[:HELD]:
            await delivered(customers, order)
        await until(lambda: states(database).get("HOLD", 0) >= HELD)
        seen = [states(database)]
        for jump in (200, -200, -3_600, 20 * DAY):
            load = asyncio.create_task(customers.shop_on(seconds=JUMPED_SECONDS + 1, senders=4, tag=f"J{jump}"))
            jump_to(jump)
            await asyncio.sleep(JUMPED_SECONDS)
            if ends and jump == 20 * DAY:
                await until(lambda: states(database).get("PAYABLE", 0) >= HELD)
            seen.append(states(database))
            jump_to(0)
            await load
        return seen

    def jumped(self, tmp_path: Path, troubles: Path, careless: str) -> tuple[list[dict[str, int]], Customers]:
        (tmp_path / "hub").mkdir()
        database = database_in(tmp_path / "hub")
        hub(database, "migrate")
        server = Server(database, TROUBLED, {TROUBLES: str(troubles), CARELESS: careless})

        def jump_to(seconds: int) -> None:
            (troubles / "clock").write_text(str(seconds).ljust(20))

        server.start()
        try:
            customers = opened(database, [server])
            seen = asyncio.run(self.through(customers, jump_to, tmp_path / "hub" / "hub.db", ends=bool(careless)))
        finally:
            server.kill()
        print(f"commissions before, +200 s, -200 s, -1 h, +20 d: {seen}; {dict(customers.outcomes)}")
        return seen, customers

    def test_ends_no_hold_and_loses_no_order(self, tmp_path: Path, troubles: Path) -> None:
        seen, customers = self.jumped(tmp_path, troubles, "")
        assert all("PAYABLE" not in each for each in seen)
        assert reckoned(customers, tmp_path / "hub", "a wrong clock", 0) == set()
        assert hub(database_in(tmp_path / "hub"), "audit")["violations"] == []

    def test_control_a_hub_that_believes_any_clock_ends_them(self, tmp_path: Path, troubles: Path) -> None:
        seen, _ = self.jumped(tmp_path, troubles, "clock")
        assert seen[-1]["PAYABLE"] >= HELD


async def delivered(customers: Customers, order: str) -> None:
    """Say that an order was delivered, which begins its hold."""
    body = json.dumps({"externalOrderId": order, "status": "delivered", "clickId": customers.click_id}).encode()
    (node,) = customers.nodes
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{node.base_url}/api/v1/order-status", data=body, headers=customers.shop.headers(body)) as answer,
    ):
        assert answer.status == 202, await answer.text()


def states(database: Path) -> dict[str, int]:
    """Return how many commissions are in each state."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=PATIENCE_SECONDS) as connection:
        found = dict(connection.execute("SELECT state, count(*) FROM commissions GROUP BY state").fetchall())
    connection.close()
    return found
