"""Balances that nobody has been paid and nothing has come to for a long time: who is asked for payment details."""

from __future__ import annotations

from typing import Final, TypedDict

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.exchange import sent_as
from hub.domain.durations import DAY
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.payouts.payouts import amount_for, amounts_by_currency, missing_for
from hub.domain.words import MissingForPayment
from hub.operations.money.books.exchange_rates import rates_in_force
from hub.operations.money.rates.payabilities import NOBODY, payabilities_of
from hub.storage import Store

USUAL_DAYS: Final = 365


class DormantBalance(TypedDict):
    """A live balance in one currency that no run has reserved; `amount` is decimal text.

    Nothing came to it since `lastMoved`, `days` ago. `missing` is what keeps it from being paid; nothing: the next run
    pays it.
    """

    affiliateId: str
    affiliateName: str | None
    currency: str
    amount: str
    lastMoved: str
    days: int
    missing: list[MissingForPayment]


async def dormant_balances(
    store: Store, clock: Clock, settings: PayoutSettings, days: int = USUAL_DAYS
) -> list[DormantBalance]:
    """Return the live balances above zero that nothing has come to for so many days, the oldest first."""
    now, minimums = clock(), amounts_by_currency(settings.minimum)
    async with store.read() as tx:
        rows = await tx.all("dormant_balances", before=now - days * DAY)
        standing = await payabilities_of(tx, {row["affiliate_id"] for row in rows}, now, settings.payee_wait)
        rates = await rates_in_force(tx, now, settings)
    found: list[DormantBalance] = []
    for row in rows:
        payability = standing.get(row["affiliate_id"], NOBODY)
        sent = sent_as(row["minor"], row["currency"], payability.terms.paid_in, rates)
        found.append({
            "affiliateId": row["affiliate_id"],
            "affiliateName": row["affiliate_name"],
            "currency": row["currency"],
            "amount": format_money(row["minor"], row["currency"]),
            "lastMoved": format_instant(row["last_moved"]),
            "days": (now - row["last_moved"]) // DAY,
            "missing": list(missing_for(sent, amount_for(minimums, sent.currency) or 0, payability)),
        })  # fmt: skip
    return found
