"""How a run gathers what it is to pay: a payment for each affiliate and currency, then their lines, all by slices.

A run begins in one transaction as GATHERING, with the payments of its first affiliates. Those of the others follow in
slices, in the order of the affiliates, each a transaction of its own under the lock of runs; intake goes on between
them. All are decided by the moment and the minimum that the run began with, so whoever takes up a run that was killed
goes on after its last payment. Its lines follow in the same way, in the order of affiliate, currency, account and line.
No line can be in two runs (a unique index), and one that is reserved is not payable any more, so what is left is
reserved and nothing twice. Once no line is left, the payments are counted, by slices too; what was refunded meanwhile
is missing, and a payment of which nothing is left is carried on. Then the run is a DRAFT.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Final, NamedTuple

from attrs import evolve

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.money import format_money
from hub.domain.payouts.payouts import Gathered
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payouts.overdue import stopped_keys, stopped_merchants
from hub.operations.money.payouts.payable_balances import Decided, Slice, decided_slices, next_affiliates
from hub.operations.money.payouts.payout_documents import ItemPlace, LinePlace, RunDocument, require_run
from hub.operations.money.payouts.payout_exchanges import keep_exchanges, reckon_exchanges
from hub.operations.money.payouts.payout_owners import took_over
from hub.operations.money.payouts.payout_runs import Wanted, found_run
from hub.operations.trail import TIMER, current_actor, note_act
from hub.processing.noted_rows import items_of, note_rows
from hub.storage import Row, Store, Tx

LINES_AT_ONCE: Final = 500
PAYMENTS_AT_ONCE: Final = 100
WAITING_SHOWN: Final = 5


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

    It has the payments of its first affiliates. Raise `NothingToPay` before anything is written if no balance would be
    paid.
    """
    first = await _refuse_nothing(tx, now, settings, wanted)
    payout_id = new_id("pay")
    await tx.run(
        "insert_payout", payout_id=payout_id, mode=wanted.mode, cutoff_at=wanted.values(now)["before"],
        currency=wanted.currency, minimum=settings.minimum, created_by=current_actor().id, now=now,
    )  # fmt: skip
    await _insert_payments(tx, now, payout_id, first.decided)
    await note_rows(tx, now, {"payouts": [(payout_id,)]})
    created = await found_run(tx, payout_id)
    whole = await next_affiliates(tx, first.affiliates.last_affiliate) is None
    sums: dict[str, object] = {"items": len(created["items"])} if whole else {"items": None, "totals": []}
    await note_act(tx, now, "payout.created", payout_id, after={**created, **sums})
    return payout_id


async def _refuse_nothing(tx: Tx, now: int, settings: PayoutSettings, wanted: Wanted) -> Slice:
    """Return what the first affiliates have coming; raise `NothingToPay` if nobody would be paid."""
    stopped = await stopped_merchants(tx, settings, wanted.mode, now)
    values = wanted.values(now) | {"stopped": stopped_keys(stopped)}
    first: Slice | None = None
    shown, waiting = list[Decided](), 0
    async with aclosing(decided_slices(tx, settings, values, now)) as slices:
        async for each in slices:
            first = first or each
            if any(balance.carried is None for balance in each.decided):
                return first
            waiting += len(each.decided)
            shown += each.decided[: WAITING_SHOWN - len(shown)]
    raise _nothing_to_pay(shown, waiting, stopped)


async def gather_run(store: Store, clock: Clock, settings: PayoutSettings, payout_id: str) -> RunDocument:
    """Reserve what is left of a run that gathers, and return it as a DRAFT; another run is returned as it is."""
    while await _add_payments(store, clock, settings, payout_id):
        pass
    place: LinePlace | None = LinePlace()
    while place is not None:
        place = await _reserve_some(store, clock, settings, payout_id, place)
    item: ItemPlace | None = ItemPlace()
    while item is not None:
        item = await _count_some(store, clock, payout_id, item)
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


