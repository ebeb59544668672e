"""What one person pays alone: a limit over all that they released, marked as paid or reopened within a day.

It counts by currency over the person and over those who are not two people with them (hub/operations/second_person.py),
and by affiliate over everybody: neither a large sum cut into small ones nor two people's halves of it pass alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

from attrs import frozen

from hub.config.payout_section import PayoutSettings
from hub.domain.durations import DAY
from hub.domain.money import format_money
from hub.domain.orders.introductions import is_of_another_hand
from hub.domain.payouts.payouts import amount_for, amounts_by_currency
from hub.operations.errors import OperatorFault
from hub.operations.trail import current_actor
from hub.storage import Row, Tx


@frozen
class Payment:
    """What one person pays an affiliate, in minor units of the currency."""

    affiliate_id: str
    currency: str
    amount_minor: int


def paid_by(items: Iterable[Row]) -> list[Payment]:
    """Return what the items of a run pay."""
    return [Payment(item["affiliate_id"], item["currency"], item["amount_minor"]) for item in items]


@frozen
class Alternative:
    """What to say beside a refusal: what is paid ("Payout pay_1 pays"), who may do it instead, and how."""

    what: str
    then: str
    command: str


Pages = Callable[[], AsyncIterator[Sequence[Payment]]]
"""Payments, some at a time; they are read twice, since a run may make more of them than memory holds."""


def at_once(*payments: Payment) -> Pages:
    """Return a few payments as their only page."""

    async def page() -> AsyncIterator[Sequence[Payment]]:
        yield payments

    return page


async def pay_alone(
    tx: Tx, settings: PayoutSettings, now: int, act: str, payments: Pages, alternative: Alternative
) -> None:  # fmt: skip
    """Note payments that the one who acts makes alone by an act such as "payout.released".

    Raise `OperatorFault` if they and those of the last day are more than the limit of `[payouts] four_eyes_above` in a
    currency.
    """
    rows = await tx.all("lone_payments_since", since=now - DAY)
    hands = await tx.all("introductions_since", since=now - settings.second_person_after)
    introductions, actor = {(row["user_id"], row["introduced_by"]) for row in hands}, current_actor().id
    own = [row for row in rows if not is_of_another_hand(actor, row["actor_id"], introductions)]
    earlier = Counter[str]()
    for row in own:
        earlier[row["currency"]] += row["minor"]
    _refuse_above(settings, await _sums(payments), earlier, alternative, "you released")
    async for page in payments():
        sums = _by_affiliate((each.affiliate_id, each.currency, each.amount_minor) for each in page)
        rows = await tx.all("lone_payments_to", since=now - DAY, affiliates=sorted(sums))
        before = _by_affiliate((row["affiliate_id"], row["currency"], row["minor"]) for row in rows)
        for affiliate_id, paid in sorted(sums.items()):
            said = f"single persons paid {affiliate_id}"
            _refuse_above(settings, paid, before[affiliate_id], alternative, said)
        await note_alone(tx, now, act, page)


def _by_affiliate(payments: Iterable[tuple[str, str, int]]) -> defaultdict[str, Counter[str]]:
    """Return what is paid each affiliate, added up by currency; payments are (affiliate id, currency, minor units)."""
    sums = defaultdict[str, Counter[str]](Counter)
    for affiliate_id, currency, minor in payments:
        sums[affiliate_id][currency] += minor
    return sums


async def _sums(payments: Pages) -> Counter[str]:
    """Return what payments add up to, by currency."""
    sums = Counter[str]()
    async for page in payments():
        for payment in page:
            sums[payment.currency] += payment.amount_minor
    return sums


async def note_alone(tx: Tx, now: int, act: str, payments: Iterable[Payment]) -> None:
    """Note what the one who acts does alone, so that it counts for a day; it is not refused itself."""
    lines = [(payment.affiliate_id, payment.currency, payment.amount_minor) for payment in payments]
    await tx.run("note_lone_payments", payments=lines, actor_id=current_actor().id, act=act, now=now)


def _refuse_above(
    settings: PayoutSettings, sums: Mapping[str, int], before: Mapping[str, int], alternative: Alternative, said: str
) -> None:  # fmt: skip
    limits = amounts_by_currency(settings.four_eyes_above)
    for currency, total in sums.items():
        limit, paid = amount_for(limits, currency), before.get(currency, 0)
        if limit is not None and total + paid > limit:
            more = f" and {said} {format_money(paid, currency)} within a day" if paid else ""
            raise OperatorFault(
                f"{alternative.what} {format_money(total, currency)} {currency}{more}, more than "
                f"{format_money(limit, currency)}, so {alternative.then}",
                command=alternative.command,
            )
