"""The network's fee of corrections: what was charged with a commission comes back with what is taken back of it.

The fee is frozen with the commission, as its rate is: a refund after the payout gives back what was charged, less the
fee of what is left, however many parts it comes in and whatever the merchant's fee is by now. A correction by hand has
no commission, so the fee in force holds for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hub.domain.books.fees import charging, fee_left
from hub.domain.books.ledger import Movement, Place
from hub.processing.adjustments import Adjustment, adjusting
from hub.storage import Row, Tx

Entries = list[tuple[str, Movement]]


async def entries_with_fees(tx: Tx, adjustments: Sequence[Adjustment], now: int) -> Entries:
    """Return the entries of those corrections that are approved and not stored yet, each with the one of its fee."""
    approved = [each for each in adjustments if each.status == "APPROVED" and each.amount_minor]
    if not approved:
        return []
    keys = sorted({(each.account_id, each.commission_id, each.external_order_id or "")
                   for each in approved if each.commission_id is not None})  # fmt: skip
    rows = await tx.all("charged_commissions", commissions=keys) if keys else []
    charged = {(row["account_id"], row["commission_id"]): row for row in rows}
    by_hand = sorted({each.account_id for each in approved if each.commission_id is None})
    rates = await tx.all("fees_of", accounts=by_hand, now=now) if by_hand else []
    in_force = {row["account_id"]: row["percentage"] for row in rates}
    taken = defaultdict[tuple[str, str], int](int)
    entries: Entries = []
    for each in approved:
        (entry,) = adjusting(each)
        if each.kind == "written_off":
            fees = []
        elif each.commission_id is None:
            before = await _booked_before(tx, each) if each.kind == "volume" else 0
            fees = charging(entry, each.amount_minor, in_force.get(each.account_id), before_minor=before)
        else:
            key = (each.account_id, each.commission_id)
            fees = _giving_back(entry, charged.get(key), taken[key], -each.amount_minor)
            taken[key] -= each.amount_minor
        entries += [(each.account_id, made) for made in (entry, *fees)]
    return entries


async def _booked_before(tx: Tx, each: Adjustment) -> int:
    """Return what was booked of a month's bonus by volume before this correction of it."""
    rows = await tx.all(
        "volume_booked", account_id=each.account_id, affiliate_id=each.affiliate_id, fact_key=each.fact_key
    )
    return sum(row["minor"] for row in rows if row["currency"] == each.currency)


def _giving_back(entry: Movement, commission: Row | None, before: int, taken: int) -> list[Movement]:
    """Return the entry that gives back the fee of what is taken back; `before` was taken in the same transaction."""
    if commission is None:
        return []
    amount, charged = commission["amount_minor"], commission["charged_minor"]
    left = amount - commission["taken_minor"] - before
    minor = fee_left(charged, amount, left) - fee_left(charged, amount, left - taken)
    if not minor:
        return []
    places: tuple[Place, Place] = ("fees", "merchant") if minor > 0 else ("merchant", "fees")
    return [entry._replace(kind="fee", debit=places[0], credit=places[1], amount_minor=abs(minor))]
