"""How long each filter and each order of a merchant's orders takes, with many orders stored over two years.

The orders are one multiplied (see filling.py), an order each minute, in the live account. A few are rejected, and a
few months old; what no order has is looked for, too. A page that finds nothing looks on for a while and says how far.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Final
from urllib.parse import urlencode

import click
from rich.table import Table

from bench import filling
from bench.options import PAGES_MILLIONS
from bench.page_visits import Browser, add_people, link_of
from bench.plan import Figures, Findings, Measure, Requirement, Side, Value, number
from bench.servers import hub_server
from bench.workbench import Stage, Workbench, hub
from hub.operations.lists import FilterValues
from hub.operations.orders.order_lists import asked_orders, list_orders
from hub.storage import Store

TIMES = 20
MOST_MS = 1_000
DAYS = 730
FILTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "all": {},
    "oldest first": {"sort": "oldest"},
    "by number": {"sort": "number"},
    "by date placed": {"sort": "placed"},
    "by total": {"sort": "amount"},
    "by commission": {"sort": "commission"},
    "by state": {"sort": "state"},
    "by total, of a month": {"sort": "amount", "from": "2023-01-01", "to": "2023-01-31"},
    "of a day": {"from": "2023-01-10", "to": "2023-01-10"},
    "state of most": {"state": "{state}"},
    "state of 40 in a million": {"state": "REJECTED"},
    "state of none": {"state": "PAID"},
    "without a commission (none)": {"state": "NONE"},
    "certain": {"confidence": "HIGH"},
    "uncertain (none)": {"confidence": "LOW"},
    "affiliate of all": {"affiliate": "{affiliate}"},
    "affiliate of none": {"affiliate": "aff_none"},
    "campaign of none": {"campaign": "{campaign}"},
    "product of none": {"product": "SKU-none"},
    "coupon of none": {"coupon": "NONE10"},
    "number begins": {"number": "N-00000f"},
    "part of an old number": {"q": "-00000000f"},
    "part of no number": {"q": "none of them"},
    "state of few, of an affiliate": {"state": "REJECTED", "affiliate": "{affiliate}"},
}
"""The filters of the page, by what they find."""
UNCOUNTED = 40_000
"""So many of the newest orders changed since they were counted, as after a night's holds."""
WHILE_UNCOUNTED: Final[Mapping[str, FilterValues]] = {
    "state of 40 in a million": {"state": "REJECTED"},
    "state of none": {"state": "PAID"},
    "uncertain (none)": {"confidence": "LOW"},
    "campaign of none": {"campaign_id": "cmp_none"},
}
"""Of these the list alone is timed: a hub that serves would count the orders meanwhile."""
NOTES = """
INSERT INTO changed_orders (account_id, change_id, conversion_id)
SELECT account_id, 'chg_' || conversion_id, conversion_id FROM conversions ORDER BY conversion_id DESC LIMIT {many}
"""
FIGURES_ANEW = """
INSERT INTO daily_figures
SELECT c.account_id, c.ordered_at / 86400000, {campaign}, '*', c.currency, 0, count(*), count(*), sum(c.order_minor), 0,
       {counts}
FROM conversions AS c
JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
GROUP BY c.account_id, c.ordered_at / 86400000, {campaign}, c.currency
"""
NUMBERED = """
INSERT OR IGNORE INTO changes (account_id, number, record_type, record_id)
SELECT account_id, 1, 'conversion', conversion_id FROM conversions
"""
"""Each order as the change feed has it: else the hub numbers a million changes beside the visits."""
NEVER_OVER = 4_102_444_800_000
"""The end of every hold (ms UTC, 2100): else the hub ends a million holds beside the visits, and counts none."""
STATES = ("PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED")


@contextmanager
def _made(bench: Workbench) -> Iterator[Stage]:
    with bench.stage() as stage:
        hub(
            stage.database, "campaign", "create", "--merchant", stage.merchant_id, "--mode", "test", "--title", "Spring"
        )
        add_people(stage, "merchant")
        filling.fill(bench, stage, PAGES_MILLIONS, lambda line: click.echo(line, err=True), DAYS)
        counts = ", ".join(f"sum(m.state = '{each}'), sum((m.state = '{each}') * m.amount_minor)" for each in STATES)
        with filling.writer(stage.database) as write:
            write(f"UPDATE commissions SET hold_until = {NEVER_OVER}")
            write("UPDATE commissions SET state = 'REJECTED' WHERE rowid % 25000 = 7 AND rowid < 500000")
            for table in filling.FIGURES:
                write(f"DELETE FROM {table}")
            write(FIGURES_ANEW.format(campaign="'*'", counts=counts))
            write(NUMBERED)
            write("DELETE FROM new_changes")
            _go_live(stage, write)
        yield stage


