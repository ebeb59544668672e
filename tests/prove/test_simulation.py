"""Intake, worker, plugin host, timers, deliverer and payouts over a faulty store, in many histories: the same books.

Time is virtual, and a seed draws the order of everything (see `simulated/seeded_loop.py`), so a failing seed fails
again: `SIMULATION_SEED=7`. `SIMULATION_SEEDS=3000` lives as many, however long that takes, and says after each hundred
how far it is; without it the histories go on for PROVE_SECONDS. A history is 0.6 seconds of one processor: ten thousand
turns of the loop and four thousand statements, and next to nothing of it set-up or disk.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hub.domain.books.ledger import Owner, paying
from hub.operations.errors import OperatorFault
from hub.processing.post_entries import post
from tests.ledger.books import Books
from tests.processing.harness import Harness
from tests.prove.failing_store import FailingStore
from tests.prove.simulated.faults import MORE, TEN
from tests.prove.simulated.history import Planted, lived
from tests.prove.turns import day, wait_for_turn

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SEED = int(os.environ.get("SIMULATION_SEED", day() * 1_000))
SEEDS = int(os.environ.get("SIMULATION_SEEDS", "0"))
LEAST = 4
LATE, SEED_OF_LATE = "a plugin's answer that is used after its time", 20_785_006
MOST_TRIED = 40
"""A planted fault has to show in one of so many histories."""
BROKEN = (AssertionError, OperatorFault, TimeoutError)
"""How a history ends that does not hold: a check fails, a person is refused what is lawful, or it never ends."""
ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(migrated_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(migrated_file, tmp_path / "fresh.db"))


@pytest.fixture
def expected(file: Path) -> Books:
    return lived(file, 0, fails=False).books


def test_every_history_ends_in_the_same_books(file: Path, expected: Books) -> None:
    assert {each[1] for each in expected} >= {"bank", "PAID", "REJECTED", "38.55"}
    end, seed, faults, kills, traces = time.monotonic() + SECONDS, SEED, 0, 0, set[str]()
    while seed < SEED + max(SEEDS, LEAST) or (not SEEDS and time.monotonic() < end):
        try:
            found = lived(file, seed)
        except BROKEN as fault:
            raise AssertionError(f"SIMULATION_SEED={seed}") from fault
        assert found.books == expected, f"SIMULATION_SEED={seed}"
        faults, kills, seed = faults + found.faults, kills + found.kills, seed + 1
        traces.add(found.trace)
        if not (seed - SEED) % 100:
            print(_said(seed - SEED, faults, kills, len(traces)), flush=True)
    print(_said(seed - SEED, faults, kills, len(traces)))
    assert len(traces) == seed - SEED
    assert faults >= seed - SEED
    assert kills


def _said(histories: int, faults: int, kills: int, differ: int) -> str:
    return (
        f"{histories} histories from SIMULATION_SEED={SEED} on, {faults} failed calls, {kills} kills, {differ} differ"
    )


def test_a_seed_is_one_history(file: Path) -> None:
    first = lived(file, SEED)
    assert lived(file, SEED) == first
    assert lived(file, SEED + 1).trace != first.trace


def test_processes_that_the_hub_forgets_run_on_whenever_garbage_is_collected(file: Path) -> None:
    """With a planted fault that forgets them a seed was another history each time, as the collector came by."""
    (late,) = [each for each in TEN if each.name == LATE]
    usual, traces = gc.get_threshold(), set[str]()
    try:
        for threshold in (50, 0, 700):
            gc.set_threshold(threshold)
            traces.add(lived(file, SEED_OF_LATE, planted=late).trace)
    finally:
        gc.set_threshold(*usual)
    assert len(traces) == 1


def test_a_seed_is_the_same_history_in_another_process(file: Path) -> None:
    """Whatever the order in which that process has the members of a set."""
    program = (
        "import pathlib; from tests.prove.simulated.history import lived; "
        f"print('TRACE', lived(pathlib.Path({str(file)!r}), {SEED}).trace)"
    )
    traces = set()
    for hashes in ("1", "2"):
        around = {**os.environ, "PYTHONHASHSEED": hashes}
        said = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=around,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        traces.add(next(line for line in said.stdout.splitlines() if line.startswith("TRACE")))
    assert traces == {f"TRACE {lived(file, SEED).trace}"}


@pytest.mark.parametrize("planted", [*TEN, *MORE], ids=lambda each: each.name)
def test_control_a_planted_fault_shows_in_some_history(file: Path, expected: Books, planted: Planted) -> None:
    wait_for_turn([*TEN, *MORE].index(planted), SECONDS)
    for seed in range(SEED, SEED + MOST_TRIED):
        if why := _difference(file, seed, expected, planted):
            print(f"{planted.name}: SIMULATION_SEED={seed} shows it: {why}")
            assert _difference(file, seed, expected, planted) == why
            return
    raise AssertionError(f"{planted.name} shows in none of {MOST_TRIED} histories from SIMULATION_SEED={SEED} on")


def test_control_a_payment_in_two_transactions_shows(file: Path) -> None:
    """Entries in one and the commission in the next: done again after a failure, they are there twice."""

    async def pays(hub: Harness) -> None:
        commission = await hub.commission("O-0-0")
        assert commission is not None
        owner = Owner("USD", hub.affiliate_id, commission["commission_id"], "O-0-0")
        for row in [commission] if commission["state"] != "PAID" else []:
            async with hub.store.write() as tx:
                entries = paying(owner, row["amount_minor"], "payout", "pay_1")
                await post(tx, [(hub.account_id, each) for each in entries], hub.clock())
            if isinstance(hub.store, FailingStore) and not hub.store.failed:
                hub.store.arm(1, "before")
            async with hub.store.write() as tx:
                await tx.run("pay_commission", account_id=hub.account_id, commission_id=row["commission_id"],
                             reference="pay_1", now=hub.clock())  # fmt: skip

    with pytest.raises(AssertionError):
        lived(file, SEED, payday=pays)


def _difference(file: Path, seed: int, expected: Books, planted: Planted) -> str:
    """Return what a seed's history with a fault does not have in common with a sound one, "" if nothing."""
    try:
        books = lived(file, seed, planted=planted).books
    except BROKEN as fault:
        return f"{type(fault).__name__} {str(fault)[:200]}"
    return "" if books == expected else str([each for each in books if each not in expected][:3])
