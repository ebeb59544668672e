"""What happens to money by the clock, if the settings say so: drafts of runs, invoices, and reminders of them."""

from __future__ import annotations

from hub.clock import Clock
from hub.config.settings import Settings
from hub.domain.books.reminders import levels
from hub.mail.outbox import Outbox
from hub.operations.money.books.write_offs import DEBTS_SECONDS, DebtReminders
from hub.operations.money.invoices.monthly_invoices import INVOICES_SECONDS, MonthlyInvoices
from hub.operations.money.invoices.statement_notices import STATEMENTS_SECONDS, StatementNotices
from hub.operations.money.payouts.overdue import REMIND_SECONDS, Reminders
from hub.operations.money.payouts.pay_dates import DRAFT_SECONDS, ScheduledRuns
from hub.operations.money.rates.volume_bonuses import VOLUME_SECONDS, VolumeBonuses
from hub.operations.money.receipts.bank_report_runs import READ_SECONDS, reader_of_server
from hub.operations.money.tax.billing import Billing, billing_of
from hub.operations.money.tax.vat_checks import LOOK_SECONDS, VatLooks, register_of
from hub.operations.system.branding import issuer_of
from hub.processing.scheduler import Scheduler
from hub.sealing import Sealer
from hub.storage import Store


def schedule_money(
    settings: Settings, store: Store, sealer: Sealer, clock: Clock, scheduler: Scheduler, outbox: Outbox
) -> None:  # fmt: skip
    """Give the scheduler what the settings of payouts ask for."""
    payouts = settings.payouts
    scheduler.every(STATEMENTS_SECONDS, "tell_statements", StatementNotices(store, clock).tell)
    scheduler.every(VOLUME_SECONDS, "book_volume_bonuses", VolumeBonuses(store, clock).book)
    scheduler.every(READ_SECONDS, "read_bank_reports", reader_of_server(store, sealer, clock).read)
    register = register_of(settings)
    if register is not None:
        scheduler.every(LOOK_SECONDS, "look_up_vat", VatLooks(store, sealer, clock, payouts, register).look)
    if payouts.reminders:
        reminders = Reminders(store, clock, payouts, outbox, settings.server)
        scheduler.every(REMIND_SECONDS, "remind_of_invoices", reminders.send)
    if payouts.debt_reminders:
        debts = DebtReminders(store, clock, levels(payouts.debt_reminders))
        scheduler.every(DEBTS_SECONDS, "remind_of_debts", debts.send)
    if payouts.pay_day:
        scheduler.every(DRAFT_SECONDS, "draft_payouts", ScheduledRuns(store, clock, payouts).draft)
    if payouts.merchant_invoices == "monthly":

        async def billing() -> Billing:
            return billing_of(await issuer_of(store, settings), payouts)

        invoices = MonthlyInvoices(store, clock, billing)
        scheduler.every(INVOICES_SECONDS, "monthly_invoices", invoices.issue)
