"""The audit of everything, page by page and at a pace, and that of what changed since one that held."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.clock import system_clock
from hub.operations.audits import audit_runs, orders_audit, recent_audit, submissions_audit
from hub.operations.audits.audit import audit, audit_all
from hub.operations.audits.audit_runs import last_audit, note_audit
from hub.operations.audits.recent_audit import Mark, audit_since
from hub.operations.audits.violations import SHOWN_PER_RULE, AuditDocument
from hub.operations.errors import OperatorFault
from hub.operations.money.ledger.faults import ALL
from hub.operations.money.payouts.release_guard import refuse_unproved_books
from hub.processing.change_numbers import number_account
from hub.storage import Pace, Store
from hub.storage.named_queries.compiler import QUERY_FOLDER
from tests.cli.conftest import Operator
from tests.processing.harness import Harness
from tests.sqlite_first import database_url

__all__ = ["database_url"]

FOLDERS = (QUERY_FOLDER, Path(__file__).parent.parent / "cli/queries")


@pytest.fixture
async def harness(database_url: str) -> AsyncIterator[Harness]:
    """Intake and the worker over a fresh database, and a merchant's live account."""
    opened = await opened_now(database_url)
    yield opened
    await opened.close()


async def opened_now(url: str) -> Harness:
    """A proof compares its end with the times of ids, which are the machine's."""
    opened = await Harness.open(url, mode="live", coupon="LIVE10")
    opened.clock.now = system_clock()
    return opened


