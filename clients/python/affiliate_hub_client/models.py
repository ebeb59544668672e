"""The types of bodies and answers. Generated from the hub's OpenAPI document: `python -m clients.generator`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

AcceptedStatus = Literal["RECEIVED", "DUPLICATE"]
AffiliateStatus = Literal["ACTIVE", "INACTIVE"]
ApprovalStatus = Literal["NOT_REQUIRED", "PENDING", "APPROVED", "REJECTED"]
AttributionReason = Literal[
    "matched",
    "click_missing",
    "click_malformed",
    "click_unknown",
    "click_after_order",
    "click_outside_window",
    "campaign_not_live",
    "affiliate_inactive",
    "coupon_owner",
    "coupon_matched",
    "coupon_excluded",
    "sub_affiliate_excluded",
    "customer_not_new",
    "customer_unknown",
    "renewal_matched",
    "renewal_excluded",
    "renewals_used_up",
    "customer_matched",
]
AwaitedStep = Literal["REVIEW", "ORDER_STATUS", "HOLD_END", "PLATFORM", "DEPOSIT", "PAYOUT"]
BilledWhen = Literal["paid", "payable"]
CampaignStatus = Literal["DRAFT", "ACTIVE", "PAUSED", "EXPIRED", "ARCHIVED"]
ChangeType = Literal[
    "affiliate",
    "balance",
    "campaign",
    "commission",
    "conversion",
    "event",
    "link",
    "membership",
    "product",
    "statement",
    "subscription",
]
CommissionMessageType = Literal[
    "commission.created",
    "commission.held",
    "commission.payable",
    "commission.rejected",
    "commission.adjusted",
    "commission.paid",
]
CommissionSource = Literal["PRODUCT", "NEW_CUSTOMER", "CAMPAIGN", "MERCHANT", "PLATFORM", "MIXED"]
CommissionState = Literal["PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED"]
CommissionType = Literal["PERCENTAGE", "FIXED"]
Confidence = Literal["HIGH", "LOW"]
ConversionState = Literal["PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED", "IN_REVIEW", "DISMISSED"]
ConversionStatus = Literal["pending", "confirmed", "delivered", "cancelled", "returned", "refunded"]
Currency = str
DeliveryStatus = Literal["WAITING", "DELIVERED", "GIVEN_UP"]
EventStatus = Literal["RECEIVED", "QUEUED", "PROCESSED", "SKIPPED", "PARKED", "UNMATCHED", "FAILED"]
EventType = Literal["conversion", "order_status", "webhook"]
LevelOutcome = Literal["won", "no_product", "no_rule", "currency_differs"]
MessageType = Literal[
    "commission.created",
    "commission.held",
    "commission.payable",
    "commission.rejected",
    "commission.adjusted",
    "commission.paid",
    "conversion.review",
    "connection.silent",
    "connection.refused",
    "connection.recovered",
    "payout.released",
    "deposit.short",
]
Mode = Literal["test", "live"]
Money = str
MoneySum = str
OrderStatus = Literal[
    "pending",
    "confirmed",
    "paid",
    "delivered",
    "cancelled",
    "returned",
    "refunded",
    "commission_approved",
    "commission_rejected",
]
ProductStatus = Literal["ACTIVE", "INACTIVE", "OUT_OF_STOCK", "ARCHIVED"]
QueuedStatus = Literal["QUEUED", "DUPLICATE"]
ReviewState = Literal["OPEN", "ATTRIBUTED", "DISMISSED"]
RuleLevel = Literal["PRODUCT", "NEW_CUSTOMER", "CAMPAIGN", "MERCHANT", "PLATFORM"]
SettableCampaignStatus = Literal["DRAFT", "ACTIVE", "PAUSED", "ARCHIVED"]
SignatureVersion = Literal["1", "2"]
SkipReason = Literal[
    "already_known",
    "commission_paid",
    "stale",
    "superseded",
    "taken_back",
    "test_delivery",
    "unknown_order",
    "unknown_product",
    "not_allowed_from_pending",
    "not_allowed_from_hold",
    "not_allowed_from_approved",
    "not_allowed_from_payable",
    "not_allowed_from_rejected",
]
Sort = Literal["-createdAt", "createdAt"]
SubscriptionKind = Literal["WEBHOOK", "POSTBACK"]
SubscriptionStatus = Literal["ACTIVE", "PAUSED"]
TrueOrFalse = Literal["true", "false"]
UploadKind = Literal["products", "orders", "statuses"]
UploadStatus = Literal["QUEUED", "RUNNING", "DONE", "REFUSED"]
VolumeMeasure = Literal["ORDERS", "AMOUNT"]
VolumePeriod = Literal["MONTH", "EVER"]
VolumeStanding = Literal["OPEN", "COUNTED", "LEFT_OUT"]
WebhookKind = Literal[
    "order-created",
    "order-paid",
    "order-delivered",
    "order-cancelled",
    "order-returned",
    "order-refunded",
    "product-updated",
    "product-stock-updated",
]
SkipExplanation = SkipReason | str


class AcceptedEvent(TypedDict):
    """A conversion or order status is durable; `conversionId` comes with a duplicate conversion."""

    eventId: str
    status: AcceptedStatus
    duplicate: bool
    conversionId: NotRequired[str]
    warnings: NotRequired[Sequence[str]]


class AffiliateList(TypedDict):
    """A page of affiliates."""

    data: Sequence[AffiliateRecord]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class AffiliateRecord(TypedDict):
    """An affiliate that has a link of this account or is a member of one of its campaigns."""

    id: str
    name: str
    status: AffiliateStatus
    channels: str | None


class ArchivePayload(TypedDict):
    """The body of POST /v1/products/archive."""

    productIds: Sequence[str]


class ArchiveResult(TypedDict):
    """How many of the named products are archived now, and which ids named none."""

    archived: int
    notFound: Sequence[str]
    warnings: NotRequired[Sequence[str]]


class AttributionExplained(TypedDict):
    """Whose order it is and why (`reason` is 'matched' or what was missing)."""

    confidence: Confidence
    reason: AttributionReason
    clickId: str | None
    affiliateId: str | None
    campaignId: str | None
    clickAgeSeconds: int | None
    windowSeconds: int | None
    policy: NotRequired[Mapping[str, Any]]
    customer: NotRequired[Mapping[str, Any]]


class AttributionInput(TypedDict):
    """The body of POST /v1/conversions/{id}/attribute."""

    affiliateId: str
    campaignId: NotRequired[str | None]


class BalanceList(TypedDict):
    """The balances of the account, by currency."""

    data: Sequence[BalanceRecord]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class BalanceRecord(TypedDict):
    """What the account's commissions come to by now, in one currency."""

    currency: Currency
    pending: MoneySum
    hold: MoneySum
    approved: MoneySum
    payable: MoneySum
    paid: MoneySum
    rejected: MoneySum


