"""The bodies and queries of the v1 API as frozen classes; on the wire the attribute names are in camelCase.

An optional field that is null counts as absent. Only in a class with a field `present`, the names of the attributes
that were given, null clears what may be empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import orjson
from attrs import Attribute, field, frozen

from hub.storage import Row
from hub.validation import field_types as f
from hub.validation.container_constraints import Records

NOTHING: frozenset[str] = frozenset()
#: Marks an optional field of a PATCH body that may be left out but not cleared.
NEVER_NULL = {"never_null": True}


def leading(*names: str) -> Callable[[type, list[Attribute[Any]]], list[Attribute[Any]]]:
    """Return a `field_transformer` that puts these attributes before those of the bases, which attrs has first."""

    def ordered(_: type, attributes: list[Attribute[Any]]) -> list[Attribute[Any]]:
        place = {name: number for number, name in enumerate(names)}
        return sorted(attributes, key=lambda each: place.get(each.name, len(place)))

    return ordered


@frozen
class MerchantTerms:
    """What validation must know of the merchant: the default currency and the approved domains in ASCII form."""

    currency: str
    domains: tuple[str, ...]

    @classmethod
    def from_row(cls, row: Row) -> MerchantTerms:
        """Read a row that holds the merchant's currency and domains."""
        return cls(row["currency"], tuple(orjson.loads(row["domains"])))


@frozen(kw_only=True, slots=False)
class ProductInput:
    """An item of an import or upsert."""

    present = NOTHING
    external_product_id: f.ExternalProductId
    name: f.ProductName
    product_url: f.ProductUrl
    price: f.Price
    description: f.ProductDescription | None = None
    image_url: f.ImageUrl | None = None
    category: f.Category | None = None
    brand: f.Brand | None = None
    discount_price: f.DiscountPrice | None = None
    currency: f.CurrencyCode | None = None
    stock_status: f.StockStatus | None = None
    commission_type: f.CommissionType | None = None
    commission_value: f.CommissionValue | None = None
    campaign_id: f.CampaignId | None = None


@frozen(kw_only=True, slots=False)
class ProductRow(ProductInput):
    """A product as a row of a CSV file: an upsert in which an empty cell, read as null, clears an optional field."""

    present: frozenset[str] = NOTHING


@frozen(kw_only=True, slots=False)
class ProductsPayload:
    """The body of import and upsert. Its items are validated one by one, see `hub.catalog.validate_items`."""

    products: Annotated[tuple[ProductInput, ...], Records(ProductInput, f.LARGEST_IMPORT)]


@frozen(kw_only=True, slots=False)
class ProductPatch:
    """The body of a product PATCH. `present` names the attributes that were given; null clears what may be empty.

    The product's own currency is not known here: check `price` and `discount_price` against it with `price_faults`.
    """

    name: f.ProductName | None = field(default=None, metadata=NEVER_NULL)
    price: f.Price | None = field(default=None, metadata=NEVER_NULL)
    discount_price: f.DiscountPrice | None = None
    stock_status: f.StockStatus | None = None
    commission_type: f.CommissionType | None = None
    commission_value: f.CommissionValue | None = None
    status: f.ProductStatus | None = field(default=None, metadata=NEVER_NULL)
    campaign_id: f.CampaignId | None = None
    present: frozenset[str] = NOTHING


@frozen(kw_only=True, slots=False)
class ProductChange:
    """What a product-updated webhook states: the fields present, null clears what may be empty.

    As with `ProductPatch`, money is held against the product's currency once that is known.
    """

    external_product_id: f.ExternalProductId
    name: f.ProductName | None = field(default=None, metadata=NEVER_NULL)
    product_url: f.ProductUrl | None = field(default=None, metadata=NEVER_NULL)
    price: f.Price | None = field(default=None, metadata=NEVER_NULL)
    description: f.ProductDescription | None = None
    image_url: f.ImageUrl | None = None
    category: f.Category | None = None
    brand: f.Brand | None = None
    discount_price: f.DiscountPrice | None = None
    currency: f.CurrencyCode | None = field(default=None, metadata=NEVER_NULL)
    stock_status: f.StockStatus | None = None
    commission_type: f.CommissionType | None = None
    commission_value: f.CommissionValue | None = None
    campaign_id: f.CampaignId | None = None
    present: frozenset[str] = NOTHING


