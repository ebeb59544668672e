"""The power goes at any moment: what was acknowledged is on the disk, and the ledger's chain is whole."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

import pytest
from attrs import define, field, frozen

from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.storage import Store, StoreUnavailable
from hub.storage.sqlite import connection
from tests.ledger.test_payouts import LIVE, PLAIN, payable, written
from tests.ledger.test_verify import entries_of
from tests.processing.harness import Harness
from tests.prove.recorded_disk import IOERR_FSYNC, Disk, Fails, recorded

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SEED = 20_261_123
MONTHS = 3
SENDERS = 8
ORDERS_A_SENDER = 15
LEAST = 100
"""So many images, however slow the machine."""
VERIFIED = 40
"""One image in so many is opened by the hub, and every chain of its ledger computed anew."""

ONE_IN = 12
"""Of so many syncs one fails, in the stories in which some do."""
LEAST_FAILED, MOST_MONTHS = 4, 50
"""How many have to, and how long such a story may go on: how many syncs a month has the machine decides."""

T = TypeVar("T")
Kind = Literal["submission", "entry", "payout", "settlement", "file"]
SAVED: dict[Kind, str] = {
    "submission": "SELECT event_id FROM events",
    "entry": "SELECT account_id || '/' || entry_no || '/' || hash FROM ledger_entries",
    "payout": "SELECT payout_id FROM payouts WHERE status IN ('RELEASED', 'SETTLED')",
    "settlement": "SELECT payout_id FROM payouts WHERE status = 'SETTLED'",
    "file": "SELECT sha256 FROM payout_files",
}


@frozen
class Acknowledged:
    """What somebody was told is done, and how many steps the disk had done by then."""

    step: int
    kind: Kind
    name: str


@define
class Story:
    """What the hub said, beside what the disk did."""

    disk: Disk
    told: list[Acknowledged] = field(factory=list)
    refused: int = 0
    """How often something was not done because the disk failed."""

    def tell(self, kind: Kind, *names: str) -> None:
        """Note that these are acknowledged from now on."""
        self.told.extend(Acknowledged(len(self.disk.steps), kind, name) for name in names)


@define
class FailingSyncs:
    """Once armed, one sync of the log or the database in so many fails with this code."""

    code: int
    armed: bool = False
    failed: int = 0
    dice: random.Random = field(factory=lambda: random.Random(SEED))

    def __call__(self, _: str) -> int | None:
        """Say whether this sync fails."""
        fails = self.armed and self.dice.randrange(ONE_IN) == 0
        self.failed += fails
        return self.code if fails else None


async def test_whatever_a_power_cut_leaves_holds_all_that_was_acknowledged(tmp_path: Path) -> None:
    """Orders, decisions, payouts and their files; then files as cuts at thousands of moments leave them."""
    story = await _lived(tmp_path / "hub")
    images = verified = 0
    for step, folder in _images(story.disk, tmp_path / "cut", SECONDS):
        assert _lost(story, step, folder) == set(), f"cut after step {step} of {len(story.disk.steps)}, seed {SEED}"
        images += 1
        if images % VERIFIED == 1:
            await _is_whole(folder)
            verified += 1
    told = {kind: sum(each.kind == kind for each in story.told) for kind in SAVED}
    print(f"{len(story.disk.steps)} steps of the disk, {images} images, {verified} verified, acknowledged {told}")
    assert all(told.values())


async def test_control_commits_that_wait_for_no_sync_are_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `synchronous = NORMAL`, which keeps a file whole but not its last commits, the same check finds losses."""
    monkeypatch.setattr(connection, "_COMMON", connection._COMMON.replace("FULL", "NORMAL"))
    story = await _lived(tmp_path / "hub", months=1)
    lost = (_lost(story, step, folder) for step, folder in _images(story.disk, tmp_path / "cut", SECONDS))
    assert any(lost)


async def test_whatever_a_power_cut_leaves_after_failed_syncs_holds_it_too(tmp_path: Path) -> None:
    """One sync in twelve fails and forgets what it was to keep; what was refused for it is sent again."""
    story = await _lived(tmp_path / "hub", months=1, fails=FailingSyncs(IOERR_FSYNC))
    failed, images = sum(step.kind == "failed" for step in story.disk.steps), 0
    for step, folder in _images(story.disk, tmp_path / "cut", SECONDS):
        assert _lost(story, step, folder) == set(), f"cut after step {step} of {len(story.disk.steps)}, seed {SEED}"
        images += 1
    await _is_whole(folder)
    print(f"{failed} failed syncs, {story.refused} refusals, {images} images, {len(story.told)} acknowledged")
    assert failed >= LEAST_FAILED
    assert story.refused


async def test_control_failed_syncs_that_nobody_is_told_of_lose_what_was_acknowledged(tmp_path: Path) -> None:
    story = await _lived(tmp_path / "hub", months=1, fails=FailingSyncs(0))
    assert not story.refused
    lost = (_lost(story, step, folder) for step, folder in _images(story.disk, tmp_path / "cut", SECONDS))
    assert any(lost)


