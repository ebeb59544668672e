"""What a shop's own books say of each order it ever took, and how each platform writes such an order down.

The ledger is compared with them: whatever was lost on the way, it has to come to the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import format_datetime
from fractions import Fraction
from typing import Any, Final

from attrs import evolve, frozen
from hub_bigcommerce.scenarios import order as bigcommerce_order
from hub_bigcommerce.scenarios import refund as bigcommerce_refund
from hub_magento.scenarios import credit_memo
from hub_magento.scenarios import order as magento_order
from hub_shopify.scenarios import SCENES as SHOPIFY_SCENES
from hub_shopware.scenarios import order as shopware_order
from hub_squarespace.scenarios import order as squarespace_order
from hub_wix.scenarios import line as wix_line
from hub_wix.scenarios import order as wix_order
from hub_wix.scenarios import refund as wix_refund
from hub_wix.scenarios import summary as wix_summary
from hub_woocommerce.scenarios import SCENES as WOOCOMMERCE_SCENES

from hub.api import Play
from tests.standins.bigcommerce import BigCommerce
from tests.standins.prestashop import PrestaShop
from tests.standins.prestashop import local as prestashop_time
from tests.standins.shopify import Shopify
from tests.standins.shopware import Shopware
from tests.standins.stores import Store
from tests.standins.trouble import Record, Sent
from tests.standins.wix import Wix
from tests.standins.woocommerce import WooCommerce

MUG, LAMP, SPOON = Decimal(15), Decimal(20), Decimal(5)
"""What each is worth without tax and shipping; every platform's simulated store sells two mugs and a lamp."""
MUGS: Final = 2


@frozen
class Sold:
    """An order as the shop knows it; `refunds` are the ids of refunds, of one mug each, times are ms UTC.

    `birth` counts the orders that were given the same number; one that `is_replaced` has lost its number to the next.
    """

    number: str
    click_id: str
    placed_at: int
    changed_at: int
    birth: int = 1
    spoons: int = 0
    refunds: tuple[int, ...] = ()
    paid_at: int | None = None
    is_cancelled: bool = False
    is_trashed: bool = False
    is_gone: bool = False
    is_replaced: bool = False

    @property
    def play(self) -> Play:
        """The order as a simulated store plays it."""
        return Play(self.number, self.click_id, "USD", self.placed_at)

    @property
    def goods(self) -> Decimal:
        """What was ordered by now."""
        return MUGS * MUG + LAMP + self.spoons * SPOON

    @property
    def kept(self) -> Decimal:
        """What the buyer has kept and paid for, of which commission is due."""
        return self.goods - len(self.refunds) * MUG

    @property
    def stands(self) -> bool:
        """Whether the shop still has the order and means to fulfil it."""
        return not (self.is_cancelled or self.is_trashed or self.is_gone)


Write = Callable[[Sold], Record]
Tell = Callable[[Store, Sold, Record], list[Sent]]


@frozen
class Bookkeeping:
    """How a platform writes an order, what its webhooks tell of a change, and which acts its shops know."""

    write: Write
    tell: Tell
    acts: tuple[str, ...]
    key: str = "id"
    """The field by which the shop finds an order."""
    keeps_first: bool = False
    """Whether what is sent of a new order is never lost: the click is in no answer of the platform's API."""
    kept: Callable[[Sold], Fraction] = lambda sold: Fraction(sold.kept)
    """What the buyer has kept, as far as the platform tells what went back."""


def keep(store: Store, sold: Sold) -> list[Sent]:
    """Write an order down in the shop; return what its webhooks send."""
    kept: Any = store.standin.orders
    books = BOOKS[store.name]
    body = books.write(sold)
    if sold.is_gone:
        kept.pop(body[books.key], None)
    else:
        kept[body[books.key]] = body
    return books.tell(store, sold, body)


def _woocommerce(sold: Sold) -> Record:
    body = json.loads(WOOCOMMERCE_SCENES["created"](sold.play).body)
    changed = _gmt(sold.changed_at)
    status = "trash" if sold.is_trashed else "cancelled" if sold.is_cancelled else _PAID[sold.paid_at is not None]
    spoons = {**body["line_items"][0], "id": 75, "product_id": 503, "sku": "SPOON", "quantity": sold.spoons,
              "total": f"{sold.spoons * SPOON}", "total_tax": "0.00"}  # fmt: skip
    details = [
        {
            "id": each,
            "date_gmt": changed,
            "lines": [{"item_id": 71, "quantity": -1, "total": "-15.00", "total_tax": "0"}],
        }
        for each in sold.refunds
    ]
    return {
        **body,
        "status": status,
        "order_key": f"wc_order_{sold.number}_{sold.birth}",
        "date_modified_gmt": changed,
        "date_paid_gmt": None if sold.paid_at is None else _gmt(sold.paid_at),
        "line_items": [*body["line_items"], *([spoons] if sold.spoons else [])],
        "total": f"{sold.goods + Decimal('9.90')}",
        "refunds": [{"id": each, "reason": "", "total": "-15.00"} for each in sold.refunds],
        "affiliate_hub": {"as_of": sold.changed_at, "refunds": details},
    }


