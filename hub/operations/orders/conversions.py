"""Conversions as an operator sees them: the order, its commission, and every fact with its effect."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from attrs import evolve

from hub.clock import Clock
from hub.domain.changes import moment_of
from hub.domain.money import format_money
from hub.domain.orders.lifecycle import Life, StatusFact, fold
from hub.domain.orders.terms import rule_of_terms
from hub.operations.errors import known
from hub.operations.list_filters import since_moment, with_ids
from hub.operations.lists import CHUNK, FilterValues, List, Page, Wanted, read
from hub.operations.orders.events import submitted
from hub.operations.orders.order_progress import progress_of, volumes_of
from hub.processing.commissions import life_of
from hub.processing.ledger_rows import Commission, Conversion, FactRow
from hub.records.orders import CommissionOfOrder, ConversionRecord, FactRecord, ReasonedFact, ReviewedConversion
from hub.records.rows import shared_values
from hub.storage import Row, Store, Tx, pick_records

CONVERSIONS: Final = List("conversions")
OPEN_REVIEW: Final = "OPEN"


class ConversionDetails(NamedTuple):
    """Everything that is stored of one conversion: the order, its commission if it has one, and all facts."""

    conversion: Conversion
    merchant_id: str
    merchant_name: str
    affiliate_name: str | None
    mode: str
    commission: Commission | None
    facts: tuple[StatusFact, ...]
    change_number: int | None = None

    @property
    def updated_at(self) -> int:
        """The moment (ms UTC) of the latest change; until that is numbered, the last that is known."""
        if self.change_number is not None:
            return moment_of(self.change_number)
        commission = self.commission
        return self.conversion.created_at if commission is None else commission.updated_at

    def life(self, now: int) -> Life:
        """Return the fold of the facts at `now` (ms UTC); without a commission, that of one that is not held."""
        if self.commission is None:
            return fold(
                self.facts, hold_ms=0, paid_at=None, now=now, fully_refunded=lambda _refunds: False,
                last=self.conversion.last_word,
            )  # fmt: skip
        return life_of(self.commission, self.conversion, self.facts, now)


async def show_conversion(store: Store, clock: Clock, conversion_id: str) -> ConversionRecord:
    """Return one conversion with its commission, facts and metadata; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return (await shown_conversions(tx, [await require_conversion(tx, conversion_id)], clock()))[0]


async def require_conversion(tx: Tx, conversion_id: str) -> ConversionDetails:
    """Return what is stored of a conversion; raise `OperatorFault` if it is unknown."""
    found = await tx.one("conversion_anywhere", conversion_id=conversion_id)
    row = known(found, "conversion", conversion_id, command="`hub conversion list --order ID` finds one by its order.")
    return (await assemble(tx, [row]))[0]


async def conversions_of_order(
    store: Store, clock: Clock, external_order_id: str, merchant: str | None = None, *,
    filters: FilterValues | None = None,
) -> list[ConversionRecord]:  # fmt: skip
    """Return the conversions with a merchant's order id, newest first, only of one merchant or by `filters` if given.

    Raise `OperatorFault` for an unknown merchant or affiliate.
    """
    asked = Wanted({"merchant": merchant} if filters is None else filters)
    async with store.read() as tx:
        found = (await with_ids(tx, asked)).filters
        names = ("account_id", "merchant_id", "affiliate_id", "mode")
        wanted = {name: found.get(name) for name in names}
        rows = await tx.all("conversions_of_order", external_order_id=external_order_id, **wanted)
        return await shown_conversions(tx, await assemble(tx, rows), clock())


async def conversions_part(
    store: Store, clock: Clock, wanted: Wanted, within: Mapping[str, str] | None = None,
    stored: Callable[[str], Any] = orjson.loads,
) -> Page[ConversionRecord]:  # fmt: skip
    """Return a part of the conversions; `merchant` and `affiliate` among the filters are references.

    `created_from` is in ms UTC; `review` is "OPEN"; `stored` as `shown_conversions` takes it. Raise `OperatorFault` for
    a reference that names nothing, and `CursorFault`.
    """
    begins = wanted.filters.get("created_from")
    led = {**wanted.filters, "since": since_moment("cnv", None if begins is None else int(begins))}
    async with store.read() as tx:
        found = await read(tx, CONVERSIONS, await with_ids(tx, evolve(wanted, filters=led)), within)
        return found.with_entries(await shown_conversions(tx, await assemble(tx, found.entries), clock(), stored))


async def each_conversion(store: Store, clock: Clock, wanted: Wanted) -> AsyncIterator[ConversionRecord]:
    """Yield as many conversions as are wanted, however many have to be looked through; raise as the part does."""
    left, part = wanted.limit, wanted
    while left > 0:
        page = await conversions_part(store, clock, evolve(part, limit=min(left, CHUNK)))
        for found in page.entries:
            yield found
        if page.following is None:
            return
        left, part = left - len(page.entries), evolve(part, cursor=page.following)


