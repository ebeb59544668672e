"""The closed sets of words: each is written here once, and whatever offers or checks its words takes them from here.

The schema's CHECKs are compared with these sets by a test, and so is every table of the words that people read
(tests/test_words.py). What a word *does* is decided by `match` with
`assert_never`, so that the type checker names each place that a new word has to be thought about in.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Mode = Literal["test", "live"]
"""Which of a merchant's two accounts."""
Role = Literal["operator", "operator-admin", "merchant", "affiliate"]
Level = Literal["owner", "viewer"]
"""What a merchant's person may do."""
IntroductionMeans = Literal["account", "link", "role", "factors", "address"]
"""How somebody let a person in: by what they made for them, gave them or took from them."""
Channel = Literal["cli", "page", "api"]
"""Where an act came from."""
ActorKind = Literal["user", "system"]
Side = Literal["affiliate", "merchant", "operator"]
"""Who writes in a conversation about an order."""

MerchantStatus = Literal["PENDING", "IN_REVIEW", "APPROVED", "REJECTED", "SUSPENDED"]
AffiliateStatus = Literal["ACTIVE", "INACTIVE"]
UserStatus = Literal["ACTIVE", "DISABLED"]
LiveAccess = Literal["ASKED", "GRANTED", "REFUSED"]
"""Whether a merchant may use its live account itself."""
PartyKind = Literal["merchant", "affiliate"]
"""Whom the hub brings together, and as what somebody registers."""
ShopPlatform = Literal[
    "shopify", "woocommerce", "bigcommerce", "prestashop", "shopware", "stripe", "squarespace", "wix", "magento", "code"
]
"""What a merchant's shop runs on; code is a shop that calls the API itself."""
Theme = Literal["light", "dark"]
NoticeMail = Literal["AT_ONCE", "DAILY", "OFF"]
"""How somebody gets a kind of notices by mail."""
ProductStatus = Literal["ACTIVE", "INACTIVE", "OUT_OF_STOCK", "ARCHIVED"]
CampaignStatus = Literal["DRAFT", "ACTIVE", "PAUSED", "EXPIRED", "ARCHIVED"]
"""A campaign's status as it is shown; EXPIRED comes with time and is never stored."""
StoredCampaignStatus = Literal["DRAFT", "ACTIVE", "PAUSED", "ARCHIVED"]
ApprovalStatus = Literal["NOT_REQUIRED", "PENDING", "APPROVED", "REJECTED"]
Joining = Literal["OPEN", "BY_APPROVAL"]
MembershipStatus = Literal["APPLIED", "APPROVED", "REJECTED", "REMOVED"]
Acceptance = Literal["AT_ONCE", "AFTER_REVIEW"]
"""How somebody becomes a partner who comes by a merchant's own page."""
MaterialKind = Literal["TEXT", "PICTURE", "PAGE"]
"""What a merchant gives its partners to publish."""
PictureType = Literal["image/png", "image/jpeg", "image/webp"]
Proof = Literal["file", "meta", "dns"]
"""How a domain is proved."""

EventType = Literal["conversion", "order_status", "webhook"]
EventStatus = Literal["RECEIVED", "QUEUED", "PROCESSED", "SKIPPED", "PARKED", "UNMATCHED", "FAILED"]
ReviewStatus = Literal["OPEN", "ATTRIBUTED", "DISMISSED"]
ClaimScope = Literal["order", "status", "webhook"]
"""What may happen once."""
UploadSource = Literal["spool", "command"]
"""Who applies an upload: a server that finds it, or `hub csv` itself."""
UploadKind = Literal["products", "orders", "statuses"]
UploadStatus = Literal["QUEUED", "RUNNING", "DONE", "REFUSED"]

CommissionState = Literal["PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED"]
RuleSource = Literal["PRODUCT", "NEW_CUSTOMER", "CAMPAIGN", "MERCHANT", "PLATFORM"]
"""Where a rule is from, in the order in which they are asked; NEW_CUSTOMER is what a campaign pays for those."""
CommissionSource = Literal["PRODUCT", "NEW_CUSTOMER", "CAMPAIGN", "MERCHANT", "PLATFORM", "MIXED"]
Matter = Literal[
    "messages-failed",
    "store-refuses",
    "store-silent",
    "webhooks-failing",
    "deposit-short",
    "questions",
    "applications",
    "reviews",
    "messages-parked",
    "requests-refused",
]
"""What can need a merchant's attention, the most urgent first."""
BulkAct = Literal["attributed", "dismissed", "approved", "rejected", "replayed", "set-aside"]
Confidence = Literal["HIGH", "LOW"]
RateLevel = Literal["MERCHANT", "CAMPAIGN", "NEW_CUSTOMER", "MEMBER", "PRODUCT"]
DraftLevel = Literal["MERCHANT", "CAMPAIGN", "NEW_CUSTOMER", "PRODUCT"]
"""Whose rate may be tried before it counts."""
RateDraftStatus = Literal["DRAFT", "PUBLISHED", "DROPPED"]

