"""A run gathers its lines by slices: killed, taken up by somebody else, and beside news of its orders."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

import pytest

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts import payout_gathering, payout_release
from hub.operations.money.payouts.pay_dates import ScheduledRuns
from hub.operations.money.payouts.payout_documents import LinePlace, RunDocument
from hub.operations.money.payouts.payout_gathering import create_run, gather_run
from hub.operations.money.payouts.payout_previews import preview_run, previewed_lines
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import cancel_run, show_run, waiting_run
from hub.storage import Store
from tests.conftest import database_url
from tests.ledger.test_killed import Dying, Killed
from tests.ledger.test_payouts import LIVE, PLAIN, payable, refund
from tests.ledger.test_verify import entries_of, holds
from tests.processing.harness import DAY, Harness

__all__ = ["database_url"]

ORDERS = 7
EVERY_DAY = PayoutSettings(pay_day="15")


@pytest.fixture(autouse=True)
def by_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a slice have two lines."""
    monkeypatch.setattr(payout_gathering, "LINES_AT_ONCE", 2)


async def killed_while_gathering(harness: Harness, slices: int) -> str:
    """Kill a run after so many slices, and return its id."""
    await payable(harness, *["100.00"] * ORDERS)
    with pytest.raises(Killed):
        await create_run(Dying(harness.store, 1 + slices), harness.clock, PLAIN, LIVE)  # type: ignore[arg-type]  # a store but for its end
    run = await waiting_run(harness.store, LIVE)
    assert run is not None
    return run


def test_what_a_run_writes_of_its_lines_is_where_it_is(request: pytest.FixtureRequest) -> None:
    """All keys of a line but one go on in the order of the run: in any other, each line would be a page of its own."""
    schema = (request.config.rootpath / "migrations/schema.sql").read_text("utf-8")
    _, _, table = schema.partition("CREATE TABLE payout_lines (")
    keys = re.findall(r"(?:PRIMARY KEY|INDEX \w+ ON payout_lines) \(([^)]+)\)", table[: table.index("CREATE VIEW")])
    order = [field.removeprefix("after_") for field in LinePlace._fields]
    (once,) = [key for key in keys if not goes_on(key, order)]
    assert (once, len(keys)) == ("account_id, line_id", 4)
    assert not goes_on("account_id, payout_id, line_id", order), "the control: the key before"


def goes_on(key: str, order: list[str]) -> bool:
    """Whether lines of one account that come in this order are each behind the one before in a key."""
    columns = [name.removesuffix("_id") for name in key.split(", ") if name not in ("account_id", "payout_id")]
    return columns == [name for name in order if name != "account"]


async def lines_of(harness: Harness, run: str) -> Counter[str]:
    return Counter(line["id"] for line in (await show_run(harness.store, run))["lines"])


def paid(run: RunDocument) -> tuple[str, str, int]:
    (item,) = run["items"]
    return run["status"], item["amount"], item["commissions"]


@pytest.mark.parametrize("slices", [0, 1, 3])
async def test_whoever_takes_up_a_run_reserves_what_is_left_and_nothing_twice(harness: Harness, slices: int) -> None:
    run = await killed_while_gathering(harness, slices)
    assert (await show_run(harness.store, run))["status"] == "GATHERING"
    with pytest.raises(OperatorFault, match="is GATHERING; only a DRAFT can be released"):
        await release_run(harness.store, harness.clock, PLAIN, run)
    assert (await verify_ledger(harness.store))["ok"]
    done = await create_run(harness.store, harness.clock, PLAIN, LIVE)
    assert (done["id"], paid(done)) == (run, ("DRAFT", "35.00", ORDERS))
    assert sorted((await lines_of(harness, run)).values()) == [1] * ORDERS
    assert (await verify_ledger(harness.store))["ok"]


async def test_control_a_place_that_is_kept_before_its_lines_loses_them(harness: Harness) -> None:
    """Without the transaction around a slice, the lines between the place and the kill are in no run."""
    run = await killed_while_gathering(harness, 1)
    async with harness.store.read() as tx:
        lines = await tx.all("payout_candidates", **LIVE.values(harness.clock()), stopped=[], limit=2,
                             **LinePlace()._asdict())  # fmt: skip
    place: LinePlace | None = LinePlace.of(lines[-1])  # noted, and killed before it reserved them
    while place is not None:
        place = await payout_gathering._reserve_some(harness.store, harness.clock, PLAIN, run, place)
    assert len(await lines_of(harness, run)) == ORDERS - 2


async def test_two_nodes_that_gather_one_run_at_once_make_one_of_it(harness: Harness) -> None:
    run = await killed_while_gathering(harness, 1)
    both = await asyncio.gather(*(gather_run(harness.store, harness.clock, PLAIN, run) for _ in range(2)))
    assert [paid(each) for each in both] == [("DRAFT", "35.00", ORDERS)] * 2
    assert sorted((await lines_of(harness, run)).values()) == [1] * ORDERS


