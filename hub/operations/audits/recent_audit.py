"""The audit of what came since an earlier one that found nothing wrong.

Where that one ended is kept outside of the database: the heads of the ledger's chains, and the number of the last
change. What was written since is named by the change feed, which triggers note whoever writes, a hand in the database
included. So an audit of an hour takes as long as that hour's orders, however many there were before.

What can only be seen on the whole is left to the audit of everything: that each event has its claim, the figures, and
what `hub.operations.money.ledger.recent_proof` leaves to the whole proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from hub.clock import Clock
from hub.domain.books.ledger import Head
from hub.domain.instants import format_instant
from hub.operations.audits.orders_audit import check_page, is_earned
from hub.operations.audits.submissions_audit import submission_counts
from hub.operations.audits.violations import AuditDocument, Violations
from hub.operations.money.ledger.recent_proof import verify_since
from hub.operations.orders.conversions import ConversionDetails, assemble
from hub.storage import Row, Store, Tx

PAGE: Final = 500
RECORDS: Final = ("conversion", "event")
"""What is looked at again: a commission is told with its conversion."""


@frozen
class Mark:
    """How far everything was proved: when that ended (ms UTC), the heads of the chains, and the last change."""

    proved_at: int
    heads: Mapping[str, Head]
    change: int


@define
class _Seen:
    """What was checked so far."""

    violations: Violations
    orders: int = 0
    states: Counter[str] = field(factory=Counter)


async def last_change(store: Store) -> int:
    """Return the number of the last change: whoever sees it sees all with a lower one."""
    row = await store.fetch_one("change_head")
    return 0 if row is None else int(row["number"])


async def audit_since(store: Store, clock: Clock, mark: Mark, most: int) -> tuple[AuditDocument, Mark]:
    """Audit what came since a mark; return what was found, and the mark from which the next one goes on.

    May run beside a server at any time: what changes meanwhile, or has no number yet, is left for the next time.
    """
    change, seen = await last_change(store), _Seen(Violations(most))
    async with store.read() as tx:
        accounts = await tx.all("accounts_named")
    for account in accounts:
        await _check_account(store, clock, account, mark.change, seen)
    books = await verify_since(store, mark.heads, mark.proved_at, most)
    seen.violations.add_faults(books["faults"])
    document: AuditDocument = {
        **submission_counts(seen.states.total(), seen.states),
        "since": format_instant(mark.proved_at),
        "conversionsChecked": seen.orders,
        "ledgerEntriesChecked": books["entries"],
        "figuresChecked": 0,
        "figuresLeftOut": len(accounts),
        "violations": seen.violations.found,
    }
    heads = {each["accountId"]: Head(each["accountId"], each["entries"], each["hash"]) for each in books["heads"]}
    return document, Mark(clock(), heads, change)


async def _check_account(store: Store, clock: Clock, account: Row, after: int, seen: _Seen) -> None:
    """Check the orders and submissions of an account that changed after a number."""
    place = {"number": after + 1, "record_type": "", "record_id": ""}
    while True:
        async with store.read() as tx:
            page = await tx.all(
                "changes_of_account", account_id=account["account_id"], types=RECORDS, limit=PAGE, **place
            )
            changed = await _read(tx, account["account_id"], page)
        await check_page(store, clock, changed.orders, seen.violations)
        _note(account, changed, seen)
        if len(page) < PAGE:
            return
        place = {name: page[-1][name] for name in place}


@frozen
class _Changed:
    """A page of what changed: the ids that the feed names, and what is there of them."""

    order_ids: Sequence[str]
    event_ids: Sequence[str]
    orders: Sequence[ConversionDetails]
    events: Mapping[str, Row]


async def _read(tx: Tx, account_id: str, page: Sequence[Row]) -> _Changed:
    """Read what changed, with the events that made the orders."""
    order_ids, event_ids = ([row["record_id"] for row in page if row["record_type"] == kind] for kind in RECORDS)
    rows = await tx.all("conversions_told", account_id=account_id, ids=order_ids) if order_ids else []
    orders = await assemble(tx, rows)
    keys = [(account_id, each) for each in (*event_ids, *(order.conversion.event_id for order in orders))]
    found = await tx.all("audited_events_of", events=keys) if keys else []
    return _Changed(order_ids, event_ids, orders, {row["event_id"]: row for row in found})


def _note(account: Row, changed: _Changed, seen: _Seen) -> None:
    """Count what is there, and name what is missing; who empties a test account deletes what it has."""
    account_id, violations = account["account_id"], seen.violations
    seen.orders += len(changed.orders)
    seen.states.update(row["status"] for row in changed.events.values())
    for row in changed.events.values():
        if row["unrecorded"]:
            violations.add("unrecorded_orders", account_id, row["event_id"])
    for order in changed.orders:
        if order.conversion.event_id not in changed.events:
            violations.add("lost_events", account_id, order.conversion.event_id)
        if not is_earned(order):
            violations.add("unearned_commissions", account_id, order.conversion.conversion_id)
    if account["mode"] != "live":
        return
    there = {order.conversion.conversion_id for order in changed.orders}
    for missing in sorted(set(changed.order_ids) - there):
        violations.add("unrecorded_orders", account_id, missing)
    for missing in sorted(set(changed.event_ids) - changed.events.keys()):
        violations.add("lost_events", account_id, missing)
