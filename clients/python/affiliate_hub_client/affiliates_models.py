"""The types of bodies and answers. Generated from the hub's OpenAPI document: `python -m clients.generator`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

AffiliateStatus = Literal["ACTIVE", "INACTIVE"]
AwaitedStep = Literal["REVIEW", "ORDER_STATUS", "HOLD_END", "PLATFORM", "DEPOSIT", "PAYOUT"]
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
Currency = str
DeliveryStatus = Literal["WAITING", "DELIVERED", "GIVEN_UP"]
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
ReviewState = Literal["OPEN", "ATTRIBUTED", "DISMISSED"]
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
VolumeMeasure = Literal["ORDERS", "AMOUNT"]
VolumePeriod = Literal["MONTH", "EVER"]
VolumeStanding = Literal["OPEN", "COUNTED", "LEFT_OUT"]


class AffiliateDocument(TypedDict):
    """An affiliate; `status` is ACTIVE or INACTIVE."""

    id: str
    name: str
    email: str
    status: AffiliateStatus
    coupons: Sequence[str]
    channels: str | None
    createdAt: str


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


class ChangeDocument(TypedDict):
    """A record that changed, as it is now, with the account that it is of; without a record it is gone."""

    type: ChangeType
    id: str
    merchantId: str
    mode: Mode
    changedAt: str
    deleted: bool
    record: Mapping[str, Any] | None


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


class CreateLinkBody(TypedDict):
    """The body of createLink."""

    campaignId: str
    destination: NotRequired[str]
    name: NotRequired[str]
    subIds: NotRequired[Mapping[str, Any]]


class CreateSubscriptionBody(TypedDict):
    """The body of createSubscription."""

    url: str
    events: Sequence[str]
    description: NotRequired[str]
    mode: NotRequired[Mode]
    paused: NotRequired[bool]
    payloadVersion: NotRequired[str]


class CreatedSubscription(TypedDict):
    """A subscription that was just created, and the secret that signs its messages; null for a postback."""

    id: str
    secret: str | None
    payloadVersion: str


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


class JoinCampaignBody(TypedDict):
    """The body of joinCampaign."""

    message: NotRequired[str]


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


class NextPayout(TypedDict):
    """The next pay date of one currency, for one affiliate."""

    currency: str | None
    payDate: str
    payableBefore: str
    payable: str | None
    due: str | None
    minimum: str | None
    missing: Sequence[
        Literal[
            "nothing_due",
            "negative",
            "below_minimum",
            "below_own_minimum",
            "own_wait",
            "own_currency",
            "on_hold",
            "no_payee",
            "payee_waits",
            "no_method",
            "no_rate",
            "merchant_overdue",
        ]
    ]
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None


class NextPayoutPage(TypedDict):
    """A page of a list."""

    data: Sequence[NextPayout]
    nextCursor: str | None


class OfferDocument(TypedDict):
    """A campaign with what it pays; `membership` is your own, null if you take no part."""

    id: str
    code: str
    title: str
    description: str | None
    terms: str | None
    merchantId: str
    merchantName: str
    mode: Mode
    domains: Sequence[str]
    currency: str
    commissionType: CommissionType
    commissionValue: str
    newCustomerCommissionType: CommissionType | None
    newCustomerCommissionValue: str | None
    volumeRates: VolumeRates | None
    windowMs: int
    holdMs: int
    status: CampaignStatus
    byApproval: bool
    whoEarns: str
    membership: MembershipStatus | None
    reason: str | None


class OfferDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[OfferDocument]
    nextCursor: str | None


class OwnCommissionDocument(TypedDict):
    """A commission of yours; `amount` is decimal text in `currency`."""

    id: str
    state: str
    amount: str
    currency: str
    holdUntil: str | None
    externalOrderId: str
    orderedAt: str
    merchantId: str
    merchantName: str
    campaignTitle: str | None
    linkCode: str | None
    subIds: Mapping[str, Any]


class OwnCommissionDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[OwnCommissionDocument]
    nextCursor: str | None


class OwnCorrection(TypedDict):
    """What your balance changed by for the order after the payment."""

    amount: MoneySum
    payoutId: str | None
    createdAt: str


class OwnLinkDocument(TypedDict):
    """A tracking link of yours; `stopped` says in words why it earns nothing, null if it earns."""

    code: str
    destination: str
    merchantId: str
    merchantName: str
    campaignId: str | None
    campaignTitle: str | None
    name: str | None
    subIds: Mapping[str, Any]
    createdAt: str
    disabledAt: str | None
    stopped: str | None


class OwnLinkDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[OwnLinkDocument]
    nextCursor: str | None


class OwnOrder(TypedDict):
    """A commission of yours with the order that it is for, what was reported of that, and what it waits for."""

    id: str
    conversionId: str
    externalOrderId: str
    orderAmount: Money
    currency: Currency
    orderedAt: str
    merchantId: str
    merchantName: str
    mode: Mode
    campaignId: str | None
    review: ReviewState | None
    awaits: AwaitedStep | None
    commission: CommissionOfOrder
    facts: Sequence[ReasonedFact]
    corrections: Sequence[OwnCorrection]
    volume: VolumeOfOrder | None
    linkCode: str | None
    clickedAt: str | None
    subIds: Mapping[str, Any]
    updatedAt: str


class OwnPayout(TypedDict):
    """What a run pays an affiliate in one currency; `amount` is decimal text, `carriedReason` why it waits instead."""

    payoutId: str
    releasedAt: str
    currency: str
    amount: str
    status: str
    carriedReason: str | None
    reference: str | None
    returnedReason: str | None
    sentCurrency: str | None
    sentAmount: str | None
    exchangeRate: str | None


class OwnPayoutPage(TypedDict):
    """A page of a list."""

    data: Sequence[OwnPayout]
    nextCursor: str | None


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


class RenameLinkBody(TypedDict):
    """The body of renameLink."""

    name: NotRequired[str]


class ReplayDeliveriesBody(TypedDict):
    """The body of replayDeliveries."""

    messageId: NotRequired[str]
    since: NotRequired[str]


class Replayed(TypedDict):
    """How many messages are sent again."""

    replayed: int


class ReportLine(TypedDict):
    """A line of a report: `key` names the day, the campaign, the link or the sub-id; `earned` is money by currency."""

    key: str
    name: str
    clicks: int
    orders: int
    rejected: int
    earned: Mapping[str, Any]


class ReportLinePage(TypedDict):
    """A page of a list."""

    data: Sequence[ReportLine]
    nextCursor: str | None


class Retried(TypedDict):
    """How many messages are tried now."""

    retried: int


class RetryDeliveriesBody(TypedDict):
    """The body of retryDeliveries."""

    messageId: NotRequired[str]


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


class RotateSubscriptionSecretBody(TypedDict):
    """The body of rotateSubscriptionSecret."""

    overlap: NotRequired[str]


class SampleQueued(TypedDict):
    """A test message that is on its way; what became of it is in the subscription's messages."""

    messageId: str
    type: str


