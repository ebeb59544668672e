"""A platform's privacy requests: find what is kept of buyers' orders, or erase it; amounts and commissions stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import orjson

from hub.domain.connectors.connector import Erasure
from hub.domain.instants import format_instant
from hub.intake.stored_body import raw_body
from hub.processing.events import Event
from hub.storage import Tx

PAGE: Final = 500
WAIT_MS: Final = 86_400_000
"""How long the erasure of a whole connection waits: its body is two ids, and what it erases cannot be brought back."""
MOST_IDS: Final = 1_000
"""At most this many ids of a kind are written into the explanation; the counts are always whole."""


def waits_until(event: Event, erasure: Erasure, now: int, *, trusted: bool) -> int | None:
    """Return until when a privacy request waits for an operator's veto (ms UTC); None if it is to be executed.

    While the clock is not `trusted`, nobody knows whether the wait is over.
    """
    until = event.received_at + WAIT_MS
    waits = now < until or not trusted
    return until if erasure.act == "redact" and erasure.order_ids is None and waits else None


async def delay_privacy_request(tx: Tx, event: Event, erasure: Erasure, until: int) -> dict[str, Any]:
    """Make a privacy request due at `until`; return its explanation meanwhile."""
    waiting = {"act": erasure.act, "subject": erasure.subject, "orders": None, "erased": False,
               "waitsUntil": format_instant(until)}  # fmt: skip
    explanation = {"attribution": None, "commission": None, "skipReason": None, "erasure": waiting}
    text = orjson.dumps(explanation).decode()
    await tx.run("delay_erasure", account_id=event.account_id, event_id=event.event_id, due_at=until, explanation=text)
    return explanation


async def execute_privacy_request(tx: Tx, event: Event, erasure: Erasure, now: int) -> dict[str, Any]:
    """Find or erase what is kept of the orders named, of the whole connection if none are; return what was done.

    The request's own body names the buyer too, so a redaction erases it with the others. With a whole connection its
    credentials are deleted, and its readings end at `now` (ms UTC).
    """
    orders, events = await _found(tx, event, erasure)
    kept = await _kept(tx, event.account_id, events)
    conversions = await tx.all("metadata_of_orders", account_id=event.account_id, orders=orders) if orders else []
    redacts = erasure.act == "redact"
    if redacts:
        await _erase(tx, event.account_id, sorted({*kept, event.event_id}), orders)
        if erasure.order_ids is None:
            await _leave(tx, event, now)
    return {
        "act": erasure.act,
        "subject": erasure.subject,
        "orders": None if erasure.order_ids is None else list(erasure.order_ids)[:MOST_IDS],
        "payloads": len(kept),
        "events": kept[:MOST_IDS],
        "conversions": [
            {
                "conversionId": row["conversion_id"],
                "externalOrderId": row["external_order_id"],
                "metadata": _names(row["metadata"]),
            }
            for row in conversions[:MOST_IDS]
        ],
        "erased": redacts,
    }


async def _found(tx: Tx, event: Event, erasure: Erasure) -> tuple[list[str], list[str]]:
    """Return the orders that are meant and the events about them."""
    account_id, connection_id = event.account_id, event.connection_id
    if erasure.order_ids is None:
        rows = await tx.all("orders_of_connection", account_id=account_id, connection_id=connection_id)
        events = await tx.all("events_of_connection", account_id=account_id, connection_id=connection_id)
        return sorted({row["external_order_id"] for row in rows}), [row["event_id"] for row in events]
    orders = sorted(set(erasure.order_ids))
    if not orders:
        return [], []
    rows = await tx.all("events_of_orders", account_id=account_id, connection_id=connection_id, orders=orders)
    return orders, sorted({*(row["event_id"] for row in rows), *await _mentioned(tx, event, orders)})


async def _mentioned(tx: Tx, event: Event, orders: Sequence[str]) -> set[str]:
    """Events without an order (unreadable, uninteresting, requests like this one) whose body names one all the same."""
    names = re.compile(r"(?<![0-9A-Za-z])(?:" + "|".join(map(re.escape, orders)) + r")(?![0-9A-Za-z])")
    found: set[str] = set()
    after = ""
    while True:
        rows = await tx.all(
            "kept_bodies_without_order",
            account_id=event.account_id,
            connection_id=event.connection_id,
            after=after,
            limit=PAGE,
        )
        found |= {row["event_id"] for row in rows if names.search(raw_body(row["body"]).decode("utf-8", "replace"))}
        if len(rows) < PAGE:
            return found - {event.event_id}
        after = rows[-1]["event_id"]


async def _kept(tx: Tx, account_id: str, events: Sequence[str]) -> list[str]:
    if not events:
        return []
    rows = await tx.all("kept_payloads", events=[(account_id, event_id) for event_id in events])
    return sorted(row["event_id"] for row in rows)


async def _erase(tx: Tx, account_id: str, events: Sequence[str], orders: Sequence[str]) -> None:
    await tx.run("erase_payloads", account_id=account_id, events=events)
    await tx.run("forget_kept_requests", account_id=account_id)
    if orders:
        await tx.run("erase_metadata", account_id=account_id, orders=orders)
        await tx.run("forget_customers_of_orders", account_id=account_id, orders=orders)


async def _leave(tx: Tx, event: Event, now: int) -> None:
    """Delete what the platform of a connection is asked with and for: the shop has left."""
    where = {"account_id": event.account_id, "connection_id": event.connection_id}
    await tx.run("delete_platform_access", **where)
    await tx.run("delete_fetches", **where)
    await tx.run("end_reads", **where, fault="The platform asked to erase the shop.", now=now)


def _names(metadata: str | None) -> list[str]:
    """Return the names, not the values, of what metadata holds of a buyer."""
    kept = None if metadata is None else orjson.loads(metadata)
    return sorted(kept) if isinstance(kept, dict) else []
