"""The types of bodies and answers. Generated from the hub's OpenAPI document: `python -m clients.generator`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

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
Currency = str
DeliveryStatus = Literal["WAITING", "DELIVERED", "GIVEN_UP"]
EventStatus = Literal["RECEIVED", "QUEUED", "PROCESSED", "SKIPPED", "PARKED", "UNMATCHED", "FAILED"]
EventType = Literal["conversion", "order_status", "webhook"]
LevelOutcome = Literal["won", "no_product", "no_rule", "currency_differs"]
LiveAccess = Literal["ASKED", "GRANTED", "REFUSED"]
MembershipStatus = Literal["APPLIED", "APPROVED", "REJECTED", "REMOVED"]
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
ProductStatus = Literal["ACTIVE", "INACTIVE", "OUT_OF_STOCK", "ARCHIVED"]
ReceiptQuestion = Literal[
    "unmatched", "several", "part_paid", "overpaid", "already_paid", "other_currency", "other_issuer"
]
ReviewState = Literal["OPEN", "ATTRIBUTED", "DISMISSED"]
RuleLevel = Literal["PRODUCT", "NEW_CUSTOMER", "CAMPAIGN", "MERCHANT", "PLATFORM"]
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
SubscriptionKind = Literal["WEBHOOK", "POSTBACK"]
SubscriptionStatus = Literal["ACTIVE", "PAUSED"]
UploadKind = Literal["products", "orders", "statuses"]
UploadStatus = Literal["QUEUED", "RUNNING", "DONE", "REFUSED"]
VatOutcome = Literal["valid", "invalid", "unreached"]
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


class AccountIds(TypedDict):
    """The ids of a merchant's two accounts."""

    test: str
    live: str


class ActDocument(TypedDict):
    """An act; `before` and `after` are the thing as it was and as it became, null if there is nothing to show."""

    id: str
    at: str
    actorKind: str
    actor: str
    act: str
    subjectKind: str
    subject: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    source: str
    address: str | None


class ActDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[ActDocument]
    nextCursor: str | None


class AddConnectionSecretBody(TypedDict):
    """The body of addConnectionSecret."""

    secret: NotRequired[str]


class AddDepositBody(TypedDict):
    """The body of addDeposit."""

    amount: str
    currency: str
    reference: str


class AddDomainBody(TypedDict):
    """The body of addDomain."""

    domain: str


class AddedSecret(TypedDict):
    """A secret that was just added; `secret` is null unless the hub issued it."""

    id: str
    secretId: str
    secret: str | None


class AdjustmentDocument(TypedDict):
    """A correction; `amount` is decimal text in `currency`, negative if it takes money back."""

    id: str
    accountId: str
    affiliateId: str
    kind: str
    amount: str
    currency: str
    reason: str
    externalOrderId: str | None
    commissionId: str | None
    paidReference: str | None
    payoutId: str | None
    status: str
    createdBy: str
    createdAt: str
    decidedBy: str | None
    decidedAt: str | None


class AdvanceTestClockBody(TypedDict):
    """The body of advanceTestClock."""

    by: str


class AdvancedDocument(TypedDict):
    """A test account whose clock was moved forward by `byMs`, in all by `advancedMs`."""

    merchantId: str
    accountId: str
    byMs: int
    advancedMs: int


class AffiliateDocument(TypedDict):
    """An affiliate; `status` is ACTIVE or INACTIVE."""

    id: str
    name: str
    email: str
    status: AffiliateStatus
    coupons: Sequence[str]
    channels: str | None
    createdAt: str


class ApproveAdjustmentBody(TypedDict):
    """The body of approveAdjustment."""

    note: NotRequired[str]


class AskedReading(TypedDict):
    """A reading that was asked for, or waited already; the running hub does it, and `getPlatform` shows what came."""

    id: str


class AssignReceiptBody(TypedDict):
    """The body of assignReceipt."""

    invoice: int


class AttributeConversionBody(TypedDict):
    """The body of attributeConversion."""

    affiliateId: str
    campaignId: NotRequired[str]


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


class AuditRunDocument(TypedDict):
    """A run of the audit: how much it checked, and how many violations it found."""

    id: str
    startedAt: str
    finishedAt: str
    accepted: int
    conversions: int
    violations: int
    followedAt: str | None


class BalanceDocument(TypedDict):
    """An affiliate's balance in one currency, as decimal text."""

    currency: str
    pending: str
    payable: str
    paid: str
    underWay: str
    negative: str


class BalanceDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[BalanceDocument]
    nextCursor: str | None


class BankReportDocument(TypedDict):
    """A file from a bank; `rows` is 0 until it is checked."""

    id: str
    kind: Literal["results", "statement"]
    status: Literal["WAITING", "CHECKING", "NOTING", "DONE", "REFUSED"]
    payoutId: str | None
    fileId: str | None
    reference: str
    fileName: str
    sha256: str
    bytes: int
    sentBy: str
    sentAt: str
    rows: int
    done: int
    verdicts: Mapping[str, Any]
    fault: str | None
    finishedAt: str | None


class BankReportDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[BankReportDocument]
    nextCursor: str | None


class BillByBody(TypedDict):
    """The body of billBy."""

    issuer: str


class BilledBy(TypedDict):
    """Who bills a merchant: the code and the name of an issuer, 'first' without a name for the one of the settings."""

    merchantId: str
    issuer: str
    name: str | None


class BooksDocument(TypedDict):
    """How the books are kept: `timeZone` is an IANA name, like Europe/Berlin."""

    timeZone: str
    billed: BilledWhen


class CampaignDetails(TypedDict):
    """A campaign with what its merchant and the operator settle beside the API, and whose it is."""

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
    termsAndConditions: str | None
    approvalRequired: bool
    status: CampaignStatus
    approvalStatus: ApprovalStatus
    createdAt: str
    updatedAt: str
    allowedTrafficSources: Sequence[str]
    holdMs: int | None
    listed: bool
    joining: Literal["OPEN", "BY_APPROVAL"]
    merchantId: str
    merchantName: str
    mode: Mode


class CancelPayoutBody(TypedDict):
    """The body of cancelPayout."""

    reason: str


class ChangeDocument(TypedDict):
    """A record that changed, as it is now, with the account that it is of; without a record it is gone."""

    type: ChangeType
    id: str
    merchantId: str
    mode: Mode
    changedAt: str
    deleted: bool
    record: Mapping[str, Any] | None


class Changed(TypedDict):
    """What commissions were, and would be with the rate, as decimal text; `difference` may be negative."""

    currency: str
    before: str
    after: str
    difference: str


