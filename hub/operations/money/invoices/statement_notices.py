"""The notice that a month's statement is ready: told to each live merchant once, from an hour after the month's end."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.books.book_time import month_before, span_of_month
from hub.domain.money import format_money
from hub.operations.money.books.books import books_zone
from hub.operations.money.invoices.merchant_invoices import AFTER_MS
from hub.operations.money.invoices.statements import owed_in
from hub.processing.notices import tell
from hub.storage import Store, Tx

STATEMENTS_SECONDS: Final = 3_600
AT_ONCE: Final = 100


@frozen
class StatementNotices:
    """Tells merchants of their statements."""

    store: Store
    clock: Clock

    async def tell(self) -> int:
        """Tell every live merchant that owes something for the last month, once; return how many accounts were seen."""
        now, zone = self.clock(), await books_zone(self.store)
        month = month_before(now - AFTER_MS, zone)
        span, seen = span_of_month(month, zone), 0
        while True:
            async with self.store.write() as tx:
                accounts = await tx.all("accounts_without_statement", month=month, limit=AT_ONCE)
                for row in accounts:
                    await _tell(tx, now, row["account_id"], row["merchant_id"], month, span)
            seen += len(accounts)
            if len(accounts) < AT_ONCE:
                return seen


async def _tell(tx: Tx, now: int, account_id: str, merchant_id: str, month: str, span: tuple[int, int]) -> None:
    owed = await owed_in(tx, account_id, *span)
    if owed:
        sums = ", ".join(f"{format_money(each.total_minor, each.currency)} {each.currency}" for each in owed)
        place = f"/merchant/statements/month?mode=live&month={month}"
        sentence = f"Your statement of {month} is ready: {sums}."
        await tell(tx, now, "statement-ready", merchant_id, sentence, place)
    await tx.run("write_told_mark", account_id=account_id, kind="statement-ready", subject_id="", mark=month)
