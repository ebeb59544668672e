"""What is kept of a product's record is what would be told of its row, whatever was done to it and by whom."""

from __future__ import annotations

import asyncio
import random
from itertools import count
from typing import Any

import orjson
import pytest

from hub.app import Hub
from hub.catalog.product import Product
from hub.catalog.product_json import product_document, product_json
from hub.operations.campaigns.products import product_cursor
from hub.storage import Row, Store, pick_record
from hub.testing.clock import FakeClock
from tests.merchant_api.test_events import decided, webhook
from tests.merchant_api.test_products import IMPORT, UPSERT, product, put
from tests.served_hub import Api, api_of
from tests.sqlite_first import database_url, on_both

__all__ = ["database_url"]

TEXTS = ('Ström "best"', "back\\slash \\u0000", "two\nlines\t\x01\x7f", "漢字 🙂 \u2028", "a%_!b", "plain")
_numbers = count()
PRICES = {"USD": "12.5", "JPY": "500", "KWD": "1.234", "CLF": "0.0001"}


async def rows_of(store: Store) -> list[Row]:
    """Every product, oldest first."""
    async with store.read() as tx:
        return await tx._session.fetch("SELECT * FROM products ORDER BY account_id, product_id", _nothing(store))


async def change(store: Store, sql: str) -> None:
    """Changes the database past the hub."""
    async with store.write() as tx:
        await tx._session.execute(sql, _nothing(store))


def _nothing(store: Store) -> Any:
    return {} if store.dialect == "sqlite" else []


def test_it_is_told_by_the_members_of_its_record() -> None:
    """Byte for byte: `anew` asks the function that stored it, so something has to say what it tells."""
    product = Product(
        "acc_1", "prd_1", "SKU-1", "Shoe", None, "https://shop.example/p/1", None, "Shoes", None, "JPY", "FIXED", "5",
        "cmp_1", 500, None, None, "ACTIVE", 0, 1, 7,
    )  # fmt: skip
    assert product_json(product) == (
        '{"id":"prd_1","externalProductId":"SKU-1","name":"Shoe","description":null,'
        '"productUrl":"https://shop.example/p/1","imageUrl":null,"category":"Shoes","brand":null,"price":"500",'
        '"discountPrice":null,"currency":"JPY","stockStatus":null,"commissionType":"FIXED","commissionValue":"5",'
        '"campaignId":"cmp_1","status":"ACTIVE","createdAt":"1970-01-01T00:00:00.000Z",'
        '"updatedAt":"1970-01-01T00:00:00.001Z"}'
    )
    discounted = product._replace(currency="USD", price_minor=4_990, discount_minor=3_990)
    assert '"price":"49.90","discountPrice":"39.90"' in product_json(discounted)


def anew(row: Row) -> str:
    """What would be told of a row, from its other columns."""
    return orjson.dumps(product_document(pick_record(Product, row))).decode()


async def stale(store: Store) -> list[str]:
    """The products whose record tells something else than their columns."""
    return [row["product_id"] for row in await rows_of(store) if row["record"] not in (None, anew(row))]


