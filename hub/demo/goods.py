"""What the demo shop sells."""

from __future__ import annotations

from typing import Any

from attrs import frozen

CURRENCY = "USD"


@frozen
class Good:
    """One product; `price` is money text, `rule` its own commission as (type, value) or None for the campaign's."""

    number: str
    name: str
    price: str
    tagline: str
    story: str
    rule: tuple[str, str] | None = None

    def product_input(self, shop_url: str, campaign_id: str) -> dict[str, Any]:
        """Return the item that imports the product into the hub (API specification, Product input)."""
        commission = {} if self.rule is None else {"commissionType": self.rule[0], "commissionValue": self.rule[1]}
        return {
            "externalProductId": self.number,
            "name": self.name,
            "description": self.story,
            "productUrl": f"{shop_url}/products/{self.number}",
            "imageUrl": f"{shop_url}/static/{self.number}.svg",
            "category": "Home",
            "brand": "Fjord & Fern",
            "price": self.price,
            "currency": CURRENCY,
            "stockStatus": "IN_STOCK",
            "campaignId": campaign_id,
            **commission,
        }


GOODS = {
    good.number: good
    for good in (
        Good(
            "lantern",
            "Harbour lantern",
            "64.00",
            "A warm light that travels.",
            "Spun brass, a linen wick and a glass that keeps the wind out. Burns nine hours on one filling.",
        ),
        Good(
            "mug",
            "Tide mug",
            "24.00",
            "Stoneware with a shoreline.",
            "Thrown by hand and dipped twice, so that no two glazes meet at the same height.",
            rule=("FIXED", "3.00"),
        ),
        Good(
            "notebook",
            "Field notebook",
            "18.50",
            "Paper that does not mind rain.",
            "Ninety-six stone-paper pages, thread-bound to lie flat, with a loop for the pencil you always lose.",
            rule=("PERCENTAGE", "15"),
        ),
    )
}
