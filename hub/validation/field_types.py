"""The field types of the v1 bodies and queries, named once, for validation and the OpenAPI document alike."""

from __future__ import annotations

from typing import Annotated, Any

from hub.domain.orders.rule_kinds import RULE_TYPES
from hub.domain.words import CAMPAIGN_STATUSES, PRODUCT_STATUSES, STORED_CAMPAIGN_STATUSES
from hub.validation.constraints import Choice, Currency, DecimalText, Flag, Instant, Money, Text, Url, Whole
from hub.validation.container_constraints import FreeObject, ListOf
from hub.validation.volume_constraint import Volume

LARGEST_PAGE_SIZE = 200
LARGEST_METADATA_BYTES = 65_536
LARGEST_IMPORT = 5_000

CONVERSION_STATUSES = ("pending", "confirmed", "delivered", "cancelled", "returned", "refunded")
ORDER_STATUSES = (
    "pending", "confirmed", "paid", "delivered", "cancelled", "returned", "refunded",
    "commission_approved", "commission_rejected",
)  # fmt: skip

# Products ------------------------------------------------------------------------------------------------------------

ExternalProductId = Annotated[
    str, Text(120, min=1, description="The merchant's own id of the product; the upsert key.", example="SKU-1")
]
ProductName = Annotated[str, Text(255, min=1, description="The name buyers see.", example="Walking shoe")]
ProductDescription = Annotated[str, Text(20_000, description="Free text.", example="A light shoe for every day.")]
ProductUrl = Annotated[
    str,
    Url(
        description="The product's page: http or https, on an approved domain of the merchant or a subdomain of one.",
        example="https://shop.example/p/1",
    ),
]
ImageUrl = Annotated[
    str, Url(description="A picture of the product: http or https.", example="https://cdn.shop.example/p/1.jpg")
]
Category = Annotated[str, Text(255, description="The merchant's own category.", example="Shoes")]
Brand = Annotated[str, Text(255, description="The maker's name.", example="Strider")]
Price = Annotated[str, Money(description="The price in the product's currency.", example="49.90")]
DiscountPrice = Annotated[str, Money(description="The reduced price in the product's currency.", example="39.90")]
CurrencyCode = Annotated[str, Currency(description="ISO 4217 code; without one it is the merchant's currency.")]
StockStatus = Annotated[
    str,
    Text(
        40,
        description="Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status.",
        example="IN_STOCK",
    ),
]
CommissionType = Annotated[
    str,
    Choice(RULE_TYPES, description="How the commission is reckoned; comes with its value.", example="PERCENTAGE"),
]
CommissionValue = Annotated[
    str,
    DecimalText(
        description="PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.", example="8"
    ),
]
NewCustomerType = Annotated[
    str,
    Choice(
        RULE_TYPES,
        description="How orders with `metadata.newCustomer` are paid; comes with its value.",
        example="PERCENTAGE",
    ),
]
NewCustomerValue = Annotated[str, DecimalText(description="Of these orders, as defaultCommissionValue.", example="12")]
VolumeRates = Annotated[
    dict[str, Any],
    Volume(
        description="Higher rates by volume, paid as a bonus of the month: see docs/money.md.",
        example={
            "period": "MONTH",
            "measure": "ORDERS",
            "tiers": [{"from": "11", "commissionType": "PERCENTAGE", "commissionValue": "12"}],
        },
    ),
]
CampaignId = Annotated[
    str, Text(64, min=1, description="A campaign of the same account, whose default the product inherits.")
]
ProductStatus = Annotated[str, Choice(PRODUCT_STATUSES, description="The product's status.", example="ACTIVE")]
ProductReferences = Annotated[
    tuple[str, ...],
    ListOf(
        Text(120, min=1),
        LARGEST_IMPORT,
        description="Products to archive, each by the hub's id or by externalProductId.",
        example=("SKU-1", "SKU-2"),
    ),
]

# Campaigns -----------------------------------------------------------------------------------------------------------