AdjustmentKind = Literal["refund", "manual", "returned", "carried", "written_off", "volume"]
"""What a correction is for; `volume` is what a campaign's rates by volume add, or take back of that."""
VolumePeriod = Literal["MONTH", "EVER"]
"""Whether the volume of rates by volume begins anew with each calendar month of the books."""
VolumeMeasure = Literal["ORDERS", "AMOUNT"]
"""Whether rates rise by how many orders there are, or by what they amount to."""
VolumeStanding = Literal["OPEN", "COUNTED", "LEFT_OUT"]
"""Whether an order counts for rates by volume: OPEN is on hold, LEFT_OUT earns nothing."""
AdjustmentStatus = Literal["PROPOSED", "APPROVED", "PAID", "REJECTED"]
PayoutStatus = Literal["GATHERING", "DRAFT", "RELEASING", "RELEASED", "SETTLED", "CANCELLED"]
PaymentStatus = Literal["OPEN", "CARRIED", "RELEASED", "SETTLED", "RETURNED"]
BilledWhen = Literal["paid", "payable"]
"""When a merchant is billed a commission: when it is paid, or when it becomes payable."""
VatKind = Literal["none", "domestic", "reverse_charge", "outside"]
"""How a bill is taxed; its table is hub/domain/books/vat.py."""
VatOutcome = Literal["valid", "invalid", "unreached"]
"""What VIES says of a VAT number; `unreached` is no answer, from whatever cause."""
InvoiceState = Literal["open", "overdue", "paid", "credit"]
"""What became of an invoice to a merchant; a credit note is the merchant's until it is used up."""
MissingForReport = Literal["payee", "birth_date", "registration_number", "tin", "tin_country"]
"""What a tax report lacks of a seller."""
ReceiptStatus = Literal["OPEN", "MATCHED", "CLOSED"]
"""What became of a merchant's payment: OPEN waits for a person, who matches or closes it."""
ReceiptSource = Literal["statement", "by_hand", "set_off"]
ReceiptQuestion = Literal[
    "unmatched", "several", "part_paid", "overpaid", "already_paid", "other_currency", "other_issuer"
]
"""Why a person has to look at a merchant's payment."""
NotPayable = Literal[
    "negative", "below_minimum", "below_own_minimum", "own_wait", "own_currency", "on_hold", "no_payee", "payee_waits",
    "no_method", "no_rate",
]  # fmt: skip
"""Why a balance cannot be paid as it stands."""
CarriedReason = Literal[NotPayable, "changed", "cancelled"]
"""Why a run carries a balance on; `changed` is found at its release, and `cancelled` is what became of the run."""
MissingForPayment = Literal["nothing_due", NotPayable, "merchant_overdue"]
"""What keeps an affiliate's money from being paid on its next pay date."""
ExchangeStatus = Literal["PROPOSED", "APPROVED", "DROPPED"]
"""What became of a proposal of exchange rates."""
PaymentOutcome = Literal["paid", "returned", "under_way"]
"""What a bank says of a payment."""
BankReportKind = Literal["results", "statement"]
"""What a file from a bank is about: what became of a run's payments, or what came into an account."""
BankReportStatus = Literal["WAITING", "CHECKING", "NOTING", "DONE", "REFUSED"]
"""How far a bank's report is read; it is checked whole before anything of it is noted."""
ReportVerdict = Literal[
    "ARRIVED", "RETURNED", "UNDER_WAY", "MATCHED", "QUESTION", "KNOWN", "REPEATED", "NOT_OURS"
]  # fmt: skip
"""What became of a line of a bank's report."""
LineStatus = Literal["RESERVED", "PAID", "DROPPED"]
PayoutMethod = Literal["iban", "ach", "bacs", "paypal", "wise", "stripe"]
"""How a payee is paid."""
AccountType = Literal["checking", "savings"]
"""The kinds of bank accounts that ACH tells apart."""
JournalFormat = Literal["csv", "hledger", "beancount", "datev"]
"""How a month's journal is written for a bookkeeper."""
PayoutFormat = Literal["sepa", "pain001", "ach", "bacs", "paypal", "wise", "stripe", "csv"]
"""The files that pay; their table is hub/domain/payouts/payout_formats.py."""

