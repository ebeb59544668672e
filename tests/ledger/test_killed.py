"""A run that is killed between any two of its transactions, or in the middle of one, and started again pays once."""

from __future__ import annotations

import contextlib
from collections import Counter
from types import TracebackType
from typing import Any

import pytest

from hub.domain.books.ledger import Owner, paying
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.books.balances import affiliate_balances
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts import payout_gathering, payout_release
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_gathering import NothingToPay, create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import first_runs
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.processing.post_entries import post
from hub.storage import Store, Tx
from tests.ledger.test_payouts import LIVE, PLAIN, SEALER, payable, written
from tests.ledger.test_verify import entries_of, holds
from tests.processing.harness import Harness

ORDERS = 3


class Killed(BaseException):
    """What a kill looks like from inside: nothing catches it."""


class Dying:
    """A store whose process dies before its n-th writing transaction commits: what that one did is undone."""

    def __init__(self, store: Store, lives: int) -> None:
        self._store = store
        self._lives = lives

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self) -> _Transaction:
        self._lives -= 1
        return _Transaction(self._store.write(), dies=self._lives < 0)


class _Transaction:
    def __init__(self, inner: Any, *, dies: bool) -> None:
        self._inner = inner
        self._dies = dies

    async def __aenter__(self) -> Tx:
        tx: Tx = await self._inner.__aenter__()
        return tx

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._dies and kind is None:
            killed = Killed()
            await self._inner.__aexit__(Killed, killed, None)
            raise killed
        await self._inner.__aexit__(kind, error, trace)


async def all_of_it(store: Any, harness: Harness) -> str:
    """Create, release and settle the run, as an operator's script does."""
    run = await create_run(store, harness.clock, PLAIN, LIVE)
    await release_run(store, harness.clock, PLAIN, str(run["id"]))
    await export_run(store, SEALER, harness.clock, PLAIN, str(run["id"]), "csv")
    await settle_run(store, harness.clock, str(run["id"]), "SEPA-1")
    return str(run["id"])


async def paid_out(harness: Harness) -> Counter[str]:
    """How often each commission was paid, by the ledger."""
    return Counter(e.commission_id or "" for e in await entries_of(harness) if e.kind == "paid")


async def finish(harness: Harness) -> None:
    """Start again with what a killed script left behind."""
    with contextlib.suppress(NothingToPay):  # it was killed before there was a run, or all of it is in one
        await create_run(harness.store, harness.clock, PLAIN, LIVE)
    for run in reversed(await first_runs(harness.store, Wanted())):
        await release_run(harness.store, harness.clock, PLAIN, str(run["id"]))
        with contextlib.suppress(OperatorFault):  # all of it came back, or is in a file
            await written(harness, str(run["id"]))
        await settle_run(harness.store, harness.clock, str(run["id"]), "SEPA-1")


@pytest.mark.prove
async def test_it_pays_everybody_once_wherever_it_was_killed(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in each of its transactions in turn, month by month, until one month survives."""
    monkeypatch.setattr(payout_release, "LINES_AT_ONCE", 2)
    monkeypatch.setattr(payout_gathering, "LINES_AT_ONCE", 2)
    months = deaths = 0
    while deaths == months:
        await payable(harness, *["100.00"] * ORDERS, start=months * ORDERS)
        try:
            await all_of_it(Dying(harness.store, months), harness)
        except Killed:
            deaths += 1
            await holds(harness.store)
        months += 1
        await finish(harness)
    assert deaths > 6
    with contextlib.suppress(OperatorFault):  # the first was killed before there was a run
        await all_of_it(harness.store, harness)
    assert sorted((await paid_out(harness)).values()) == [1] * ORDERS * months
    (balance,) = await affiliate_balances(harness.store, harness.affiliate_id)
    assert (balance["payable"], balance["paid"]) == ("0.00", f"{5 * ORDERS * months}.00")
    await holds(harness.store)


async def test_control_a_release_that_notes_afterwards_pays_twice(harness: Harness) -> None:
    """Without the guard, entries first and the commission in a transaction of its own, the same kill pays twice."""
    await payable(harness, "100.00")
    commission = await harness.commission("O-0")
    assert commission is not None
    owner = Owner("USD", harness.affiliate_id, commission["commission_id"], "O-0")

    async def careless(store: Any) -> None:
        async with store.write() as tx:
            entries = paying(owner, 500, "payout", "pay_1")
            await post(tx, [(harness.account_id, each) for each in entries], harness.clock())
        async with store.write() as tx:
            await tx.run("pay_commission", account_id=harness.account_id, commission_id=commission["commission_id"],
                         reference="pay_1", now=harness.clock())  # fmt: skip

    with pytest.raises(Killed):
        await careless(Dying(harness.store, 1))
    await careless(harness.store)
    assert (await paid_out(harness))[commission["commission_id"]] == 2
    assert not (await verify_ledger(harness.store))["ok"]
