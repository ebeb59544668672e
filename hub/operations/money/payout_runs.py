"""Payout runs: what would be paid, and a run that reserves it.

A run is created in one transaction: its items, and a line for each commission and correction that they pay. No line can
be in two runs (a unique index), and a run that is not released is found again instead of a second one being made, so a
command that was killed and is started again creates it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from attrs import evolve, frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.payouts import Gathered, amount_for, amounts_by_currency, carried_reason
from hub.ids import new_id
from hub.operations import lists
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault
from hub.operations.money.overdue import stopped_document, stopped_keys, stopped_merchants
from hub.operations.money.payabilities import NOBODY, payabilities_of
from hub.operations.money.payout_documents import (
    PreviewedRun,
    RunDocument,
    ShownRun,
    TotalDocument,
    line_document,
    mark_of,
    previewed_item,
    require_run,
    run_document,
    totals_of,
)
from hub.operations.money.payout_owners import took_over
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import items_of, note_rows
from hub.storage import Row, Store, Tx

RUN_LOCK = [("", "payouts")]
"""A name that is locked like an order: runs are created and released one after the other."""
RUNS: Final = lists.List("payouts")


class NothingToPay(OperatorFault):
    """No balance is there, or each is carried on."""


@frozen
class Wanted:
    """Which balances a run gathers: of a mode, payable before a moment (ms UTC; None: now), in one currency or all."""

    mode: str
    before: int | None = None
    currency: str | None = None

    def values(self, now: int) -> dict[str, object]:
        """Return the parameters of the queries that gather."""
        return {"mode": self.mode, "before": now + 1 if self.before is None else self.before, "currency": self.currency}


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


def with_minimum(settings: PayoutSettings, minimum: str | None) -> PayoutSettings:
    """Return the settings with another least amount, like 25 or EUR:25; raise `OperatorFault` for another form."""
    if not minimum:
        return settings
    try:
        amounts_by_currency(minimum)
    except ValueError as fault:
        raise OperatorFault(f"The minimum {minimum!r} {fault}; write it like 25 or EUR:25,JPY:3000.") from None
    return evolve(settings, minimum=minimum)


async def preview_run(store: Store, clock: Clock, settings: PayoutSettings, wanted: Wanted) -> PreviewedRun:
    """Return the run that `create_run` would make now, with every line; nothing is reserved."""
    now = clock()
    values = wanted.values(now)
    async with store.read() as tx:
        stopped = await stopped_merchants(tx, settings, wanted.mode, now)
        values |= {"stopped": stopped_keys(stopped)}
        decided = await _decided(tx, settings, values, now)
        paid = {(g.affiliate_id, g.currency) for g, carried in decided if carried is None}
        lines = [row for row in await tx.all("payout_candidates", **values)
                 if (row["affiliate_id"], row["currency"]) in paid]  # fmt: skip
        affiliates = sorted({g.affiliate_id for g, _ in decided})
        names = {row["affiliate_id"]: row["name"] for row in await tx.all("affiliate_names", affiliates=affiliates)}
    return {
        "id": None,
        "status": "PREVIEW",
        "mode": wanted.mode,
        "mark": mark_of(wanted.mode),
        "currency": wanted.currency,
        "cutoff": format_instant(int(str(values["before"]))),
        "createdBy": None,
        "createdAt": None,
        "releasedBy": None,
        "releasedAt": None,
        "totals": totals_of((g.currency, g.amount_minor) for g, carried in decided if carried is None),
        "items": [previewed_item(g, carried, names.get(g.affiliate_id)) for g, carried in decided],
        "lines": [line_document(row) for row in lines],
        "stopped": [stopped_document(row, settings) for row in stopped],
    }


async def create_run(store: Store, clock: Clock, settings: PayoutSettings, wanted: Wanted) -> RunDocument:
    """Reserve what is payable in a run, and return it; one of this mode and currency that waits is returned instead.

    A draft of the clock becomes that of the one who acts: they are its first pair of eyes from then on.
    Raise `NothingToPay` if no balance would be paid.
    """
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        waiting = await tx.one("open_payout", mode=wanted.mode, currency=wanted.currency)
        if waiting is None:
            return await reserve_run(tx, clock(), settings, wanted)
        payout_id = waiting["payout_id"]
        run = await found_run(tx, payout_id)
        return await found_run(tx, payout_id) if await took_over(tx, clock(), payout_id, run) else run


async def reserve_run(tx: Tx, now: int, settings: PayoutSettings, wanted: Wanted) -> RunDocument:
    """Make a run under `RUN_LOCK`, when none of its kind waits (`now` is ms UTC).

    Raise `NothingToPay` before anything is written if no balance would be paid.
    """
    stopped = await stopped_merchants(tx, settings, wanted.mode, now)
    payout_id, values = new_id("pay"), wanted.values(now) | {"stopped": stopped_keys(stopped)}
    decided = await _decided(tx, settings, values, now)
    if all(carried is not None for _, carried in decided):
        raise _nothing_to_pay(decided, stopped)
    await tx.run(
        "insert_payout", payout_id=payout_id, mode=wanted.mode, cutoff_at=values["before"],
        currency=wanted.currency, created_by=current_actor().id, now=now,
    )  # fmt: skip
    await tx.run("insert_payout_items", items=[_item(payout_id, g, carried) for g, carried in decided])
    await tx.run("reserve_lines", payout_id=payout_id, **values)
    await tx.run("count_payout_items", payout_id=payout_id)
    await note_run(tx, now, payout_id)
    created = await found_run(tx, payout_id)
    await note_act(tx, now, "payout.created", payout_id, after={**created, "items": len(created["items"])})
    return created


async def cancel_run(store: Store, clock: Clock, payout_id: str, reason: str) -> RunDocument:
    """Cancel a DRAFT: what it has reserved is payable again. Repeating it changes nothing.

    Raise `OperatorFault` if the run is unknown, without a reason, and once its release has begun.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        run = await require_run(tx, payout_id)
        if run["status"] == "CANCELLED":
            return await found_run(tx, payout_id)
        if not await tx.run("cancel_payout", payout_id=payout_id):
            raise OperatorFault(f"Payout {payout_id} is {run['status']}; only a DRAFT can be cancelled.")
        await tx.run("cancel_payout_items", payout_id=payout_id)
        await tx.run("drop_payout_lines", payout_id=payout_id)
        now = clock()
        await note_run(tx, now, payout_id)
        await note_act(tx, now, "payout.cancelled", payout_id, after={"reason": why})
        return await found_run(tx, payout_id)


