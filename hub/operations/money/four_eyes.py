"""What one person pays alone: a limit over all that they released, marked as paid or reopened within a day.

It counts by currency over the person and over those who are not two people with them (hub/operations/second_person.py),
and by affiliate over everybody: neither a large sum cut into small ones nor two people's halves of it pass alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from hub.config.payout_section import PayoutSettings
from hub.domain.durations import DAY
from hub.domain.introductions import is_of_another_hand
from hub.domain.money import format_money
from hub.domain.payouts import amount_for, amounts_by_currency
from hub.operations.errors import OperatorFault
from hub.operations.trail import current_actor
from hub.storage import Row, Tx


@frozen
class Payment:
    """What one person pays an affiliate, in minor units of the currency."""

    affiliate_id: str
    currency: str
    amount_minor: int


@frozen
class Alternative:
    """What to say beside a refusal: what is paid ("Payout pay_1 pays"), who may do it instead, and how."""

    what: str
    then: str
    command: str


async def pay_alone(
    tx: Tx, settings: PayoutSettings, now: int, act: str, payments: Sequence[Payment], alternative: Alternative
) -> None:  # fmt: skip
    """Note payments that the one who acts makes alone by an act such as "payout.released".

    Raise `OperatorFault` if they and those of the last day are more than the limit of `[payouts] four_eyes_above` in a
    currency.
    """
    rows = await tx.all("lone_payments_since", since=now - DAY)
    hands = await tx.all("introductions_since", since=now - settings.second_person_after)
    introductions, actor = {(row["user_id"], row["introduced_by"]) for row in hands}, current_actor().id
    own = [row for row in rows if not is_of_another_hand(actor, row["actor_id"], introductions)]
    _refuse_above(settings, payments, own, alternative, "you released")
    for affiliate_id in sorted({payment.affiliate_id for payment in payments}):
        to = [payment for payment in payments if payment.affiliate_id == affiliate_id]
        said = f"single persons paid {affiliate_id}"
        _refuse_above(settings, to, [row for row in rows if row["affiliate_id"] == affiliate_id], alternative, said)
    await note_alone(tx, now, act, payments)


async def note_alone(tx: Tx, now: int, act: str, payments: Iterable[Payment]) -> None:
    """Note what the one who acts does alone, so that it counts for a day; it is not refused itself."""
    lines = [(payment.affiliate_id, payment.currency, payment.amount_minor) for payment in payments]
    await tx.run("note_lone_payments", payments=lines, actor_id=current_actor().id, act=act, now=now)


def _refuse_above(
    settings: PayoutSettings, payments: Iterable[Payment], earlier: Iterable[Row], alternative: Alternative, said: str
) -> None:  # fmt: skip
    limits, sums, before = amounts_by_currency(settings.four_eyes_above), dict[str, int](), dict[str, int]()
    for payment in payments:
        sums[payment.currency] = sums.get(payment.currency, 0) + payment.amount_minor
    for row in earlier:
        before[row["currency"]] = before.get(row["currency"], 0) + row["minor"]
    for currency, total in sums.items():
        limit, paid = amount_for(limits, currency), before.get(currency, 0)
        if limit is not None and total + paid > limit:
            more = f" and {said} {format_money(paid, currency)} within a day" if paid else ""
            raise OperatorFault(
                f"{alternative.what} {format_money(total, currency)} {currency}{more}, more than "
                f"{format_money(limit, currency)}, so {alternative.then}",
                command=alternative.command,
            )