class CampaignCreated(TypedDict):
    """The answer to a new campaign: a draft, whose links earn once it is activated."""

    id: str
    campaignCode: str
    title: str
    status: CampaignStatus
    warnings: NotRequired[Sequence[str]]


class CampaignInput(TypedDict):
    """The body of POST /v1/campaigns; dates are milliseconds UTC."""

    title: str
    description: NotRequired[str | None]
    startDate: NotRequired[str | None]
    endDate: NotRequired[str | None]
    defaultCommissionType: NotRequired[CommissionType | None]
    defaultCommissionValue: NotRequired[str | None]
    newCustomerCommissionType: NotRequired[CommissionType | None]
    newCustomerCommissionValue: NotRequired[str | None]
    volumeRates: NotRequired[VolumeRates | None]
    cookieDurationDays: NotRequired[int | None]
    allowedTrafficSources: NotRequired[Sequence[str] | None]
    termsAndConditions: NotRequired[str | None]
    approvalRequired: NotRequired[bool | None]


class CampaignList(TypedDict):
    """One page of campaigns, newest first; `total` counts all that match."""

    data: Sequence[CampaignRecord]
    page: int
    pageSize: int
    total: int
    warnings: NotRequired[Sequence[str]]


class CampaignPatch(TypedDict):
    """The body of a campaign PATCH."""

    title: NotRequired[str]
    description: NotRequired[str | None]
    startDate: NotRequired[str | None]
    endDate: NotRequired[str | None]
    defaultCommissionType: NotRequired[CommissionType | None]
    defaultCommissionValue: NotRequired[str | None]
    newCustomerCommissionType: NotRequired[CommissionType | None]
    newCustomerCommissionValue: NotRequired[str | None]
    volumeRates: NotRequired[VolumeRates | None]
    cookieDurationDays: NotRequired[int | None]
    allowedTrafficSources: NotRequired[Sequence[str] | None]
    termsAndConditions: NotRequired[str | None]
    approvalRequired: NotRequired[bool]
    status: NotRequired[SettableCampaignStatus]


