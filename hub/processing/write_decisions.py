"""What a batch decided, as rows of the store, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

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
from hub.storage import Tx

Row = tuple[Any, ...]
"""A row that a statement writes."""


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


BATCHES: Final[Mapping[str, str]] = {
    "insert_conversions": "conversions",
    "restate_conversions": "conversions",
    "open_order_reviews": "reviews",
    "insert_facts": "facts",
    "write_commissions": "commissions",
    "store_counted_orders": "orders",
    "note_new_figures": "notes",
    "note_changed_orders": "changes",
    "queue_messages": "messages",
    "insert_adjustments": "adjustments",
    "finish_events": "events",
    "insert_namesakes": "namesakes",
    "count_namesakes": "orders",
    "insert_subscription_orders": "orders",
    "insert_customer_orders": "orders",
    "park_news": "news",
}
"""The statements that write what was decided, in their order, each with the name of its rows."""


async def write_decisions(tx: Tx, decisions: Sequence[OrderDecision], results: Sequence[EventResult], now: int) -> None:
    """Write what became of orders and events, and wake the news that waited for an order that was created."""
    rows: dict[str, list[Row]] = {query: [] for query in BATCHES}
    rows["finish_events"] += [FinishedEvent.of(result, now) for result in results]
    rows["park_news"] += [_parked(result) for result in results if result.status == "PARKED"]
    for each in decisions:
        _add_rows(rows, each, now)
    new = _new_orders(decisions)
    rows["store_counted_orders"] += counted_rows(new)
    rows["note_new_figures"] += notes_of_new(new)
    corrections = [each for d in decisions for each in d.adjustments]
    rows["insert_adjustments"] += corrections
    moved = _movements(decisions)
    with_deposit = {each.key[0] for each in decisions if each.merchant.has_deposit}
    if with_deposit:
        for account_id, entries in (await give_back(tx, moved, with_deposit)).items():
            moved[account_id] += entries
    for account_id, entry in await entries_with_fees(tx, corrections, now) if corrections else ():
        moved.setdefault(account_id, []).append(entry)
    calls = [(query, {BATCHES[query]: batch}) for query, batch in rows.items() if batch]
    if calls:
        await tx.run_together(*calls)
    late = [LateClick.of(d.conversion) for d in decisions if d.has_late_click and not d.is_new and d.conversion]
    if late:
        await tx.run("attribute_late_clicks", clicks=late)  # after the statement that restates the same rows
    if any(each.awaited or each.namesakes for each in decisions):
        await _wake(tx, decisions, now)
    await post_by_account(tx, moved, now)
    if corrections:
        await _note_corrections(tx, decisions, now)


def _add_rows(rows: Mapping[str, list[Row]], decision: OrderDecision, now: int) -> None:
    """Add what one decision writes of its order; most decide a new one, with a fact and a commission."""
    conversion, shared = decision.conversion, decision.namesakes
    if conversion is not None and decision.is_new:
        rows["insert_conversions"].append(conversion)
    elif conversion is not None:
        _add_changes(rows, decision, conversion)
    if decision.moved and decision.commission:
        rows["write_commissions"].append(decision.commission)
    rows["insert_facts"] += [FactRow.of(*decision.key, fact) for fact in decision.new_facts]
    if decision.reviews:
        rows["open_order_reviews"] += decision.reviews
    if decision.watched and conversion is not None:
        rows["queue_messages"] += _messages(decision, conversion, now)
    if shared and shared.new:
        rows["insert_namesakes"] += shared.new
        rows["count_namesakes"].append((*shared.key, len(shared.numbers)))
    if decision.subscription:
        rows["insert_subscription_orders"].append(decision.subscription)
    if decision.customer:
        rows["insert_customer_orders"].append(decision.customer)


def _add_changes(rows: Mapping[str, list[Row]], decision: OrderDecision, conversion: Conversion) -> None:
    """Add what becomes of an order that was stored before: how it is stated anew, and that its figures may change."""
    if decision.is_restated:
        rows["restate_conversions"].append(RestatedConversion.of(conversion))
    if decision.is_restated or decision.moved or any(fact.status == "refunded" for fact in decision.new_facts):
        rows["note_changed_orders"].append(changed_order(conversion.account_id, conversion.conversion_id))


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


def _movements(decisions: Sequence[OrderDecision]) -> dict[str, list[Movement]]:
    """Return what the decisions move, by account."""
    moved: dict[str, list[Movement]] = {}
    for each in decisions:
        if each.moved and each.commission is not None:
            account_id, order_id = each.key
            found = commission_moves(each.known_commission, each.commission, order_id, each.cause)
            moved.setdefault(account_id, []).extend(found)
    return moved


def _messages(decision: OrderDecision, conversion: Conversion, now: int) -> list[Message]:
    """Return the messages about a decision for those who subscribed."""
    if not (decision.is_new or decision.moved or decision.adjustments or decision.reviews):
        return []
    return messages_of([decision.change(conversion)], decision.watched, now)


def _new_orders(decisions: Sequence[OrderDecision]) -> dict[str, list[tuple[str, OrderFigures]]]:
    """Return the orders that the decisions create, with their figures, by account."""
    new: dict[str, list[tuple[str, OrderFigures]]] = {}
    for each in decisions:
        if each.is_new and each.conversion is not None:
            found = each.conversion.conversion_id, each.figures(each.conversion)
            new.setdefault(each.key[0], []).append(found)
    return new


def _parked(result: EventResult) -> ParkedNews:
    event = result.event
    return ParkedNews(event.account_id, result.external_order_id, event.event_id, event.received_at)


async def wake_parked(tx: Tx, orders: Sequence[tuple[str, str]], now: int) -> None:
    """Make the events due again that wait for these orders, by (account id, external order id)."""
    rows = await tx.all("parked_news_of", orders=orders)
    news = [(r["account_id"], r["external_order_id"], r["event_id"]) for r in rows]
    await tx.run("unpark_news", news=news)
    await tx.run("wake_events", events=[(a, e) for a, _, e in news], now=now)
