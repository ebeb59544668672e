"""The audit: nothing accepted is lost, nothing is paid twice, and every stored state is the fold of its facts."""

from __future__ import annotations

from hub.clock import Clock
from hub.domain.commission import settle
from hub.domain.money import format_money
from hub.operations.conversions import Dossier, assemble, require_conversion
from hub.operations.documents import Document
from hub.storage import Store

PAGE = 500
SHOWN_PER_RULE = 100
"""A broken rule is reported with so many examples at most; one is enough to fail the audit."""

COUNTED = {
    "accepted": ("ACCEPTED",),
    "processed": ("PROCESSED",),
    "skipped": ("SKIPPED",),
    "waiting": ("RECEIVED", "QUEUED"),
    "parked": ("PARKED",),
    "unmatched": ("UNMATCHED",),
    "failed": ("FAILED",),
}

RULES = {
    "audit_lost_events": "A submission was accepted, but its event is missing.",
    "audit_unclaimed_events": "An event holds no claim, so the same submission could happen twice.",
    "audit_unrecorded_orders": "An event was processed, but its conversion is missing.",
    "audit_doubled_commissions": "A conversion has more than one commission.",
    "audit_missing_commissions": "An attributed conversion has no commission.",
    "audit_unearned_commissions": "A commission exists for a conversion that is not attributed to its affiliate.",
}


async def audit(store: Store, clock: Clock) -> Document:
    """Counts submissions by what became of them and lists every broken rule; runs beside the server at any time."""
    counts = await _count(store)
    violations = [*_conservation(counts), *await _broken_rules(store)]
    checked, astray = await _check_states(store, clock)
    return {**counts, "conversionsChecked": checked, "violations": violations + astray}


async def _count(store: Store) -> dict[str, int]:
    # One statement, so that all counts are of the same moment on either database.
    async with store.read() as tx:
        found = {row["status"]: row["events"] for row in await tx.all("audit_counts")}
    return {name: sum(found.get(status, 0) for status in statuses) for name, statuses in COUNTED.items()}


def _conservation(counts: dict[str, int]) -> list[Document]:
    accounted = sum(counts.values()) - counts["accepted"]
    if accounted == counts["accepted"]:
        return []
    text = f"{counts['accepted']} submissions were accepted, but {accounted} are accounted for."
    return [{"rule": "conservation", "accountId": None, "id": None, "message": text}]


async def _broken_rules(store: Store) -> list[Document]:
    violations = []
    for query, message in RULES.items():
        async with store.read() as tx:
            rows = await tx.all(query, limit=SHOWN_PER_RULE)
        rule = query.removeprefix("audit_")
        violations += [
            {"rule": rule, "accountId": row["account_id"], "id": row["id"], "message": message} for row in rows
        ]
    return violations


async def _check_states(store: Store, clock: Clock) -> tuple[int, list[Document]]:
    """Folds every conversion's facts, a page in a short transaction at a time; returns how many, and what differs."""
    account_id = conversion_id = ""
    checked, astray = 0, []
    while True:
        async with store.read() as tx:
            rows = await tx.all("conversions_after", account_id=account_id, conversion_id=conversion_id, limit=PAGE)
            dossiers = await assemble(tx, rows)
        checked += len(rows)
        suspects = [dossier for dossier in dossiers if differences(dossier, clock())]
        astray += [found for suspect in suspects if (found := await _look_again(store, clock, suspect)) is not None]
        if len(rows) < PAGE:
            return checked, astray
        account_id, conversion_id = rows[-1]["account_id"], rows[-1]["conversion_id"]


async def _look_again(store: Store, clock: Clock, suspect: Dossier) -> Document | None:
    """Reads a suspect once more: on PostgreSQL two statements of one page may see two moments."""
    conversion = suspect.conversion
    async with store.read() as tx:
        dossier = await require_conversion(tx, conversion.conversion_id)
    found = differences(dossier, clock())
    if not found:
        return None
    return {
        "rule": "fold",
        "accountId": conversion.account_id,
        "id": conversion.conversion_id,
        "message": f"The commission does not follow from the order's facts: {'; '.join(found)}.",
    }


def differences(dossier: Dossier, now: int) -> list[str]:
    """What of the stored commission does not follow from the facts, in words; empty where all of it does."""
    commission = dossier.commission
    if commission is None:
        return []
    life = dossier.life(now)
    settled = settle(commission.terms, dossier.conversion.paid_minor, dossier.conversion.lines, life.refunds)
    found = []
    if commission.state != life.state and not _release_is_due(dossier, now):
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


def _release_is_due(dossier: Dossier, now: int) -> bool:
    """A hold that ended a moment ago, or while no server ran, is released by the next timer: that is no fault."""
    held = dossier.commission
    if held is None or held.state not in ("HOLD", "APPROVED") or held.hold_until is None or held.hold_until > now:
        return False
    return dossier.life(held.hold_until - 1).state == held.state
