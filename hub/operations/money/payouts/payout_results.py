"""A bank's results: read from its file, and matched with the payments of a run, all of them before any is noted."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from attrs import define, field, frozen

from hub.domain.payouts.payout_batches import ach_id, bacs_id, paypal_id
from hub.domain.words import PaymentOutcome, ReportVerdict
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.bank_reports import ALL, looks_like_xml, read_report
from hub.operations.money.payouts.payout_documents import end_to_end_id, sent_of
from hub.storage import Row

STATUSES: Final[Mapping[str, PaymentOutcome]] = {
    **dict.fromkeys(("PAID", "SETTLED", "ACSC", "ACCC", "COMPLETED", "SUCCESS"), "paid"),
    **dict.fromkeys(("RETURNED", "RJCT", "REJECTED", "FAILED", "CANC", "REFUNDED", "REVERSED"), "returned"),
    **dict.fromkeys(("UNCLAIMED", "ACSP", "ACCP", "ACTC", "ACWC", "RCVD", "PDNG", "PENDING", "ONHOLD", "PROCESSING"),
                    "under_way"),
}  # fmt: skip
"""What the words of banks' and PayPal's result files mean. An unclaimed payment can be claimed for thirty days."""


@frozen
class Result:
    """What a bank says of one payment; `currency` is empty if it does not say which.

    `payment` names it: an affiliate's id, the end-to-end id that the hub gave it, or ALL. `message` is the message id
    of the file that is answered. With `may_be_another` it is skipped unless the run makes it: an account's notices
    report every movement. `amount_minor` is compared with what was paid, if the bank names it.
    """

    payment: str
    currency: str
    outcome: PaymentOutcome
    reference: str
    reason: str
    message: str | None = None
    may_be_another: bool = False
    amount_minor: int | None = None
    row: int = 0
    """Which line of a CSV file it is, or which payment that XML reports, from 1."""


class Paid(NamedTuple):
    """A payment of a run: to whom, in which currency it was earned, and what was sent in minor units."""

    affiliate_id: str
    currency: str
    sent_currency: str
    sent_minor: int


Match = tuple[Paid, Result]


def results_in(content: bytes, name: str) -> list[Result]:
    """Read a bank's result file: pain.002, camt.054 or camt.053, or CSV with the columns affiliateId and status.

    CSV may also have currency, reference and reason, and endToEndId in place of affiliateId. `name` is what the file is
    called in the `OperatorFault` for anything else.
    """
    if looks_like_xml(content):
        return [
            Result(each.reference, each.currency, "paid" if each.paid else "returned", "", each.reason, each.run,
                   each.run is None, each.amount_minor, row)
            for row, each in enumerate(read_report(content, name), start=1)
        ]  # fmt: skip
    try:
        file = io.StringIO(content.decode("utf-8-sig"), newline="")
        return [_result(row, number) for number, row in enumerate(csv.DictReader(file), start=2)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise OperatorFault(f"{name} cannot be read: {error}.") from error


def _result(row: Mapping[str | None, str | None], number: int) -> Result:
    cells = {(name or "").strip().lower(): (value or "").strip() for name, value in row.items() if name is not None
             and not isinstance(value, list)}  # fmt: skip
    affiliate = cells.get("affiliateid") or cells.get("endtoendid", "")
    outcome = STATUSES.get(cells.get("status", "").upper())
    if not affiliate or outcome is None:
        raise OperatorFault(
            f"Line {number} of the results needs an affiliateId and a status (PAID or RETURNED); nothing was done."
        )
    return Result(affiliate, cells.get("currency", ""), outcome, cells.get("reference", ""),
                  cells.get("reason", "") or "The bank returned it.", row=number)  # fmt: skip


@define
class _Named:
    """A result with the payments that it names: by all of its words, or by their last part alone."""

    result: Result
    by_all: list[Paid] = field(factory=list)
    by_end: list[Paid] = field(factory=list)

    def named(self) -> list[Paid]:
        """Return the payments that it means."""
        return self.by_all or self.by_end


class Matching:
    """Matches a bank's results with the payments of a run, which are looked at some at a time.

    Only the payments that a result names are kept, so it needs memory for the bank's file and not for the run.
    """

    def __init__(self, payout_id: str, messages: Mapping[str, str], results: Iterable[Result]) -> None:
        """Take the results; `messages` are the files of the run by their message id.

        Raise `OperatorFault` for a result that answers another file.
        """
        self._payout_id = payout_id
        self.passed_over: list[tuple[Result, ReportVerdict]] = []
        """After `matches`: the results that are of no payment of the run, or of one that another result has named."""
        self._named = [_Named(each) for each in results]
        self._by_name: defaultdict[str, list[_Named]] = defaultdict(list)
        self._by_end: defaultdict[str, list[_Named]] = defaultdict(list)
        self._by_file: defaultdict[str, list[_Named]] = defaultdict(list)
        for each in self._named:
            file_id = self._file_of(each.result, messages)
            if each.result.payment == ALL and file_id is not None:
                self._by_file[file_id].append(each)
            else:
                self._by_name[each.result.payment].append(each)
                self._by_end[each.result.payment.rpartition("/")[2]].append(each)

    def _file_of(self, result: Result, messages: Mapping[str, str]) -> str | None:
        if result.message is None:
            return None
        if result.message not in messages:
            raise OperatorFault(
                f"The file answers {result.message!r}, which no file of payout {self._payout_id} is; nothing was done."
            )
        return messages[result.message]

    def look_at(self, items: Iterable[Row]) -> None:
        """Look at payments of the run, each once."""
        for item in items:
            paid = Paid(item["affiliate_id"], item["currency"], *sent_of(item))
            for name in _names_of(self._payout_id, item):
                for each in self._by_name.get(name, ()):
                    each.by_all.append(paid)
                for each in self._by_end.get(name, ()):
                    each.by_end.append(paid)
            for each in self._by_file.get(item["file_id"] or "", ()):
                each.by_all.append(paid)

    def matches(self) -> list[Match]:
        """Return the payments with what the bank says of them, once all of them were looked at.

        Raise `OperatorFault` for a result of a payment or an amount that the run has not, and for results that
        contradict each other.
        """
        found: dict[tuple[str, str], Match] = {}
        for each in self._named:
            result = each.result
            meant = each.named() if result.payment == ALL else _meant(each)
            if not meant:
                self.passed_over.append((result, "NOT_OURS"))
            for paid in meant:
                before = found.get(paid[:2])
                if before is not None and before[1].outcome != result.outcome:
                    raise OperatorFault(f"The results contradict themselves about {result.payment}; nothing was done.")
                if before is not None:
                    self.passed_over.append((before[1], "REPEATED"))
                found[paid[:2]] = (paid, result)
        return list(found.values())


def _names_of(payout_id: str, item: Row) -> set[str]:
    """Return each name that a result may call a payment by: few payments share one, in several currencies."""
    affiliate_id = item["affiliate_id"]
    exchanged_from = item["currency"] if item["sent_currency"] else ""
    return {affiliate_id, end_to_end_id(payout_id, affiliate_id, exchanged_from), paypal_id(affiliate_id),
            ach_id(affiliate_id), bacs_id(affiliate_id)}  # fmt: skip


def _meant(each: _Named) -> list[Paid]:
    """Return the payment that a result names; nothing if it may be another's, `OperatorFault` if it is not one."""
    result = each.result
    found = [paid for paid in each.named() if result.currency in ("", paid.sent_currency)]
    if not found and result.may_be_another:
        return []
    if len(found) != 1:
        what = f"{result.payment!r}{f' in {result.currency}' if result.currency else ''}"
        many = f"which are {len(found)} payments of the run" if found else "which no payment of the run is called"
        raise OperatorFault(f"The results name {what}, {many}; nothing was done.")
    if result.amount_minor not in (None, found[0].sent_minor):
        raise OperatorFault(f"The bank names another amount for {result.payment} than was paid; nothing was done.")
    return found
