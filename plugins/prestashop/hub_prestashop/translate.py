"""From the module's snapshots to facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from hub.api import (
    CREATED_KEY,
    SNAPSHOT_KEY,
    Body,
    Context,
    Fact,
    Line,
    OrderCreated,
    OrderGone,
    OrderRefunded,
    OrderSnapshot,
    ProductStockUpdated,
    ProductUpdated,
    Uninteresting,
    Unmappable,
    as_id,
    as_moment,
    as_money,
    as_quantity,
    as_text,
    read_payload,
    refund_key,
    status_key,
)
from hub_prestashop.bodies import Order, OrderBody, PingBody, ProductBody, RowBody, SlipBody
from hub_prestashop.history import of_history, refunded_by_state, stands_at
from hub_prestashop.options import PrestashopOptions

LARGEST_STOCK = 10**9
LATEST = 2**53
CENT = Decimal("0.000001")


def of_order(body: OrderBody, context: Context) -> Iterator[Fact]:
    """Give the order, then what its history and its credit slips say."""
    order, options = body.order, _options(context)
    number, version = as_id(order.id, "the order"), _version(body)
    if order.gone:
        yield OrderGone(status_key("gone", version), number, version, "the shop has the order no longer", None)
        return
    if order.rows is None:
        raise Unmappable("the order has no `rows`, so nothing says what it is worth")
    worths = [(row, _amount(row, options, signed=True)) for row in order.rows]
    # PrestaShop itself writes no row below zero; one of a module's is no product, but money off, like a voucher.
    goods = [row for row, worth in worths if worth >= 0]
    gross = [worth for _, worth in worths if worth >= 0]
    off = -sum((worth for _, worth in worths if worth < 0), Decimal(0))
    shares = _net(gross, _discount(order, options) + off)
    created = _created(order, number, goods, shares, options)
    yield created
    history, slips = order.history or (), {as_id(slip.id, "the slip"): slip for slip in order.slips or ()}
    if version is not None:
        yield OrderSnapshot(
            SNAPSHOT_KEY, number, version, created.amount, created.currency, created.lines, created.paid_total,
            stands_at=stands_at(history, options),
            refund_ids=None if order.slips is None else (*slips, *(["state"] if refunded_by_state(history) else [])),
        )  # fmt: skip
    yield from of_history(number, history, options)
    factor = sum(shares, Decimal(0)) / sum(gross, Decimal(0)) if sum(gross, Decimal(0)) else Decimal(1)
    yield from (_refund(number, name, slip, factor, context) for name, slip in slips.items() if _moves_money(slip))


def _version(body: OrderBody) -> int | None:
    """Return when the module read the order: its clock counts in ms, `sent_at` in seconds."""
    clock = body.clock
    if clock is not None and 0 < clock < LATEST:
        return clock
    return as_moment(body.sent_at, "sent_at")


def _created(
    order: Order, number: str, goods: Sequence[RowBody], shares: Sequence[Decimal], options: PrestashopOptions
) -> OrderCreated:
    return OrderCreated(
        key=CREATED_KEY,
        order_id=number,
        amount=sum(shares, Decimal(0)),
        currency=as_text(order.currency),
        click_id=as_text(order.click_id),
        coupon_code=next((code for code in order.codes or () if code.strip()), None),
        lines=tuple(
            Line(_product(row, options), as_quantity(row.quantity, 1), share)
            for row, share in zip(goods, shares, strict=True)
        ),
        ordered_at=as_moment(order.date, "date"),
        paid_total=None if order.total_paid_tax_incl is None else _sane(order.total_paid_tax_incl),
        metadata=None if order.reference is None else {"reference": order.reference},
        born=as_text(order.reference),  # random letters, while ids come again after a backup
        customer=as_text(order.customer, 320),
    )


def of_product(body: ProductBody, context: Context) -> Iterator[Fact]:
    """Give the product's fields and its stock; a price is the shop's own, before any customer's discount."""
    product = body.product
    number, moment = as_id(product.id, "the product"), as_moment(product.date, "date")
    if _options(context).product_key == "sku":
        number = as_text(product.reference) or number
    version = context.delivery_id if moment is None else str(moment)
    fields = {
        "name": as_text(product.name),
        "productUrl": as_text(product.url, 2_048),
        "imageUrl": as_text(product.image_url, 2_048),
        "price": None if product.price is None else format(_sane(product.price).quantize(Decimal("0.01")), "f"),
    }
    told = {name: value for name, value in fields.items() if value is not None}
    if told:
        yield ProductUpdated(f"updated@{version}", number, told, moment)
    if product.active is False or product.gone:
        yield ProductStockUpdated(f"stock@{version}", number, "outofstock", None, moment)
    elif product.quantity is not None:
        if abs(product.quantity) > LARGEST_STOCK:
            raise Unmappable("the product's quantity is too large to be one")
        yield ProductStockUpdated(f"stock@{version}", number, None, max(product.quantity, 0), moment)