class SetPayoutTermsBody(TypedDict):
    """The body of setPayoutTerms."""

    minimum: NotRequired[str]
    currencies: NotRequired[str]
    paidIn: NotRequired[str]
    waits: NotRequired[bool]


class ShortLink(TypedDict):
    """A short address of a link."""

    code: str
    short: str
    url: str


class ShortenLinkBody(TypedDict):
    """The body of shortenLink."""

    short: str


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


class TestSubscriptionBody(TypedDict):
    """The body of testSubscription."""

    type: NotRequired[MessageType]


class ThreadDocument(TypedDict):
    """An order that somebody wrote about, and how many messages were not seen yet."""

    conversionId: str
    commissionId: str
    externalOrderId: str
    merchantId: str
    merchantName: str
    affiliateId: str
    affiliateName: str
    mode: Mode
    messages: int
    unread: int
    unreadByMerchant: int
    lastAt: str


class ThreadDocumentPage(TypedDict):
    """A page of a list."""

    data: Sequence[ThreadDocument]
    nextCursor: str | None


class UpdateSubscriptionBody(TypedDict):
    """The body of updateSubscription."""

    url: NotRequired[str]
    events: NotRequired[Sequence[str]]
    description: NotRequired[str]
    payloadVersion: NotRequired[str]


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


class WriteMessageBody(TypedDict):
    """The body of writeMessage."""

    text: str


WebhookMessage = (
    CommissionNewsMessage
    | DepositNewsMessage
    | PayoutNewsMessage
    | RecoveredConnectionMessage
    | RefusedConnectionMessage
    | ReviewNewsMessage
    | SilentConnectionMessage
)
