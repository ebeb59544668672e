"""Reconciliation: a shop's own list of orders compared with what the hub has of them.

The file is one of `hub csv`'s kind `orders`, so any export with an order id and an amount will do. It is read in
chunks, and its order ids are kept in a temporary file that SQLite deletes; only the ids of missing orders take memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, TypedDict

from attrs import define, field, frozen

from hub.csv_import.header import Refused, survey
from hub.csv_import.kinds import KINDS
from hub.csv_import.reader import RowReader
from hub.csv_import.row_validation import RowValidator
from hub.domain.money import format_money, to_minor
from hub.domain.orders.lifecycle import in_order
from hub.operations.errors import OperatorFault
from hub.operations.references import account_id_of
from hub.processing.decision_context import load_merchants
from hub.processing.ledger_rows import FactRow
from hub.storage import Row, Store, Tx
from hub.validation.inputs import ConversionInput, MerchantTerms

ROWS_AT_ONCE: Final = 500
SHOWN: Final = 1_000
"""At most this many examples of each difference are listed; the counts are of all."""


class Difference(TypedDict):
    """An order that differs; amounts are decimal text, null on the side that does not know the order."""

    externalOrderId: str
    shop: str | None
    hub: str | None


class ReconciliationDocument(TypedDict):
    """The comparison: how many orders the file has, and each kind of difference with its count and examples.

    `faults` are rows that could not be read. An order is extra if the hub has it and the file does not, though it has
    orders before and after it.
    """

    orders: int
    agree: int
    missing: int
    extra: int
    amountDiffers: int
    statusDiffers: int
    faults: list[str]
    missingOrders: list[Difference]
    extraOrders: list[Difference]
    amounts: list[Difference]
    statuses: list[Difference]


_KINDS: Final = ("missing", "extra", "amounts", "statuses")


@define
class _Found:
    """What was found so far; the lists are cut, `counts` are not."""

    counts: dict[str, int] = field(factory=lambda: dict.fromkeys(_KINDS, 0))
    lists: dict[str, list[Difference]] = field(factory=lambda: {name: [] for name in _KINDS})
    faults: list[str] = field(factory=list)
    orders: int = 0
    different: int = 0

    def add(self, kind: str, order_id: str, shop: str | None, hub: str | None) -> None:
        self.counts[kind] += 1
        if len(self.lists[kind]) < SHOWN:
            self.lists[kind].append({"externalOrderId": order_id, "shop": shop, "hub": hub})


@frozen
class Reconciliation:
    """The comparison, and the ids of all orders that the hub lacks."""

    document: ReconciliationDocument
    missing: frozenset[str]


async def reconcile(store: Store, file: Path, merchant_id: str, mode: str) -> Reconciliation:
    """Compare a file of orders with an account's; raise `OperatorFault` for a file that cannot be read."""
    account_id = await account_id_of(store, merchant_id, mode)
    async with store.read() as tx:
        merchant = (await load_merchants(tx, [account_id]))[account_id]
    terms = MerchantTerms(merchant.currency, merchant.domains)
    found, missing, span = _Found(), set[str](), (2**62, -1)
    with closing(sqlite3.connect("", isolation_level=None)) as ids:
        ids.execute("CREATE TABLE ids (id TEXT PRIMARY KEY) WITHOUT ROWID")
        for orders in _orders(file, terms, found):
            ids.executemany("INSERT OR IGNORE INTO ids VALUES (?)", [(order.external_order_id,) for order in orders])
            async with store.read() as tx:
                known = await _known(tx, account_id, [order.external_order_id for order in orders])
            for order in orders:
                row = known.get(order.external_order_id)
                _compare(order, row, merchant.currency, found)
                if row is None:
                    missing.add(order.external_order_id)
                else:
                    span = min(span[0], row["ordered_at"]), max(span[1], row["ordered_at"])
        await _find_extra(store, account_id, span, ids, found)
    return Reconciliation(_document(found), frozenset(missing))


