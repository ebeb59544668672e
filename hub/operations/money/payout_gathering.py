"""How a run gathers what it is to pay: a payment for each affiliate and currency at once, then their lines by slices.

A run begins in one transaction as GATHERING, with its payments. Its lines follow in slices, each a transaction of its
own under the lock of runs, in the order of affiliate, currency, account and line; intake goes on between them. No line
can be in two runs (a unique index), and one that is reserved is not payable any more, so whoever takes up a run that
was killed between two slices reserves what is left and nothing twice. Once no line is left, the payments are counted,
by slices too; what was refunded meanwhile is missing, and a payment of which nothing is left is carried on. Then the
run is a DRAFT.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.exchange import Sent, sent_as
from hub.domain.money import format_money
from hub.domain.payouts import Gathered, Terms, amount_for, amounts_by_currency, carried_reason
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.money.exchange_rates import rates_in_force
from hub.operations.money.overdue import stopped_keys, stopped_merchants
from hub.operations.money.payabilities import NOBODY, payabilities_of
from hub.operations.money.payout_documents import FIRST_PLACE, LinePlace, RunDocument, require_run
from hub.operations.money.payout_exchanges import keep_exchanges, reckon_exchanges
from hub.operations.money.payout_owners import took_over
from hub.operations.money.payout_runs import RUN_LOCK, Wanted, found_run
from hub.operations.trail import TIMER, current_actor, note_act
from hub.processing.noted_rows import items_of, note_rows
from hub.storage import Row, Store, Tx

LINES_AT_ONCE: Final = 500
PAYMENTS_AT_ONCE: Final = 100


class NothingToPay(OperatorFault):
    """No balance is there, or each is carried on."""


class PayoutItem(NamedTuple):
    """A row of `insert_payout_items`."""

    payout_id: str
    affiliate_id: str
    currency: str
    amount_minor: int
    commissions: int
    adjustments: int
    adjustments_minor: int
    status: str
    carried: str | None


class Decided(NamedTuple):
    """What somebody has coming, what would be sent of it, and why it is carried on (None: it is paid)."""

    gathered: Gathered
    sent: Sent
    carried: str | None


class _Line(NamedTuple):
    """A row of `reserve_lines`."""

    account_id: str
    line_id: str
    affiliate_id: str
    currency: str
    amount_minor: int


async def create_run(store: Store, clock: Clock, settings: PayoutSettings, wanted: Wanted) -> RunDocument:
    """Reserve what is payable in a run, and return it; one of this mode and currency that waits is returned instead.

    One that was killed while it gathered goes on. A draft of the clock becomes that of the one who acts: they are its
    first pair of eyes from then on. Raise `NothingToPay` if no balance would be paid.
    """
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        waiting = await tx.one("open_payout", mode=wanted.mode, currency=wanted.currency)
        payout_id = await begin_run(tx, clock(), settings, wanted) if waiting is None else str(waiting["payout_id"])
    run = await gather_run(store, clock, settings, payout_id)
    if waiting is None:
        return run
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        await took_over(tx, clock(), payout_id, await found_run(tx, payout_id))
        return await found_run(tx, payout_id)


async def begin_run(tx: Tx, now: int, settings: PayoutSettings, wanted: Wanted) -> str:
    """Make a run that gathers, under `RUN_LOCK` and when none of its kind waits (`now` is ms UTC); return its id.

    Raise `NothingToPay` before anything is written if no balance would be paid.
    """
    stopped = await stopped_merchants(tx, settings, wanted.mode, now)
    payout_id, values = new_id("pay"), wanted.values(now) | {"stopped": stopped_keys(stopped)}
    decided = await decided_balances(tx, settings, values, now)
    if all(each.carried is not None for each in decided):
        raise _nothing_to_pay(decided, stopped)
    await tx.run(
        "insert_payout", payout_id=payout_id, mode=wanted.mode, cutoff_at=values["before"],
        currency=wanted.currency, created_by=current_actor().id, now=now,
    )  # fmt: skip
    items = [_item(payout_id, each.gathered, each.carried) for each in decided]
    await tx.run("insert_payout_items", items=items)
    sent = await keep_exchanges(tx, payout_id, [(each.gathered, each.sent) for each in decided if not each.carried])
    keys = [(each.payout_id, each.affiliate_id, each.currency) for each in items]
    await note_rows(tx, now, {"payouts": [(payout_id,)], "payout_items": keys, "payout_exchanges": sent})
    created = await found_run(tx, payout_id)
    await note_act(tx, now, "payout.created", payout_id, after={**created, "items": len(created["items"])})
    return payout_id


async def gather_run(store: Store, clock: Clock, settings: PayoutSettings, payout_id: str) -> RunDocument:
    """Reserve what is left of a run that gathers, and return it as a DRAFT; another run is returned as it is."""
    place: LinePlace | None = FIRST_PLACE
    while place is not None:
        place = await _reserve_some(store, clock, settings, payout_id, place)
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        items = await tx.all("payout_items_of", payout_id=payout_id) if run["status"] == "GATHERING" else []
    counted = [item for item in items if item["status"] == "OPEN"]
    for start in range(0, len(counted), PAYMENTS_AT_ONCE):
        await _count_some(store, clock, payout_id, counted[start : start + PAYMENTS_AT_ONCE])
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        if await tx.run("end_gathering", payout_id=payout_id):
            await note_rows(tx, clock(), {"payouts": [(payout_id,)]})
        return await found_run(tx, payout_id)


async def gather_those_of_clock(store: Store, clock: Clock, settings: PayoutSettings) -> None:
    """Take up the runs of the clock that were killed while they gathered."""
    async with store.read() as tx:
        rows = await tx.all("gathering_payouts", created_by=TIMER.id)
    for row in rows:
        await gather_run(store, clock, settings, row["payout_id"])


async def _reserve_some(
    store: Store, clock: Clock, settings: PayoutSettings, payout_id: str, after: LinePlace
) -> LinePlace | None:
    """Reserve the lines after a place, some in one transaction; return the place of the last, None if none is left."""
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        run = await require_run(tx, payout_id)
        if run["status"] != "GATHERING":
            return None
        stopped = stopped_keys(await stopped_merchants(tx, settings, run["mode"], clock()))
        lines = await tx.records(
            _Line, "payable_page", payout_id=payout_id, mode=run["mode"], before=run["cutoff_at"],
            currency=run["currency"], stopped=stopped, **after._asdict(), limit=LINES_AT_ONCE,
        )  # fmt: skip
        if not lines:
            return None
        await tx.run("reserve_lines", payout_id=payout_id, lines=lines)
    last = lines[-1]
    return LinePlace(last.affiliate_id, last.currency, last.account_id, last.line_id)


async def _count_some(store: Store, clock: Clock, payout_id: str, items: Sequence[Row]) -> None:
    """Set in payments what their lines are; one of which nothing is left is carried on, and its lines are free."""
    keys = items_of(items)
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        if (await require_run(tx, payout_id))["status"] != "GATHERING":
            return
        await tx.run("count_payout_items", items=keys)
        sent = await reckon_exchanges(tx, keys)
        await tx.run("carry_empty_payments", items=keys)
        await tx.run("free_lines_of_carried", items=keys)
        await note_rows(tx, clock(), {"payout_items": keys, "payout_exchanges": sent})


async def decided_balances(tx: Tx, settings: PayoutSettings, values: dict[str, object], now: int) -> list[Decided]:
    """Return what everybody has coming, what would be sent of it, and why it is carried on."""
    minimums, rates = amounts_by_currency(settings.minimum), await rates_in_force(tx, now, settings)
    rows = await tx.all("payout_gathered", **values)
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


def _nothing_to_pay(decided: Sequence[Decided], stopped: Sequence[Row]) -> NothingToPay:
    if not decided and stopped:
        names = ", ".join(sorted({row["name"] for row in stopped})[:5])
        return NothingToPay(f"There is nothing to pay: what is payable is of merchants that owe too much ({names}).")
    if not decided:
        return NothingToPay("There is nothing to pay: no commission is PAYABLE that no other run has reserved.")
    waits = ", ".join(
        f"{g.affiliate_id} {format_money(g.amount_minor, g.currency)} {g.currency} ({why})" for g, _, why in decided[:5]
    )
    balances = "one balance is" if len(decided) == 1 else f"{len(decided)} balances are"
    return NothingToPay(f"There is nothing to pay; {balances} carried on: {waits}.")


def _item(payout_id: str, gathered: Gathered, carried: str | None) -> PayoutItem:
    return PayoutItem(
        payout_id, gathered.affiliate_id, gathered.currency, gathered.amount_minor, gathered.commissions,
        gathered.adjustments, gathered.adjustments_minor, "OPEN" if carried is None else "CARRIED", carried,
    )  # fmt: skip
