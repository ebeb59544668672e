"""The proof that goes on from kept heads: what is new is followed, and what was proved cannot be written anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hub.clock import system_clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.ledger import Head
from hub.operations.money.ledger.ledger import chain_ends, verify_ledger
from hub.operations.money.ledger.recent_proof import CLOCKS_APART_MS, verify_since
from hub.operations.money.payouts.payouts import pay_commission
from hub.storage import Store
from tests.cli.conftest import Operator
from tests.ledger.test_verify import jobs_of, seeded
from tests.processing.harness import DAY, Harness

LATER = 10**15
"""As if the last proof ended long after everything was made, so that nothing counts as opened since."""


async def heads_of(store: Store) -> dict[str, Head]:
    """Prove everything, and return the heads."""
    found = await verify_ledger(store)
    assert found["ok"], found["faults"]
    return {each["accountId"]: Head(each["accountId"], each["entries"], each["hash"]) for each in found["heads"]}


async def a_month(harness: Harness) -> None:
    """Some of the orders are refunded in part, some are cancelled, holds end, and one is paid."""
    await harness.webhook("order-refunded", "d-1", external_order_id="O-0", refund_id="r-1", refund_amount="40.00")
    await harness.status("O-1", "cancelled")
    await harness.work()
    harness.clock.advance(30 * DAY)
    await jobs_of(harness).release_holds()
    paid = await harness.commission("O-2")
    assert paid is not None
    await pay_commission(harness.store, harness.clock, PayoutSettings(), paid["commission_id"], "SEPA-1")


async def test_only_what_came_since_is_read(harness: Harness) -> None:
    await seeded(harness)
    known = await heads_of(harness.store)
    entries = sum(head.entries for head in known.values())
    await a_month(harness)
    found = await verify_since(harness.store, known, LATER)
    assert (found["faults"], found["before"], found["commissions"]) == ([], entries, 6)
    everything = await verify_ledger(harness.store)
    assert found["head"] == everything["head"], "it ends where the whole proof does"
    assert found["entries"] == everything["entries"] - entries > 0
    assert (await verify_since(harness.store, await heads_of(harness.store), LATER))["entries"] == 0


async def test_a_day_of_a_shop_is_compared_whole_from_its_first_entry(harness: Harness) -> None:
    """With no head that was proved every commission is opened since, and none is compared only in part."""
    await harness.shop_day()
    await harness.work()
    for number in range(0, 60, 4):
        await harness.status(f"O-{number}", "cancelled")
    harness.clock.advance(30 * DAY)
    await harness.work()
    await jobs_of(harness).release_holds()
    found = await verify_since(harness.store, {}, -CLOCKS_APART_MS)
    assert (found["faults"], found["partly"]) == ([], 0)
    assert found["commissions"] > 30


@pytest.mark.parametrize("change", ["amount", "affiliate", "time", "cause", "hash", "places", "delete"])
async def test_a_new_entry_that_was_changed_is_named(harness: Harness, tampering: Store, change: str) -> None:
    await seeded(harness, 1)
    known = await heads_of(harness.store)
    await seeded_more(harness)
    entry = known[harness.account_id].entries + 2
    async with tampering.write() as tx:
        assert await tx.run(f"tamper_{change}", account_id=harness.account_id, entry=entry) == 1
    (fault,) = (await verify_since(harness.store, known, LATER))["faults"]
    assert (fault["accountId"], fault["entry"]) == (harness.account_id, entry)


async def seeded_more(harness: Harness) -> None:
    """Three orders more."""
    click_id = await harness.click()
    for number in range(3):
        await harness.order(f"N-{number}", clickId=click_id, orderStatus="confirmed")
    await harness.work()


async def test_a_ledger_that_was_written_anew_is_told(harness: Harness, tampering: Store) -> None:
    """Even one whose chain holds: nobody who lacks the file knows which hash was proved."""
    await seeded(harness)
    known = await heads_of(harness.store)
    mine = known[harness.account_id]
    forged = known | {harness.account_id: mine._replace(hash="0" * 64)}
    (fault,) = (await verify_since(harness.store, forged, LATER))["faults"]
    assert "was rewritten" in fault["message"]
    longer = known | {harness.account_id: mine._replace(entries=mine.entries + 1)}
    assert not (await verify_since(harness.store, longer, LATER))["ok"], "one that was cut off"
    gone = known | {"acc_gone": Head("acc_gone", 3, "1" * 64)}
    (fault,) = (await verify_since(harness.store, gone, LATER))["faults"]
    assert fault["accountId"] == "acc_gone"
    # Control: an entry that was proved before is not read again, the whole proof alone finds it.
    async with tampering.write() as tx:
        await tx.run("tamper_amount", account_id=harness.account_id, entry=2)
    assert (await verify_since(harness.store, known, LATER))["ok"]
    assert not (await verify_ledger(harness.store))["ok"]


async def test_a_commission_that_its_entries_leave_elsewhere_is_named(harness: Harness, tampering: Store) -> None:
    """Of one that moved as a whole the amount is compared, too; one that nothing moved is left to the whole proof."""
    await seeded(harness)
    known = await heads_of(harness.store)
    await a_month(harness)
    async with tampering.write() as tx:
        assert await tx.run("tamper_commission", account_id=harness.account_id)
    found = await verify_since(harness.store, known, LATER)
    assert found["faults"]
    assert all(fault["commissionId"] for fault in found["faults"])
    assert (await verify_since(harness.store, await ends_of(harness.store), LATER))["ok"], "control: nothing is new"


async def ends_of(store: Store) -> dict[str, Head]:
    """The heads as they are, proved or not."""
    return {end.head.account_id: end.head for end in await chain_ends(store)}


def test_the_command_keeps_the_heads_once_all_holds(sqlite_url: str, tmp_path: Path) -> None:
    operator = Operator(sqlite_url)
    operator.merchant()
    file = tmp_path / "heads.json"
    assert operator.do("ledger", "verify", "--heads", str(file))["ok"]
    before = system_clock()
    kept = json.loads(file.read_text())
    assert kept["provedAt"] <= before
    assert len(kept["heads"]) == 2
    assert "All that is new holds." in operator.run("ledger", "verify", "--heads", str(file)).stdout
    assert json.loads(file.read_text())["provedAt"] >= kept["provedAt"]
    kept["heads"].append({"accountId": "acc_gone", "entries": 1, "hash": "1"})
    file.write_text(json.dumps(kept))
    result = operator.run("ledger", "verify", "--heads", str(file))
    assert (result.exit_code, json.loads(file.read_text())) == (1, kept)
    file.write_text("{}")
    assert "has no heads of a ledger" in operator.refused("ledger", "verify", "--heads", str(file))