class ChangedBy(TypedDict):
    """The same for an affiliate, a product or an order; `id` is empty for the rest of orders, which is no product."""

    currency: str
    before: str
    after: str
    difference: str
    id: str


class ChangesDocument(TypedDict):
    """A part of a change feed, the cursor behind it, and whether there is more by now."""

    data: Sequence[ChangeDocument]
    cursor: str
    more: bool


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


class ClickRecordPage(TypedDict):
    """A page of a list."""

    data: Sequence[ClickRecord]
    nextCursor: str | None


class CloseMerchantBody(TypedDict):
    """The body of closeMerchant."""

    reason: NotRequired[str]
    anyway: NotRequired[bool]


class CloseMonthBody(TypedDict):
    """The body of closeMonth."""

    month: str


class CloseQuestionsBody(TypedDict):
    """The body of closeQuestions."""

    note: str


class CloseReceiptBody(TypedDict):
    """The body of closeReceipt."""

    reason: str


class ClosedMonth(TypedDict):
    """A month that is closed, or proposed to be: `closedBy` is null until another person closes it."""

    month: str
    proposedBy: str
    proposedAt: str
    closedBy: str | None
    closedAt: str | None
    entries: int | None
    head: str | None


class ClosedMonthPage(TypedDict):
    """A page of a list."""

    data: Sequence[ClosedMonth]
    nextCursor: str | None


class ClosedQuestions(TypedDict):
    """How many questions about an order were closed."""

    id: str
    closed: int


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


class ConfirmedClocks(TypedDict):
    """How many processes wait for their clocks to be trusted again."""

    confirmed: int


class ConnectionDocument(TypedDict):
    """A connection without its secrets."""

    id: str
    url: str
    connector: str
    title: str | None
    merchantId: str
    merchantName: str
    mode: Mode
    status: Literal["ACTIVE", "CLOSED"]
    options: Mapping[str, Any]
    site: str | None
    secrets: Sequence[SecretDocument]
    createdAt: str
    closedAt: str | None


class ConnectionDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[ConnectionDocument]
    nextCursor: str | None


class ConnectionWithSteps(TypedDict):
    """A connection with what there is to do on its platform, and the requests to erase it that wait."""

    id: str
    url: str
    connector: str
    title: str | None
    merchantId: str
    merchantName: str
    mode: Mode
    status: Literal["ACTIVE", "CLOSED"]
    options: Mapping[str, Any]
    site: str | None
    secrets: Sequence[SecretDocument]
    createdAt: str
    closedAt: str | None
    steps: Sequence[str]
    erasures: Sequence[ErasureDocument]


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


class ConversionRecordPage(TypedDict):
    """A page of a list."""

    data: Sequence[ConversionRecord]
    nextCursor: str | None


class CreateAdjustmentBody(TypedDict):
    """The body of createAdjustment."""

    affiliate: str
    account: str
    amount: str
    currency: str
    reason: str


class CreateAffiliateBody(TypedDict):
    """The body of createAffiliate."""

    name: str
    email: str
    coupons: NotRequired[Sequence[str]]
    channels: NotRequired[str]


class CreateCampaignBody(TypedDict):
    """The body of createCampaign."""

    merchantId: str
    mode: Mode
    fields: NotRequired[Mapping[str, Any]]
    hold: NotRequired[str]
    listed: NotRequired[bool]
    joining: NotRequired[Literal["OPEN", "BY_APPROVAL"]]


class CreateConnectionBody(TypedDict):
    """The body of createConnection."""

    merchantId: str
    mode: Mode
    connector: str
    secrets: NotRequired[Sequence[str]]
    options: NotRequired[Sequence[str]]
    title: NotRequired[str]


class CreateKeyBody(TypedDict):
    """The body of createKey."""

    mode: Mode
    allowedIps: NotRequired[Sequence[str]]
    expiresIn: NotRequired[str]
    signatureVersion: NotRequired[int]
    name: NotRequired[str]


class CreateLinkBody(TypedDict):
    """The body of createLink."""

    merchantId: str
    mode: Mode
    affiliateId: str
    campaignId: NotRequired[str]
    externalProductId: NotRequired[str]
    destination: NotRequired[str]
    subIds: NotRequired[Mapping[str, Any]]
    name: NotRequired[str]


class CreateMerchantBody(TypedDict):
    """The body of createMerchant."""

    name: str
    email: str
    domains: Sequence[str]
    currency: NotRequired[str]
    commission: NotRequired[str]
    hold: NotRequired[str]
    approve: NotRequired[bool]


class CreateMerchantTokenBody(TypedDict):
    """The body of createMerchantToken."""

    mode: Mode
    scopes: Sequence[str]
    name: NotRequired[str]
    allowedIps: NotRequired[Sequence[str]]
    expiresIn: NotRequired[str]


class CreatePayoutBody(TypedDict):
    """The body of createPayout."""

    mode: Mode
    before: NotRequired[str]
    currency: NotRequired[str]
    minimum: NotRequired[str]


class CreateSubscriptionBody(TypedDict):
    """The body of createSubscription."""

    url: str
    events: Sequence[str]
    description: NotRequired[str]
    merchantId: NotRequired[str]
    mode: NotRequired[Mode]
    affiliateId: NotRequired[str]
    paused: NotRequired[bool]
    payloadVersion: NotRequired[str]


class CreateUserBody(TypedDict):
    """The body of createUser."""

    email: str
    role: Literal["operator", "operator-admin", "merchant", "affiliate"]
    merchantId: NotRequired[str]
    affiliateId: NotRequired[str]
    level: NotRequired[Literal["owner", "viewer"]]
    name: NotRequired[str]


class CreatedConnection(TypedDict):
    """A connection that was just created; `secret` is null unless the hub issued it, `steps` are for the platform."""

    id: str
    url: str
    secret: str | None
    steps: Sequence[str]


class CreatedSubscription(TypedDict):
    """A subscription that was just created, and the secret that signs its messages; null for a postback."""

    id: str
    secret: str | None
    payloadVersion: str


class CreatedToken(TypedDict):
    """A token that was just made."""

    id: str
    name: str
    scopes: Sequence[str]
    affiliateId: str | None
    merchantId: str | None
    mode: Mode | None
    userId: str | None
    allowedIps: Sequence[str]
    expiresAt: str | None
    revokedAt: str | None
    lastUsedAt: str | None
    lastAddress: str | None
    createdAt: str
    token: str


class CredentialField(TypedDict):
    """A credential that is typed: `shown` is its value if it is no secret and was given."""

    name: str
    label: str
    secret: bool
    hint: str
    shown: str


