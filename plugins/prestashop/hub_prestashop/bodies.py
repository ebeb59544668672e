"""The bodies that the module sends; ids and money are text, times are UTC with a Z, what is unknown is null."""

from __future__ import annotations

from decimal import Decimal

from attrs import frozen


@frozen
class RowBody:
    """A line of an order or a credit slip; totals are before the order's own discounts, which are not per line."""

    product_id: str | int | None = None
    product_attribute_id: str | int | None = None
    reference: str | None = None
    quantity: int | None = None
    total_tax_excl: Decimal | None = None
    total_tax_incl: Decimal | None = None


@frozen
class StateBody:
    """One entry of the order's history; `meaning` is delivered, cancelled or refunded by the shop's configuration."""

    id: str | int
    date: str | None = None
    paid: bool | None = None
    meaning: str | None = None


@frozen
class SlipBody:
    """A credit slip: what went back, with tax, and what for."""

    id: str | int
    date: str | None = None
    amount_tax_incl: Decimal | None = None
    shipping_tax_incl: Decimal | None = None
    rows: tuple[RowBody, ...] | None = None


@frozen
class Order:
    """A snapshot of an order. `reference` may repeat over the parts of a split order, so the id is what counts.

    `gone` says that the shop has it no longer; then nothing else is told but its id. `slips` are all that it has.
    """

    id: str | int
    gone: bool | None = None
    reference: str | None = None
    currency: str | None = None
    date: str | None = None
    total_paid_tax_incl: Decimal | None = None
    total_discounts_tax_excl: Decimal | None = None
    total_discounts_tax_incl: Decimal | None = None
    click_id: str | None = None
    codes: tuple[str, ...] | None = None
    customer: str | None = None
    rows: tuple[RowBody, ...] | None = None
    history: tuple[StateBody, ...] | None = None
    slips: tuple[SlipBody, ...] | None = None


@frozen
class OrderBody:
    """The body of the topic "order"; `sent_at` and, in ms UTC, `clock` are when the module read it from the shop."""

    order: Order
    sent_at: str | None = None
    clock: int | None = None


@frozen
class Product:
    """A product as the shop shows it; `quantity` is over all its combinations, `gone` as in an order."""

    id: str | int
    gone: bool | None = None
    name: str | None = None
    reference: str | None = None
    price: Decimal | None = None
    url: str | None = None
    image_url: str | None = None
    quantity: int | None = None
    active: bool | None = None
    date: str | None = None


@frozen
class ProductBody:
    """The body of the topic "product"."""

    product: Product


@frozen
class PingBody:
    """The body of the topic "ping", which the module's button sends."""
