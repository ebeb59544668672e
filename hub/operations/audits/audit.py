"""The audit: nothing accepted is lost, nothing is paid twice, and every stored state is the fold of its facts."""

from __future__ import annotations

from hub.clock import Clock
from hub.domain.books.ledger import Head
from hub.operations.audits.figures_audit import check_figures
from hub.operations.audits.orders_audit import check_commissions, check_orders
from hub.operations.audits.recent_audit import Mark, last_change
from hub.operations.audits.submissions_audit import check_submissions
from hub.operations.audits.violations import SHOWN_PER_RULE, AuditDocument, Violations
from hub.operations.money.ledger.ledger import verify_ledger
from hub.storage import Store


async def audit(store: Store, clock: Clock, most: int = SHOWN_PER_RULE) -> AuditDocument:
    """Count submissions by what became of them and list every broken rule; may run beside a server at any time.

    Of a rule that is broken at most so many violations are named. Everything is read in pages, each in a short
    transaction.

    Raises StoreUnusable for a damaged SQLite file.
    """
    document, _ = await audit_all(store, clock, most)
    return document


async def audit_all(store: Store, clock: Clock, most: int = SHOWN_PER_RULE) -> tuple[AuditDocument, Mark]:
    """Do so, and return the mark from which an audit of what comes later goes on."""
    await store.check_integrity()
    change, violations = await last_change(store), Violations(most)
    counts = await check_submissions(store, violations)
    await check_commissions(store, violations)
    checked = await check_orders(store, clock, violations)
    books = await verify_ledger(store, most=most)
    violations.add_faults(books["faults"])
    figures = await check_figures(store, clock)
    for each in figures.wrong:
        violations.add("figures", each["accountId"], None, each["message"])
    document: AuditDocument = {
        **counts,
        "since": None,
        "conversionsChecked": checked,
        "ledgerEntriesChecked": books["entries"],
        "figuresChecked": figures.checked,
        "figuresLeftOut": figures.left_out,
        "violations": violations.found,
    }
    heads = {each["accountId"]: Head(each["accountId"], each["entries"], each["hash"]) for each in books["heads"]}
    return document, Mark(clock(), heads, change)