async def assemble(tx: Tx, rows: Sequence[Row]) -> list[ConversionDetails]:
    """Return what is stored of the conversions of these rows, in their order."""
    if not rows:
        return []
    conversions = pick_records(Conversion, rows)
    keys = [(c.account_id, c.conversion_id) for c in conversions]
    orders = [(c.account_id, c.external_order_id) for c in conversions]
    found = await tx.records(Commission, "load_commissions", conversions=keys)
    commissions = {(commission.account_id, commission.conversion_id): commission for commission in found}
    facts = _by_order(await tx.records(FactRow, "load_facts", orders=orders))
    numbered = "change_number" in list(rows[0].keys())  # an audit does not read when an order changed
    parties = pick_records(_Parties, rows)
    return [
        ConversionDetails(
            conversion, *each, commissions.get(key), tuple(facts.get(order, ())),
            row["change_number"] if numbered else None,
        )
        for row, conversion, each, key, order in zip(rows, conversions, parties, keys, orders, strict=True)
    ]  # fmt: skip


class _Parties(NamedTuple):
    """Whose a conversion is."""

    merchant_id: str
    merchant_name: str
    affiliate_name: str | None
    mode: str


def _by_order(rows: Iterable[FactRow]) -> dict[tuple[str, str], list[StatusFact]]:
    facts: dict[tuple[str, str], list[StatusFact]] = {}
    for row in rows:
        facts.setdefault((row.account_id, row.external_order_id), []).append(row.fact)
    return facts


async def shown_conversions(
    tx: Tx, page: Sequence[ConversionDetails], now: int, stored: Callable[[str], Any] = orjson.loads
) -> list[ConversionRecord]:
    """Return the records of conversions at `now` (ms UTC), with what was submitted beside their facts.

    `stored` makes an explanation and metadata of their JSON: `orjson.Fragment` for those who only send them on.
    """
    conversions = [details.conversion for details in page]
    progress = await progress_of(tx, [(details.conversion, details.commission) for details in page], stored)
    reasons = await _reasons(tx, page)
    volumes = await volumes_of(tx, conversions)
    return [
        ConversionRecord(
            **_members(details),
            **progress[conversion.conversion_id],
            facts=tuple([ReasonedFact(**fact, reason=reasons.get(fact["event_id"])) for fact in _facts(details, now)]),
            metadata=None if conversion.metadata is None else stored(conversion.metadata),
            volume=volumes.get(conversion.conversion_id),
            updated_at=details.updated_at,
        )
        for details, conversion in zip(page, conversions, strict=True)
    ]


async def _reasons(tx: Tx, page: Sequence[ConversionDetails]) -> dict[str, Any]:
    """Return what was given as the reason of these orders' facts, by event id."""
    events = {(details.conversion.account_id, fact.sequence) for details in page for fact in details.facts}
    return {event_id: said.get("reason") for event_id, said in (await submitted(tx, sorted(events))).items()}


def reviewed_conversion(details: ConversionDetails, now: int) -> ReviewedConversion:
    """Return the record of a conversion at `now` (ms UTC), as a review leaves it."""
    facts = tuple(FactRecord(**fact) for fact in _facts(details, now))
    return ReviewedConversion(**_members(details), facts=facts)


def _members(details: ConversionDetails) -> dict[str, Any]:
    """Return the members of a conversion's record but for its facts."""
    conversion, commission = details.conversion, details.commission
    return {
        **shared_values(ReviewedConversion, conversion),
        "merchant_id": details.merchant_id,
        "merchant_name": details.merchant_name,
        "affiliate_name": details.affiliate_name,
        "mode": details.mode,
        "id": conversion.conversion_id,
        "order_amount": format_money(conversion.order_minor, conversion.currency),
        "commission": None if commission is None else commission_of_order(commission),
    }


def commission_of_order(commission: Commission) -> CommissionOfOrder:
    """Return the record of a commission."""
    rule, value = rule_of_terms(orjson.loads(commission.terms_json))
    return CommissionOfOrder(
        **shared_values(CommissionOfOrder, commission),
        id=commission.commission_id,
        amount=format_money(commission.amount_minor, commission.currency),
        type=rule,
        value=value,
        base=format_money(commission.base_minor, commission.currency),
    )


def _facts(details: ConversionDetails, now: int) -> list[dict[str, Any]]:
    """Return the members of the facts in the order in which they count; without a commission none could be applied."""
    facts, earns = {fact.key: fact for fact in details.facts}, details.commission is not None
    return [
        {
            "status": fact.status,
            "at": fact.happened_at,
            "received_at": fact.received_at,
            "applied": applied and earns,
            "skip_reason": skip_reason if earns else None,
            "event_id": fact.sequence,
        }
        for key, applied, skip_reason in details.life(now).results
        for fact in (facts[key],)
    ]
