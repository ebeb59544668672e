"""Import and upsert payloads, item by item."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from hub.catalog.validate_items import ItemValidation, RejectedProduct, ValidatedItem
from hub.validation.inputs import MerchantTerms, ProductInput
from hub.validation.validate import Invalid, price_faults

MERCHANT = MerchantTerms("USD", ("shop.example",))


def item(number: int = 1, **fields: Any) -> dict[str, Any]:
    page = f"https://shop.example/{number}"
    return {"externalProductId": f"SKU-{number}", "name": "Shoe", "productUrl": page, "price": "49.90", **fields}


def validated(*items: Any, keeps_omitted: bool = False) -> list[ValidatedItem]:
    validation = ItemValidation.open(orjson.dumps({"products": items}), MERCHANT, keeps_omitted=keeps_omitted)
    return validation.conclude(validation.validate(0, len(items)))


class TestPayload:
    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ({}, "`products` must be given"),
            ({"products": None}, "`products` must not be null"),
            ({"products": {}}, "`products` must be an array"),
            ({"products": "[]"}, "`products` must be an array"),
            ({"products": [{}] * 5_001}, "`products` must hold at most 5,000 items"),
            ([], "The body must be a JSON object"),
            ({"products": [item(name="a\0")]}, "`products[0].name` must not hold U+0000 or half a surrogate pair"),
        ],
    )
    def test_wrong_as_a_whole(self, body: Any, said: str) -> None:
        """Nothing is stored where the payload itself is wrong."""
        with pytest.raises(Invalid) as caught:
            ItemValidation.open(orjson.dumps(body), MERCHANT, keeps_omitted=False)
        assert caught.value.faults == [said]

    def test_empty(self) -> None:
        """Nothing to do is no fault."""
        assert validated() == []

    def test_full(self) -> None:
        """5,000 items are fine."""
        assert all(type(verdict) is ProductInput for verdict in validated(*(item(n) for n in range(5_000))))

    def test_unknown_fields(self) -> None:
        """Named with their place, those of bad items too, at most 50."""
        body = {"products": [item(colour="red"), 5, {"size": 1}, *(item(n, x=1) for n in range(100))], "dryRun": True}
        unknown = ItemValidation.open(body, MERCHANT, keeps_omitted=False).unknown_fields()
        assert unknown[:4] == ("dryRun", "products[0].colour", "products[2].size", "products[3].x")
        assert len(unknown) == 50


class TestItems:
    def test_a_bad_item_fails_alone(self) -> None:
        """Each is told with all its faults, and with its id where it has one."""
        good, wrong, none, number, far = validated(
            item(1), item(2, price=5, productUrl="https://evil.example/"), {}, "x", item(3, externalProductId="x" * 300)
        )
        assert isinstance(good, ProductInput)
        assert wrong == RejectedProduct(
            "SKU-2",
            (
                '`products[1].price` must be money as a string such as "49.90", not a number',
                "`products[1].productUrl` must be on an approved domain of the merchant (shop.example)",
            ),
        )
        assert isinstance(none, RejectedProduct)
        assert none.external_product_id is None
        assert len(none.faults) == 4
        assert number == RejectedProduct(None, ("`products[3]` must be a JSON object",))
        assert isinstance(far, RejectedProduct)
        assert far.external_product_id == "x" * 255

    def test_the_last_of_an_id_wins(self) -> None:
        """The earlier ones have failed with that reason; a bad item replaces nothing."""
        first, second, third, other = validated(item(1), item(1, name="Second"), item(1, name=None), item(2))
        fault = "`products[0].externalProductId` is given again in products[1], which takes its place"
        assert first == RejectedProduct("SKU-1", (fault,))
        assert isinstance(second, ProductInput)
        assert second.name == "Second"
        assert third == RejectedProduct("SKU-1", ("`products[2].name` must not be null",))
        assert isinstance(other, ProductInput)


class TestCurrency:
    def test_import(self) -> None:
        """The whole record is replaced, so the currency left out is the merchant's."""
        good, bad = validated(item(1, price="1.250", currency="KWD"), item(2, price="1.250"))
        assert isinstance(good, ProductInput)
        assert isinstance(bad, RejectedProduct)

    def test_upsert(self) -> None:
        """The stored product may have a currency of its own, which the prices must fit in the end."""
        waiting, bad = validated(item(1, price="1.250"), item(2, price="1.250", currency="USD"), keeps_omitted=True)
        assert isinstance(waiting, ProductInput)
        assert price_faults(waiting, "KWD") == []
        assert len(price_faults(waiting, "USD")) == 1
        assert isinstance(bad, RejectedProduct)
