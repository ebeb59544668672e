"""A run of many payments: made, shown, released, written and settled some at a time, and the same as in one go."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import pytest
from attrs import evolve

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts import payout_formats
from hub.operations.errors import OperatorFault
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.ledger.payment_proof import payment_faults
from hub.operations.money.payouts import (
    payable_balances,
    payout_choice,
    payout_files,
    payout_gathering,
    payout_outcomes,
    payout_previews,
    payout_release,
    payout_runs,
    payout_settlement,
    run_slices,
)
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_gathering import create_run, gather_run
from hub.operations.money.payouts.payout_previews import preview_run, previewed_lines
from hub.operations.money.payouts.payout_results import Result
from hub.operations.money.payouts.payout_runs import cancel_run, show_run, waiting_run
from hub.operations.money.payouts.payout_settlement import settle_run
from tests.ledger.test_killed import Dying, Killed
from tests.ledger.test_payout_files import second_affiliate
from tests.ledger.test_payouts import LIVE, PLAIN, SEALER, create, payable, release
from tests.processing.harness import Harness

NAMES = ("Bea", "Cy", "Di", "Eve")
PAYMENTS = 1 + len(NAMES)


@pytest.fixture(autouse=True)
def a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each slice have one or two of what it has hundreds of."""
    monkeypatch.setattr(payable_balances, "AFFILIATES_AT_ONCE", 1)
    for module in (payout_runs, payout_previews):
        monkeypatch.setattr(module, "ITEMS_SHOWN", 2)
    monkeypatch.setattr(payout_runs, "ITEMS_AT_ONCE", 2)
    monkeypatch.setattr(payout_previews, "PAGE", 2)
    monkeypatch.setattr(payout_gathering, "LINES_AT_ONCE", 2)
    monkeypatch.setattr(payout_gathering, "PAYMENTS_AT_ONCE", 2)
    monkeypatch.setattr(payout_release, "ITEMS_AT_ONCE", 2)
    for settling in (payout_settlement, payout_outcomes):
        monkeypatch.setattr(settling, "AT_ONCE", 2)
    monkeypatch.setattr(run_slices, "PAYMENTS", 2)
    monkeypatch.setattr(run_slices, "LINES", 2)


async def five(harness: Harness) -> None:
    """Five affiliates with money coming: 5.00 USD, and 3.00 for each of the others."""
    await payable(harness, "100.00")
    for name in NAMES:
        await second_affiliate(harness, name)


async def items_by_pages(page: Callable[[str], Any]) -> list[dict[str, Any]]:
    """All items of a document, read by pages of two."""
    found, after = list[dict[str, Any]](), ""
    while True:
        shown = await page(after)
        assert len(shown["items"]) <= 2
        found += shown["items"]
        if shown["nextItem"] is None:
            return found
        after = shown["nextItem"]


async def all_items(harness: Harness, run: str) -> list[dict[str, Any]]:
    return await items_by_pages(lambda after: show_run(harness.store, run, after_item=after))


def amounts(items: Sequence[dict[str, Any]]) -> list[str]:
    return sorted(item["amount"] for item in items)


async def test_a_run_of_many_payments_is_paid_some_at_a_time(harness: Harness) -> None:
    """The preview says what the run is; it is released, written in files of two, and settled, each payment once."""
    await five(harness)
    previewed = await items_by_pages(
        lambda after: preview_run(harness.store, harness.clock, PLAIN, LIVE, after_item=after)
    )
    preview = await preview_run(harness.store, harness.clock, PLAIN, LIVE)
    assert (preview["totals"], preview["lineCount"]) == (
        [{"currency": "USD", "amount": "17.00", "payments": PAYMENTS}], PAYMENTS,
    )  # fmt: skip
    assert len([line async for line in previewed_lines(harness.store, harness.clock, PLAIN, LIVE)]) == PAYMENTS
    run = await create(harness)
    assert (run["status"], run["totals"]) == ("DRAFT", preview["totals"])
    assert await all_items(harness, run["id"]) == previewed
    assert (await release(harness, run["id"]))["totals"] == preview["totals"]
    assert {item["status"] for item in await all_items(harness, run["id"])} == {"RELEASED"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE payout_items SET amount_minor = amount_minor + 1", "but its lines add up to"),
        ("UPDATE payout_lines SET currency = 'EUR'", "is not what it pays"),
        ("DELETE FROM payout_items", "but has no such payment"),
        ("UPDATE payout_items SET file_id = 'file_gone'", "do not agree"),
        ("UPDATE payout_items SET invoiced = 1", "There is no self-billed invoice"),
    ],
)
async def test_a_proof_in_slices_names_each_payment_once(
    sqlite_live: Harness, sqlite_url: str, change: str, words: str
) -> None:
    await five(sqlite_live)
    await release(sqlite_live, (await create(sqlite_live))["id"])
    assert [each async for each in payment_faults(sqlite_live.store, None)] == [], "the control"
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as tampering, tampering:
        tampering.execute(change)
    found = [each async for each in payment_faults(sqlite_live.store, None)]
    assert [words in each for each in found].count(True) == PAYMENTS, found
    assert [words in each async for each in payment_faults(sqlite_live.store, None, 3)].count(True) == 3


