"""One batch of the worker, decided and written in a single transaction. This is the only recipe for deciding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from attrs import frozen

from hub.catalog.product_news import NewsResult, ProductNewsItem, apply_product_news
from hub.domain.orders.product_facts import ProductStockUpdated, ProductUpdated
from hub.intake.claims import claim_once, holds
from hub.intake.rules import ClaimRow
from hub.processing.decide_orders import OrderDecision, decide_orders
from hub.processing.decision_context import Key, load_context, load_merchants
from hub.processing.events import Event, EventFacts, EventResult
from hub.processing.identity import as_it_waited
from hub.processing.policy import Policy
from hub.processing.privacy_requests import delay_privacy_request, execute_privacy_request, waits_until
from hub.processing.write_decisions import write_decisions
from hub.storage import Tx
from hub.validation.inputs import MerchantTerms


@frozen
class Recipe:
    """What deciding takes beside the facts: the hub's own defaults, the time (ms UTC) and new ids.

    While the clock is not trusted, `now` is the time without its jump, and no erasure that waits is executed.
    """

    policy: Policy
    now: int
    new_id: Callable[[str], str]
    clock_is_trusted: bool = True


class Wanted(NamedTuple):
    """A row of `want_fetches`: how many deliveries named a thing, and from when on it is fetched (ms UTC)."""

    account_id: str
    connection_id: str
    kind: str
    item_id: str
    wanted: int
    due_at: int


async def decide_batch(tx: Tx, facts: Sequence[EventFacts], recipe: Recipe) -> list[EventResult]:
    """Decide events by what they state and write what follows; return what became of each.

    A privacy request among others is left alone, and is missing from the results: it may read every stored body, so it
    is decided in a transaction of its own (see `decide_alone`).
    """
    by_order: dict[Key, list[EventFacts]] = {}
    rest: list[EventFacts] = []
    for each in facts:
        if each.order_id is not None:
            known = each if each.event.external_order_id in (None, each.order_id) else as_it_waited(each)
            by_order.setdefault((each.event.account_id, known.order_id or ""), []).append(known)
        elif each.erasure is None:
            rest.append(each)
    decisions, results = list[OrderDecision](), list[EventResult]()
    if by_order:
        await tx.lock_orders(by_order)
        owners = await _claim_orders(tx, (each for facts in by_order.values() for each in facts), recipe.new_id)
        context = await load_context(tx, by_order, recipe.policy.customer_key)
        decisions, results = decide_orders(context, by_order, owners, recipe.policy, recipe.now, recipe.new_id)
    if rest:
        results += [_unread(each) for each in rest if each.fault is not None or each.skip is not None]
        results += await _products(tx, [each for each in rest if each.news], recipe.now)
        await _want_fetches(tx, rest, recipe.now)
    await write_decisions(tx, decisions, results, recipe.now)
    return results


async def decide_alone(tx: Tx, facts: EventFacts, recipe: Recipe) -> EventResult:
    """Decide one event, whatever it states, and write what follows."""
    if facts.erasure is None:
        (result,) = await decide_batch(tx, [facts], recipe)
        return result
    event, erasure = facts.event, facts.erasure
    until = waits_until(event, erasure, recipe.now, trusted=recipe.clock_is_trusted)
    if until is not None:
        return EventResult(event, "QUEUED", None, None, await delay_privacy_request(tx, event, erasure, until))
    done = await execute_privacy_request(tx, event, erasure, recipe.now)
    explanation = {"attribution": None, "commission": None, "skipReason": None, "erasure": done}
    result = EventResult(event, "PROCESSED", None, None, explanation)
    await write_decisions(tx, [], [result], recipe.now)
    return result


async def _want_fetches(tx: Tx, facts: Iterable[EventFacts], now: int) -> None:
    """Have fetched what deliveries only named: several of one order are one fetch."""
    wanted = Counter(
        (each.event.account_id, each.event.connection_id or "", *each.to_fetch)
        for each in facts
        if each.to_fetch is not None
    )
    if wanted:
        await tx.run("want_fetches", fetches=[Wanted(*key, count, now) for key, count in sorted(wanted.items())])


async def _claim_orders(tx: Tx, facts: Iterable[EventFacts], new_id: Callable[[str], str]) -> dict[str, str]:
    """Return the events that may create their order, with the id of the conversion they create.

    REST conversions claimed their order at intake; webhooks do so now, since only now their order is known.
    """
    owners: dict[str, str] = {}
    claims: list[ClaimRow] = []
    for each in facts:
        if each.order is None:
            continue
        event, conversion_id = each.event, each.event.conversion_id or new_id("cnv")
        if event.type == "webhook":
            claims.append(ClaimRow(event.account_id, "order", each.order_id or "", event.event_id, conversion_id))
        else:
            owners[event.event_id] = conversion_id
    held = await claim_once(tx, claims) if claims else {}
    return owners | {claim.event_id: claim.conversion_id or "" for claim in claims if holds(claim, held)}


async def _products(tx: Tx, facts: Sequence[EventFacts], now: int) -> list[EventResult]:
    if not facts:
        return []
    merchants = await load_merchants(tx, {each.event.account_id for each in facts})
    terms = {account_id: MerchantTerms(m.currency, m.domains) for account_id, m in merchants.items()}
    items = [
        ProductNewsItem(e.event.account_id, e.event.connection_id or "", e.event.event_id, e.event.received_at, fact)
        for e in facts
        for fact in e.news
        if isinstance(fact, ProductUpdated | ProductStockUpdated)
    ]
    results = await apply_product_news(tx, terms, items, now)
    return [_product_result(each.event, results[each.event.event_id]) for each in facts]


def _unread(facts: EventFacts) -> EventResult:
    """Fail an event that cannot be read (a mended plugin may read it again); skip one that does not count."""
    explanation = {"attribution": None, "commission": None, "skipReason": facts.fault or facts.skip}
    event = facts.event
    status = "SKIPPED" if facts.fault is None else "FAILED"
    return EventResult(event, status, event.external_order_id, event.conversion_id, explanation)


def _product_result(event: Event, result: NewsResult) -> EventResult:
    explanation = {"attribution": None, "commission": None, "skipReason": result.skip_reason}
    status = "FAILED" if result.failed else "PROCESSED" if result.skip_reason is None else "SKIPPED"
    return EventResult(event, status, None, None, explanation)
