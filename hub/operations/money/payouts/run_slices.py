"""Runs in slices, for proofs: no statement reads more of a run than a slice, however large it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

from hub.storage import Row, Store

PAYMENTS: Final = 1_000
LINES: Final = 5_000
PAYMENT: Final[tuple[str, ...]] = ("affiliate_id", "currency")
LINE: Final[tuple[str, ...]] = (*PAYMENT, "account_id", "line_id")

Key = tuple[str, ...]
Slice = dict[str, Any]
"""The arguments of a query of a slice: the run, the key that it begins after, and the last key that it has."""


One = Callable[..., Awaitable[Row | None]]
"""Returns the first row of a named query: `Tx.one`, or that of a transaction of its own each time."""


def reading(store: Store) -> One:
    """Return what reads a row in a short transaction of its own."""

    async def one(query: str, /, **values: Any) -> Row | None:
        async with store.read() as tx:
            return await tx.one(query, **values)

    return one


async def payment_slices(one: One, payout_id: str) -> AsyncIterator[Slice]:
    """Yield a run in slices of its payments; the last one has the lines that are behind every payment."""
    begin: Key = ("", "")
    async for each in _slices(one, payout_id, "end_of_payments", PAYMENT, PAYMENTS):
        begin = each["last_affiliate_id"], each["last_currency"]
        yield each
    last = await one("last_line_of", payout_id=payout_id)
    if last is not None:
        yield _slice(payout_id, PAYMENT, begin, (last["affiliate_id"], last["currency"]))


def line_slices(one: One, payout_id: str) -> AsyncIterator[Slice]:
    """Return a run in slices of its lines."""
    return _slices(one, payout_id, "end_of_lines", LINE, LINES)


async def _slices(one: One, payout_id: str, query: str, columns: Key, limit: int) -> AsyncIterator[Slice]:
    begin: Key = ("",) * len(columns)
    while True:
        last = await one(query, payout_id=payout_id, limit=limit, **dict(zip(columns, begin, strict=True)))
        if last is None:
            return
        end = tuple(last[column] for column in columns)
        yield _slice(payout_id, columns, begin, end)
        begin = end


def _slice(payout_id: str, columns: Key, begin: Key, end: Key) -> Slice:
    until = {f"last_{column}": value for column, value in zip(columns, end, strict=True)}
    return {"payout_id": payout_id, **dict(zip(columns, begin, strict=True)), **until}