class CampaignRecord(TypedDict):
    """A campaign as stored; `status` is the effective one: EXPIRED once `endDate` has passed."""

    id: str
    campaignCode: str
    title: str
    description: str | None
    startDate: str | None
    endDate: str | None
    defaultCommissionType: CommissionType | None
    defaultCommissionValue: str | None
    newCustomerCommissionType: CommissionType | None
    newCustomerCommissionValue: str | None
    volumeRates: VolumeRates | None
    cookieDurationDays: int | None
    allowedTrafficSources: Sequence[str] | None
    termsAndConditions: str | None
    approvalRequired: bool
    status: CampaignStatus
    approvalStatus: ApprovalStatus
    createdAt: str
    updatedAt: str
    warnings: NotRequired[Sequence[str]]


class ChangeList(TypedDict):
    """A part of the change feed."""

    data: Sequence[ChangeRecord]
    cursor: str
    more: bool
    warnings: NotRequired[Sequence[str]]


class ChangeRecord(TypedDict):
    """A record that changed, as it is now; it may be told again although nothing of it changed."""

    type: ChangeType
    id: str
    changedAt: str
    deleted: bool
    record: Mapping[str, Any] | None


class ClickList(TypedDict):
    """A page of clicks."""

    data: Sequence[ClickRecord]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class ClickRecord(TypedDict):
    """A click on a tracking link; nothing of who clicked."""

    id: str
    clickedAt: str
    linkCode: str
    affiliateId: str
    campaignId: str | None
    subIds: Mapping[str, Any]
    merchantId: str
    mode: Mode


class CommissionExplained(TypedDict):
    """The commission as it stood when the event was processed; `levels` holds each rule tried and why it lost."""

    state: CommissionState
    amount: Money
    currency: Currency
    source: CommissionSource
    type: CommissionType | None
    value: str | None
    base: Money
    holdUntil: str | None
    lines: Sequence[CommissionLine]
    levels: Sequence[CommissionLevel]


class CommissionLevel(TypedDict):
    """A rule that was tried; its type and value are told where there was one, the product where it was for one."""

    level: RuleLevel
    outcome: LevelOutcome
    externalProductId: NotRequired[str]
    type: NotRequired[CommissionType]
    value: NotRequired[str]


class CommissionLine(TypedDict):
    """A part of the order and the rule that pays for it; the rest of the order is a line without a product."""

    externalProductId: str | None
    source: RuleLevel
    type: CommissionType
    value: str
    base: str
    quantity: int
    amount: str


class CommissionList(TypedDict):
    """A page of commissions; `nextUpdatedSince` is there if `updatedSince` was."""

    data: Sequence[CommissionRecord]
    nextCursor: str | None
    nextUpdatedSince: NotRequired[str]
    warnings: NotRequired[Sequence[str]]


class CommissionNews(TypedDict):
    """A commission after it changed."""

    commissionId: str
    state: CommissionState
    previousState: CommissionState | None
    merchantId: str
    mode: Mode
    subIds: NotRequired[Mapping[str, Any]]
    sample: NotRequired[bool]
    conversionId: str
    externalOrderId: NotRequired[str]
    campaignId: str | None
    clickId: str | None
    orderedAt: str
    currency: Currency
    amount: MoneySum
    previousAmount: MoneySum | None
    holdUntil: str | None
    paidAt: str | None
    affiliateId: str


class CommissionNewsMessage(TypedDict):
    """A commission after it changed."""

    type: CommissionMessageType
    timestamp: str
    data: CommissionNews


class CommissionOfOrder(TypedDict):
    """The commission of an order as it is now."""

    id: str
    state: CommissionState
    amount: Money
    currency: Currency
    source: CommissionSource
    type: CommissionType | None
    value: str | None
    base: Money
    holdUntil: str | None
    paidAt: str | None
    payoutReference: str | None


class CommissionRecord(TypedDict):
    """A commission as it is now."""

    id: str
    state: CommissionState
    amount: Money
    currency: Currency
    base: Money
    source: CommissionSource
    affiliateId: str
    conversionId: str
    holdUntil: str | None
    paidAt: str | None
    reference: str | None
    merchantId: str
    merchantName: str
    affiliateName: str | None
    mode: Mode
    updatedAt: str


class ConversionInput(TypedDict):
    """The body of POST /v1/conversions; `orderAmount` is money text that fits the order's currency."""

    externalOrderId: str
    orderAmount: Money
    clickId: NotRequired[str | None]
    externalProductId: NotRequired[str | None]
    currency: NotRequired[Currency | None]
    orderStatus: NotRequired[ConversionStatus | None]
    orderedAt: NotRequired[str | None]
    couponCode: NotRequired[str | None]
    metadata: NotRequired[Mapping[str, Any] | None]
    customer: NotRequired[str | None]


