"""What happens to money by the clock, if the settings say so: runs are drafted, and invoices issued."""

from __future__ import annotations

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.operations.money.billing import billing_of
from hub.operations.money.monthly_invoices import INVOICES_SECONDS, MonthlyInvoices
from hub.operations.money.pay_dates import DRAFT_SECONDS, ScheduledRuns
from hub.processing.scheduler import Scheduler
from hub.storage import Store


def schedule_money(settings: PayoutSettings, issuer: str, store: Store, clock: Clock, scheduler: Scheduler) -> None:
    """Give the scheduler what the settings of payouts ask for; `issuer` is the network's name on invoices."""
    if settings.pay_day:
        scheduler.every(DRAFT_SECONDS, "draft_payouts", ScheduledRuns(store, clock, settings).draft)
    if settings.merchant_invoices == "monthly":
        invoices = MonthlyInvoices(store, clock, billing_of(issuer, settings))
        scheduler.every(INVOICES_SECONDS, "monthly_invoices", invoices.issue)
