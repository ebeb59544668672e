// Types and methods. Generated from the hub's OpenAPI document: python -m clients.generator

/** The ids of a merchant's two accounts. */
export interface AccountIds {
  /** The test account. */
  test: string;
  /** The live account. */
  live: string;
}

/** An act; `before` and `after` are the thing as it was and as it became, null if there is nothing to show. */
export interface ActDocument {
  id: string;
  at: string;
  actorKind: string;
  actor: string;
  act: string;
  subjectKind: string;
  subject: string;
  before: { [name: string]: unknown } | null;
  after: { [name: string]: unknown } | null;
  source: string;
  address: string | null;
}

/** A page of a list. */
export interface ActDocumentPage {
  data: Array<ActDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of addConnectionSecret. */
export interface AddConnectionSecretBody {
  /** The platform's secret; without one the hub makes it. */
  secret?: string;
}

/** The body of addDeposit. */
export interface AddDepositBody {
  /** The amount. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** The reference of the payment. */
  reference: string;
}

/** The body of addDomain. */
export interface AddDomainBody {
  /** The domain. */
  domain: string;
}

/** A secret that was just added; `secret` is null unless the hub issued it. */
export interface AddedSecret {
  id: string;
  secretId: string;
  secret: string | null;
}

/** A correction; `amount` is decimal text in `currency`, negative if it takes money back. */
export interface AdjustmentDocument {
  id: string;
  accountId: string;
  affiliateId: string;
  kind: string;
  amount: string;
  currency: string;
  reason: string;
  externalOrderId: string | null;
  commissionId: string | null;
  paidReference: string | null;
  payoutId: string | null;
  status: string;
  createdBy: string;
  createdAt: string;
  decidedBy: string | null;
  decidedAt: string | null;
}

/** The body of advanceTestClock. */
export interface AdvanceTestClockBody {
  /** How far, like 14d. */
  by: string;
}

/** A test account whose clock was moved forward by `byMs`, in all by `advancedMs`. */
export interface AdvancedDocument {
  merchantId: string;
  accountId: string;
  byMs: number;
  advancedMs: number;
}

/** An affiliate; `status` is ACTIVE or INACTIVE. */
export interface AffiliateDocument {
  /** The hub's id. */
  id: string;
  /** The affiliate's name. */
  name: string;
  /** Where mails to it go. */
  email: string;
  /** INACTIVE ones earn nothing. */
  status: AffiliateStatus;
  /** The coupons that are its own. */
  coupons: Array<string>;
  /** Where it promotes: websites, profiles, newsletters; empty for nothing. */
  channels: string | null;
  /** When it was created. */
  createdAt: string;
}

/** INACTIVE affiliates earn nothing. */
export type AffiliateStatus = "ACTIVE" | "INACTIVE";

/** Whether an admin's approval is needed, and given. */
export type ApprovalStatus = "NOT_REQUIRED" | "PENDING" | "APPROVED" | "REJECTED";

/** The body of approveAdjustment. */
export interface ApproveAdjustmentBody {
  /** Why. */
  note?: string;
}

/** A reading that was asked for, or waited already; the running hub does it, and `getPlatform` shows what came. */
export interface AskedReading {
  id: string;
}

/** The body of assignReceipt. */
export interface AssignReceiptBody {
  /** The number of the invoice. */
  invoice: number;
}

/** The body of attributeConversion. */
export interface AttributeConversionBody {
  /** Of this affiliate. */
  affiliateId: string;
  /** The campaign that it counts to. */
  campaignId?: string;
}

/** Whose order it is and why (`reason` is "matched" or what was missing). */
export interface AttributionExplained {
  /** HIGH where a live click proves the order; LOW orders wait for review and earn nothing before. */
  confidence: Confidence;
  /** matched, or the first check that failed: click_missing, click_malformed, click_unknown, click_after_order, click_outside_window, campaign_not_live, affiliate_inactive. Only a campaign with a policy of its own has: coupon_owner (of older orders coupon_matched), coupon_excluded, sub_affiliate_excluded, customer_not_new, customer_unknown, renewal_matched, renewal_excluded, renewals_used_up, customer_matched. */
  reason: AttributionReason;
  /** The click id that the order named. */
  clickId: string | null;
  /** Whose click it was. */
  affiliateId: string | null;
  /** The campaign of the click's link. */
  campaignId: string | null;
  /** How old the click was at the time of the order. */
  clickAgeSeconds: number | null;
  /** How old it may have been. */
  windowSeconds: number | null;
  /** The campaign's policy if it has one of its own: `rule`, `decidedBy` and a `sentence`. */
  policy?: { [name: string]: unknown };
  /** The earlier order of the same customer that decided: `externalOrderId` and `orderedAt`. */
  customer?: { [name: string]: unknown };
}

/** matched, or the first check that failed. */
export type AttributionReason = "matched" | "click_missing" | "click_malformed" | "click_unknown" | "click_after_order" | "click_outside_window" | "campaign_not_live" | "affiliate_inactive" | "coupon_owner" | "coupon_matched" | "coupon_excluded" | "sub_affiliate_excluded" | "customer_not_new" | "customer_unknown" | "renewal_matched" | "renewal_excluded" | "renewals_used_up" | "customer_matched";

/** A run of the audit: how much it checked, and how many violations it found. */
export interface AuditRunDocument {
  id: string;
  startedAt: string;
  finishedAt: string;
  accepted: number;
  conversions: number;
  violations: number;
  followedAt: string | null;
}

/** What an order waits for. */
export type AwaitedStep = "REVIEW" | "ORDER_STATUS" | "HOLD_END" | "PLATFORM" | "DEPOSIT" | "PAYOUT";

/** An affiliate's balance in one currency, as decimal text. */
export interface BalanceDocument {
  currency: string;
  pending: string;
  payable: string;
  paid: string;
  underWay: string;
  negative: string;
}

/** A page of a list. */
export interface BalanceDocumentPage {
  data: Array<BalanceDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A file from a bank; `rows` is 0 until it is checked. */
export interface BankReportDocument {
  /** The hub's id. */
  id: string;
  /** Whether it is of a run's payments or of an account. */
  kind: "results" | "statement";
  /** How far it is read. */
  status: "WAITING" | "CHECKING" | "NOTING" | "DONE" | "REFUSED";
  /** The run whose payments it is of; null for an account. */
  payoutId: string | null;
  /** The one file whose payments it is of; null for any. */
  fileId: string | null;
  /** What the payments arrived under; empty for an account. */
  reference: string;
  /** What the file was called. */
  fileName: string;
  /** The SHA-256 of its bytes. */
  sha256: string;
  /** How many bytes it has. */
  bytes: number;
  /** Who sent it in. */
  sentBy: string;
  /** When it was sent in. */
  sentAt: string;
  /** How many lines it has. */
  rows: number;
  /** How many of them have their verdict. */
  done: number;
  /** How many lines have each verdict. */
  verdicts: { [name: string]: unknown };
  /** Why it was refused; null if it was not. */
  fault: string | null;
  /** When it was read to its end; null until then. */
  finishedAt: string | null;
}

/** A page of a list. */
export interface BankReportDocumentPage {
  data: Array<BankReportDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of billBy. */
export interface BillByBody {
  /** Its code; first is the company of the settings. */
  issuer: string;
}

/** Who bills a merchant: the code and the name of an issuer, "first" without a name for the one of the settings. */
export interface BilledBy {
  merchantId: string;
  issuer: string;
  name: string | null;
}

/** When a merchant is billed a commission: when it is paid, or when it becomes payable. */
export type BilledWhen = "paid" | "payable";

/** How the books are kept: `timeZone` is an IANA name, like Europe/Berlin. */
export interface BooksDocument {
  timeZone: string;
  billed: BilledWhen;
}

/** A campaign with what its merchant and the operator settle beside the API, and whose it is. */
export interface CampaignDetails {
  /** The hub's id. */
  id: string;
  /** A short code for people. */
  campaignCode: string;
  /** The campaign's title. */
  title: string;
  /** Free text. */
  description: string | null;
  /** When the campaign starts; without one it has started. */
  startDate: string | null;
  /** When the campaign expires; after startDate. */
  endDate: string | null;
  /** How the commission is reckoned; comes with its value. */
  defaultCommissionType: CommissionType | null;
  /** PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency. */
  defaultCommissionValue: string | null;
  /** How orders with `metadata.newCustomer` are paid; comes with its value. */
  newCustomerCommissionType: CommissionType | null;
  /** Of these orders, as defaultCommissionValue. */
  newCustomerCommissionValue: string | null;
  /** Higher rates by volume, paid as a bonus of the month: see docs/money.md. */
  volumeRates: VolumeRates | null;
  /** How long after a click an order still counts; 0 means a session (24 hours). */
  cookieDurationDays: number | null;
  /** Free text. */
  termsAndConditions: string | null;
  /** Whether an admin must approve the campaign before it is activated. */
  approvalRequired: boolean;
  /** The effective status: EXPIRED once endDate has passed. */
  status: CampaignStatus;
  /** Where an admin's approval stands; NOT_REQUIRED where none is asked for. */
  approvalStatus: ApprovalStatus;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** Where affiliates may advertise. */
  allowedTrafficSources: Array<string>;
  /** How long its commissions are held, in milliseconds; null: as the merchant's. */
  holdMs: number | null;
  /** Whether it may stand in the public listing. */
  listed: boolean;
  /** Whether affiliates join at once or by the merchant's approval. */
  joining: "OPEN" | "BY_APPROVAL";
  /** Whose it is. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
}

/** EXPIRED comes with time and is never set. */
export type CampaignStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "EXPIRED" | "ARCHIVED";

/** The body of cancelPayout. */
export interface CancelPayoutBody {
  /** Why. */
  reason: string;
}

/** A record that changed, as it is now, with the account that it is of; without a record it is gone. */
export interface ChangeDocument {
  type: ChangeType;
  id: string;
  merchantId: string;
  mode: Mode;
  changedAt: string;
  deleted: boolean;
  record: { [name: string]: unknown } | null;
}

/** The kinds of records that the change feed tells. */
export type ChangeType = "affiliate" | "balance" | "campaign" | "commission" | "conversion" | "event" | "link" | "membership" | "product" | "statement" | "subscription";

/** What commissions were, and would be with the rate, as decimal text; `difference` may be negative. */
export interface Changed {
  currency: string;
  before: string;
  after: string;
  difference: string;
}

/** The same for an affiliate, a product or an order; `id` is empty for the rest of orders, which is no product. */
export interface ChangedBy {
  currency: string;
  before: string;
  after: string;
  difference: string;
  id: string;
}

/** A part of a change feed, the cursor behind it, and whether there is more by now. */
export interface ChangesDocument {
  data: Array<ChangeDocument>;
  cursor: string;
  more: boolean;
}

/** A click on a tracking link; nothing of who clicked. */
export interface ClickRecord {
  /** The click's id, which the shop sends with the order. */
  id: string;
  /** When it happened. */
  clickedAt: string;
  /** The link. */
  linkCode: string;
  /** Whose link it is. */
  affiliateId: string;
  /** The campaign that its orders count to; null without one. */
  campaignId: string | null;
  /** The affiliate's notes, sub1 to sub5. */
  subIds: { [name: string]: unknown };
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
}

/** A page of a list. */
export interface ClickRecordPage {
  data: Array<ClickRecord>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of closeMerchant. */
export interface CloseMerchantBody {
  /** Why, for the other side to read. */
  reason?: string;
  /** Close it although commissions are open. */
  anyway?: boolean;
}

/** The body of closeMonth. */
export interface CloseMonthBody {
  /** A month of the books that is over. */
  month: string;
}

/** The body of closeQuestions. */
export interface CloseQuestionsBody {
  /** What was found. */
  note: string;
}

/** The body of closeReceipt. */
export interface CloseReceiptBody {
  /** Why. */
  reason: string;
}

/** A month that is closed, or proposed to be: `closedBy` is null until another person closes it. */
export interface ClosedMonth {
  month: string;
  proposedBy: string;
  proposedAt: string;
  closedBy: string | null;
  closedAt: string | null;
  entries: number | null;
  head: string | null;
}

/** A page of a list. */
export interface ClosedMonthPage {
  data: Array<ClosedMonth>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** How many questions about an order were closed. */
export interface ClosedQuestions {
  id: string;
  closed: number;
}

/** The commission as it stood when the event was processed; `levels` holds each rule tried and why it lost. */
export interface CommissionExplained {
  /** PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED. */
  state: CommissionState;
  /** What the affiliate earns, in `currency`. */
  amount: Money;
  /** The order's currency. */
  currency: Currency;
  /** The level whose rule won; MIXED where the lines differ. */
  source: CommissionSource;
  /** PERCENTAGE or FIXED; null where the lines differ. */
  type: CommissionType | null;
  /** The rule's value; null where the lines differ. */
  value: string | null;
  /** The money that the commission is taken from. */
  base: Money;
  /** When the hold ends; null where none runs. */
  holdUntil: string | null;
  /** The order's parts, each with the rule that pays for it. */
  lines: Array<CommissionLine>;
  /** Every rule that was tried, and why it lost. */
  levels: Array<CommissionLevel>;
}

/** A rule that was tried; its type and value are told where there was one, the product where it was for one. */
export interface CommissionLevel {
  /** The level that was tried. */
  level: RuleLevel;
  /** won, or why not: no_product, no_rule, currency_differs. */
  outcome: LevelOutcome;
  /** The product that it was tried for. */
  externalProductId?: string;
  /** How the rule reckons. */
  type?: CommissionType;
  /** The rule's value. */
  value?: string;
}

/** A part of the order and the rule that pays for it; the rest of the order is a line without a product. */
export interface CommissionLine {
  /** The product; null for the rest of the order. */
  externalProductId: string | null;
  /** The level whose rule pays for the line. */
  source: RuleLevel;
  /** How the rule reckons. */
  type: CommissionType;
  /** The rule's value. */
  value: string;
  /** The line's money. */
  base: string;
  /** How many were bought. */
  quantity: number;
  /** What the line earns. */
  amount: string;
}

/** The kinds of messages about a commission. */
export type CommissionMessageType = "commission.created" | "commission.held" | "commission.payable" | "commission.rejected" | "commission.adjusted" | "commission.paid";

/** A commission after it changed. */
export interface CommissionNews {
  /** The commission. */
  commissionId: string;
  /** Its state. */
  state: CommissionState;
  /** Its state before; null for one that was just created. */
  previousState: CommissionState | null;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate's notes on the click, if there are any. */
  subIds?: { [name: string]: unknown };
  /** True in a message that was asked for as a test: nothing has happened. */
  sample?: boolean;
  /** The order. */
  conversionId: string;
  /** The shop's number of the order. */
  externalOrderId?: string;
  /** The campaign that it counts to; null without one. */
  campaignId: string | null;
  /** The click that it came by; null without one. */
  clickId: string | null;
  /** When it was placed. */
  orderedAt: string;
  /** The order's currency. */
  currency: Currency;
  /** What the affiliate earns. */
  amount: MoneySum;
  /** What it was before; null if it is new. */
  previousAmount: MoneySum | null;
  /** When its hold ends or ended; null if it has none. */
  holdUntil: string | null;
  /** When it was paid; null until then. */
  paidAt: string | null;
  /** Who earns it. */
  affiliateId: string;
}

/** A commission after it changed. */
export interface CommissionNewsMessage {
  /** What happened. */
  type: CommissionMessageType;
  /** When it happened. */
  timestamp: string;
  data: CommissionNews;
}

/** The commission of an order as it is now. */
export interface CommissionOfOrder {
  /** The hub's id. */
  id: string;
  /** PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED. */
  state: CommissionState;
  /** What the affiliate earns, in `currency`. */
  amount: Money;
  /** The order's currency. */
  currency: Currency;
  /** The level whose rule won; MIXED if the lines differ. */
  source: CommissionSource;
  /** PERCENTAGE or FIXED; null if the lines differ. */
  type: CommissionType | null;
  /** The rule's value; null if the lines differ. */
  value: string | null;
  /** The money that the commission is taken from, refunds deducted. */
  base: Money;
  /** When the hold ends; null if none runs. */
  holdUntil: string | null;
  /** When it was paid; null until then. */
  paidAt: string | null;
  /** The reference of the payment; null until it is paid. */
  payoutReference: string | null;
}

/** The level whose rule won; MIXED if the lines differ. */
export type CommissionSource = "PRODUCT" | "NEW_CUSTOMER" | "CAMPAIGN" | "MERCHANT" | "PLATFORM" | "MIXED";

/** PENDING, then HOLD or APPROVED, then PAYABLE and PAID; REJECTED if nothing is earned. */
export type CommissionState = "PENDING" | "HOLD" | "APPROVED" | "PAYABLE" | "PAID" | "REJECTED";

/** A percentage of the money, or a fixed amount. */
export type CommissionType = "PERCENTAGE" | "FIXED";

/** HIGH orders earn at once, LOW ones wait for a review. */
export type Confidence = "HIGH" | "LOW";

/** How many processes wait for their clocks to be trusted again. */
export interface ConfirmedClocks {
  confirmed: number;
}

/** A connection without its secrets. */
export interface ConnectionDocument {
  /** The hub's id. */
  id: string;
  /** Where its deliveries go. */
  url: string;
  /** The platform's connector. */
  connector: string;
  /** A name to recognise it by; null without one. */
  title: string | null;
  /** Whose store it is. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** CLOSED ones take no deliveries. */
  status: "ACTIVE" | "CLOSED";
  /** The connector's options, by name. */
  options: { [name: string]: unknown };
  /** Where its deliveries come from; null until known. */
  site: string | null;
  /** Its secrets, the oldest first. */
  secrets: Array<SecretDocument>;
  /** When it was created. */
  createdAt: string;
  /** When it was closed; null while it is not. */
  closedAt: string | null;
}

/** A page of a list. */
export interface ConnectionDocumentPage {
  data: Array<ConnectionDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A connection with what there is to do on its platform, and the requests to erase it that wait. */
export interface ConnectionWithSteps {
  /** The hub's id. */
  id: string;
  /** Where its deliveries go. */
  url: string;
  /** The platform's connector. */
  connector: string;
  /** A name to recognise it by; null without one. */
  title: string | null;
  /** Whose store it is. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** CLOSED ones take no deliveries. */
  status: "ACTIVE" | "CLOSED";
  /** The connector's options, by name. */
  options: { [name: string]: unknown };
  /** Where its deliveries come from; null until known. */
  site: string | null;
  /** Its secrets, the oldest first. */
  secrets: Array<SecretDocument>;
  /** When it was created. */
  createdAt: string;
  /** When it was closed; null while it is not. */
  closedAt: string | null;
  /** What there is to do on the platform, in order. */
  steps: Array<string>;
  /** The requests to erase it that wait. */
  erasures: Array<ErasureDocument>;
}

/** An order as it is now, with its commission, its facts, and what was submitted with it. */
export interface ConversionRecord {
  /** The hub's id. */
  id: string;
  /** The merchant's order number. */
  externalOrderId: string;
  /** What the commission is taken from, in `currency`. */
  orderAmount: Money;
  /** The order's currency. */
  currency: Currency;
  /** HIGH if a live click, or a rule of the campaign, proves whose order it is; else LOW. */
  confidence: Confidence;
  /** matched, or the first check that failed. */
  reason: AttributionReason;
  /** Whose order it is; null while nobody's. */
  affiliateId: string | null;
  /** The campaign that it counts to. */
  campaignId: string | null;
  /** The affiliate that a weaker signal names. */
  candidateId: string | null;
  /** The click id that was reported. */
  clickId: string | null;
  /** The coupon that was reported. */
  couponCode: string | null;
  /** OPEN while a person has to decide, ATTRIBUTED or DISMISSED afterwards; null if none was needed. */
  review: ReviewState | null;
  /** When the buyer ordered. */
  orderedAt: string;
  /** When it was received. */
  receivedAt: string;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The affiliate's name. */
  affiliateName: string | null;
  /** The mode of the account. */
  mode: Mode;
  /** The submission that created it. */
  eventId: string;
  /** What it earns; null if nothing. */
  commission: CommissionOfOrder | null;
  /** What was reported of the order, in the order in which it counts. */
  facts: Array<ReasonedFact>;
  /** What was submitted with it. */
  metadata: { [name: string]: unknown } | null;
  /** The sub-ids of its click, sub1 to sub5. */
  subIds: { [name: string]: unknown };
  /** What was decided when it was reported, and why; null if that is no longer known. */
  explanation: Explanation | null;
  /** What it waits for: a person (REVIEW), your news of it (ORDER_STATUS), the end of its hold (HOLD_END), a last look at the order in its shop (PLATFORM), your deposit (DEPOSIT), the payout (PAYOUT); null if nothing. */
  awaits: AwaitedStep | null;
  /** Where its campaign's rate rises by volume: what it counts for that. */
  volume?: VolumeOfOrder;
  /** The moment of its latest change, whatever it was. */
  updatedAt: string;
}

/** A page of a list. */
export interface ConversionRecordPage {
  data: Array<ConversionRecord>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of createAdjustment. */
export interface CreateAdjustmentBody {
  /** The affiliate. */
  affiliate: string;
  /** The account that it is of. */
  account: string;
  /** The amount; negative if it takes money back. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** Why. */
  reason: string;
}

/** The body of createAffiliate. */
export interface CreateAffiliateBody {
  /** The name. */
  name: string;
  /** The e-mail address. */
  email: string;
  /** Coupon codes that are the affiliate's. */
  coupons?: Array<string>;
  /** Where it promotes: websites, profiles, newsletters; empty for nothing. */
  channels?: string;
}

/** The body of createCampaign. */
export interface CreateCampaignBody {
  /** Of this merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The campaign, with the members of the merchant API's campaign. */
  fields?: { [name: string]: unknown };
  /** How long commissions wait, like 14d. */
  hold?: string;
  /** Whether affiliates see it in the catalogue. */
  listed?: boolean;
  /** Who may join. */
  joining?: "OPEN" | "BY_APPROVAL";
}

/** The body of createConnection. */
export interface CreateConnectionBody {
  /** The merchant's id. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The platform's connector. */
  connector: string;
  /** The platform's secrets; without one the hub makes it. */
  secrets?: Array<string>;
  /** Options of the connector, name=value. */
  options?: Array<string>;
  /** A name to recognise it by. */
  title?: string;
}

/** The body of createKey. */
export interface CreateKeyBody {
  /** The mode of the account. */
  mode: Mode;
  /** Address ranges that it is accepted from; an empty list allows any. */
  allowedIps?: Array<string>;
  /** How long it is valid, like 90d. */
  expiresIn?: string;
  /** The lowest version of the signature that it accepts. */
  signatureVersion?: number;
  /** The merchant's name for it; empty for none. */
  name?: string;
}

/** The body of createLink. */
export interface CreateLinkBody {
  /** Of this merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** Of this affiliate. */
  affiliateId: string;
  /** Of this campaign. */
  campaignId?: string;
  /** The product that it leads to. */
  externalProductId?: string;
  /** Where it leads, on a domain of theirs. */
  destination?: string;
  /** sub1 to sub5. */
  subIds?: { [name: string]: unknown };
  /** What the link is called, such as where it stands. */
  name?: string;
}

/** The body of createMerchant. */
export interface CreateMerchantBody {
  /** The name. */
  name: string;
  /** The e-mail address. */
  email: string;
  /** Its domains. */
  domains: Array<string>;
  /** ISO 4217; USD if omitted. */
  currency?: string;
  /** A rule like PERCENTAGE:8 or FIXED:5.00. */
  commission?: string;
  /** How long commissions wait, like 14d. */
  hold?: string;
  /** Approve it at once. */
  approve?: boolean;
}

/** The body of createMerchantToken. */
export interface CreateMerchantTokenBody {
  /** The mode of the account. */
  mode: Mode;
  /** What it may do. */
  scopes: Array<string>;
  /** What it is for. */
  name?: string;
  /** Address ranges that it is accepted from; an empty list allows any. */
  allowedIps?: Array<string>;
  /** How long it is valid, like 90d; a year if omitted. */
  expiresIn?: string;
}

/** The body of createPayout. */
export interface CreatePayoutBody {
  /** The mode of the account. */
  mode: Mode;
  /** Only what was payable before this moment; now if omitted. */
  before?: string;
  /** ISO 4217. */
  currency?: string;
  /** The least payment, instead of the settings'. */
  minimum?: string;
}

/** The body of createSubscription. */
export interface CreateSubscriptionBody {
  /** Where to send; with placeholders it is a postback. */
  url: string;
  /** Events or patterns. */
  events: Array<string>;
  /** What it is for, in your words; empty for nothing. */
  description?: string;
  /** The merchant's id. */
  merchantId?: string;
  /** The mode of the account. */
  mode?: Mode;
  /** Of this affiliate, over all merchants. */
  affiliateId?: string;
  /** Whether messages are kept at first, until it is resumed. */
  paused?: boolean;
  /** In which version messages are sent; the newest, if none is named. */
  payloadVersion?: string;
}

/** The body of createUser. */
export interface CreateUserBody {
  /** The person's e-mail address. */
  email: string;
  /** The role. */
  role: "operator" | "operator-admin" | "merchant" | "affiliate";
  /** Which merchant, for the role merchant. */
  merchantId?: string;
  /** Which affiliate, for the role affiliate. */
  affiliateId?: string;
  /** For the role merchant. */
  level?: "owner" | "viewer";
  /** What the person is called. */
  name?: string;
}

/** A connection that was just created; `secret` is null unless the hub issued it, `steps` are for the platform. */
export interface CreatedConnection {
  id: string;
  url: string;
  secret: string | null;
  steps: Array<string>;
}

/** A subscription that was just created, and the secret that signs its messages; null for a postback. */
export interface CreatedSubscription {
  /** The hub's id. */
  id: string;
  /** whsec_...: keep it; it is never shown again. */
  secret: string | null;
  /** In which version its messages are sent. */
  payloadVersion: string;
}

/** A token that was just made. */
export interface CreatedToken {
  /** The hub's id. */
  id: string;
  /** What it is for. */
  name: string;
  /** What it may do. */
  scopes: Array<string>;
  /** The affiliate whose it is; null for others. */
  affiliateId: string | null;
  /** The merchant whose it is; null for others. */
  merchantId: string | null;
  /** The mode of the merchant's account; null without one. */
  mode: Mode | null;
  /** The person whose roles bound it; null for nobody. */
  userId: string | null;
  /** Address ranges (CIDR) that it is accepted from; none allow any. */
  allowedIps: Array<string>;
  /** When it ends; null if it does not. */
  expiresAt: string | null;
  /** When it was revoked; null if it was not. */
  revokedAt: string | null;
  /** When it was used last; null if never. */
  lastUsedAt: string | null;
  /** From where it was used last; null if never. */
  lastAddress: string | null;
  /** When it was made. */
  createdAt: string;
  /** The token itself, which is never shown again. */
  token: string;
}

/** A credential that is typed: `shown` is its value if it is no secret and was given. */
export interface CredentialField {
  name: string;
  label: string;
  secret: boolean;
  hint: string;
  shown: string;
}

/** An ISO 4217 currency code in upper case. */
export type Currency = string;

/** What an affiliate owes in one currency: `amount` is positive decimal text, `days` how old its oldest part is. */
export interface DebtDocument {
  affiliateId: string;
  affiliateName: string | null;
  currency: string;
  amount: string;
  since: string;
  days: number;
  proposed: string;
}

/** A page of a list. */
export interface DebtDocumentPage {
  data: Array<DebtDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of decideLiveAccess. */
export interface DecideLiveAccessBody {
  /** Whether it is granted. */
  granted: boolean;
  /** Why, for the other side to read. */
  reason?: string;
}

/** The body of decideMembership. */
export interface DecideMembershipBody {
  /** What it becomes. */
  status: "APPROVED" | "REJECTED" | "REMOVED";
  /** Why, for the other side to read. */
  reason?: string;
}

/** A message: what was sent, in which version, and what the receiver last answered. */
export interface DeliveryDocument {
  /** The message's id, the same at each attempt. */
  id: string;
  /** What happened, such as commission.held. */
  type: string;
  /** In which version it is sent. */
  payloadVersion: string;
  /** How far it is. */
  status: DeliveryStatus;
  /** How often it was sent. */
  attempts: number;
  /** When it happened. */
  createdAt: string;
  /** When it is sent next; null if it is not. */
  dueAt: string | null;
  /** When it arrived or was given up; null until then. */
  finishedAt: string | null;
  /** The HTTP status of the last answer; null without one. */
  answerStatus: number | null;
  /** The beginning of the last answer's body. */
  answer: string | null;
  /** Why the last attempt failed; null if it did not. */
  fault: string | null;
  /** What the message says, as things stood then. */
  data: { [name: string]: unknown };
}

/** A page of a list. */
export interface DeliveryDocumentPage {
  data: Array<DeliveryDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** How far a message is. */
export type DeliveryStatus = "WAITING" | "DELIVERED" | "GIVEN_UP";

/** A deposit in one currency, as decimal text. */
export interface DepositBalance {
  currency: string;
  balance: string;
  covered: string;
  waiting: string;
  commissions: number;
  shortage: string;
}

/** A merchant's deposit for its live account; `required` is whether commissions wait for it. */
export interface DepositDocument {
  merchantId: string;
  merchantName: string;
  required: boolean;
  balances: Array<DepositBalance>;
  payments: Array<DepositPayment>;
}

/** A deposit that does not cover the next commission. */
export interface DepositNews {
  /** The deposit's currency. */
  currency: Currency;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate's notes on the click, if there are any. */
  subIds?: { [name: string]: unknown };
  /** True in a message that was asked for as a test: nothing has happened. */
  sample?: boolean;
  /** What is left of it. */
  balance: MoneySum;
  /** What the commissions come to that wait for it. */
  waiting: MoneySum;
  /** How many wait. */
  commissions: number;
}

/** A deposit that does not cover the next commission. */
export interface DepositNewsMessage {
  /** What happened. */
  type: "deposit.short";
  /** When it happened. */
  timestamp: string;
  data: DepositNews;
}

/** A payment into a deposit; a negative `amount` was taken out. */
export interface DepositPayment {
  reference: string;
  amount: string;
  currency: string;
  madeBy: string;
  madeAt: string;
}

/** The volume of an SQLite file, in bytes. */
export interface DiskDocument {
  freeBytes: number;
  totalBytes: number;
  databaseBytes: number;
  isShort: boolean;
}

/** A domain of a merchant; `approved` is whether links and products may lead there. */
export interface DomainDocument {
  domain: string;
  merchantId: string;
  approved: boolean;
  provedAt: string | null;
  method: string | null;
  checkedAt: string | null;
  fault: string | null;
  proof: DomainProof | null;
}

/** A page of a list. */
export interface DomainDocumentPage {
  data: Array<DomainDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** What the domain has to show, in one of three ways. */
export interface DomainProof {
  token: string;
  filePath: string;
  metaTag: string;
  dnsName: string;
}

/** A rate that was tried; what it is for is its `level` and, on that, its `subject`. */
export interface DraftDocument {
  /** The hub's id. */
  id: string;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** MERCHANT, CAMPAIGN, NEW_CUSTOMER (of a campaign) or PRODUCT. */
  level: string;
  /** The campaign or product; empty for the merchant's own rate. */
  subject: string;
  /** The rate. */
  commission: string;
  /** What became of it. */
  status: "DRAFT" | "PUBLISHED" | "DROPPED";
  /** Who tried it. */
  createdBy: string;
  /** When it was tried. */
  createdAt: string;
  /** Who published or dropped it; null until then. */
  decidedBy: string | null;
  /** When that was; null until then. */
  decidedAt: string | null;
}

/** A page of a list. */
export interface DraftDocumentPage {
  data: Array<DraftDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of draftRate. */
export interface DraftRateBody {
  /** A rule like PERCENTAGE:8. */
  commission: string;
  /** The mode of the account. */
  mode?: Mode;
  /** The rate of this campaign. */
  campaign?: string;
  /** The rate of this merchant. */
  merchant?: string;
  /** The rate of this product, of the merchant. */
  product?: string;
  /** Of the campaign: what it pays for new customers' orders. */
  new_customers?: boolean;
}

/** How many orders and products are fetched again. */
export interface DueFetches {
  fetches: number;
}

/** A test account that was emptied, and how many rows that were in all. */
export interface EmptiedDocument {
  merchantId: string;
  accountId: string;
  rows: number;
}

/** The body of emptyTestAccount. */
export interface EmptyTestAccountBody {
  /** Products, campaigns and links as well. */
  everything?: boolean;
}

/** A request of a platform to erase everything of a connection; it is executed at `dueAt`. */
export interface ErasureDocument {
  /** The connection. */
  connectionId: string;
  /** The delivery that asks for it. */
  eventId: string;
  /** The shop, as the platform names it. */
  subject: string;
  /** When it was asked for. */
  requestedAt: string;
  /** When it is executed. */
  dueAt: string;
}

/** Every refusal: the status, its reason phrase in `error`, and one message or, for validation, all faults. */
export interface ErrorBody {
  /** The HTTP status once more. */
  statusCode: number;
  /** What is wrong: every fault of the input at once as an array, anything else as one string. */
  message: string | Array<string>;
  /** The status's reason phrase. */
  error: string;
  /** What is wrong, in a word to branch on: the errorCode of the request log. Not in a 401. */
  code?: string;
  /** The first field, parameter or header that is wrong; only if one is. */
  param?: string;
  /** The page that explains the code. */
  docUrl?: string;
  /** The id of the request, as in X-Request-ID. */
  requestId?: string;
}

/** An event; `explanation` is the JSON object that the worker left, which says what was decided and why. */
export interface EventDocument {
  /** The id that the submission was answered with. */
  eventId: string;
  /** What was submitted. */
  type: EventType;
  /** The webhook's kind, such as order-created; null for a conversion or an order status. */
  kind: WebhookKind | null;
  /** The connection that it came by. */
  connectionId: string | null;
  /** The platform's name of what it says. */
  topic: string | null;
  /** RECEIVED or QUEUED until processed, then PROCESSED, SKIPPED, PARKED, UNMATCHED or FAILED. */
  status: EventStatus;
  /** The sender's id of it. */
  externalEventId: string | null;
  /** The merchant's order number, once it is known. */
  externalOrderId: string | null;
  /** The conversion it belongs to; null where there is none. */
  conversionId: string | null;
  /** When it was accepted. */
  receivedAt: string;
  /** When it was decided; null until then, and while PARKED. */
  processedAt: string | null;
  /** When the worker takes it up; null if it is decided. */
  dueAt: string | null;
  /** How often it was taken up. */
  attempts: number;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** What was decided and why, as it stood when the event was processed. */
  explanation: { [name: string]: unknown } | null;
}

/** A page of a list. */
export interface EventDocumentPage {
  data: Array<EventDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** How far a submission is, and how it ended. */
export type EventStatus = "RECEIVED" | "QUEUED" | "PROCESSED" | "SKIPPED" | "PARKED" | "UNMATCHED" | "FAILED";

/** What was submitted. */
export type EventType = "conversion" | "order_status" | "webhook";

/** A kind of message that subscribers get. */
export interface EventTypeRecord {
  /** The type, as subscriptions name it. */
  type: MessageType;
  /** When it is sent. */
  about: string;
  /** Whether affiliates are told, too. */
  forAffiliates: boolean;
  /** The version of what it says, as in the header `webhook-payload-version`. */
  version: string;
  /** A JSON Schema (2020-12) of the whole message, which refers to nothing. */
  schema: { [name: string]: unknown };
  /** A whole message. */
  example: WebhookMessage;
}

/** A page of a list. */
export interface EventTypeRecordPage {
  data: Array<EventTypeRecord>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A rate: so many `quote` for one `base`. */
export interface ExchangeRate {
  /** The proposal that it is of. */
  setId: string;
  /** The currency of which there is one. */
  base: string;
  /** The currency of which there are so many. */
  quote: string;
  /** How many. */
  rate: string;
  /** By how many percent it differs from the one in force when it was proposed; null for none. */
  change: string | null;
  /** Where it is from. */
  source: string;
  /** Whether it counts. */
  status: "PROPOSED" | "APPROVED" | "DROPPED";
  /** Who proposed it. */
  proposedBy: string;
  /** When it was proposed. */
  proposedAt: string;
  /** Who approved or dropped it; null until then. */
  decidedBy: string | null;
  /** When that was; null until then. */
  decidedAt: string | null;
}

/** A page of a list. */
export interface ExchangeRatePage {
  data: Array<ExchangeRate>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of expireConnectionSecret. */
export interface ExpireConnectionSecretBody {
  /** How long it still works, like 24h. */
  after?: string;
}

/** A secret and the time at which it ends. */
export interface ExpiredSecret {
  id: string;
  secretId: string;
  expiresAt: string;
}

/** What was decided about an event; the first three members are null until it is processed. */
export interface Explanation {
  /** Whose order it is; null for news of an order or a product. */
  attribution: AttributionExplained | null;
  /** The order's commission; null where it earns none. */
  commission: CommissionExplained | null;
  /** Why the event changed nothing: commission_paid, not_allowed_from_<state>, already_known, stale, unknown_order, unknown_product, unmappable: ..., internal: ...; null where it was applied. */
  skipReason: SkipExplanation | null;
  /** The correction of the affiliate's next payout, if the commission was paid already. */
  adjustmentId?: string;
  /** What a newer snapshot of the platform's order changed. */
  restated?: { [name: string]: unknown };
  /** The amount that is kept and the one of a later report of the same order. */
  amountDiffers?: { [name: string]: unknown };
  /** What a privacy request of the platform found or erased, or until when it waits. */
  erasure?: { [name: string]: unknown };
}

/** Something that was reported of an order, and whether it changed the commission. */
export interface FactRecord {
  /** What was reported, such as delivered. */
  status: string;
  /** When it happened. */
  at: string;
  /** When it was received. */
  receivedAt: string;
  /** Whether it changed the commission. */
  applied: boolean;
  /** Why it did not; null if it did, or if there is no commission. */
  skipReason: SkipReason | null;
  /** The submission that reported it. */
  eventId: string;
}

/** A merchant's fee in percent, since when it holds, and who set it. */
export interface FeeDocument {
  merchantId: string;
  percentage: string;
  since: string;
  setBy: string;
}

/** A page of a list. */
export interface FeeDocumentPage {
  data: Array<FeeDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** An order or product that a delivery only named; `continuesAt` is null if it was given up. */
export interface FetchDocument {
  kind: string;
  id: string;
  deliveries: number;
  attempts: number;
  reason: string | null;
  continuesAt: string | null;
  since: string;
}

/** What a campaign or an affiliate brought in a period, in one currency; clicks are a line without a currency. */
export interface FiguresOf {
  /** The hub's id; null for what belongs to none. */
  id: string | null;
  /** Its name. */
  name: string | null;
  /** The currency of the money; null in the line of the clicks. */
  currency: Currency | null;
  /** Clicks on links of this account. */
  clicks: number;
  /** Orders, whoever they are attributed to. */
  orders: number;
  /** Those of them that a click proves. */
  attributed: number;
  /** The orders' amounts. */
  revenue: MoneySum | null;
  /** What was refunded of them. */
  refunds: MoneySum | null;
  /** What they earn affiliates, by now: all that was not rejected. */
  commission: MoneySum | null;
  /** Commissions that are PENDING. */
  pending: MoneySum | null;
  /** Commissions on HOLD. */
  hold: MoneySum | null;
  /** Commissions that are APPROVED. */
  approved: MoneySum | null;
  /** Commissions that are PAYABLE. */
  payable: MoneySum | null;
  /** Commissions that are PAID. */
  paid: MoneySum | null;
  /** Commissions that were REJECTED, with what they would have been. */
  rejected: MoneySum | null;
}

/** A page of a list. */
export interface FiguresOfPage {
  data: Array<FiguresOf>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A file that pays, as it is kept. */
export interface FileDocument {
  /** The hub's id. */
  id: string;
  /** The run that it pays. */
  payoutId: string;
  /** Its format. */
  format: "sepa" | "pain001" | "ach" | "bacs" | "paypal" | "wise" | "stripe" | "csv";
  /** What the bank's answer calls it. */
  messageId: string;
  /** The SHA-256 of its bytes. */
  sha256: string;
  /** How many payments it has. */
  payments: number;
  /** Who wrote it. */
  writtenBy: string;
  /** When it was written. */
  writtenAt: string;
  /** Who withdrew it; null unless it was never sent. */
  withdrawnBy: string | null;
  /** When that was; null unless it was never sent. */
  withdrawnAt: string | null;
}

/** A page of a list. */
export interface FileDocumentPage {
  data: Array<FileDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of giveCredentials. */
export interface GiveCredentialsBody {
  /** Each credential by its name, as `getPlatform` lists them. */
  values: { [name: string]: unknown };
  /** How many days from before are read. */
  days?: number;
}

/** Credentials that the platform took: whose they are, and what begins now. */
export interface GivenCredentials {
  id: string;
  shop: string;
  currency: string;
  missingPermissions: Array<string>;
  webhooksMade: Array<string>;
  webhookFault: string | null;
  reads: Array<string>;
}

/** The body of grantRole. */
export interface GrantRoleBody {
  /** The role. */
  role: "operator" | "operator-admin" | "merchant" | "affiliate";
  /** Which merchant, for the role merchant. */
  merchantId?: string;
  /** Which affiliate, for the role affiliate. */
  affiliateId?: string;
  /** For the role merchant. */
  level?: "owner" | "viewer";
}

/** The health of the whole hub; `disk` is null where the volume is not the hub's to see, `audit` without a run. */
export interface HealthDocument {
  version: string;
  commit: string;
  python: string;
  database: string;
  schemaVersion: number;
  waiting: number;
  oldestWaitingSeconds: number;
  stuck: StuckDocument;
  nodes: Array<NodeDocument>;
  timers: Array<TimerDocument>;
  disk: DiskDocument | null;
  audit: AuditRunDocument | null;
  troubles: Array<string>;
  troublesNow: Array<TroubleDocument>;
}

/** A hold of an affiliate's payments. */
export interface HoldDocument {
  /** Whose payments are held. */
  affiliateId: string;
  /** Why. */
  reason: string;
  /** Who put it, as the trail names people. */
  setBy: string;
  /** When it was put. */
  setAt: string;
  /** When it ends by itself; null if somebody has to end it. */
  until: string | null;
}

/** The body of holdPayments. */
export interface HoldPaymentsBody {
  /** Why. */
  reason: string;
  /** When it ends by itself; never if omitted. */
  until?: string;
}

/** A webhook as the platform last listed it; one with several topics is there once for each. */
export interface HookDocument {
  id: string;
  topic: string;
  alive: boolean;
}

/** An invitation; `url` is its link if the hub did not mail it, `userId` null if the guest is still to register. */
export interface InvitationDocument {
  userId: string | null;
  email: string;
  mailed: boolean;
  url: string | null;
  expiresAt: string | null;
}

/** The body of inviteUser. */
export interface InviteUserBody {
  /** The person's e-mail address. */
  email: string;
  /** The role. */
  role: "operator" | "operator-admin" | "merchant" | "affiliate";
  /** Which merchant, for the role merchant. */
  merchantId?: string;
  /** Which affiliate, for the role affiliate. */
  affiliateId?: string;
  /** For the role merchant. */
  level?: "owner" | "viewer";
  /** What the person is called. */
  name?: string;
}

/** A key that was just issued, with the secret that is never shown again. */
export interface IssuedKeyDocument {
  /** The key's public id. */
  keyId: string;
  /** What signs requests; it is only in this answer. */
  signingSecret: string;
  /** The mode of its account. */
  mode: Mode;
  /** The merchant. */
  merchantId: string;
  /** Address ranges (CIDR) that it is accepted from; none allow any. */
  allowedIps: Array<string>;
  /** When it ends; null if it does not. */
  expiresAt: string | null;
  /** When it was made. */
  createdAt: string;
  /** The lowest version of the signature that it takes. */
  signatureVersion: number;
  /** What its merchant calls it; null for nothing. */
  name: string | null;
}

/** A legal entity that bills merchants. */
export interface IssuerDocument {
  /** Its code. */
  code: string;
  /** Its legal name. */
  name: string;
  /** Its address, in one line. */
  address: string;
  /** Where it is taxed, ISO 3166. */
  country: string;
  /** Its VAT number; empty for none. */
  vatNumber: string;
  /** VAT in percent on invoices to merchants of its own country. */
  vatRate: string;
  /** Where its merchants pay, as their invoices say it. */
  payTo: string;
  /** Its account: a bank's statement of it pays its invoices alone; empty for none. */
  iban: string;
  /** The number of its next invoice. */
  nextNumber: string;
  /** Who last changed it. */
  setBy: string;
  /** When that was. */
  setAt: string;
}

/** A page of a list. */
export interface IssuerDocumentPage {
  data: Array<IssuerDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** What a run pays an affiliate in one currency; amounts are decimal text, `commissions` and `adjustments` counts. */
export interface ItemDocument {
  affiliateId: string;
  affiliateName: string | null;
  currency: string;
  amount: string;
  commissions: number;
  adjustments: number;
  adjustmentsAmount: string;
  carried: boolean;
  carriedReason: string | null;
  status: string;
  reference: string | null;
  returnedReason: string | null;
  fileId: string | null;
  question: string | null;
  sentCurrency: string | null;
  sentAmount: string | null;
  exchangeRate: string | null;
}

/** A connection and how many requests to erase it were revoked. */
export interface KeptConnection {
  id: string;
  revoked: number;
}

/** The webhooks after they were looked at: the topics made or woken, and those whose dead ones were deleted. */
export interface KeptWebhooks {
  webhooks: Array<HookDocument>;
  made: Array<string>;
  deleted: Array<string>;
}

/** A key without its secret. */
export interface KeyDocument {
  /** The key's public id. */
  keyId: string;
  /** The mode of its account. */
  mode: Mode;
  /** The merchant. */
  merchantId: string;
  /** Address ranges (CIDR) that it is accepted from; none allow any. */
  allowedIps: Array<string>;
  /** When it ends; null if it does not. */
  expiresAt: string | null;
  /** When it was revoked; null if it was not. */
  revokedAt: string | null;
  /** When it was made. */
  createdAt: string;
  /** The lowest version of the signature that it takes. */
  signatureVersion: number;
  /** What its merchant calls it; null for nothing. */
  name: string | null;
}

/** A page of a list. */
export interface KeyDocumentPage {
  data: Array<KeyDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The setting of a connection: ask, or off. */
export interface LastLook {
  id: string;
  lastLook: string;
}

/** Whether a rule won, or why it did not. */
export type LevelOutcome = "won" | "no_product" | "no_rule" | "currency_differs";

/** A commission or a correction in a run. */
export interface LineDocument {
  id: string;
  affiliateId: string;
  merchantId: string;
  merchantName: string;
  externalOrderId: string | null;
  amount: string;
  currency: string;
  reason: string | null;
  status: string;
}

/** A tracking link that was just created. */
export interface LinkCreated {
  /** What follows /t/ in the address. */
  code: string;
  /** The address that the affiliate shares. */
  url: string;
  /** Where it leads. */
  destination: string;
  /** Whose link it is. */
  affiliateId: string;
  /** The campaign that its orders count to. */
  campaignId: string | null;
  /** The product that it leads to; null without one. */
  productId: string | null;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** What the link is called, such as where it stands. */
  name: string | null;
  /** The affiliate's notes, sub1 to sub5. */
  subIds: { [name: string]: unknown };
}

/** A tracking link of an affiliate. */
export interface LinkRecord {
  /** What follows /t/ in the address. */
  code: string;
  /** The address that the affiliate shares. */
  url: string;
  /** Where it leads. */
  destination: string;
  /** Whose link it is. */
  affiliateId: string;
  /** The campaign that its orders count to. */
  campaignId: string | null;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The affiliate's name. */
  affiliateName: string | null;
  /** The mode of the account. */
  mode: Mode;
  /** When it was created. */
  createdAt: string;
  /** When it last changed, as the change feed numbered it. */
  updatedAt: string;
  /** Since when it records no clicks; null while it does. */
  disabledAt: string | null;
  /** What the link is called, such as where it stands. */
  name: string | null;
  /** The affiliate's notes, sub1 to sub5. */
  subIds: { [name: string]: unknown };
}

/** A page of a list. */
export interface LinkRecordPage {
  data: Array<LinkRecord>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A correction with the mode of its account and the name of its affiliate. */
export interface ListedAdjustment {
  id: string;
  accountId: string;
  affiliateId: string;
  kind: string;
  amount: string;
  currency: string;
  reason: string;
  externalOrderId: string | null;
  commissionId: string | null;
  paidReference: string | null;
  payoutId: string | null;
  status: string;
  createdBy: string;
  createdAt: string;
  decidedBy: string | null;
  decidedAt: string | null;
  mode: string;
  affiliateName: string | null;
}

/** A page of a list. */
export interface ListedAdjustmentPage {
  data: Array<ListedAdjustment>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** An affiliate in a list. */
export interface ListedAffiliate {
  /** The hub's id. */
  id: string;
  /** The affiliate's name. */
  name: string;
  /** Where mails to it go. */
  email: string;
  /** INACTIVE ones earn nothing. */
  status: AffiliateStatus;
  /** Where it promotes: websites, profiles, newsletters; empty for nothing. */
  channels: string | null;
  /** When it was created. */
  createdAt: string;
}

/** A page of a list. */
export interface ListedAffiliatePage {
  data: Array<ListedAffiliate>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A campaign in a list; `status` is the one in effect. */
export interface ListedCampaign {
  /** The hub's id. */
  id: string;
  /** A short code for people. */
  code: string;
  /** The campaign's title. */
  title: string;
  /** The effective status: EXPIRED once endDate has passed. */
  status: CampaignStatus;
  /** Where an admin's approval stands; NOT_REQUIRED where none is asked for. */
  approvalStatus: ApprovalStatus;
  /** Whether it may stand in the public listing. */
  listed: boolean;
  /** Whether affiliates join at once or by the merchant's approval. */
  joining: "OPEN" | "BY_APPROVAL";
  /** Whose it is. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
}

/** A page of a list. */
export interface ListedCampaignPage {
  data: Array<ListedCampaign>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A commission in a list, with the account that owes it. */
export interface ListedCommission {
  /** The hub's id. */
  id: string;
  /** PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED. */
  state: CommissionState;
  /** What the affiliate earns, in `currency`. */
  amount: Money;
  /** The order's currency. */
  currency: Currency;
  /** The money that the commission is taken from, refunds deducted. */
  base: Money;
  /** The level whose rule won; MIXED if the lines differ. */
  source: CommissionSource;
  /** Who earns it. */
  affiliateId: string;
  /** The order that it is for. */
  conversionId: string;
  /** When the hold ends; null if none runs. */
  holdUntil: string | null;
  /** When it was paid; null until then. */
  paidAt: string | null;
  /** The reference of the payment; null until it is paid. */
  reference: string | null;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The affiliate's name. */
  affiliateName: string | null;
  /** The mode of the account. */
  mode: Mode;
  /** The moment of its latest change, or of its order's. */
  updatedAt: string;
}

/** A page of a list. */
export interface ListedCommissionPage {
  data: Array<ListedCommission>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A merchant in a list. */
export interface ListedMerchant {
  /** The hub's id. */
  id: string;
  /** What it is called. */
  name: string;
  /** Where mails to it go. */
  email: string;
  /** Its approved domains. */
  domains: Array<string>;
  /** CLOSED once it is closed. */
  status: "PENDING" | "IN_REVIEW" | "APPROVED" | "REJECTED" | "SUSPENDED" | "CLOSED";
  /** Whether it may issue live keys itself; null if it never asked. */
  liveAccess: LiveAccess | null;
  /** When it was created. */
  createdAt: string;
}

/** A page of a list. */
export interface ListedMerchantPage {
  data: Array<ListedMerchant>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** Whether a merchant may use its live account itself. */
export type LiveAccess = "ASKED" | "GRANTED" | "REFUSED";

/** A mail, without its link. */
export interface MailDocument {
  /** The hub's id. */
  id: string;
  /** The address that it goes to. */
  to: string;
  /** What it is about, a word. */
  template: string;
  /** How far it is. */
  status: "WAITING" | "SENT" | "GIVEN_UP";
  /** How often it was tried. */
  attempts: number;
  /** When it was written. */
  createdAt: string;
  /** When it is tried next; null if it is not. */
  dueAt: string | null;
  /** When it was sent or given up; null until then. */
  finishedAt: string | null;
  /** Why the last attempt failed; null if it did not. */
  fault: string | null;
}

/** A page of a list. */
export interface MailDocumentPage {
  data: Array<MailDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** An affiliate's membership in a campaign; without a rate of its own (`commissionType`) the campaign's counts. */
export interface MembershipDocument {
  /** The campaign. */
  campaignId: string;
  /** The campaign's code. */
  campaignCode: string;
  /** The campaign's title. */
  campaignTitle: string;
  /** The campaign's merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate. */
  affiliateId: string;
  /** The affiliate's name. */
  affiliateName: string;
  /** Where mails to the affiliate go. */
  affiliateEmail: string;
  /** APPLIED, APPROVED, REJECTED or REMOVED. */
  status: MembershipStatus;
  /** The kind of its own rate; null: the campaign's. */
  commissionType: CommissionType | null;
  /** Its own rate; null: the campaign's. */
  commissionValue: string | null;
  /** What the affiliate wrote. */
  message: string | null;
  /** What the merchant gave for the status. */
  reason: string | null;
  /** When it applied or joined. */
  appliedAt: string;
  /** When that was decided; null until then. */
  decidedAt: string | null;
  /** Where it promotes: websites, profiles, newsletters; empty for nothing. */
  channels: string | null;
}

/** A page of a list. */
export interface MembershipDocumentPage {
  data: Array<MembershipDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** How far an affiliate's wish to take part in a campaign is. */
export type MembershipStatus = "APPLIED" | "APPROVED" | "REJECTED" | "REMOVED";

/** A merchant; `status` is CLOSED once it is closed, and `statusReason` is what the operator gave for the status. */
export interface MerchantDocument {
  /** The hub's id. */
  id: string;
  /** CLOSED once it is closed. */
  status: "PENDING" | "IN_REVIEW" | "APPROVED" | "REJECTED" | "SUSPENDED" | "CLOSED";
  /** What it is called. */
  name: string;
  /** Where mails to it go. */
  email: string;
  /** Its approved domains. */
  domains: Array<string>;
  /** Of its prices and FIXED commissions, for good. */
  currency: string;
  /** PERCENTAGE or FIXED; null: as the hub's. */
  commissionType: CommissionType | null;
  /** Percent of an order, or money in `currency`. */
  commissionValue: string | null;
  /** How long its commissions are held, in milliseconds; null: as the hub's. */
  holdMs: number | null;
  /** The ids of its two accounts. */
  accounts: AccountIds;
  /** Whether it may issue live keys itself; null if it never asked. */
  liveAccess: LiveAccess | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** What the operator gave as the reason of its status; null if nothing. */
  statusReason: string | null;
  /** When it was closed; null while it is not. */
  closedAt: string | null;
}

/** A merchant's month; the month is one of the books, in their time zone. */
export interface MerchantStatement {
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** TEST for a test account, null for a live one. */
  mark: string | null;
  /** The month, like 2026-11. */
  month: string;
  /** How lines and totals are rounded. */
  rounding: string;
  /** When a commission and the network's fee for it are owed: when it is `paid`, or when it becomes `payable`. */
  billed: BilledWhen;
  /** What is owed for it, by currency. */
  owed: Array<OwedDocument>;
}

/** A message; `author` is "affiliate", "merchant" or "operator", `readAt` when the other side first saw it. */
export interface MessageDocument {
  /** The hub's id. */
  id: string;
  /** Which side wrote it. */
  author: "affiliate" | "merchant" | "operator";
  /** What was written. */
  text: string;
  /** When it was written. */
  writtenAt: string;
  /** When the other side first saw it; null until then. */
  readAt: string | null;
}

/** A page of a list. */
export interface MessageDocumentPage {
  data: Array<MessageDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The kinds of messages that subscribers get. */
export type MessageType = "commission.created" | "commission.held" | "commission.payable" | "commission.rejected" | "commission.adjusted" | "commission.paid" | "conversion.review" | "connection.silent" | "connection.refused" | "connection.recovered" | "payout.released" | "deposit.short";

/** Whether money may move: test and live accounts have nothing in common. */
export type Mode = "test" | "live";

/** An amount in major units, as text, with at most as many decimals as its currency has. */
export type Money = string;

/** A sum in major units, as text, which may be less than nothing. */
export type MoneySum = string;

/** A process that serves or served; `clockJumpSeconds` is 0 if its clock is trusted. */
export interface NodeDocument {
  nodeId: string;
  serves: boolean;
  startedAt: string;
  seenAt: string;
  masterKeys: Array<string>;
  clockJumpSeconds: number;
}

/** A page of a list. */
export interface NodeDocumentPage {
  data: Array<NodeDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of noteReceipt. */
export interface NoteReceiptBody {
  /** The number of the invoice. */
  invoice: number;
  /** The reference of the payment. */
  reference: string;
  /** In the invoice's currency; negative if it was paid back. */
  amount: string;
  /** The bank's day; today if omitted. */
  bookedOn?: string;
}

/** A question about an order; `details` are what the shop states otherwise, if that is the question. */
export interface OrderReviewDocument {
  /** The order. */
  conversionId: string;
  /** The shop's number of the order. */
  externalOrderId: string;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** What is asked, a word. */
  reason: string;
  /** What the shop states otherwise, by name. */
  details: { [name: string]: unknown };
  /** The delivery that raised it. */
  eventId: string;
  /** When it was raised. */
  openedAt: string;
  /** When a person closed it; null while it is open. */
  closedAt: string | null;
  /** What was done; null while it is open. */
  note: string | null;
}

/** A page of a list. */
export interface OrderReviewDocumentPage {
  data: Array<OrderReviewDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** What a merchant owes for a month in one currency: commissions paid, corrections, and the network's fee. */
export interface OwedDocument {
  /** The currency of the money. */
  currency: Currency;
  /** Commissions that were paid in the month, or became payable in it: `billed` says which. */
  commissions: MoneySum;
  /** How many. */
  payments: number;
  /** Corrections of earlier ones. */
  corrections: MoneySum;
  /** The network's fee. */
  fee: MoneySum;
  /** What your deposit has paid of it, at most nought. */
  deposit: MoneySum;
  /** What is owed. */
  total: MoneySum;
}

/** How much of an invoice is paid, as decimal text in its currency; negative if a credit note is used up. */
export interface PaidInvoice {
  invoice: number;
  amount: string;
  currency: string;
}

/** One side of an invoice in parts, each empty if it is not known; `country` is two letters (ISO 3166). */
export interface PartyDocument {
  name: string;
  address: string;
  country: string;
  vatNumber: string;
  vatProof: string;
}

/** The body of payCommission. */
export interface PayCommissionBody {
  /** The reference of the payment. */
  reference: string;
}

/** A payee as it is shown: of an IBAN only the last digits. */
export interface PayeeDocument {
  affiliateId: string;
  legalName: string;
  street: string;
  postalCode: string;
  city: string;
  country: string;
  method: string;
  account: string;
  taxId: string | null;
  business: boolean;
  selfBilling: boolean;
  changedAt: string;
  waits: boolean;
}

/** Who the statement is for, as the payee was when an invoice was issued, else as it is now. */
export interface PayeeLines {
  name: string;
  address: Array<string>;
  taxId: string | null;
}

/** A commission with its payout; `amount` and `base` are decimal text in `currency`. */
export interface PayoutDocument {
  /** The hub's id. */
  id: string;
  /** PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED. */
  state: CommissionState;
  /** What the affiliate earns, in `currency`. */
  amount: Money;
  /** The order's currency. */
  currency: Currency;
  /** The money that the commission is taken from, refunds deducted. */
  base: Money;
  /** The level whose rule won; MIXED if the lines differ. */
  source: CommissionSource;
  /** Who earns it. */
  affiliateId: string;
  /** The order that it is for. */
  conversionId: string;
  /** When the hold ends; null if none runs. */
  holdUntil: string | null;
  /** When it was paid; null until then. */
  paidAt: string | null;
  /** The reference of the payment; null until it is paid. */
  reference: string | null;
}

/** An account's share of a payment to an affiliate. */
export interface PayoutNews {
  /** The run. */
  payoutId: string;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate's notes on the click, if there are any. */
  subIds?: { [name: string]: unknown };
  /** True in a message that was asked for as a test: nothing has happened. */
  sample?: boolean;
  /** Who is paid. */
  affiliateId: string;
  /** The share; less than nothing if corrections exceed it. */
  amount: MoneySum;
  /** Its currency. */
  currency: Currency;
}

/** An account's share of a payment to an affiliate. */
export interface PayoutNewsMessage {
  /** What happened. */
  type: "payout.released";
  /** When it happened. */
  timestamp: string;
  data: PayoutNews;
}

/** What an affiliate chose: `minimum` like 25 or EUR:25, empty: the network's alone; no `currencies`: all of them. */
export interface PayoutTerms {
  affiliateId: string;
  minimum: string;
  currencies: Array<string>;
  waits: boolean;
  paidIn: string;
  setBy: string | null;
  setAt: string | null;
}

/** What a connection's platform is asked with, and what came of it. */
export interface PlatformDocument {
  id: string;
  canAsk: boolean;
  hasCredentials: boolean;
  fields: Array<CredentialField>;
  consent: string | null;
  consentReady: boolean;
  consentFields: Array<CredentialField>;
  consentFault: string | null;
  consentFaultSince: string | null;
  readsOrders: boolean;
  readsProducts: boolean;
  readsEvery: number;
  checkedAt: string | null;
  fault: string | null;
  faultSince: string | null;
  certainUntil: string | null;
  nextAt: string | null;
  webhooks: Array<HookDocument>;
  webhooksWanted: Array<string>;
  webhooksAt: string | null;
  lastLook: string | null;
  reads: Array<ReadDocument>;
  fetches: Array<FetchDocument>;
}

/** A campaign's policy; `sentence` is what affiliates read of it, `rule` CLICK, COUPON or COUPON_WITHOUT_CLICK. */
export interface PolicyDocument {
  campaignId: string;
  campaignCode: string;
  rule: string;
  newCustomersOnly: boolean;
  excludedCoupons: Array<string>;
  excludedProducts: Array<string>;
  excludedSubAffiliates: Array<string>;
  flagsVisitors: boolean;
  renewals: string;
  renewalTimes: number;
  customerDays: number;
  sentence: string;
}

/** A rate that was tried: how many orders were priced and how many would change, in all and by whom and what. */
export interface PreviewDocument {
  target: string;
  commission: string;
  days: number;
  priced: number;
  changed: number;
  totals: Array<Changed>;
  affiliates: Array<ChangedBy>;
  products: Array<ChangedBy>;
  orders: Array<ChangedBy>;
}

/** The body of previewPayout. */
export interface PreviewPayoutBody {
  /** The mode of the account. */
  mode: Mode;
  /** Only what was payable before this moment; now if omitted. */
  before?: string;
  /** ISO 4217. */
  currency?: string;
  /** The least payment, instead of the settings'. */
  minimum?: string;
  /** The `nextLine` of the page before. */
  after?: string;
  /** The `nextItem` of the page before. */
  afterItem?: string;
}

/** A run that would be made, and the merchants of which it pays nothing, because they owe too much overdue. */
export interface PreviewedRun {
  id: string | null;
  status: string;
  mode: string;
  mark: string | null;
  currency: string | null;
  cutoff: string;
  createdBy: string | null;
  createdAt: string | null;
  releasedBy: string | null;
  releasedAt: string | null;
  minimum: string;
  totals: Array<TotalDocument>;
  items: Array<ItemDocument>;
  nextItem: string | null;
  lines: Array<LineDocument>;
  nextLine: string | null;
  lineCount: number;
  stopped: Array<StoppedMerchant>;
}

/** A product as stored; amounts are decimal strings in `currency`, times RFC 3339 in UTC. */
export interface ProductRecord {
  /** The hub's id. */
  id: string;
  /** The merchant's own id of the product; the upsert key. */
  externalProductId: string;
  /** The name buyers see. */
  name: string;
  /** Free text. */
  description: string | null;
  /** The product's page: http or https, on an approved domain of the merchant or a subdomain of one. */
  productUrl: string;
  /** A picture of the product: http or https. */
  imageUrl: string | null;
  /** The merchant's own category. */
  category: string | null;
  /** The maker's name. */
  brand: string | null;
  /** The price in the product's currency. */
  price: Money;
  /** The reduced price in the product's currency. */
  discountPrice: Money | null;
  /** ISO 4217 code; without one it is the merchant's currency. */
  currency: Currency;
  /** Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status. */
  stockStatus: string | null;
  /** How the commission is reckoned; comes with its value. */
  commissionType: CommissionType | null;
  /** PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency. */
  commissionValue: string | null;
  /** A campaign of the same account, whose default the product inherits. */
  campaignId: string | null;
  /** ACTIVE until stock, a PATCH or archiving says otherwise. */
  status: ProductStatus;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
}

/** A page of a list. */
export interface ProductRecordPage {
  data: Array<ProductRecord>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** ACTIVE until stock, a PATCH or archiving says otherwise. */
export type ProductStatus = "ACTIVE" | "INACTIVE" | "OUT_OF_STOCK" | "ARCHIVED";

/** A merchant's profile; `fields` has what was filled in, `missing` the names of what an approval needs beside it. */
export interface ProfileDocument {
  merchantId: string;
  name: string;
  status: string;
  fields: { [name: string]: unknown };
  missing: Array<string>;
  liveAccess: string | null;
  liveAskedAt: string | null;
  liveNote: string | null;
  liveReason: string | null;
}

/** The body of proposeClose. */
export interface ProposeCloseBody {
  /** A month of the books that is over. */
  month: string;
  /** Close it even if merchants owe amounts that are not invoiced. */
  anyway?: boolean;
}

/** The body of proposeExchangeRates. */
export interface ProposeExchangeRatesBody {
  /** So many of the second currency for one of the first; commas are between them. */
  rates: string;
  /** Where they are from. */
  source: string;
}

/** A reading; `news` are the orders that it brought news of, `created` how many the hub did not know. */
export interface ReadDocument {
  id: string;
  kind: string;
  status: string;
  since: string;
  pages: number;
  items: number;
  unknownOrders: number;
  outcomes: { [name: string]: unknown };
  news: Array<string>;
  reason: string | null;
  continuesAt: string | null;
  createdAt: string;
  finishedAt: string | null;
}

/** Something that was reported of an order, whether it changed the commission, and the reason given with it. */
export interface ReasonedFact {
  /** What was reported, such as delivered. */
  status: string;
  /** When it happened. */
  at: string;
  /** When it was received. */
  receivedAt: string;
  /** Whether it changed the commission. */
  applied: boolean;
  /** Why it did not; null if it did, or if there is no commission. */
  skipReason: SkipReason | null;
  /** The submission that reported it. */
  eventId: string;
  /** The reason that was reported with it; null once its body is deleted. */
  reason: string | null;
}

/** A merchant's payment; `amount` is decimal text in `currency`, negative if it was paid back to the merchant. */
export interface ReceiptDocument {
  id: string;
  source: "statement" | "by_hand" | "set_off";
  bookedOn: string;
  amount: string;
  currency: string;
  left: string;
  payer: string;
  remittance: string;
  status: "OPEN" | "MATCHED" | "CLOSED";
  question: ReceiptQuestion | null;
  decision: string | null;
  pays: Array<PaidInvoice>;
  notedBy: string;
  notedAt: string;
}

/** A page of a list. */
export interface ReceiptDocumentPage {
  data: Array<ReceiptDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** Why a person has to look at what a merchant paid. */
export type ReceiptQuestion = "unmatched" | "several" | "part_paid" | "overpaid" | "already_paid" | "other_currency" | "other_issuer";

/** Orders that a reading found and that had never arrived. */
export interface RecoveredConnection {
  /** The connection. */
  connectionId: string;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate's notes on the click, if there are any. */
  subIds?: { [name: string]: unknown };
  /** True in a message that was asked for as a test: nothing has happened. */
  sample?: boolean;
  /** The platform. */
  connector: string;
  /** What you call it; null without a name. */
  title: string | null;
  /** When the reading ended. */
  at: string;
  /** How many orders were read. */
  read: number;
  /** How many of them had never arrived. */
  unknownOrders: number;
}

/** Orders that a reading found and that had never arrived. */
export interface RecoveredConnectionMessage {
  /** What happened. */
  type: "connection.recovered";
  /** When it happened. */
  timestamp: string;
  data: RecoveredConnection;
}

/** A platform that refuses the hub's credentials. */
export interface RefusedConnection {
  /** The connection. */
  connectionId: string;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate's notes on the click, if there are any. */
  subIds?: { [name: string]: unknown };
  /** True in a message that was asked for as a test: nothing has happened. */
  sample?: boolean;
  /** The platform. */
  connector: string;
  /** What you call it; null without a name. */
  title: string | null;
  /** When it refused. */
  at: string;
  /** What it answered, a sentence. */
  reason: string;
}

/** A platform that refuses the hub's credentials. */
export interface RefusedConnectionMessage {
  /** What happened. */
  type: "connection.refused";
  /** When it happened. */
  timestamp: string;
  data: RefusedConnection;
}

/** The body of reinstatePayment. */
export interface ReinstatePaymentBody {
  /** The affiliate. */
  affiliateId: string;
  /** Why. */
  reason: string;
  /** ISO 4217. */
  currency?: string;
}

/** The body of rejectAdjustment. */
export interface RejectAdjustmentBody {
  /** Why. */
  note?: string;
}

/** The body of rejectMerchant. */
export interface RejectMerchantBody {
  /** Why, for the other side to read. */
  reason?: string;
}

/** The body of replayDeliveries. */
export interface ReplayDeliveriesBody {
  /** This message alone. */
  messageId?: string;
  /** Everything since this long ago, like 2d. */
  since?: string;
}

/** How many messages are sent again. */
export interface Replayed {
  replayed: number;
}

/** A request; `id` is its place in the log, `status` the HTTP status, `detail` what was wrong. */
export interface RequestDocument {
  /** The entry's place in the log. */
  id: string;
  /** When it came. */
  at: string;
  /** Its method. */
  method: string;
  /** Its path, without the query. */
  path: string;
  /** The HTTP status of its answer. */
  status: number;
  /** Why it was refused; null if it was not. */
  errorCode: string | null;
  /** The id that its answer carried as X-Request-ID. */
  requestId: string;
  /** The key that it named. */
  keyId: string | null;
  /** The address that it came from. */
  client: string;
  /** The mode of the account. */
  mode: Mode | null;
  /** How long the answer took, in milliseconds. */
  durationMs: number;
  /** What was wrong, or which fields were ignored. */
  detail: { [name: string]: unknown } | null;
}

/** A page of a list. */
export interface RequestDocumentPage {
  data: Array<RequestDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of requireDeposit. */
export interface RequireDepositBody {
  /** Whether commissions wait until they are covered. */
  required: boolean;
}

/** The body of requireSignatures. */
export interface RequireSignaturesBody {
  /** The mode of the account. */
  mode: Mode;
  /** Whether tokens are refused there. */
  required: boolean;
}

/** How many messages are tried now. */
export interface Retried {
  retried: number;
}

/** The body of retryDeliveries. */
export interface RetryDeliveriesBody {
  /** This message alone. */
  messageId?: string;
}

/** The body of returnPayment. */
export interface ReturnPaymentBody {
  /** The affiliate. */
  affiliateId: string;
  /** Why. */
  reason: string;
  /** ISO 4217. */
  currency?: string;
}

/** An order that a person has to look at. */
export interface ReviewNews {
  /** The order. */
  conversionId: string;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate's notes on the click, if there are any. */
  subIds?: { [name: string]: unknown };
  /** True in a message that was asked for as a test: nothing has happened. */
  sample?: boolean;
  /** The shop's number of the order. */
  externalOrderId?: string;
  /** The campaign that it counts to; null without one. */
  campaignId: string | null;
  /** The click that it came by; null without one. */
  clickId: string | null;
  /** When it was placed. */
  orderedAt: string;
  /** The order's currency. */
  currency: Currency;
  /** What the order came to. */
  orderAmount: Money;
  /** Why, a word. */
  reason: string;
  /** The affiliate who may have earned it; null without one. */
  candidateId: string | null;
}

/** An order that a person has to look at. */
export interface ReviewNewsMessage {
  /** What happened. */
  type: "conversion.review";
  /** When it happened. */
  timestamp: string;
  data: ReviewNews;
}

/** OPEN while a person has to decide. */
export type ReviewState = "OPEN" | "ATTRIBUTED" | "DISMISSED";

/** An order as it is now, with its commission and everything that was reported of it. */
export interface ReviewedConversion {
  /** The hub's id. */
  id: string;
  /** The merchant's order number. */
  externalOrderId: string;
  /** What the commission is taken from, in `currency`. */
  orderAmount: Money;
  /** The order's currency. */
  currency: Currency;
  /** HIGH if a live click, or a rule of the campaign, proves whose order it is; else LOW. */
  confidence: Confidence;
  /** matched, or the first check that failed. */
  reason: AttributionReason;
  /** Whose order it is; null while nobody's. */
  affiliateId: string | null;
  /** The campaign that it counts to. */
  campaignId: string | null;
  /** The affiliate that a weaker signal names. */
  candidateId: string | null;
  /** The click id that was reported. */
  clickId: string | null;
  /** The coupon that was reported. */
  couponCode: string | null;
  /** OPEN while a person has to decide, ATTRIBUTED or DISMISSED afterwards; null if none was needed. */
  review: ReviewState | null;
  /** When the buyer ordered. */
  orderedAt: string;
  /** When it was received. */
  receivedAt: string;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The affiliate's name. */
  affiliateName: string | null;
  /** The mode of the account. */
  mode: Mode;
  /** The submission that created it. */
  eventId: string;
  /** What it earns; null if nothing. */
  commission: CommissionOfOrder | null;
  /** What was reported of the order, in the order in which it counts. */
  facts: Array<FactRecord>;
}

/** The body of revokeRole. */
export interface RevokeRoleBody {
  /** The role. */
  role: "operator" | "operator-admin" | "merchant" | "affiliate";
  /** Which merchant, for the role merchant. */
  merchantId?: string;
  /** Which affiliate, for the role affiliate. */
  affiliateId?: string;
  /** For the role merchant. */
  level?: "owner" | "viewer";
}

/** What a user may see; `level` (owner or viewer) is a merchant's only. */
export interface RoleDocument {
  role: string;
  merchantId: string | null;
  affiliateId: string | null;
  level: string | null;
}

/** The body of rotateKey. */
export interface RotateKeyBody {
  /** How long the old secret still works, like 24h. */
  overlap?: string;
}

/** The body of rotateSubscriptionSecret. */
export interface RotateSubscriptionSecretBody {
  /** How long the old secret still works, like 24h. */
  overlap?: string;
}

/** The level of a commission rule, the first one that has one wins. */
export type RuleLevel = "PRODUCT" | "NEW_CUSTOMER" | "CAMPAIGN" | "MERCHANT" | "PLATFORM";

/** A run; `status` is PREVIEW or a word of `PayoutStatus` (hub/domain/words.py), `id` is null for a preview. */
export interface RunDocument {
  id: string | null;
  status: string;
  mode: string;
  mark: string | null;
  currency: string | null;
  cutoff: string;
  createdBy: string | null;
  createdAt: string | null;
  releasedBy: string | null;
  releasedAt: string | null;
  minimum: string;
  totals: Array<TotalDocument>;
  items: Array<ItemDocument>;
  nextItem: string | null;
}

/** A page of a list. */
export interface RunDocumentPage {
  data: Array<RunDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A test message that is on its way; what became of it is in the subscription's messages. */
export interface SampleQueued {
  messageId: string;
  type: string;
}

/** A secret of a connection, without the secret itself. */
export interface SecretDocument {
  /** The secret's id. */
  id: string;
  /** Since when it is valid. */
  createdAt: string;
  /** When it ends; null while it has no end. */
  expiresAt: string | null;
}

/** The body of selfBillTo. */
export interface SelfBillToBody {
  /** Its code; first is the company of the settings. */
  issuer: string;
}

/** To whom an affiliate's self-billed invoices are; as `BilledBy` says it. */
export interface SelfBilledTo {
  affiliateId: string;
  issuer: string;
  name: string | null;
}

/** The numbers under which other orders of one number count from now on, such as 576~2. */
export interface SeparatedOrders {
  conversionId: string;
  orders: Array<string>;
}

/** The body of setBilling. */
export interface SetBillingBody {
  /** When it is paid, or when it becomes payable. */
  billed: BilledWhen;
}

/** The body of setBooks. */
export interface SetBooksBody {
  /** The IANA name of the time zone. */
  timeZone: string;
}

/** The body of setCampaignPolicy. */
export interface SetCampaignPolicyBody {
  /** What decides an order. */
  rule?: "CLICK" | "COUPON" | "COUPON_WITHOUT_CLICK";
  /** Whether only orders of new customers earn. */
  newCustomersOnly?: boolean;
  /** Coupons whose orders earn nothing. */
  excludedCoupons?: Array<string>;
  /** Your ids of products that earn nothing. */
  excludedProducts?: Array<string>;
  /** Values of sub-ids whose clicks earn nothing. */
  excludedSubAffiliates?: Array<string>;
  /** Whether suspicious visitors are shown to a person. */
  flagsVisitors?: boolean;
  /** When the renewals of a subscription earn. */
  renewals?: "WITHIN_WINDOW" | "NEVER" | "TIMES" | "ALWAYS";
  /** How many renewals of a subscription earn, with TIMES. */
  renewalTimes?: number;
  /** For how many days an order's customer is known again; 0: never. */
  customerDays?: number;
}

/** The body of setConnectionSite. */
export interface SetConnectionSiteBody {
  /** The site; left out, the next message names it. */
  site?: string;
}

/** The body of setFee. */
export interface SetFeeBody {
  /** In percent. */
  percentage: string;
}

/** The body of setIssuer. */
export interface SetIssuerBody {
  /** Small letters and digits; its invoices are AT-1, AT-2 and so on. */
  code: string;
  /** Its legal name. */
  name: string;
  /** Its address, in one line. */
  address: string;
  /** Where it is taxed, ISO 3166. */
  country: string;
  /** Its VAT number; none if it is left out. */
  vatNumber?: string;
  /** VAT in percent on invoices to merchants of its own country; 0 if it is left out. */
  vatRate?: string;
  /** Where its merchants pay, as their invoices say it. */
  payTo?: string;
  /** Its account: a bank's statement of it pays its invoices alone. */
  iban?: string;
}

/** The body of setLastLook. */
export interface SetLastLookBody {
  /** Whether the platform is asked once more. */
  look: "ask" | "off";
}

/** The body of setMemberRate. */
export interface SetMemberRateBody {
  /** A rule like PERCENTAGE:8 or FIXED:5.00. */
  rate: string;
}

/** The body of setOff. */
export interface SetOffBody {
  /** The number of the credit note. */
  credit: number;
  /** The number of the invoice. */
  invoice: number;
}

/** The body of setPayee. */
export interface SetPayeeBody {
  /** Who is paid. */
  legalName: string;
  /** Street and number. */
  street: string;
  /** Postal code. */
  postalCode: string;
  /** Town. */
  city: string;
  /** ISO 3166, two letters. */
  country: string;
  /** Where the money goes. */
  method: "iban" | "ach" | "bacs" | "paypal" | "wise" | "stripe";
  /** The IBAN, the account's number, e-mail address or Stripe id. */
  account: string;
  /** The bank's routing number (ach) or sort code (bacs). */
  bankCode?: string;
  /** What an American account is (ach). */
  accountType?: "checking" | "savings";
  /** The bank's BIC, if the country needs one. */
  bic?: string;
  /** VAT number, or another tax number. */
  taxId?: string;
  /** The payee is a business. */
  business?: boolean;
  /** It agreed that the hub writes its invoices. */
  selfBilling?: boolean;
}

/** The body of setPayoutTerms. */
export interface SetPayoutTermsBody {
  /** The least amount paid, like 25 or EUR:25; the network's holds as well. */
  minimum?: string;
  /** The only currencies that are paid, with commas between them. */
  currencies?: string;
  /** The currency that everything is exchanged into; empty: paid in what was earned. */
  paidIn?: string;
  /** Carry all balances on until this is false again. */
  waits?: boolean;
}

/** The body of setTaxDetails. */
export interface SetTaxDetailsBody {
  /** When the person was born. */
  birthDate?: string;
  /** The number of the business in its register. */
  registrationNumber?: string;
  /** The tax number; the one of the payment details if it is left out. */
  tin?: string;
  /** Who gave it, ISO 3166. */
  tinCountry?: string;
  /** Whose account it is, if that is somebody else. */
  accountHolder?: string;
}

/** A setting as it is in force; a secret's value is not shown. */
export interface SettingDocument {
  path: string;
  value: string;
  origin: string;
  meaning: string;
}

/** A page of a list. */
export interface SettingDocumentPage {
  data: Array<SettingDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** The body of settlePayout. */
export interface SettlePayoutBody {
  /** The reference of the payment. */
  reference: string;
  /** Only the payments in this file. */
  fileId?: string;
  /** The affiliate. */
  affiliateId?: string;
  /** ISO 4217. */
  currency?: string;
}

/** A run after what the bank said: how many payments arrived, came back, are under way, and are questions. */
export interface SettlementDocument {
  id: string | null;
  status: string;
  mode: string;
  mark: string | null;
  currency: string | null;
  cutoff: string;
  createdBy: string | null;
  createdAt: string | null;
  releasedBy: string | null;
  releasedAt: string | null;
  minimum: string;
  totals: Array<TotalDocument>;
  items: Array<ItemDocument>;
  nextItem: string | null;
  settled: number;
  returned: number;
  pending: number;
  questions: number;
}

/** An account that several affiliates are paid to; of `account` only the last digits. */
export interface SharedAccount {
  method: string;
  account: string;
  affiliateIds: Array<string>;
}

/** A page of a list. */
export interface SharedAccountPage {
  data: Array<SharedAccount>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** An event with what was submitted beside its facts: null if nothing was, or once the body is deleted. */
export interface ShownEvent {
  /** The id that the submission was answered with. */
  eventId: string;
  /** What was submitted. */
  type: EventType;
  /** The webhook's kind, such as order-created; null for a conversion or an order status. */
  kind: WebhookKind | null;
  /** RECEIVED or QUEUED until processed, then PROCESSED, SKIPPED, PARKED, UNMATCHED or FAILED. */
  status: EventStatus;
  /** When it was accepted. */
  receivedAt: string;
  /** When it was decided; null until then, and while PARKED. */
  processedAt: string | null;
  /** How often it was taken up. */
  attempts: number;
  /** The conversion it belongs to; null where there is none. */
  conversionId: string | null;
  /** The connection that it came by. */
  connectionId: string | null;
  /** The platform's name of what it says. */
  topic: string | null;
  /** The sender's id of it. */
  externalEventId: string | null;
  /** The merchant's order number, once it is known. */
  externalOrderId: string | null;
  /** When the worker takes it up; null if it is decided. */
  dueAt: string | null;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** What was decided and why, as it stood when the event was processed. */
  explanation: { [name: string]: unknown } | null;
  /** The reason that was submitted with it. */
  reason: string | null;
  /** What else was submitted with it. */
  metadata: { [name: string]: unknown } | null;
}

/** An invoice with what became of it. */
export interface ShownInvoice {
  number: number;
  merchantId: string;
  billedTo: Array<string>;
  month: string;
  currency: string;
  commissions: string;
  payments: number;
  corrections: string;
  fee: string;
  deposit: string;
  total: string;
  issuedAt: string;
  issuedBy: string;
  timeZone: string;
  issuer: Array<string>;
  net: string;
  vatKind: "none" | "domestic" | "reverse_charge" | "outside";
  vatRate: string;
  vat: string;
  vatNote: string;
  corrects: Array<number>;
  payTo: string;
  dueAt: string;
  paymentReference: string;
  issuerDetails: PartyDocument;
  billedToDetails: PartyDocument;
  invoiceNumber: string;
  issuerCode: string;
  corrected: Array<string>;
  billed: BilledWhen;
  state: "open" | "overdue" | "paid" | "credit";
  paid: string;
  left: string;
  paidOn: string | null;
  overdueSince: string | null;
  reminders: number;
  remindedAt: string | null;
}

/** A page of a list. */
export interface ShownInvoicePage {
  data: Array<ShownInvoice>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A run with a page of its lines; `nextLine` is what the next page is asked for by, null if there is none. */
export interface ShownRun {
  id: string | null;
  status: string;
  mode: string;
  mark: string | null;
  currency: string | null;
  cutoff: string;
  createdBy: string | null;
  createdAt: string | null;
  releasedBy: string | null;
  releasedAt: string | null;
  minimum: string;
  totals: Array<TotalDocument>;
  items: Array<ItemDocument>;
  nextItem: string | null;
  lines: Array<LineDocument>;
  nextLine: string | null;
}

/** In which modes of a merchant only signed requests count, and tokens do not. */
export interface SignaturesDocument {
  merchantId: string;
  test: boolean;
  live: boolean;
}

/** A connected store that has sent nothing for a day. */
export interface SilentConnection {
  /** The connection. */
  connectionId: string;
  /** The merchant. */
  merchantId: string;
  /** The mode of the account. */
  mode: Mode;
  /** The affiliate's notes on the click, if there are any. */
  subIds?: { [name: string]: unknown };
  /** True in a message that was asked for as a test: nothing has happened. */
  sample?: boolean;
  /** The platform. */
  connector: string;
  /** What you call it; null without a name. */
  title: string | null;
  /** When it last sent anything. */
  lastDeliveryAt: string;
}

/** A connected store that has sent nothing for a day. */
export interface SilentConnectionMessage {
  /** What happened. */
  type: "connection.silent";
  /** When it happened. */
  timestamp: string;
  data: SilentConnection;
}

/** A SkipReason, or a sentence behind a word: `unmappable: ...`, `uninteresting: ...`. */
export type SkipExplanation = SkipReason | string;

/** Why something that was reported changed nothing. */
export type SkipReason = "already_known" | "commission_paid" | "stale" | "superseded" | "taken_back" | "test_delivery" | "unknown_order" | "unknown_product" | "not_allowed_from_pending" | "not_allowed_from_hold" | "not_allowed_from_approved" | "not_allowed_from_payable" | "not_allowed_from_rejected";

/** The body of startReading. */
export interface StartReadingBody {
  /** The orders that changed, or the whole catalogue. */
  kind?: "RECONCILIATION" | "CATALOGUE";
  /** How far to look back, like 3d; left out, to the last certain point. */
  since?: string;
}

/** What a run paid an affiliate, and for what; `mark` is "TEST" for a run of test accounts. */
export interface StatementDocument {
  payoutId: string;
  mark: string | null;
  status: string;
  affiliateId: string;
  affiliateName: string;
  payee: PayeeLines | null;
  createdAt: string;
  releasedAt: string | null;
  issuer: string;
  rounding: string;
  parts: Array<StatementPart>;
}

/** An affiliate's account in one currency; amounts are decimal text, `invoice` the number of a self-billed one. */
export interface StatementPart {
  invoice: number | null;
  invoiceAmount: string | null;
  corrects: Array<number>;
  invoiceNumber: string | null;
  corrected: Array<string>;
  invoiceTo: Array<string>;
  vatNote: string;
  currency: string;
  balanceBefore: string;
  commissions: string;
  adjustments: string;
  paid: string;
  balanceAfter: string;
  status: string;
  reference: string | null;
  sentCurrency: string | null;
  sentAmount: string | null;
  exchangeRate: string | null;
  lines: Array<LineDocument>;
}

/** A merchant whose commissions a run leaves out: what it owes overdue, as decimal text, and the limit of that. */
export interface StoppedMerchant {
  merchantId: string;
  merchantName: string;
  currency: string;
  overdue: string;
  limit: string;
}

/** How many messages could not be used, each at most 1,001: then there are more than a thousand. */
export interface StuckDocument {
  failed: number;
  unmatched: number;
  parked: number;
}

/** A subscription; `waiting` counts its messages that were not delivered yet, up to 10,000. */
export interface SubscriptionDocument {
  /** The hub's id. */
  id: string;
  /** Whose account it hears of; null for an affiliate's. */
  merchantId: string | null;
  /** The mode of the account. */
  mode: Mode | null;
  /** Whose it is; null for a merchant's. */
  affiliateId: string | null;
  /** A signed POST, or a GET made of a template. */
  kind: SubscriptionKind;
  /** Where messages are sent. */
  url: string;
  /** What it is for, in your words; empty for nothing. */
  description: string | null;
  /** The types and patterns, as they were given. */
  events: Array<string>;
  /** In which version its messages are sent, as their header says. */
  payloadVersion: string;
  /** PAUSED by somebody, or after five days of failures. */
  status: SubscriptionStatus;
  /** Why it is paused; null while it is not. */
  reason: string | null;
  /** How often it failed in a row. */
  failures: number;
  /** Since when it fails; null while it does not. */
  failingSince: string | null;
  /** Messages that were not delivered yet, up to 10,000. */
  waiting: number;
  /** When it was created. */
  createdAt: string;
}

/** A page of a list. */
export interface SubscriptionDocumentPage {
  data: Array<SubscriptionDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A signed POST, or a GET made of a template. */
export type SubscriptionKind = "WEBHOOK" | "POSTBACK";

/** Whether messages are sent. */
export type SubscriptionStatus = "ACTIVE" | "PAUSED";

/** The body of suspendMerchant. */
export interface SuspendMerchantBody {
  /** Why, for the other side to read. */
  reason?: string;
}

/** The body of takeReceiptBack. */
export interface TakeReceiptBackBody {
  /** Why. */
  reason: string;
}

/** An affiliate's details for tax reports, each null if it is not known; `missing` is what a report lacks. */
export interface TaxDocument {
  affiliateId: string;
  collected: boolean;
  birthDate: string | null;
  registrationNumber: string | null;
  tin: string | null;
  tinCountry: string | null;
  accountHolder: string | null;
  changedAt: string | null;
  missing: Array<"payee" | "birth_date" | "registration_number" | "tin" | "tin_country">;
}

/** The body of testSubscription. */
export interface TestSubscriptionBody {
  /** Of what kind; the first of its own without it. */
  type?: MessageType;
}

/** A job that runs by the clock, and the node that has it; on SQLite one process has all of them. */
export interface TimerDocument {
  name: string;
  owner: string;
  until: string;
  isHeld: boolean;
}

/** A token without its secret; without `userId` nobody's roles bound it. */
export interface TokenDocument {
  /** The hub's id. */
  id: string;
  /** What it is for. */
  name: string;
  /** What it may do. */
  scopes: Array<string>;
  /** The affiliate whose it is; null for others. */
  affiliateId: string | null;
  /** The merchant whose it is; null for others. */
  merchantId: string | null;
  /** The mode of the merchant's account; null without one. */
  mode: Mode | null;
  /** The person whose roles bound it; null for nobody. */
  userId: string | null;
  /** Address ranges (CIDR) that it is accepted from; none allow any. */
  allowedIps: Array<string>;
  /** When it ends; null if it does not. */
  expiresAt: string | null;
  /** When it was revoked; null if it was not. */
  revokedAt: string | null;
  /** When it was used last; null if never. */
  lastUsedAt: string | null;
  /** From where it was used last; null if never. */
  lastAddress: string | null;
  /** When it was made. */
  createdAt: string;
}

/** A page of a list. */
export interface TokenDocumentPage {
  data: Array<TokenDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** What a run pays in one currency, the one that is sent, by how many payments. */
export interface TotalDocument {
  currency: string;
  amount: string;
  payments: number;
}

/** A trouble as it is shown: `object` is what it is about, null for the hub; `runbook` a section of the documents. */
export interface TroubleDocument {
  kind: "nobody_serves" | "backlog" | "disk_short" | "pool_exhausted" | "clock_jumped" | "timers_late" | "audit_violated" | "mail_failing" | "messages_failed" | "mail_given_up" | "receivers_failing" | "plugin_set_aside" | "certificate_ending" | "keys_ending" | "platform_refuses" | "store_silent" | "uploads_stuck" | "replica_behind" | "audit_old" | "backup_old";
  sentence: string;
  object: string | null;
  since: string | null;
  isUrgent: boolean;
  command: string;
  page: string | null;
  runbook: string;
}

/** The body of updateAffiliate. */
export interface UpdateAffiliateBody {
  /** The name. */
  name?: string;
  /** The e-mail address. */
  email?: string;
  /** Coupon codes that are the affiliate's. */
  added?: Array<string>;
  /** Coupon codes that are the affiliate's. */
  removed?: Array<string>;
  /** Where it promotes: websites, profiles, newsletters; empty for nothing. */
  channels?: string;
}

/** The body of updateCampaign. */
export interface UpdateCampaignBody {
  /** The campaign, with the members of the merchant API's campaign. */
  fields?: { [name: string]: unknown };
  /** How long commissions wait, like 14d. */
  hold?: string;
  /** Whether affiliates see it in the catalogue. */
  listed?: boolean;
  /** Who may join. */
  joining?: "OPEN" | "BY_APPROVAL";
}

/** The body of updateKey. */
export interface UpdateKeyBody {
  /** Address ranges that it is accepted from; an empty list allows any. */
  allowedIps?: Array<string>;
  /** How long it is valid, like 90d. */
  expiresIn?: string;
  /** The merchant's name for it; empty for none. */
  name?: string;
}

/** The body of updateMerchant. */
export interface UpdateMerchantBody {
  /** The name. */
  name?: string;
  /** The e-mail address. */
  email?: string;
  /** The domains, in place of all. */
  domains?: Array<string>;
  /** Domains to add. */
  added?: Array<string>;
  /** Domains to remove. */
  removed?: Array<string>;
  /** A rule like PERCENTAGE:8 or FIXED:5.00. */
  commission?: string;
  /** How long commissions wait, like 14d. */
  hold?: string;
}

/** The body of updateMerchantProfile. */
export interface UpdateMerchantProfileBody {
  /** The members of the profile to change; an empty text clears one. */
  fields: { [name: string]: unknown };
}

/** The body of updateSubscription. */
export interface UpdateSubscriptionBody {
  /** Where to send; with placeholders it is a postback. */
  url?: string;
  /** Events or patterns. */
  events?: Array<string>;
  /** What it is for, in your words; empty for nothing. */
  description?: string;
  /** In which version messages are sent from now on. */
  payloadVersion?: string;
}

/** A CSV file on its way: it is applied in the background, and its counts grow as its rows are decided. */
export interface UploadDocument {
  /** Ask GET /v1/uploads/{id} for it. */
  uploadId: string;
  /** What its rows are. */
  kind: UploadKind;
  /** Whether its rows are only judged. */
  dryRun: boolean;
  /** QUEUED, RUNNING, DONE, or REFUSED: the file as a whole cannot be read. */
  status: UploadStatus;
  /** The file's size. */
  bytes: number;
  /** How much of it is decided. */
  bytesRead: number;
  /** Rows that are decided. */
  rows: number;
  /** Rows that brought something new. */
  created: number;
  /** Rows that changed a known product. */
  updated: number;
  /** Rows that said what was known. */
  duplicate: number;
  /** Rows that were left out; the verdicts say why. */
  failed: number;
  /** Columns that mean nothing here. */
  ignoredColumns: Array<string>;
  /** Why the file was refused. */
  faults: Array<string>;
  /** When it came in. */
  createdAt: string;
  /** When its turn came; null until then. */
  startedAt: string | null;
  /** When its last row was decided; null until then. */
  finishedAt: string | null;
}

/** A page of a list. */
export interface UploadDocumentPage {
  data: Array<UploadDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** What the rows of a file are. */
export type UploadKind = "products" | "orders" | "statuses";

/** How far a file is. */
export type UploadStatus = "QUEUED" | "RUNNING" | "DONE" | "REFUSED";

/** A user; `status` is ACTIVE or DISABLED. */
export interface UserDocument {
  id: string;
  email: string;
  name: string;
  status: string;
  roles: Array<RoleDocument>;
  hasPassword: boolean;
  linkAskedAt: string | null;
  createdAt: string;
}

/** A page of a list. */
export interface UserDocumentPage {
  data: Array<UserDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** What VIES says of a VAT number, or that it did not answer. */
export type VatOutcome = "valid" | "invalid" | "unreached";

/** A party's VAT number, and what VIES says of it; null is what is not known. */
export interface VatStanding {
  partyId: string;
  number: string | null;
  vatKind: "none" | "domestic" | "reverse_charge" | "outside";
  asks: boolean;
  outcome: VatOutcome | null;
  checkedAt: string | null;
  consultationNumber: string | null;
  askedAt: string | null;
  fault: string | null;
  warning: string | null;
}

/** A change of a rate: `before` and `after` are like "PERCENTAGE:8", null for none; it counts from `since` on. */
export interface VersionDocument {
  id: string;
  since: string;
  before: string | null;
  after: string | null;
  changedBy: string;
}

/** A page of a list. */
export interface VersionDocumentPage {
  data: Array<VersionDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** Whether a rate rises by how many orders there are, or by what they amount to. */
export type VolumeMeasure = "ORDERS" | "AMOUNT";

/** What an order counts for the rates by volume of its campaign, and what they add to its commission. */
export interface VolumeOfOrder {
  /** The month in which it was placed, by the time zone of the books. */
  month: string;
  /** OPEN while its hold runs, COUNTED, or LEFT_OUT because it earns nothing. */
  standing: VolumeStanding;
  /** Its place among the affiliate's orders; null until its month was reckoned. */
  place: number | null;
  /** What the tier that it reached begins at; null below the first. */
  begins: string | null;
  /** PERCENTAGE or FIXED; null without a tier. */
  commissionType: CommissionType | null;
  /** The tier's rate; null without one. */
  commissionValue: string | null;
  /** What the tier adds, in the order's currency. */
  amount: Money;
}

/** Whether the volume begins anew with each calendar month. */
export type VolumePeriod = "MONTH" | "EVER";

/** Rates that rise by volume: see docs/money.md. */
export interface VolumeRates {
  period: VolumePeriod;
  measure: VolumeMeasure;
  /** The tiers, from the lowest beginning on; rates of one kind must rise. */
  tiers: Array<{ [name: string]: unknown }>;
}

/** Whether an order counts for rates by volume. */
export type VolumeStanding = "OPEN" | "COUNTED" | "LEFT_OUT";

/** The eight webhooks. */
export type WebhookKind = "order-created" | "order-paid" | "order-delivered" | "order-cancelled" | "order-returned" | "order-refunded" | "product-updated" | "product-stock-updated";

/** A message to a subscriber. */
export type WebhookMessage = CommissionNewsMessage | DepositNewsMessage | PayoutNewsMessage | RecoveredConnectionMessage | RefusedConnectionMessage | ReviewNewsMessage | SilentConnectionMessage;

/** The body of withdrawDeposit. */
export interface WithdrawDepositBody {
  /** The amount. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** The reference of the payment. */
  reference: string;
}

/** The body of writeMessage. */
export interface WriteMessageBody {
  /** What is written. */
  text: string;
}

/** The body of writeOffDebt. */
export interface WriteOffDebtBody {
  /** ISO 4217. */
  currency: string;
  /** Why. */
  reason: string;
  /** The amount; the whole debt if omitted. */
  amount?: string;
}

import type { CallOptions } from "../types.js";

export interface Operations {
  /** List corrections, newest first */
  listAdjustments(query?: { status?: "PROPOSED" | "APPROVED" | "PAID" | "REJECTED"; merchantId?: string; affiliateId?: string; mode?: Mode; limit?: number; cursor?: string }, options?: CallOptions): Promise<ListedAdjustmentPage>;
  /** List corrections, newest first: all of them, page after page as they are needed. */
  iterateAdjustments(query?: { status?: "PROPOSED" | "APPROVED" | "PAID" | "REJECTED"; merchantId?: string; affiliateId?: string; mode?: Mode; limit?: number }, options?: CallOptions): AsyncGenerator<ListedAdjustment>;
  /** Propose a correction of what an affiliate is paid */
  createAdjustment(body: CreateAdjustmentBody, options?: CallOptions): Promise<AdjustmentDocument>;
  /** Approve a correction, as a second person */
  approveAdjustment(adjustment: string, body: ApproveAdjustmentBody, options?: CallOptions): Promise<AdjustmentDocument>;
  /** Reject a correction */
  rejectAdjustment(adjustment: string, body: RejectAdjustmentBody, options?: CallOptions): Promise<AdjustmentDocument>;
  /** List affiliates, newest first */
  listAffiliates(query?: { search?: string; status?: AffiliateStatus; limit?: number; cursor?: string }, options?: CallOptions): Promise<ListedAffiliatePage>;
  /** List affiliates, newest first: all of them, page after page as they are needed. */
  iterateAffiliates(query?: { search?: string; status?: AffiliateStatus; limit?: number }, options?: CallOptions): AsyncGenerator<ListedAffiliate>;
  /** Create an affiliate */
  createAffiliate(body: CreateAffiliateBody, options?: CallOptions): Promise<AffiliateDocument>;
  /** Show an affiliate */
  getAffiliate(affiliate: string, options?: CallOptions): Promise<AffiliateDocument>;
  /** Change an affiliate */
  updateAffiliate(affiliate: string, body: UpdateAffiliateBody, options?: CallOptions): Promise<AffiliateDocument>;
  /** Let an affiliate earn again */
  activateAffiliate(affiliate: string, options?: CallOptions): Promise<AffiliateDocument>;
  /** Show an affiliate's balances, by currency */
  listBalances(affiliate: string, query?: { mode?: Mode }, options?: CallOptions): Promise<BalanceDocumentPage>;
  /** Stop an affiliate from earning */
  deactivateAffiliate(affiliate: string, options?: CallOptions): Promise<AffiliateDocument>;
  /** Resume the payments of an affiliate */
  freePayments(affiliate: string, options?: CallOptions): Promise<HoldDocument>;
  /** Hold the payments of an affiliate */
  holdPayments(affiliate: string, body: HoldPaymentsBody, options?: CallOptions): Promise<HoldDocument>;
  /** Show to which company an affiliate is self-billed */
  getSelfBilledTo(affiliate: string, options?: CallOptions): Promise<SelfBilledTo>;
  /** Have an affiliate's self-billed invoices be to a company from the next one on */
  selfBillTo(affiliate: string, body: SelfBillToBody, options?: CallOptions): Promise<SelfBilledTo>;
  /** Show an affiliate's payment details */
  getPayee(affiliate: string, options?: CallOptions): Promise<PayeeDocument>;
  /** Set an affiliate's payment details */
  setPayee(affiliate: string, body: SetPayeeBody, options?: CallOptions): Promise<PayeeDocument>;
  /** Show how an affiliate chose to be paid */
  getPayoutTerms(affiliate: string, options?: CallOptions): Promise<PayoutTerms>;
  /** Set an affiliate's minimum and currencies */
  setPayoutTerms(affiliate: string, body: SetPayoutTermsBody, options?: CallOptions): Promise<PayoutTerms>;
  /** Show what DAC7 asks of an affiliate */
  getTaxDetails(affiliate: string, options?: CallOptions): Promise<TaxDocument>;
  /** Say what DAC7 asks of an affiliate */
  setTaxDetails(affiliate: string, body: SetTaxDetailsBody, options?: CallOptions): Promise<TaxDocument>;
  /** Show what VIES says of an affiliate's VAT number */
  getAffiliateVat(affiliate: string, options?: CallOptions): Promise<VatStanding>;
  /** Look an affiliate's VAT number up in VIES */
  checkAffiliateVat(affiliate: string, options?: CallOptions): Promise<VatStanding>;
  /** Propose to write off what an affiliate owes */
  writeOffDebt(affiliate: string, body: WriteOffDebtBody, options?: CallOptions): Promise<AdjustmentDocument>;
  /** List files from banks, newest first */
  listBankReports(query?: { payout?: string; status?: "WAITING" | "CHECKING" | "NOTING" | "DONE" | "REFUSED"; limit?: number; cursor?: string }, options?: CallOptions): Promise<BankReportDocumentPage>;
  /** List files from banks, newest first: all of them, page after page as they are needed. */
  iterateBankReports(query?: { payout?: string; status?: "WAITING" | "CHECKING" | "NOTING" | "DONE" | "REFUSED"; limit?: number }, options?: CallOptions): AsyncGenerator<BankReportDocument>;
  /** Show a file from a bank and how far it is read */
  getBankReport(report: string, options?: CallOptions): Promise<BankReportDocument>;
  /** Show how the books are kept */
  getBooks(options?: CallOptions): Promise<BooksDocument>;
  /** Set the time zone of the books, before the first invoice */
  setBooks(body: SetBooksBody, options?: CallOptions): Promise<BooksDocument>;
  /** Set when merchants are billed a commission, before the first invoice */
  setBilling(body: SetBillingBody, options?: CallOptions): Promise<BooksDocument>;
  /** List the months that are closed or proposed to be, newest first */
  listClosedMonths(options?: CallOptions): Promise<ClosedMonthPage>;
  /** Propose to close a month of the books */
  proposeClose(body: ProposeCloseBody, options?: CallOptions): Promise<ClosedMonth>;
  /** Close a month of the books, as a second person */
  closeMonth(body: CloseMonthBody, options?: CallOptions): Promise<ClosedMonth>;
  /** List campaigns, newest first */
  listCampaigns(query?: { search?: string; merchantId?: string; mode?: Mode; approval?: ApprovalStatus; limit?: number; cursor?: string }, options?: CallOptions): Promise<ListedCampaignPage>;
  /** List campaigns, newest first: all of them, page after page as they are needed. */
  iterateCampaigns(query?: { search?: string; merchantId?: string; mode?: Mode; approval?: ApprovalStatus; limit?: number }, options?: CallOptions): AsyncGenerator<ListedCampaign>;
  /** Create a campaign of a merchant, as a draft */
  createCampaign(body: CreateCampaignBody, options?: CallOptions): Promise<CampaignDetails>;
  /** Show a campaign */
  getCampaign(campaign: string, options?: CallOptions): Promise<CampaignDetails>;
  /** Change a campaign */
  updateCampaign(campaign: string, body: UpdateCampaignBody, options?: CallOptions): Promise<CampaignDetails>;
  /** Activate a campaign */
  activateCampaign(campaign: string, options?: CallOptions): Promise<CampaignDetails>;
  /** Approve a campaign */
  approveCampaign(campaign: string, options?: CallOptions): Promise<CampaignDetails>;
  /** Archive a campaign for good */
  archiveCampaign(campaign: string, options?: CallOptions): Promise<CampaignDetails>;
  /** Decide on an affiliate's membership */
  decideMembership(campaign: string, affiliate: string, body: DecideMembershipBody, options?: CallOptions): Promise<MembershipDocument>;
  /** Give an affiliate a rate of its own */
  setMemberRate(campaign: string, affiliate: string, body: SetMemberRateBody, options?: CallOptions): Promise<MembershipDocument>;
  /** Pause a campaign */
  pauseCampaign(campaign: string, options?: CallOptions): Promise<CampaignDetails>;
  /** Show who earns from a campaign's orders */
  getCampaignPolicy(campaign: string, options?: CallOptions): Promise<PolicyDocument>;
  /** Change who earns from a campaign's orders */
  setCampaignPolicy(campaign: string, body: SetCampaignPolicyBody, options?: CallOptions): Promise<PolicyDocument>;
  /** Reject a campaign */
  rejectCampaign(campaign: string, options?: CallOptions): Promise<CampaignDetails>;
  /** Follow what changed in all accounts, from a cursor that never expires */
  listChanges(query?: { after?: string; types?: string; limit?: number; wait?: number }, options?: CallOptions): Promise<ChangesDocument>;
  /** Trust the clocks again after they jumped */
  confirmClocks(options?: CallOptions): Promise<ConfirmedClocks>;
  /** List commissions, newest first */
  listCommissions(query?: { merchantId?: string; affiliateId?: string; mode?: Mode; status?: CommissionState; limit?: number; cursor?: string }, options?: CallOptions): Promise<ListedCommissionPage>;
  /** List commissions, newest first: all of them, page after page as they are needed. */
  iterateCommissions(query?: { merchantId?: string; affiliateId?: string; mode?: Mode; status?: CommissionState; limit?: number }, options?: CallOptions): AsyncGenerator<ListedCommission>;
  /** Show a commission */
  getCommission(commission: string, options?: CallOptions): Promise<ListedCommission>;
  /** Note that a commission was paid */
  payCommission(commission: string, body: PayCommissionBody, options?: CallOptions): Promise<PayoutDocument>;
  /** List connections of stores */
  listConnections(query?: { merchantId?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<ConnectionDocumentPage>;
  /** List connections of stores: all of them, page after page as they are needed. */
  iterateConnections(query?: { merchantId?: string; limit?: number }, options?: CallOptions): AsyncGenerator<ConnectionDocument>;
  /** Connect a store */
  createConnection(body: CreateConnectionBody, options?: CallOptions): Promise<CreatedConnection>;
  /** Show a connection */
  getConnection(connection: string, options?: CallOptions): Promise<ConnectionWithSteps>;
  /** Close a connection */
  closeConnection(connection: string, options?: CallOptions): Promise<ConnectionDocument>;
  /** Delete a platform's credentials, and the webhooks there */
  deleteCredentials(connection: string, options?: CallOptions): Promise<KeptWebhooks>;
  /** Check a platform's credentials with it, store them, and begin to read */
  giveCredentials(connection: string, body: GiveCredentialsBody, options?: CallOptions): Promise<GivenCredentials>;
  /** Fetch again what deliveries only named */
  fetchAgain(connection: string, options?: CallOptions): Promise<DueFetches>;
  /** Keep a store's data that was to be erased */
  keepConnection(connection: string, options?: CallOptions): Promise<KeptConnection>;
  /** Set whether orders are checked before their holds end */
  setLastLook(connection: string, body: SetLastLookBody, options?: CallOptions): Promise<LastLook>;
  /** Show how a connection's platform is read */
  getPlatform(connection: string, options?: CallOptions): Promise<PlatformDocument>;
  /** Have a platform's orders or its catalogue read */
  startReading(connection: string, body: StartReadingBody, options?: CallOptions): Promise<AskedReading>;
  /** Add a secret to a connection */
  addConnectionSecret(connection: string, body: AddConnectionSecretBody, options?: CallOptions): Promise<AddedSecret>;
  /** Expire a secret of a connection */
  expireConnectionSecret(connection: string, secret: string, body: ExpireConnectionSecretBody, options?: CallOptions): Promise<ExpiredSecret>;
  /** Bind a connection to a site, or to none */
  setConnectionSite(connection: string, body: SetConnectionSiteBody, options?: CallOptions): Promise<ConnectionDocument>;
  /** Check the webhooks on the platform, and create those again that are disabled or lost */
  keepWebhooks(connection: string, options?: CallOptions): Promise<KeptWebhooks>;
  /** List orders with their commissions and facts */
  listConversions(query?: { merchantId?: string; affiliateId?: string; mode?: Mode; externalOrderId?: string; review?: boolean; limit?: number; cursor?: string }, options?: CallOptions): Promise<ConversionRecordPage>;
  /** List orders with their commissions and facts: all of them, page after page as they are needed. */
  iterateConversions(query?: { merchantId?: string; affiliateId?: string; mode?: Mode; externalOrderId?: string; review?: boolean; limit?: number }, options?: CallOptions): AsyncGenerator<ConversionRecord>;
  /** Show an order with its commission and facts */
  getConversion(conversion: string, options?: CallOptions): Promise<ConversionRecord>;
  /** Attribute an order under review */
  attributeConversion(conversion: string, body: AttributeConversionBody, options?: CallOptions): Promise<ReviewedConversion>;
  /** Close a review without a commission */
  dismissConversion(conversion: string, options?: CallOptions): Promise<ReviewedConversion>;
  /** Read what was written about an order */
  listMessages(conversion: string, options?: CallOptions): Promise<MessageDocumentPage>;
  /** Answer a question about an order */
  writeMessage(conversion: string, body: WriteMessageBody, options?: CallOptions): Promise<MessageDocumentPage>;
  /** Close the questions about an order */
  closeQuestions(conversion: string, body: CloseQuestionsBody, options?: CallOptions): Promise<ClosedQuestions>;
  /** Count other orders of the same number as their own */
  separateOrders(conversion: string, options?: CallOptions): Promise<SeparatedOrders>;
  /** List what affiliates owe, the oldest first */
  listDebts(options?: CallOptions): Promise<DebtDocumentPage>;
  /** List the kinds of messages that subscribers get */
  listEventTypes(options?: CallOptions): Promise<EventTypeRecordPage>;
  /** List submissions in a status, newest first */
  listEvents(query?: { merchantId?: string; affiliateId?: string; mode?: Mode; status?: EventStatus; reason?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<EventDocumentPage>;
  /** List submissions in a status, newest first: all of them, page after page as they are needed. */
  iterateEvents(query?: { merchantId?: string; affiliateId?: string; mode?: Mode; status?: EventStatus; reason?: string; limit?: number }, options?: CallOptions): AsyncGenerator<EventDocument>;
  /** Show what became of a submission, and why */
  getEvent(event: string, options?: CallOptions): Promise<ShownEvent>;
  /** Process a submission again */
  replayEvent(event: string, options?: CallOptions): Promise<EventDocument>;
  /** List the exchange rates in force and those that are proposed */
  listExchangeRates(options?: CallOptions): Promise<ExchangeRatePage>;
  /** Propose exchange rates */
  proposeExchangeRates(body: ProposeExchangeRatesBody, options?: CallOptions): Promise<ExchangeRatePage>;
  /** Approve exchange rates, as a second person: runs follow them from now on */
  approveExchangeRates(rates: string, options?: CallOptions): Promise<ExchangeRatePage>;
  /** Drop exchange rates that are only proposed */
  dropExchangeRates(rates: string, options?: CallOptions): Promise<ExchangeRatePage>;
  /** Show how the hub is doing */
  getHealth(options?: CallOptions): Promise<HealthDocument>;
  /** List invoices to merchants with what was paid of them, newest first */
  listInvoices(query?: { merchantId?: string }, options?: CallOptions): Promise<ShownInvoicePage>;
  /** List the companies that bill merchants, beside the one of the settings */
  listIssuers(options?: CallOptions): Promise<IssuerDocumentPage>;
  /** Add a company that bills merchants, or change one */
  setIssuer(body: SetIssuerBody, options?: CallOptions): Promise<IssuerDocument>;
  /** Rename a key, and change from where and until when it is accepted */
  updateKey(key: string, body: UpdateKeyBody, options?: CallOptions): Promise<KeyDocument>;
  /** Revoke a key */
  revokeKey(key: string, options?: CallOptions): Promise<KeyDocument>;
  /** Replace a key; the old one expires after a while */
  rotateKey(key: string, body: RotateKeyBody, options?: CallOptions): Promise<IssuedKeyDocument>;
  /** List tracking links */
  listLinks(query?: { merchantId?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<LinkRecordPage>;
  /** List tracking links: all of them, page after page as they are needed. */
  iterateLinks(query?: { merchantId?: string; limit?: number }, options?: CallOptions): AsyncGenerator<LinkRecord>;
  /** Create a tracking link */
  createLink(body: CreateLinkBody, options?: CallOptions): Promise<LinkCreated>;
  /** Show a tracking link */
  getLink(link: string, options?: CallOptions): Promise<LinkRecord>;
  /** Disable a tracking link */
  disableLink(link: string, options?: CallOptions): Promise<LinkRecord>;
  /** Enable a tracking link */
  enableLink(link: string, options?: CallOptions): Promise<LinkRecord>;
  /** List mails, newest first */
  listMails(query?: { status?: "WAITING" | "SENT" | "GIVEN_UP"; to?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<MailDocumentPage>;
  /** List mails, newest first: all of them, page after page as they are needed. */
  iterateMails(query?: { status?: "WAITING" | "SENT" | "GIVEN_UP"; to?: string; limit?: number }, options?: CallOptions): AsyncGenerator<MailDocument>;
  /** Try a mail again */
  retryMail(mail: string, options?: CallOptions): Promise<MailDocument>;
  /** List who promotes what */
  listMemberships(query?: { merchantId?: string; mode?: Mode; campaignId?: string; affiliateId?: string; status?: MembershipStatus; limit?: number; cursor?: string }, options?: CallOptions): Promise<MembershipDocumentPage>;
  /** List who promotes what: all of them, page after page as they are needed. */
  iterateMemberships(query?: { merchantId?: string; mode?: Mode; campaignId?: string; affiliateId?: string; status?: MembershipStatus; limit?: number }, options?: CallOptions): AsyncGenerator<MembershipDocument>;
  /** List merchants, newest first */
  listMerchants(query?: { search?: string; status?: "PENDING" | "APPROVED" | "SUSPENDED" | "REJECTED" | "CLOSED"; limit?: number; cursor?: string }, options?: CallOptions): Promise<ListedMerchantPage>;
  /** List merchants, newest first: all of them, page after page as they are needed. */
  iterateMerchants(query?: { search?: string; status?: "PENDING" | "APPROVED" | "SUSPENDED" | "REJECTED" | "CLOSED"; limit?: number }, options?: CallOptions): AsyncGenerator<ListedMerchant>;
  /** Create a merchant with its two accounts */
  createMerchant(body: CreateMerchantBody, options?: CallOptions): Promise<MerchantDocument>;
  /** Show a merchant */
  getMerchant(merchant: string, options?: CallOptions): Promise<MerchantDocument>;
  /** Change a merchant's settings */
  updateMerchant(merchant: string, body: UpdateMerchantBody, options?: CallOptions): Promise<MerchantDocument>;
  /** Approve a merchant */
  approveMerchant(merchant: string, options?: CallOptions): Promise<MerchantDocument>;
  /** List clicks on a merchant's links, newest first */
  listClicks(merchant: string, query?: { mode?: Mode; affiliateId?: string; campaignId?: string; linkCode?: string; createdFrom?: string; createdTo?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<ClickRecordPage>;
  /** List clicks on a merchant's links, newest first: all of them, page after page as they are needed. */
  iterateClicks(merchant: string, query?: { mode?: Mode; affiliateId?: string; campaignId?: string; linkCode?: string; createdFrom?: string; createdTo?: string; limit?: number }, options?: CallOptions): AsyncGenerator<ClickRecord>;
  /** Close a merchant for good */
  closeMerchant(merchant: string, body: CloseMerchantBody, options?: CallOptions): Promise<MerchantDocument>;
  /** Show a merchant's deposit */
  getDeposit(merchant: string, options?: CallOptions): Promise<DepositDocument>;
  /** Require a deposit of a merchant, or stop requiring it */
  requireDeposit(merchant: string, body: RequireDepositBody, options?: CallOptions): Promise<DepositDocument>;
  /** Record a payment into a merchant's deposit */
  addDeposit(merchant: string, body: AddDepositBody, options?: CallOptions): Promise<DepositDocument>;
  /** Record a repayment from a merchant's deposit */
  withdrawDeposit(merchant: string, body: WithdrawDepositBody, options?: CallOptions): Promise<DepositDocument>;
  /** List a merchant's domains */
  listDomains(merchant: string, options?: CallOptions): Promise<DomainDocumentPage>;
  /** Add a domain to a merchant */
  addDomain(merchant: string, body: AddDomainBody, options?: CallOptions): Promise<DomainDocument>;
  /** Remove a domain from a merchant */
  removeDomain(merchant: string, domain: string, options?: CallOptions): Promise<DomainDocumentPage>;
  /** Export a merchant's records as CSV, oldest first */
  exportRecords(merchant: string, query?: { of?: "conversions" | "commissions" | "products" | "request-log"; mode?: Mode }, options?: CallOptions): Promise<string>;
  /** Set the fee that a merchant owes the network for each commission */
  setFee(merchant: string, body: SetFeeBody, options?: CallOptions): Promise<FeeDocument>;
  /** List the fees of a merchant, by when each began */
  listFees(merchant: string, options?: CallOptions): Promise<FeeDocumentPage>;
  /** Show which company bills a merchant */
  getIssuer(merchant: string, options?: CallOptions): Promise<BilledBy>;
  /** Have a company bill a merchant from its next invoice on */
  billBy(merchant: string, body: BillByBody, options?: CallOptions): Promise<BilledBy>;
  /** List a merchant's keys */
  listKeys(merchant: string, query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<KeyDocumentPage>;
  /** List a merchant's keys: all of them, page after page as they are needed. */
  iterateKeys(merchant: string, query?: { limit?: number }, options?: CallOptions): AsyncGenerator<KeyDocument>;
  /** Issue a key; its secret is only in this answer */
  createKey(merchant: string, body: CreateKeyBody, options?: CallOptions): Promise<IssuedKeyDocument>;
  /** Grant or refuse live access */
  decideLiveAccess(merchant: string, body: DecideLiveAccessBody, options?: CallOptions): Promise<ProfileDocument>;
  /** List a merchant's products, newest first */
  listProducts(merchant: string, query?: { mode?: Mode; status?: ProductStatus; search?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<ProductRecordPage>;
  /** List a merchant's products, newest first: all of them, page after page as they are needed. */
  iterateProducts(merchant: string, query?: { mode?: Mode; status?: ProductStatus; search?: string; limit?: number }, options?: CallOptions): AsyncGenerator<ProductRecord>;
  /** Show a merchant's profile */
  getMerchantProfile(merchant: string, options?: CallOptions): Promise<ProfileDocument>;
  /** Change a merchant's profile */
  updateMerchantProfile(merchant: string, body: UpdateMerchantProfileBody, options?: CallOptions): Promise<ProfileDocument>;
  /** Reject a merchant */
  rejectMerchant(merchant: string, body: RejectMerchantBody, options?: CallOptions): Promise<MerchantDocument>;
  /** List the requests of a merchant */
  listRequests(merchant: string, query?: { refused?: boolean; limit?: number; cursor?: string }, options?: CallOptions): Promise<RequestDocumentPage>;
  /** List the requests of a merchant: all of them, page after page as they are needed. */
  iterateRequests(merchant: string, query?: { refused?: boolean; limit?: number }, options?: CallOptions): AsyncGenerator<RequestDocument>;
  /** Show where a merchant accepts only signed requests */
  getSignatures(merchant: string, options?: CallOptions): Promise<SignaturesDocument>;
  /** Accept only signed requests in an account, or tokens too */
  requireSignatures(merchant: string, body: RequireSignaturesBody, options?: CallOptions): Promise<SignaturesDocument>;
  /** Show what a merchant owes */
  getMerchantStatement(merchant: string, month: string, query?: { mode?: Mode }, options?: CallOptions): Promise<MerchantStatement>;
  /** Suspend a merchant: its keys and links stop */
  suspendMerchant(merchant: string, body: SuspendMerchantBody, options?: CallOptions): Promise<MerchantDocument>;
  /** Move the clock of a test account forward */
  advanceTestClock(merchant: string, body: AdvanceTestClockBody, options?: CallOptions): Promise<AdvancedDocument>;
  /** Delete the orders of a test account */
  emptyTestAccount(merchant: string, body: EmptyTestAccountBody, options?: CallOptions): Promise<EmptiedDocument>;
  /** List a merchant's tokens, without their secrets */
  listMerchantTokens(merchant: string, query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<TokenDocumentPage>;
  /** List a merchant's tokens, without their secrets: all of them, page after page as they are needed. */
  iterateMerchantTokens(merchant: string, query?: { limit?: number }, options?: CallOptions): AsyncGenerator<TokenDocument>;
  /** Create a token for a merchant's account; it is only in this answer */
  createMerchantToken(merchant: string, body: CreateMerchantTokenBody, options?: CallOptions): Promise<CreatedToken>;
  /** List a merchant's files, newest first */
  listUploads(merchant: string, query?: { mode?: Mode; limit?: number; cursor?: string }, options?: CallOptions): Promise<UploadDocumentPage>;
  /** List a merchant's files, newest first: all of them, page after page as they are needed. */
  iterateUploads(merchant: string, query?: { mode?: Mode; limit?: number }, options?: CallOptions): AsyncGenerator<UploadDocument>;
  /** Show what VIES says of a merchant's VAT number */
  getMerchantVat(merchant: string, options?: CallOptions): Promise<VatStanding>;
  /** Look a merchant's VAT number up in VIES */
  checkMerchantVat(merchant: string, options?: CallOptions): Promise<VatStanding>;
  /** List the processes that serve */
  listNodes(options?: CallOptions): Promise<NodeDocumentPage>;
  /** List payout runs, newest first */
  listPayouts(query?: { mode?: Mode; limit?: number; cursor?: string }, options?: CallOptions): Promise<RunDocumentPage>;
  /** List payout runs, newest first: all of them, page after page as they are needed. */
  iteratePayouts(query?: { mode?: Mode; limit?: number }, options?: CallOptions): AsyncGenerator<RunDocument>;
  /** Gather balances into a run */
  createPayout(body: CreatePayoutBody, options?: CallOptions): Promise<RunDocument>;
  /** Show the run that would be made now; nothing is reserved */
  previewPayout(body: PreviewPayoutBody, options?: CallOptions): Promise<PreviewedRun>;
  /** Show a run with its lines */
  getPayout(payout: string, query?: { after?: string; afterItem?: string }, options?: CallOptions): Promise<ShownRun>;
  /** Cancel a draft: what it has reserved is payable again */
  cancelPayout(payout: string, body: CancelPayoutBody, options?: CallOptions): Promise<RunDocument>;
  /** List the files that were written of a run */
  listPayoutFiles(payout: string, options?: CallOptions): Promise<FileDocumentPage>;
  /** Note that a file was never sent */
  withdrawPayoutFile(payout: string, file: string, options?: CallOptions): Promise<FileDocument>;
  /** Take back a return that was noted by mistake */
  reinstatePayment(payout: string, body: ReinstatePaymentBody, options?: CallOptions): Promise<RunDocument>;
  /** Release a run, another person than its creator if large */
  releasePayout(payout: string, options?: CallOptions): Promise<RunDocument>;
  /** Note that one payment of a run came back */
  returnPayment(payout: string, body: ReturnPaymentBody, options?: CallOptions): Promise<RunDocument>;
  /** Note that payments of a run arrived */
  settlePayout(payout: string, body: SettlePayoutBody, options?: CallOptions): Promise<SettlementDocument>;
  /** Show what a run pays an affiliate */
  getStatement(payout: string, affiliate: string, options?: CallOptions): Promise<StatementDocument>;
  /** List what differs between reports of the same order */
  listQuestions(query?: { merchantId?: string; closed?: boolean; limit?: number; cursor?: string }, options?: CallOptions): Promise<OrderReviewDocumentPage>;
  /** List what differs between reports of the same order: all of them, page after page as they are needed. */
  iterateQuestions(query?: { merchantId?: string; closed?: boolean; limit?: number }, options?: CallOptions): AsyncGenerator<OrderReviewDocument>;
  /** List the rates of a place, by when each began */
  listRates(query?: { mode?: Mode; campaignId?: string; merchantId?: string; product?: string; new_customers?: boolean; affiliateId?: string }, options?: CallOptions): Promise<VersionDocumentPage>;
  /** List rates that are not published */
  listRateDrafts(query?: { merchantId?: string }, options?: CallOptions): Promise<DraftDocumentPage>;
  /** Draft a rate */
  draftRate(body: DraftRateBody, options?: CallOptions): Promise<DraftDocument>;
  /** Drop a draft */
  dropRate(draft: string, options?: CallOptions): Promise<DraftDocument>;
  /** Publish a rate: orders from now on follow it */
  publishRate(draft: string, options?: CallOptions): Promise<DraftDocument>;
  /** Price the last real orders with a trial rate */
  previewRate(query?: { commission?: string; volume?: "MONTH:ORDERS" | "MONTH:AMOUNT" | "EVER:ORDERS" | "EVER:AMOUNT"; tiers?: string; days?: number; mode?: Mode; campaignId?: string; merchantId?: string; product?: string; new_customers?: boolean }, options?: CallOptions): Promise<PreviewDocument>;
  /** List what merchants paid of their invoices, newest first */
  listReceipts(query?: { status?: "OPEN" | "MATCHED" | "CLOSED"; limit?: number; cursor?: string }, options?: CallOptions): Promise<ReceiptDocumentPage>;
  /** List what merchants paid of their invoices, newest first: all of them, page after page as they are needed. */
  iterateReceipts(query?: { status?: "OPEN" | "MATCHED" | "CLOSED"; limit?: number }, options?: CallOptions): AsyncGenerator<ReceiptDocument>;
  /** Note that an invoice was paid, or a credit note paid back */
  noteReceipt(body: NoteReceiptBody, options?: CallOptions): Promise<ReceiptDocument>;
  /** Apply a credit note to an invoice of the same merchant */
  setOff(body: SetOffBody, options?: CallOptions): Promise<ReceiptDocument>;
  /** Show a merchant's payment */
  getReceipt(receipt: string, options?: CallOptions): Promise<ReceiptDocument>;
  /** Say which invoice a payment is for */
  assignReceipt(receipt: string, body: AssignReceiptBody, options?: CallOptions): Promise<ReceiptDocument>;
  /** Close the question of a payment; what it pays stays paid */
  closeReceipt(receipt: string, body: CloseReceiptBody, options?: CallOptions): Promise<ReceiptDocument>;
  /** Take a payment off the invoices that it pays */
  takeReceiptBack(receipt: string, body: TakeReceiptBackBody, options?: CallOptions): Promise<ReceiptDocument>;
  /** Report clicks, orders and commissions of all merchants */
  getReport(query?: { by?: "day" | "merchant" | "campaign" | "affiliate"; mode?: Mode; from?: string; to?: string }, options?: CallOptions): Promise<FiguresOfPage>;
  /** List every setting as it is in force */
  listSettings(options?: CallOptions): Promise<SettingDocumentPage>;
  /** List the accounts that several affiliates are paid to */
  listSharedAccounts(options?: CallOptions): Promise<SharedAccountPage>;
  /** List subscriptions to webhooks and postbacks */
  listSubscriptions(query?: { merchantId?: string; affiliateId?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<SubscriptionDocumentPage>;
  /** List subscriptions to webhooks and postbacks: all of them, page after page as they are needed. */
  iterateSubscriptions(query?: { merchantId?: string; affiliateId?: string; limit?: number }, options?: CallOptions): AsyncGenerator<SubscriptionDocument>;
  /** Subscribe; the secret is only in this answer */
  createSubscription(body: CreateSubscriptionBody, options?: CallOptions): Promise<CreatedSubscription>;
  /** Delete a subscription and what waits for it */
  deleteSubscription(subscription: string, options?: CallOptions): Promise<SubscriptionDocument>;
  /** Change where messages go, which, or in which version */
  updateSubscription(subscription: string, body: UpdateSubscriptionBody, options?: CallOptions): Promise<SubscriptionDocument>;
  /** List messages with the receiver's answers */
  listDeliveries(subscription: string, query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<DeliveryDocumentPage>;
  /** List messages with the receiver's answers: all of them, page after page as they are needed. */
  iterateDeliveries(subscription: string, query?: { limit?: number }, options?: CallOptions): AsyncGenerator<DeliveryDocument>;
  /** Pause a subscription; messages are kept */
  pauseSubscription(subscription: string, options?: CallOptions): Promise<SubscriptionDocument>;
  /** Send messages again */
  replayDeliveries(subscription: string, body: ReplayDeliveriesBody, options?: CallOptions): Promise<Replayed>;
  /** Resume a subscription, beginning with what was kept */
  resumeSubscription(subscription: string, options?: CallOptions): Promise<SubscriptionDocument>;
  /** Retry now what waits */
  retryDeliveries(subscription: string, body: RetryDeliveriesBody, options?: CallOptions): Promise<Retried>;
  /** Make a new secret */
  rotateSubscriptionSecret(subscription: string, body: RotateSubscriptionSecretBody, options?: CallOptions): Promise<CreatedSubscription>;
  /** Send a test message of a kind */
  testSubscription(subscription: string, body: TestSubscriptionBody, options?: CallOptions): Promise<SampleQueued>;
  /** List tokens, without their secrets */
  listTokens(query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<TokenDocumentPage>;
  /** List tokens, without their secrets: all of them, page after page as they are needed. */
  iterateTokens(query?: { limit?: number }, options?: CallOptions): AsyncGenerator<TokenDocument>;
  /** Revoke a token at once */
  revokeToken(token: string, options?: CallOptions): Promise<TokenDocument>;
  /** List who did what, newest first */
  listActs(query?: { subject?: string; actor?: string; act?: string; since?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<ActDocumentPage>;
  /** List who did what, newest first: all of them, page after page as they are needed. */
  iterateActs(query?: { subject?: string; actor?: string; act?: string; since?: string; limit?: number }, options?: CallOptions): AsyncGenerator<ActDocument>;
  /** List the people who sign in */
  listUsers(query?: { search?: string; status?: "ACTIVE" | "DISABLED"; limit?: number; cursor?: string }, options?: CallOptions): Promise<UserDocumentPage>;
  /** List the people who sign in: all of them, page after page as they are needed. */
  iterateUsers(query?: { search?: string; status?: "ACTIVE" | "DISABLED"; limit?: number }, options?: CallOptions): AsyncGenerator<UserDocument>;
  /** Create a user with a role */
  createUser(body: CreateUserBody, options?: CallOptions): Promise<UserDocument>;
  /** Invite a person to a role, by mail */
  inviteUser(body: InviteUserBody, options?: CallOptions): Promise<InvitationDocument>;
  /** Disable a user and sign them out everywhere */
  disableUser(user: string, options?: CallOptions): Promise<UserDocument>;
  /** Let a disabled user sign in again */
  enableUser(user: string, options?: CallOptions): Promise<UserDocument>;
  /** Remove a user's authenticator app and passkeys */
  resetFactors(user: string, options?: CallOptions): Promise<UserDocument>;
  /** Give a user one more role */
  grantRole(user: string, body: GrantRoleBody, options?: CallOptions): Promise<UserDocument>;
  /** Remove a role from a user */
  revokeRole(user: string, body: RevokeRoleBody, options?: CallOptions): Promise<UserDocument>;
}
