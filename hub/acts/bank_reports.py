"""What banks sent: files about the payments of runs, and about accounts."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import PAGED, choice, text
from hub.domain.words import BANK_REPORT_STATUSES
from hub.operations.money.receipts.bank_report_store import BankReportDocument, reports_part, show_report

PAYOUT: Final = text("Only those of this run's payments.", "pay_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")


async def _reports(c: Call) -> Any:
    return answer(await reports_part(c.store, wanted_of(c, "status", payout_id="payout")))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/bank-reports", "listBankReports"), "List files from banks, newest first", _reports,
        ListOfEntries(BankReportDocument),
        query={"payout": PAYOUT, "status": choice("In this status.", *BANK_REPORT_STATUSES), **PAGED}),
    Act(get("/bank-reports/{report}", "getBankReport"), "Show a file from a bank and how far it is read",
        lambda c: show_report(c.store, c.path["report"]), BankReportDocument),
)  # fmt: skip
