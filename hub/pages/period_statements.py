"""What the two pages of a period's statement share: the period that was asked for, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Final

from aiohttp import web
from attrs import frozen

from hub.domain.instants import parse_instant
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import books_zone
from hub.operations.money.invoices.period_statement_files import period_csv, period_pdf
from hub.operations.money.invoices.period_statements import (
    Period,
    PeriodStatement,
    period_of,
    period_statement,
    what_of,
)
from hub.operations.system.branding import issuer_of
from hub.pages.downloads import PDF, download
from hub.pages.rendering import shown_logo
from hub.pages.visit import PageServices

SHOWN_LINES: Final = 200


@frozen
class ShownPeriod:
    """A statement as a page shows it: its first lines; `asked` has the dates as they were typed."""

    statement: PeriodStatement
    asked: Mapping[str, str]
    faults: Mapping[str, str]
    zone: tzinfo

    @property
    def values(self) -> dict[str, object]:
        """What the templates read."""
        words = {id(line): what_of(line) for part in self.statement["parts"] for line in part["lines"][:SHOWN_LINES]}
        return {"statement": self.statement, "asked": self.asked, "faults": self.faults, "most": SHOWN_LINES,
                "words": lambda line: words[id(line)], "period": period_words(self.statement, self.zone)}  # fmt: skip


def period_words(statement: PeriodStatement, zone: tzinfo) -> str:
    """Return the days of a statement, both included, in the books' zone: "1 Nov 2026 to 23 Nov 2026 (UTC)"."""
    ends = (parse_instant(statement["since"]), parse_instant(statement["until"]) - 1)
    first, last = (datetime.fromtimestamp(each // 1000, zone) for each in ends)
    return f"{first.day} {first:%b %Y} to {last.day} {last:%b %Y} ({zone})"


async def shown_period(services: PageServices, query: Mapping[str, str], affiliate_id: str, mode: str) -> ShownPeriod:
    """Return the statement of the dates of an address, that of this month with faults if they cannot be used.

    Raise `OperatorFault` if the affiliate is unknown.
    """
    asked = {name: query.get(name, "").strip()[:40] for name in ("from", "to")}
    now, faults, zone = services.clock(), dict[str, str](), await books_zone(services.store)

    async def of(period: Period) -> PeriodStatement:
        issuer = await issuer_of(services.store, services.settings)
        return await period_statement(services.store, affiliate_id, period, issuer, mode)

    try:
        period = period_of(asked["from"], asked["to"], now, zone)
    except OperatorFault as fault:
        faults["from"], period = fault.reason, period_of(None, None, now, zone)
    return ShownPeriod(await of(period), asked, faults, zone)


def period_file(statement: PeriodStatement, form: str) -> web.Response:
    """Return a statement as a file, "pdf" or "csv", whose name says TEST; raise `OperatorFault` for too long a PDF."""
    mark = "TEST-" if statement["mark"] else ""
    days = f"{statement['since'][:10]}-{statement['until'][:10]}"
    name = f"{mark}statement-{statement['affiliateId']}-{days}.{form}"
    return (
        download(period_pdf(statement, shown_logo()), name, PDF)
        if form == "pdf"
        else download(period_csv(statement), name)
    )