class ConversionList(TypedDict):
    """A page of orders; `nextUpdatedSince` is there if `updatedSince` was."""

    data: Sequence[ConversionRecord]
    nextCursor: str | None
    nextUpdatedSince: NotRequired[str]
    warnings: NotRequired[Sequence[str]]


class ConversionRecord(TypedDict):
    """An order as it is now, with its commission, its facts, and what was submitted with it."""

    id: str
    externalOrderId: str
    orderAmount: Money
    currency: Currency
    confidence: Confidence
    reason: AttributionReason
    affiliateId: str | None
    campaignId: str | None
    candidateId: str | None
    clickId: str | None
    couponCode: str | None
    review: ReviewState | None
    orderedAt: str
    receivedAt: str
    merchantId: str
    merchantName: str
    affiliateName: str | None
    mode: Mode
    eventId: str
    commission: CommissionOfOrder | None
    facts: Sequence[ReasonedFact]
    metadata: Mapping[str, Any] | None
    subIds: Mapping[str, Any]
    explanation: Explanation | None
    awaits: AwaitedStep | None
    volume: NotRequired[VolumeOfOrder]
    updatedAt: str


class DailyFigures(TypedDict):
    """What happened on a day, in one currency; the clicks of a day are a line without a currency."""

    day: str
    currency: Currency | None
    clicks: int
    orders: int
    attributed: int
    revenue: MoneySum | None
    refunds: MoneySum | None
    commission: MoneySum | None
    pending: MoneySum | None
    hold: MoneySum | None
    approved: MoneySum | None
    payable: MoneySum | None
    paid: MoneySum | None
    rejected: MoneySum | None


class DailyReport(TypedDict):
    """The days of a period on which something happened, oldest first."""

    data: Sequence[DailyFigures]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class DeliveryList(TypedDict):
    """A page of messages."""

    data: Sequence[DeliveryRecord]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class DeliveryRecord(TypedDict):
    """A message: what was sent, and what the receiver last answered."""

    id: str
    type: str
    payloadVersion: str
    status: DeliveryStatus
    attempts: int
    createdAt: str
    dueAt: str | None
    finishedAt: str | None
    answerStatus: int | None
    answer: str | None
    fault: str | None
    data: Mapping[str, Any]


class DepositNews(TypedDict):
    """A deposit that does not cover the next commission."""

    currency: Currency
    merchantId: str
    mode: Mode
    subIds: NotRequired[Mapping[str, Any]]
    sample: NotRequired[bool]
    balance: MoneySum
    waiting: MoneySum
    commissions: int


class DepositNewsMessage(TypedDict):
    """A deposit that does not cover the next commission."""

    type: Literal["deposit.short"]
    timestamp: str
    data: DepositNews


class ErrorBody(TypedDict):
    """Every refusal: the status, its reason phrase in `error`, and one message or, for validation, all faults."""

    statusCode: int
    message: str | Sequence[str]
    error: str
    code: NotRequired[str]
    param: NotRequired[str]
    docUrl: NotRequired[str]
    requestId: NotRequired[str]


class EventList(TypedDict):
    """A page of submissions; `nextUpdatedSince` is there if `updatedSince` was."""

    data: Sequence[ListedEvent]
    nextCursor: str | None
    nextUpdatedSince: NotRequired[str]
    warnings: NotRequired[Sequence[str]]


class EventRecord(TypedDict):
    """An accepted submission and what became of it."""

    eventId: str
    type: EventType
    kind: WebhookKind | None
    status: EventStatus
    duplicate: bool
    receivedAt: str
    processedAt: str | None
    attempts: int
    conversionId: str | None
    explanation: Explanation
    reason: str | None
    metadata: Mapping[str, Any] | None


class EventTypeList(TypedDict):
    """Every kind of message."""

    data: Sequence[EventTypeRecord]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class EventTypeRecord(TypedDict):
    """A kind of message that subscribers get."""

    type: MessageType
    about: str
    forAffiliates: bool
    version: str
    schema: Mapping[str, Any]
    example: WebhookMessage


class Explanation(TypedDict):
    """What was decided about an event; the first three members are null until it is processed."""

    attribution: AttributionExplained | None
    commission: CommissionExplained | None
    skipReason: SkipExplanation | None
    adjustmentId: NotRequired[str]
    restated: NotRequired[Mapping[str, Any]]
    amountDiffers: NotRequired[Mapping[str, Any]]
    erasure: NotRequired[Mapping[str, Any]]


