"""How long the pages take, and how heavy they are, with many conversions stored; on SQLite and PostgreSQL.

The conversions are one multiplied (see filling.py), so their figures are those of one day. Two years of figures of many
affiliates, campaigns, links and sub-ids are added, so that there is as much to sum up as with a busy merchant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median, quantiles

import click
from rich.table import Table

from bench import filling
from bench.options import PAGES_MILLIONS
from bench.page_visits import add_people, visit_all
from bench.plan import Figures, Findings, Measure, Requirement, Side, Value, number
from bench.servers import hub_server
from bench.workbench import Stage, Workbench, hub
from hub.clock import system_clock
from hub.domain.orders.figures import day_of
from hub.processing.figure_rows import DayRow, PlaceRow, ProductRow

TIMES = 40
MOST_MS = 100
MOST_KILOBYTES = 100
DAYS = 730
AFFILIATES, CAMPAIGNS, PRODUCTS = 100, 10, 50
ENDS = ("p50Ms", "p95Ms", "kilobytes")
MOST_LISTED = 20
PLACES = {"campaign": 10, "link": 25, "sub1": 25}
"""How many of each the affiliate has."""


def _filled(bench: Workbench, dialect: str) -> Stage:
    return bench.kept(f"pages {dialect}", lambda: _made(bench, dialect))


@contextmanager
def _made(bench: Workbench, dialect: str) -> Iterator[Stage]:
    with bench.stage(dialect) as stage:
        whose = ("--merchant", stage.merchant_id, "--mode", "test")
        hub(stage.database, "campaign", "create", *whose, "--title", "Spring")
        hub(stage.database, "connection", "create", *whose, "--connector", "woocommerce")
        add_people(stage)
        filling.fill(bench, stage, PAGES_MILLIONS, lambda line: click.echo(line, err=True))
        _add_figures(stage)
        yield stage


def _add_figures(stage: Stage) -> None:
    """Add figures of many days, campaigns, affiliates, products, links and sub-ids to the account."""
    today, account = day_of(system_clock()), stage.account_id
    with stage.database.reader() as read:
        ((affiliate,),) = read("SELECT max(affiliate_id) FROM links")
    keys = [("*", "*"), *((f"cmp_{n}", "*") for n in range(CAMPAIGNS))]
    keys += [("*", affiliate), *(("*", f"aff_{n}") for n in range(AFFILIATES))]
    with filling.writer(stage.database) as write:
        for day in range(today - DAYS, today):
            days = [(account, day, *key, "USD", *[7] * (len(DayRow._fields) - 5)) for key in keys]
            products = [(account, day, f"SKU-{n}", "USD", 7, 7, 700) for n in range(PRODUCTS)]
            places = [
                (account, affiliate, place, day, f"{place}_{n}", "USD", 7, 7, 1, 700)
                for place, most in PLACES.items()
                for n in range(most)
            ]
            write(_insert("daily_figures", DayRow._fields, days))
            write(_insert("product_figures", ProductRow._fields, products))
            write(_insert("affiliate_figures", PlaceRow._fields, places))


def _insert(table: str, names: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    """Return the statement that inserts rows of numbers and of texts without quotes."""
    written = ", ".join(f"({', '.join(map(repr, row))})" for row in rows)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES {written}"


def visited(stage: Stage) -> Figures:
    """Return how long each page of a stage takes, and how heavy it is."""
    figures: Figures = {}
    with hub_server(stage.database.environment, worker=False) as server:
        for seen in visit_all(stage, server.base_url, TIMES):
            name = seen.route
            figures[f"{name}, p50Ms"] = median(seen.milliseconds)
            figures[f"{name}, p95Ms"] = quantiles(seen.milliseconds, n=20)[-1]
            figures[f"{name}, kilobytes"] = seen.kilobytes
    worst = {end: max(value for name, value in figures.items() if name.endswith(end)) for end in ("p95Ms", "kilobytes")}
    return {**figures, "worstP95Ms": worst["p95Ms"], "heaviestKilobytes": worst["kilobytes"]}


STORED = f"pages, {PAGES_MILLIONS:g} million stored"
SIDES = (
    Side(f"{STORED}, SQLite", lambda bench: visited(_filled(bench, "sqlite"))),
    Side(f"{STORED}, PostgreSQL", lambda bench: visited(_filled(bench, "postgresql"))),
)


def pages_measure(name: str, about: str, sides: tuple[Side, ...]) -> Measure:
    """Return the measure of pages that are visited upon some databases, with what the slowest may take."""
    return Measure(
        name,
        about,
        sides,
        tuple(
            requirement
            for side in sides
            for requirement in (
                Requirement(f"{side.name}: the slowest page's p95, ms", Value(side, "worstP95Ms"), most=MOST_MS),
                Requirement(
                    f"{side.name}: the heaviest page, kB", Value(side, "heaviestKilobytes"), most=MOST_KILOBYTES
                ),
            )
        ),
        standard=False,
        summary=lambda findings: _summary(findings, sides),
    )


def _summary(findings: Findings, sides: tuple[Side, ...]) -> Table:
    """Return a table of the slowest pages."""
    table = Table(title="The slowest pages: p50 and p95 in ms, kilobytes compressed", title_justify="left", box=None)
    for heading in ("page", *(side.name.rpartition(", ")[2] for side in sides)):
        table.add_column(heading)
    medians = {side: findings.medians(side.name) for side in sides}
    names = {name.removesuffix(", p95Ms") for found in medians.values() for name in found if name.endswith(", p95Ms")}
    slowest = sorted(names, key=lambda name: -max(found.get(f"{name}, p95Ms", 0) for found in medians.values()))
    for name in slowest[:MOST_LISTED]:
        cells = [
            " / ".join(number(found[f"{name}, {end}"]) for end in ENDS) if f"{name}, p95Ms" in found else "-"
            for found in medians.values()
        ]
        table.add_row(name, *cells)
    return table


MEASURE = pages_measure(
    "pages-html", f"every page with {PAGES_MILLIONS:g} million conversions stored: time and compressed size", SIDES
)