def _tell_woocommerce(store: Store, sold: Sold, body: Record) -> list[Sent]:
    assert isinstance(store.standin, WooCommerce)
    if sold.is_gone or sold.is_trashed:
        bare = {"id": body["id"], "affiliate_hub": {"as_of": sold.changed_at}}
        return store.standin.deliver("order.deleted", bare)
    return store.standin.deliver("order.updated", body)


def _shopify(sold: Sold) -> Record:
    play = sold.play
    body = json.loads(SHOPIFY_SCENES["created"](play).body)
    spoon = json.loads(SHOPIFY_SCENES["edited"](play).body)["line_items"][2]
    taxed = {**spoon, "quantity": sold.spoons, "tax_lines": [{"title": "VAT", "rate": 0.2, "price": f"{sold.spoons}"}]}
    total = f"{sold.goods * Decimal('1.2') + 6:.2f}"
    status = "pending" if sold.paid_at is None else "partially_refunded" if sold.refunds else "paid"
    return {
        **body,
        "updated_at": _offset(sold.changed_at),
        "cancelled_at": _offset(sold.changed_at) if sold.is_cancelled else None,
        "financial_status": status,
        "line_items": [*body["line_items"], *([taxed] if sold.spoons else [])],
        "total_price": total,
        "current_total_price": total,
        "refunds": [
            {**json.loads(SHOPIFY_SCENES["refunded"](play).body), "id": each, "created_at": _offset(sold.changed_at)}
            for each in sold.refunds
        ],
    }


def _tell_shopify(store: Store, sold: Sold, body: Record) -> list[Sent]:
    assert isinstance(store.standin, Shopify)
    if sold.is_gone:
        return store.standin.deliver("orders/delete", {"id": body["id"]})
    if sold.is_cancelled:
        return store.standin.deliver("orders/cancelled", body)
    return store.standin.deliver("orders/updated", body)