class FactRecord(TypedDict):
    """Something that was reported of an order, and whether it changed the commission."""

    status: str
    at: str
    receivedAt: str
    applied: bool
    skipReason: SkipReason | None
    eventId: str


class FiguresOf(TypedDict):
    """What a campaign or an affiliate brought in a period, in one currency; clicks are a line without a currency."""

    id: str | None
    name: str | None
    currency: Currency | None
    clicks: int
    orders: int
    attributed: int
    revenue: MoneySum | None
    refunds: MoneySum | None
    commission: MoneySum | None
    pending: MoneySum | None
    hold: MoneySum | None
    approved: MoneySum | None
    payable: MoneySum | None
    paid: MoneySum | None
    rejected: MoneySum | None


class FiguresOfLink(TypedDict):
    """What a link brought in a period, in one currency; clicks are a line without a currency."""

    code: str
    affiliateId: str
    campaignId: str | None
    destination: str
    currency: Currency | None
    clicks: int
    orders: int
    rejections: int
    commission: MoneySum | None


class FiguresOfProduct(TypedDict):
    """What was sold of a product in a period, in one currency."""

    externalProductId: str | None
    name: str | None
    currency: Currency
    orders: int
    units: int
    revenue: MoneySum


class FiguresReport(TypedDict):
    """The campaigns or the affiliates of a period, the most revenue first."""

    data: Sequence[FiguresOf]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class ImportFault(TypedDict):
    """Why one item of an import was left out; `index` is its place in `products`, from 0."""

    index: int
    externalProductId: str | None
    message: str


class ImportSummary(TypedDict):
    """What an import or upsert came to; `errors` tells of the first 100 items that failed."""

    received: int
    created: int
    updated: int
    failed: int
    errors: Sequence[ImportFault]
    warnings: NotRequired[Sequence[str]]


class LinkCreated(TypedDict):
    """A tracking link that was just created."""

    code: str
    url: str
    destination: str
    affiliateId: str
    campaignId: str | None
    productId: str | None
    merchantId: str
    mode: Mode
    name: str | None
    subIds: Mapping[str, Any]
    warnings: NotRequired[Sequence[str]]


class LinkInput(TypedDict):
    """The body of POST /v1/links."""

    affiliateId: str
    campaignId: NotRequired[str | None]
    externalProductId: NotRequired[str | None]
    destination: NotRequired[str | None]
    subIds: NotRequired[Mapping[str, Any] | None]
    name: NotRequired[str | None]


class LinkList(TypedDict):
    """A page of tracking links; `nextUpdatedSince` is there if `updatedSince` was."""

    data: Sequence[LinkRecord]
    nextCursor: str | None
    nextUpdatedSince: NotRequired[str]
    warnings: NotRequired[Sequence[str]]


class LinkRecord(TypedDict):
    """A tracking link of an affiliate."""

    code: str
    url: str
    destination: str
    affiliateId: str
    campaignId: str | None
    merchantId: str
    merchantName: str
    affiliateName: str | None
    mode: Mode
    createdAt: str
    updatedAt: str
    disabledAt: str | None
    name: str | None
    subIds: Mapping[str, Any]
    warnings: NotRequired[Sequence[str]]


class LinkReport(TypedDict):
    """The links of a period, the most clicks first."""

    data: Sequence[FiguresOfLink]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class ListedEvent(TypedDict):
    """An accepted submission, what became of it, and the order that it is about."""

    eventId: str
    type: EventType
    kind: WebhookKind | None
    status: EventStatus
    duplicate: bool
    receivedAt: str
    processedAt: str | None
    attempts: int
    conversionId: str | None
    explanation: Explanation
    externalOrderId: str | None


class LoggedRequest(TypedDict):
    """A request of this account as the hub saw it; `errorCode` says more than its answer did."""

    id: str
    at: str
    method: str
    path: str
    status: int
    errorCode: str | None
    requestId: str
    keyId: str | None
    client: str | None
    mode: Mode | None
    durationMs: float
    detail: Mapping[str, Any] | None


class OrderCancelledWebhook(TypedDict):
    """The body of order-cancelled in the hub's own form; further fields are allowed, and so is camelCase."""

    external_order_id: str
    click_id: NotRequired[str | None]
    occurred_at: NotRequired[str | None]
    reason: NotRequired[str | None]


