"""A rate of exchange, as one person proposes it and another approves it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from attrs import frozen

from hub.domain.words import ExchangeStatus
from hub.records.orders import NOON
from hub.records.record import Note
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant


@frozen(kw_only=True)
class ExchangeRate:
    """A rate: so many `quote` for one `base`."""

    set_id: Annotated[str, Note("The proposal that it is of.", "exr_01936f3e8c7a7b3e9d5a4c2b1f0e8d99")]
    base: Annotated[str, Note("The currency of which there is one.", "USD")]
    quote: Annotated[str, Note("The currency of which there are so many.", "EUR")]
    rate: Annotated[str, Note("How many.", "0.9231")]
    change: Annotated[
        str | None, Note("By how many percent it differs from the one in force when it was proposed; null for none.")
    ]
    source: Annotated[str, Note("Where it is from.", "ECB reference rates of 2026-11-24")]
    status: Annotated[ExchangeStatus, Note("Whether it counts.", "PROPOSED")]
    proposed_by: Annotated[str, Note("Who proposed it.")]
    proposed_at: Annotated[int, Instant("When it was proposed.", NOON)]
    decided_by: Annotated[str | None, Note("Who approved or dropped it; null until then.")]
    decided_at: Annotated[int | None, Instant("When that was; null until then.", "")]


def exchange_rate(row: Row) -> ExchangeRate:
    """Return the rate of a row of `exchange_rates_of` or `exchange_rates_listed`."""
    return read_row(ExchangeRate, row, change=None if row["before"] is None else _change(row["before"], row["rate"]))


def _change(before: str, after: str) -> str:
    """Return by how many percent a rate differs from another, with its sign: a wrong one stands out."""
    return f"{float(Fraction(after) / Fraction(before) * 100 - 100):+.2f}"
