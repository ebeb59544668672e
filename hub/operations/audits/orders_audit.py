"""Every stored state is the fold of its order's facts, and who earned is who the order is attributed to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hub.clock import Clock
from hub.domain.money import format_money
from hub.domain.orders.commission import settle
from hub.operations.audits.violations import Violations
from hub.operations.errors import OperatorFault
from hub.operations.orders.conversions import ConversionDetails, assemble, require_conversion
from hub.storage import Store

PAGE: Final = 500
COMMISSIONS: Final = 5_000


async def check_orders(store: Store, clock: Clock, violations: Violations) -> int:
    """Check every conversion with its commission, one page in each short transaction; return how many there are."""
    account_id = conversion_id = ""
    checked = 0
    while True:
        async with store.read() as tx:
            rows = await tx.all("conversions_after", account_id=account_id, conversion_id=conversion_id, limit=PAGE)
            page = await assemble(tx, rows)
        checked += len(rows)
        await check_page(store, clock, page, violations)
        if len(rows) < PAGE:
            return checked
        account_id, conversion_id = rows[-1]["account_id"], rows[-1]["conversion_id"]


async def check_page(store: Store, clock: Clock, page: Sequence[ConversionDetails], violations: Violations) -> None:
    """Check conversions; a suspect is looked at again, since a page may be older than the moment of its check."""
    for suspect in page:
        if not any(faults_of(suspect, clock())):
            continue
        conversion = suspect.conversion
        try:
            async with store.read() as tx:
                details = await require_conversion(tx, conversion.conversion_id)
        except OperatorFault:
            continue  # its test account was emptied meanwhile
        for rule, message in faults_of(details, clock()):
            violations.add(rule, conversion.account_id, conversion.conversion_id, message)


async def check_commissions(store: Store, violations: Violations) -> None:
    """Check that each commission is the only one of its conversion, and earned by whom that names."""
    account_id = commission_id = ""
    while True:
        async with store.read() as tx:
            page = await tx.all(
                "audited_commissions", account_id=account_id, commission_id=commission_id, limit=COMMISSIONS
            )
        for row in page:
            if row["doubled"]:
                violations.add("doubled_commissions", row["account_id"], row["conversion_id"])
            if row["unearned"]:
                violations.add("unearned_commissions", row["account_id"], row["commission_id"])
        if len(page) < COMMISSIONS:
            return
        account_id, commission_id = page[-1]["account_id"], page[-1]["commission_id"]


def faults_of(details: ConversionDetails, now: int) -> Iterator[tuple[str, str]]:
    """Yield the rules that a conversion breaks at `now` (ms UTC), each with its sentence, empty for the rule's own."""
    conversion = details.conversion
    if details.commission is None and (conversion.confidence == "HIGH" or conversion.review == "ATTRIBUTED"):
        yield "missing_commissions", ""
    if found := differences(details, now):
        yield "fold", f"The commission does not follow from the order's facts: {'; '.join(found)}."


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
    """Whether the timer may still have to release the hold, which is no fault.

    One ended a moment ago, or while no server ran, or waits for the deposit or the shop. There may be news of the order
    meanwhile: by its facts it was payable when they came.
    """
    held = details.commission
    if held is None or held.state not in ("HOLD", "APPROVED") or held.hold_until is None or held.hold_until > now:
        return False
    return details.life(held.hold_until - 1).state in (held.state, "PAYABLE")


def is_earned(details: ConversionDetails) -> bool:
    """Return whether a conversion's commission, if it has one, is that of whom the conversion is attributed to."""
    conversion, commission = details.conversion, details.commission
    if commission is None:
        return True
    return conversion.affiliate_id == commission.affiliate_id and conversion.review not in ("OPEN", "DISMISSED")