class OrderCreatedWebhook(TypedDict):
    """The body of order-created in the hub's own form; further fields are allowed, and so is camelCase."""

    external_order_id: str
    order_amount: Money
    click_id: NotRequired[str | None]
    currency: NotRequired[Currency | None]
    coupon_code: NotRequired[str | None]
    customer: NotRequired[str | None]
    external_product_id: NotRequired[str | None]
    ordered_at: NotRequired[str | None]
    metadata: NotRequired[Mapping[str, Any] | None]
    lines: NotRequired[Sequence[WebhookLine]]


class OrderDeliveredWebhook(TypedDict):
    """The body of order-delivered in the hub's own form; further fields are allowed, and so is camelCase."""

    external_order_id: str
    click_id: NotRequired[str | None]
    occurred_at: NotRequired[str | None]
    reason: NotRequired[str | None]


class OrderPaidWebhook(TypedDict):
    """The body of order-paid in the hub's own form; further fields are allowed, and so is camelCase."""

    external_order_id: str
    click_id: NotRequired[str | None]
    occurred_at: NotRequired[str | None]
    reason: NotRequired[str | None]


class OrderRefundedWebhook(TypedDict):
    """The body of order-refunded in the hub's own form; further fields are allowed, and so is camelCase."""

    external_order_id: str
    click_id: NotRequired[str | None]
    occurred_at: NotRequired[str | None]
    reason: NotRequired[str | None]
    refund_id: NotRequired[str | None]
    refund_amount: NotRequired[Money | None]
    lines: NotRequired[Sequence[WebhookLine]]


class OrderReturnedWebhook(TypedDict):
    """The body of order-returned in the hub's own form; further fields are allowed, and so is camelCase."""

    external_order_id: str
    click_id: NotRequired[str | None]
    occurred_at: NotRequired[str | None]
    reason: NotRequired[str | None]


class OrderStatusInput(TypedDict):
    """The body of POST /v1/order-status."""

    externalOrderId: str
    status: OrderStatus
    clickId: NotRequired[str | None]
    statusUpdatedAt: NotRequired[str | None]
    reason: NotRequired[str | None]
    metadata: NotRequired[Mapping[str, Any] | None]


class OwedAmount(TypedDict):
    """What the account owes for a month in one currency."""

    currency: Currency
    commissions: MoneySum
    payments: int
    corrections: MoneySum
    fee: MoneySum
    deposit: MoneySum
    total: MoneySum


class PayoutNews(TypedDict):
    """An account's share of a payment to an affiliate."""

    payoutId: str
    merchantId: str
    mode: Mode
    subIds: NotRequired[Mapping[str, Any]]
    sample: NotRequired[bool]
    affiliateId: str
    amount: MoneySum
    currency: Currency


class PayoutNewsMessage(TypedDict):
    """An account's share of a payment to an affiliate."""

    type: Literal["payout.released"]
    timestamp: str
    data: PayoutNews


class ProductInput(TypedDict):
    """An item of an import or upsert."""

    externalProductId: str
    name: str
    productUrl: str
    price: Money
    description: NotRequired[str | None]
    imageUrl: NotRequired[str | None]
    category: NotRequired[str | None]
    brand: NotRequired[str | None]
    discountPrice: NotRequired[Money | None]
    currency: NotRequired[Currency | None]
    stockStatus: NotRequired[str | None]
    commissionType: NotRequired[CommissionType | None]
    commissionValue: NotRequired[str | None]
    campaignId: NotRequired[str | None]


class ProductList(TypedDict):
    """One page of products, newest first; `total` counts all that match."""

    data: Sequence[ProductRecord]
    page: int
    pageSize: int
    total: int
    nextCursor: NotRequired[str]
    warnings: NotRequired[Sequence[str]]


class ProductPatch(TypedDict):
    """The body of a product PATCH."""

    name: NotRequired[str]
    price: NotRequired[Money]
    discountPrice: NotRequired[Money | None]
    stockStatus: NotRequired[str | None]
    commissionType: NotRequired[CommissionType | None]
    commissionValue: NotRequired[str | None]
    status: NotRequired[ProductStatus]
    campaignId: NotRequired[str | None]


class ProductRecord(TypedDict):
    """A product as stored; amounts are decimal strings in `currency`, times RFC 3339 in UTC."""

    id: str
    externalProductId: str
    name: str
    description: str | None
    productUrl: str
    imageUrl: str | None
    category: str | None
    brand: str | None
    price: Money
    discountPrice: Money | None
    currency: Currency
    stockStatus: str | None
    commissionType: CommissionType | None
    commissionValue: str | None
    campaignId: str | None
    status: ProductStatus
    createdAt: str
    updatedAt: str
    warnings: NotRequired[Sequence[str]]


