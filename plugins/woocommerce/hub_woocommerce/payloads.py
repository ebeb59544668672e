"""What a body is, told by its shape: the topic stands in a header that nobody signed."""

from __future__ import annotations

from hub.api import Body
from hub_woocommerce.values import record

ORDER_SIGNS = frozenset({
    "date_created_gmt", "date_paid_gmt", "coupon_lines", "fee_lines", "shipping_lines", "prices_include_tax",
    "created_via", "customer_note", "cart_tax", "order_key", "refunds", "payment_method_title",
})  # fmt: skip
PRODUCT_SIGNS = frozenset({
    "catalog_visibility", "regular_price", "sale_price", "stock_status", "manage_stock", "backorders_allowed",
    "permalink", "tax_class", "shipping_class_id", "date_modified_gmt",
})  # fmt: skip
FEWEST_SIGNS = 3
WRAPPERS = ("order", "product", "coupon", "customer")


def is_error(body: Body) -> bool:
    """Whether WooCommerce sent what its REST API answered instead of the thing itself."""
    return "id" not in body and isinstance(body.get("code"), str) and "status" in record(body.get("data"))


def is_action(body: Body) -> bool:
    """Whether the body only names a WordPress hook."""
    return "id" not in body and "action" in body and "arg" in body


def is_legacy(body: Body) -> bool:
    """Whether the body is one of the legacy API's, which wraps everything in its kind."""
    return "id" not in body and any(isinstance(body.get(name), dict) for name in WRAPPERS)


def is_order(body: Body) -> bool:
    """Whether the body is an order of any version."""
    return "line_items" in body and "status" in body


def is_product(body: Body) -> bool:
    """Whether the body is a product or a variation of any version."""
    return "line_items" not in body and ("stock_status" in body or "manage_stock" in body or "regular_price" in body)


def is_coupon(body: Body) -> bool:
    """Whether the body is a coupon."""
    return "discount_type" in body and "code" in body


def is_customer(body: Body) -> bool:
    """Whether the body is a customer."""
    return "email" in body and ("is_paying_customer" in body or "username" in body)


def is_bare(body: Body) -> bool:
    """Whether the body is only an id, as of something deleted."""
    return set(body) <= {"id", "affiliate_hub"} and "id" in body


def recognises(body: Body) -> bool:
    """Whether a v1 webhook of unknown origin holds one of WooCommerce's orders or products."""
    if is_order(body):
        return len(ORDER_SIGNS & body.keys()) >= FEWEST_SIGNS
    return is_product(body) and "id" in body and len(PRODUCT_SIGNS & body.keys()) >= FEWEST_SIGNS
