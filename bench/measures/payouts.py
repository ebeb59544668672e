"""A run over many payable lines: created, released, written for the bank, settled and proved, each in how much memory.

The commissions are posted by the hub's own functions, and each step is a command in a process of its own, as an
operator runs it. Memory must not grow with the lines, nor with the affiliates, of whom there are more with more lines:
a run is gathered and released in slices, written in files of some thousand payments, and proved in pages.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import attrs
import click

from bench.databases import SETTINGS, Database
from bench.faults import Mismatch
from bench.filling import writer
from bench.measures.year import TERMS, live_account
from bench.options import MILLIONS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import HUB, ROOT
from bench.workbench import Workbench
from hub.clock import system_clock
from hub.domain.books.ledger import Movement, Owner, moves, standing
from hub.domain.durations import DAY
from hub.domain.payouts.payees import Payee, payee_identity, payee_to_json
from hub.ids import new_id
from hub.operations.affiliates.affiliates import add_affiliate
from hub.processing.ledger_rows import Commission, Conversion
from hub.processing.noted_rows import note_rows
from hub.processing.post_entries import post_by_account
from hub.sealing import Sealer
from hub.storage import Store
from hub.testing.clock import FakeClock

LEAST_AFFILIATES, LINES_EACH, MADE_AT_ONCE, BATCH, SLICE, MEBI = 1_000, 100, 500, 5_000, 250_000, 1 << 20
PAYEE = Payee("A", "Main St 1", "10115", "Berlin", "DE", "paypal", "a@blog.example")
LAUNCHER = (
    "import resource, subprocess, sys\n"
    "done = subprocess.run(sys.argv[1:], check=False)\n"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
    "sys.stderr.write(f'{chr(10)}{used.ru_maxrss} {used.ru_utime + used.ru_stime}')\n"
    "sys.exit(done.returncode)"
)
"""Runs a command, and ends its standard error with the most KiB that the command had, and its seconds of CPU."""
INDEXES = (
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE INDEX%'"
    " AND tbl_name IN ('conversions', 'commissions', 'ledger_entries')"
)
UNLIMITED = {"HUB_PAYOUTS_FOUR_EYES_ABOVE": "99999999999"}


@attrs.frozen
class Step:
    """A command that was run: what it printed, its seconds, those of CPU, and the most memory that it had, in MiB.

    Seconds of CPU say the same on a machine that is shared.
    """

    printed: bytes
    seconds: float
    cpu_seconds: float
    peak: float


def run_payouts(bench: Workbench) -> Figures:
    """Fill a hub with payable commissions, and pay them by the commands; fail unless all of them are paid once."""
    file = bench.folder / f"payouts-{bench.next_number()}" / "hub.db"
    file.parent.mkdir()
    database, lines = Database(f"sqlite:///{file}"), max(LEAST_AFFILIATES, round(MILLIONS * 1e6))
    try:
        fill_elsewhere(database, lines)
        return pay(database, file.parent, lines)
    finally:
        for each in file.parent.iterdir():
            each.unlink()


def fill_elsewhere(database: Database, lines: int) -> None:
    """Fill in a process of its own: what a process had before it ran a command counts as the command's memory."""
    process = get_context("spawn").Process(target=_filled, args=(database, lines))
    process.start()
    process.join()
    if process.exitcode:
        raise Mismatch(f"filling ended with {process.exitcode}")


def _filled(database: Database, lines: int) -> None:
    asyncio.run(_fill(database, lines))