async def note_run(tx: Tx, now: int, payout_id: str) -> None:
    """Note a run with all its payments (`now` is ms UTC)."""
    items = await tx.all("payout_items_of", payout_id=payout_id)
    await note_rows(tx, now, {"payouts": [(payout_id,)], "payout_items": items_of(items)})


async def waiting_run(store: Store, wanted: Wanted) -> str | None:
    """Return the id of the run of this mode and currency that waits for its release: `create_run` returns it."""
    async with store.read() as tx:
        row = await tx.one("open_payout", mode=wanted.mode, currency=wanted.currency)
    return None if row is None else str(row["payout_id"])


async def run_part(store: Store, payout_id: str, *, after: str = "", limit: int = 0) -> RunDocument:
    """Return a run with its totals and at most `limit` of its items, those after the affiliate and currency `after`.

    The two are divided by a colon, as in "aff_1:EUR"; empty is before all. Raise `OperatorFault` if the run is unknown.
    """
    affiliate_id, _, currency = after.partition(":")
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        place = {"payout_id": payout_id, "affiliate_id": affiliate_id, "currency": currency}
        items = await tx.all("payout_items_page", **place, limit=limit)
        totals = await tx.all("payout_totals", payout_id=payout_id)
    paid: list[TotalDocument] = [
        {"currency": each["currency"], "amount": format_money(each["amount_minor"], each["currency"]),
         "payments": each["payments"]}
        for each in totals
    ]  # fmt: skip
    return {**run_document(run, items), "totals": paid}


