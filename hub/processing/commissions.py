"""Open a commission for a conversion, and move it to the state that its order's facts fold to; no I/O, no clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from hub.domain.books.ledger import Movement, Owner, Standing, moves, standing
from hub.domain.instants import instant_or_none
from hub.domain.money import format_money
from hub.domain.orders.commission import OrderLine, Refund, Rule, Settled, Terms, resolve, settle, terms_to_json
from hub.domain.orders.lifecycle import Life, StatusFact, fold
from hub.processing.ledger_rows import Commission, Conversion


class Pricing(NamedTuple):
    """The rules in force for one order and its lines: each level's rule or None, and how long a commission is held.

    `product_rules` and `product_campaign_rules` map external product ids to the product's own rule and to the default
    of the campaign it is attached to. All but the last field are what `resolve` takes, in its order.
    """

    merchant_currency: str
    lines: tuple[OrderLine, ...]
    product_rules: Mapping[str, Rule]
    product_campaign_rules: Mapping[str, Rule]
    campaign_rule: Rule | None
    merchant_rule: Rule | None
    platform_rule: Rule
    new_customer_rule: Rule | None
    hold_ms: int


def open_commission(
    conversion: Conversion, affiliate_id: str, pricing: Pricing, facts: Iterable[StatusFact], commission_id: str,
    now: int,
) -> Commission:  # fmt: skip
    """Return a new commission with its terms frozen, in the state that its order's facts fold to at `now` (ms UTC).

    Raises ValueError if no rule applies, which the platform's percentage always does.
    """
    return open_with_terms(conversion, affiliate_id, pricing, facts, commission_id, now)[0]


def open_with_terms(
    conversion: Conversion, affiliate_id: str, pricing: Pricing, facts: Iterable[StatusFact], commission_id: str,
    now: int,
) -> tuple[Commission, dict[str, Any]]:  # fmt: skip
    """Return a new commission as `open_commission` does, and what its `terms_json` is the text of."""
    terms = resolve(conversion.order_minor, conversion.currency, *pricing[:-1])
    life = fold(
        facts, hold_ms=pricing.hold_ms, paid_at=None, now=now, last=conversion.last_word,
        fully_refunded=lambda refunds: _settle(terms, conversion, refunds).fully_refunded,
    )  # fmt: skip
    amount, base, document = terms.amount_minor, terms.base_minor, terms_to_json(terms)
    if life.refunds:
        amount, base, *_ = _settle(terms, conversion, life.refunds)
    commission = Commission(
        conversion.account_id, commission_id, conversion.conversion_id, affiliate_id, life.state, amount, base,
        conversion.currency, terms.source, orjson.dumps(document).decode(), pricing.hold_ms,
        life.hold_until, None, None, now, now,
    )  # fmt: skip
    return commission, document


def life_of(commission: Commission, conversion: Conversion, facts: Iterable[StatusFact], now: int) -> Life:
    """Fold an order's facts under the commission's frozen terms; `now` is milliseconds UTC."""
    return fold(
        facts, hold_ms=commission.hold_ms, paid_at=commission.paid_at, now=now, last=conversion.last_word,
        fully_refunded=lambda refunds: _settle(commission.terms, conversion, refunds).fully_refunded,
    )  # fmt: skip


def advance(commission: Commission, conversion: Conversion, life: Life, now: int) -> Commission:
    """Return the commission as its order's life says; a paid one stays as it was paid. `now` is milliseconds UTC."""
    if commission.paid_at is not None:
        return commission
    amount, base = commission.amount_minor, commission.base_minor
    if life.was_refunded:
        amount, base, *_ = _settle(commission.terms, conversion, life.refunds)
    unchanged = (commission.state, commission.hold_until, commission.amount_minor, commission.base_minor)
    if (life.state, life.hold_until, amount, base) == unchanged:
        return commission
    return commission._replace(
        state=life.state, hold_until=life.hold_until, amount_minor=amount, base_minor=base, updated_at=now
    )


def reprice(
    commission: Commission, conversion: Conversion, pricing: Pricing, facts: Iterable[StatusFact], now: int
) -> Commission:
    """Return an unpaid commission with terms for what its order is by now, in the state that the facts fold to.

    `now` is milliseconds UTC. Raise ValueError if no rule applies, which the platform's percentage always does.
    """
    terms = resolve(conversion.order_minor, conversion.currency, *pricing[:-1])
    priced = commission._replace(
        source=terms.source, terms_json=orjson.dumps(terms_to_json(terms)).decode(),
        amount_minor=terms.amount_minor, base_minor=terms.base_minor, updated_at=now,
    )  # fmt: skip
    return advance(priced, conversion, life_of(priced, conversion, facts, now), now)


def commission_moves(before: Commission | None, after: Commission, order_id: str, cause: str) -> list[Movement]:
    """Return the ledger's entries for what became of an unpaid commission, None before it was opened."""
    if after.paid_at is not None:
        return []
    had: Standing = (None, 0) if before is None else standing(before.state, before.amount_minor)
    owner = Owner(after.currency, after.affiliate_id, after.commission_id, order_id)
    return moves(owner, had, standing(after.state, after.amount_minor), cause)


def explain_commission(
    commission: Commission, conversion: Conversion, refunds: Sequence[Refund], document: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the `commission` part of an event's explanation, amounts as money text, times as RFC 3339.

    {state, amount, base, holdUntil} and the frozen terms (see `terms_to_json`), their lines reduced by the refunds.
    `document` spares reading the terms, if it is known what `terms_json` is the text of.
    """
    currency = commission.currency
    if refunds:
        frozen = commission.terms
        terms = terms_to_json(frozen._replace(lines=_settle(frozen, conversion, refunds).lines))
    else:
        terms = orjson.loads(commission.terms_json) if document is None else document
    return {
        "state": commission.state,
        "amount": format_money(commission.amount_minor, currency),
        "base": format_money(commission.base_minor, currency),
        "holdUntil": instant_or_none(commission.hold_until),
        **terms,
    }


def _settle(terms: Terms, conversion: Conversion, refunds: Sequence[Refund]) -> Settled:
    return settle(terms, conversion.paid_minor, conversion.lines, refunds)
