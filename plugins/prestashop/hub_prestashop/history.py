"""What an order's history says: its states, which flags and ids tell apart, since names are the shop's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hub.api import (
    Fact,
    OrderCancelled,
    OrderDelivered,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    as_moment,
    refund_key,
    status_key,
)
from hub_prestashop.bodies import StateBody
from hub_prestashop.options import PrestashopOptions


def of_history(number: str, history: Sequence[StateBody], options: PrestashopOptions) -> Iterator[Fact]:
    """Give the first time of each state of an order, and each cancellation: an order may come back in between."""
    paid = next((state for state in history if state.paid), None)
    if paid is not None:
        yield OrderPaid(status_key("paid", None), number, _at(paid), None, None)
    delivered = next((state for state in history if _means(state, options.delivered_states, "delivered")), None)
    if delivered is not None:
        yield OrderDelivered(status_key("delivered", None), number, _at(delivered), None, None)
    cancelled = {_at(state) for state in history if _means(state, options.cancelled_states, "cancelled")}
    for at in sorted(cancelled, key=lambda each: each or 0):
        yield OrderCancelled(status_key("cancelled", at), number, at, None, None)
    returned = next((state for state in history if _means(state, options.returned_states, None)), None)
    if returned is not None:
        yield OrderReturned(status_key("returned", None), number, _at(returned), None, None)
    refunded = next((state for state in history if state.meaning == "refunded"), None)
    if refunded is not None:
        # PrestaShop's own state for it takes back the whole order, with a credit slip or without.
        yield OrderRefunded(
            refund_key("state", ""), number, _at(refunded), None, None, "state", None, (), whole=True
        )  # fmt: skip


def refunded_by_state(history: Sequence[StateBody]) -> bool:
    """Whether the shop ever said of the whole order that it is refunded."""
    return any(state.meaning == "refunded" for state in history)


def stands_at(history: Sequence[StateBody], options: PrestashopOptions) -> int | None:
    """Return when the order's newest state said that it goes on: one that counts as paid, and ends nothing."""
    last = history[-1] if history else None
    if last is None or not last.paid or last.meaning in ("cancelled", "refunded"):
        return None
    ends = (*options.cancelled_states, *options.returned_states)
    return None if str(last.id) in ends else _at(last)


def _at(state: StateBody) -> int | None:
    return as_moment(state.date, "date")


def _means(state: StateBody, ids: tuple[str, ...], meaning: str | None) -> bool:
    return str(state.id) in ids if ids else meaning is not None and state.meaning == meaning