@pytest.mark.parametrize(
    ("change", "named"),
    [("UPDATE payout_items SET amount_minor = amount_minor + 1", PAYMENTS), ("DELETE FROM payout_items", PAYMENTS)],
)
async def test_a_draft_is_proved_in_slices_up_to_its_last_line(
    sqlite_live: Harness, sqlite_url: str, change: str, named: int
) -> None:
    """A line that no payment is behind belongs to the last slice."""
    await five(sqlite_live)
    await create(sqlite_live)
    assert [each async for each in payment_faults(sqlite_live.store, None)] == [], "the control"
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as tampering, tampering:
        tampering.execute(change)
    found = [each async for each in payment_faults(sqlite_live.store, None)]
    assert ["have reserved" in each for each in found].count(True) == named, found


async def test_files_have_so_many_payments_and_all_are_in_one(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    await five(harness)
    run = (await release(harness, (await create(harness))["id"]))["id"]
    monkeypatch.setattr(payout_files, "format_of", lambda form: evolve(payout_formats.format_of(form), most_rows=2))
    monkeypatch.setattr(payout_choice, "LEFT_SHOWN", 1)
    with pytest.raises(OperatorFault, match="5 of 5 payments of payout .* are in no file"):
        await settle_run(harness.store, harness.clock, run, "B-1")
    files = [(await export_run(harness.store, SEALER, harness.clock, PLAIN, run, "csv")).document for _ in range(3)]
    assert [(each["payments"], each["leftOutCount"], len(each["leftOut"])) for each in files] == [
        (2, 3, 1), (2, 3, 1), (1, 4, 1),
    ]  # fmt: skip
    with pytest.raises(OperatorFault, match="is in 3 files already"):
        await export_run(harness.store, SEALER, harness.clock, PLAIN, run, "csv")
    first = files[0]["file"]
    assert first is not None
    results = [Result(each["affiliateId"], "USD", "paid", "", "") for each in await all_items(harness, run)
               if each["fileId"] != first.id]  # fmt: skip
    said = await settle_run(harness.store, harness.clock, run, "B-2", results)
    assert (said["settled"], said["status"]) == (3, "RELEASED")
    with pytest.raises(OperatorFault, match="was settled already, under 'B-2'"):
        await settle_run(harness.store, harness.clock, run, "B-1")
    done = await settle_run(harness.store, harness.clock, run, "B-2")
    assert (done["settled"], done["status"]) == (2, "SETTLED")
    assert (await verify_ledger(harness.store, SEALER))["ok"]


@pytest.mark.parametrize("slices", [0, 2])
async def test_whoever_takes_up_a_run_decides_the_rest_as_it_began(harness: Harness, slices: int) -> None:
    """Its minimum and its moment are the run's; what is payable since is in the next one."""
    await five(harness)
    strict = PayoutSettings(minimum="4")
    with pytest.raises(Killed):
        await create_run(Dying(harness.store, 1 + slices), harness.clock, strict, LIVE)  # type: ignore[arg-type]  # a store but for its end
    run = await waiting_run(harness.store, LIVE)
    assert run is not None
    assert len(await all_items(harness, run)) == 1 + slices
    harness.clock.advance(1)
    await second_affiliate(harness, "Zoe")
    done = await gather_run(harness.store, harness.clock, PLAIN, run)
    assert (done["status"], done["minimum"], done["totals"]) == (
        "DRAFT", "4", [{"currency": "USD", "amount": "5.00", "payments": 1}],
    )  # fmt: skip
    reasons = [item["carriedReason"] for item in await all_items(harness, run)]
    assert sorted(map(str, reasons)) == ["None", *["below_minimum"] * len(NAMES)]
    assert (await verify_ledger(harness.store))["ok"]


async def test_the_limit_of_four_eyes_is_of_all_pages_and_of_each_affiliate(harness: Harness) -> None:
    await five(harness)
    run = (await create(harness))["id"]
    with pytest.raises(OperatorFault, match=r"pays 17\.00 USD, more than 16\.00"):
        await release(harness, run, PayoutSettings(four_eyes_above="16"))
    assert (await release(harness, run, PayoutSettings(four_eyes_above="17")))["status"] == "RELEASED"


async def test_a_cancelled_run_is_noted_with_all_its_payments(harness: Harness) -> None:
    await five(harness)
    run = (await create(harness))["id"]
    await cancel_run(harness.store, harness.clock, run, "Too early.")
    assert amounts(await all_items(harness, run)) == ["3.00", "3.00", "3.00", "3.00", "5.00"]
    assert (await verify_ledger(harness.store))["ok"]
