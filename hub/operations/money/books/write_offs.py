"""What affiliates owe the network: refunds of what they were paid. Its age, and debts that are written off.

The merchant has its credit in the month of the refund, so a balance below zero is the network's receivable. Later
commissions are held against it, of which the affiliate is reminded. What will never be paid back is written off by two
people: the entry takes it from the network's `losses`, and no merchant is billed for it.
"""

from __future__ import annotations

from typing import Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.domain.books.book_time import day_of
from hub.domain.books.reminders import level_due
from hub.domain.durations import DAY
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.ids import new_id
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.checks import checked_currency, checked_name
from hub.operations.errors import OperatorFault
from hub.operations.money.books.adjustments import AdjustmentDocument, checked_signed_amount, note_proposal
from hub.operations.money.books.books import RUN_LOCK, zone_of_books
from hub.operations.trail import current_actor
from hub.processing.adjustments import Adjustment
from hub.processing.notices import tell
from hub.storage import Row, Store

DEBTS_SECONDS: Final = 900
"""How often the hub looks whether a reminder is due."""


class DebtDocument(TypedDict):
    """What an affiliate owes in one currency: `amount` is positive decimal text, `days` how old its oldest part is."""

    affiliateId: str
    affiliateName: str | None
    currency: str
    amount: str
    since: str
    days: int
    proposed: str
    """Of it, what is proposed to be written off."""


async def list_debts(store: Store, clock: Clock) -> list[DebtDocument]:
    """Return the live balances below zero, the oldest first."""
    async with store.read() as tx:
        rows = await tx.all("debts", affiliate_id=None)
    now = clock()
    return [
        {
            "affiliateId": row["affiliate_id"],
            "affiliateName": row["affiliate_name"],
            "currency": row["currency"],
            "amount": format_money(-row["minor"], row["currency"]),
            "since": format_instant(row["since"]),
            "days": (now - row["since"]) // DAY,
            "proposed": format_money(row["proposed_minor"], row["currency"]),
        }
        for row in rows
    ]


async def propose_write_off(
    store: Store, clock: Clock, affiliate: str, *, currency: str, reason: str, amount: str | None = None
) -> AdjustmentDocument:
    """Propose to write off what an affiliate owes in a currency, all of it or an amount; another person approves it.

    Raise `OperatorFault` if the affiliate owes less, with what is proposed already.
    """
    code, why = checked_currency(currency), checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        affiliate_id, now = (await require_affiliate(tx, affiliate))["affiliate_id"], clock()
        rows = [row for row in await tx.all("debts", affiliate_id=affiliate_id) if row["currency"] == code]
        owed = sum(-row["minor"] - row["proposed_minor"] for row in rows)
        minor = owed if amount is None else checked_signed_amount(amount, code)
        if not 0 < minor <= owed:
            raise OperatorFault(
                f"Affiliate {affiliate_id} owes {format_money(max(0, owed), code)} {code} that nobody has proposed to "
                "write off; an amount is more than nothing and at most that.",
                command="`hub balance owing` shows who owes what.",
            )
        made = Adjustment(
            rows[0]["account_id"], new_id("adj"), affiliate_id, "written_off", minor, code, why, None, None, None, None,
            "PROPOSED", current_actor().id, now, None, None, None,
        )  # fmt: skip
        return await note_proposal(tx, made, now)


@frozen
class DebtReminders:
    """Reminds affiliates of what they owe; `moments` is how long (ms) after a debt began each level is due."""

    store: Store
    clock: Clock
    moments: tuple[int, ...]

    async def send(self) -> int:
        """Tell what is due, each level once on however many nodes; return how many debts were reminded of."""
        now = self.clock()
        async with self.store.read() as tx:
            rows = await tx.all("debts", affiliate_id=None)
            last = {
                (row["affiliate_id"], row["currency"], row["since"]): row["level"]
                for row in await tx.all("reminded_debts")
            }
        sent = 0
        for row in rows:
            level = level_due(row["since"], now, self.moments, last.get(_debt(row), 0))
            sent += level is not None and await self._remind(row, level, now)
        return sent

    async def _remind(self, debt: Row, level: int, now: int) -> bool:
        affiliate_id, currency, since = _debt(debt)
        async with self.store.write() as tx:
            if not await tx.run(
                "note_debt_reminder", affiliate_id=affiliate_id, currency=currency, since=since, level=level,
                owed_minor=-debt["minor"], now=now,
            ):  # fmt: skip
                return False
            day = day_of(since, await zone_of_books(tx)).isoformat()
            words = (
                f"You owe {format_money(-debt['minor'], currency)} {currency} since {day}, because orders that you were"
                " paid for were refunded. What you earn in this currency is held against it."
            )
            await tell(tx, now, "balance-owed", affiliate_id, words, "/affiliate/payouts")
            return True


def _debt(row: Row) -> tuple[str, str, int]:
    return row["affiliate_id"], row["currency"], row["since"]