@pytest.fixture
async def damaging(harness: Harness, request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """A store over the same database that can also do the damage."""
    url = request.getfixturevalue("sqlite_url" if harness.store.dialect == "sqlite" else "postgres_url")
    async with await Store.open(url, query_folders=FOLDERS) as opened:
        yield opened


async def orders(harness: Harness, *numbers: str) -> None:
    """Attributed orders, decided, whose changes have their numbers."""
    click_id = await harness.click()
    for number in numbers:
        await harness.order(number, clickId=click_id, orderStatus="confirmed")
    await harness.work()
    await number_account(harness.store, harness.clock, None)


async def marked(harness: Harness) -> Mark:
    found, mark = await audit_all(harness.store, harness.clock)
    assert found["violations"] == []
    return mark


async def since(harness: Harness, mark: Mark) -> tuple[AuditDocument, Mark]:
    await number_account(harness.store, harness.clock, None)
    return await audit_since(harness.store, harness.clock, mark, SHOWN_PER_RULE)


def broken(found: AuditDocument) -> set[str]:
    return {each["rule"] for each in found["violations"]}


class TestWhatChanged:
    async def test_it_looks_at_nothing_else(self, harness: Harness) -> None:
        await orders(harness, "A-1", "A-2", "A-3")
        mark = await marked(harness)
        found, mark = await since(harness, mark)
        assert (found["conversionsChecked"], found["ledgerEntriesChecked"], found["accepted"]) == (0, 0, 0)
        await orders(harness, "B-1", "B-2")
        await harness.status("A-2", "cancelled")
        await harness.work()
        found, later = await since(harness, mark)
        assert (found["violations"], found["conversionsChecked"]) == ([], 3)
        assert found["ledgerEntriesChecked"] > 0
        assert (await since(harness, later))[0]["conversionsChecked"] == 0
        assert (await since(harness, mark))[0]["conversionsChecked"] == 3, "the same mark tells the same again"

    @pytest.mark.parametrize(
        ("damage", "rule"),
        [
            ("lose_event", "lost_events"),
            ("lose_commission", "missing_commissions"),
            ("bend_review", "unearned_commissions"),
            ("bend_amount", "fold"),
        ],
    )
    async def test_a_hand_in_the_database_is_a_change_whatever_it_touches(
        self, harness: Harness, damaging: Store, damage: str, rule: str
    ) -> None:
        """An order that was proved long ago, and that nobody but the hand has touched since."""
        await orders(harness, "A-1", "A-2")
        mark = await marked(harness)
        conversion, commission = await harness.conversion("A-1"), await harness.commission("A-1")
        assert conversion is not None
        assert commission is not None
        known = {"lose_event": "event_id", "bend_review": "conversion_id"}
        named = {**commission, **conversion}
        async with damaging.write() as tx:
            column = known.get(damage, "commission_id")
            assert await tx.run(damage, **{column: named[column]}) == 1
        found, _ = await since(harness, mark)
        assert rule in broken(found)
        assert rule in broken((await audit_all(harness.store, harness.clock))[0]), "as everything does"

    async def test_an_order_of_a_live_account_that_is_gone_is_named(self, harness: Harness, damaging: Store) -> None:
        await orders(harness, "A-1")
        mark = await marked(harness)
        async with damaging.write() as tx:
            assert await tx.run("lose_conversion", external_order_id="A-1") == 1
        assert "unrecorded_orders" in broken((await since(harness, mark))[0])

    async def test_control_what_no_feed_tells_is_left_to_everything(self, harness: Harness, damaging: Store) -> None:
        await orders(harness, "A-1")
        mark = await marked(harness)
        conversion = await harness.conversion("A-1")
        assert conversion is not None
        async with damaging.write() as tx:
            assert await tx.run("lose_claim", event_id=conversion["event_id"]) == 1
        assert (await since(harness, mark))[0]["violations"] == []
        assert broken((await audit_all(harness.store, harness.clock))[0]) == {"unclaimed_events", "conservation"}

    async def test_it_reads_changes_page_by_page(self, harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
        await orders(harness, "A-1")
        mark = await marked(harness)
        await orders(harness, *(f"B-{number}" for number in range(7)))
        whole, _ = await since(harness, mark)
        monkeypatch.setattr(recent_audit, "PAGE", 2)
        assert (await since(harness, mark))[0] == whole


class TestEverything:
    async def test_pages_find_what_one_page_finds(
        self, harness: Harness, damaging: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await orders(harness, *(f"A-{number}" for number in range(6)))
        await harness.order("W-1")
        first, second, third = [await harness.conversion(f"A-{number}") for number in (0, 2, 4)]
        assert first is not None
        assert second is not None
        assert third is not None
        async with damaging.write() as tx:
            await tx.run("lose_event", event_id=first["event_id"])
            await tx.run("lose_claim", event_id=second["event_id"])
            await tx.run("bend_review", conversion_id=third["conversion_id"])
        whole = await audit(harness.store, harness.clock)
        assert broken(whole) == {"lost_events", "unclaimed_events", "unearned_commissions"}
        assert (whole["accepted"], whole["waiting"], whole["processed"]) == (6, 1, 5)
        monkeypatch.setattr(submissions_audit, "PAGE", 2)
        monkeypatch.setattr(submissions_audit, "AT_ONCE", 1)
        monkeypatch.setattr(orders_audit, "PAGE", 2)
        monkeypatch.setattr(orders_audit, "COMMISSIONS", 2)
        assert await audit(harness.store, harness.clock) == whole

    async def test_of_each_rule_at_most_so_many_are_named(self, harness: Harness, damaging: Store) -> None:
        await orders(harness, "A-1", "A-2", "A-3")
        async with damaging.write() as tx:
            for number in ("A-1", "A-2", "A-3"):
                commission = await harness.commission(number)
                assert commission is not None
                await tx.run("bend_amount", commission_id=commission["commission_id"])
        rules = [each["rule"] for each in (await audit(harness.store, harness.clock, most=2))["violations"]]
        assert rules.count("fold") == 2
        rules = [each["rule"] for each in (await audit(harness.store, harness.clock, most=ALL))["violations"]]
        assert rules.count("fold") == 3

    async def test_at_a_pace_it_rests_before_each_page_and_finds_the_same(self, harness: Harness) -> None:
        await orders(harness, "A-1", "A-2")
        rests: list[float] = []
        ticks = iter(range(10_000))

        async def sleep(seconds: float) -> None:
            rests.append(seconds)

        paced = harness.store.at_pace(Pace(0.25, clock=lambda: float(next(ticks)), sleep=sleep))
        assert await audit(paced, harness.clock) == await audit(harness.store, harness.clock)
        assert len(rests) > 10
        assert set(rests) == {3.0}, "a second of work, three of rest"


async def test_a_pace_rests_in_proportion_to_the_work() -> None:
    now, rests = [0.0], list[float]()

    async def sleep(seconds: float) -> None:
        rests.append(seconds)
        now[0] += seconds

    pace = Pace(0.2, clock=lambda: now[0], sleep=sleep)
    await pace.rest()
    assert rests == [], "the first step begins at once"
    for work in (1.0, 0.5):
        now[0] += work
        await pace.rest()
    assert rests == [pytest.approx(4.0), pytest.approx(2.0)]


class TestRuns:
    """What the runs say together, to the list of troubles and to whoever releases a payout."""

    async def test_what_a_later_run_found_of_what_is_new_counts_until_one_from_there_holds(
        self, harness: Harness
    ) -> None:
        await self.note(harness, None, 0)
        await self.refused(harness, 0)
        await self.note(harness, 100, 3)
        await self.refused(harness, 3)
        await self.note(harness, 200, 0)
        await self.refused(harness, 3)  # it began behind what was found
        await self.note(harness, 100, 0)
        await self.refused(harness, 0)

    async def test_a_run_of_what_is_new_does_not_clear_what_everything_found(self, harness: Harness) -> None:
        await self.note(harness, None, 2)
        await self.note(harness, 100, 0)
        await self.refused(harness, 2)
        await self.note(harness, None, 0)
        await self.refused(harness, 0)

    async def test_the_last_of_everything_outlives_many_of_what_is_new(
        self, harness: Harness, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(audit_runs, "KEPT", 5)
        await self.note(harness, None, 0)
        newest = await last_audit(harness.store)
        for _ in range(audit_runs.KEPT + 1):
            await self.note(harness, 100, 0)
        found = await last_audit(harness.store)
        assert newest is not None
        assert found is not None
        assert (found["id"], newest["followedAt"]) == (newest["id"], None)
        assert found["followedAt"] is not None

    async def note(self, harness: Harness, since: int | None, violations: int) -> None:
        found: AuditDocument = await audit(harness.store, harness.clock)
        found["violations"] = [{"rule": "fold", "accountId": None, "id": None, "message": ""}] * violations
        await note_audit(harness.store, harness.clock, harness.clock(), found, since)

    async def refused(self, harness: Harness, violations: int) -> None:
        run = await last_audit(harness.store)
        assert run is not None
        assert run["violations"] == violations
        async with harness.store.read() as tx:
            if not violations:
                await refuse_unproved_books(tx)
                return
            with pytest.raises(OperatorFault, match=f"found {violations} violations"):
                await refuse_unproved_books(tx)


class TestCommand:
    async def test_a_file_keeps_how_far_everything_held(self, sqlite_url: str, tmp_path: Path) -> None:
        harness, operator = await opened_now(sqlite_url), Operator(sqlite_url)
        try:
            await orders(harness, "A-1", "A-2")
            heads = str(tmp_path / "heads")
            first = await asyncio.to_thread(operator.do, "audit", "--heads", heads, "--share", "90")
            assert (first["since"], first["conversionsChecked"]) == (None, 2)
            kept = json.loads(await asyncio.to_thread(Path(heads).read_text))
            assert {"provedAt", "change", "heads"} == set(kept)
            await orders(harness, "A-3")
            second = await asyncio.to_thread(operator.do, "audit", "--heads", heads)
            assert (second["since"] is not None, second["conversionsChecked"]) == (True, 1)
            shown = await asyncio.to_thread(operator.run, "audit", "--heads", heads)
            assert (shown.exit_code, "All that is new holds." in shown.stdout) == (0, True)
            # The proof of the ledger alone goes on in the same file, and leaves it to the audit.
            assert (await asyncio.to_thread(operator.do, "ledger", "verify", "--heads", heads))["ok"]
            again = await asyncio.to_thread(operator.do, "audit", "--heads", heads)
            assert again["conversionsChecked"] == 0
            noted = await last_audit(harness.store)
            assert noted is not None
            assert (noted["conversions"], noted["followedAt"] is not None) == (2, True)
            assert "of what changed since" in (await asyncio.to_thread(operator.run, "status")).stdout
        finally:
            await harness.close()

    def test_a_file_of_the_ledger_alone_and_one_that_is_none_are_refused(self, sqlite_url: str, tmp_path: Path) -> None:
        heads, operator = tmp_path / "heads", Operator(sqlite_url)
        assert operator.do("ledger", "verify", "--heads", str(heads))["ok"]
        assert "looks at the ledger alone: name a new file" in operator.refused("audit", "--heads", str(heads))
        heads.write_text("[]")
        assert "has no heads of a ledger" in operator.refused("audit", "--heads", str(heads))
        assert "1<=x<=100" in operator.refused("audit", "--share", "0", status=2)

    async def test_what_does_not_hold_moves_no_file(self, sqlite_url: str, tmp_path: Path) -> None:
        harness, operator = await opened_now(sqlite_url), Operator(sqlite_url)
        try:
            await orders(harness, "A-1")
            heads = tmp_path / "heads"
            await asyncio.to_thread(operator.do, "audit", "--heads", str(heads))
            kept, commission = heads.read_bytes(), await harness.commission("A-1")
            assert commission is not None
            async with await Store.open(sqlite_url, query_folders=FOLDERS) as damaging, damaging.write() as tx:
                await tx.run("bend_amount", commission_id=commission["commission_id"])
            await number_account(harness.store, harness.clock, None)
            for _ in range(2):
                done = await asyncio.to_thread(operator.run, "audit", "--heads", str(heads))
                assert (done.exit_code, "fold" in done.stdout, heads.read_bytes()) == (1, True, kept)
        finally:
            await harness.close()
