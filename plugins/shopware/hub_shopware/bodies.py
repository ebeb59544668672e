"""An order as the API and the app's webhooks have it, in the parts that count; the names in JSON are in camel case."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from attrs import field, frozen


@frozen
class StateBody:
    """The state of an order, a delivery or a transaction."""

    technical_name: str = field(alias="technicalName")


@frozen
class TaxBody:
    """One tax of a price."""

    tax: Decimal


@frozen
class PriceBody:
    """A calculated price; with the tax status "gross" it contains its taxes."""

    total_price: Decimal = field(alias="totalPrice")
    calculated_taxes: tuple[TaxBody, ...] | None = field(default=None, alias="calculatedTaxes")


@frozen
class LineBody:
    """A product, a promotion (its price is negative), or a part of another line (`parentId`)."""

    type: str | None = None
    parent_id: str | None = field(default=None, alias="parentId")
    product_id: str | None = field(default=None, alias="productId")
    quantity: int | None = None
    price: PriceBody | None = None
    payload: Any = None
    """An object; PHP writes an empty one as `[]`."""
    created_at: str | None = field(default=None, alias="createdAt")
    updated_at: str | None = field(default=None, alias="updatedAt")


@frozen
class RefundBody:
    """Money that a payment handler gave back."""

    id: str
    amount: PriceBody
    state: StateBody | None = field(default=None, alias="stateMachineState")
    created_at: str | None = field(default=None, alias="createdAt")
    updated_at: str | None = field(default=None, alias="updatedAt")


@frozen
class CaptureBody:
    """Money that a payment handler took."""

    refunds: tuple[RefundBody, ...] | None = None


@frozen
class TransactionBody:
    """A payment of the order; the last one counts."""

    state: StateBody | None = field(default=None, alias="stateMachineState")
    captures: tuple[CaptureBody, ...] | None = None
    created_at: str | None = field(default=None, alias="createdAt")
    updated_at: str | None = field(default=None, alias="updatedAt")


@frozen
class ShipmentBody:
    """A delivery of the order."""

    state: StateBody | None = field(default=None, alias="stateMachineState")
    created_at: str | None = field(default=None, alias="createdAt")
    updated_at: str | None = field(default=None, alias="updatedAt")


@frozen
class CurrencyBody:
    """The currency that the buyer paid in."""

    iso_code: str | None = field(default=None, alias="isoCode")


@frozen
class CustomerBody:
    """Who bought, with or without an account."""

    email: str | None = None


@frozen
class OrderBody:
    """A snapshot of an order."""

    order_number: str = field(alias="orderNumber")
    id: str | None = None
    order_date_time: str | None = field(default=None, alias="orderDateTime")
    amount_total: Decimal | None = field(default=None, alias="amountTotal")
    tax_status: str | None = field(default=None, alias="taxStatus")
    currency: CurrencyBody | None = None
    campaign_code: str | None = field(default=None, alias="campaignCode")
    custom_fields: Any = field(default=None, alias="customFields")
    """An object; PHP writes an empty one as `[]`."""
    order_customer: CustomerBody | None = field(default=None, alias="orderCustomer")
    line_items: tuple[LineBody, ...] | None = field(default=None, alias="lineItems")
    transactions: tuple[TransactionBody, ...] | None = None
    deliveries: tuple[ShipmentBody, ...] | None = None
    state: StateBody | None = field(default=None, alias="stateMachineState")
    created_at: str | None = field(default=None, alias="createdAt")
    updated_at: str | None = field(default=None, alias="updatedAt")


@frozen
class PayloadBody:
    """What happened to what."""

    order: OrderBody


@frozen
class DataBody:
    """The event and its payload."""

    payload: PayloadBody
    event: str | None = None


@frozen
class DeliveryBody:
    """The body of every webhook about an order; `timestamp` is when Shopware wrote it, in seconds."""

    data: DataBody
    timestamp: Any = None
