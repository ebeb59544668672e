"""Visits to every page of a hub, as the roles that may see them, and how long each takes and how heavy it is."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import click
from attrs import frozen

from bench.databases import Database, Reader
from bench.servers import HUB, ROOT
from bench.workbench import Stage, hub
from hub.pages.routes import all_pages

LEAST, MOST_MS = 3, 5_000
"""A page that is slow is visited at least this often, and then no more once it took so long in all."""
FILES = re.compile(r"\.(csv|svg|png|pdf|zip)$|/results$|/export$|csv-template$")
ONCE = re.compile(r"/secret$|^/login|^/register|/handovers/")
"""What is shown once, or only to somebody who is signing in."""
IDS = {
    "order": "SELECT max(conversion_id) FROM conversions",
    "commission": "SELECT max(commission_id) FROM commissions",
    "event": "SELECT max(event_id) FROM events",
    "link": "SELECT max(code) FROM links",
    "key": "SELECT max(key_id) FROM api_keys",
    "campaign": "SELECT max(campaign_id) FROM campaigns",
    "connection": "SELECT max(connection_id) FROM connections",
    "product": "SELECT max(product_id) FROM products",
    "domain": "SELECT max(domain) FROM merchant_domains",
    "merchant": "SELECT max(merchant_id) FROM merchants",
    "affiliate": "SELECT max(affiliate_id) FROM links",
    "user": "SELECT max(user_id) FROM users",
    "payout": "SELECT max(payout_id) FROM payouts",
}
"""How an id for each name in braces is found; pages with a name for which there is none are left out."""
MIDDLE = (
    "SELECT conversion_id FROM conversions ORDER BY conversion_id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM conversions)"
)
MORE = {
    "merchant": (
        "/merchant?days=365&by=affiliate",
        "/merchant?days=365&by=product",
        "/merchant/orders?state=PAYABLE&q=none",
        "/merchant/orders?confidence=LOW",
        "/merchant/orders?affiliate={affiliate}",
        "/merchant/orders?before={middle}",
        "/merchant/commissions?state=PAID",
        "/merchant/messages?status=UNMATCHED",
        "/merchant/messages?q=none",
    ),
    "affiliate": (
        "/affiliate/commissions?state=REJECTED",
        "/affiliate/commissions?link={link}",
        "/affiliate/commissions?order=none",
        "/affiliate/reports?by=link&days=365",
        "/affiliate/reports?by=sub1&days=365",
        "/affiliate/reports?by=campaign&days=365",
    ),
    "operator-admin": (
        "/operator/orders?state=REJECTED",
        "/operator/orders?affiliate={affiliate}",
        "/operator/commissions?state=PAID",
        "/operator/messages?status=FAILED",
        "/operator/search?q=none",
        "/operator/search?q={order}",
        "/operator/trail?subject={order}",
    ),
}
"""Addresses beside those of the routes: filters that find little, long periods, and the middle of a list."""


@frozen
class Seen:
    """One page, by its route: how many milliseconds each visit took, and how many kilobytes it has, compressed."""

    route: str
    milliseconds: list[float]
    kilobytes: float


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

    def visit(self, route: str, address: str, times: int) -> Seen | None:
        """Ask for a page at most `times` times; None if the database has nothing for it to show; a redirect counts.

        Raise SystemExit if it fails otherwise.
        """
        if self.ask("GET", address)[0] == 404:
            click.echo(f"{address}: left out, there is nothing to show", err=True)
            return None
        text, taken = "", list[float]()
        while len(taken) < LEAST or (len(taken) < times and sum(taken) < MOST_MS):
            began = time.perf_counter()
            status, text = self.ask("GET", address)
            taken.append((time.perf_counter() - began) * 1000)
            if status not in (200, 303):
                raise SystemExit(f"{address} answered {status}")
        return Seen(route, taken, len(gzip.compress(text.encode())) / 1000)


def add_people(stage: Stage, *roles: str) -> None:
    """Create somebody of each role, of all without any."""
    with stage.database.reader() as read:
        affiliate = _first(read, IDS["affiliate"])
    whose = {"merchant": ("--merchant", stage.merchant_id), "affiliate": ("--affiliate", affiliate)}
    for role in roles or MORE:
        hub(stage.database, "user", "create", "--email", _email(role), "--role", role, *whose.get(role, ()))


def visit_all(stage: Stage, root: str, times: int) -> Iterator[Seen]:
    """Visit each page of each role several times."""
    with stage.database.reader() as read:
        ids = {name: found for name, sql in IDS.items() if (found := _first(read, sql))}
        ids["middle"] = _first(read, MIDDLE)
    for role, more in MORE.items():
        browser = Browser(root)
        browser.sign_in(link_of(stage.database, role))
        for path in (*_paths(role), *more):
            address = _address(path, ids)
            seen = None if address is None else browser.visit(path, address, times)
            if seen is not None:
                yield seen


def _paths(role: str) -> list[str]:
    return [
        page.path
        for page in all_pages()
        if page.method == "GET" and role in page.roles and not FILES.search(page.path) and not ONCE.search(page.path)
    ]


def _address(path: str, ids: Mapping[str, str]) -> str | None:
    """Return the address of a route in the test account; None if there is nothing that it could show."""
    if set(re.findall(r"\{(\w+)\}", path)) - ids.keys():
        return None
    return path.format(**ids) + ("&" if "?" in path else "?") + "mode=test"


def _email(role: str) -> str:
    return f"{role}@people.example"


def link_of(database: Database, role: str) -> str:
    """Return a new sign-in link of the one with a role."""
    command = [*HUB, "user", "login-link", _email(role), "--json"]
    done = subprocess.run(command, env=database.environment, cwd=ROOT, capture_output=True, text=True, check=True)
    link: str = json.loads(done.stdout)["url"]
    return link


def _first(read: Reader, sql: str) -> str:
    rows = read(sql)
    return str(rows[0][0]) if rows and rows[0][0] is not None else ""