async def _add_payments(store: Store, clock: Clock, settings: PayoutSettings, payout_id: str) -> bool:
    """Insert the payments of the next affiliates of a run who have any; return whether there were such."""
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        last = await tx.one("last_payment", payout_id=payout_id)
        decided = await _next_payments(tx, settings, run, last)
    if not decided:
        return False
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        if (await require_run(tx, payout_id))["status"] != "GATHERING":
            return False
        last = await tx.one("last_payment", payout_id=payout_id)
        await _insert_payments(tx, clock(), payout_id, await _next_payments(tx, settings, run, last))
    return True


async def _next_payments(tx: Tx, settings: PayoutSettings, run: Row, last: Row | None) -> list[Decided]:
    """Return what the next affiliates after the last payment of a run have coming; nothing once it does not gather.

    It is decided by what the run began with: its moment, and its minimum.
    """
    if run["status"] != "GATHERING":
        return []
    own, now = evolve(settings, minimum=run["minimum"]), run["created_at"]
    stopped = stopped_keys(await stopped_merchants(tx, own, run["mode"], now))
    values = {"mode": run["mode"], "before": run["cutoff_at"], "currency": run["currency"], "stopped": stopped}
    async with aclosing(decided_slices(tx, own, values, now, "" if last is None else last["affiliate_id"])) as slices:
        async for each in slices:
            if each.decided:
                return each.decided
    return []


async def _insert_payments(tx: Tx, now: int, payout_id: str, decided: Sequence[Decided]) -> None:
    items = [_item(payout_id, each.gathered, each.carried) for each in decided]
    await tx.run("insert_payout_items", items=items)
    sent = await keep_exchanges(tx, payout_id, [(each.gathered, each.sent) for each in decided if not each.carried])
    keys = [(each.payout_id, each.affiliate_id, each.currency) for each in items]
    await note_rows(tx, now, {"payout_items": keys, "payout_exchanges": sent})


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


async def _count_some(store: Store, clock: Clock, payout_id: str, after: ItemPlace) -> ItemPlace | None:
    """Set in the payments after a place what their lines are; return the place of the last, None if none is left.

    One of which nothing is left is carried on, and its lines are free.
    """
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        if (await require_run(tx, payout_id))["status"] != "GATHERING":
            return None
        items = await tx.all(
            "payout_items_page", payout_id=payout_id, **after._asdict(), status="OPEN", file_id=None,
            limit=PAYMENTS_AT_ONCE,
        )  # fmt: skip
        if not items:
            return None
        keys = items_of(items)
        await tx.run("count_payout_items", items=keys)
        sent = await reckon_exchanges(tx, keys)
        await tx.run("carry_empty_payments", items=keys)
        await tx.run("free_lines_of_carried", items=keys)
        await note_rows(tx, clock(), {"payout_items": keys, "payout_exchanges": sent})
    return ItemPlace.of(items[-1])


def _nothing_to_pay(decided: Sequence[Decided], count: int, stopped: Sequence[Row]) -> NothingToPay:
    """Return the refusal of a run whose balances, of which some are shown, are all carried on."""
    if not decided and stopped:
        names = ", ".join(sorted({row["name"] for row in stopped})[:5])
        return NothingToPay(f"There is nothing to pay: what is payable is of merchants that owe too much ({names}).")
    if not decided:
        return NothingToPay("There is nothing to pay: no commission is PAYABLE that no other run has reserved.")
    waits = ", ".join(
        f"{g.affiliate_id} {format_money(g.amount_minor, g.currency)} {g.currency} ({why})" for g, _, why in decided
    )
    balances = "one balance is" if count == 1 else f"{count} balances are"
    return NothingToPay(f"There is nothing to pay; {balances} carried over: {waits}.")


def _item(payout_id: str, gathered: Gathered, carried: str | None) -> PayoutItem:
    return PayoutItem(
        payout_id, gathered.affiliate_id, gathered.currency, gathered.amount_minor, gathered.commissions,
        gathered.adjustments, gathered.adjustments_minor, "OPEN" if carried is None else "CARRIED", carried,
    )  # fmt: skip
