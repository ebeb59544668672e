"""Conversions, commissions and facts as the store keeps them, typed.

A record is a tuple of its columns in their order, so that it is its row already.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import orjson

from hub.domain.commission import OrderLine, Refund, Terms, refund_from_json, refund_to_json, terms_from_json
from hub.domain.lifecycle import StatusFact
from hub.storage import Row


class Conversion(NamedTuple):
    """A recorded order; amounts in minor units of `currency`, times in milliseconds UTC."""

    account_id: str
    conversion_id: str
    event_id: str
    external_order_id: str
    order_minor: int
    paid_minor: int
    currency: str
    lines_text: str
    click_id: str | None
    coupon_code: str | None
    metadata: str | None
    ordered_at: int
    received_at: int
    confidence: str
    reason: str
    affiliate_id: str | None
    campaign_id: str | None
    candidate_id: str | None
    review: str | None
    created_at: int

    @classmethod
    def from_row(cls, row: Row) -> Conversion:
        """Reads a row that holds every column of the conversions table."""
        return cls(*_CONVERSION_VALUES(row))

    def to_row(self) -> tuple[object, ...]:
        """The values for `insert_conversions`."""
        return tuple(self)

    @property
    def lines(self) -> tuple[OrderLine, ...]:
        """The order's lines, read from their JSON."""
        return tuple(OrderLine(*line) for line in orjson.loads(self.lines_text))


class Commission(NamedTuple):
    """What an affiliate earns by a conversion, with the terms frozen when it was created."""

    account_id: str
    commission_id: str
    conversion_id: str
    affiliate_id: str
    state: str
    amount_minor: int
    base_minor: int
    currency: str
    source: str
    terms_text: str
    hold_ms: int
    hold_until: int | None
    paid_at: int | None
    payout_reference: str | None
    created_at: int
    updated_at: int

    @classmethod
    def from_row(cls, row: Row) -> Commission:
        """Reads a row that holds every column of the commissions table."""
        return cls(*_COMMISSION_VALUES(row))

    def to_row(self) -> tuple[object, ...]:
        """The values for `write_commissions`."""
        return tuple(self)

    @property
    def terms(self) -> Terms:
        """The frozen decision, read from its JSON; few need it once the amount is known."""
        return terms_from_json(orjson.loads(self.terms_text))


_TEXTS = {"lines_text": "lines", "terms_text": "terms"}
"""The JSON columns go by their column names in rows; on the records their text is told apart from what it says."""

_CONVERSION_VALUES = itemgetter(*(_TEXTS.get(name, name) for name in Conversion._fields))
_COMMISSION_VALUES = itemgetter(*(_TEXTS.get(name, name) for name in Commission._fields))


def lines_text(lines: Sequence[OrderLine]) -> str:
    """Order lines as the conversions table keeps them: [[externalProductId or null, quantity, minor], ...]."""
    return orjson.dumps([[*line] for line in lines]).decode()


def fact_from_row(row: Row) -> StatusFact:
    """Reads a row of order_facts."""
    refund: Refund | None = None if row["refund"] is None else refund_from_json(orjson.loads(row["refund"]))
    return StatusFact(
        key=row["fact_key"],
        status=row["status"],
        happened_at=row["happened_at"],
        received_at=row["received_at"],
        refund=refund,
        late=bool(row["late"]),
        sequence=row["event_id"],
    )


def fact_to_row(account_id: str, external_order_id: str, fact: StatusFact) -> tuple[object, ...]:
    """The values for `insert_facts`."""
    refund = None if fact.refund is None else orjson.dumps(refund_to_json(fact.refund)).decode()
    return (account_id, external_order_id, fact.key, fact.sequence, fact.status, fact.happened_at, fact.received_at,
            refund, int(fact.late))  # fmt: skip