class DebtDocument(TypedDict):
    """What an affiliate owes in one currency: `amount` is positive decimal text, `days` how old its oldest part is."""

    affiliateId: str
    affiliateName: str | None
    currency: str
    amount: str
    since: str
    days: int
    proposed: str


class DebtDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[DebtDocument]
    nextCursor: str | None


class DecideLiveAccessBody(TypedDict):
    """The body of decideLiveAccess."""

    granted: bool
    reason: NotRequired[str]


class DecideMembershipBody(TypedDict):
    """The body of decideMembership."""

    status: Literal["APPROVED", "REJECTED", "REMOVED"]
    reason: NotRequired[str]


class DeliveryDocument(TypedDict):
    """A message: what was sent, in which version, and what the receiver last answered."""

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


class DeliveryDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[DeliveryDocument]
    nextCursor: str | None


class DepositBalance(TypedDict):
    """A deposit in one currency, as decimal text."""

    currency: str
    balance: str
    covered: str
    waiting: str
    commissions: int
    shortage: str


class DepositDocument(TypedDict):
    """A merchant's deposit for its live account; `required` is whether commissions wait for it."""

    merchantId: str
    merchantName: str
    required: bool
    balances: Sequence[DepositBalance]
    payments: Sequence[DepositPayment]


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


class DepositPayment(TypedDict):
    """A payment into a deposit; a negative `amount` was taken out."""

    reference: str
    amount: str
    currency: str
    madeBy: str
    madeAt: str


class DiskDocument(TypedDict):
    """The volume of an SQLite file, in bytes."""

    freeBytes: int
    totalBytes: int
    databaseBytes: int
    isShort: bool


class DomainDocument(TypedDict):
    """A domain of a merchant; `approved` is whether links and products may lead there."""

    domain: str
    merchantId: str
    approved: bool
    provedAt: str | None
    method: str | None
    checkedAt: str | None
    fault: str | None
    proof: DomainProof | None


class DomainDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[DomainDocument]
    nextCursor: str | None


class DomainProof(TypedDict):
    """What the domain has to show, in one of three ways."""

    token: str
    filePath: str
    metaTag: str
    dnsName: str


class DraftDocument(TypedDict):
    """A rate that was tried; what it is for is its `level` and, on that, its `subject`."""

    id: str
    merchantId: str
    merchantName: str
    mode: Mode
    level: str
    subject: str
    commission: str
    status: Literal["DRAFT", "PUBLISHED", "DROPPED"]
    createdBy: str
    createdAt: str
    decidedBy: str | None
    decidedAt: str | None


class DraftDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[DraftDocument]
    nextCursor: str | None


class DraftRateBody(TypedDict):
    """The body of draftRate."""

    commission: str
    mode: NotRequired[Mode]
    campaign: NotRequired[str]
    merchant: NotRequired[str]
    product: NotRequired[str]
    new_customers: NotRequired[bool]


class DueFetches(TypedDict):
    """How many orders and products are fetched again."""

    fetches: int


class EmptiedDocument(TypedDict):
    """A test account that was emptied, and how many rows that were in all."""

    merchantId: str
    accountId: str
    rows: int


class EmptyTestAccountBody(TypedDict):
    """The body of emptyTestAccount."""

    everything: NotRequired[bool]


class ErasureDocument(TypedDict):
    """A request of a platform to erase everything of a connection; it is executed at `dueAt`."""

    connectionId: str
    eventId: str
    subject: str
    requestedAt: str
    dueAt: str


class ErrorBody(TypedDict):
    """Every refusal: the status, its reason phrase in `error`, and one message or, for validation, all faults."""

    statusCode: int
    message: str | Sequence[str]
    error: str
    code: NotRequired[str]
    param: NotRequired[str]
    docUrl: NotRequired[str]
    requestId: NotRequired[str]


class EventDocument(TypedDict):
    """An event; `explanation` is the JSON object that the worker left, which says what was decided and why."""

    eventId: str
    type: EventType
    kind: WebhookKind | None
    connectionId: str | None
    topic: str | None
    status: EventStatus
    externalEventId: str | None
    externalOrderId: str | None
    conversionId: str | None
    receivedAt: str
    processedAt: str | None
    dueAt: str | None
    attempts: int
    merchantId: str
    merchantName: str
    mode: Mode
    explanation: Mapping[str, Any] | None


class EventDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[EventDocument]
    nextCursor: str | None


class EventTypeRecord(TypedDict):
    """A kind of message that subscribers get."""

    type: MessageType
    about: str
    forAffiliates: bool
    version: str
    schema: Mapping[str, Any]
    example: WebhookMessage


class EventTypeRecordPage(TypedDict):
    """A page of a list."""

    data: Sequence[EventTypeRecord]
    nextCursor: str | None


class ExchangeRate(TypedDict):
    """A rate: so many `quote` for one `base`."""

    setId: str
    base: str
    quote: str
    rate: str
    change: str | None
    source: str
    status: Literal["PROPOSED", "APPROVED", "DROPPED"]
    proposedBy: str
    proposedAt: str
    decidedBy: str | None
    decidedAt: str | None


class ExchangeRatePage(TypedDict):
    """A page of a list."""

    data: Sequence[ExchangeRate]
    nextCursor: str | None


class ExpireConnectionSecretBody(TypedDict):
    """The body of expireConnectionSecret."""

    after: NotRequired[str]


class ExpiredSecret(TypedDict):
    """A secret and the time at which it ends."""

    id: str
    secretId: str
    expiresAt: str


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


class FeeDocument(TypedDict):
    """A merchant's fee in percent, since when it holds, and who set it."""

    merchantId: str
    percentage: str
    since: str
    setBy: str


class FeeDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[FeeDocument]
    nextCursor: str | None


class FetchDocument(TypedDict):
    """An order or product that a delivery only named; `continuesAt` is null if it was given up."""

    kind: str
    id: str
    deliveries: int
    attempts: int
    reason: str | None
    continuesAt: str | None
    since: str


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


class FiguresOfPage(TypedDict):
    """A page of a list."""

    data: Sequence[FiguresOf]
    nextCursor: str | None


class FileDocument(TypedDict):
    """A file that pays, as it is kept."""

    id: str
    payoutId: str
    format: Literal["sepa", "pain001", "ach", "bacs", "paypal", "wise", "stripe", "csv"]
    messageId: str
    sha256: str
    payments: int
    writtenBy: str
    writtenAt: str
    withdrawnBy: str | None
    withdrawnAt: str | None


class FileDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[FileDocument]
    nextCursor: str | None


class GiveCredentialsBody(TypedDict):
    """The body of giveCredentials."""

    values: Mapping[str, Any]
    days: NotRequired[int]


