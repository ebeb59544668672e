"""How long a merchant's pages take, and how heavy they are, with many conversions stored; on SQLite and PostgreSQL.

The conversions are one multiplied (see filling.py), so their figures are those of one day. Two years of figures of
twenty affiliates and five campaigns are added, so that the overview has as much to sum up as a busy merchant's.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPConnection
from statistics import median, quantiles
from urllib.parse import urlencode, urlsplit

import click

from bench import filling
from bench.databases import Database
from bench.options import PAGES_MILLIONS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import HUB, ROOT, hub_server
from bench.workbench import Stage, Workbench, hub
from hub.clock import system_clock
from hub.domain.figures import day_of
from hub.processing.figure_rows import DayRow

TIMES = 40
MOST_MS = 100
MOST_KILOBYTES = 100
DAYS = 730
AFFILIATES, CAMPAIGNS = 20, 5
EMAIL = "owner@shop.example"
PAGES = {
    "overview": "/merchant?days=30",
    "overview, a year": "/merchant?days=365&by=affiliate",
    "orders": "/merchant/orders",
    "orders, nothing found": "/merchant/orders?state=PAYABLE&q=none",
    "order": "/merchant/orders/{order}",
    "commissions": "/merchant/commissions",
    "reviews": "/merchant/reviews",
    "messages": "/merchant/messages",
    "messages, nothing found": "/merchant/messages?status=UNMATCHED",
    "log": "/merchant/logs",
}


class Browser:
    """A client with a cookie, over one connection."""

    def __init__(self, root: str) -> None:
        self._connection = HTTPConnection(urlsplit(root).netloc, timeout=60)
        self._cookie = ""

    def ask(self, method: str, address: str, fields: dict[str, str] | None = None) -> tuple[int, str]:
        """Return the status and the text of an answer."""
        form = {"Content-Type": "application/x-www-form-urlencoded"} if fields else {}
        self._connection.request(method, address, urlencode(fields or {}), {"Cookie": self._cookie, **form})
        response = self._connection.getresponse()
        text = response.read().decode()
        for name, value in response.getheaders():
            if name == "Set-Cookie" and not value.startswith("hub-shown"):
                self._cookie = value.partition(";")[0]
        return response.status, text

    def sign_in(self, link: str) -> None:
        """Press the button of a sign-in link."""
        place = urlsplit(link).path
        found = re.search(r'name="csrf" value="(\w+)"', self.ask("GET", place)[1])
        if found is None:
            raise SystemExit(f"{link} shows no button")
        self.ask("POST", place, {"csrf": found[1]})


def _filled(bench: Workbench, dialect: str) -> Stage:
    def make() -> AbstractContextManager[Stage]:
        return _made(bench, dialect)

    return bench.kept(f"pages {dialect}", make)


@contextmanager
def _made(bench: Workbench, dialect: str) -> Iterator[Stage]:
    with bench.stage(dialect) as stage:
        filling.fill(bench, stage, PAGES_MILLIONS, lambda line: click.echo(line, err=True))
        _add_figures(stage)
        hub(stage.database, "user", "create", "--email", EMAIL, "--role", "merchant", "--merchant", stage.merchant_id)
        yield stage


def _add_figures(stage: Stage) -> None:
    """Add figures of many days, campaigns and affiliates to the account."""
    names = DayRow._fields
    today = day_of(system_clock())
    with filling.writer(stage.database) as write:
        for day in range(today - DAYS, today):
            numbers = ", ".join(["7"] * (len(names) - 5))
            keys = [
                ("*", "*"),
                *((f"cmp_{n}", "*") for n in range(CAMPAIGNS)),
                *(("*", f"aff_{n}") for n in range(AFFILIATES)),
            ]
            rows = [f"('{stage.account_id}', {day}, '{one}', '{other}', 'USD', {numbers})" for one, other in keys]
            write(f"INSERT INTO daily_figures ({', '.join(names)}) VALUES {', '.join(rows)}")


def _shown(bench: Workbench, dialect: str) -> Figures:
    stage = _filled(bench, dialect)
    with stage.database.reader() as read:
        ((order,),) = read(f"SELECT max(conversion_id) FROM conversions WHERE account_id = '{stage.account_id}'")
    figures: Figures = {}
    with hub_server(stage.database.environment, worker=False) as server:
        browser = Browser(server.base_url)
        browser.sign_in(_link(stage.database))
        for name, address in PAGES.items():
            place = address.format(order=order)
            place += ("&" if "?" in place else "?") + "mode=test"
            text, taken = "", []
            for _ in range(TIMES):
                began = time.perf_counter()
                status, text = browser.ask("GET", place)
                taken.append((time.perf_counter() - began) * 1000)
                if status != 200:
                    raise SystemExit(f"{place} answered {status}")
            figures[f"{name}, p50Ms"] = median(taken)
            figures[f"{name}, p95Ms"] = quantiles(taken, n=20)[-1]
            figures[f"{name}, kilobytes"] = len(gzip.compress(text.encode())) / 1000
    worst = {end: max(value for name, value in figures.items() if name.endswith(end)) for end in ("p95Ms", "kilobytes")}
    return {**figures, "worstP95Ms": worst["p95Ms"], "heaviestKilobytes": worst["kilobytes"]}


def _link(database: Database) -> str:
    command = [*HUB, "user", "login-link", EMAIL, "--json"]
    done = subprocess.run(command, env=database.environment, cwd=ROOT, capture_output=True, text=True, check=True)
    link: str = json.loads(done.stdout)["url"]
    return link


STORED = f"pages, {PAGES_MILLIONS:g} million stored"
SIDES = (
    Side(f"{STORED}, SQLite", lambda bench: _shown(bench, "sqlite")),
    Side(f"{STORED}, PostgreSQL", lambda bench: _shown(bench, "postgresql")),
)
MEASURE = Measure(
    "pages-html",
    f"a merchant's pages with {PAGES_MILLIONS:g} million conversions stored: time and compressed size",
    SIDES,
    tuple(
        requirement
        for side in SIDES
        for requirement in (
            Requirement(f"{side.name}: the slowest page's p95, ms", Value(side, "worstP95Ms"), most=MOST_MS),
            Requirement(f"{side.name}: the heaviest page, kB", Value(side, "heaviestKilobytes"), most=MOST_KILOBYTES),
        )
    ),
    standard=False,
)
