"""Products: imported, upserted, listed, shown, changed, archived."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.app import Hub
from hub.catalog.import_products import ProductImport
from hub.intake.throttle import Throttle
from hub.merchant_api.v1.product_import import BUSY_STEP, STEP
from hub.storage import Tx
from hub.testing.clock import FakeClock
from tests.served_hub import Api, log_of, new_key, new_merchant
from tests.sqlite_first import on_both

IMPORT, UPSERT = "/v1/products/import", "/v1/products/upsert"
OPTIONAL = (
    "description",
    "imageUrl",
    "category",
    "brand",
    "discountPrice",
    "stockStatus",
    "commissionType",
    "commissionValue",
)


def product(number: str = "p1", **more: object) -> dict[str, object]:
    return {
        "externalProductId": number, "name": f"Product {number}", "productUrl": f"https://shop.example/{number}",
        "price": "49.90", **more,
    }  # fmt: skip


FULL = product(
    description="Long", imageUrl="https://cdn.example/1.png", category="Shoes", brand="Strider", discountPrice="39.90",
    stockStatus="IN_STOCK", commissionType="PERCENTAGE", commissionValue="8",
)  # fmt: skip


async def put(api: Api, path: str, *items: object) -> Any:
    reply = await api("POST", path, {"products": list(items)})
    assert reply.status == 202, reply.raw
    return reply.json


async def shown(api: Api, named: str = "p1") -> Any:
    return (await api("GET", f"/v1/products/{named}")).json


class TestImport:
    async def test_inserts_and_updates(self, either_api: Api) -> None:
        assert await put(either_api, IMPORT, product("a"), product("b")) == {
            "received": 2, "created": 2, "updated": 0, "failed": 0, "errors": [],
        }  # fmt: skip
        summary = await put(either_api, IMPORT, product("b", price="1"), product("c"))
        assert (summary["created"], summary["updated"]) == (1, 1)
        assert (await shown(either_api, "b"))["price"] == "1.00"

    async def test_a_record_has_every_field(self, either_api: Api) -> None:
        await put(either_api, IMPORT, FULL)
        record = await shown(either_api)
        assert record == FULL | {
            "id": record["id"], "currency": "USD", "campaignId": None, "status": "ACTIVE",
            "createdAt": "2026-11-20T12:00:00.000Z", "updatedAt": "2026-11-20T12:00:00.000Z",
        }  # fmt: skip
        assert record["id"].startswith("prd_")

    async def test_import_replaces_the_whole_record(self, either_api: Api, clock: FakeClock) -> None:
        await put(either_api, IMPORT, FULL)
        before = await shown(either_api)
        clock.advance(60_000)
        await put(either_api, IMPORT, product())
        after = await shown(either_api)
        assert [after[name] for name in OPTIONAL] == [None] * len(OPTIONAL)
        assert (after["id"], after["createdAt"]) == (before["id"], before["createdAt"])
        assert after["updatedAt"] == "2026-11-20T12:01:00.000Z"

    async def test_upsert_keeps_what_is_left_out(self, either_api: Api) -> None:
        await put(either_api, IMPORT, FULL)
        await put(either_api, UPSERT, product(name="New", category=None, brand="Other"))
        after = await shown(either_api)
        assert (after["name"], after["brand"], after["category"]) == ("New", "Other", "Shoes")
        assert [after[name] for name in OPTIONAL if name != "brand"] == [FULL[n] for n in OPTIONAL if n != "brand"]

    async def test_what_changes_nothing_is_not_written(self, api: Api, clock: FakeClock) -> None:
        await put(api, IMPORT, FULL)
        clock.advance(60_000)
        assert (await put(api, IMPORT, FULL))["updated"] == 1
        assert (await shown(api))["updatedAt"] == "2026-11-20T12:00:00.000Z"

    async def test_a_bad_item_fails_alone(self, either_api: Api) -> None:
        summary = await put(
            either_api, IMPORT, product("a"), {"name": 5}, "text", product("b", price="1.234"), product("c")
        )
        assert (summary["received"], summary["created"], summary["failed"]) == (5, 2, 3)
        assert [(e["index"], e["externalProductId"]) for e in summary["errors"]] == [(1, None), (2, None), (3, "b")]
        assert summary["errors"][2]["message"].startswith("`products[3].price` must be")

    async def test_of_an_id_given_twice_the_last_wins(self, either_api: Api) -> None:
        summary = await put(either_api, IMPORT, product("a", name="first"), product("a", name="last"))
        assert (summary["created"], summary["updated"], summary["failed"]) == (1, 0, 1)
        assert summary["errors"][0]["index"] == 0
        assert (await shown(either_api, "a"))["name"] == "last"

    async def test_the_last_wins_over_steps_too(self, either_api: Api) -> None:
        """The first of the two lies in another transaction, and a bad later one takes nobody's place."""
        items = [product(str(number)) for number in range(STEP + 2)]
        items += [product("0", name="last"), product("1", name="bad", price="no")]
        summary = await put(either_api, IMPORT, *items)
        assert (summary["created"], summary["failed"]) == (STEP + 2, 2)
        assert [(e["index"], e["externalProductId"]) for e in summary["errors"]] == [(0, "0"), (STEP + 3, "1")]
        assert [(await shown(either_api, name))["name"] for name in "01"] == ["last", "Product 1"]

    @pytest.mark.parametrize(("busy", "most"), [(True, BUSY_STEP), (False, STEP)])
    async def test_steps_are_smaller_while_requests_come(
        self, api: Api, monkeypatch: Any, busy: bool, most: int
    ) -> None:
        sizes: list[int] = []
        write = ProductImport.write

        async def noting(rule: ProductImport, tx: Tx, verdicts: Any) -> Any:
            sizes.append(len(verdicts))
            return await write(rule, tx, verdicts)

        monkeypatch.setattr(ProductImport, "write", noting)
        monkeypatch.setattr(Throttle, "busy", busy)
        summary = await put(api, IMPORT, *(product(str(number)) for number in range(STEP + 7)))
        assert summary["created"] == sum(sizes) == STEP + 7
        assert max(sizes) == most

    async def test_only_the_first_hundred_errors_are_told(self, api: Api) -> None:
        summary = await put(api, IMPORT, *({} for _ in range(150)))
        assert (summary["failed"], len(summary["errors"])) == (150, 100)

    @pytest.mark.parametrize(
        "body", [{}, {"products": None}, {"products": {}}, {"products": "a"}, {"products": [{}] * 5001}], ids=range(5)
    )
    async def test_a_wrong_payload_is_400_and_stores_nothing(self, api: Api, body: object) -> None:
        reply = await api("POST", IMPORT, body)
        assert reply.status == 400
        assert reply.json["message"][0].startswith("`products` ")
        assert (await api("GET", "/v1/products")).json["total"] == 0

    async def test_unknown_fields_are_ignored_and_logged(self, api: Api, hub: Hub) -> None:
        await put(api, IMPORT, product(colour="red"))
        assert (await log_of(hub, api.key))[-1]["detail"] == {"warnings": {"ignoredFields": ["products[0].colour"]}}

    async def test_campaigns_must_be_the_accounts_own(self, api: Api, hub: Hub, clock: FakeClock) -> None:
        stranger = api.with_key(await new_key(hub, clock, await new_merchant(hub, clock, approve=True)))
        foreign = (await stranger("POST", "/v1/campaigns", {"title": "T"})).json["id"]
        own = (await api("POST", "/v1/campaigns", {"title": "T"})).json["id"]
        summary = await put(
            api, IMPORT, product("a", campaignId=own), product("b", campaignId=foreign), product("c", campaignId="x")
        )
        assert (summary["created"], summary["failed"]) == (1, 2)
        assert summary["errors"][0]["message"] == "`products[1].campaignId` must be a campaign of this account"
        assert (await shown(api, "a"))["campaignId"] == own
        refused = await api("PATCH", "/v1/products/a", {"campaignId": foreign})
        assert (refused.status, refused.json["message"]) == (400, ["`campaignId` must be a campaign of this account"])

    async def test_an_upsert_is_held_to_the_stored_currency(self, api: Api) -> None:
        await put(api, IMPORT, product(currency="JPY", price="500"))
        summary = await put(api, UPSERT, product(price="4.90"))
        assert summary["errors"][0]["message"].startswith("`products[0].price` must be")
        await put(api, UPSERT, product(price="600"))
        assert ((await shown(api))["price"], (await shown(api))["currency"]) == ("600", "JPY")

    async def test_a_change_of_currency_needs_every_amount(self, api: Api) -> None:
        """39.90 dollars must not become 3990 yen by being left out."""
        await put(api, IMPORT, product(discountPrice="39.90"))
        summary = await put(api, UPSERT, product(price="500", currency="JPY"))
        assert summary["errors"][0]["message"] == "`products[0].discountPrice` must be given if the currency changes"

    @pytest.mark.prove
    async def test_five_thousand_products_can_be_imported(self, either_api: Api, either_hub: Hub) -> None:
        """The most a payload may hold; a conversion that comes meanwhile is not kept waiting for the whole of it."""
        items = [product(str(number), description="x" * 100) for number in range(5_000)]
        running = asyncio.create_task(either_api("POST", IMPORT, {"products": items}))
        number = 0
        while not running.done():
            order = {"externalOrderId": f"A-{number}", "orderAmount": "1"}
            assert (await either_api("POST", "/v1/conversions", order)).status == 202
            number += 1
        assert (await running).json["created"] == 5_000
        assert number > 3
        assert (await either_api("GET", "/v1/products?pageSize=1")).json["total"] == 5_000

    async def test_steps_commit_alone_and_a_repeat_completes(self, api: Api, hub: Hub, monkeypatch: Any) -> None:
        """A fault in the third step leaves two stored and nothing under the key, so the same request runs again."""
        from hub.storage import StoreUnavailable

        items = [product(str(number)) for number in range(2 * STEP + 40)]
        run, calls = Tx.run, 0

        async def failing(tx: Tx, query: str, /, **values: object) -> int:
            nonlocal calls
            calls += query == "write_products"
            if query == "write_products" and calls >= 3:  # a transaction that shared its commit is tried again alone
                raise StoreUnavailable("gone")
            return await run(tx, query, **values)

        key = {"Idempotency-Key": "big"}
        with monkeypatch.context() as outage:
            outage.setattr(Tx, "run", failing)
            outage.setattr("hub.merchant_api.v1.product_import.BUSY_STEP", STEP)  # the hub may be busy with others
            assert (await api("POST", IMPORT, {"products": items}, headers=key)).status == 503
        assert (await api("GET", "/v1/products")).json["total"] == 2 * STEP
        again = await api("POST", IMPORT, {"products": items}, headers=key)
        assert (again.json["created"], again.json["updated"], again.json["failed"]) == (40, 2 * STEP, 0)
        assert (await api("POST", IMPORT, {"products": items}, headers=key)).raw == again.raw


