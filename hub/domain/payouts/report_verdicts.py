"""What became of the lines of a bank's report, and the names that its sealed parts are bound to."""

from __future__ import annotations

from typing import NamedTuple

from hub.domain.words import ReportVerdict


class Verdict(NamedTuple):
    """What became of a line.

    `row` is the line of a CSV file, or the place of a payment among those that XML reports, from 1. `named` is what the
    bank calls it, `about` the affiliate or the receipt that it is by now, `detail` the bank's reason or reference, or
    what a person is asked.
    """

    row: int
    named: str
    about: str
    verdict: ReportVerdict
    detail: str


def report_identity(report_id: str, sha256: str) -> str:
    """Return the name of the row and the content that a sealed report is bound to."""
    return f"bank-report:{report_id}:{sha256}"


def verdicts_identity(report_id: str, first_row: int) -> str:
    """Return the name of the row that sealed verdicts are bound to."""
    return f"bank-report-verdicts:{report_id}:{first_row}"