class ProductReport(TypedDict):
    """The products of a period, the most revenue first."""

    data: Sequence[FiguresOfProduct]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class ProductStockUpdatedWebhook(TypedDict):
    """The body of product-stock-updated in the hub's own form; further fields are allowed, and so is camelCase."""

    external_product_id: str
    stock_status: NotRequired[str | None]
    quantity: NotRequired[int | None]
    updated_at: NotRequired[str | None]


class ProductUpdatedWebhook(TypedDict):
    """The body of product-updated in the hub's own form; further fields are allowed, and so is camelCase."""

    external_product_id: str
    name: NotRequired[str | None]
    description: NotRequired[str | None]
    product_url: NotRequired[str | None]
    image_url: NotRequired[str | None]
    category: NotRequired[str | None]
    brand: NotRequired[str | None]
    price: NotRequired[Money | None]
    discount_price: NotRequired[Money | None]
    currency: NotRequired[Currency | None]
    stock_status: NotRequired[str | None]
    commission_type: NotRequired[CommissionType | None]
    commission_value: NotRequired[str | None]
    campaign_id: NotRequired[str | None]
    updated_at: NotRequired[str | None]


class ProductsPayload(TypedDict):
    """The body of import and upsert."""

    products: Sequence[ProductInput]


class ReasonedFact(TypedDict):
    """Something that was reported of an order, whether it changed the commission, and the reason given with it."""

    status: str
    at: str
    receivedAt: str
    applied: bool
    skipReason: SkipReason | None
    eventId: str
    reason: str | None


class RecoveredConnection(TypedDict):
    """Orders that a reading found and that had never arrived."""

    connectionId: str
    merchantId: str
    mode: Mode
    subIds: NotRequired[Mapping[str, Any]]
    sample: NotRequired[bool]
    connector: str
    title: str | None
    at: str
    read: int
    unknownOrders: int


class RecoveredConnectionMessage(TypedDict):
    """Orders that a reading found and that had never arrived."""

    type: Literal["connection.recovered"]
    timestamp: str
    data: RecoveredConnection


class RefusedConnection(TypedDict):
    """A platform that refuses the hub's credentials."""

    connectionId: str
    merchantId: str
    mode: Mode
    subIds: NotRequired[Mapping[str, Any]]
    sample: NotRequired[bool]
    connector: str
    title: str | None
    at: str
    reason: str


class RefusedConnectionMessage(TypedDict):
    """A platform that refuses the hub's credentials."""

    type: Literal["connection.refused"]
    timestamp: str
    data: RefusedConnection


class ReplayInput(TypedDict):
    """The body of POST /v1/subscriptions/{id}/replay: a message, all of the last while, or one if it is of it."""

    messageId: NotRequired[str | None]
    since: NotRequired[str | None]


class ReplayedDeliveries(TypedDict):
    """What came of a replay."""

    replayed: int
    warnings: NotRequired[Sequence[str]]


class RequestList(TypedDict):
    """A page of the request log."""

    data: Sequence[LoggedRequest]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class RetriedDeliveries(TypedDict):
    """What is tried now."""

    retried: int
    warnings: NotRequired[Sequence[str]]


class RetryInput(TypedDict):
    """The body of POST /v1/subscriptions/{id}/retry."""

    messageId: NotRequired[str | None]


class ReviewNews(TypedDict):
    """An order that a person has to look at."""

    conversionId: str
    merchantId: str
    mode: Mode
    subIds: NotRequired[Mapping[str, Any]]
    sample: NotRequired[bool]
    externalOrderId: NotRequired[str]
    campaignId: str | None
    clickId: str | None
    orderedAt: str
    currency: Currency
    orderAmount: Money
    reason: str
    candidateId: str | None


class ReviewNewsMessage(TypedDict):
    """An order that a person has to look at."""

    type: Literal["conversion.review"]
    timestamp: str
    data: ReviewNews


class ReviewedConversion(TypedDict):
    """An order as it is now, with its commission and everything that was reported of it."""

    id: str
    externalOrderId: str
    orderAmount: Money
    currency: Currency
    confidence: Confidence
    reason: AttributionReason
    affiliateId: str | None
    campaignId: str | None
    candidateId: str | None
    clickId: str | None
    couponCode: str | None
    review: ReviewState | None
    orderedAt: str
    receivedAt: str
    merchantId: str
    merchantName: str
    affiliateName: str | None
    mode: Mode
    eventId: str
    commission: CommissionOfOrder | None
    facts: Sequence[FactRecord]
    warnings: NotRequired[Sequence[str]]