class TestList:
    @pytest.fixture(autouse=True)
    async def catalogue(self, either_api: Api) -> None:
        items = [
            product(f"p{n}", category="Shoes" if n % 2 else "Hats", brand="Ström" if n == 3 else None) for n in range(7)
        ]
        await put(either_api, IMPORT, *items)
        await either_api("PATCH", "/v1/products/p0", {"status": "INACTIVE"})

    async def listed(self, api: Api, query: str) -> list[str]:
        reply = await api("GET", f"/v1/products{query}")
        assert reply.status == 200, reply.raw
        return [each["externalProductId"] for each in reply.json["data"]]

    async def test_pages_list_the_newest_first(self, either_api: Api) -> None:
        assert await self.listed(either_api, "") == ["p6", "p5", "p4", "p3", "p2", "p1", "p0"]
        assert await self.listed(either_api, "?page=2&pageSize=3") == ["p3", "p2", "p1"]
        page = (await either_api("GET", "/v1/products?page=3&pageSize=3")).json
        assert (len(page["data"]), page["page"], page["pageSize"], page["total"]) == (1, 3, 3, 7)
        assert await self.listed(either_api, "?page=99") == []

    async def test_unknown_parameters_are_ignored_and_logged(self, either_api: Api, either_hub: Hub) -> None:
        assert len(await self.listed(either_api, "?limit=1")) == 7
        assert (await log_of(either_hub, either_api.key))[-1]["detail"] == {"warnings": {"ignoredFields": ["limit"]}}

    async def test_the_same_words_are_told_the_same_again(self, either_api: Api, either_hub: Hub) -> None:
        """Queries are remembered: their faults and what was ignored of them must not be lost on the way."""
        for _ in range(2):
            assert await self.listed(either_api, "?pageSize=2&limit=1") == ["p6", "p5"]
            assert (await log_of(either_hub, either_api.key))[-1]["detail"] == {
                "warnings": {"ignoredFields": ["limit"]}
            }
            assert (await either_api("GET", "/v1/products?page=0")).status == 400
            assert (await either_api("GET", "/v1/campaigns?pageSize=2&limit=1")).json["pageSize"] == 2

    async def test_a_list_can_be_filtered(self, either_api: Api) -> None:
        assert await self.listed(either_api, "?status=INACTIVE") == ["p0"]
        assert await self.listed(either_api, "?category=Hats&status=ACTIVE") == ["p6", "p4", "p2"]
        assert await self.listed(either_api, "?category=hats") == []

    @pytest.mark.parametrize(
        ("search", "found"),
        [("PRODUCT%20p3", ["p3"]), ("P5", ["p5"]), ("str%C3%96M", ["p3"]), ("%25", []), ("_", []), ("!", [])],
    )
    async def test_search_ignores_case_and_takes_no_wildcards(
        self, either_api: Api, search: str, found: list[str]
    ) -> None:
        assert await self.listed(either_api, f"?search={search}") == found

    @pytest.mark.parametrize(
        "query",
        [
            "page=0",
            "page=x",
            "page=1.5",
            "page=-1",
            "pageSize=201",
            "pageSize=0",
            "status=active",
            "status=",
            "page=1&page=1",
        ],
    )
    async def test_a_bad_query_is_a_400(self, either_api: Api, query: str) -> None:
        reply = await either_api("GET", f"/v1/products?{query}")
        assert reply.status == 400
        assert query.partition("=")[0] in reply.json["message"][0]