async def loose_payments(store: Store, payout_id: str) -> tuple[int, int]:
    """Return how many payments of a released run are under way in no file, and how many it makes."""
    async with store.read() as tx:
        row = await tx.one("loose_payments", payout_id=payout_id)
    return (0, 0) if row is None else (row["loose"], row["payments"])


async def show_run(store: Store, payout_id: str) -> ShownRun:
    """Return a run with every line; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        found = await found_run(tx, payout_id)
        lines = await tx.all("payout_lines_of", payout_id=payout_id, affiliate_id=None)
    return {**found, "lines": [line_document(line) for line in lines]}


async def runs_part(store: Store, wanted: lists.Wanted) -> lists.Page[RunDocument]:
    """Return a part of the runs, by `mode`; raise `CursorFault`."""
    async with store.read() as tx:
        found = await lists.read(tx, RUNS, wanted)
        return found.with_entries([await _document(tx, run) for run in found.entries])


async def first_runs(store: Store, wanted: lists.Wanted) -> list[RunDocument]:
    """Return as many runs as are wanted."""
    runs = await lists.first_rows(store, RUNS, wanted)
    async with store.read() as tx:
        return [await _document(tx, run) for run in runs]


async def _document(tx: Tx, run: Row) -> RunDocument:
    return run_document(run, await tx.all("payout_items_of", payout_id=run["payout_id"]))


async def found_run(tx: Tx, payout_id: str) -> RunDocument:
    """Return a run with its items; raise `OperatorFault` if it is unknown."""
    return await _document(tx, await require_run(tx, payout_id))


async def _decided(
    tx: Tx, settings: PayoutSettings, values: dict[str, object], now: int
) -> list[tuple[Gathered, str | None]]:
    """Return what everybody has coming, and why it is carried on, None if it is paid."""
    minimums = amounts_by_currency(settings.minimum)
    rows = await tx.all("payout_gathered", **values)
    standing = await payabilities_of(tx, {row["affiliate_id"] for row in rows}, now, settings.payee_wait)
    decided: list[tuple[Gathered, str | None]] = []
    for row in rows:
        gathered = _gathered(row)
        minimum = amount_for(minimums, gathered.currency) or 0
        # A run of test accounts pays nobody, so it needs no payee.
        payability = None if values["mode"] == "test" else standing.get(gathered.affiliate_id, NOBODY)
        decided.append((gathered, carried_reason(gathered, minimum, payability)))
    return decided


def _gathered(row: Row) -> Gathered:
    return Gathered(
        row["affiliate_id"], row["currency"], row["commissions_minor"], row["commissions"], row["adjustments_minor"],
        row["adjustments"],
    )  # fmt: skip


def _nothing_to_pay(decided: Sequence[tuple[Gathered, str | None]], stopped: Sequence[Row]) -> NothingToPay:
    if not decided and stopped:
        names = ", ".join(sorted({row["name"] for row in stopped})[:5])
        return NothingToPay(f"There is nothing to pay: what is payable is of merchants that owe too much ({names}).")
    if not decided:
        return NothingToPay("There is nothing to pay: no commission is PAYABLE that no other run has reserved.")
    waits = ", ".join(
        f"{g.affiliate_id} {format_money(g.amount_minor, g.currency)} {g.currency} ({why})" for g, why in decided[:5]
    )
    balances = "one balance is" if len(decided) == 1 else f"{len(decided)} balances are"
    return NothingToPay(f"There is nothing to pay; {balances} carried on: {waits}.")


def _item(payout_id: str, gathered: Gathered, carried: str | None) -> PayoutItem:
    return PayoutItem(
        payout_id, gathered.affiliate_id, gathered.currency, gathered.amount_minor, gathered.commissions,
        gathered.adjustments, gathered.adjustments_minor, "OPEN" if carried is None else "CARRIED", carried,
    )  # fmt: skip
