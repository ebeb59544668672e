"""/operator/payouts: runs that pay affiliates, and the preview of the next one."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, date, datetime, tzinfo
from typing import Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import frozen

from hub.domain.spreadsheets import defused
from hub.domain.words import LIVE_FIRST
from hub.operations.checks import checked_currency
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payout_documents import LineDocument
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_previews import preview_run, previewed_lines
from hub.operations.money.payouts.payout_runs import RUNS, Wanted, runs_part, waiting_run, with_minimum
from hub.operations.users.actor_names import names_of_actors
from hub.pages.downloads import download
from hub.pages.operator.parts import operator_page
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/payouts"
SHOWN_LINES: Final = 200
CSV_PIECE: Final = 64 * 1024
LINE_COLUMNS: Final = ("affiliateId", "id", "merchantId", "merchantName", "externalOrderId", "reason", "amount",
                       "currency")  # fmt: skip


PAGES: Final = RouteTable(operator_page)


@frozen
class Asked:
    """What a run is to gather, as the form says it: `before` is a date, `minimum` an amount such as 25 or EUR:25."""

    mode: str
    before: str
    currency: str
    minimum: str

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Asked:
        """Read it from an address or a form."""
        before, currency, minimum = (values.get(name, "").strip()[:255] for name in ("before", "currency", "minimum"))
        mode = values.get("mode", "")
        return cls(mode if mode in LIVE_FIRST else "live", before, currency, minimum)

    @property
    def address(self) -> str:
        """The address of its preview."""
        given = {"mode": self.mode, "before": self.before, "currency": self.currency, "minimum": self.minimum}
        return f"{HERE}/preview?{urlencode({name: value for name, value in given.items() if value})}"

    def wanted(self, zone: tzinfo | None) -> Wanted:
        """Return what the run gathers; a date ends at its first moment in the reader's zone.

        Raise `OperatorFault` for another form.
        """
        currency = checked_currency(self.currency) if self.currency else None
        if not self.before:
            return Wanted(self.mode, None, currency)
        try:
            day = date.fromisoformat(self.before)
        except ValueError:
            raise OperatorFault(f"{self.before!r} is not a date; write it like 2026-11-30.") from None
        first = datetime(day.year, day.month, day.day, tzinfo=zone or UTC)
        return Wanted(self.mode, int(first.timestamp() * 1000), currency)


@PAGES.get(HERE)
async def show_payouts(visit: Visit) -> web.StreamResponse:
    """Show the runs, newest first, and the form for the preview of one more."""
    mode = visit.query.get("mode", "")
    asked = {"mode": mode if mode in LIVE_FIRST else ""}
    runs = await runs_part(visit.services.store, wanted_of(visit, RUNS, asked))
    older, newer = beside(HERE, runs, asked)
    return visit.page(
        "operator/payouts.html",
        runs=runs.entries,
        mode=mode,
        older=older,
        newer=newer,
        names=await names_of_actors(visit.services.store, [run["createdBy"] for run in runs.entries]),
        settings=visit.services.settings.payouts,
    )


@PAGES.get(f"{HERE}/preview")
async def show_preview(visit: Visit) -> web.StreamResponse:
    """Show what a run would pay now, with every line, as a page or as CSV; nothing is reserved."""
    return await _preview(visit, Asked.of(visit.query), 200, {})


@PAGES.post(HERE, back=lambda visit: Asked.of(visit.form).address)
async def create(visit: Visit) -> web.StreamResponse:
    """Create the run that was previewed, or lead on to the one that waits already."""
    asked, services = Asked.of(visit.form), visit.services
    try:
        made = await create_run(
            services.store,
            services.clock,
            with_minimum(services.settings.payouts, asked.minimum),
            asked.wanted(_zone(visit)),
        )
    except OperatorFault as fault:
        return await _preview(visit, asked, 422, {"": fault.reason})
    return see_other(f"{HERE}/{made['id']}?done=reserved")


async def _preview(visit: Visit, asked: Asked, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    services = visit.services
    try:
        settings = with_minimum(services.settings.payouts, asked.minimum)
        wanted = asked.wanted(_zone(visit))
        run = await preview_run(services.store, services.clock, settings, wanted, limit=SHOWN_LINES)
        waiting = await waiting_run(services.store, wanted)
    except OperatorFault as fault:
        return visit.page("operator/payout_preview.html", 422, asked=asked, run=None, faults={"": fault.reason})
    if visit.query.get("format") == "csv":
        lines = previewed_lines(services.store, services.clock, settings, wanted)
        return download(_csv(lines), f"{'TEST-' if run['mark'] else ''}payout-preview.csv")
    return visit.page(
        "operator/payout_preview.html",
        status,
        asked=asked,
        run=run,
        lines=run["lines"],
        count_of_lines=run["lineCount"],
        whose={item["affiliateId"]: item["affiliateName"] for item in run["items"]},
        settings=settings,
        waiting=waiting,
        may_act=visit.may(HERE),
        faults=faults,
    )


async def _csv(lines: AsyncIterator[LineDocument]) -> AsyncIterator[bytes]:
    """Yield lines of a run as CSV, some at a time."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(LINE_COLUMNS)
    async for line in lines:
        writer.writerow([defused(str(line.get(name) or "")) for name in LINE_COLUMNS])
        if text.tell() > CSV_PIECE:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
    yield text.getvalue().encode()


def _zone(visit: Visit) -> tzinfo | None:
    return visit.person.settings.zone