class GivenCredentials(TypedDict):
    """Credentials that the platform took: whose they are, and what begins now."""

    id: str
    shop: str
    currency: str
    missingPermissions: Sequence[str]
    webhooksMade: Sequence[str]
    webhookFault: str | None
    reads: Sequence[str]


class GrantRoleBody(TypedDict):
    """The body of grantRole."""

    role: Literal["operator", "operator-admin", "merchant", "affiliate"]
    merchantId: NotRequired[str]
    affiliateId: NotRequired[str]
    level: NotRequired[Literal["owner", "viewer"]]


class HealthDocument(TypedDict):
    """The health of the whole hub; `disk` is null where the volume is not the hub's to see, `audit` without a run."""

    version: str
    commit: str
    python: str
    database: str
    schemaVersion: int
    waiting: int
    oldestWaitingSeconds: float
    stuck: StuckDocument
    nodes: Sequence[NodeDocument]
    timers: Sequence[TimerDocument]
    disk: DiskDocument | None
    audit: AuditRunDocument | None
    troubles: Sequence[str]
    troublesNow: Sequence[TroubleDocument]


class HoldDocument(TypedDict):
    """A hold of an affiliate's payments."""

    affiliateId: str
    reason: str
    setBy: str
    setAt: str
    until: str | None


class HoldPaymentsBody(TypedDict):
    """The body of holdPayments."""

    reason: str
    until: NotRequired[str]


class HookDocument(TypedDict):
    """A webhook as the platform last listed it; one with several topics is there once for each."""

    id: str
    topic: str
    alive: bool


class InvitationDocument(TypedDict):
    """An invitation; `url` is its link if the hub did not mail it, `userId` null if the guest is still to register."""

    userId: str | None
    email: str
    mailed: bool
    url: str | None
    expiresAt: str | None


class InviteUserBody(TypedDict):
    """The body of inviteUser."""

    email: str
    role: Literal["operator", "operator-admin", "merchant", "affiliate"]
    merchantId: NotRequired[str]
    affiliateId: NotRequired[str]
    level: NotRequired[Literal["owner", "viewer"]]
    name: NotRequired[str]


class IssuedKeyDocument(TypedDict):
    """A key that was just issued, with the secret that is never shown again."""

    keyId: str
    signingSecret: str
    mode: Mode
    merchantId: str
    allowedIps: Sequence[str]
    expiresAt: str | None
    createdAt: str
    signatureVersion: int
    name: str | None


class IssuerDocument(TypedDict):
    """A legal entity that bills merchants."""

    code: str
    name: str
    address: str
    country: str
    vatNumber: str
    vatRate: str
    payTo: str
    iban: str
    nextNumber: str
    setBy: str
    setAt: str


class IssuerDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[IssuerDocument]
    nextCursor: str | None


class ItemDocument(TypedDict):
    """What a run pays an affiliate in one currency.

    Amounts are decimal text, `commissions` and `adjustments` counts.
    """

    affiliateId: str
    affiliateName: str | None
    currency: str
    amount: str
    commissions: int
    adjustments: int
    adjustmentsAmount: str
    carried: bool
    carriedReason: str | None
    status: str
    reference: str | None
    returnedReason: str | None
    fileId: str | None
    question: str | None
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None


class KeptConnection(TypedDict):
    """A connection and how many requests to erase it were revoked."""

    id: str
    revoked: int


class KeptWebhooks(TypedDict):
    """The webhooks after they were looked at: the topics made or woken, and those whose dead ones were deleted."""

    webhooks: Sequence[HookDocument]
    made: Sequence[str]
    deleted: Sequence[str]


class KeyDocument(TypedDict):
    """A key without its secret."""

    keyId: str
    mode: Mode
    merchantId: str
    allowedIps: Sequence[str]
    expiresAt: str | None
    revokedAt: str | None
    createdAt: str
    signatureVersion: int
    name: str | None


class KeyDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[KeyDocument]
    nextCursor: str | None


class LastLook(TypedDict):
    """The setting of a connection: ask, or off."""

    id: str
    lastLook: str


class LineDocument(TypedDict):
    """A commission or a correction in a run."""

    id: str
    affiliateId: str
    merchantId: str
    merchantName: str
    externalOrderId: str | None
    amount: str
    currency: str
    reason: str | None
    status: str


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


class LinkRecordPage(TypedDict):
    """A page of a list."""

    data: Sequence[LinkRecord]
    nextCursor: str | None


class ListedAdjustment(TypedDict):
    """A correction with the mode of its account and the name of its affiliate."""

    id: str
    accountId: str
    affiliateId: str
    kind: str
    amount: str
    currency: str
    reason: str
    externalOrderId: str | None
    commissionId: str | None
    paidReference: str | None
    payoutId: str | None
    status: str
    createdBy: str
    createdAt: str
    decidedBy: str | None
    decidedAt: str | None
    mode: str
    affiliateName: str | None


class ListedAdjustmentPage(TypedDict):
    """A page of a list."""

    data: Sequence[ListedAdjustment]
    nextCursor: str | None


class ListedAffiliate(TypedDict):
    """An affiliate in a list."""

    id: str
    name: str
    email: str
    status: AffiliateStatus
    channels: str | None
    createdAt: str


class ListedAffiliatePage(TypedDict):
    """A page of a list."""

    data: Sequence[ListedAffiliate]
    nextCursor: str | None


class ListedCampaign(TypedDict):
    """A campaign in a list; `status` is the one in effect."""

    id: str
    code: str
    title: str
    status: CampaignStatus
    approvalStatus: ApprovalStatus
    listed: bool
    joining: Literal["OPEN", "BY_APPROVAL"]
    merchantId: str
    merchantName: str
    mode: Mode


class ListedCampaignPage(TypedDict):
    """A page of a list."""

    data: Sequence[ListedCampaign]
    nextCursor: str | None


class ListedCommission(TypedDict):
    """A commission in a list, with the account that owes it."""

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


class ListedCommissionPage(TypedDict):
    """A page of a list."""

    data: Sequence[ListedCommission]
    nextCursor: str | None


class ListedMerchant(TypedDict):
    """A merchant in a list."""

    id: str
    name: str
    email: str
    domains: Sequence[str]
    status: Literal["PENDING", "IN_REVIEW", "APPROVED", "REJECTED", "SUSPENDED", "CLOSED"]
    liveAccess: LiveAccess | None
    createdAt: str


class ListedMerchantPage(TypedDict):
    """A page of a list."""

    data: Sequence[ListedMerchant]
    nextCursor: str | None