class RotationInput(TypedDict):
    """The body of POST /v1/subscriptions/{id}/rotate."""

    overlap: NotRequired[str]


class SampleInput(TypedDict):
    """The body of POST /v1/subscriptions/{id}/test."""

    type: NotRequired[MessageType | None]


class SampleMessage(TypedDict):
    """A test message that is on its way."""

    messageId: str
    type: MessageType
    warnings: NotRequired[Sequence[str]]


class SilentConnection(TypedDict):
    """A connected store that has sent nothing for a day."""

    connectionId: str
    merchantId: str
    mode: Mode
    subIds: NotRequired[Mapping[str, Any]]
    sample: NotRequired[bool]
    connector: str
    title: str | None
    lastDeliveryAt: str


class SilentConnectionMessage(TypedDict):
    """A connected store that has sent nothing for a day."""

    type: Literal["connection.silent"]
    timestamp: str
    data: SilentConnection


class StatementList(TypedDict):
    """The months in which something was owed, newest first."""

    data: Sequence[StatementRecord]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class StatementRecord(TypedDict):
    """What the account owes for a month."""

    month: str
    timeZone: str
    billed: BilledWhen
    owed: Sequence[OwedAmount]


class SubscriptionInput(TypedDict):
    """The body of POST /v1/subscriptions."""

    url: str
    description: NotRequired[str | None]
    events: Sequence[str]
    paused: NotRequired[bool]
    payloadVersion: NotRequired[str | None]


class SubscriptionList(TypedDict):
    """The subscriptions of the account."""

    data: Sequence[SubscriptionRecord]
    nextCursor: str | None
    warnings: NotRequired[Sequence[str]]


class SubscriptionPatch(TypedDict):
    """The body of PATCH /v1/subscriptions/{id}: what is given is changed."""

    url: NotRequired[str | None]
    description: NotRequired[str | None]
    events: NotRequired[Sequence[str] | None]
    payloadVersion: NotRequired[str | None]


class SubscriptionRecord(TypedDict):
    """A subscription of the account to webhooks."""

    id: str
    merchantId: str | None
    mode: Mode | None
    affiliateId: str | None
    kind: SubscriptionKind
    url: str
    description: str | None
    events: Sequence[str]
    payloadVersion: str
    status: SubscriptionStatus
    reason: str | None
    failures: int
    failingSince: str | None
    waiting: int
    createdAt: str
    warnings: NotRequired[Sequence[str]]


class SubscriptionSecret(TypedDict):
    """The secret of a subscription that was just made, or made anew."""

    id: str
    secret: str | None
    payloadVersion: str
    warnings: NotRequired[Sequence[str]]


class UploadRecord(TypedDict):
    """A CSV file on its way: it is applied in the background, and its counts grow as its rows are decided."""

    uploadId: str
    kind: UploadKind
    dryRun: bool
    status: UploadStatus
    bytes: int
    bytesRead: int
    rows: int
    created: int
    updated: int
    duplicate: int
    failed: int
    ignoredColumns: Sequence[str]
    faults: Sequence[str]
    createdAt: str
    startedAt: str | None
    finishedAt: str | None
    warnings: NotRequired[Sequence[str]]


class VolumeOfOrder(TypedDict):
    """What an order counts for the rates by volume of its campaign, and what they add to its commission."""

    month: str
    standing: VolumeStanding
    place: int | None
    begins: str | None
    commissionType: CommissionType | None
    commissionValue: str | None
    amount: Money


class VolumeRates(TypedDict):
    """Rates that rise by volume: see docs/money.md."""

    period: VolumePeriod
    measure: VolumeMeasure
    tiers: Sequence[Mapping[str, Any]]


class WebhookAccepted(TypedDict):
    """A webhook is durable."""

    webhookEventId: str
    status: QueuedStatus
    duplicate: bool
    warnings: NotRequired[Sequence[str]]


class WebhookLine(TypedDict):
    """A part of an order or a refund."""

    external_product_id: NotRequired[str | None]
    quantity: NotRequired[int | None]
    amount: NotRequired[Money | None]


WebhookMessage = (
    CommissionNewsMessage
    | DepositNewsMessage
    | PayoutNewsMessage
    | RecoveredConnectionMessage
    | RefusedConnectionMessage
    | ReviewNewsMessage
    | SilentConnectionMessage
)