def _bigcommerce(sold: Sold) -> Record:
    status, payment = (5, "void") if sold.is_cancelled else (7, "pending") if sold.paid_at is None else (11, "captured")
    refunds = [{**bigcommerce_refund(sold.play), "id": each} for each in sold.refunds]
    body = bigcommerce_order(sold.play, 0, status, payment, refunds)
    spoons = {**body["products"][1], "id": 67, "product_id": 79, "sku": "SPOON", "quantity": sold.spoons,
              "discounted_total_inc_tax": f"{sold.spoons * SPOON * Decimal('1.2')}",
              "total_tax": f"{sold.spoons * SPOON / 5}"}  # fmt: skip
    return {
        **body,
        "date_modified": format_datetime(datetime.fromtimestamp(sold.changed_at // 1000, UTC)),
        "products": [*body["products"], *([spoons] if sold.spoons else [])],
        "total_inc_tax": f"{sold.goods * Decimal('1.2') + 6:.4f}",
    }


def _tell_bigcommerce(store: Store, sold: Sold, body: Record) -> list[Sent]:
    """Name the order; nothing is sent of one that is deleted for good."""
    assert isinstance(store.standin, BigCommerce)
    return [] if sold.is_gone else store.standin.deliver("store/order/updated", body["id"])


def _shopware(sold: Sold) -> Record:
    payment = "open" if sold.paid_at is None else "refunded_partially" if sold.refunds else "paid"
    mug = {"totalPrice": 18.0, "calculatedTaxes": [{"tax": 3.0, "taxRate": 20, "price": 18.0}]}
    refunds = [{"id": f"{each:032x}", "amount": mug, "stateMachineState": {"technicalName": "completed"}}
               for each in sold.refunds]  # fmt: skip
    body = shopware_order(sold.play, payment, "cancelled" if sold.is_cancelled else "open", refunds)
    price = {"totalPrice": float(sold.spoons * 6), "calculatedTaxes": [{"tax": float(sold.spoons)}]}
    spoons = {**body["lineItems"][1], "id": "spoons", "quantity": sold.spoons, "price": price,
              "payload": {"productNumber": "SPOON"}}  # fmt: skip
    return {
        **body,
        "id": f"{body['id'][:-2]}{sold.birth:02x}",
        "amountTotal": float(_shopware_total(sold)),
        "updatedAt": _offset(sold.changed_at),
        "lineItems": [*body["lineItems"], *([spoons] if sold.spoons else [])],
    }


def _shopware_total(sold: Sold) -> Decimal:
    return sold.goods * Decimal("1.2") + 6


def _kept_of_money(sold: Sold) -> Fraction:
    """Return what is kept of goods by the money that went back, which Shopware does not tell by lines."""
    return Fraction(sold.goods) * (1 - Fraction(18 * len(sold.refunds)) / Fraction(_shopware_total(sold)))


def _tell_shopware(store: Store, sold: Sold, body: Record) -> list[Sent]:
    """Tell of a state that was entered; nothing is sent of one that is deleted."""
    assert isinstance(store.standin, Shopware)
    event = "state_enter.order.state.cancelled" if sold.is_cancelled else "checkout.order.placed"
    return [] if sold.is_gone else store.standin.deliver(event, body, sold.changed_at)


def _prestashop(sold: Sold) -> Record:
    """Return the order with what the webservice keeps beside it."""
    rows = [("71", "MUG", MUGS, MUG), ("72", "LAMP", 1, LAMP), ("73", "SPOON", sold.spoons, SPOON)]
    states = [(10, sold.placed_at), (2, sold.paid_at), (6, sold.changed_at if sold.is_cancelled else None)]
    changed = prestashop_time(sold.changed_at)
    return {
        "id": int(sold.number), "id_currency": "1", "reference": f"REF{sold.birth}OF{sold.number}",
        "date_add": prestashop_time(sold.placed_at), "date_upd": changed,
        "total_paid_tax_incl": f"{sold.goods * Decimal('1.2') + 6:.6f}", "click": sold.click_id,
        "associations": {"order_rows": [
            {"id": name, "product_id": name, "product_attribute_id": "0", "product_quantity": str(pieces),
             "product_reference": sku, "unit_price_tax_excl": f"{price}.000000",
             "unit_price_tax_incl": f"{price * Decimal('1.2')}"}
            for name, sku, pieces, price in rows if pieces
        ]},
        "histories": [
            {"id": place, "id_order_state": str(state), "date_add": prestashop_time(at)}
            for place, (state, at) in enumerate(states, 1) if at is not None
        ],
        "cart_rules": [],
        "slips": [
            {"id": each, "total_products_tax_incl": "18.000000", "total_shipping_tax_incl": "0", "date_add": changed,
             "associations": {"order_slip_details": [
                 {"id": "1", "id_order_detail": "71", "product_quantity": "1", "amount_tax_excl": "15.000000",
                  "amount_tax_incl": "18.000000"}
             ]}}
            for each in sold.refunds
        ],
    }  # fmt: skip


def _tell_prestashop(store: Store, sold: Sold, body: Record) -> list[Sent]:
    """Send a snapshot by the module, which hears nothing of what is deleted."""
    assert isinstance(store.standin, PrestaShop)
    return [] if sold.is_gone else store.standin.deliver(body, sold.changed_at)


def _squarespace(sold: Sold) -> Record:
    body = squarespace_order(sold.play, 0, paymentState="UNPAID" if sold.paid_at is None else "PAID")
    back = f"{len(sold.refunds) * Decimal('16.50'):.2f}"
    status = "CANCELED" if sold.is_cancelled else "PENDING"
    changed = f"{_gmt(sold.changed_at)}.000Z"
    return {**body, "modifiedOn": changed, "fulfillmentStatus": status,
            "refundedTotal": {"value": back, "currency": "USD"}}  # fmt: skip


def _kept_of_paid(sold: Sold) -> Fraction:
    """Return what is kept of goods by the money that went back of 60.50, which Squarespace does not tell by lines."""
    return Fraction(sold.goods) * (1 - Fraction(len(sold.refunds) * Decimal("16.50")) / Fraction("60.50"))


def _wix(sold: Sold) -> Record:
    payment = "NOT_PAID" if sold.paid_at is None else "PARTIALLY_REFUNDED" if sold.refunds else "PAID"
    refunds = [wix_refund(sold.play, each, 0) for each in sold.refunds]
    body = wix_order(sold.play, 0, payment, refunds, status="CANCELED" if sold.is_cancelled else "APPROVED")
    said = {"ORDER_PAID": sold.paid_at, "ORDER_CANCELED": sold.changed_at if sold.is_cancelled else None}
    spoons = [wix_line(3, "SPOON", sold.spoons, "5.00")] if sold.spoons else []
    return {
        **body,
        "updatedDate": f"{_gmt(sold.changed_at)}.000Z",
        "lineItems": [*body["lineItems"], *spoons],
        "priceSummary": wix_summary(f"{sold.goods}", f"{sold.goods * Decimal('1.2') + 6:.2f}"),
        "activities": [{"type": kind, "createdDate": f"{_gmt(at)}.000Z"} for kind, at in said.items() if at],
    }


def _tell_wix(store: Store, sold: Sold, body: Record) -> list[Sent]:
    """Name the order; nothing is sent of one that is deleted."""
    assert isinstance(store.standin, Wix)
    return [] if sold.is_gone else store.standin.deliver("wix.ecom.v1.order_updated", body["id"])


def _magento(sold: Sold) -> Record:
    state = "canceled" if sold.is_cancelled else "new" if sold.paid_at is None else "processing"
    memos = [credit_memo(sold.play, each, 0) for each in sold.refunds]
    paid = {} if sold.paid_at is None else {"total_paid": 66.0, "total_due": 0}
    body = magento_order(sold.play, 0, state, state, memos, **paid)
    changed = _gmt(sold.changed_at).replace("T", " ")
    return {**body, "updated_at": changed, "protect_code": f"{sold.number}of{sold.birth}"}


def _tell_nothing(_: Store, __: Sold, ___: Record) -> list[Sent]:
    """Send nothing: the platform does not, and the hub finds out by itself."""
    return []


def _gmt(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _offset(at: int) -> str:
    return f"{_gmt(at)}+00:00"


_PAID = {False: "pending", True: "processing"}
BOOKS: Mapping[str, Bookkeeping] = {
    "bigcommerce": Bookkeeping(
        _bigcommerce, _tell_bigcommerce, ("pay", "edit", "refund", "cancel", "restore", "delete")
    ),
    "magento": Bookkeeping(
        _magento, _tell_nothing, ("pay", "refund", "cancel", "restore", "delete", "renumber"), key="entity_id"
    ),
    "prestashop": Bookkeeping(
        _prestashop, _tell_prestashop, ("pay", "edit", "refund", "cancel", "delete", "renumber"), keeps_first=True
    ),
    "shopify": Bookkeeping(_shopify, _tell_shopify, ("pay", "edit", "refund", "cancel", "delete")),
    "shopware": Bookkeeping(
        _shopware,
        _tell_shopware,
        ("pay", "edit", "refund", "cancel", "restore", "delete", "renumber"),
        key="orderNumber",
        kept=_kept_of_money,
    ),
    "squarespace": Bookkeeping(
        _squarespace, _tell_nothing, ("pay", "refund", "cancel", "restore", "delete"), kept=_kept_of_paid
    ),
    "wix": Bookkeeping(_wix, _tell_wix, ("pay", "edit", "refund", "cancel", "delete")),
    "woocommerce": Bookkeeping(
        _woocommerce,
        _tell_woocommerce,
        ("pay", "edit", "refund", "undo", "cancel", "restore", "trash", "delete", "renumber"),
    ),
}


def can(act: str, sold: Sold) -> bool:
    """Return whether a shop could do that to an order now."""
    if sold.is_gone:
        return False
    if act == "restore":
        return sold.is_cancelled or sold.is_trashed
    if act == "pay":
        return sold.stands and sold.paid_at is None
    if act == "refund":
        return sold.stands and sold.paid_at is not None and len(sold.refunds) < MUGS
    if act == "undo":
        return sold.stands and bool(sold.refunds)
    if act == "renumber":
        return sold.paid_at is not None
    return sold.stands or act == "delete"


def done(act: str, sold: Sold, at: int, name: int) -> Sold:
    """Return an order after an act at a moment (ms UTC); `name` is a number that nothing has yet."""
    changes: dict[str, dict[str, Any]] = {
        "pay": {"paid_at": at},
        "edit": {"spoons": sold.spoons + 1},
        "refund": {"refunds": (*sold.refunds, name)},
        "undo": {"refunds": sold.refunds[:-1]},
        "cancel": {"is_cancelled": True},
        "restore": {"is_cancelled": False, "is_trashed": False},
        "trash": {"is_trashed": True},
        "delete": {"is_gone": True},
    }
    return evolve(sold, changed_at=at, **changes[act])
