"""/operator/bank-reports: the files that banks sent, how far they are read, and what became of each of their lines."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.acts.authority import PROVED_ADMINS
from hub.domain.instants import format_instant
from hub.domain.words import BANK_REPORT_STATUSES
from hub.operations.errors import OperatorFault
from hub.operations.money.receipts.bank_report_runs import BankReports, read_for
from hub.operations.money.receipts.bank_report_store import (
    REPORTS,
    Sent,
    report_verdicts,
    reports_part,
    show_report,
    verdicts_csv,
)
from hub.operations.users.actor_names import names_of_actors
from hub.pages.downloads import download
from hub.pages.file_forms import FormFile, whole_file
from hub.pages.markup import status_word
from hub.pages.money_words import BANK_REPORTS, REPORT_VERDICTS, words_of
from hub.pages.operator import parts
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.progress import PATIENCE_SECONDS
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.bank_files import BankReportDocument

HERE: Final = "/operator/bank-reports"
STATES: Final = tuple((each, status_word(each)) for each in BANK_REPORT_STATUSES)
COLUMNS: Final = ("Sent", "State", "File", "About", "Lines", "Done")
PAGES: Final = RouteTable(parts.operator_page)


async def taken_file(visit: Visit, file: FormFile, what: str, payout_id: str | None = None) -> BankReportDocument:
    """Keep the file of a form and read it for a moment; return how far it is then.

    Raise `OperatorFault`, which begins with `what` for a file that does not arrive, for one that is not taken or is
    refused by then.
    """
    services = visit.services
    content = await whole_file(file, what)
    sent = Sent(
        content, file.name, payout_id, visit.form.get("reference", ""),
        (visit.form.get("file") or None) if payout_id is not None else None,
    )  # fmt: skip
    reports = BankReports(services.store, services.sealer, services.clock)
    report = await read_for(reports, sent, PATIENCE_SECONDS)
    if report.fault:
        raise OperatorFault(report.fault)
    return report


@PAGES.get(HERE)
async def show_reports(visit: Visit) -> web.StreamResponse:
    """List what banks sent, newest first."""
    asked = parts.asked_for(visit, "status", "payout_id")
    found, wrong = await parts.read_list(reports_part(visit.services.store, wanted_of(visit, REPORTS, asked)))
    rows = [
        (
            parts.link(format_instant(each.sent_at), f"{HERE}/{each.id}", words_of(BANK_REPORTS, each.kind)),
            parts.state(each.status),
            parts.text(each.file_name),
            parts.code(each.payout_id),
            parts.text(each.rows),
            parts.text(each.done),
        )
        for each in found.entries
    ]
    empty = nothing_of("file", found) if any(asked.values()) else "No bank file has been uploaded yet."
    listing = parts.Listing("Files from banks", COLUMNS, rows, empty, *beside(HERE, found, asked))
    filters = (
        parts.Field("status", "State", "choice", asked["status"], options=STATES),
        parts.Field("payout_id", "Payout", value=asked["payout_id"]),
    )
    lead = (
        "You upload them with a payout or under what merchants paid. Each file is checked as a whole before it is "
        "recorded."
    )
    return parts.show_list(visit, parts.ListPage("Files from banks", HERE, listing, lead, filters), wrong)


@PAGES.get(f"{HERE}/{{report}}")
async def show_one(visit: Visit) -> web.StreamResponse:
    """Show how far a file of a bank is read, and what became of its lines."""
    store = visit.services.store
    found = await show_report(store, visit.path["report"])
    names = await names_of_actors(store, [found.sent_by])
    facts = (
        ("Id", parts.code(found.id)),
        ("About", parts.text(words_of(BANK_REPORTS, found.kind))),
        ("Payout", _run(found)),
        ("Reference", parts.text(found.reference)),
        ("SHA-256", parts.code(found.sha256)),
        ("Sent", parts.at(found.sent_at)),
        ("By", parts.text(names.get(found.sent_by, found.sent_by))),
        ("Read", parts.at(found.finished_at)),
    )
    rows = [(parts.text(words_of(REPORT_VERDICTS, verdict)), parts.text(count))
            for verdict, count in sorted(found.verdicts.items())]  # fmt: skip
    verdicts = parts.Listing("Lines", ("What became of them", "Lines"), rows, "No line is recorded yet.")
    ended = found.status in ("DONE", "REFUSED")
    return visit.page(
        "operator/bank_report.html",
        report=found,
        ended=ended,
        share=100 * found.done // max(1, found.rows),
        file=f"{HERE}/{found.id}/verdicts" if found.done else None,
        here=HERE,
        sections=(
            parts.Section("The file", facts, links=[("Activity", f"/operator/trail?subject={found.id}")]),
            parts.Section("Lines", listing=verdicts),
        ),
    )


@PAGES.get(f"{HERE}/{{report}}/verdicts", PROVED_ADMINS)
async def fetch_verdicts(visit: Visit) -> web.StreamResponse:
    """Send what became of each line as CSV."""
    services, report_id = visit.services, visit.path["report"]
    found = await report_verdicts(services.store, services.sealer, report_id)
    return download(verdicts_csv(found), f"{report_id}.csv")


def _run(found: BankReportDocument) -> parts.Cell:
    payout_id = found.payout_id
    return parts.text("") if payout_id is None else parts.link(payout_id, f"/operator/payouts/{payout_id}")