class MailDocument(TypedDict):
    """A mail, without its link."""

    id: str
    to: str
    template: str
    status: Literal["WAITING", "SENT", "GIVEN_UP"]
    attempts: int
    createdAt: str
    dueAt: str | None
    finishedAt: str | None
    fault: str | None


class MailDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[MailDocument]
    nextCursor: str | None


class MembershipDocument(TypedDict):
    """An affiliate's membership in a campaign; without a rate of its own (`commissionType`) the campaign's counts."""

    campaignId: str
    campaignCode: str
    campaignTitle: str
    merchantId: str
    merchantName: str
    mode: Mode
    affiliateId: str
    affiliateName: str
    affiliateEmail: str
    status: MembershipStatus
    commissionType: CommissionType | None
    commissionValue: str | None
    message: str | None
    reason: str | None
    appliedAt: str
    decidedAt: str | None
    channels: str | None


class MembershipDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[MembershipDocument]
    nextCursor: str | None


class MerchantDocument(TypedDict):
    """A merchant; `status` is CLOSED once it is closed, and `statusReason` is what the operator gave for the status."""

    id: str
    status: Literal["PENDING", "IN_REVIEW", "APPROVED", "REJECTED", "SUSPENDED", "CLOSED"]
    name: str
    email: str
    domains: Sequence[str]
    currency: str
    commissionType: CommissionType | None
    commissionValue: str | None
    holdMs: int | None
    accounts: AccountIds
    liveAccess: LiveAccess | None
    createdAt: str
    updatedAt: str
    statusReason: str | None
    closedAt: str | None


class MerchantStatement(TypedDict):
    """A merchant's month; the month is one of the books, in their time zone."""

    merchantId: str
    mode: Mode
    mark: str | None
    month: str
    rounding: str
    billed: BilledWhen
    owed: Sequence[OwedDocument]


class MessageDocument(TypedDict):
    """A message; `author` is 'affiliate', 'merchant' or 'operator', `readAt` when the other side first saw it."""

    id: str
    author: Literal["affiliate", "merchant", "operator"]
    text: str
    writtenAt: str
    readAt: str | None


class MessageDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[MessageDocument]
    nextCursor: str | None


class NodeDocument(TypedDict):
    """A process that serves or served; `clockJumpSeconds` is 0 if its clock is trusted."""

    nodeId: str
    serves: bool
    startedAt: str
    seenAt: str
    masterKeys: Sequence[str]
    clockJumpSeconds: float


class NodeDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[NodeDocument]
    nextCursor: str | None


class NoteReceiptBody(TypedDict):
    """The body of noteReceipt."""

    invoice: int
    reference: str
    amount: str
    bookedOn: NotRequired[str]


class OrderReviewDocument(TypedDict):
    """A question about an order; `details` are what the shop states otherwise, if that is the question."""

    conversionId: str
    externalOrderId: str
    merchantId: str
    mode: Mode
    reason: str
    details: Mapping[str, Any]
    eventId: str
    openedAt: str
    closedAt: str | None
    note: str | None


class OrderReviewDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[OrderReviewDocument]
    nextCursor: str | None


class OwedDocument(TypedDict):
    """What a merchant owes for a month in one currency: commissions paid, corrections, and the network's fee."""

    currency: Currency
    commissions: MoneySum
    payments: int
    corrections: MoneySum
    fee: MoneySum
    deposit: MoneySum
    total: MoneySum


class PaidInvoice(TypedDict):
    """How much of an invoice is paid, as decimal text in its currency; negative if a credit note is used up."""

    invoice: int
    amount: str
    currency: str


class PartyDocument(TypedDict):
    """One side of an invoice in parts, each empty if it is not known; `country` is two letters (ISO 3166)."""

    name: str
    address: str
    country: str
    vatNumber: str
    vatProof: str


class PayCommissionBody(TypedDict):
    """The body of payCommission."""

    reference: str


class PayeeDocument(TypedDict):
    """A payee as it is shown: of an IBAN only the last digits."""

    affiliateId: str
    legalName: str
    street: str
    postalCode: str
    city: str
    country: str
    method: str
    account: str
    taxId: str | None
    business: bool
    selfBilling: bool
    changedAt: str
    waits: bool


class PayeeLines(TypedDict):
    """Who the statement is for, as the payee was when an invoice was issued, else as it is now."""

    name: str
    address: Sequence[str]
    taxId: str | None


class PayoutDocument(TypedDict):
    """A commission with its payout; `amount` and `base` are decimal text in `currency`."""

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


class PayoutTerms(TypedDict):
    """What an affiliate chose: `minimum` like 25 or EUR:25, empty: the network's alone.

    No `currencies`: all of them.
    """

    affiliateId: str
    minimum: str
    currencies: Sequence[str]
    waits: bool
    paidIn: str
    setBy: str | None
    setAt: str | None


class PlatformDocument(TypedDict):
    """What a connection's platform is asked with, and what came of it."""

    id: str
    canAsk: bool
    hasCredentials: bool
    fields: Sequence[CredentialField]
    consent: str | None
    consentReady: bool
    consentFields: Sequence[CredentialField]
    consentFault: str | None
    consentFaultSince: str | None
    readsOrders: bool
    readsProducts: bool
    readsEvery: int
    checkedAt: str | None
    fault: str | None
    faultSince: str | None
    certainUntil: str | None
    nextAt: str | None
    webhooks: Sequence[HookDocument]
    webhooksWanted: Sequence[str]
    webhooksAt: str | None
    lastLook: str | None
    reads: Sequence[ReadDocument]
    fetches: Sequence[FetchDocument]


class PolicyDocument(TypedDict):
    """A campaign's policy; `sentence` is what affiliates read of it, `rule` CLICK, COUPON or COUPON_WITHOUT_CLICK."""

    campaignId: str
    campaignCode: str
    rule: str
    newCustomersOnly: bool
    excludedCoupons: Sequence[str]
    excludedProducts: Sequence[str]
    excludedSubAffiliates: Sequence[str]
    flagsVisitors: bool
    renewals: str
    renewalTimes: int
    customerDays: int
    sentence: str


class PreviewDocument(TypedDict):
    """A rate that was tried: how many orders were priced and how many would change, in all and by whom and what."""

    target: str
    commission: str
    days: int
    priced: int
    changed: int
    totals: Sequence[Changed]
    affiliates: Sequence[ChangedBy]
    products: Sequence[ChangedBy]
    orders: Sequence[ChangedBy]


class PreviewPayoutBody(TypedDict):
    """The body of previewPayout."""

    mode: Mode
    before: NotRequired[str]
    currency: NotRequired[str]
    minimum: NotRequired[str]
    after: NotRequired[str]
    afterItem: NotRequired[str]