CampaignTitle = Annotated[str, Text(160, min=1, description="The campaign's title.", example="Spring sale")]
CampaignDescription = Annotated[str, Text(20_000, description="Free text.", example="All shoes, all spring.")]
StartDate = Annotated[int, Instant(description="When the campaign starts; without one it has started.")]
EndDate = Annotated[
    int, Instant(description="When the campaign expires; after startDate.", example="2027-11-20T10:00:00Z")
]
CookieDurationDays = Annotated[
    int,
    Whole(
        0, 365, description="How long after a click an order still counts; 0 means a session (24 hours).", example=30
    ),
]
TrafficSources = Annotated[
    tuple[str, ...],
    ListOf(Text(120, min=1), 100, description="Where affiliates may advertise.", example=("blog", "newsletter")),
]
AffiliateChannels = Annotated[
    str,
    Text(500, description="Where it promotes: websites, profiles, newsletters; empty for nothing.",
         example="https://anna.example, a newsletter to 4,000 readers"),
]  # fmt: skip
LinkName = Annotated[
    str, Text(80, description="What the link is called, such as where it stands.", example="Footer of the newsletter")
]
SubscriptionDescription = Annotated[
    str, Text(255, description="What it is for, in your words; empty for nothing.", example="Orders to our warehouse")
]
TermsAndConditions = Annotated[str, Text(20_000, description="Free text.", example="No brand bidding.")]
ApprovalRequired = Annotated[
    bool, Flag(description="Whether an admin must approve the campaign before it is activated.")
]
CampaignStatus = Annotated[str, Choice(CAMPAIGN_STATUSES, description="The effective status.", example="ACTIVE")]
SettableCampaignStatus = Annotated[
    str,
    Choice(STORED_CAMPAIGN_STATUSES, description="The status to move to; ARCHIVED is final.", example="ARCHIVED"),
]

# Orders --------------------------------------------------------------------------------------------------------------

ExternalOrderId = Annotated[
    str, Text(160, min=1, description="The merchant's own order number; unique per account.", example="ORDER-1042")
]
ClickId = Annotated[
    str,
    Text(
        255,
        blank_is_absent=True,
        description="The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.",
        example="clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c",
    ),
]
OrderAmount = Annotated[str, Money(description="What the commission is reckoned from.", example="49.90")]
ConversionStatus = Annotated[
    str, Choice(CONVERSION_STATUSES, description="The order's status when it is reported.", example="confirmed")
]
OrderStatusWord = Annotated[str, Choice(ORDER_STATUSES, description="What became of the order.", example="delivered")]
OrderedAt = Annotated[int, Instant(description="When the buyer ordered; without it, the time of receipt.")]
StatusUpdatedAt = Annotated[
    int, Instant(description="When the status changed at the merchant; without it, the time of receipt.")
]
CouponCode = Annotated[
    str, Text(120, blank_is_absent=True, description="The coupon that the buyer used.", example="ANNA10")
]
Customer = Annotated[
    str,
    Text(
        320, blank_is_absent=True,
        description="The buyer's e-mail address, or an id that stays theirs; kept as a hash if a campaign asks.",
        example="ada@example.com",
    ),
]  # fmt: skip
Reason = Annotated[str, Text(1_000, description="A short explanation.", example="Left on the porch.")]
Metadata = Annotated[
    dict[str, Any],
    FreeObject(LARGEST_METADATA_BYTES, description="Anything the merchant wants kept.", example={"channel": "web"}),
]

# Lists ---------------------------------------------------------------------------------------------------------------

#: The offset of the last page must stay a 64-bit integer; nobody reads a billion pages.
PageNumber = Annotated[int, Whole(1, 1_000_000_000, description="The page, from 1.", example=1)]
PageSize = Annotated[int, Whole(1, LARGEST_PAGE_SIZE, description="Records per page.", example=50)]
ProductCursor = Annotated[
    str,
    Text(
        400,
        blank_is_absent=True,
        description="The `nextCursor` of the page before, with the same filters; `page` does not count beside it.",
        example="cHJvZHVjdHMKbnVtYmVyCm5ld2VzdApvbGRlcgo1MQ",
    ),
]
CategoryFilter = Annotated[str, Text(255, blank_is_absent=True, description="Only this category.", example="Shoes")]
SearchText = Annotated[
    str,
    Text(
        255,
        blank_is_absent=True,
        description="Looks in name, externalProductId and brand, ignoring case.",
        example="shoe",
    ),
]
