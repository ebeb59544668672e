"""Orders and products as the GraphQL API answers, told in the names of the webhooks' bodies: one reading for both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub.api import Body, Context, Fact, Unmappable
from hub_shopify.orders import of_order
from hub_shopify.products import of_product
from hub_shopify.values import record, records, text, word

ORDER_FIELD = "displayFinancialStatus"
PRODUCT_FIELD = "productType"
"""Fields that the hub always asks for, and no body of a webhook has."""
DISCOUNTS = {
    "DiscountCodeApplication": "discount_code",
    "AutomaticDiscountApplication": "automatic",
    "ManualDiscountApplication": "manual",
    "ScriptDiscountApplication": "script",
}
CONNECTIONS = ("refundLineItems", "transactions", "orderAdjustments", "refundShippingLines")


def as_webhook(body: Body) -> Body:
    """Return a body of the GraphQL API as a webhook would say it; any other body as it is."""
    if ORDER_FIELD in body:
        return _order(body)
    return _product(body) if PRODUCT_FIELD in body else body


def of_asked_order(body: Body, context: Context) -> Iterator[Fact]:
    """Give the facts of an order as the hub asked for it."""
    for refund in records(body.get("refunds")):
        for name in CONNECTIONS:
            if record(record(refund.get(name)).get("pageInfo")).get("hasNextPage") is True:
                what = f"a refund has more {name} than are asked for at once; its own webhook tells it whole"
                raise Unmappable(what)
    yield from of_order(_order(body), context)


def of_asked_product(body: Body, context: Context) -> Iterator[Fact]:
    """Give the facts of a product as the hub asked for it, with all of its variants."""
    yield from of_product(_product(body), context)


def _order(body: Body) -> Body:
    lines = [_line(each) for each in (*_nodes(body.get("lineItems")), *records(body.get("more_lines")))]
    by_id = {each["id"]: each for each in lines if isinstance(each.get("id"), str)}
    tags = body.get("tags")
    visit = record(record(body.get("customerJourneySummary")).get("lastVisit"))
    return {
        **_renamed(body, ORDER_NAMES),
        "cancel_reason": word(body.get("cancelReason")),
        "fulfillment_status": "partial" if _is_in_part(body) else None,
        "landing_site": visit.get("landingPage"),
        "tags": ",".join(each for each in tags if isinstance(each, str)) if isinstance(tags, list) else None,
        "discount_applications": [_discount(each) for each in _nodes(body.get("discountApplications"))],
        "line_items": lines,
        "fulfillments": [_parcel(each) for each in records(body.get("fulfillments"))],
        "refunds": [_refund(each, by_id) for each in records(body.get("refunds"))],
    }


def _product(body: Body) -> Body:
    variants = [_variant(each) for each in (*_nodes(body.get("variants")), *records(body.get("more_variants")))]
    image = record(record(record(body.get("featuredMedia")).get("preview")).get("image"))
    return {
        **_renamed(body, PRODUCT_NAMES),
        "image": {"src": image.get("url")},
        "variants": variants,
        "variant_gids": [{"admin_graphql_api_id": each.get("id")} for each in variants],
    }


def _line(body: Body) -> Body:
    return {
        **_renamed(body, LINE_NAMES),
        "product_id": record(body.get("product")).get("id"),
        "variant_id": record(body.get("variant")).get("id"),
        "discount_allocations": [
            {"amount_set": _money(each.get("allocatedAmountSet"))} for each in records(body.get("discountAllocations"))
        ],
        "tax_lines": [{"price_set": _money(each.get("priceSet"))} for each in records(body.get("taxLines"))],
    }


def _discount(body: Body) -> Body:
    kind = DISCOUNTS.get(text(body.get("__typename")) or "")
    return {"type": kind, "target_type": word(body.get("targetType")), "code": body.get("code")}


def _parcel(body: Body) -> Body:
    return {**_renamed(body, PARCEL_NAMES), "shipment_status": word(body.get("displayStatus"))}


def _refund(body: Body, lines: Mapping[str, Body]) -> Body:
    return {
        "id": body.get("id"),
        "created_at": body.get("createdAt"),
        "duties": [{"amount_set": _money(each.get("amountSet"))} for each in records(body.get("duties"))],
        "refund_line_items": [_refund_line(each, lines) for each in _nodes(body.get("refundLineItems"))],
        "transactions": [_transaction(each) for each in _nodes(body.get("transactions"))],
        "order_adjustments": [
            {"amount_set": _money(each.get("amountSet")), "tax_amount_set": _money(each.get("taxAmountSet"))}
            for each in _nodes(body.get("orderAdjustments"))
        ],
        "refund_shipping_lines": [
            {
                "subtotal_amount_set": _money(each.get("subtotalAmountSet")),
                "tax_lines": [{"price_set": _money(each.get("taxAmountSet"))}],
            }
            for each in _nodes(body.get("refundShippingLines"))
        ],
    }


def _refund_line(body: Body, lines: Mapping[str, Body]) -> Body:
    line = record(body.get("lineItem")).get("id")
    return {
        "line_item_id": line,
        "line_item": lines.get(line, {}) if isinstance(line, str) else {},
        "quantity": body.get("quantity"),
        "restock_type": word(body.get("restockType")),
        "subtotal_set": _money(body.get("subtotalSet")),
        "total_tax_set": _money(body.get("totalTaxSet")),
    }


def _transaction(body: Body) -> Body:
    shop = record(record(body.get("amountSet")).get("shopMoney"))
    return {
        "kind": body.get("kind"),
        "status": body.get("status"),
        "test": body.get("test"),
        "amount": shop.get("amount"),
        "currency": shop.get("currencyCode"),
    }


def _variant(body: Body) -> Body:
    item = record(body.get("inventoryItem"))
    counted = {"inventory_management": None} if item.get("tracked") is False else {}
    return {**_renamed(body, VARIANT_NAMES), "inventory_item_id": item.get("id"), **counted}


def _is_in_part(body: Body) -> bool:
    return word(body.get("displayFulfillmentStatus")) in {"partially_fulfilled", "in_progress", "open", "on_hold"}


def _nodes(connection: Any) -> Sequence[Body]:
    return records(record(connection).get("nodes"))


def _money(bag: Any) -> Body | None:
    shop = record(bag).get("shopMoney")
    if not isinstance(shop, dict):
        return None
    return {"shop_money": {"amount": shop.get("amount"), "currency_code": shop.get("currencyCode")}}


def _renamed(body: Body, names: Mapping[str, str]) -> Body:
    return dict(_renamings(body, names))


def _renamings(body: Body, names: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for old, new in names.items():
        if old in body:
            yield new, _money(body[old]) if new.endswith("_set") else body[old]


ORDER_NAMES: Mapping[str, str] = {
    "id": "id",
    "name": "name",
    "createdAt": "created_at",
    "processedAt": "processed_at",
    "updatedAt": "updated_at",
    "cancelledAt": "cancelled_at",
    "currencyCode": "currency",
    "displayFinancialStatus": "financial_status",
    "paymentGatewayNames": "payment_gateway_names",
    "sourceName": "source_name",
    "taxesIncluded": "taxes_included",
    "test": "test",
    "customAttributes": "note_attributes",
    "totalPriceSet": "total_price_set",
    "currentTotalPriceSet": "current_total_price_set",
    "subtotalPriceSet": "subtotal_price_set",
    "totalTaxSet": "total_tax_set",
    "totalTipReceivedSet": "total_tip_received_set",
}
LINE_NAMES: Mapping[str, str] = {
    "id": "id",
    "title": "title",
    "name": "name",
    "sku": "sku",
    "quantity": "quantity",
    "currentQuantity": "current_quantity",
    "isGiftCard": "gift_card",
    "customAttributes": "properties",
    "originalUnitPriceSet": "price_set",
}
PARCEL_NAMES: Mapping[str, str] = {
    "id": "id",
    "status": "status",
    "createdAt": "created_at",
    "updatedAt": "updated_at",
}
PRODUCT_NAMES: Mapping[str, str] = {
    "id": "id",
    "title": "title",
    "vendor": "vendor",
    "productType": "product_type",
    "handle": "handle",
    "status": "status",
    "publishedAt": "published_at",
    "updatedAt": "updated_at",
}
VARIANT_NAMES: Mapping[str, str] = {
    "id": "id",
    "title": "title",
    "sku": "sku",
    "price": "price",
    "compareAtPrice": "compare_at_price",
    "inventoryQuantity": "inventory_quantity",
    "inventoryPolicy": "inventory_policy",
    "updatedAt": "updated_at",
}
