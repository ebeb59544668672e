"""What the commissions of an account come to by now, by currency and state."""

from __future__ import annotations

from hub.domain.durations import DAY
from hub.domain.money import format_money
from hub.domain.words import COMMISSION_STATES
from hub.operations.figures.figures import Sums
from hub.records.statements import BalanceRecord
from hub.storage import Tx


async def balances_of(tx: Tx, account_id: str, now: int) -> list[BalanceRecord]:
    """Return the balance of each currency at `now` (ms UTC)."""
    sums: dict[str, dict[str, int]] = {}
    for each in await tx.records(Sums, "figures_by_day", account_id=account_id, first=0, last=now // DAY):
        if each.currency:
            line = sums.setdefault(each.currency, dict.fromkeys(COMMISSION_STATES, 0))
            for state in COMMISSION_STATES:
                line[state] += getattr(each, f"{state.lower()}_minor")
    return [
        BalanceRecord(currency=currency, **{s.lower(): format_money(minor, currency) for s, minor in line.items()})
        for currency, line in sorted(sums.items())
    ]