async def _fill(database: Database, lines: int) -> None:
    clock, luck = FakeClock(system_clock() - 30 * DAY), random.Random(1)  # noqa: S311 - a plan, not a secret
    sealer = Sealer.of([bytes.fromhex(SETTINGS["HUB_MASTER_KEY"])])
    async with await Store.open(database.url, migrate=True, serve=True) as store:
        account = await live_account(store, clock, 0)
        affiliates, many = list[str](), max(LEAST_AFFILIATES, lines // LINES_EACH)
        for first in range(0, many, MADE_AT_ONCE):
            affiliates += await _affiliates(store, sealer, range(first, min(many, first + MADE_AT_ONCE)), clock())
        left_out = _drop_indexes(database)
        for first in range(0, lines, BATCH):
            clock.advance(1)
            await _post(store, account, [luck.choice(affiliates) for _ in range(min(BATCH, lines - first))], clock())
            if first % SLICE < BATCH:
                click.echo(f"filling: {first / 1e6:.2f} of {lines / 1e6:g} million lines", err=True)
    with writer(database) as write:
        for definition in left_out:
            write(definition)


async def _affiliates(store: Store, sealer: Sealer, numbers: Iterable[int], now: int) -> list[str]:
    """Make affiliates with payees in one transaction, which waits once for the disk; return their ids."""
    made = list[str]()
    async with store.write() as tx:
        for number in numbers:
            email = f"a{number}@blog.example"
            made.append((await add_affiliate(tx, now, name=f"A{number}", email=email)).id)
            payee = json.dumps(payee_to_json(attrs.evolve(PAYEE, account=email))).encode()
            await tx.run(
                "put_payee", affiliate_id=made[-1], sealed=sealer.seal(payee, payee_identity(made[-1])),
                method=PAYEE.method, now=now, waits=0, self_billed=0,
            )  # fmt: skip
        await note_rows(tx, now, {"payees": [(affiliate_id,) for affiliate_id in made]})
    return made


def _drop_indexes(database: Database) -> Sequence[str]:
    """Drop indexes of what is filled, and return how they are made: nearly each row is a page of its own in some."""
    with closing(sqlite3.connect(database.url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
        found = connection.execute(INDEXES).fetchall()
        for name, _ in found:
            connection.execute(f"DROP INDEX {name}")
    return [definition for _, definition in found]


async def _post(store: Store, account: str, affiliates: Sequence[str], now: int) -> None:
    """Store orders with commissions of 1.00 EUR that are payable, and their entries."""
    conversions, commissions, moved = list[Conversion](), list[Commission](), list[Movement]()
    for affiliate in affiliates:
        conversion_id, commission_id = new_id("cnv"), new_id("com")
        conversions.append(
            Conversion(
                account,
                conversion_id,
                new_id("evt"),
                conversion_id,
                2_000,
                2_000,
                "EUR",
                "[]",
                None,
                None,
                None,
                now,
                now,
                "HIGH",
                "matched",
                affiliate,
                None,
                None,
                None,
                now,
            )
        )
        commissions.append(
            Commission(
                account,
                commission_id,
                conversion_id,
                affiliate,
                "PAYABLE",
                100,
                2_000,
                "EUR",
                "PLATFORM",
                TERMS,
                0,
                now,
                None,
                None,
                now,
                now,
            )
        )
        owner = Owner("EUR", affiliate, commission_id, conversion_id)
        moved += moves(owner, (None, 0), standing("PAYABLE", 100), conversion_id)
    async with store.write() as tx:
        await tx.run_together(
            ("insert_conversions", {"conversions": conversions}), ("write_commissions", {"commissions": commissions})
        )
        await post_by_account(tx, {account: moved}, now)


def pay(database: Database, folder: Path, lines: int) -> Figures:
    """Run each command on its own; raise `Mismatch` unless the run pays every line once and the books hold."""
    previewed = _step(database, "payout", "preview", "--mode", "live", "--json")
    created = _step(database, "payout", "create", "--mode", "live", "--json")
    run = json.loads(created.printed)["id"]
    released = _step(database, "payout", "release", run, "--json")
    (total,) = json.loads(released.printed)["totals"]
    files = _written(database, folder, run, total["payments"])
    settled = _step(database, "payout", "settle", run, "--reference", "B-1", "--json")
    proved = _step(database, "ledger", "verify", "--json")
    done, proof = json.loads(settled.printed), json.loads(proved.printed)
    paid = (done["status"], done["settled"], round(float(total["amount"])), proof["ok"])  # a commission is 1.00
    if paid != ("SETTLED", total["payments"], lines, True):
        raise Mismatch(f"{paid} of {lines} lines in {total['payments']} payments: {proof['faults']}")
    steps = {"preview": [previewed], "create": [created], "release": [released], "export": files,
             "settle": [settled], "verify": [proved]}  # fmt: skip
    return {
        "lines": float(lines),
        "payments": float(total["payments"]),
        "files": float(len(files)),
        **{f"{name}Seconds": sum(step.seconds for step in done) for name, done in steps.items()},
        **{f"{name}CpuSeconds": sum(step.cpu_seconds for step in done) for name, done in steps.items()},
        **{f"{name}PeakMb": max(step.peak for step in done) for name, done in steps.items()},
        "peakMb": max(step.peak for done in steps.values() for step in done),
        "createdPerSecond": lines / created.seconds,
        "releasedPerSecond": lines / released.seconds,
    }


def _written(database: Database, folder: Path, run: str, payments: int) -> list[Step]:
    """Write files until every payment is in one; return what each took."""
    steps, written = list[Step](), 0
    while written < payments:
        export = ("payout", "export", run, "--format", "csv", "--output", str(folder / "file.csv"), "--json")
        steps.append(_step(database, *export))
        written += json.loads(steps[-1].printed)["payments"]
    return steps


def _step(database: Database, *command: str) -> Step:
    """Run a command from a process that is smaller than it: a process is charged for what its parent had."""
    began, environment = time.perf_counter(), {**database.environment, **UNLIMITED}
    done = subprocess.run(
        [sys.executable, "-S", "-c", LAUNCHER, *HUB, *command],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise Mismatch(f"`hub {' '.join(command)}` ended with {done.returncode}: {done.stderr[-500:]!r}")
    peak, cpu_seconds = done.stderr.rpartition(b"\n")[2].split()
    step = Step(done.stdout, time.perf_counter() - began, float(cpu_seconds), int(peak) * 1024 / MEBI)
    click.echo(
        f"{' '.join(command[:2])}: {step.seconds:.0f} s, {step.cpu_seconds:.0f} s of CPU, {step.peak:.0f} MiB", err=True
    )
    return step


SIDE = Side("payouts", run_payouts, once=True)
MEASURE = Measure(
    "payouts",
    "A payout run over BENCH_MILLIONS of payable commissions, a hundred for each affiliate: previewed, created, "
    "released, written, settled and proved by the commands.",
    (SIDE,),
    (Requirement("the memory of each command, MiB", Value(SIDE, "peakMb"), most=256),),
    standard=False,
)
