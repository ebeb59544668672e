"""Orders, refunds, runs, returns and corrections in any order: the books balance, and nobody is paid twice or too much.

The model is independent of the hub: what an order earns is 5 % of what was not refunded, nothing once it is cancelled,
whenever the news came. Every cent that the hub says an affiliate has coming, is being paid or was paid must be that.

The network's fee is the percentage of when a commission was billed, of what was left of it, rounded once; what is taken
back after the payout gives back its part. The model notes that percentage whenever a commission turns up as billed.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from collections.abc import Coroutine
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hub.domain.books.ledger import deltas
from hub.domain.money import divide_half_up
from hub.domain.words import BILLED_WHEN, BilledWhen
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.books.books import set_books
from hub.operations.money.books.deposits import move_deposit, require_deposit
from hub.operations.money.invoices.statements import owed_in
from hub.operations.money.ledger.ledger import chain_ends, entry_pages
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.payouts.payout_runs import show_run
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.money.payouts.payouts import numbered_commissions
from hub.operations.money.rates.fees import set_fee
from hub.operations.trail import acting_as
from hub.records.commissions import ListedCommission
from hub.storage import Store
from tests.ledger.test_payouts import LIVE, OTHER, PLAIN, named, written
from tests.ledger.test_verify import holds, jobs_of
from tests.processing.harness import DAY, Harness

T = TypeVar("T")
orders = st.integers(0, 40)
cents = st.integers(1, 20_000)
percentages = st.sampled_from(["0", "0.5", "12.5", "33.3333", "100"])


@cache
def template() -> Path:
    """A migrated database, made once."""
    path = Path(tempfile.mkdtemp()) / "hub.db"

    async def make() -> None:
        async with await Store.open(f"sqlite:///{path}", migrate=True):
            pass

    asyncio.run(make())
    return path


def half_up(exact: Fraction) -> int:
    """Round to a whole number; what is taken back is rounded as what is added, away from nought."""
    whole = floor(abs(exact) + Fraction(1, 2))
    return whole if exact >= 0 else -whole


class Money(RuleBasedStateMachine):
    """A hub of one merchant and one affiliate, and what the model says of its orders."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp())
        self.amounts: list[int] = []
        self.left: list[int] = []
        self.bonus = 0
        self.percentage = Fraction(0)
        self.rates: dict[int, Fraction] = {}
        self.paid: dict[int, tuple[int, int]] = {}
        self.fee_of_bonus = 0
        self.paid_in = 0
        self.runs: list[str] = []
        self.step = 0

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    @initialize(
        amounts=st.lists(cents, min_size=1, max_size=3), deposit=st.booleans(), billed=st.sampled_from(BILLED_WHEN)
    )
    def open(self, amounts: list[int], deposit: bool, billed: BilledWhen) -> None:
        file = shutil.copyfile(template(), self.folder / "hub.db")
        self.harness = self.run(Harness.open(f"sqlite:///{file}", mode="live"))
        self.needs_deposit, self.billed = deposit, billed
        self.run(set_books(self.harness.store, self.harness.clock, billed=billed))
        self.run(named(self.harness))
        if deposit:
            self.run(require_deposit(self.harness.store, self.harness.clock, self.harness.merchant_id, required=True))
        for amount in amounts:
            self.order(amount, confirmed=True)

    def teardown(self) -> None:
        if hasattr(self, "harness"):  # an example may end before its first step has all that it draws
            self.run(self.harness.close())
        self.loop.close()
        shutil.rmtree(self.folder)

    @rule(amount=cents, confirmed=st.booleans())
    def order(self, amount: int, confirmed: bool) -> None:
        more = {"orderStatus": "confirmed"} if confirmed else {}
        text = f"{amount // 100}.{amount % 100:02d}"
        click = self.run(self.harness.click())
        self.run(self.harness.order(f"O-{len(self.amounts)}", text, clickId=click, **more))
        self.run(self.harness.work())
        self.amounts.append(amount)
        self.left.append(amount)

    @precondition(lambda self: self.amounts)
    @rule(order=orders, amount=cents)
    def refund(self, order: int, amount: int) -> None:
        number, self.step = order % len(self.amounts), self.step + 1
        body = {"external_order_id": f"O-{number}", "refund_id": f"r-{self.step}",
                "refund_amount": f"{amount // 100}.{amount % 100:02d}"}  # fmt: skip
        self.run(self.harness.webhook("order-refunded", f"d-{self.step}", **body))
        self.run(self.harness.work())
        self.left[number] = max(0, self.left[number] - amount)

    @precondition(lambda self: self.amounts)
    @rule(order=orders, status=st.sampled_from(["cancelled", "returned", "refunded"]))
    def cancel(self, order: int, status: str) -> None:
        number = order % len(self.amounts)
        self.run(self.harness.status(f"O-{number}", status))
        self.run(self.harness.work())
        self.left[number] = 0

    @rule()
    def end_of_month(self) -> None:
        """What is due is paid: the way to most of what may go wrong afterwards."""
        self.wait()
        self.create()
        if self.runs:
            self.release()

    def owed(self) -> int:
        """What the merchant's statements bill of all time, before what the deposit has paid of it."""

        async def read() -> int:
            async with self.harness.store.read() as tx:
                found = await owed_in(tx, self.harness.account_id, 0, self.harness.clock() + 1)
            return sum(each.net_minor for each in found)

        return self.run(read())

    @rule()
    def wait(self) -> None:
        self.harness.clock.advance(15 * DAY)
        self.run(jobs_of(self.harness).release_holds())

    @rule()
    def create(self) -> None:
        try:
            made = self.run(create_run(self.harness.store, self.harness.clock, PLAIN, LIVE))
        except OperatorFault:
            return
        if made["id"] not in self.runs:
            self.runs.append(str(made["id"]))

    @precondition(lambda self: self.runs)
    @rule()
    def release(self) -> None:
        self.run(release_run(self.harness.store, self.harness.clock, PLAIN, self.runs[-1]))

    @precondition(lambda self: self.runs)
    @rule(run=st.integers(0, 9), came_back=st.booleans())
    def settle(self, run: int, came_back: bool) -> None:
        store, clock, chosen = self.harness.store, self.harness.clock, self.runs[run % len(self.runs)]
        try:
            if came_back:
                self.run(return_payment(store, clock, chosen, self.harness.affiliate_id, "closed"))
            else:
                self.run(written(self.harness, chosen))
                self.run(settle_run(store, clock, chosen, "SEPA"))
        except OperatorFault:
            return

    @rule(minor=st.integers(-5_000, 5_000).filter(bool))
    def correct(self, minor: int) -> None:
        text = f"{'-' if minor < 0 else ''}{abs(minor) // 100}.{abs(minor) % 100:02d}"
        made = self.run(create_adjustment(
            self.harness.store, self.harness.clock, affiliate=self.harness.affiliate_id,
            account=f"{self.harness.merchant_id}:live", amount=text, currency="USD", reason="test",
        ))  # fmt: skip
        with acting_as(OTHER):
            self.run(approve_adjustment(self.harness.store, self.harness.clock, PLAIN, made["id"]))
        self.bonus += minor
        self.fee_of_bonus += half_up(minor * self.percentage)

    @rule(percentage=percentages)
    def charge(self, percentage: str) -> None:
        """Set the network's fee from now on."""
        self.harness.clock.advance(1)
        self.run(set_fee(self.harness.store, self.harness.clock, self.harness.merchant_id, percentage))
        self.percentage = Fraction(percentage) / 100

    def fees(self) -> int:
        """What the merchant owes the network for commissions and corrections, by the model."""
        states = {int(order.removeprefix("O-")): each.state for order, each in self.run(self.commissions())}
        owed = self.fee_of_bonus
        for number, state in states.items():
            amount = divide_half_up(self.left[number] * 5, 100)
            if state not in ("PAID", "PAYABLE") or (self.billed, state) == ("paid", "PAYABLE"):
                self.rates.pop(number, None)
                continue
            rate = self.rates.setdefault(number, self.percentage)
            if state == "PAID":
                paid, charged = self.paid.setdefault(number, (amount, half_up(amount * rate)))
                owed += half_up(Fraction(charged * amount, paid)) if paid else 0
            else:
                owed += half_up(amount * rate)
        return owed

    async def commissions(self) -> list[tuple[str, ListedCommission]]:
        return list((await numbered_commissions(self.harness.store, Wanted(limit=100))).entries)

    @rule(minor=st.integers(-300, 1_000).filter(bool))
    def deposit(self, minor: int) -> None:
        """Pay into the merchant's deposit, or take out of it what covers nothing."""
        self.step += 1
        text = f"{abs(minor) // 100}.{abs(minor) % 100:02d}"
        try:
            self.run(move_deposit(
                self.harness.store, self.harness.clock, self.harness.merchant_id, amount=text, currency="USD",
                reference=f"D-{self.step}", out=minor < 0,
            ))  # fmt: skip
        except OperatorFault:
            return
        self.paid_in += minor

    @invariant()
    def books_balance(self) -> None:
        """The chain, the commissions, the corrections and the runs agree, and the sum is the model's."""
        if not hasattr(self, "harness"):
            return
        self.run(holds(self.harness.store))
        places = self.run(self.places())
        earned = sum(divide_half_up(left * 5, 100) for left in self.left)
        assert sum(places.values()) == 0
        covered = self.paid_in - places["deposit"]
        assert places["fees"] == self.fees()
        assert -places["merchant"] == earned + self.bonus - covered + places["fees"]
        waiting = places["pending"] + places["held"] + (places["payable"] if self.billed == "paid" else 0)
        assert self.owed() == covered - places["merchant"] - waiting, self.billed
        assert (places["deposit"] >= 0, -places["received"]) == (True, self.paid_in)
        if self.needs_deposit:  # what is payable, being paid or paid beside corrections was covered before
            assert places["payable"] <= covered
        assert min(places["pending"], places["held"], places["payable"], places["payout"], places["bank"]) >= 0

    @invariant()
    def nobody_is_paid_twice(self) -> None:
        """A commission is paid by one run at most, and no more than it was then."""
        shown = [self.run(show_run(self.harness.store, run)) for run in self.runs]
        paid = Counter(line["id"] for run in shown for line in run["lines"] if line["status"] == "PAID")
        assert all(times == 1 for times in paid.values())

    async def places(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for end in await chain_ends(self.harness.store):
            async for page in entry_pages(self.harness.store, end.head):
                for entry in page:
                    for place, minor in deltas(entry):
                        found[place] += minor
        return found


Money.TestCase.settings = settings(suppress_health_check=list(HealthCheck))
TestMoney = Money.TestCase
