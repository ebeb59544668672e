"""Runs by a schedule: drafted on their pay date, released by people, and what affiliates see of the next one.

A pay date is noted in the transaction that drafts its run, under the lock of runs, so that several nodes draft it once,
and a draft that was cancelled is not made again. The clock is no person: see hub/operations/second_person.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, timedelta, tzinfo
from typing import Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.book_time import day_of, first_moment
from hub.domain.books.exchange import sent_as
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.payouts.pay_dates import LATE_DAYS, cutoff_of, last_pay_date, next_pay_date, pay_days
from hub.domain.payouts.payouts import ANY, amount_for, amounts_by_currency, missing_for
from hub.domain.words import MissingForPayment
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.money.books.books import RUN_LOCK, books_zone, zone_of_books
from hub.operations.money.books.exchange_rates import rates_in_force
from hub.operations.money.payouts.overdue import stopped_keys, stopped_merchants
from hub.operations.money.payouts.payout_gathering import NothingToPay, begin_run, gather_run, gather_those_of_clock
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.rates.payabilities import NOBODY, payabilities_of
from hub.operations.trail import TIMER, acting_as
from hub.processing.noted_rows import note_rows
from hub.storage import Store, Tx

DRAFT_SECONDS: Final = 900
"""How often the hub looks whether a pay date has begun."""


class NextPayout(TypedDict):
    """The next pay date of one currency, for one affiliate.

    `payDate` is a day of the books, `payableBefore` the moment by which money had to be payable, `due` the part of
    `payable` that is (decimal text), `minimum` the least amount paid. `missing` is all that would keep `due` from being
    paid, words of `MissingForPayment`. If it is exchanged, `sentAmount` in `sentCurrency` is what `due` is by the rate
    in force, and `minimum` is in that currency. With no money in any currency, `currency` and the amounts are null.
    """

    currency: str | None
    payDate: str
    payableBefore: str
    payable: str | None
    due: str | None
    minimum: str | None
    missing: list[MissingForPayment]
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None


@frozen(eq=False)
class ScheduledRuns:
    """Drafts the runs of `[payouts] pay_day`; runs of live accounts, with every way of being paid."""

    _store: Store
    _clock: Clock
    _settings: PayoutSettings

    async def draft(self) -> int:
        """Draft what is due and not drafted yet; return how many runs were made. One that was killed goes on."""
        await gather_those_of_clock(self._store, self._clock, self._settings)
        zone = await books_zone(self._store)
        today, made = day_of(self._clock(), zone), 0
        for currency, day in pay_days(self._settings.pay_day).items():
            due = last_pay_date(day, today)
            if today - due <= timedelta(days=LATE_DAYS):
                before = cutoff_of(due, self._settings.net_days, zone)
                made += await self._draft(due, Wanted("live", before, currency or None))
        return made

    async def _draft(self, due: date, wanted: Wanted) -> bool:
        """Draft the run of a pay date once; while a draft of its kind waits for people, it waits, too."""
        key = {"pay_date": due.isoformat(), "currency": wanted.currency or ANY}
        with acting_as(TIMER):
            async with self._store.write() as tx:
                await tx.lock_orders(RUN_LOCK)
                if await tx.one("pay_date_drafted", **key) is not None:
                    return False
                if await tx.one("open_payout", mode=wanted.mode, currency=wanted.currency) is not None:
                    return False
                now, payout_id = self._clock(), None
                with suppress(NothingToPay):  # nothing was written: the next pay date may have more
                    payout_id = await begin_run(tx, now, self._settings, wanted)
                await tx.run("put_pay_date", **key, payout_id=payout_id, now=now)
                await note_rows(tx, now, {"pay_dates": [(key["pay_date"], key["currency"])]})
            if payout_id is not None:
                await gather_run(self._store, self._clock, self._settings, payout_id)
        return payout_id is not None


@frozen
class _Schedule:
    """What pay dates are reckoned by: the pay days, the settings, the books' zone and the moment (ms UTC)."""

    days: Mapping[str, int]
    settings: PayoutSettings
    zone: tzinfo
    now: int

    async def next_date(self, tx: Tx, currency: str) -> date:
        """Return the next pay date of a currency whose run was not drafted yet."""
        key = ANY if ANY in self.days else currency
        due = next_pay_date(self.days[key], day_of(self.now, self.zone))
        if await tx.one("pay_date_drafted", pay_date=due.isoformat(), currency=key) is None:
            return due
        return next_pay_date(self.days[key], due + timedelta(days=1))


async def next_payouts(store: Store, clock: Clock, settings: PayoutSettings, affiliate: str) -> list[NextPayout]:
    """Return the next pay date of each currency in which an affiliate has money payable; nothing without a schedule.

    What is reserved in a run is under way, and not in it. Raise `OperatorFault` if the affiliate is unknown.
    """
    days = pay_days(settings.pay_day)
    async with store.read() as tx:
        affiliate_id = (await require_affiliate(tx, affiliate))["affiliate_id"]
        if not days:
            return []
        schedule = _Schedule(days, settings, await zone_of_books(tx), clock())
        held = [row["currency"] for row in await tx.all("gathered_of", affiliate_id=affiliate_id, before=0, stopped=[])]
        paid = [currency for currency in held if ANY in days or currency in days]
        return [await _next(tx, schedule, affiliate_id, currency) for currency in paid or days]


async def _next(tx: Tx, schedule: _Schedule, affiliate_id: str, currency: str) -> NextPayout:
    """Return the next pay date of a currency, `ANY` for one who has no money in any."""
    settings, due = schedule.settings, await schedule.next_date(tx, currency)
    begins, before = first_moment(due, schedule.zone), cutoff_of(due, settings.net_days, schedule.zone)
    standing = await payabilities_of(tx, {affiliate_id}, max(schedule.now, begins), settings.payee_wait)
    keys = stopped_keys(await stopped_merchants(tx, settings, "live", schedule.now))
    rows = await tx.all("gathered_of", affiliate_id=affiliate_id, before=before, stopped=keys)
    found = next((row for row in rows if row["currency"] == currency), None)
    payable, minor, stopped = (
        (found["payable_minor"], found["due_minor"], found["stopped_minor"]) if found else (0, 0, 0)
    )
    payability = standing.get(affiliate_id, NOBODY)
    sent = sent_as(minor, currency, payability.terms.paid_in, await rates_in_force(tx, schedule.now, settings))
    least = amount_for(amounts_by_currency(settings.minimum), sent.currency) if currency else None
    return {
        "currency": currency or None,
        "payDate": due.isoformat(),
        "payableBefore": format_instant(before),
        "payable": format_money(payable, currency) if currency else None,
        "due": format_money(minor, currency) if currency else None,
        "minimum": format_money(least or 0, sent.currency) if currency else None,
        "missing": list(missing_for(sent, least or 0, payability, waits_for_merchants=bool(stopped))),
        "sentCurrency": sent.currency if sent.exchange else None,
        "sentAmount": format_money(sent.minor, sent.currency) if sent.exchange else None,
        "exchangeRate": sent.exchange.rate if sent.exchange else None,
    }