async def _lived(folder: Path, months: int = MONTHS, fails: FailingSyncs | None = None) -> Story:
    """Months of a hub that runs its file as the server does: orders by many at once, a payout at each month's end.

    Where syncs fail the story goes on until some have, and somebody was refused for it unless nobody is told.
    """
    failing, month = fails or FailingSyncs(0), 0
    with _recorded(folder, failing) as disk:
        harness = await Harness.open(f"sqlite:///{folder / 'hub.db'}", mode="live", serve=True)
        story, failing.armed = Story(disk), fails is not None
        try:
            while month < months or (failing.armed and month < MOST_MONTHS and not _met_enough(failing, story)):
                await _orders(harness, story, month)
                await _payout(harness, story, month)
                month += 1
        finally:
            failing.armed = False
            await harness.close()
    return story


def _met_enough(failing: FailingSyncs, story: Story) -> bool:
    return failing.failed >= LEAST_FAILED and (story.refused > 0 or failing.code == 0)


async def _orders(harness: Harness, story: Story, month: int) -> None:
    click_id = await _again(story, harness.click)
    working = asyncio.create_task(_work(harness, story))

    async def send(sender: int) -> None:
        for number in range(ORDERS_A_SENDER):
            name = f"M{month}-{sender}-{number}"
            accepted = await _again(
                story, partial(harness.order, name, "50.00", clickId=click_id, orderStatus="confirmed")
            )
            story.tell("submission", accepted.event_id)
            if number % 3 == 0:
                delivered = await _again(story, partial(harness.status, name, "delivered", harness.clock()))
                story.tell("submission", delivered.event_id)

    await asyncio.gather(*map(send, range(SENDERS)))
    working.cancel()
    with suppress(asyncio.CancelledError):
        await working


async def _again(story: Story, deed: Callable[[], Awaitable[T]]) -> T:
    """Do something until the store keeps it; return what it returned."""
    while True:
        try:
            return await deed()
        except StoreUnavailable:
            story.refused += 1


async def _work(harness: Harness, story: Story) -> None:
    """Decide what is due, and tell of the entries that are there."""
    while True:
        await _again(story, harness.worker.run_once)
        story.tell("entry", *[f"{e.account_id}/{e.entry_no}/{e.hash}" for e in (await entries_of(harness))[-5:]])
        await asyncio.sleep(0)


async def _payout(harness: Harness, story: Story, month: int) -> None:
    await _again(story, lambda: payable(harness, "100.00", start=1_000 + month))
    made = await _again(story, lambda: create_run(harness.store, harness.clock, PLAIN, LIVE))
    run = str(made["id"])
    await _again(story, lambda: release_run(harness.store, harness.clock, PLAIN, run))
    story.tell("payout", run)
    file = await _again(story, lambda: written(harness, run))
    story.tell("file", hashlib.sha256(file.content).hexdigest())
    await _again(story, lambda: settle_run(harness.store, harness.clock, run, f"SEPA-{month}"))
    story.tell("settlement", run)


def _images(disk: Disk, folder: Path, seconds: float) -> Iterator[tuple[int, Path]]:
    """Write what cuts at chosen moments leave into a folder, one after the other, for so many seconds."""
    folder.mkdir()
    deadline, dice, written = time.monotonic() + seconds, random.Random(SEED), 0
    while True:
        for step, files in disk.cuts(dice, most=200):
            for each in folder.iterdir():
                each.unlink()
            for name, content in files.items():
                (folder / name).write_bytes(content)
            yield step, folder
            written += 1
            if written >= LEAST and time.monotonic() >= deadline:
                return


def _lost(story: Story, step: int, folder: Path) -> set[str]:
    """Return what was acknowledged by a step and is not in the files; a file that is not sound has lost all of it."""
    told: dict[Kind, set[str]] = {kind: set() for kind in SAVED}
    for each in story.told:
        if each.step <= step:
            told[each.kind].add(each.name)
    if not any(told.values()):
        return set()
    with sqlite3.connect(folder / "hub.db") as opened:
        try:
            sound = _first(opened, "PRAGMA integrity_check") == {"ok"}
            kept = {kind: _first(opened, query) for kind, query in SAVED.items()} if sound else {}
        except sqlite3.DatabaseError:
            kept = {}
    opened.close()
    return {f"{kind} {name}" for kind, names in told.items() for name in names - kept.get(kind, set())}


def _first(opened: sqlite3.Connection, query: str) -> set[str]:
    rows: Sequence[tuple[str, ...]] = opened.execute(query).fetchall()
    return {row[0] for row in rows}


async def _is_whole(folder: Path) -> None:
    """Open the files as the hub does, and compute the chains of the ledger."""
    async with await Store.open(f"sqlite:///{folder / 'hub.db'}", migrate=True) as store:
        found = await verify_ledger(store)
        assert found["ok"], found["faults"]


@contextmanager
def _recorded(folder: Path, fails: Fails) -> Iterator[Disk]:
    folder.mkdir()
    try:
        with recorded(folder, fails) as disk:
            yield disk
    except LookupError as fault:
        pytest.skip(f"No power loss is tried: {fault}.")
