"""Product and stock news in generic bodies."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hub_generic.translate import translate

from hub.api import Context, ProductStockUpdated, ProductUpdated, Unmappable

CONTEXT = Context(delivery_id="d-1", received_at=1_795_168_800_000, currency="USD")


def product(**body: Any) -> ProductUpdated:
    (fact,) = translate("product-updated", {"external_product_id": "SKU-1", **body}, CONTEXT)
    assert isinstance(fact, ProductUpdated)
    return fact


def refusal(kind: str, body: dict[str, Any]) -> str:
    with pytest.raises(Unmappable) as caught:
        translate(kind, body, CONTEXT)
    return str(caught.value)


class TestProductUpdated:
    def test_reads_every_field(self) -> None:
        """The fields come out under the product input's names."""
        fact = product(
            name="Shoe",
            description="d",
            product_url="https://shop.example/p",
            imageUrl="https://shop.example/i",
            category="c",
            brand="b",
            price="49.90",
            discountPrice=Decimal("39.90"),
            currency="usd",
            stock_status="IN_STOCK",
            commission_type="PERCENTAGE",
            commissionValue=8,
            campaign_id="cmp_1",
            updated_at="2026-11-20T10:00:00Z",
            colour="red",
        )
        assert fact.key == "updated:1795168800000"
        assert fact.updated_at == 1_795_168_800_000
        assert fact.fields == {
            "name": "Shoe",
            "description": "d",
            "productUrl": "https://shop.example/p",
            "imageUrl": "https://shop.example/i",
            "category": "c",
            "brand": "b",
            "price": "49.90",
            "discountPrice": "39.90",
            "currency": "USD",
            "stockStatus": "IN_STOCK",
            "commissionType": "PERCENTAGE",
            "commissionValue": "8",
            "campaignId": "cmp_1",
        }

    def test_only_what_is_present(self) -> None:
        """A field that is left out stays as it is."""
        assert product(price=5).fields == {"price": "5"}

    @pytest.mark.parametrize("empty", [None, "", " "])
    def test_null_clears(self, empty: str | None) -> None:
        """A null clears what may be empty."""
        assert product(discount_price=empty, brand=empty).fields == {"discountPrice": None, "brand": None}

    def test_null_says_nothing_of_what_a_product_always_has(self) -> None:
        """No shop means that its product has lost its price."""
        assert product(name=None, product_url=None, price=None, currency=None).fields == {}

    def test_without_a_moment(self) -> None:
        """The delivery tells undated news apart."""
        assert product(name="x").key == "updated@d-1"

    def test_exponents_are_written_out(self) -> None:
        """1E+2 is a number, but no money text."""
        assert product(price=Decimal("1E+2")).fields == {"price": "100"}

    @pytest.mark.parametrize("number", [Decimal("1e-999999999"), Decimal("1e999999999"), 5e-324])
    def test_monstrous_numbers(self, number: Any) -> None:
        """A number of ten bytes must not become a text of a gigabyte."""
        assert "`price` must be an amount" in refusal("product-updated", {"external_product_id": "S", "price": number})

    def test_all_faults_at_once(self) -> None:
        """Every field that is wrong is named."""
        said = refusal("product-updated", {"external_product_id": "S", "name": "", "price": [], "brand": {}})
        assert [part.split("`")[1] for part in said.split("; ")] == ["name", "brand", "price"]


class TestStockUpdated:
    @pytest.mark.parametrize(
        "body",
        [
            {"external_product_id": "S", "stock_status": "instock", "quantity": "3", "updated_at": "2026-11-20T10:00Z"},
            {"externalProductId": "S", "stockStatus": "instock", "quantity": 3.0, "updatedAt": "2026-11-20T10:00Z"},
        ],
    )
    def test_reads_every_key(self, body: dict[str, Any]) -> None:
        """Both spellings, and a quantity in the forms that shops send."""
        moment = 1_795_168_800_000
        expected = ProductStockUpdated(f"stock:{moment}", "S", "instock", 3, moment)
        assert translate("product-stock-updated", body, CONTEXT) == (expected,)

    def test_a_quantity_is_enough(self) -> None:
        """Shops that allow back orders count below zero."""
        (fact,) = translate("product-stock-updated", {"external_product_id": "S", "quantity": -2}, CONTEXT)
        assert fact == ProductStockUpdated("stock@d-1", "S", None, -2, None)

    @pytest.mark.parametrize("number", [Decimal("1e999999999"), Decimal("1e-999999999"), 10**12, "1e3", True, []])
    def test_monstrous_quantities(self, number: Any) -> None:
        """Only what a shop can have in stock."""
        said = refusal("product-stock-updated", {"external_product_id": "S", "quantity": number})
        assert said == "`quantity` must be a whole number"

    def test_needs_something_to_say(self) -> None:
        """Neither word nor number is no news."""
        assert "`stock_status` is missing" in refusal("product-stock-updated", {"external_product_id": "S"})