async def test_what_is_refunded_while_it_gathers_is_in_no_line(harness: Harness) -> None:
    """All of what is left is refunded: the payment is carried on, and what it had reserved is free."""
    run = await killed_while_gathering(harness, 0)
    for number in range(ORDERS):
        await refund(harness, f"O-{number}", f"r-{number}", "100.00")
    done = await gather_run(harness.store, harness.clock, PLAIN, run)
    assert (done["status"], done["items"][0]["carriedReason"], done["totals"]) == ("DRAFT", "changed", [])
    assert await lines_of(harness, run) == {}
    assert (await verify_ledger(harness.store))["ok"]


async def test_a_run_that_gathers_can_be_cancelled_and_its_gatherer_stops(harness: Harness) -> None:
    run = await killed_while_gathering(harness, 2)
    await cancel_run(harness.store, harness.clock, run, "Too early.")
    assert (await gather_run(harness.store, harness.clock, PLAIN, run))["status"] == "CANCELLED"
    with pytest.raises(OperatorFault, match="is CANCELLED; only a DRAFT"):
        await release_run(harness.store, harness.clock, PLAIN, run)
    again = await create_run(harness.store, harness.clock, PLAIN, LIVE)
    assert paid(again) == ("DRAFT", "35.00", ORDERS)


async def test_the_clock_takes_up_what_it_had_begun(harness: Harness) -> None:
    await payable(harness, *["100.00"] * ORDERS)
    harness.clock.advance(31 * DAY)

    def schedule(store: Store, clock: Clock) -> ScheduledRuns:
        return ScheduledRuns(store, clock, EVERY_DAY)

    made = 0
    while not made:  # the day of the month is reached, and the first try is killed after a slice
        harness.clock.advance(DAY)
        try:
            made = await schedule(Dying(harness.store, 2), harness.clock).draft()  # type: ignore[arg-type]  # as above
        except Killed:
            break
    run = await waiting_run(harness.store, LIVE)
    assert run is not None
    assert (await show_run(harness.store, run))["status"] == "GATHERING"
    assert await schedule(harness.store, harness.clock).draft() == 0, "It is no second run."
    assert paid(await show_run(harness.store, run)) == ("DRAFT", "35.00", ORDERS)


async def test_a_preview_is_sums_and_pages_of_lines(harness: Harness) -> None:
    await payable(harness, *["100.00"] * ORDERS)
    seen, after = list[str](), ""
    while True:
        page = await preview_run(harness.store, harness.clock, PLAIN, LIVE, after=after, limit=3)
        assert (page["totals"][0]["amount"], page["items"][0]["commissions"]) == ("35.00", ORDERS)
        assert len(page["lines"]) <= 3
        seen += [line["id"] for line in page["lines"]]
        if page["nextLine"] is None:
            break
        after = page["nextLine"]
    assert (len(seen), len(set(seen))) == (ORDERS, ORDERS)
    streamed = [line["id"] async for line in previewed_lines(harness.store, harness.clock, PLAIN, LIVE)]
    assert streamed == seen
    with pytest.raises(OperatorFault, match="no place in a run's lines"):
        await preview_run(harness.store, harness.clock, PLAIN, LIVE, after="com_1")


async def test_the_lines_of_a_run_are_read_by_pages(harness: Harness) -> None:
    await payable(harness, *["100.00"] * ORDERS)
    run = str((await create_run(harness.store, harness.clock, PLAIN, LIVE))["id"])
    first = await show_run(harness.store, run, limit=4)
    assert first["nextLine"] is not None
    rest = await show_run(harness.store, run, after=first["nextLine"], limit=4)
    ids = [line["id"] for line in [*first["lines"], *rest["lines"]]]
    assert (len(set(ids)), len(first["lines"]), rest["nextLine"]) == (ORDERS, 4, None)


async def test_a_slice_waits_for_whoever_holds_the_runs(harness: Harness) -> None:
    """So two nodes never look for lines at one moment."""
    run = await killed_while_gathering(harness, 1)
    async with harness.store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        gathering = asyncio.create_task(gather_run(harness.store, harness.clock, PLAIN, run))
        done, _ = await asyncio.wait([gathering], timeout=0.2)
        assert not done
    assert paid(await gathering) == ("DRAFT", "35.00", ORDERS)


async def test_three_who_release_a_run_at_once_pay_each_line_once(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each goes through the lines by itself, and finds those of the others paid."""
    monkeypatch.setattr(payout_release, "LINES_AT_ONCE", 2)
    await payable(harness, *["100.00"] * ORDERS)
    run = await create_run(harness.store, harness.clock, PLAIN, LIVE)
    assert run["id"] is not None
    releasing = (release_run(harness.store, harness.clock, PLAIN, run["id"]) for _ in range(3))
    assert [paid(each) for each in await asyncio.gather(*releasing)] == [("RELEASED", "35.00", ORDERS)] * 3
    entries = [entry for entry in await entries_of(harness) if entry.kind == "paid"]
    assert Counter(entry.amount_minor for entry in entries) == {500: ORDERS}
    await holds(harness.store)
