"""One batch of the worker: claimed, translated, decided and written in a single transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from hub.domain.facts import ProductStockUpdated, ProductUpdated
from hub.intake.admission import Claim, claim_once, holds
from hub.processing.catalog import Decision, Heard, apply_product_news
from hub.processing.deliveries import Connection, load_connections, translate_delivery
from hub.processing.erasure import obey
from hub.processing.knowledge import Key, Merchant, load_knowledge, load_merchants
from hub.processing.orders import OrderCase, Policy, Verdict
from hub.processing.outcome import decide, event_row, outcome_of, write
from hub.processing.translate import Event, Statement, translate
from hub.processing.webhooks import translate_webhook
from hub.registry import Registry
from hub.storage import Tx


class Batch:
    """Works on claimed events; everything it writes commits with the caller's transaction."""

    def __init__(self, tx: Tx, registry: Registry, policy: Policy, now: int, new_id: Callable[[str], str]) -> None:
        self._tx = tx
        self._registry = registry
        self._policy = policy
        self._now = now
        self._new_id = new_id

    async def work(self, events: Sequence[Event]) -> list[Verdict]:
        """Decides the claimed events and writes what follows; returns a verdict for each."""
        heard = [event for event in events if event.type == "webhook"]
        merchants = await load_merchants(self._tx, {event.account_id for event in heard})
        connections = await load_connections(self._tx, heard)
        by_order: dict[Key, list[Statement]] = {}
        rest = []
        for statement in [self._translate(event, merchants, connections) for event in events]:
            order_id = statement.order_id
            if order_id is None:
                rest.append(statement)
            else:
                by_order.setdefault((statement.event.account_id, order_id), []).append(statement)
        cases, verdicts = await self._orders(by_order)
        verdicts += [_unheard(s) for s in rest if s.fault is not None or s.skip is not None]
        verdicts += await self._products([s for s in rest if s.news], merchants)
        await write(self._tx, outcome_of(cases, verdicts, self._now), self._now)
        return verdicts + await self._erasures([s for s in rest if s.erasure is not None])

    def _translate(
        self, event: Event, merchants: Mapping[str, Merchant], connections: Mapping[Key, Connection]
    ) -> Statement:
        if event.type != "webhook":
            return translate(event)
        merchant = merchants[event.account_id]
        if event.connection_id is None:
            return translate_webhook(event, self._registry, merchant.currency, live=merchant.live)
        connection = connections[event.account_id, event.connection_id]
        return translate_delivery(event, connection, self._registry, merchant.currency)

    async def _orders(self, by_order: Mapping[Key, Sequence[Statement]]) -> tuple[list[OrderCase], list[Verdict]]:
        if not by_order:
            return [], []
        await self._tx.lock_orders(by_order)
        owners = await self._claim_orders(s for told in by_order.values() for s in told)
        knowledge = await load_knowledge(self._tx, by_order)
        return decide(knowledge, by_order, owners, self._policy, self._now, self._new_id)

    async def _claim_orders(self, statements: Iterable[Statement]) -> dict[str, str]:
        """The events that may create their order, with the id of the conversion they create.

        REST conversions claimed their order at the desk; webhooks do so now.
        """
        creating = [s for s in statements if s.order is not None]
        ids = {s.event.event_id: s.event.conversion_id or self._new_id("cnv") for s in creating}
        claims: list[Claim] = [
            (s.event.account_id, "order", s.order_id or "", s.event.event_id, ids[s.event.event_id])
            for s in creating
            if s.event.type == "webhook"
        ]
        owners = await claim_once(self._tx, claims) if claims else {}
        won = {claim[3] for claim in claims if holds(claim, owners)}
        won |= {s.event.event_id for s in creating if s.event.type == "conversion"}
        return {event_id: ids[event_id] for event_id in won}

    async def _products(self, statements: Sequence[Statement], merchants: dict[str, Merchant]) -> list[Verdict]:
        if not statements:
            return []
        heard = [
            Heard(s.event, f) for s in statements for f in s.news if isinstance(f, ProductUpdated | ProductStockUpdated)
        ]
        decisions = await apply_product_news(self._tx, merchants, heard, self._now)
        return [_product_verdict(s.event, decisions[s.event.event_id]) for s in statements]

    async def _erasures(self, statements: Sequence[Statement]) -> list[Verdict]:
        """Obeys privacy requests last, when every event of this batch has its order noted and can be found by it."""
        verdicts = []
        for statement in statements:
            if statement.erasure is not None:
                done = await obey(self._tx, statement.event, statement.erasure)
                explanation = {"attribution": None, "commission": None, "skipReason": None, "erasure": done}
                verdicts.append(Verdict(statement.event, "PROCESSED", None, None, explanation))
        if verdicts:
            await self._tx.run("finish_events", verdicts=[event_row(verdict, self._now) for verdict in verdicts])
        return verdicts


def _unheard(statement: Statement) -> Verdict:
    """What cannot be read has failed, for a mended plugin to read again; what does not count is skipped."""
    explanation = {"attribution": None, "commission": None, "skipReason": statement.fault or statement.skip}
    event = statement.event
    status = "SKIPPED" if statement.fault is None else "FAILED"
    return Verdict(event, status, event.external_order_id, event.conversion_id, explanation)


def _product_verdict(event: Event, decision: Decision) -> Verdict:
    explanation = {"attribution": None, "commission": None, "skipReason": decision.skip_reason}
    status = "FAILED" if decision.failed else "PROCESSED" if decision.skip_reason is None else "SKIPPED"
    return Verdict(event, status, None, None, explanation)