def of_ping(_: PingBody, __: Context) -> Iterator[Fact]:
    """Give nothing: the module's button only asks whether deliveries arrive."""
    raise Uninteresting("this is the module's test")


def of_webhook(kind: str, body: Body, context: Context) -> Iterator[Fact]:
    """Give the facts of a snapshot that came as a free-form v1 webhook; the hub keeps those of its kind."""
    if kind.startswith("product-"):
        return of_product(read_payload(ProductBody, body), context)
    return of_order(read_payload(OrderBody, body), context)


def _refund(number: str, name: str, slip: SlipBody, factor: Decimal, context: Context) -> OrderRefunded:
    """Value a slip's lines as the order's were after its discounts; its money is what the shop gave back."""
    options = _options(context)
    lines = [
        Line(_product(row, options), as_quantity(row.quantity, 0), (_amount(row, options) * factor).quantize(CENT))
        for row in slip.rows or ()
    ]
    money = shipping = None
    if slip.amount_tax_incl is not None:
        shipping = _sane(slip.shipping_tax_incl or Decimal(0))
        money = _sane(slip.amount_tax_incl) + shipping
    return OrderRefunded(
        key=refund_key(name, context.delivery_id),
        order_id=number,
        occurred_at=as_moment(slip.date, "date"),
        reason=None,
        click_id=None,
        refund_id=name,
        amount=money,
        lines=tuple(lines),
        beside_goods=shipping or None,
    )


def _moves_money(slip: SlipBody) -> bool:
    return bool(slip.rows) or bool(slip.amount_tax_incl) or bool(slip.shipping_tax_incl)


def _net(gross: Sequence[Decimal], discount: Decimal) -> list[Decimal]:
    """Each line's part after the order's discount, which PrestaShop keeps for the whole order only."""
    total = sum(gross, Decimal(0))
    left = max(total - discount, Decimal(0))
    return [(part * left / total).quantize(CENT) if total else Decimal(0) for part in gross]


def _discount(order: Order, options: PrestashopOptions) -> Decimal:
    given = order.total_discounts_tax_excl if options.tax == "excluded" else order.total_discounts_tax_incl
    return _sane(given or Decimal(0))


def _amount(row: RowBody, options: PrestashopOptions, *, signed: bool = False) -> Decimal:
    given = row.total_tax_excl if options.tax == "excluded" else row.total_tax_incl
    if given is None:
        raise Unmappable("a row of the order or the slip has no total")
    return _sane(given, signed=signed)


def _sane(amount: Decimal, *, signed: bool = False) -> Decimal:
    found = as_money(amount, "amount", signed=signed)
    return Decimal(0) if found is None else found


def _product(row: RowBody, options: PrestashopOptions) -> str | None:
    if options.product_key == "sku" and as_text(row.reference) is not None:
        return as_text(row.reference)
    variant = row.product_attribute_id
    if options.product_key == "variant" and str(variant or "0") != "0":
        return f"{row.product_id}-{variant}"
    return None if row.product_id is None or str(row.product_id) in ("", "0") else str(row.product_id)


def _options(context: Context) -> PrestashopOptions:
    # A v1 webhook belongs to no connection, so it has no options of ours.
    return context.options if isinstance(context.options, PrestashopOptions) else PrestashopOptions()
