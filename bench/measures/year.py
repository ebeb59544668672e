"""A network's year: orders of a hundred affiliates with twenty merchants, paid every month, and its books closed."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator

from bench.faults import Mismatch
from bench.options import MILLIONS
from bench.plan import Figures, Measure, Side
from bench.workbench import Workbench
from hub.config.payout_section import PayoutSettings
from hub.domain.books.ledger import Movement
from hub.domain.money import divide_half_up
from hub.domain.payouts.payees import Payee
from hub.ids import new_id
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.operations.money.books.balances import affiliate_balances
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_files import export_run
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.payouts.payout_settlement import settle_run
from hub.operations.references import account_of
from hub.processing.commissions import commission_moves
from hub.processing.ledger_rows import Commission, Conversion
from hub.processing.post_entries import post_by_account
from hub.processing.release import release_holds
from hub.sealing import Sealer
from hub.storage import Store
from hub.testing.clock import FakeClock

AFFILIATES, MERCHANTS, MONTHS, BATCH = 100, 20, 12, 1_000
CURRENCIES = ("EUR", "USD", "JPY")
SEALER = Sealer.of([b"k" * 32])
PAYEE = Payee("Ada", "Main St 1", "10115", "Berlin", "DE", "wise", "ada@mail.example")
MONTH_MS = 30 * 86_400_000
TERMS = '{"source":"PLATFORM","type":"PERCENTAGE","value":"5","currency":"EUR","lines":[],"levels":[]}'


def run_year(bench: Workbench) -> Figures:
    """Return how many orders and ledger entries a second the year took; fail if a minor unit is missing."""
    return asyncio.run(_year(f"sqlite:///{bench.folder / f'year-{bench.next_number()}.db'}", int(MILLIONS * 1e6)))


async def _year(url: str, orders: int) -> Figures:
    clock, luck, due = FakeClock(), random.Random(1), Counter[tuple[str, str]]()  # noqa: S311 - a plan, not a secret
    async with await Store.open(url, migrate=True, serve=True) as store:
        accounts = [await live_account(store, clock, n) for n in range(MERCHANTS)]
        affiliates = [str((await create_affiliate(store, clock, name=f"A{n}", email=f"a{n}@blog.example")).id)
                      for n in range(AFFILIATES)]  # fmt: skip
        for affiliate in affiliates:
            await set_payee(store, SEALER, clock, None, affiliate, PAYEE)
        began = time.perf_counter()
        for month in range(MONTHS):
            for first in range(0, orders // MONTHS, BATCH):
                made = list(_orders(luck, accounts, affiliates, (month, first), clock(), due))
                await _earn(store, made, clock())
            clock.advance(MONTH_MS)
            await _release(store, clock())
            run = await create_run(store, clock, PayoutSettings(four_eyes_above="999999999999"), Wanted("live"))
            await release_run(store, clock, PayoutSettings(four_eyes_above="999999999999"), str(run["id"]))
            await export_run(store, SEALER, clock, PayoutSettings(), str(run["id"]), "csv")
            await settle_run(store, clock, str(run["id"]), f"MONTH-{month}")
        lived = time.perf_counter() - began
        began = time.perf_counter()
        found = await verify_ledger(store)
        verified = time.perf_counter() - began
        await _close(store, affiliates, due, found["faults"])
    return {
        "perSecond": orders / lived,
        "entries": float(found["entries"]),
        "entriesPerSecond": found["entries"] / lived,
        "verifiedPerSecond": found["entries"] / verified,
    }


async def live_account(store: Store, clock: FakeClock, number: int) -> str:
    """Create an approved merchant; return its live account."""
    new = NewMerchant(name=f"M{number}", email=f"m{number}@shop.example", domains=["shop.example"], approve=True)
    merchant = await create_merchant(store, clock, new)
    async with store.read() as tx:
        return str((await account_of(tx, str(merchant.id), "live"))["account_id"])


def _orders(
    luck: random.Random, accounts: list[str], affiliates: list[str], place: tuple[int, int], now: int,
    due: Counter[tuple[str, str]],
) -> Iterator[tuple[Conversion, Commission]]:  # fmt: skip
    for number in range(BATCH):
        account, affiliate, currency = luck.choice(accounts), luck.choice(affiliates), luck.choice(CURRENCIES)
        amount = luck.randrange(1, 50_000)
        earned = divide_half_up(amount * 5, 100)
        due[affiliate, currency] += earned
        conversion_id, order = new_id("cnv"), f"{place[0]}-{place[1] + number}"
        yield (
            Conversion(account, conversion_id, new_id("evt"), order, amount, amount, currency, "[]", None, None, None,
                       now, now, "HIGH", "matched", affiliate, None, None, None, now),
            Commission(account, new_id("com"), conversion_id, affiliate, "HOLD", earned, amount, currency, "PLATFORM",
                       TERMS, 0, now, None, None, now, now),
        )  # fmt: skip


async def _earn(store: Store, made: list[tuple[Conversion, Commission]], now: int) -> None:
    moved: dict[str, list[Movement]] = {}
    for conversion, commission in made:
        found = commission_moves(None, commission, conversion.external_order_id, conversion.event_id)
        moved.setdefault(conversion.account_id, []).extend(found)
    async with store.write() as tx:
        await tx.run_together(
            ("insert_conversions", {"conversions": [each for each, _ in made]}),
            ("write_commissions", {"commissions": [each for _, each in made]}),
        )
        await post_by_account(tx, moved, now)


async def _release(store: Store, now: int) -> None:
    while True:
        async with store.write() as tx:
            rows = await tx.all("due_holds", now=now, limit=BATCH)
            if not await release_holds(tx, rows, now):
                return


async def _close(store: Store, affiliates: list[str], due: Counter[tuple[str, str]], faults: object) -> None:
    """Raise `Mismatch` unless the ledger holds and everybody was paid exactly what the model says."""
    if faults:
        raise Mismatch(f"the ledger does not hold: {faults}")
    for affiliate in affiliates:
        for balance in await affiliate_balances(store, affiliate):
            paid = int(balance["paid"].replace(".", ""))
            if paid != due[affiliate, balance["currency"]] or balance["payable"].strip("0."):
                raise Mismatch(f"{affiliate} was paid {balance}, not {due[affiliate, balance['currency']]}")


MEASURE = Measure(
    "year",
    "A year of a network (BENCH_MILLIONS of orders), paid monthly and its books closed to the minor unit.",
    (Side("year", run_year, once=True),),
    standard=False,
)
