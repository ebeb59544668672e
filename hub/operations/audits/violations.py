"""What an audit finds: the rules that it checks, and the violations of them, of each rule up to a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from attrs import define, field

from hub.operations.money.ledger.faults import LedgerFault

SHOWN_PER_RULE: Final = 100
"""At most this many examples of a broken rule are reported, unless all are wanted; one is enough to fail the audit."""

RULES: Final[Mapping[str, str]] = {
    "lost_events": "A submission was accepted, but its event is missing.",
    "unclaimed_events": "An event holds no claim, so the same submission could happen twice.",
    "unrecorded_orders": "An event was processed, but its conversion is missing.",
    "doubled_commissions": "A conversion has more than one commission.",
    "missing_commissions": "An attributed conversion has no commission.",
    "unearned_commissions": "A commission exists for a conversion that is not attributed to its affiliate.",
}


class ViolationDocument(TypedDict):
    """A broken rule; `id` is the event or conversion, and without one the rule is about all of them."""

    rule: str
    accountId: str | None
    id: str | None
    message: str


class SubmissionCounts(TypedDict):
    """How many submissions were accepted, and how many of them are in each state."""

    accepted: int
    processed: int
    skipped: int
    waiting: int
    parked: int
    unmatched: int
    failed: int


class AuditDocument(SubmissionCounts):
    """The counts, how many conversions and ledger entries were checked, and every violation.

    `since` is the end of the audit whose mark this one went on from, null if everything was looked at; what is counted
    is then what changed since. `figuresChecked` are the accounts whose figures were compared with their orders,
    `figuresLeftOut` those with changes that were not counted yet: an audit in a quiet moment compares them, too. An
    audit of what changed compares none.
    """

    since: str | None
    conversionsChecked: int
    ledgerEntriesChecked: int
    figuresChecked: int
    figuresLeftOut: int
    violations: list[ViolationDocument]


@define
class Violations:
    """The violations that were found, at most so many of each rule."""

    most: int = SHOWN_PER_RULE
    found: list[ViolationDocument] = field(factory=list)
    _counts: Counter[str] = field(factory=Counter, init=False)
    _known: set[tuple[str, str | None, str]] = field(factory=set, init=False)

    def add(self, rule: str, account_id: str | None, subject: str | None, message: str = "") -> None:
        """Add a violation once, unless there are enough of its rule; without a message it is what the rule says."""
        if subject is not None and rule in RULES:
            if (rule, account_id, subject) in self._known:
                return
            self._known.add((rule, account_id, subject))
        self._counts[rule] += 1
        if self._counts[rule] <= self.most:
            self.found.append({"rule": rule, "accountId": account_id, "id": subject, "message": message or RULES[rule]})

    def add_faults(self, faults: Sequence[LedgerFault]) -> None:
        """Add what a proof of the ledger found."""
        for fault in faults:
            about = fault["commissionId"] or (None if fault["entry"] is None else f"entry {fault['entry']}")
            self.add("ledger", fault["accountId"], about, fault["message"])