def rows_of(file: Path, wanted: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield the header of a file of orders and its rows of these orders, as a file that can be applied."""
    layout = _surveyed(file)
    columns = [place for place, name in enumerate(layout.columns) if name is not None]
    yield tuple(str(layout.columns[place]) for place in columns)
    identity = layout.columns.index("externalOrderId")
    with file.open("rb") as opened:
        reader = RowReader(opened, layout)
        while (chunk := reader.read(ROWS_AT_ONCE)).rows or chunk.faults:
            for row in chunk.rows:
                if row[identity].strip() in wanted:
                    yield tuple(row[place] for place in columns)


def _surveyed(file: Path) -> Any:
    try:
        return survey(file, KINDS["orders"]).layout
    except Refused as refused:
        raise OperatorFault(f"{file} cannot be reconciled: {'; '.join(refused.faults)}.") from None
    except OSError as error:
        raise OperatorFault(f"{file} cannot be read: {error.strerror}.") from error


def _orders(file: Path, terms: MerchantTerms, found: _Found) -> Iterator[list[ConversionInput]]:
    layout = _surveyed(file)
    validator = RowValidator(KINDS["orders"], layout, terms, lambda value, _raw: value)
    number = 1
    with file.open("rb") as opened:
        reader = RowReader(opened, layout)
        while (chunk := reader.read(ROWS_AT_ONCE)).rows or chunk.faults:
            rows = list(validator.validate(chunk, number))
            number += len(rows)
            faults = [f"line {row.line}: {'; '.join(row.faults)}" for row in rows if row.faults]
            found.faults += faults[: max(0, SHOWN - len(found.faults))]
            orders = [row.entry for row in rows if not row.faults]
            found.orders += len(orders)
            yield orders


async def _known(tx: Tx, account_id: str, order_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    keys = [(account_id, order_id) for order_id in order_ids]
    rows = await tx.all("load_conversions", orders=keys) if keys else []
    facts: dict[str, list[FactRow]] = {}
    for fact in await tx.records(FactRow, "load_facts", orders=keys) if keys else []:
        facts.setdefault(fact.external_order_id, []).append(fact)
    return {row["external_order_id"]: {**dict(row), "statuses": _statuses(facts.get(row["external_order_id"], ()))}
            for row in rows}  # fmt: skip


def _statuses(facts: Iterable[FactRow]) -> list[str]:
    return [fact.status for fact in in_order(row.fact for row in facts)]


def _compare(order: ConversionInput, row: dict[str, Any] | None, own_currency: str, found: _Found) -> None:
    order_id = order.external_order_id
    currency = order.currency or own_currency
    minor = to_minor(Decimal(order.order_amount), currency)
    stated = f"{format_money(minor, currency)} {currency}"
    if row is None:
        found.add("missing", order_id, stated, None)
        return
    differs = False
    if (minor, currency) != (row["order_minor"], row["currency"]):
        stored = f"{format_money(row['order_minor'], row['currency'])} {row['currency']}"
        found.add("amounts", order_id, stated, stored)
        differs = True
    statuses: list[str] = row["statuses"]
    if order.order_status not in (None, "pending", *statuses):
        found.add("statuses", order_id, order.order_status, statuses[-1] if statuses else "pending")
        differs = True
    found.different += differs


async def _find_extra(
    store: Store, account_id: str, span: tuple[int, int], ids: sqlite3.Connection, found: _Found
) -> None:
    """Look for orders of the file's span of time that the file does not have."""
    after = ""
    while True:
        async with store.read() as tx:
            rows: list[Row] = await tx.all(
                "orders_between", account_id=account_id, since=span[0], until=span[1], after=after, limit=ROWS_AT_ONCE
            )
        for row in rows:
            order_id = row["external_order_id"]
            if ids.execute("SELECT 1 FROM ids WHERE id = ?", (order_id,)).fetchone() is None:
                stored = f"{format_money(row['order_minor'], row['currency'])} {row['currency']}"
                found.add("extra", order_id, None, stored)
        if len(rows) < ROWS_AT_ONCE:
            return
        after = rows[-1]["conversion_id"]


def _document(found: _Found) -> ReconciliationDocument:
    return {
        "orders": found.orders,
        "agree": found.orders - found.counts["missing"] - found.different,
        "missing": found.counts["missing"],
        "extra": found.counts["extra"],
        "amountDiffers": found.counts["amounts"],
        "statusDiffers": found.counts["statuses"],
        "faults": found.faults,
        "missingOrders": found.lists["missing"],
        "extraOrders": found.lists["extra"],
        "amounts": found.lists["amounts"],
        "statuses": found.lists["statuses"],
    }
