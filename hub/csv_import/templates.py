"""A template of each kind of file: every column, and two example rows that pass."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from typing import Final

from hub.csv_import.kinds import Kind

# A spreadsheet leaves these cells as they are: no leading zero, no amount that could be a date (12.50), no formula.
_ROWS: Final[Mapping[str, tuple[Mapping[str, str], ...]]] = {
    "products": (
        {
            "externalProductId": "SKU-1",
            "name": "Walking shoe",
            "productUrl": "https://shop.example/p/1",
            "price": "49.90",
            "description": "A light shoe for every day.",
            "imageUrl": "https://cdn.shop.example/p/1.jpg",
            "category": "Shoes",
            "brand": "Strider",
            "discountPrice": "39.90",
            "currency": "EUR",
            "stockStatus": "IN_STOCK",
            "commissionType": "PERCENTAGE",
            "commissionValue": "8",
        },
        {
            "externalProductId": "SKU-2",
            "name": "Rain jacket, blue",
            "productUrl": "https://shop.example/p/2",
            "price": "120",
            "currency": "EUR",
        },
    ),
    "orders": (
        {
            "externalOrderId": "ORDER-1042",
            "orderAmount": "49.90",
            "clickId": "clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c",
            "externalProductId": "SKU-1",
            "currency": "EUR",
            "orderStatus": "confirmed",
            "orderedAt": "2026-01-15T10:00:00Z",
            "couponCode": "SPRING",
            "metadata": '{"channel":"shop"}',
            "customer": "ada@example.com",
        },
        {
            "externalOrderId": "ORDER-1043",
            "orderAmount": "120",
            "currency": "EUR",
            "orderedAt": "2026-01-15T11:30:00Z",
        },
    ),
    "statuses": (
        {
            "externalOrderId": "ORDER-1042",
            "status": "delivered",
            "clickId": "clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c",
            "statusUpdatedAt": "2026-01-20T09:00:00Z",
            "reason": "Signed for by the buyer",
            "metadata": '{"carrier":"post"}',
        },
        {
            "externalOrderId": "ORDER-1043",
            "status": "cancelled",
            "statusUpdatedAt": "2026-01-16T08:15:00Z",
        },
    ),
}  # fmt: skip


def template(kind: Kind) -> str:
    r"""Return the header with all columns of a kind and two example rows; products are on the domain shop.example.

    A merchant with that approved domain could apply it unchanged. Lines end with \r\n (RFC 4180).
    """
    file = StringIO(newline="")
    writer = csv.DictWriter(file, kind.columns, restval="")
    writer.writeheader()
    writer.writerows(_ROWS[kind.name])
    return file.getvalue()
