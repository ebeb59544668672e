"""The audit: nothing accepted is lost, nothing is paid twice, and every stored state is the fold of its facts."""

from __future__ import annotations

from typing import TypedDict

from hub.clock import Clock
from hub.domain.commission import settle
from hub.domain.money import format_money
from hub.operations.audits.figures_audit import check_figures
from hub.operations.money.faults import LedgerFault
from hub.operations.money.ledger import verify_ledger
from hub.operations.orders.conversions import ConversionDetails, assemble, require_conversion
from hub.storage import Store

PAGE = 500
SHOWN_PER_RULE = 100
"""At most this many examples of a broken rule are reported, unless all are wanted; one is enough to fail the audit."""

RULES = {
    "audit_lost_events": "A submission was accepted, but its event is missing.",
    "audit_unclaimed_events": "An event holds no claim, so the same submission could happen twice.",
    "audit_unrecorded_orders": "An event was processed, but its conversion is missing.",
    "audit_doubled_commissions": "A conversion has more than one commission.",
    "audit_missing_commissions": "An attributed conversion has no commission.",
    "audit_unearned_commissions": "A commission exists for a conversion that is not attributed to its affiliate.",
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

    `figuresChecked` are the accounts whose figures were compared with their orders, `figuresLeftOut` those with changes
    that were not counted yet: an audit in a quiet moment compares them, too.
    """

    conversionsChecked: int
    ledgerEntriesChecked: int
    figuresChecked: int
    figuresLeftOut: int
    violations: list[ViolationDocument]


async def audit(store: Store, clock: Clock, most: int = SHOWN_PER_RULE) -> AuditDocument:
    """Count submissions by what became of them and list every broken rule; may run beside a server at any time.

    Of a rule that is broken at most so many violations are named.

    Raises StoreUnusable for a damaged SQLite file.
    """
    await store.check_integrity()
    counts = await _count(store)
    violations = [*_conservation(counts), *await _broken_rules(store, most)]
    checked, wrong = await _check_states(store, clock)
    books = await verify_ledger(store, most=most)
    wrong += [_of_ledger(fault) for fault in books["faults"]]
    figures = await check_figures(store, clock)
    wrong += [
        {"rule": "figures", "accountId": each["accountId"], "id": None, "message": each["message"]}
        for each in figures.wrong
    ]
    return {
        **counts,
        "conversionsChecked": checked,
        "ledgerEntriesChecked": books["entries"],
        "figuresChecked": figures.checked,
        "figuresLeftOut": figures.left_out,
        "violations": violations + wrong,
    }


def _of_ledger(fault: LedgerFault) -> ViolationDocument:
    about = fault["commissionId"] or (None if fault["entry"] is None else f"entry {fault['entry']}")
    return {"rule": "ledger", "accountId": fault["accountId"], "id": about, "message": fault["message"]}


async def _count(store: Store) -> SubmissionCounts:
    # One statement, so that all counts are of the same moment on either database.
    async with store.read() as tx:
        events = {row["status"]: row["events"] for row in await tx.all("audit_counts")}
    return {
        "accepted": events.get("ACCEPTED", 0),
        "processed": events.get("PROCESSED", 0),
        "skipped": events.get("SKIPPED", 0),
        "waiting": events.get("RECEIVED", 0) + events.get("QUEUED", 0),
        "parked": events.get("PARKED", 0),
        "unmatched": events.get("UNMATCHED", 0),
        "failed": events.get("FAILED", 0),
    }


def _conservation(counts: SubmissionCounts) -> list[ViolationDocument]:
    accounted = (
        counts["processed"] + counts["skipped"] + counts["waiting"] + counts["parked"] + counts["unmatched"]
        + counts["failed"]
    )  # fmt: skip
    if accounted == counts["accepted"]:
        return []
    text = f"{counts['accepted']} submissions were accepted, but {accounted} are accounted for."
    return [{"rule": "conservation", "accountId": None, "id": None, "message": text}]


async def _broken_rules(store: Store, most: int) -> list[ViolationDocument]:
    violations: list[ViolationDocument] = []
    for query, message in RULES.items():
        async with store.read() as tx:
            rows = await tx.all(query, limit=most)
        rule = query.removeprefix("audit_")
        violations += [
            {"rule": rule, "accountId": row["account_id"], "id": row["id"], "message": message} for row in rows
        ]
    return violations


async def _check_states(store: Store, clock: Clock) -> tuple[int, list[ViolationDocument]]:
    """Fold every conversion's facts, one page in each short transaction; return how many, and what differs."""
    account_id = conversion_id = ""
    checked, wrong = 0, []
    while True:
        async with store.read() as tx:
            rows = await tx.all("conversions_after", account_id=account_id, conversion_id=conversion_id, limit=PAGE)
            page = await assemble(tx, rows)
        checked += len(rows)
        suspects = [details for details in page if differences(details, clock())]
        wrong += [found for suspect in suspects if (found := await _check_again(store, clock, suspect)) is not None]
        if len(rows) < PAGE:
            return checked, wrong
        account_id, conversion_id = rows[-1]["account_id"], rows[-1]["conversion_id"]


async def _check_again(store: Store, clock: Clock, suspect: ConversionDetails) -> ViolationDocument | None:
    """Check a suspect once more: on PostgreSQL two statements of one page may see two states of the data."""
    conversion = suspect.conversion
    async with store.read() as tx:
        details = await require_conversion(tx, conversion.conversion_id)
    found = differences(details, clock())
    if not found:
        return None
    return {
        "rule": "fold",
        "accountId": conversion.account_id,
        "id": conversion.conversion_id,
        "message": f"The commission does not follow from the order's facts: {'; '.join(found)}.",
    }


def differences(details: ConversionDetails, now: int) -> list[str]:
    """Return in words how the stored commission differs from what its facts make of it at `now` (ms UTC)."""
    commission = details.commission
    if commission is None:
        return []
    life = details.life(now)
    settled = settle(commission.terms, details.conversion.paid_minor, details.conversion.lines, life.refunds)
    found = []
    if commission.state != life.state and not _release_is_due(details, now):
        found.append(f"it is {commission.state} and should be {life.state}")
    if commission.state != "PAID" and commission.hold_until != life.hold_until:
        found.append(f"its hold ends at {commission.hold_until} and should end at {life.hold_until}")
    for name, stored, due in (
        ("amount", commission.amount_minor, settled.amount_minor),
        ("base", commission.base_minor, settled.base_minor),
    ):
        if stored != due:
            currency = commission.currency
            found.append(f"its {name} is {format_money(stored, currency)} and should be {format_money(due, currency)}")
    return found


def _release_is_due(details: ConversionDetails, now: int) -> bool:
    """Whether the next timer releases the hold; one that ended a moment ago, or while no server ran, is no fault."""
    held = details.commission
    if held is None or held.state not in ("HOLD", "APPROVED") or held.hold_until is None or held.hold_until > now:
        return False
    return details.life(held.hold_until - 1).state == held.state
