"""What a batch decided, as rows of the store, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from hub.domain.books.ledger import Movement
from hub.domain.orders.figures import OrderFigures
from hub.processing.commissions import commission_moves
from hub.processing.correction_fees import entries_with_fees
from hub.processing.decide_orders import OrderDecision
from hub.processing.deposits import give_back
from hub.processing.events import EventResult
from hub.processing.late_clicks import LateClick
from hub.processing.ledger_rows import Conversion, FactRow, RestatedConversion, changed_order
from hub.processing.noted_rows import note_rows
from hub.processing.notices import tell_of_corrections
from hub.processing.notifications import Message, messages_of
from hub.processing.order_figures import counted_rows, notes_of_new
from hub.processing.post_entries import post_by_account
from hub.storage import NamedCall, Tx

Rows = Sequence[tuple[Any, ...]]


class FinishedEvent(NamedTuple):
    """A row of `finish_events`; `processed_at` is milliseconds UTC, `explanation` JSON."""

    account_id: str
    event_id: str
    status: str
    external_order_id: str | None
    conversion_id: str | None
    processed_at: int | None
    attempts: int
    explanation: str

    @classmethod
    def of(cls, result: EventResult, now: int) -> FinishedEvent:
        """Return the row of what became of an event at `now` (ms UTC)."""
        event = result.event
        return cls(
            event.account_id, event.event_id, result.status, result.external_order_id,
            result.conversion_id or event.conversion_id, None if result.status == "PARKED" else now,
            event.attempts + 1, orjson.dumps(result.explanation).decode(),
        )  # fmt: skip


class ParkedNews(NamedTuple):
    """A row of `park_news`: an event that waits for the conversion of its order."""

    account_id: str
    external_order_id: str | None
    event_id: str
    received_at: int


async def write_decisions(tx: Tx, decisions: Sequence[OrderDecision], results: Sequence[EventResult], now: int) -> None:
    """Write what became of orders and events, and wake the news that waited for an order that was created."""
    new, others = _new_orders(decisions), [d.namesakes for d in decisions if d.namesakes]
    corrections = [each for d in decisions for each in d.adjustments]
    rows: dict[str, dict[str, Rows]] = {
        "insert_conversions": {"conversions": [d.conversion for d in decisions if d.is_new and d.conversion]},
        "restate_conversions": {
            "conversions": [RestatedConversion.of(d.conversion) for d in decisions if d.conversion and _again(d)]
        },
        "open_order_reviews": {"reviews": [review for d in decisions for review in d.reviews]},
        "insert_facts": {"facts": [FactRow.of(*d.key, fact) for d in decisions for fact in d.new_facts]},
        "write_commissions": {"commissions": [d.commission for d in decisions if d.moved and d.commission]},
        "store_counted_orders": {"orders": counted_rows(new)},
        "note_new_figures": {"notes": notes_of_new(new)},
        "note_changed_orders": {"changes": [_changed(d.conversion) for d in decisions if d.conversion and _counts(d)]},
        "queue_messages": {"messages": _messages(decisions, now)},
        "insert_adjustments": {"adjustments": corrections},
        "finish_events": {"events": [FinishedEvent.of(result, now) for result in results]},
        "insert_namesakes": {"namesakes": [each for shared in others for each in shared.new]},
        "count_namesakes": {"orders": [(*shared.key, len(shared.numbers)) for shared in others if shared.new]},
        "insert_subscription_orders": {"orders": [d.subscription for d in decisions if d.subscription]},
        "insert_customer_orders": {"orders": [d.customer for d in decisions if d.customer]},
        "park_news": {"news": [_parked(result) for result in results if result.status == "PARKED"]},
    }
    calls: list[NamedCall] = [(query, values) for query, values in rows.items() if any(values.values())]
    moved = _movements(decisions)
    with_deposit = {each.key[0] for each in decisions if each.merchant.has_deposit}
    if with_deposit:
        for account_id, entries in (await give_back(tx, moved, with_deposit)).items():
            moved[account_id] += entries
    for account_id, entry in await entries_with_fees(tx, corrections, now) if corrections else ():
        moved.setdefault(account_id, []).append(entry)
    if calls:
        await tx.run_together(*calls)
    await _write_late_clicks(tx, decisions)
    if others or any(each.awaited for each in decisions):
        await _wake(tx, decisions, now)
    await post_by_account(tx, moved, now)
    if corrections:
        await _note_corrections(tx, decisions, now)


async def _note_corrections(tx: Tx, decisions: Sequence[OrderDecision], now: int) -> None:
    """Note the corrections, and tell affiliates of those of live accounts."""
    made = [(each, decision.merchant.live) for decision in decisions for each in decision.adjustments]
    await note_rows(tx, now, {"adjustments": [(each.account_id, each.adjustment_id) for each, _ in made]})
    await tell_of_corrections(tx, now, [each for each, is_live in made if is_live])


async def _wake(tx: Tx, decisions: Sequence[OrderDecision], now: int) -> None:
    """Wake the news that waited for an order that was created, or that shares its number with another one."""
    awaited = [decision.key for decision in decisions if decision.is_new and decision.awaited]
    awaited += [(d.key[0], number) for d in decisions if d.namesakes is not None for number in d.namesakes.awake]
    if awaited:
        await wake_parked(tx, awaited, now)


async def _write_late_clicks(tx: Tx, decisions: Sequence[OrderDecision]) -> None:
    """Store whose orders are by clicks that came late, in a statement after the one that restates the same rows."""
    late = [LateClick.of(d.conversion) for d in decisions if d.has_late_click and not d.is_new and d.conversion]
    if late:
        await tx.run("attribute_late_clicks", clicks=late)


def _movements(decisions: Sequence[OrderDecision]) -> dict[str, list[Movement]]:
    """Return what the decisions move, by account."""
    moved: dict[str, list[Movement]] = {}
    for each in decisions:
        if each.moved and each.commission is not None:
            account_id, order_id = each.key
            found = commission_moves(each.known_commission, each.commission, order_id, each.cause)
            moved.setdefault(account_id, []).extend(found)
    return moved


def _messages(decisions: Sequence[OrderDecision], now: int) -> list[Message]:
    """Return the messages about the decisions for those who subscribed."""
    return [
        message
        for each in decisions
        if each.watched
        and each.conversion is not None
        and (each.is_new or each.moved or each.adjustments or each.reviews)
        for message in messages_of([each.change(each.conversion)], each.watched, now)
    ]


def _new_orders(decisions: Sequence[OrderDecision]) -> dict[str, list[tuple[str, OrderFigures]]]:
    """Return the orders that the decisions create, with their figures, by account."""
    new: dict[str, list[tuple[str, OrderFigures]]] = {}
    for each in decisions:
        figures = each.figures()
        if figures is not None and each.conversion is not None:
            new.setdefault(each.key[0], []).append((each.conversion.conversion_id, figures))
    return new


def _counts(decision: OrderDecision) -> bool:
    """Return whether the figures of an order that was known may have changed."""
    return not decision.is_new and (
        decision.is_restated or decision.moved or any(fact.status == "refunded" for fact in decision.new_facts)
    )


def _again(decision: OrderDecision) -> bool:
    """Return whether an order that was stored before is stated anew."""
    return decision.is_restated and not decision.is_new


def _changed(conversion: Conversion) -> tuple[str, str, str]:
    return changed_order(conversion.account_id, conversion.conversion_id)


def _parked(result: EventResult) -> ParkedNews:
    event = result.event
    return ParkedNews(event.account_id, result.external_order_id, event.event_id, event.received_at)


async def wake_parked(tx: Tx, orders: Sequence[tuple[str, str]], now: int) -> None:
    """Make the events due again that wait for these orders, by (account id, external order id)."""
    rows = await tx.all("parked_news_of", orders=orders)
    news = [(r["account_id"], r["external_order_id"], r["event_id"]) for r in rows]
    await tx.run("unpark_news", news=news)
    await tx.run("wake_events", events=[(a, e) for a, _, e in news], now=now)
