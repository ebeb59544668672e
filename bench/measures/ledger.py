"""`hub ledger verify` over ten million entries of one account: how many a second, and in how much memory.

The entries are posted by the hub's own functions, so the chain and the commissions are those of a hub. Only time is
shortened: all that happens to a commission is posted in one transaction, with that of a few hundred others.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import click

from bench.databases import Database
from bench.faults import Mismatch
from bench.measures.year import CURRENCIES, TERMS, live_account
from bench.options import MILLIONS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import HUB, ROOT
from bench.workbench import Workbench
from hub.domain.books.ledger import Movement, Owner, paying
from hub.domain.money import divide_half_up
from hub.ids import new_id
from hub.operations.affiliates.affiliates import create_affiliate
from hub.processing.commissions import commission_moves
from hub.processing.ledger_rows import Commission, Conversion
from hub.processing.post_entries import post_by_account
from hub.storage import Store
from hub.testing.clock import FakeClock

AFFILIATES, BATCH, SLICE = 100, 500, 250_000
STATES = ("PENDING", "HOLD", "HOLD", "PAYABLE", "HOLD", "HOLD", "PAYABLE")
"""An order is confirmed, partly refunded, past its hold, delivered (which holds it again), refunded once more, paid."""
REFUNDED = (2, 5)
"""The places in `STATES` at which a tenth is taken back, in place of a move."""
ENTRIES = len(STATES) + 1
MEBI = 1 << 20


def run_proof(bench: Workbench) -> Figures:
    """Fill a ledger, prove it by the command, and return entries a second and megabytes; fail if it does not hold."""
    file = bench.folder / f"ledger-{bench.next_number()}" / "hub.db"
    file.parent.mkdir()
    database = Database(f"sqlite:///{file}")
    commissions = max(1, round(MILLIONS * 1e6 / ENTRIES))
    try:
        began = time.perf_counter()
        asyncio.run(_fill(database.url, commissions))
        filled = time.perf_counter() - began
        return _prove(database, file, commissions * ENTRIES, filled)
    finally:
        for each in file.parent.iterdir():
            each.unlink()


async def _fill(url: str, commissions: int) -> None:
    clock, luck = FakeClock(), random.Random(1)  # noqa: S311 - a plan, not a secret
    async with await Store.open(url, migrate=True, serve=True) as store:
        account = await live_account(store, clock, 0)
        affiliates = [str((await create_affiliate(store, clock, name=f"A{n}", email=f"a{n}@blog.example")).id)
                      for n in range(AFFILIATES)]  # fmt: skip
        for first in range(0, commissions, BATCH):
            clock.advance(1_000)
            numbers = range(first, min(first + BATCH, commissions))
            orders = [_order(luck, account, luck.choice(affiliates), number, clock()) for number in numbers]
            await _post(store, account, orders, clock())
            if first % SLICE < BATCH:
                click.echo(f"filling: {first * ENTRIES / 1e6:.1f} of {MILLIONS:g} million entries", err=True)


def _order(luck: random.Random, account: str, affiliate: str, number: int, now: int) -> tuple[Conversion, Commission]:
    """Return an order and its commission, which has just been opened."""
    amount, currency = luck.randrange(1_000, 50_000), luck.choice(CURRENCIES)
    conversion_id, earned = new_id("cnv"), divide_half_up(amount * 5, 100)
    return (
        Conversion(account, conversion_id, new_id("evt"), f"{number}", amount, amount, currency, "[]", None, None, None,
                   now, now, "HIGH", "matched", affiliate, None, None, None, now),
        Commission(account, new_id("com"), conversion_id, affiliate, STATES[0], earned, amount, currency, "PLATFORM",
                   TERMS, 0, now, None, None, now, now),
    )  # fmt: skip


async def _post(store: Store, account: str, orders: list[tuple[Conversion, Commission]], now: int) -> None:
    """Store orders with commissions that have come to their end, and every entry on the way there."""
    paid, moved = [], list[Movement]()
    for conversion, opened in orders:
        before, order = None, conversion.external_order_id
        for after in _life(opened):
            moved += commission_moves(before, after, order, conversion.event_id)
            before = after
        owner = Owner(opened.currency, opened.affiliate_id, opened.commission_id, order)
        moved += paying(owner, after.amount_minor, "bank", f"payment P-{order}")
        paid.append(after._replace(state="PAID", paid_at=now, payout_reference=f"P-{order}"))
    async with store.write() as tx:
        await tx.run_together(
            ("insert_conversions", {"conversions": [each for each, _ in orders]}),
            ("write_commissions", {"commissions": paid}),
        )
        await post_by_account(tx, {account: moved}, now)


def _life(opened: Commission) -> Iterator[Commission]:
    """Yield what a commission is after each piece of its order's news."""
    amount = opened.amount_minor
    for place, state in enumerate(STATES):
        amount -= opened.amount_minor // 10 if place in REFUNDED else 0
        yield opened._replace(state=state, amount_minor=amount)


def _prove(database: Database, file: Path, entries: int, filled: float) -> Figures:
    """Run `hub ledger verify` on its own and measure it; raise `Mismatch` unless all entries hold."""
    disk = sum(each.stat().st_size for each in file.parent.iterdir())
    began = time.perf_counter()
    with subprocess.Popen([*HUB, "ledger", "verify", "--json"], env=database.environment, cwd=ROOT,
                          stdout=subprocess.PIPE) as process:  # fmt: skip
        printed = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    verified = time.perf_counter() - began
    found = json.loads(printed)
    if process.returncode or not found["ok"] or found["entries"] != entries:
        raise Mismatch(f"the ledger of {entries} entries does not hold: {found['entries']}, {found['faults']}")
    return {
        "entries": float(entries),
        "filledPerSecond": entries / filled,
        "verifiedPerSecond": entries / verified,
        "verifySeconds": verified,
        "peakMb": usage.ru_maxrss * 1024 / MEBI,
        "diskMb": disk / MEBI,
    }


SIDE = Side("ledger", run_proof, once=True)
MEASURE = Measure(
    "ledger",
    "`hub ledger verify` over BENCH_MILLIONS of entries of one account, filled by the hub's own posting functions.",
    (SIDE,),
    (Requirement("the proof's memory, MiB", Value(SIDE, "peakMb"), most=256),),
    standard=False,
)
