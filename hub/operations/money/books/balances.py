"""What an affiliate has earned, has coming, was paid and owes, by currency."""

from __future__ import annotations

from collections import defaultdict
from typing import TypedDict

from hub.domain.money import format_money
from hub.domain.words import COMMISSION_STATES
from hub.operations.affiliates.affiliates import require_affiliate
from hub.storage import Store, Tx


class BalanceDocument(TypedDict):
    """An affiliate's balance in one currency, as decimal text.

    `pending` is PENDING, HOLD and APPROVED commissions, `payable` what the next run would pay, `paid` what was paid or
    is under way (`underWay` says how much of it), `negative` what the affiliate owes, as a negative amount.
    """

    currency: str
    pending: str
    payable: str
    paid: str
    underWay: str
    negative: str


async def affiliate_balances(
    store: Store, affiliate: str, mode: str = "live", *, exact: bool = True
) -> list[BalanceDocument]:
    """Return an affiliate's balances in all merchants' accounts of a mode; raise `OperatorFault` if it is unknown.

    Without `exact` the commissions are those of the figures, at most seconds old, which takes as long for a million.
    """
    pending: defaultdict[str, int] = defaultdict(int)
    due: defaultdict[str, int] = defaultdict(int)
    paid: defaultdict[str, int] = defaultdict(int)
    async with store.read() as tx:
        affiliate_id = (await require_affiliate(tx, affiliate))["affiliate_id"]
        commissions = await (_sums if exact else _figures)(tx, affiliate_id, mode)
        corrections = await tx.all("adjustment_sums_of", affiliate_id=affiliate_id, mode=mode)
        under_way = {
            r["currency"]: r["minor"] for r in await tx.all("under_way_of", affiliate_id=affiliate_id, mode=mode)
        }
    for currency, state, minor in commissions:
        place = {"PAYABLE": due, "PAID": paid}.get(state, pending)
        if state != "REJECTED":
            place[currency] += minor
    for row in corrections:
        if row["status"] in ("APPROVED", "PAID"):
            (due if row["status"] == "APPROVED" else paid)[row["currency"]] += row["amount_minor"]
            if row["kind"] in ("returned", "carried"):  # what came back was not paid, whatever became of it since
                paid[row["currency"]] -= row["amount_minor"]
    return [
        {
            "currency": currency,
            "pending": format_money(pending[currency], currency),
            "payable": format_money(max(0, due[currency]), currency),
            "paid": format_money(paid[currency], currency),
            "underWay": format_money(under_way.get(currency, 0), currency),
            "negative": format_money(min(0, due[currency]), currency),
        }
        for currency in sorted({*pending, *due, *paid})
    ]


async def _sums(tx: Tx, affiliate_id: str, mode: str) -> list[tuple[str, str, int]]:
    """Return currency, state and minor units of an affiliate's commissions, read one by one."""
    rows = await tx.all("balances_of", affiliate_id=affiliate_id, mode=mode)
    return [(row["currency"], row["state"], row["amount_minor"]) for row in rows]


async def _figures(tx: Tx, affiliate_id: str, mode: str) -> list[tuple[str, str, int]]:
    """Return the same from the figures."""
    rows = [row for row in await tx.all("figures_of_affiliate", affiliate_id=affiliate_id) if row["mode"] == mode]
    return [
        (row["currency"], state, int(row[f"{state.lower()}_minor"]))
        for row in rows
        for state in COMMISSION_STATES
        if row[state.lower()]
    ]