@frozen(kw_only=True, slots=False)
class ArchivePayload:
    """The body of POST /v1/products/archive."""

    product_ids: f.ProductReferences


@frozen(kw_only=True, slots=False)
class CampaignFields:
    """What a body may say of a campaign and its record says too (`hub.records.campaigns`); None where it says nothing.

    Dates are milliseconds UTC.
    """

    description: f.CampaignDescription | None = None
    start_date: f.StartDate | None = None
    end_date: f.EndDate | None = None
    default_commission_type: f.CommissionType | None = None
    default_commission_value: f.CommissionValue | None = None
    new_customer_commission_type: f.NewCustomerType | None = None
    new_customer_commission_value: f.NewCustomerValue | None = None
    volume_rates: f.VolumeRates | None = None
    cookie_duration_days: f.CookieDurationDays | None = None
    allowed_traffic_sources: f.TrafficSources | None = None
    terms_and_conditions: f.TermsAndConditions | None = None


@frozen(kw_only=True, slots=False, field_transformer=leading("title"))
class CampaignInput(CampaignFields):
    """The body of POST /v1/campaigns; dates are milliseconds UTC."""

    title: f.CampaignTitle
    approval_required: f.ApprovalRequired | None = None


@frozen(kw_only=True, slots=False, field_transformer=leading("title"))
class CampaignPatch(CampaignFields):
    """The body of a campaign PATCH. `present` names the attributes that were given; null clears what may be empty.

    Where only one of the dates is given, hold it against the stored other one with `date_faults`.
    """

    title: f.CampaignTitle | None = field(default=None, metadata=NEVER_NULL)
    approval_required: f.ApprovalRequired | None = field(default=None, metadata=NEVER_NULL)
    status: f.SettableCampaignStatus | None = field(default=None, metadata=NEVER_NULL)
    present: frozenset[str] = NOTHING


@frozen(kw_only=True, slots=False)
class AffiliateTexts:
    """What an affiliate says of itself to merchants, in each API, form and command, and in its record."""

    channels: f.AffiliateChannels | None = None


@frozen(kw_only=True, slots=False)
class LinkTexts:
    """What whoever makes a link says of it, in each API, form and command, and in its record."""

    name: f.LinkName | None = None


@frozen(kw_only=True, slots=False)
class SubscriptionTexts:
    """What its owner writes of a subscription, in each API, form and command, and in its record."""

    description: f.SubscriptionDescription | None = None


@frozen(kw_only=True, slots=False)
class ConversionInput:
    """The body of POST /v1/conversions; `order_amount` is money text that fits the order's currency."""

    external_order_id: f.ExternalOrderId
    order_amount: f.OrderAmount
    click_id: f.ClickId | None = None
    external_product_id: f.ExternalProductId | None = None
    currency: f.CurrencyCode | None = None
    order_status: f.ConversionStatus | None = None
    ordered_at: f.OrderedAt | None = None
    coupon_code: f.CouponCode | None = None
    metadata: f.Metadata | None = None
    customer: f.Customer | None = None


@frozen(kw_only=True, slots=False)
class OrderStatusInput:
    """The body of POST /v1/order-status."""

    external_order_id: f.ExternalOrderId
    status: f.OrderStatusWord
    click_id: f.ClickId | None = None
    status_updated_at: f.StatusUpdatedAt | None = None
    reason: f.Reason | None = None
    metadata: f.Metadata | None = None


@frozen(kw_only=True, slots=False)
class ProductQuery:
    """The query of GET /v1/products."""

    page: f.PageNumber = 1
    page_size: f.PageSize = 50
    status: f.ProductStatus | None = None
    category: f.CategoryFilter | None = None
    search: f.SearchText | None = None
    cursor: f.ProductCursor | None = None

    @property
    def offset(self) -> int:
        """How many records lie before the page."""
        return (self.page - 1) * self.page_size


@frozen(kw_only=True, slots=False)
class CampaignQuery:
    """The query of GET /v1/campaigns."""

    page: f.PageNumber = 1
    page_size: f.PageSize = 50
    status: f.CampaignStatus | None = None

    @property
    def offset(self) -> int:
        """How many records lie before the page."""
        return (self.page - 1) * self.page_size


def wire_name(name: str) -> str:
    """Return an attribute's name on the wire: external_order_id is externalOrderId."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