async def assert_listed(api: Api, store: Store, size: int = 3) -> None:
    """Every page, byte for byte as it would be made of the columns, and the numbers without a gap."""
    rows = (await rows_of(store))[::-1]
    assert [row["number"] for row in rows] == list(range(len(rows), 0, -1))
    for page in range(1, len(rows) // size + 3):
        listed = rows[(page - 1) * size : page * size]
        records = [product_document(pick_record(Product, row)) for row in listed]
        expected = {"data": records, "page": page, "pageSize": size, "total": len(rows)}
        if page * size < len(rows):
            expected["nextCursor"] = product_cursor(listed[-1]["number"])
        assert (await api("GET", f"/v1/products?page={page}&pageSize={size}")).raw == orjson.dumps(expected)


async def act(api: Api, dice: random.Random, clock: FakeClock) -> None:
    """One change of some products, of any kind."""
    clock.advance(dice.choice((0, 1, 61_001)))
    names = [f"p{dice.randrange(9)}" for _ in range(dice.randrange(1, 5))]
    currency = dice.choice(list(PRICES))
    more = {
        "price": PRICES[currency], "currency": currency, "name": dice.choice(TEXTS), "brand": dice.choice(TEXTS),
        "discountPrice": dice.choice((PRICES[currency], None)), "stockStatus": dice.choice(("in_stock", "outofstock")),
        "description": dice.choice(TEXTS), "commissionType": "PERCENTAGE", "commissionValue": "8.25",
    }  # fmt: skip
    match dice.randrange(6):
        case 0:
            await put(api, IMPORT, *(product(name, **more) for name in names))
        case 1:
            given = dict(dice.sample(sorted(more.items(), key=str), 4)) | {"price": "3", "currency": "USD"}
            await put(api, UPSERT, *(product(name, **given) for name in names))
        case 2:  # what most feeds come to: prices and stock
            await put(api, UPSERT, *(product(name, price="7", stockStatus=more["stockStatus"]) for name in names))
        case 3:
            await api("PATCH", f"/v1/products/{names[0]}", {"name": more["name"], "status": "ACTIVE"})
        case 4:
            await api("POST", "/v1/products/archive", {"productIds": names})
        case _:
            news = {"externalProductId": names[0], "name": more["name"], "price": "9", "currency": "USD"}
            kind = dice.choice(("product-updated", "product-stock-updated"))
            news |= {"productUrl": "https://shop.example/n", "stockStatus": more["stockStatus"]}
            await heard(api, kind, news)


async def heard(api: Api, kind: str, body: dict[str, Any]) -> None:
    """Tells product news and waits until it was decided."""
    reply = await webhook(api, kind, body, f"w-{next(_numbers)}")
    assert reply.status == 202, reply.raw
    await decided(api, reply.json["webhookEventId"])


@pytest.mark.parametrize("seed", range(3))
async def test_the_record_is_the_row_after_whatever_was_done(
    either_api: Api, either_hub: Hub, clock: FakeClock, seed: int
) -> None:
    dice = random.Random(seed)
    async with api_of(either_hub, clock) as stranger:
        await put(stranger, IMPORT, product("theirs"))
        for _ in range(25):
            await act(either_api, dice, clock)
        assert await stale(either_hub.parts.store) == []
        assert (await stranger("GET", "/v1/products")).json["total"] == 1
    await change(either_hub.parts.store, "DELETE FROM products WHERE external_product_id = 'theirs'")
    await assert_listed(either_api, either_hub.parts.store)


async def test_the_check_sees_a_record_that_was_left_behind(either_api: Api, either_hub: Hub) -> None:
    """The control: a name that was changed by hand, without a date."""
    store = either_hub.parts.store
    await put(either_api, IMPORT, product("a"))
    await change(store, "UPDATE products SET name = 'other'")
    assert len(await stale(store)) == 1
    with pytest.raises(AssertionError):
        await assert_listed(either_api, store)


async def test_an_archived_product_is_made_from_its_columns_until_it_is_written_again(
    either_api: Api, either_hub: Hub
) -> None:
    """Archiving changes two columns of many products at once, so it leaves them without a record."""
    store = either_hub.parts.store
    await put(either_api, IMPORT, *(product(name) for name in "abc"))
    await either_api("POST", "/v1/products/archive", {"productIds": ["b"]})
    assert [row["record"] is None for row in await rows_of(store)] == [False, True, False]
    await assert_listed(either_api, store)
    assert (await either_api("GET", "/v1/products/b")).json["status"] == "ARCHIVED"
    await put(either_api, UPSERT, product("b", price="1"))
    assert [row["record"] is None for row in await rows_of(store)] == [False, False, False]


async def test_the_next_page_after_an_import_counts_it(either_api: Api) -> None:
    """Whatever is remembered, and however the import was divided."""
    for number in range(3):
        await put(either_api, UPSERT, *(product(f"{n}") for n in range(number * 260 + 3)))
        for query in ("", "?pageSize=1", "?page=9", "?status=ACTIVE"):
            assert (await either_api("GET", f"/v1/products{query}")).json["total"] == number * 260 + 3


@on_both("database_url")
async def test_imports_at_once_share_no_number(either_api: Api, either_hub: Hub) -> None:
    names = [[f"{n}-{m}" for m in range(300)] for n in range(4)]
    await asyncio.gather(*(put(either_api, IMPORT, *(product(name) for name in some)) for some in names))
    numbers = [row["number"] for row in await rows_of(either_hub.parts.store)]
    assert sorted(numbers) == list(range(1, 1_201))