class TestShowAndChange:
    async def test_a_product_is_found_by_either_id(self, either_api: Api) -> None:
        await put(either_api, IMPORT, product("a/b c", productUrl="https://shop.example/"))
        record = (await either_api("GET", "/v1/products/a%2Fb%20c")).json
        assert (await shown(either_api, record["id"])) == record

    async def test_our_id_wins(self, api: Api) -> None:
        await put(api, IMPORT, product("a"))
        ours = (await shown(api, "a"))["id"]
        await put(api, IMPORT, product(ours))
        assert (await shown(api, ours))["externalProductId"] == "a"

    async def test_patch_changes_what_is_given(self, either_api: Api, clock: FakeClock) -> None:
        await put(either_api, IMPORT, FULL)
        clock.advance(1_000)
        reply = await either_api("PATCH", "/v1/products/p1", {"price": "55", "discountPrice": None})
        assert reply.status == 200
        assert reply.json == await shown(either_api)
        assert (reply.json["price"], reply.json["discountPrice"], reply.json["brand"]) == ("55.00", None, "Strider")
        assert reply.json["updatedAt"] == "2026-11-20T12:00:01.000Z"

    async def test_an_empty_patch_changes_nothing(self, api: Api, clock: FakeClock) -> None:
        await put(api, IMPORT, FULL)
        before = await shown(api)
        clock.advance(1_000)
        assert (await api("PATCH", "/v1/products/p1", {})).json == before

    @pytest.mark.parametrize(
        "body",
        [
            {"price": "1.234"},
            {"price": None},
            {"price": 5},
            {"name": ""},
            {"status": "active"},
            {"commissionType": "FIXED"},
            {"commissionType": "PERCENTAGE", "commissionValue": "101"},
            {"stockStatus": "x" * 41},
            {"campaignId": "nothing"},
        ],
    )
    async def test_a_bad_patch_is_a_400(self, api: Api, body: object) -> None:
        await put(api, IMPORT, FULL)
        before = await shown(api)
        reply = await api("PATCH", "/v1/products/p1", body)
        assert (reply.status, reply.json["error"]) == (400, "Bad Request")
        assert await shown(api) == before

    async def test_an_unknown_product_is_a_404(self, api: Api) -> None:
        for method, body in (("GET", None), ("PATCH", {"price": "1"})):
            assert (await api(method, "/v1/products/nothing", body)).status == 404

    @pytest.mark.parametrize(
        ("status", "word", "after"),
        [
            ("ACTIVE", "OUT_OF_STOCK", "OUT_OF_STOCK"),
            ("OUT_OF_STOCK", "instock", "ACTIVE"),
            ("ACTIVE", "onbackorder", "ACTIVE"),
            ("INACTIVE", "OUT_OF_STOCK", "INACTIVE"),
            ("ARCHIVED", "IN_STOCK", "ARCHIVED"),
            ("ACTIVE", "few left", "ACTIVE"),
        ],
    )
    async def test_stock_words_move_the_status(self, api: Api, status: str, word: str, after: str) -> None:
        await put(api, IMPORT, product())
        await api("PATCH", "/v1/products/p1", {"status": status})
        assert (await api("PATCH", "/v1/products/p1", {"stockStatus": word})).json["status"] == after
        assert (await put(api, IMPORT, product(stockStatus=word)))["updated"] == 1
        assert (await shown(api))["status"] == after

    async def test_a_given_status_wins_over_the_stock_word(self, api: Api) -> None:
        await put(api, IMPORT, product())
        reply = await api("PATCH", "/v1/products/p1", {"status": "ACTIVE", "stockStatus": "OUT_OF_STOCK"})
        assert (reply.json["status"], reply.json["stockStatus"]) == ("ACTIVE", "OUT_OF_STOCK")

    @on_both("either_hub")
    async def test_changes_at_once_lose_nothing(self, either_api: Api) -> None:
        """Each changes another field of one product; none undoes another."""
        await put(either_api, IMPORT, product())
        changes = [
            {"name": "New"},
            {"price": "1"},
            {"discountPrice": "0.50"},
            {"stockStatus": "few"},
            {"status": "INACTIVE"},
        ]
        await asyncio.gather(*(either_api("PATCH", "/v1/products/p1", change) for change in changes))
        after = await shown(either_api)
        assert [after[n] for n in ("name", "price", "discountPrice", "stockStatus", "status")] == [
            "New",
            "1.00",
            "0.50",
            "few",
            "INACTIVE",
        ]


class TestArchive:
    async def test_a_product_is_found_by_either_id(self, either_api: Api) -> None:
        await put(either_api, IMPORT, product("a"), product("b"), product("c"))
        ours = (await shown(either_api, "b"))["id"]
        reply = await either_api("POST", "/v1/products/archive", {"productIds": ["a", ours, "b", "nothing", "nothing"]})
        assert (reply.status, reply.json) == (200, {"archived": 2, "notFound": ["nothing"]})
        assert [(await shown(either_api, n))["status"] for n in "abc"] == ["ARCHIVED", "ARCHIVED", "ACTIVE"]
        again = await either_api("POST", "/v1/products/archive", {"productIds": ["a"]})
        assert again.json == {"archived": 1, "notFound": []}

    @pytest.mark.parametrize(
        "body", [{}, {"productIds": None}, {"productIds": "a"}, {"productIds": [1]}, {"productIds": [""]}]
    )
    async def test_a_bad_body_is_a_400(self, api: Api, body: object) -> None:
        assert (await api("POST", "/v1/products/archive", body)).status == 400
