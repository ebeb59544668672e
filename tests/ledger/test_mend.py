"""What a server without a ledger left is adopted by two people; until an audit holds, nothing is paid."""

from __future__ import annotations

from typing import Any

import pytest

from hub.operations.audits.audit import audit
from hub.operations.audits.audit_runs import note_audit
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.books.books import set_books
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.ledger.ledger_mend import adopt_mend, propose_mend
from hub.operations.money.rates.fees import set_fee
from hub.operations.trail import acting_as
from hub.operations.trail_lists import list_acts
from hub.storage import Store
from tests.ledger.test_four_eyes import ANN, BOB
from tests.ledger.test_payouts import PLAIN, create, pay, payable, release
from tests.ledger.test_verify import holds, moved
from tests.processing.harness import Harness


async def without_entries(harness: Harness, tampering: Store) -> None:
    """Payable, held and pending commissions, and a ledger that knows none of them."""
    await payable(harness, "100.00", "60.00")
    click_id = await harness.click()
    await harness.order("O-8", "40.00", clickId=click_id, orderStatus="confirmed")
    await harness.order("O-9", "20.00", clickId=click_id)
    await harness.work()
    async with tampering.write() as tx:
        await tx.run("lose_entries")
        await tx.run("lose_heads")


async def audited(harness: Harness) -> Any:
    found = await audit(harness.store, harness.clock)
    await note_audit(harness.store, harness.clock, harness.clock(), found)
    return found


async def test_two_people_adopt_what_the_ledger_lacks(harness: Harness, tampering: Store) -> None:
    """The audit names it, nothing is paid until it holds, and the same proposal again changes nothing."""
    await without_entries(harness, tampering)
    run = await create(harness)
    assert len((await audited(harness))["violations"]) >= 4
    with pytest.raises(OperatorFault, match=r"The last audit found \d+ violations, so no run is released"):
        await release(harness, run["id"])
    with acting_as(ANN):
        found = await propose_mend(harness.store, harness.clock)
        assert sorted((each["state"], each["amount"], each["found"]) for each in found["commissions"]) == [
            ("HOLD", "2.00", {}), ("PAYABLE", "3.00", {}), ("PAYABLE", "5.00", {}), ("PENDING", "1.00", {}),
        ]  # fmt: skip
        assert not (await verify_ledger(harness.store))["ok"], "the control: a proposal changes nothing"
        with pytest.raises(OperatorFault, match="another person adopts it: you did the first act yourself"):
            await adopt_mend(harness.store, harness.clock, PLAIN, str(found["id"]))
    with acting_as(BOB):
        done = await adopt_mend(harness.store, harness.clock, PLAIN, str(found["id"]))
        assert (len(done["commissions"]), done["adoptedBy"]) == (4, "usr_bob")
        again = await adopt_mend(harness.store, harness.clock, PLAIN, str(found["id"]))
        assert again["commissions"] == []
    assert {kind for kind, *_ in await moved(harness)} == {"adopted"}
    await holds(harness.store)
    assert (await audited(harness))["violations"] == []
    assert (await release(harness, run["id"]))["status"] == "RELEASED"
    acts = [act["act"] for act in (await list_acts(harness.store, Wanted({"subject": found["id"]}))).entries]
    assert acts == ["ledger.mended", "ledger.mend-proposed"]


async def test_what_is_adopted_as_payable_is_billed_with_its_fee(harness: Harness, tampering: Store) -> None:
    """Where merchants are billed what becomes payable; the fee of what is only held comes later."""
    await set_books(harness.store, harness.clock, billed="payable")
    await set_fee(harness.store, harness.clock, harness.merchant_id, "20")
    await without_entries(harness, tampering)
    with acting_as(ANN):
        found = await propose_mend(harness.store, harness.clock)
    with acting_as(BOB):
        await adopt_mend(harness.store, harness.clock, PLAIN, str(found["id"]))
    fees = [amount for kind, *_, amount in await moved(harness) if kind == "fee"]
    assert sorted(fees) == [60, 100]
    await holds(harness.store)


async def test_nothing_is_missing_and_nothing_is_proposed(harness: Harness) -> None:
    await payable(harness, "100.00")
    assert (await propose_mend(harness.store, harness.clock))["id"] is None


async def test_what_is_paid_is_left_to_a_person(harness: Harness, tampering: Store) -> None:
    await payable(harness, "100.00")
    await pay(harness)
    async with tampering.write() as tx:
        await tx.run("lose_entries")
        await tx.run("lose_heads")
    found = await propose_mend(harness.store, harness.clock)
    assert (found["id"], [each["state"] for each in found["paid"]]) == (None, ["PAID"])


async def test_nothing_is_adopted_on_top_of_a_broken_chain(harness: Harness, tampering: Store) -> None:
    await payable(harness, "100.00")
    async with tampering.write() as tx:
        await tx.run("tamper_amount", account_id=harness.account_id, entry=1)
    with pytest.raises(OperatorFault, match="nothing is adopted on top of a broken chain"):
        await propose_mend(harness.store, harness.clock)


async def test_a_run_waits_for_the_first_audit_of_a_changed_schema(harness: Harness, tampering: Store) -> None:
    """The control is the audit: after it the same run is released."""
    await payable(harness, "100.00")
    run = await create(harness)
    async with tampering.write() as tx:
        await tx.run("change_schema_later")
    with pytest.raises(OperatorFault, match="The schema was changed since the last audit"):
        await release(harness, run["id"])
    harness.clock.now += 10 * 365 * 86_400_000  # whatever the clock of this machine says
    await audited(harness)
    assert (await release(harness, run["id"]))["status"] == "RELEASED"
