"""What a Shopify store keeps, told by the GraphQL API: from the bodies of its webhooks, which its steps write."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from tests.standins.trouble import Record

KINDS = {"discount_code": "DiscountCodeApplication", "automatic": "AutomaticDiscountApplication",
         "manual": "ManualDiscountApplication", "script": "ScriptDiscountApplication"}  # fmt: skip


def order_node(body: Record) -> Record:
    """Return an order as the type `Order` has it."""
    coin = str(body["currency"])
    return {
        "__typename": "Order",
        "id": f"gid://shopify/Order/{body['id']}",
        "legacyResourceId": str(body["id"]),
        "name": body["name"],
        "createdAt": _z(body["created_at"]),
        "processedAt": _z(body["processed_at"]),
        "updatedAt": _z(body["updated_at"]),
        "cancelledAt": _z(body["cancelled_at"]),
        "cancelReason": _upper(body["cancel_reason"]),
        "currencyCode": coin,
        "displayFinancialStatus": _upper(body["financial_status"]),
        "displayFulfillmentStatus": "PARTIALLY_FULFILLED" if body["fulfillment_status"] == "partial" else "UNFULFILLED",
        "paymentGatewayNames": body["payment_gateway_names"],
        "sourceName": body["source_name"],
        "taxesIncluded": body["taxes_included"],
        "test": body["test"],
        "tags": [each.strip() for each in body.get("tags", "").split(",") if each.strip()],
        "customAttributes": _attributes(body["note_attributes"]),
        "customerJourneySummary": {"ready": True, "lastVisit": {"landingPage": body["landing_site"]}},
        "totalPriceSet": _money(body["total_price"], coin),
        "currentTotalPriceSet": _money(body.get("current_total_price", body["total_price"]), coin),
        "subtotalPriceSet": _money(body["subtotal_price"], coin),
        "totalTaxSet": _money(body["total_tax"], coin),
        "totalTipReceivedSet": _money(body.get("total_tip_received", "0.0"), coin),
        "discountCodes": [each["code"] for each in body["discount_codes"]],
        "fulfillments": [_parcel(each) for each in body["fulfillments"]],
        "refunds": [_refund(each, coin) for each in body["refunds"]],
        "discountApplications": [_discount(each) for each in body["discount_applications"]],
        "lineItems": [_line(each, coin) for each in body["line_items"]],
    }


def product_node(body: Record) -> Record:
    """Return a product as the type `Product` has it."""
    return {
        "__typename": "Product",
        "id": f"gid://shopify/Product/{body['id']}",
        "legacyResourceId": str(body["id"]),
        "title": body["title"],
        "vendor": body.get("vendor", ""),
        "productType": body.get("product_type", ""),
        "handle": body.get("handle", ""),
        "status": _upper(body.get("status", "active")),
        "publishedAt": _z(body.get("published_at", body["updated_at"])),
        "updatedAt": _z(body["updated_at"]),
        "featuredMedia": {"preview": {"image": {"url": body["image"]["src"]}}} if body.get("image") else None,
        "variants": [_variant(each) for each in body["variants"]],
    }


def _variant(body: Mapping[str, Any]) -> Record:
    return {
        "__typename": "ProductVariant",
        "id": f"gid://shopify/ProductVariant/{body['id']}",
        "title": body.get("title", "Default Title"),
        "sku": body.get("sku"),
        "price": body["price"],
        "compareAtPrice": body.get("compare_at_price"),
        "inventoryQuantity": body.get("inventory_quantity"),
        "inventoryPolicy": _upper(body.get("inventory_policy", "deny")),
        "inventoryItem": {"id": f"gid://shopify/InventoryItem/{body['inventory_item_id']}", "tracked": True},
        "updatedAt": _z(body["updated_at"]),
    }


def _line(body: Mapping[str, Any], coin: str) -> Record:
    return {
        "__typename": "LineItem",
        "id": f"gid://shopify/LineItem/{body['id']}",
        "title": body["title"],
        "name": body["title"],
        "sku": body["sku"],
        "quantity": body["quantity"],
        "currentQuantity": body.get("current_quantity", body["quantity"]),
        "isGiftCard": body["gift_card"],
        "customAttributes": _attributes(body["properties"]),
        "originalUnitPriceSet": _money(body["price"], coin),
        "discountAllocations": [
            {"allocatedAmountSet": _money(each["amount"], coin)} for each in body["discount_allocations"]
        ],
        "taxLines": [{"title": t["title"], "priceSet": _money(t["price"], coin)} for t in body["tax_lines"]],
        "product": {"id": f"gid://shopify/Product/{body['product_id']}"},
        "variant": {"id": f"gid://shopify/ProductVariant/{body['variant_id']}"},
    }


def _refund(body: Mapping[str, Any], coin: str) -> Record:
    return {
        "id": f"gid://shopify/Refund/{body['id']}",
        "legacyResourceId": str(body["id"]),
        "createdAt": _z(body["created_at"]),
        "duties": [],
        "refundLineItems": [
            {
                "quantity": each["quantity"],
                "restockType": _upper(each["restock_type"]),
                "subtotalSet": _money(each["subtotal"], coin),
                "totalTaxSet": _money(each["total_tax"], coin),
                "lineItem": {"id": f"gid://shopify/LineItem/{each['line_item_id']}"},
            }
            for each in body["refund_line_items"]
        ],
        "transactions": [
            {
                "id": f"gid://shopify/OrderTransaction/{each['id']}",
                "kind": _upper(each["kind"]),
                "status": _upper(each["status"]),
                "test": each["test"],
                "amountSet": _money(each["amount"], coin),
            }
            for each in body["transactions"]
        ],
        "orderAdjustments": [],
        "refundShippingLines": [],
    }


def _discount(body: Mapping[str, Any]) -> Record:
    return {
        "__typename": KINDS[body["type"]],
        "targetType": _upper(body["target_type"]),
        "code": body.get("code", ""),
        "title": body.get("title", ""),
    }


def _parcel(body: Mapping[str, Any]) -> Record:
    return {
        "id": f"gid://shopify/Fulfillment/{body['id']}",
        "status": _upper(body["status"]),
        "displayStatus": _upper(body["shipment_status"] or "fulfilled"),
        "createdAt": _z(body["created_at"]),
        "updatedAt": _z(body["updated_at"]),
    }


def _attributes(given: list[Record]) -> list[Record]:
    return [{"key": each["name"], "value": each["value"]} for each in given]


def _money(amount: Any, coin: str) -> Record:
    money = {"amount": f"{Decimal(str(amount)).normalize():f}", "currencyCode": coin}
    return {"shopMoney": money, "presentmentMoney": money}


def _upper(word: str | None) -> str | None:
    return None if word is None else word.upper()


def _z(moment: str | None) -> str | None:
    return None if moment is None else moment.replace("+00:00", "Z")
