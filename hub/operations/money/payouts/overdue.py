"""What merchants owe overdue: they are reminded of it, level by level, and above a limit runs pay nothing of theirs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.config.sections import ServerSettings
from hub.domain.books.book_time import day_of
from hub.domain.books.receivables import creditor_reference, invoice_number
from hub.domain.books.reminders import level_due, levels
from hub.domain.money import format_money
from hub.domain.payouts.payouts import amount_for, amounts_by_currency
from hub.mail.outbox import Mail, Outbox
from hub.operations.affiliates.links import public_root_in
from hub.operations.money.books.books import zone_of_books
from hub.processing.notices import tell
from hub.storage import Row, Store, Tx

REMIND_SECONDS: Final = 900
"""How often the hub looks whether a reminder is due."""
ORDINALS: Final = ("First", "Second", "Third")


class StoppedMerchant(TypedDict):
    """A merchant whose commissions a run leaves out: what it owes overdue, as decimal text, and the limit of that."""

    merchantId: str
    merchantName: str
    currency: str
    overdue: str
    limit: str


async def stopped_merchants(tx: Tx, settings: PayoutSettings, mode: str, now: int) -> list[Row]:
    """Return the accounts that owe more overdue than the settings allow, by currency (`now`: ms UTC); none of TEST."""
    if not settings.overdue_limit or mode != "live":
        return []
    limits = amounts_by_currency(settings.overdue_limit)
    rows = await tx.all("overdue_sums", now=now)
    return [row for row in rows if (limit := amount_for(limits, row["currency"])) is not None
            and row["overdue_minor"] > limit]  # fmt: skip


def stopped_keys(stopped: Sequence[Row]) -> list[str]:
    """Return the accounts and currencies of which a run pays nothing, as its queries take them: "acc_1 EUR"."""
    return [f"{row['account_id']} {row['currency']}" for row in stopped]


def stopped_document(row: Row, settings: PayoutSettings) -> StoppedMerchant:
    """Return the document of an account that owes too much."""
    currency = row["currency"]
    limit = amount_for(amounts_by_currency(settings.overdue_limit), currency) or 0
    return {
        "merchantId": row["merchant_id"],
        "merchantName": row["name"],
        "currency": currency,
        "overdue": format_money(row["overdue_minor"], currency),
        "limit": format_money(limit, currency),
    }


@frozen
class Reminders:
    """Reminds merchants of invoices that are overdue; `[payouts] reminders` says when."""

    store: Store
    clock: Clock
    settings: PayoutSettings
    outbox: Outbox
    server: ServerSettings

    async def send(self) -> int:
        """Write the mails that are due, each once on however many nodes; return how many invoices were reminded of."""
        moments, now, sent = levels(self.settings.reminders), self.clock(), 0
        async with self.store.read() as tx:
            rows = await tx.all("overdue_invoices", due=now - min(moments, default=0))
        for row in rows:
            level = level_due(row["due_at"], now, moments, row["level"])
            sent += level is not None and await self._remind(row["invoice_no"], level, now)
        return sent

    async def _remind(self, number: int, level: int, now: int) -> bool:
        async with self.store.write() as tx:
            if not await tx.run("note_reminder", invoice_no=number, level=level, now=now):
                return False
            row = await tx.one("invoice_to_remind", invoice_no=number)
            if row is not None:
                values = await self._values(tx, row, level, now)
                link = f"{(await public_root_in(tx, self.server)).rstrip('/')}/merchant/statements/invoices"
                await self.outbox.add(tx, now, Mail(row["email"], "invoice-overdue", values, link=link))
                words = f"Invoice {values['number']} is overdue: {values['left']} {values['currency']} are left to pay."
                await tell(tx, now, "invoice-overdue", row["merchant_id"], words,
                           "/merchant/statements/invoices?mode=live", actor="")  # fmt: skip
            return True

    async def _values(self, tx: Tx, row: Row, level: int, now: int) -> Mapping[str, str]:
        currency = row["currency"]
        stopped = await stopped_merchants(tx, self.settings, "live", now)
        return {
            "ordinal": ORDINALS[level - 1] if level <= len(ORDINALS) else f"{level}th",
            "number": invoice_number(row["issuer_id"], row["series_no"]),
            "issuer": json.loads(row["issuer"])["name"],
            "merchant": row["name"],
            "total": format_money(row["total_minor"], currency),
            "left": format_money(row["left_minor"], currency),
            "currency": currency,
            "due": day_of(row["due_at"], await zone_of_books(tx)).isoformat(),
            "reference": creditor_reference(row["invoice_no"]),
            "pay_to": row["pay_to"],
            "stops": "yes" if row["merchant_id"] in {each["merchant_id"] for each in stopped} else "",
        }
