"""The proof of balances reads by slices: the same is found however small they are, and no answer is longer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hub.operations.money.ledger import fee_proof, place_totals
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts import payout_exchanges
from hub.operations.money.rates.fees import set_fee
from hub.storage import Row, Store, Tx
from tests.ledger.test_many_payments import NAMES, five
from tests.ledger.test_payouts import create, refund, release
from tests.ledger.test_verify import holds
from tests.processing.harness import Harness

SLICE = 2
SLICED = frozenset({"open_adjustment_page", "runs_under_way_sums", "deposit_cover_page", "settled_exchanges",
                    "fees_of_corrected"})  # fmt: skip


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place_totals, "SLICE", SLICE)
    monkeypatch.setattr(payout_exchanges, "PROVED_AT_ONCE", SLICE)
    monkeypatch.setattr(fee_proof, "PAGE", SLICE)


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many rows the longest answer to each of the sliced queries had."""
    found, asked = dict.fromkeys(SLICED, 0), Tx.all

    async def counted(self: Tx, query: str, /, **values: Any) -> Sequence[Row]:
        rows = await asked(self, query, **values)
        if query in found:
            found[query] = max(found[query], len(rows))
        return rows

    monkeypatch.setattr(Tx, "all", counted)
    return found


async def paid_and_refunded(harness: Harness) -> None:
    """A run under way to five affiliates, of whom one has a debt since: its order was refunded after the payout."""
    await set_fee(harness.store, harness.clock, harness.merchant_id, "20")
    await five(harness)
    await release(harness, (await create(harness))["id"])
    await refund(harness, "O-0", "r-1", "40.00")


async def test_balances_of_many_affiliates_are_compared_some_at_a_time(
    harness: Harness, longest: dict[str, int]
) -> None:
    await paid_and_refunded(harness)
    await holds(harness.store)
    assert 0 < longest["runs_under_way_sums"] <= SLICE < len(NAMES)
    assert max(longest.values()) <= SLICE


@pytest.mark.parametrize("slices", [1, 2, 100])
async def test_whoever_is_in_the_last_slice_is_compared_as_well(
    harness: Harness, tampering: Store, monkeypatch: pytest.MonkeyPatch, slices: int
) -> None:
    """The control: the lines of all affiliates are taken away, and each is named, whichever slice it is in."""
    monkeypatch.setattr(place_totals, "SLICE", slices)
    await paid_and_refunded(harness)
    async with tampering.write() as tx:
        await tx.run("drop_lines_of_runs")
    faults = [each["message"] for each in (await verify_ledger(harness.store))["faults"]]
    assert sum("in payout, but its runs under way add up to 0.00" in each for each in faults) == 1 + len(NAMES)


async def test_at_most_so_many_faults_are_kept(harness: Harness, tampering: Store) -> None:
    await paid_and_refunded(harness)
    async with tampering.write() as tx:
        await tx.run("drop_lines_of_runs")
    assert len((await verify_ledger(harness.store, most=2))["faults"]) == 2
