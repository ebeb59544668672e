"""Notices as they are written: in the transaction of what they tell of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from hub.domain.messages.notices import KINDS, next_digest
from hub.domain.money import format_money
from hub.ids import new_id
from hub.processing.adjustments import Adjustment
from hub.storage import Tx

LONGEST: Final = 300
BALANCE: Final = "/affiliate/payouts"
"""The page with an affiliate's balance and its corrections."""


async def tell(tx: Tx, now: int, kind: str, subject_id: str, sentence: str, address: str, *, actor: str = "") -> None:
    """Tell everybody of a party what happened, except the `actor`; operators have no `subject_id` ("").

    `sentence` is shown as it is, cut to `LONGEST`; `address` is the page of what it is about. Raise KeyError for a kind
    that is none.
    """
    told = KINDS[kind]
    at_once, daily = (None, None) if told.mails_itself else (now, next_digest(now))
    short = sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
    await tx.run(
        "insert_notices", notice_id=new_id("ntc"), kind=kind, role=told.side, subject_id=subject_id, sentence=short,
        address=address, now=now, usual=told.mail, at_once=at_once, daily=daily, actor=actor,
    )  # fmt: skip


async def tell_of_corrections(tx: Tx, now: int, made: Sequence[Adjustment], *, actor: str = "") -> None:
    """Tell affiliates of approved corrections of live accounts, each once, however many orders were refunded."""
    by_affiliate: Mapping[tuple[str, str], list[Adjustment]] = defaultdict(list)
    for each in made:
        if each.status == "APPROVED" and each.amount_minor:
            kind = "commission-taken-back" if each.kind == "refund" else "balance-corrected"
            by_affiliate[each.affiliate_id, kind].append(each)
    for (affiliate_id, kind), corrections in by_affiliate.items():
        await tell(tx, now, kind, affiliate_id, _words_of(corrections), BALANCE, actor=actor)


def _words_of(corrections: Sequence[Adjustment]) -> str:
    first, count = corrections[0], len(corrections)
    if count > 1:
        return f"Your balance has {count} new corrections, because orders that you were paid for came back."
    amount = f"{format_money(abs(first.amount_minor), first.currency)} {first.currency}"
    if first.kind == "refund":
        return f"{amount} of the commission for order {first.external_order_id} is taken back. {first.reason}"
    return f"Your balance is {'raised' if first.amount_minor > 0 else 'lowered'} by {amount}: {first.reason}"
