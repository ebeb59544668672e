"""What affiliates have coming, and what a run would do with it: reckoned for some affiliates at a time."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Final, NamedTuple

from hub.config.payout_section import PayoutSettings
from hub.domain.books.exchange import Exchanges, Sent, sent_as
from hub.domain.payouts.payouts import Gathered, Terms, amount_for, amounts_by_currency, carried_reason
from hub.operations.money.books.exchange_rates import rates_in_force
from hub.operations.money.rates.payabilities import NOBODY, payabilities_of
from hub.storage import Row, Tx, pick_record

AFFILIATES_AT_ONCE: Final = 500


class Affiliates(NamedTuple):
    """Some affiliates, from the first to the last in the order of their ids."""

    first_affiliate: str
    last_affiliate: str


class Decided(NamedTuple):
    """What somebody has coming, what would be sent of it, and why it is carried on (None: it is paid)."""

    gathered: Gathered
    sent: Sent
    carried: str | None


class Slice(NamedTuple):
    """What some affiliates have coming."""

    affiliates: Affiliates
    decided: list[Decided]


async def decided_slices(
    tx: Tx, settings: PayoutSettings, values: Mapping[str, object], now: int, after: str = ""
) -> AsyncGenerator[Slice]:
    """Yield what the affiliates after one have coming, some affiliates at a time; a slice may be empty."""
    rates = await rates_in_force(tx, now, settings)
    while (some := await next_affiliates(tx, after)) is not None:
        yield Slice(some, await decided_balances(tx, settings, values, now, rates, some))
        after = some.last_affiliate


async def next_affiliates(tx: Tx, after: str) -> Affiliates | None:
    """Return some affiliates after one, None if none is left."""
    row = await tx.one("affiliates_after", after=after, limit=AFFILIATES_AT_ONCE)
    return None if row is None or row["first_affiliate"] is None else pick_record(Affiliates, row)


async def decided_balances(
    tx: Tx, settings: PayoutSettings, values: Mapping[str, object], now: int, rates: Exchanges, some: Affiliates
) -> list[Decided]:  # fmt: skip
    """Return what some affiliates have coming, what would be sent of it, and why it is carried on."""
    minimums = amounts_by_currency(settings.minimum)
    rows = await tx.all("payout_gathered", **values, **some._asdict())
    standing = await payabilities_of(tx, {row["affiliate_id"] for row in rows}, now, settings.payee_wait)
    decided: list[Decided] = []
    for row in rows:
        gathered = _gathered(row)
        # A run of test accounts pays nobody, so it needs no payee.
        payability = None if values["mode"] == "test" else standing.get(gathered.affiliate_id, NOBODY)
        terms = Terms() if payability is None else payability.terms
        sent = sent_as(gathered.amount_minor, gathered.currency, terms.paid_in, rates)
        minimum = amount_for(minimums, sent.currency) or 0
        decided.append(Decided(gathered, sent, carried_reason(sent, minimum, payability)))
    return decided


def _gathered(row: Row) -> Gathered:
    return Gathered(
        row["affiliate_id"], row["currency"], row["commissions_minor"], row["commissions"], row["adjustments_minor"],
        row["adjustments"],
    )  # fmt: skip