class PreviewedRun(TypedDict):
    """A run that would be made, and the merchants of which it pays nothing, because they owe too much overdue."""

    id: str | None
    status: str
    mode: str
    mark: str | None
    currency: str | None
    cutoff: str
    createdBy: str | None
    createdAt: str | None
    releasedBy: str | None
    releasedAt: str | None
    minimum: str
    totals: Sequence[TotalDocument]
    items: Sequence[ItemDocument]
    nextItem: str | None
    lines: Sequence[LineDocument]
    nextLine: str | None
    lineCount: int
    stopped: Sequence[StoppedMerchant]


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


class ProductRecordPage(TypedDict):
    """A page of a list."""

    data: Sequence[ProductRecord]
    nextCursor: str | None


class ProfileDocument(TypedDict):
    """A merchant's profile.

    `fields` has what was filled in, `missing` the names of what an approval needs beside it.
    """

    merchantId: str
    name: str
    status: str
    fields: Mapping[str, Any]
    missing: Sequence[str]
    liveAccess: str | None
    liveAskedAt: str | None
    liveNote: str | None
    liveReason: str | None


class ProposeCloseBody(TypedDict):
    """The body of proposeClose."""

    month: str
    anyway: NotRequired[bool]


class ProposeExchangeRatesBody(TypedDict):
    """The body of proposeExchangeRates."""

    rates: str
    source: str


class ReadDocument(TypedDict):
    """A reading; `news` are the orders that it brought news of, `created` how many the hub did not know."""

    id: str
    kind: str
    status: str
    since: str
    pages: int
    items: int
    unknownOrders: int
    outcomes: Mapping[str, Any]
    news: Sequence[str]
    reason: str | None
    continuesAt: str | None
    createdAt: str
    finishedAt: str | None


class ReasonedFact(TypedDict):
    """Something that was reported of an order, whether it changed the commission, and the reason given with it."""

    status: str
    at: str
    receivedAt: str
    applied: bool
    skipReason: SkipReason | None
    eventId: str
    reason: str | None


class ReceiptDocument(TypedDict):
    """A merchant's payment; `amount` is decimal text in `currency`, negative if it was paid back to the merchant."""

    id: str
    source: Literal["statement", "by_hand", "set_off"]
    bookedOn: str
    amount: str
    currency: str
    left: str
    payer: str
    remittance: str
    status: Literal["OPEN", "MATCHED", "CLOSED"]
    question: ReceiptQuestion | None
    decision: str | None
    pays: Sequence[PaidInvoice]
    notedBy: str
    notedAt: str


class ReceiptDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[ReceiptDocument]
    nextCursor: str | None


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


class ReinstatePaymentBody(TypedDict):
    """The body of reinstatePayment."""

    affiliateId: str
    reason: str
    currency: NotRequired[str]


class RejectAdjustmentBody(TypedDict):
    """The body of rejectAdjustment."""

    note: NotRequired[str]


class RejectMerchantBody(TypedDict):
    """The body of rejectMerchant."""

    reason: NotRequired[str]


class ReplayDeliveriesBody(TypedDict):
    """The body of replayDeliveries."""

    messageId: NotRequired[str]
    since: NotRequired[str]


class Replayed(TypedDict):
    """How many messages are sent again."""

    replayed: int


class RequestDocument(TypedDict):
    """A request; `id` is its place in the log, `status` the HTTP status, `detail` what was wrong."""

    id: str
    at: str
    method: str
    path: str
    status: int
    errorCode: str | None
    requestId: str
    keyId: str | None
    client: str
    mode: Mode | None
    durationMs: float
    detail: Mapping[str, Any] | None


class RequestDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[RequestDocument]
    nextCursor: str | None


class RequireDepositBody(TypedDict):
    """The body of requireDeposit."""

    required: bool


class RequireSignaturesBody(TypedDict):
    """The body of requireSignatures."""

    mode: Mode
    required: bool


class Retried(TypedDict):
    """How many messages are tried now."""

    retried: int


class RetryDeliveriesBody(TypedDict):
    """The body of retryDeliveries."""

    messageId: NotRequired[str]


class ReturnPaymentBody(TypedDict):
    """The body of returnPayment."""

    affiliateId: str
    reason: str
    currency: NotRequired[str]


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


class RevokeRoleBody(TypedDict):
    """The body of revokeRole."""

    role: Literal["operator", "operator-admin", "merchant", "affiliate"]
    merchantId: NotRequired[str]
    affiliateId: NotRequired[str]
    level: NotRequired[Literal["owner", "viewer"]]


class RoleDocument(TypedDict):
    """What a user may see; `level` (owner or viewer) is a merchant's only."""

    role: str
    merchantId: str | None
    affiliateId: str | None
    level: str | None


class RotateKeyBody(TypedDict):
    """The body of rotateKey."""

    overlap: NotRequired[str]


class RotateSubscriptionSecretBody(TypedDict):
    """The body of rotateSubscriptionSecret."""

    overlap: NotRequired[str]


class RunDocument(TypedDict):
    """A run; `status` is PREVIEW or a word of `PayoutStatus` (hub/domain/words.py), `id` is null for a preview."""

    id: str | None
    status: str
    mode: str
    mark: str | None
    currency: str | None
    cutoff: str
    createdBy: str | None
    createdAt: str | None
    releasedBy: str | None
    releasedAt: str | None
    minimum: str
    totals: Sequence[TotalDocument]
    items: Sequence[ItemDocument]
    nextItem: str | None


class RunDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[RunDocument]
    nextCursor: str | None


class SampleQueued(TypedDict):
    """A test message that is on its way; what became of it is in the subscription's messages."""

    messageId: str
    type: str


class SecretDocument(TypedDict):
    """A secret of a connection, without the secret itself."""

    id: str
    createdAt: str
    expiresAt: str | None


class SelfBillToBody(TypedDict):
    """The body of selfBillTo."""

    issuer: str


class SelfBilledTo(TypedDict):
    """To whom an affiliate's self-billed invoices are; as `BilledBy` says it."""

    affiliateId: str
    issuer: str
    name: str | None


class SeparatedOrders(TypedDict):
    """The numbers under which other orders of one number count from now on, such as 576~2."""

    conversionId: str
    orders: Sequence[str]


class SetBillingBody(TypedDict):
    """The body of setBilling."""

    billed: BilledWhen


class SetBooksBody(TypedDict):
    """The body of setBooks."""

    timeZone: str


