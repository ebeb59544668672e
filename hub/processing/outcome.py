"""What deciding about orders came to, as rows of the store: written at once, or handed to another process first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from hub.processing.knowledge import Key, Knowledge
from hub.processing.orders import OrderCase, Policy, Verdict
from hub.processing.records import fact_to_row
from hub.processing.translate import Statement
from hub.storage import Tx

Rows = Sequence[Sequence[Any]]
STATUS = 2
"""Where an event's row says what became of it."""


class Outcome(NamedTuple):
    """The rows for the queries that write them, see `write`, and the orders that came to be while news waited."""

    conversions: Rows
    facts: Rows
    commissions: Rows
    events: Rows
    parked: Rows
    awaited: Rows

    @property
    def statuses(self) -> list[str]:
        """What became of each event."""
        return [row[STATUS] for row in self.events]


def decide(
    knowledge: Knowledge, by_order: Mapping[Key, Sequence[Statement]], owners: Mapping[str, str], policy: Policy,
    now: int, new_id: Callable[[str], str],
) -> tuple[list[OrderCase], list[Verdict]]:  # fmt: skip
    """Decides what is told of orders, by what was loaded for these statements; no I/O, no clock.

    `owners` maps the events that may create their order to the ids of the conversions that they create.
    """
    cases, verdicts = [], []
    for key, told in by_order.items():
        case = OrderCase(key, knowledge, policy, now, new_id)
        verdicts += case.hear(told, owners)
        cases.append(case)
    return cases, verdicts


def outcome_of(cases: Iterable[OrderCase], verdicts: Sequence[Verdict], now: int) -> Outcome:
    """The rows of what was decided at `now` (ms UTC)."""
    cases = list(cases)
    return Outcome(
        conversions=[c.conversion.to_row() for c in cases if c.is_new and c.conversion],
        facts=[fact_to_row(*case.key, fact) for case in cases for fact in case.new_facts],
        commissions=[c.commission.to_row() for c in cases if c.moved and c.commission],
        events=[event_row(verdict, now) for verdict in verdicts],
        parked=[
            (v.event.account_id, v.external_order_id, v.event.event_id, v.event.received_at)
            for v in verdicts
            if v.status == "PARKED"
        ],
        awaited=[case.key for case in cases if case.is_new and case.awaited],
    )


def event_row(verdict: Verdict, now: int) -> tuple[object, ...]:
    """The values for `finish_events`."""
    event = verdict.event
    processed_at = None if verdict.status == "PARKED" else now
    explanation = orjson.dumps(verdict.explanation).decode()
    return (event.account_id, event.event_id, verdict.status, verdict.external_order_id,
            verdict.conversion_id or event.conversion_id, processed_at, event.attempts + 1, explanation)  # fmt: skip


async def write(tx: Tx, outcome: Outcome, now: int) -> None:
    """Writes what became of orders and events, no row of which is another's, and puts news that waited back to work."""
    written: dict[str, dict[str, Rows]] = {
        "insert_conversions": {"conversions": outcome.conversions},
        "insert_facts": {"facts": outcome.facts},
        "write_commissions": {"commissions": outcome.commissions},
        "finish_events": {"verdicts": outcome.events},
        "park_news": {"news": outcome.parked},
    }
    calls = [(query, values) for query, values in written.items() if any(values.values())]
    if calls:
        await tx.run_together(*calls)
    if outcome.awaited:
        await _wake_parked(tx, outcome.awaited, now)


async def _wake_parked(tx: Tx, orders: Rows, now: int) -> None:
    rows = await tx.all("parked_news_of", orders=orders)
    news = [(r["account_id"], r["external_order_id"], r["event_id"]) for r in rows]
    await tx.run("unpark_news", news=news)
    await tx.run("wake_events", events=[(a, e) for a, _, e in news], now=now)