def _go_live(stage: Stage, write: Callable[[str], object]) -> None:
    """Make the account with the orders the live one, and give the merchant another test account."""
    write(f"DELETE FROM accounts WHERE merchant_id = '{stage.merchant_id}' AND mode = 'live'")
    write(f"UPDATE accounts SET mode = 'live' WHERE account_id = '{stage.account_id}'")
    write(f"INSERT INTO accounts (account_id, merchant_id, mode) VALUES ('acc_t', '{stage.merchant_id}', 'test')")


def _filled(bench: Workbench) -> Stage:
    return bench.kept("list filters", lambda: _made(bench))


def _timed(bench: Workbench) -> Figures:
    stage = _filled(bench)
    figures: Figures = {}
    with stage.database.reader() as read:
        ((affiliate, state),) = read("SELECT affiliate_id, state FROM commissions WHERE state <> 'REJECTED' LIMIT 1")
        ((campaign,),) = read("SELECT max(campaign_id) FROM campaigns")
    known = {"affiliate": affiliate, "state": state, "campaign": campaign}
    for name, took in _each(stage, known, FILTERS):
        figures |= _of(name, took)
    with filling.writer(stage.database) as write:
        write(NOTES.format(many=UNCOUNTED))
    for name, took in asyncio.run(_lists(stage)).items():
        figures |= _of(_uncounted(name), took)
    with filling.writer(stage.database) as write:
        write("DELETE FROM changed_orders")
    return {**figures, "worstP95Ms": max(value for name, value in figures.items() if name.endswith("p95Ms"))}


def _each(stage: Stage, known: Mapping[str, str], names: Iterable[str]) -> Iterator[tuple[str, list[float]]]:
    """Yield filters by name with how many milliseconds each visit took."""
    with hub_server(stage.database.environment, worker=False) as server:
        browser = Browser(server.base_url)
        browser.sign_in(link_of(stage.database, "merchant"))
        for name in names:
            yield name, _visits(browser, _address(name, known))


async def _lists(stage: Stage) -> dict[str, list[float]]:
    """Return filters by name with how many milliseconds each reading of their first page took."""
    found: dict[str, list[float]] = {}
    async with await Store.open(stage.database.url) as store:
        for name, filters in WHILE_UNCOUNTED.items():
            for _ in range(TIMES):
                began = time.perf_counter()
                await list_orders(store, stage.account_id, asked_orders(filters), "live")
                found.setdefault(name, []).append((time.perf_counter() - began) * 1000)
    return found


def _address(name: str, known: Mapping[str, str]) -> str:
    asked = {key: value.format(**known) for key, value in FILTERS[name].items()}
    return f"/merchant/orders?{urlencode({'mode': 'live', **asked})}"


def _uncounted(name: str) -> str:
    return f"{name}, the list with {UNCOUNTED:,} uncounted"


def _of(name: str, took: list[float]) -> Figures:
    return {f"{name}, p50Ms": median(took), f"{name}, p95Ms": quantiles(took, n=20)[-1]}


def _visits(browser: Browser, address: str) -> list[float]:
    """Return how many milliseconds each visit took; raise SystemExit if one fails."""
    took = list[float]()
    for _ in range(TIMES):
        began = time.perf_counter()
        status, _ = browser.ask("GET", address)
        took.append((time.perf_counter() - began) * 1000)
        if status != 200:
            raise SystemExit(f"{address} answered {status}")
    return took


SIDE = Side(f"orders by filter, {PAGES_MILLIONS:g} million stored, SQLite", _timed)


def _summary(findings: Findings) -> Table:
    table = Table(title="The list of orders, p50 and p95 in ms", title_justify="left", box=None)
    for heading in ("filter", "p50", "p95"):
        table.add_column(heading)
    found = findings.medians(SIDE.name)
    for name in (*FILTERS, *map(_uncounted, WHILE_UNCOUNTED)):
        if f"{name}, p95Ms" in found:
            table.add_row(name, number(found[f"{name}, p50Ms"]), number(found[f"{name}, p95Ms"]))
    return table


MEASURE = Measure(
    "list-filters",
    f"each filter and order of the orders' list with {PAGES_MILLIONS:g} million stored",
    (SIDE,),
    (Requirement(f"{SIDE.name}: the slowest filter's p95, ms", Value(SIDE, "worstP95Ms"), most=MOST_MS),),
    standard=False,
    summary=_summary,
)