class SetCampaignPolicyBody(TypedDict):
    """The body of setCampaignPolicy."""

    rule: NotRequired[Literal["CLICK", "COUPON", "COUPON_WITHOUT_CLICK"]]
    newCustomersOnly: NotRequired[bool]
    excludedCoupons: NotRequired[Sequence[str]]
    excludedProducts: NotRequired[Sequence[str]]
    excludedSubAffiliates: NotRequired[Sequence[str]]
    flagsVisitors: NotRequired[bool]
    renewals: NotRequired[Literal["WITHIN_WINDOW", "NEVER", "TIMES", "ALWAYS"]]
    renewalTimes: NotRequired[int]
    customerDays: NotRequired[int]


class SetConnectionSiteBody(TypedDict):
    """The body of setConnectionSite."""

    site: NotRequired[str]


class SetFeeBody(TypedDict):
    """The body of setFee."""

    percentage: str


class SetIssuerBody(TypedDict):
    """The body of setIssuer."""

    code: str
    name: str
    address: str
    country: str
    vatNumber: NotRequired[str]
    vatRate: NotRequired[str]
    payTo: NotRequired[str]
    iban: NotRequired[str]


class SetLastLookBody(TypedDict):
    """The body of setLastLook."""

    look: Literal["ask", "off"]


class SetMemberRateBody(TypedDict):
    """The body of setMemberRate."""

    rate: str


class SetOffBody(TypedDict):
    """The body of setOff."""

    credit: int
    invoice: int


class SetPayeeBody(TypedDict):
    """The body of setPayee."""

    legalName: str
    street: str
    postalCode: str
    city: str
    country: str
    method: Literal["iban", "ach", "bacs", "paypal", "wise", "stripe"]
    account: str
    bankCode: NotRequired[str]
    accountType: NotRequired[Literal["checking", "savings"]]
    bic: NotRequired[str]
    taxId: NotRequired[str]
    business: NotRequired[bool]
    selfBilling: NotRequired[bool]


class SetPayoutTermsBody(TypedDict):
    """The body of setPayoutTerms."""

    minimum: NotRequired[str]
    currencies: NotRequired[str]
    paidIn: NotRequired[str]
    waits: NotRequired[bool]


class SetTaxDetailsBody(TypedDict):
    """The body of setTaxDetails."""

    birthDate: NotRequired[str]
    registrationNumber: NotRequired[str]
    tin: NotRequired[str]
    tinCountry: NotRequired[str]
    accountHolder: NotRequired[str]


class SettingDocument(TypedDict):
    """A setting as it is in force; a secret's value is not shown."""

    path: str
    value: str
    origin: str
    meaning: str


class SettingDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[SettingDocument]
    nextCursor: str | None


class SettlePayoutBody(TypedDict):
    """The body of settlePayout."""

    reference: str
    fileId: NotRequired[str]
    affiliateId: NotRequired[str]
    currency: NotRequired[str]


class SettlementDocument(TypedDict):
    """A run after what the bank said: how many payments arrived, came back, are under way, and are questions."""

    id: str | None
    status: str
    mode: str
    mark: str | None
    currency: str | None
    cutoff: str
    createdBy: str | None
    createdAt: str | None
    releasedBy: str | None
    releasedAt: str | None
    minimum: str
    totals: Sequence[TotalDocument]
    items: Sequence[ItemDocument]
    nextItem: str | None
    settled: int
    returned: int
    pending: int
    questions: int


class SharedAccount(TypedDict):
    """An account that several affiliates are paid to; of `account` only the last digits."""

    method: str
    account: str
    affiliateIds: Sequence[str]


class SharedAccountPage(TypedDict):
    """A page of a list."""

    data: Sequence[SharedAccount]
    nextCursor: str | None


class ShownEvent(TypedDict):
    """An event with what was submitted beside its facts: null if nothing was, or once the body is deleted."""

    eventId: str
    type: EventType
    kind: WebhookKind | None
    status: EventStatus
    receivedAt: str
    processedAt: str | None
    attempts: int
    conversionId: str | None
    connectionId: str | None
    topic: str | None
    externalEventId: str | None
    externalOrderId: str | None
    dueAt: str | None
    merchantId: str
    merchantName: str
    mode: Mode
    explanation: Mapping[str, Any] | None
    reason: str | None
    metadata: Mapping[str, Any] | None


class ShownInvoice(TypedDict):
    """An invoice with what became of it."""

    number: int
    merchantId: str
    billedTo: Sequence[str]
    month: str
    currency: str
    commissions: str
    payments: int
    corrections: str
    fee: str
    deposit: str
    total: str
    issuedAt: str
    issuedBy: str
    timeZone: str
    issuer: Sequence[str]
    net: str
    vatKind: Literal["none", "domestic", "reverse_charge", "outside"]
    vatRate: str
    vat: str
    vatNote: str
    corrects: Sequence[int]
    payTo: str
    dueAt: str
    paymentReference: str
    issuerDetails: PartyDocument
    billedToDetails: PartyDocument
    invoiceNumber: str
    issuerCode: str
    corrected: Sequence[str]
    billed: BilledWhen
    state: Literal["open", "overdue", "paid", "credit"]
    paid: str
    left: str
    paidOn: str | None
    overdueSince: str | None
    reminders: int
    remindedAt: str | None


class ShownInvoicePage(TypedDict):
    """A page of a list."""

    data: Sequence[ShownInvoice]
    nextCursor: str | None


class ShownRun(TypedDict):
    """A run with a page of its lines; `nextLine` is what the next page is asked for by, null if there is none."""

    id: str | None
    status: str
    mode: str
    mark: str | None
    currency: str | None
    cutoff: str
    createdBy: str | None
    createdAt: str | None
    releasedBy: str | None
    releasedAt: str | None
    minimum: str
    totals: Sequence[TotalDocument]
    items: Sequence[ItemDocument]
    nextItem: str | None
    lines: Sequence[LineDocument]
    nextLine: str | None


class SignaturesDocument(TypedDict):
    """In which modes of a merchant only signed requests count, and tokens do not."""

    merchantId: str
    test: bool
    live: bool


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


class StartReadingBody(TypedDict):
    """The body of startReading."""

    kind: NotRequired[Literal["RECONCILIATION", "CATALOGUE"]]
    since: NotRequired[str]


class StatementDocument(TypedDict):
    """What a run paid an affiliate, and for what; `mark` is 'TEST' for a run of test accounts."""

    payoutId: str
    mark: str | None
    status: str
    affiliateId: str
    affiliateName: str
    payee: PayeeLines | None
    createdAt: str
    releasedAt: str | None
    issuer: str
    rounding: str
    parts: Sequence[StatementPart]