SubscriptionKind = Literal["WEBHOOK", "POSTBACK"]
SubscriptionStatus = Literal["ACTIVE", "PAUSED"]
"""A subscription's status as it is shown; one that was deleted is kept, and shown to nobody."""
StoredSubscriptionStatus = Literal["ACTIVE", "PAUSED", "DELETED"]
DeliveryStatus = Literal["WAITING", "DELIVERED", "GIVEN_UP"]
MailStatus = Literal["WAITING", "SENT", "GIVEN_UP"]
ConnectionStatus = Literal["ACTIVE", "CLOSED"]
LastLook = Literal["ask", "off"]
FetchKind = Literal["order", "product"]
"""What a platform is asked for one by one."""
ReadingKind = Literal["RECONCILIATION", "BACKFILL", "CATALOGUE"]
ReadingStatus = Literal["WAITING", "DONE", "FAILED"]

TroubleKind = Literal[
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
"""What may need an operator, the worst first; hub/domain/troubles.py says what each is."""

FindingState = Literal["ok", "warning", "fault"]
"""What `hub doctor` says of a part of an installation."""

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
LIVE_FIRST: Final[tuple[Mode, ...]] = tuple(sorted(MODES))
"""As people choose."""
ROLES: Final[tuple[Role, ...]] = get_args(Role)
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
PARTY_KINDS: Final[tuple[PartyKind, ...]] = get_args(PartyKind)
SHOP_PLATFORMS: Final[tuple[ShopPlatform, ...]] = get_args(ShopPlatform)
NOTICE_MAILS: Final[tuple[NoticeMail, ...]] = get_args(NoticeMail)
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
AFFILIATE_STATUSES: Final[tuple[AffiliateStatus, ...]] = get_args(AffiliateStatus)
USER_STATUSES: Final[tuple[UserStatus, ...]] = get_args(UserStatus)
PRODUCT_STATUSES: Final[tuple[ProductStatus, ...]] = get_args(ProductStatus)
CAMPAIGN_STATUSES: Final[tuple[CampaignStatus, ...]] = get_args(CampaignStatus)
STORED_CAMPAIGN_STATUSES: Final[tuple[StoredCampaignStatus, ...]] = get_args(StoredCampaignStatus)
APPROVAL_STATUSES: Final[tuple[ApprovalStatus, ...]] = get_args(ApprovalStatus)
JOININGS: Final[tuple[Joining, ...]] = get_args(Joining)
MEMBERSHIP_STATUSES: Final[tuple[MembershipStatus, ...]] = get_args(MembershipStatus)
MATERIAL_KINDS: Final[tuple[MaterialKind, ...]] = get_args(MaterialKind)
ACCEPTANCES: Final[tuple[Acceptance, ...]] = get_args(Acceptance)
PROOFS: Final[tuple[Proof, ...]] = get_args(Proof)
EVENT_TYPES: Final[tuple[EventType, ...]] = get_args(EventType)
EVENT_STATUSES: Final[tuple[EventStatus, ...]] = get_args(EventStatus)
UPLOAD_SOURCES: Final[tuple[UploadSource, ...]] = get_args(UploadSource)
UPLOAD_KINDS: Final[tuple[UploadKind, ...]] = get_args(UploadKind)
UPLOAD_STATUSES: Final[tuple[UploadStatus, ...]] = get_args(UploadStatus)
COMMISSION_STATES: Final[tuple[CommissionState, ...]] = get_args(CommissionState)
ADJUSTMENT_STATUSES: Final[tuple[AdjustmentStatus, ...]] = get_args(AdjustmentStatus)
RECEIPT_STATUSES: Final[tuple[ReceiptStatus, ...]] = get_args(ReceiptStatus)
BILLED_WHEN: Final[tuple[BilledWhen, ...]] = get_args(BilledWhen)
BANK_REPORT_STATUSES: Final[tuple[BankReportStatus, ...]] = get_args(BankReportStatus)
MAIL_STATUSES: Final[tuple[MailStatus, ...]] = get_args(MailStatus)
LAST_LOOKS: Final[tuple[LastLook, ...]] = get_args(LastLook)
FETCH_KINDS: Final[tuple[FetchKind, ...]] = get_args(FetchKind)
TROUBLE_KINDS: Final[tuple[TroubleKind, ...]] = get_args(TroubleKind)
PAYOUT_METHODS: Final[tuple[PayoutMethod, ...]] = get_args(PayoutMethod)
ACCOUNT_TYPES: Final[tuple[AccountType, ...]] = get_args(AccountType)
JOURNAL_FORMATS: Final[tuple[JournalFormat, ...]] = get_args(JournalFormat)
PAYOUT_FORMATS: Final[tuple[PayoutFormat, ...]] = get_args(PayoutFormat)
