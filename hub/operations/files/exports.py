"""Exports: an account's records as CSV, read in pages of short transactions, so that any number of rows fits."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

import orjson
from attrs import frozen

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.references import account_id_of
from hub.storage import Row, Store
from hub.validation.input_reader import fields_of
from hub.validation.inputs import ConversionInput, ProductInput

PAGE = 1_000

Cell = Callable[[Row], str | int | None]
"""A function that returns the cell of a stored row; None is an empty cell."""


@frozen
class ExportBlock:
    """A part of an export: whole lines of CSV, and how many rows they hold (the header does not count)."""

    text: str
    rows: int


@frozen
class Export:
    """A kind of export: the query of a page, the parameters of the first page, and the columns that are written.

    `cursor` maps the parameters of the query that say after which row the page begins to the columns that fill them.
    """

    query: str
    cursor: Mapping[str, str]
    start: Mapping[str, Any]
    columns: Mapping[str, Cell]

    def after(self, row: Row) -> Mapping[str, Any]:
        """Return the parameters of the page that begins after this row."""
        return {name: row[column] for name, column in self.cursor.items()}

    def lines(self, rows: Sequence[Row]) -> str:
        """Return stored rows as lines of CSV; a cell that a spreadsheet would run as a formula is made plain text."""
        cells = tuple(self.columns.values())
        return _csv([[_text(cell(row)) for cell in cells] for row in rows])


async def export(
    store: Store, name: str, merchant_id: str, mode: str, *, page_rows: int = PAGE
) -> AsyncIterator[ExportBlock]:
    """Yield the account's records as RFC 4180, oldest first, in pages; raise `OperatorFault` for an unknown merchant.

    Each page shows its rows as they were when it was read, so a row that changes meanwhile appears once, old or new.
    """
    account_id = await account_id_of(store, merchant_id, mode)
    wanted = EXPORTS[name]
    yield ExportBlock(_csv([tuple(wanted.columns)]), 0)
    cursor = wanted.start
    while True:
        async with store.read() as tx:
            rows = await tx.all(wanted.query, account_id=account_id, limit=page_rows, **cursor)
        if rows:
            yield ExportBlock(wanted.lines(rows), len(rows))
        if len(rows) < page_rows:
            return
        cursor = wanted.after(rows[-1])


def _csv(lines: Sequence[Sequence[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(lines)
    return text.getvalue()


def _text(value: str | int | None) -> str:
    return "" if value is None else defused(str(value))


def _plain(column: str) -> Cell:
    return itemgetter(column)


def _time(column: str) -> Cell:
    return lambda row: None if row[column] is None else format_instant(row[column])


def _money(column: str) -> Cell:
    return lambda row: None if row[column] is None else format_money(row[column], row["currency"])


def _term(name: str) -> Cell:
    return lambda row: orjson.loads(row["terms"])[name]


def _only_product(row: Row) -> str | None:
    """Return the product of an order of one piece; a conversion's columns can say no more than that."""
    lines = orjson.loads(row["lines"])
    return lines[0][0] if len(lines) == 1 and lines[0][1:] == [1, row["order_minor"]] else None


def _not_kept(_: Row) -> None:
    """Return an empty cell: the hub keeps no more of a buyer than a keyed hash."""


def _inputs(cls: type, stored: Mapping[str, Cell]) -> dict[str, Cell]:
    """Return the columns of an import file of this input, so that the export can be imported, with their cells."""
    return {field.wire: stored.get(field.wire) or _plain(field.name) for field in fields_of(cls)}


CONVERSIONS: Final = _inputs(
    ConversionInput,
    {
        "orderAmount": _money("order_minor"),
        "externalProductId": _only_product,
        "orderedAt": _time("ordered_at"),
        "customer": _not_kept,
    },
) | {
    "id": _plain("conversion_id"),
    "paidTotal": _money("paid_minor"),
    "confidence": _plain("confidence"),
    "reason": _plain("reason"),
    "affiliateId": _plain("affiliate_id"),
    "campaignId": _plain("campaign_id"),
    "candidateId": _plain("candidate_id"),
    "review": _plain("review"),
    "receivedAt": _time("received_at"),
    "eventId": _plain("event_id"),
}

COMMISSIONS: Final[Mapping[str, Cell]] = {
    "id": _plain("commission_id"),
    "state": _plain("state"),
    "amount": _money("amount_minor"),
    "currency": _plain("currency"),
    "affiliateId": _plain("affiliate_id"),
    "affiliateName": _plain("affiliate_name"),
    "affiliateEmail": _plain("affiliate_email"),
    "externalOrderId": _plain("external_order_id"),
    "orderedAt": _time("ordered_at"),
    "conversionId": _plain("conversion_id"),
    "campaignId": _plain("campaign_id"),
    "base": _money("base_minor"),
    "source": _plain("source"),
    "type": _term("type"),
    "value": _term("value"),
    "holdUntil": _time("hold_until"),
    "paidAt": _time("paid_at"),
    "payoutReference": _plain("payout_reference"),
    "createdAt": _time("created_at"),
    "updatedAt": _time("updated_at"),
}

PRODUCTS: Final = _inputs(ProductInput, {"price": _money("price_minor"), "discountPrice": _money("discount_minor")}) | {
    "id": _plain("product_id"),
    "status": _plain("status"),
    "createdAt": _time("created_at"),
    "updatedAt": _time("updated_at"),
}

REQUESTS: Final[Mapping[str, Cell]] = {
    "time": _time("logged_at"),
    "requestId": _plain("request_id"),
    "method": _plain("method"),
    "path": _plain("path"),
    "status": _plain("status"),
    "errorCode": _plain("error_code"),
    "keyId": _plain("key_id"),
    "client": _plain("client"),
    "microseconds": _plain("duration_us"),
}

EXPORTS: Final[Mapping[str, Export]] = {
    "conversions": Export("export_conversions", {"after": "conversion_id"}, {"after": ""}, CONVERSIONS),
    "commissions": Export("export_commissions", {"after": "commission_id"}, {"after": ""}, COMMISSIONS),
    "products": Export("export_products", {"after": "product_id"}, {"after": ""}, PRODUCTS),
    "request-log": Export(
        "export_requests",
        {"after_at": "logged_at", "after_id": "log_id"},
        {"after_at": -1, "after_id": ""},
        REQUESTS,
    ),
}