class StatementPart(TypedDict):
    """An affiliate's account in one currency; amounts are decimal text, `invoice` the number of a self-billed one."""

    invoice: int | None
    invoiceAmount: str | None
    corrects: Sequence[int]
    invoiceNumber: str | None
    corrected: Sequence[str]
    invoiceTo: Sequence[str]
    vatNote: str
    currency: str
    balanceBefore: str
    commissions: str
    adjustments: str
    paid: str
    balanceAfter: str
    status: str
    reference: str | None
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None
    lines: Sequence[LineDocument]


class StoppedMerchant(TypedDict):
    """A merchant whose commissions a run leaves out: what it owes overdue, as decimal text, and the limit of that."""

    merchantId: str
    merchantName: str
    currency: str
    overdue: str
    limit: str


class StuckDocument(TypedDict):
    """How many messages could not be used, each at most 1,001: then there are more than a thousand."""

    failed: int
    unmatched: int
    parked: int


class SubscriptionDocument(TypedDict):
    """A subscription; `waiting` counts its messages that were not delivered yet, up to 10,000."""

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


class SubscriptionDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[SubscriptionDocument]
    nextCursor: str | None


class SuspendMerchantBody(TypedDict):
    """The body of suspendMerchant."""

    reason: NotRequired[str]


class TakeReceiptBackBody(TypedDict):
    """The body of takeReceiptBack."""

    reason: str


class TaxDocument(TypedDict):
    """An affiliate's details for tax reports, each null if it is not known; `missing` is what a report lacks."""

    affiliateId: str
    collected: bool
    birthDate: str | None
    registrationNumber: str | None
    tin: str | None
    tinCountry: str | None
    accountHolder: str | None
    changedAt: str | None
    missing: Sequence[Literal["payee", "birth_date", "registration_number", "tin", "tin_country"]]


class TestSubscriptionBody(TypedDict):
    """The body of testSubscription."""

    type: NotRequired[MessageType]


class TimerDocument(TypedDict):
    """A job that runs by the clock, and the node that has it; on SQLite one process has all of them."""

    name: str
    owner: str
    until: str
    isHeld: bool


class TokenDocument(TypedDict):
    """A token without its secret; without `userId` nobody's roles bound it."""

    id: str
    name: str
    scopes: Sequence[str]
    affiliateId: str | None
    merchantId: str | None
    mode: Mode | None
    userId: str | None
    allowedIps: Sequence[str]
    expiresAt: str | None
    revokedAt: str | None
    lastUsedAt: str | None
    lastAddress: str | None
    createdAt: str


class TokenDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[TokenDocument]
    nextCursor: str | None


class TotalDocument(TypedDict):
    """What a run pays in one currency, the one that is sent, by how many payments."""

    currency: str
    amount: str
    payments: int


class TroubleDocument(TypedDict):
    """A trouble as it is shown: `object` is what it is about, null for the hub.

    `runbook` a section of the documents.
    """

    kind: Literal[
        "nobody_serves",
        "backlog",
        "disk_short",
        "pool_exhausted",
        "clock_jumped",
        "timers_late",
        "audit_violated",
        "mail_failing",
        "messages_failed",
        "mail_given_up",
        "receivers_failing",
        "plugin_set_aside",
        "certificate_ending",
        "keys_ending",
        "platform_refuses",
        "store_silent",
        "uploads_stuck",
        "replica_behind",
        "audit_old",
        "backup_old",
    ]
    sentence: str
    object: str | None
    since: str | None
    isUrgent: bool
    command: str
    page: str | None
    runbook: str


class UpdateAffiliateBody(TypedDict):
    """The body of updateAffiliate."""

    name: NotRequired[str]
    email: NotRequired[str]
    added: NotRequired[Sequence[str]]
    removed: NotRequired[Sequence[str]]
    channels: NotRequired[str]


class UpdateCampaignBody(TypedDict):
    """The body of updateCampaign."""

    fields: NotRequired[Mapping[str, Any]]
    hold: NotRequired[str]
    listed: NotRequired[bool]
    joining: NotRequired[Literal["OPEN", "BY_APPROVAL"]]


class UpdateKeyBody(TypedDict):
    """The body of updateKey."""

    allowedIps: NotRequired[Sequence[str]]
    expiresIn: NotRequired[str]
    name: NotRequired[str]


class UpdateMerchantBody(TypedDict):
    """The body of updateMerchant."""

    name: NotRequired[str]
    email: NotRequired[str]
    domains: NotRequired[Sequence[str]]
    added: NotRequired[Sequence[str]]
    removed: NotRequired[Sequence[str]]
    commission: NotRequired[str]
    hold: NotRequired[str]


class UpdateMerchantProfileBody(TypedDict):
    """The body of updateMerchantProfile."""

    fields: Mapping[str, Any]


class UpdateSubscriptionBody(TypedDict):
    """The body of updateSubscription."""

    url: NotRequired[str]
    events: NotRequired[Sequence[str]]
    description: NotRequired[str]
    payloadVersion: NotRequired[str]


class UploadDocument(TypedDict):
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


class UploadDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[UploadDocument]
    nextCursor: str | None


class UserDocument(TypedDict):
    """A user; `status` is ACTIVE or DISABLED."""

    id: str
    email: str
    name: str
    status: str
    roles: Sequence[RoleDocument]
    hasPassword: bool
    linkAskedAt: str | None
    createdAt: str


class UserDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[UserDocument]
    nextCursor: str | None


class VatStanding(TypedDict):
    """A party's VAT number, and what VIES says of it; null is what is not known."""

    partyId: str
    number: str | None
    vatKind: Literal["none", "domestic", "reverse_charge", "outside"]
    asks: bool
    outcome: VatOutcome | None
    checkedAt: str | None
    consultationNumber: str | None
    askedAt: str | None
    fault: str | None
    warning: str | None


class VersionDocument(TypedDict):
    """A change of a rate: `before` and `after` are like 'PERCENTAGE:8', null for none; it counts from `since` on."""

    id: str
    since: str
    before: str | None
    after: str | None
    changedBy: str


class VersionDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[VersionDocument]
    nextCursor: str | None


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


class WithdrawDepositBody(TypedDict):
    """The body of withdrawDeposit."""

    amount: str
    currency: str
    reference: str


class WriteMessageBody(TypedDict):
    """The body of writeMessage."""

    text: str


class WriteOffDebtBody(TypedDict):
    """The body of writeOffDebt."""

    currency: str
    reason: str
    amount: NotRequired[str]


WebhookMessage = (
    CommissionNewsMessage
    | DepositNewsMessage
    | PayoutNewsMessage
    | RecoveredConnectionMessage
    | RefusedConnectionMessage
    | ReviewNewsMessage
    | SilentConnectionMessage
)
