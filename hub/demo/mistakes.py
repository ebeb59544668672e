"""What goes wrong in every shop sometimes: requests that are refused, news of unknown orders, bad rows, questions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from hub.clock import Clock
from hub.demo.merchant import MerchantClient, RequestRefused
from hub.domain.instants import format_instant
from hub.operations.files.page_uploads import FileIntake, take_file
from hub.operations.lists import Wanted
from hub.operations.orders.affiliate_reports import own_commissions, show_own_commission
from hub.operations.orders.order_messages import write_message
from hub.storage import Store

QUESTION: Final = "My reader says that she bought two of them. Is the second one in this order?"
FILE_NAME: Final = "orders-by-telephone.csv"
GOOD_ROWS: Final = 9
BAD_ROWS: Final = ("S-210,notebook,eighteen,USD", "S-211,notebook,18.50,usd", ",mug,24.00,USD")
"""Rows that are refused: an amount in words, a currency in small letters, an order without a number."""


async def lose_news(client: MerchantClient) -> None:
    """Report the delivery of orders that never come, so that the news is given up one day."""
    for number in ("F-0901", "F-0902"):
        await client.post("/v1/order-status", {"externalOrderId": number, "status": "delivered"})


async def upload_orders(intake: FileIntake, account_id: str, clock: Clock) -> None:
    """Take a file of orders as its owner's page takes it, under its name; some of its rows are refused."""
    day = format_instant(clock() - 86_400_000)
    good = [f"S-{200 + number},mug,24.00,USD,{day}" for number in range(GOOD_ROWS)]
    rows = [*good[:4], *(f"{row},{day}" for row in BAD_ROWS), *good[4:]]
    header = "externalOrderId,externalProductId,orderAmount,currency,orderedAt"
    text = "\n".join([header, *rows, ""])
    await take_file(intake, account_id, "orders", _blocks(text.encode()), dry_run=False, name=FILE_NAME)


async def _blocks(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def make_mistakes(client: MerchantClient) -> None:
    """Send what a shop gets wrong: bad bodies, a bad secret, an order webhook without its number, news too early."""
    early = {"externalOrderId": "F-2001", "status": "delivered"}
    await client.post("/v1/order-status", early)
    await client.post("/v1/order-status", {**early, "externalOrderId": "F-2002", "status": "cancelled"})
    for number, amount in enumerate(("64.00", "24.00")):
        body = {"order_amount": amount, "currency": "USD"}
        await client.notify("/v1/webhooks/order-created", body, f"order-without-number-{number}")
    order = {"externalOrderId": "F-2003", "orderAmount": "64,00"}
    with suppress(RequestRefused):
        await client.post("/v1/conversions", order)
    with suppress(RequestRefused):
        await client.with_secret("a-secret-of-last-year").post("/v1/conversions", {**order, "orderAmount": "64.00"})


async def ask_merchant(store: Store, clock: Clock, affiliate_id: str, merchant_id: str) -> None:
    """Have the affiliate ask a merchant about its newest order there."""
    newest = await own_commissions(store, affiliate_id, "live", Wanted({"merchant_id": merchant_id}, limit=1))
    for each in newest.entries:
        order = (await show_own_commission(store, affiliate_id, each.commission_id)).conversion
        await write_message(store, clock, order.conversion_id, "affiliate", QUESTION, owner=affiliate_id)
