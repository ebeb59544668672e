// Types and methods. Generated from the hub's OpenAPI document: python -m clients.generator

/** A conversion or order status is durable; `conversionId` comes with a duplicate conversion. */
export interface AcceptedEvent {
  /** Ask GET /v1/events/{eventId} for it; a duplicate has the first one's id. */
  eventId: string;
  /** RECEIVED, or DUPLICATE for what was accepted before. Both are a success. */
  status: AcceptedStatus;
  /** Whether the same thing was accepted before; nothing happens twice. */
  duplicate: boolean;
  /** The conversion that exists already; only in the answer to a duplicate conversion. */
  conversionId?: string;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** RECEIVED, or DUPLICATE for what was accepted before. */
export type AcceptedStatus = "RECEIVED" | "DUPLICATE";

/** A page of affiliates. */
export interface AffiliateList {
  /** The entries of this page. */
  data: Array<AffiliateRecord>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** An affiliate that has a link of this account or is a member of one of its campaigns. */
export interface AffiliateRecord {
  /** The hub's id. */
  id: string;
  /** The affiliate's name. */
  name: string;
  /** INACTIVE ones earn nothing. */
  status: AffiliateStatus;
  /** Where it promotes: websites, profiles, newsletters; empty for nothing. */
  channels: string | null;
}

/** INACTIVE affiliates earn nothing. */
export type AffiliateStatus = "ACTIVE" | "INACTIVE";

/** Whether an admin's approval is needed, and given. */
export type ApprovalStatus = "NOT_REQUIRED" | "PENDING" | "APPROVED" | "REJECTED";

/** The body of POST /v1/products/archive. */
export interface ArchivePayload {
  /** Products to archive, each by the hub's id or by externalProductId. */
  productIds: Array<string>;
}

/** How many of the named products are archived now, and which ids named none. */
export interface ArchiveResult {
  /** How many of the named products are archived now. */
  archived: number;
  /** The ids that name no product. */
  notFound: Array<string>;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
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

/** The body of POST /v1/conversions/{id}/attribute. */
export interface AttributionInput {
  /** The affiliate's id. */
  affiliateId: string;
  /** The campaign's id. */
  campaignId?: string | null;
}

/** matched, or the first check that failed. */
export type AttributionReason = "matched" | "click_missing" | "click_malformed" | "click_unknown" | "click_after_order" | "click_outside_window" | "campaign_not_live" | "affiliate_inactive" | "coupon_owner" | "coupon_matched" | "coupon_excluded" | "sub_affiliate_excluded" | "customer_not_new" | "customer_unknown" | "renewal_matched" | "renewal_excluded" | "renewals_used_up" | "customer_matched";

/** What an order waits for. */
export type AwaitedStep = "REVIEW" | "ORDER_STATUS" | "HOLD_END" | "PLATFORM" | "DEPOSIT" | "PAYOUT";

/** The balances of the account, by currency. */
export interface BalanceList {
  /** The lines. */
  data: Array<BalanceRecord>;
  /** Always null: it is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** What the account's commissions come to by now, in one currency. */
export interface BalanceRecord {
  /** The currency of the money. */
  currency: Currency;
  /** Commissions that are PENDING. */
  pending: MoneySum;
  /** Commissions on HOLD. */
  hold: MoneySum;
  /** Commissions that are APPROVED. */
  approved: MoneySum;
  /** Commissions that are PAYABLE. */
  payable: MoneySum;
  /** Commissions that are PAID. */
  paid: MoneySum;
  /** Commissions that were REJECTED, with what they would have been. */
  rejected: MoneySum;
}

/** When a merchant is billed a commission: when it is paid, or when it becomes payable. */
export type BilledWhen = "paid" | "payable";

/** The answer to a new campaign: a draft, whose links earn once it is activated. */
export interface CampaignCreated {
  /** The hub's id. */
  id: string;
  /** A short code for people. */
  campaignCode: string;
  /** The campaign's title. */
  title: string;
  /** The effective status: EXPIRED once endDate has passed. */
  status: CampaignStatus;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The body of POST /v1/campaigns; dates are milliseconds UTC. */
export interface CampaignInput {
  /** The campaign's title. */
  title: string;
  /** Free text. */
  description?: string | null;
  /** When the campaign starts; without one it has started. */
  startDate?: string | null;
  /** When the campaign expires; after startDate. */
  endDate?: string | null;
  /** How the commission is reckoned; comes with its value. */
  defaultCommissionType?: CommissionType | null;
  /** PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency. */
  defaultCommissionValue?: string | null;
  /** How orders with `metadata.newCustomer` are paid; comes with its value. */
  newCustomerCommissionType?: CommissionType | null;
  /** Of these orders, as defaultCommissionValue. */
  newCustomerCommissionValue?: string | null;
  /** Higher rates by volume, paid as a bonus of the month: see docs/money.md. */
  volumeRates?: VolumeRates | null;
  /** How long after a click an order still counts; 0 means a session (24 hours). */
  cookieDurationDays?: number | null;
  /** Where affiliates may advertise. */
  allowedTrafficSources?: Array<string> | null;
  /** Free text. */
  termsAndConditions?: string | null;
  /** Whether an admin must approve the campaign before it is activated. */
  approvalRequired?: boolean | null;
}

/** One page of campaigns, newest first; `total` counts all that match. */
export interface CampaignList {
  /** The records of this page, newest first. */
  data: Array<CampaignRecord>;
  /** The page, from 1. */
  page: number;
  /** Records per page. */
  pageSize: number;
  /** How many records match in all. */
  total: number;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The body of a campaign PATCH. */
export interface CampaignPatch {
  /** The campaign's title. */
  title?: string;
  /** Free text. */
  description?: string | null;
  /** When the campaign starts; without one it has started. */
  startDate?: string | null;
  /** When the campaign expires; after startDate. */
  endDate?: string | null;
  /** How the commission is reckoned; comes with its value. */
  defaultCommissionType?: CommissionType | null;
  /** PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency. */
  defaultCommissionValue?: string | null;
  /** How orders with `metadata.newCustomer` are paid; comes with its value. */
  newCustomerCommissionType?: CommissionType | null;
  /** Of these orders, as defaultCommissionValue. */
  newCustomerCommissionValue?: string | null;
  /** Higher rates by volume, paid as a bonus of the month: see docs/money.md. */
  volumeRates?: VolumeRates | null;
  /** How long after a click an order still counts; 0 means a session (24 hours). */
  cookieDurationDays?: number | null;
  /** Where affiliates may advertise. */
  allowedTrafficSources?: Array<string> | null;
  /** Free text. */
  termsAndConditions?: string | null;
  /** Whether an admin must approve the campaign before it is activated. */
  approvalRequired?: boolean;
  /** The status to move to; ARCHIVED is final. */
  status?: SettableCampaignStatus;
}

/** A campaign as stored; `status` is the effective one: EXPIRED once `endDate` has passed. */
export interface CampaignRecord {
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
  /** Where affiliates may advertise. */
  allowedTrafficSources: Array<string> | null;
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
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** EXPIRED comes with time and is never set. */
export type CampaignStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "EXPIRED" | "ARCHIVED";

/** A part of the change feed. */
export interface ChangeList {
  /** The records, the earliest change first; empty at the end. */
  data: Array<ChangeRecord>;
  /** What to give as `after` the next time. It holds for ever. */
  cursor: string;
  /** Whether there is more by now. */
  more: boolean;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** A record that changed, as it is now; it may be told again although nothing of it changed. */
export interface ChangeRecord {
  /** What kind of record it is. */
  type: ChangeType;
  /** Its id: a link's code, a balance's currency, a statement's month, a membership's campaign/affiliate. */
  id: string;
  /** The moment of its latest change. */
  changedAt: string;
  /** Whether it is gone. */
  deleted: boolean;
  /** The record as its own endpoint prints it; null if it is gone. */
  record: { [name: string]: unknown } | null;
}

/** The kinds of records that the change feed tells. */
export type ChangeType = "affiliate" | "balance" | "campaign" | "commission" | "conversion" | "event" | "link" | "membership" | "product" | "statement" | "subscription";

/** A page of clicks. */
export interface ClickList {
  /** The entries of this page. */
  data: Array<ClickRecord>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
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

/** A page of commissions; `nextUpdatedSince` is there if `updatedSince` was. */
export interface CommissionList {
  /** The entries of this page. */
  data: Array<CommissionRecord>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What to give as `updatedSince` the next time; that of the first page counts. */
  nextUpdatedSince?: string;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
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

/** A commission as it is now. */
export interface CommissionRecord {
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

/** The level whose rule won; MIXED if the lines differ. */
export type CommissionSource = "PRODUCT" | "NEW_CUSTOMER" | "CAMPAIGN" | "MERCHANT" | "PLATFORM" | "MIXED";

/** PENDING, then HOLD or APPROVED, then PAYABLE and PAID; REJECTED if nothing is earned. */
export type CommissionState = "PENDING" | "HOLD" | "APPROVED" | "PAYABLE" | "PAID" | "REJECTED";

/** A percentage of the money, or a fixed amount. */
export type CommissionType = "PERCENTAGE" | "FIXED";

/** HIGH orders earn at once, LOW ones wait for a review. */
export type Confidence = "HIGH" | "LOW";

/** The body of POST /v1/conversions; `orderAmount` is money text that fits the order's currency. */
export interface ConversionInput {
  /** The merchant's own order number; unique per account. */
  externalOrderId: string;
  /** What the commission is reckoned from. */
  orderAmount: Money;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  clickId?: string | null;
  /** The merchant's own id of the product; the upsert key. */
  externalProductId?: string | null;
  /** ISO 4217 code; without one it is the merchant's currency. */
  currency?: Currency | null;
  /** The order's status when it is reported. */
  orderStatus?: ConversionStatus | null;
  /** When the buyer ordered; without it, the time of receipt. */
  orderedAt?: string | null;
  /** The coupon that the buyer used. */
  couponCode?: string | null;
  /** Anything the merchant wants kept. */
  metadata?: { [name: string]: unknown } | null;
  /** The buyer's e-mail address, or an id that stays theirs; kept as a hash if a campaign asks. */
  customer?: string | null;
}

/** A page of orders; `nextUpdatedSince` is there if `updatedSince` was. */
export interface ConversionList {
  /** The entries of this page. */
  data: Array<ConversionRecord>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What to give as `updatedSince` the next time; that of the first page counts. */
  nextUpdatedSince?: string;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
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

/** The state of an order's commission, or of its review. */
export type ConversionState = "PENDING" | "HOLD" | "APPROVED" | "PAYABLE" | "PAID" | "REJECTED" | "IN_REVIEW" | "DISMISSED";

/** The status of an order when it is reported. */
export type ConversionStatus = "pending" | "confirmed" | "delivered" | "cancelled" | "returned" | "refunded";

/** An ISO 4217 currency code in upper case. */
export type Currency = string;

/** What happened on a day, in one currency; the clicks of a day are a line without a currency. */
export interface DailyFigures {
  /** The day, UTC: that of the orders, or of the clicks. */
  day: string;
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

/** The days of a period on which something happened, oldest first. */
export interface DailyReport {
  /** The lines, by day and currency. */
  data: Array<DailyFigures>;
  /** Always null: a report is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** A page of messages. */
export interface DeliveryList {
  /** The messages, newest first. */
  data: Array<DeliveryRecord>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** A message: what was sent, and what the receiver last answered. */
export interface DeliveryRecord {
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

/** How far a message is. */
export type DeliveryStatus = "WAITING" | "DELIVERED" | "GIVEN_UP";

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

/** A page of submissions; `nextUpdatedSince` is there if `updatedSince` was. */
export interface EventList {
  /** The entries of this page. */
  data: Array<ListedEvent>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What to give as `updatedSince` the next time; that of the first page counts. */
  nextUpdatedSince?: string;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** An accepted submission and what became of it. */
export interface EventRecord {
  /** The id that the submission was answered with. */
  eventId: string;
  /** What was submitted. */
  type: EventType;
  /** The webhook's kind, such as order-created; null for a conversion or an order status. */
  kind: WebhookKind | null;
  /** RECEIVED or QUEUED until processed, then PROCESSED, SKIPPED, PARKED, UNMATCHED or FAILED. */
  status: EventStatus;
  /** Always false: a duplicate has no event of its own. */
  duplicate: boolean;
  /** When it was accepted. */
  receivedAt: string;
  /** When it was decided; null until then, and while PARKED. */
  processedAt: string | null;
  /** How often it was taken up. */
  attempts: number;
  /** The conversion it belongs to; null where there is none. */
  conversionId: string | null;
  /** What was decided and why, as it stood when the event was processed. */
  explanation: Explanation;
  /** The reason that an order status was reported with; null for others, and once deleted. */
  reason: string | null;
  /** What else it was reported with; null for others, and once its body is deleted. */
  metadata: { [name: string]: unknown } | null;
}

/** How far a submission is, and how it ended. */
export type EventStatus = "RECEIVED" | "QUEUED" | "PROCESSED" | "SKIPPED" | "PARKED" | "UNMATCHED" | "FAILED";

/** What was submitted. */
export type EventType = "conversion" | "order_status" | "webhook";

/** Every kind of message. */
export interface EventTypeList {
  /** The lines. */
  data: Array<EventTypeRecord>;
  /** Always null: it is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

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

/** What a link brought in a period, in one currency; clicks are a line without a currency. */
export interface FiguresOfLink {
  /** The link's code. */
  code: string;
  /** Whose link it is. */
  affiliateId: string;
  /** The campaign that it belongs to; null for none. */
  campaignId: string | null;
  /** Where it leads. */
  destination: string;
  /** The currency of the money; null for the line of the clicks. */
  currency: Currency | null;
  /** Its clicks. */
  clicks: number;
  /** Orders that were attributed to it. */
  orders: number;
  /** How many of them earn nothing. */
  rejections: number;
  /** What the others earn; null for the line of the clicks. */
  commission: MoneySum | null;
}

/** What was sold of a product in a period, in one currency. */
export interface FiguresOfProduct {
  /** Your id of the product; null for what is not in the catalogue. */
  externalProductId: string | null;
  /** Its name. */
  name: string | null;
  /** The currency of the money. */
  currency: Currency;
  /** Orders that have it. */
  orders: number;
  /** How many were bought. */
  units: number;
  /** Their money. */
  revenue: MoneySum;
}

/** The campaigns or the affiliates of a period, the most revenue first. */
export interface FiguresReport {
  /** The lines, at most 5,000. */
  data: Array<FiguresOf>;
  /** Always null: it is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** Why one item of an import was left out; `index` is its place in `products`, from 0. */
export interface ImportFault {
  /** The item's place in `products`, from 0. */
  index: number;
  /** The item's id as it was sent; null where it was no string. */
  externalProductId: string | null;
  /** What is wrong with the item. */
  message: string;
}

/** What an import or upsert came to; `errors` tells of the first 100 items that failed. */
export interface ImportSummary {
  /** Items in the payload. */
  received: number;
  /** Items that are new products. */
  created: number;
  /** Items that were known products. */
  updated: number;
  /** Items that were left out. */
  failed: number;
  /** Why items failed: the first 100. */
  errors: Array<ImportFault>;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** Whether a rule won, or why it did not. */
export type LevelOutcome = "won" | "no_product" | "no_rule" | "currency_differs";

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
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The body of POST /v1/links. */
export interface LinkInput {
  /** The affiliate's id. */
  affiliateId: string;
  /** The campaign's id. */
  campaignId?: string | null;
  /** The merchant's own id of the product; the upsert key. */
  externalProductId?: string | null;
  /** Where the link leads: a page on one of your approved domains. Without it, the product's page. */
  destination?: string | null;
  /** `sub1` to `sub5`: notes of at most 64 characters each. */
  subIds?: { [name: string]: unknown } | null;
  /** What the link is called, such as where it stands. */
  name?: string | null;
}

/** A page of tracking links; `nextUpdatedSince` is there if `updatedSince` was. */
export interface LinkList {
  /** The entries of this page. */
  data: Array<LinkRecord>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What to give as `updatedSince` the next time; that of the first page counts. */
  nextUpdatedSince?: string;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
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
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The links of a period, the most clicks first. */
export interface LinkReport {
  /** The lines, at most 5,000. */
  data: Array<FiguresOfLink>;
  /** Always null: it is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** An accepted submission, what became of it, and the order that it is about. */
export interface ListedEvent {
  /** The id that the submission was answered with. */
  eventId: string;
  /** What was submitted. */
  type: EventType;
  /** The webhook's kind, such as order-created; null for a conversion or an order status. */
  kind: WebhookKind | null;
  /** RECEIVED or QUEUED until processed, then PROCESSED, SKIPPED, PARKED, UNMATCHED or FAILED. */
  status: EventStatus;
  /** Always false: a duplicate has no event of its own. */
  duplicate: boolean;
  /** When it was accepted. */
  receivedAt: string;
  /** When it was decided; null until then, and while PARKED. */
  processedAt: string | null;
  /** How often it was taken up. */
  attempts: number;
  /** The conversion it belongs to; null where there is none. */
  conversionId: string | null;
  /** What was decided and why, as it stood when the event was processed. */
  explanation: Explanation;
  /** Your order number; null for news of a product, and until a webhook is read. */
  externalOrderId: string | null;
}

/** A request of this account as the hub saw it; `errorCode` says more than its answer did. */
export interface LoggedRequest {
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
  client: string | null;
  /** The mode of the account. */
  mode: Mode | null;
  /** How long the answer took, in milliseconds. */
  durationMs: number;
  /** What was wrong, or which fields were ignored. */
  detail: { [name: string]: unknown } | null;
}

/** The kinds of messages that subscribers get. */
export type MessageType = "commission.created" | "commission.held" | "commission.payable" | "commission.rejected" | "commission.adjusted" | "commission.paid" | "conversion.review" | "connection.silent" | "connection.refused" | "connection.recovered" | "payout.released" | "deposit.short";

/** Whether money may move: test and live accounts have nothing in common. */
export type Mode = "test" | "live";

/** An amount in major units, as text, with at most as many decimals as its currency has. */
export type Money = string;

/** A sum in major units, as text, which may be less than nothing. */
export type MoneySum = string;

/** The body of order-cancelled in the hub's own form; further fields are allowed, and so is camelCase. */
export interface OrderCancelledWebhook {
  /** The merchant's own order number; unique per account. */
  external_order_id: string;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  click_id?: string | null;
  /** When it happened; without it, the time of receipt. */
  occurred_at?: string | null;
  /** A short explanation. */
  reason?: string | null;
  [name: string]: unknown;
}

/** The body of order-created in the hub's own form; further fields are allowed, and so is camelCase. */
export interface OrderCreatedWebhook {
  /** The merchant's own order number; unique per account. */
  external_order_id: string;
  /** What the commission is reckoned from. */
  order_amount: Money;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  click_id?: string | null;
  /** ISO 4217 code; without one it is the merchant's currency. */
  currency?: Currency | null;
  /** The coupon that the buyer used. */
  coupon_code?: string | null;
  /** The buyer's e-mail address, or an id that stays theirs; kept as a hash if a campaign asks. */
  customer?: string | null;
  /** The only product of the order, if it has no lines. */
  external_product_id?: string | null;
  /** When the buyer ordered; without it, the time of receipt. */
  ordered_at?: string | null;
  /** Anything the merchant wants kept. */
  metadata?: { [name: string]: unknown } | null;
  /** The parts; without them, the whole. */
  lines?: Array<WebhookLine>;
  [name: string]: unknown;
}

/** The body of order-delivered in the hub's own form; further fields are allowed, and so is camelCase. */
export interface OrderDeliveredWebhook {
  /** The merchant's own order number; unique per account. */
  external_order_id: string;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  click_id?: string | null;
  /** When it happened; without it, the time of receipt. */
  occurred_at?: string | null;
  /** A short explanation. */
  reason?: string | null;
  [name: string]: unknown;
}

/** The body of order-paid in the hub's own form; further fields are allowed, and so is camelCase. */
export interface OrderPaidWebhook {
  /** The merchant's own order number; unique per account. */
  external_order_id: string;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  click_id?: string | null;
  /** When it happened; without it, the time of receipt. */
  occurred_at?: string | null;
  /** A short explanation. */
  reason?: string | null;
  [name: string]: unknown;
}

/** The body of order-refunded in the hub's own form; further fields are allowed, and so is camelCase. */
export interface OrderRefundedWebhook {
  /** The merchant's own order number; unique per account. */
  external_order_id: string;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  click_id?: string | null;
  /** When it happened; without it, the time of receipt. */
  occurred_at?: string | null;
  /** A short explanation. */
  reason?: string | null;
  /** Your id of the refund, which counts once. */
  refund_id?: string | null;
  /** The money that went back; without it, all of it. */
  refund_amount?: Money | null;
  /** The parts; without them, the whole. */
  lines?: Array<WebhookLine>;
  [name: string]: unknown;
}

/** The body of order-returned in the hub's own form; further fields are allowed, and so is camelCase. */
export interface OrderReturnedWebhook {
  /** The merchant's own order number; unique per account. */
  external_order_id: string;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  click_id?: string | null;
  /** When it happened; without it, the time of receipt. */
  occurred_at?: string | null;
  /** A short explanation. */
  reason?: string | null;
  [name: string]: unknown;
}

/** What became of an order. */
export type OrderStatus = "pending" | "confirmed" | "paid" | "delivered" | "cancelled" | "returned" | "refunded" | "commission_approved" | "commission_rejected";

/** The body of POST /v1/order-status. */
export interface OrderStatusInput {
  /** The merchant's own order number; unique per account. */
  externalOrderId: string;
  /** What became of the order. */
  status: OrderStatus;
  /** The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid. */
  clickId?: string | null;
  /** When the status changed at the merchant; without it, the time of receipt. */
  statusUpdatedAt?: string | null;
  /** A short explanation. */
  reason?: string | null;
  /** Anything the merchant wants kept. */
  metadata?: { [name: string]: unknown } | null;
}

/** What the account owes for a month in one currency. */
export interface OwedAmount {
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

/** An item of an import or upsert. */
export interface ProductInput {
  /** The merchant's own id of the product; the upsert key. */
  externalProductId: string;
  /** The name buyers see. */
  name: string;
  /** The product's page: http or https, on an approved domain of the merchant or a subdomain of one. */
  productUrl: string;
  /** The price in the product's currency. */
  price: Money;
  /** Free text. */
  description?: string | null;
  /** A picture of the product: http or https. */
  imageUrl?: string | null;
  /** The merchant's own category. */
  category?: string | null;
  /** The maker's name. */
  brand?: string | null;
  /** The reduced price in the product's currency. */
  discountPrice?: Money | null;
  /** ISO 4217 code; without one it is the merchant's currency. */
  currency?: Currency | null;
  /** Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status. */
  stockStatus?: string | null;
  /** How the commission is reckoned; comes with its value. */
  commissionType?: CommissionType | null;
  /** PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency. */
  commissionValue?: string | null;
  /** A campaign of the same account, whose default the product inherits. */
  campaignId?: string | null;
}

/** One page of products, newest first; `total` counts all that match. */
export interface ProductList {
  /** The records of this page, newest first. */
  data: Array<ProductRecord>;
  /** The page, from 1. */
  page: number;
  /** Records per page. */
  pageSize: number;
  /** How many records match in all. */
  total: number;
  /** The `cursor` of the next page; only if there is one. */
  nextCursor?: string;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The body of a product PATCH. */
export interface ProductPatch {
  /** The name buyers see. */
  name?: string;
  /** The price in the product's currency. */
  price?: Money;
  /** The reduced price in the product's currency. */
  discountPrice?: Money | null;
  /** Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status. */
  stockStatus?: string | null;
  /** How the commission is reckoned; comes with its value. */
  commissionType?: CommissionType | null;
  /** PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency. */
  commissionValue?: string | null;
  /** The product's status. */
  status?: ProductStatus;
  /** A campaign of the same account, whose default the product inherits. */
  campaignId?: string | null;
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
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The products of a period, the most revenue first. */
export interface ProductReport {
  /** The lines, at most 5,000. */
  data: Array<FiguresOfProduct>;
  /** Always null: it is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** ACTIVE until stock, a PATCH or archiving says otherwise. */
export type ProductStatus = "ACTIVE" | "INACTIVE" | "OUT_OF_STOCK" | "ARCHIVED";

/** The body of product-stock-updated in the hub's own form; further fields are allowed, and so is camelCase. */
export interface ProductStockUpdatedWebhook {
  /** The merchant's own id of the product; the upsert key. */
  external_product_id: string;
  /** Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status. */
  stock_status?: string | null;
  /** How many are left. */
  quantity?: number | null;
  /** When it changed; older news is skipped. */
  updated_at?: string | null;
  [name: string]: unknown;
}

/** The body of product-updated in the hub's own form; further fields are allowed, and so is camelCase. */
export interface ProductUpdatedWebhook {
  /** The merchant's own id of the product; the upsert key. */
  external_product_id: string;
  /** The name buyers see. */
  name?: string | null;
  /** Free text. */
  description?: string | null;
  /** The product's page: http or https, on an approved domain of the merchant or a subdomain of one. */
  product_url?: string | null;
  /** A picture of the product: http or https. */
  image_url?: string | null;
  /** The merchant's own category. */
  category?: string | null;
  /** The maker's name. */
  brand?: string | null;
  /** The price in the product's currency. */
  price?: Money | null;
  /** The reduced price in the product's currency. */
  discount_price?: Money | null;
  /** ISO 4217 code; without one it is the merchant's currency. */
  currency?: Currency | null;
  /** Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status. */
  stock_status?: string | null;
  /** How the commission is reckoned; comes with its value. */
  commission_type?: CommissionType | null;
  /** PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency. */
  commission_value?: string | null;
  /** A campaign of the same account, whose default the product inherits. */
  campaign_id?: string | null;
  /** When it changed; older news is skipped. */
  updated_at?: string | null;
  [name: string]: unknown;
}

/** The body of import and upsert. */
export interface ProductsPayload {
  /** At most 5,000 items, each judged alone. */
  products: Array<ProductInput>;
}

/** QUEUED, or DUPLICATE for what was accepted before. */
export type QueuedStatus = "QUEUED" | "DUPLICATE";

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

/** The body of POST /v1/subscriptions/{id}/replay: a message, all of the last while, or one if it is of it. */
export interface ReplayInput {
  /** This message alone. */
  messageId?: string | null;
  /** Everything since this long ago, like 2d. */
  since?: string | null;
}

/** What came of a replay. */
export interface ReplayedDeliveries {
  /** How many messages are sent again. */
  replayed: number;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** A page of the request log. */
export interface RequestList {
  /** The entries of this page. */
  data: Array<LoggedRequest>;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** What is tried now. */
export interface RetriedDeliveries {
  /** How many messages wait, and are tried now. */
  retried: number;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The body of POST /v1/subscriptions/{id}/retry. */
export interface RetryInput {
  /** This message alone. */
  messageId?: string | null;
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
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The body of POST /v1/subscriptions/{id}/rotate. */
export interface RotationInput {
  /** How long the old secret signs too, like 24h. */
  overlap?: string;
}

/** The level of a commission rule, the first one that has one wins. */
export type RuleLevel = "PRODUCT" | "NEW_CUSTOMER" | "CAMPAIGN" | "MERCHANT" | "PLATFORM";

/** The body of POST /v1/subscriptions/{id}/test. */
export interface SampleInput {
  /** Of what kind; the first of its own without it. */
  type?: MessageType | null;
}

/** A test message that is on its way. */
export interface SampleMessage {
  /** The message's id, as in the subscription's messages. */
  messageId: string;
  /** Its kind. */
  type: MessageType;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The statuses that a campaign can be moved to. */
export type SettableCampaignStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "ARCHIVED";

/** Which text is signed. */
export type SignatureVersion = "1" | "2";

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

/** The newest first, or the oldest first. */
export type Sort = "-createdAt" | "createdAt";

/** The months in which something was owed, newest first. */
export interface StatementList {
  /** The lines. */
  data: Array<StatementRecord>;
  /** Always null: it is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** What the account owes for a month. */
export interface StatementRecord {
  /** The month, like 2026-11. */
  month: string;
  /** The time zone of the operator's books, in which the month begins and ends. */
  timeZone: string;
  /** When a commission and the network's fee for it are owed: when it is `paid`, or when it becomes `payable`. */
  billed: BilledWhen;
  /** What is owed for it, by currency. */
  owed: Array<OwedAmount>;
}

/** The body of POST /v1/subscriptions. */
export interface SubscriptionInput {
  /** Where messages are sent. */
  url: string;
  /** What it is for, in your words; empty for nothing. */
  description?: string | null;
  /** Types or patterns. */
  events: Array<string>;
  /** Whether messages are kept at first, until it is resumed. */
  paused?: boolean;
  /** In which version messages are sent; the newest, if none is named. */
  payloadVersion?: string | null;
}

/** A signed POST, or a GET made of a template. */
export type SubscriptionKind = "WEBHOOK" | "POSTBACK";

/** The subscriptions of the account. */
export interface SubscriptionList {
  /** The lines. */
  data: Array<SubscriptionRecord>;
  /** Always null: it is one page. */
  nextCursor: string | null;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The body of PATCH /v1/subscriptions/{id}: what is given is changed. */
export interface SubscriptionPatch {
  /** Where messages are sent. */
  url?: string | null;
  /** What it is for, in your words; empty for nothing. */
  description?: string | null;
  /** Types or patterns. */
  events?: Array<string> | null;
  /** In which version messages are sent from now on. */
  payloadVersion?: string | null;
}

/** A subscription of the account to webhooks. */
export interface SubscriptionRecord {
  /** The hub's id. */
  id: string;
  /** The merchant: you. */
  merchantId: string | null;
  /** The mode of the account. */
  mode: Mode | null;
  /** Always null: affiliates have subscriptions of their own. */
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
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The secret of a subscription that was just made, or made anew. */
export interface SubscriptionSecret {
  /** The hub's id. */
  id: string;
  /** whsec_...: keep it; it is never shown again. */
  secret: string | null;
  /** In which version its messages are sent. */
  payloadVersion: string;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** Whether messages are sent. */
export type SubscriptionStatus = "ACTIVE" | "PAUSED";

/** Yes or no, in a query. */
export type TrueOrFalse = "true" | "false";

/** What the rows of a file are. */
export type UploadKind = "products" | "orders" | "statuses";

/** A CSV file on its way: it is applied in the background, and its counts grow as its rows are decided. */
export interface UploadRecord {
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
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** How far a file is. */
export type UploadStatus = "QUEUED" | "RUNNING" | "DONE" | "REFUSED";

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

/** A webhook is durable. */
export interface WebhookAccepted {
  /** Ask GET /v1/events/{eventId} for it; a duplicate has the first one's id. */
  webhookEventId: string;
  /** QUEUED, or DUPLICATE for what was accepted before. Both are a success. */
  status: QueuedStatus;
  /** Whether the same thing was accepted before; nothing happens twice. */
  duplicate: boolean;
  /** What was ignored because its name is unknown, and what it looks like; only if something was. */
  warnings?: Array<string>;
}

/** The eight webhooks. */
export type WebhookKind = "order-created" | "order-paid" | "order-delivered" | "order-cancelled" | "order-returned" | "order-refunded" | "product-updated" | "product-stock-updated";

/** A part of an order or a refund. */
export interface WebhookLine {
  /** The product; without it, what is not in the catalogue. */
  external_product_id?: string | null;
  /** How many of it. */
  quantity?: number | null;
  /** The line's money, all of its pieces together. */
  amount?: Money | null;
  [name: string]: unknown;
}

/** A message to a subscriber. */
export type WebhookMessage = CommissionNewsMessage | DepositNewsMessage | PayoutNewsMessage | RecoveredConnectionMessage | RefusedConnectionMessage | ReviewNewsMessage | SilentConnectionMessage;

/** How a single call is sent. */
export interface CallOptions {
  /** Derived from your own ids: the same for every attempt to say the same thing. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** The longest time for all attempts and pauses, in milliseconds; it holds beside a signal, too. */
  deadline?: number;
}

export interface Operations {
  /** List the affiliates that may promote something of yours */
  listAffiliates(query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<AffiliateList>;
  /** List the affiliates that may promote something of yours: all of them, page after page as they are needed. */
  iterateAffiliates(query?: { limit?: number }, options?: CallOptions): AsyncGenerator<AffiliateRecord>;
  /** Show what your commissions come to */
  listBalances(options?: CallOptions): Promise<BalanceList>;
  /** List campaigns, newest first */
  listCampaigns(query?: { page?: number; pageSize?: number; status?: CampaignStatus }, options?: CallOptions): Promise<CampaignList>;
  /** List campaigns, newest first: all of them, page after page as they are needed. */
  iterateCampaigns(query?: { pageSize?: number; status?: CampaignStatus }, options?: CallOptions): AsyncGenerator<CampaignRecord>;
  /** Create a campaign, as a draft */
  createCampaign(body: CampaignInput, options?: CallOptions): Promise<CampaignCreated>;
  /** Show a campaign */
  getCampaign(id: string, options?: CallOptions): Promise<CampaignRecord>;
  /** Change the fields given, or the status */
  updateCampaign(id: string, body: CampaignPatch, options?: CallOptions): Promise<CampaignRecord>;
  /** Activate a campaign */
  activateCampaign(id: string, options?: CallOptions): Promise<CampaignRecord>;
  /** Pause an active campaign */
  pauseCampaign(id: string, options?: CallOptions): Promise<CampaignRecord>;
  /** Follow what changed, from a cursor that holds for ever */
  listChanges(query?: { after?: string; types?: string; limit?: number; wait?: number }, options?: CallOptions): Promise<ChangeList>;
  /** List clicks on tracking links */
  listClicks(query?: { limit?: number; cursor?: string; sort?: Sort; linkCode?: string; affiliateId?: string; campaignId?: string; createdFrom?: string; createdTo?: string }, options?: CallOptions): Promise<ClickList>;
  /** List clicks on tracking links: all of them, page after page as they are needed. */
  iterateClicks(query?: { limit?: number; sort?: Sort; linkCode?: string; affiliateId?: string; campaignId?: string; createdFrom?: string; createdTo?: string }, options?: CallOptions): AsyncGenerator<ClickRecord>;
  /** List commissions */
  listCommissions(query?: { limit?: number; cursor?: string; sort?: Sort; status?: CommissionState; affiliateId?: string; campaignId?: string; createdFrom?: string; createdTo?: string; updatedSince?: string }, options?: CallOptions): Promise<CommissionList>;
  /** List commissions: all of them, page after page as they are needed. */
  iterateCommissions(query?: { limit?: number; sort?: Sort; status?: CommissionState; affiliateId?: string; campaignId?: string; createdFrom?: string; createdTo?: string; updatedSince?: string }, options?: CallOptions): AsyncGenerator<CommissionRecord>;
  /** Show a commission */
  getCommission(id: string, options?: CallOptions): Promise<CommissionRecord>;
  /** List orders with their commissions and facts */
  listConversions(query?: { limit?: number; cursor?: string; sort?: Sort; externalOrderId?: string; status?: ConversionState; affiliateId?: string; campaignId?: string; createdFrom?: string; createdTo?: string; updatedSince?: string }, options?: CallOptions): Promise<ConversionList>;
  /** List orders with their commissions and facts: all of them, page after page as they are needed. */
  iterateConversions(query?: { limit?: number; sort?: Sort; externalOrderId?: string; status?: ConversionState; affiliateId?: string; campaignId?: string; createdFrom?: string; createdTo?: string; updatedSince?: string }, options?: CallOptions): AsyncGenerator<ConversionRecord>;
  /** Report an order */
  reportConversion(body: ConversionInput, options?: CallOptions): Promise<AcceptedEvent>;
  /** Show an order with its commission and facts */
  getConversion(id: string, options?: CallOptions): Promise<ConversionRecord>;
  /** Attribute an order under review */
  attributeConversion(id: string, body: AttributionInput, options?: CallOptions): Promise<ReviewedConversion>;
  /** Close a review without a commission */
  dismissConversion(id: string, options?: CallOptions): Promise<ReviewedConversion>;
  /** List the kinds of messages that subscribers get */
  listEventTypes(options?: CallOptions): Promise<EventTypeList>;
  /** List what was submitted, and what became of it */
  listEvents(query?: { limit?: number; cursor?: string; sort?: Sort; status?: EventStatus; type?: EventType; kind?: string; externalOrderId?: string; createdFrom?: string; createdTo?: string; updatedSince?: string }, options?: CallOptions): Promise<EventList>;
  /** List what was submitted, and what became of it: all of them, page after page as they are needed. */
  iterateEvents(query?: { limit?: number; sort?: Sort; status?: EventStatus; type?: EventType; kind?: string; externalOrderId?: string; createdFrom?: string; createdTo?: string; updatedSince?: string }, options?: CallOptions): AsyncGenerator<ListedEvent>;
  /** Show what became of an accepted submission, and why */
  getEvent(eventId: string, options?: CallOptions): Promise<EventRecord>;
  /** List tracking links */
  listLinks(query?: { limit?: number; cursor?: string; affiliateId?: string; campaignId?: string; updatedSince?: string }, options?: CallOptions): Promise<LinkList>;
  /** List tracking links: all of them, page after page as they are needed. */
  iterateLinks(query?: { limit?: number; affiliateId?: string; campaignId?: string; updatedSince?: string }, options?: CallOptions): AsyncGenerator<LinkRecord>;
  /** Create a tracking link of an affiliate */
  createLink(body: LinkInput, options?: CallOptions): Promise<LinkCreated>;
  /** Disable a tracking link */
  disableLink(id: string, options?: CallOptions): Promise<LinkRecord>;
  /** Report what became of an order */
  reportOrderStatus(body: OrderStatusInput, options?: CallOptions): Promise<AcceptedEvent>;
  /** List products, newest first */
  listProducts(query?: { page?: number; pageSize?: number; status?: ProductStatus; category?: string; search?: string; cursor?: string }, options?: CallOptions): Promise<ProductList>;
  /** List products, newest first: all of them, page after page as they are needed. */
  iterateProducts(query?: { pageSize?: number; status?: ProductStatus; category?: string; search?: string; cursor?: string }, options?: CallOptions): AsyncGenerator<ProductRecord>;
  /** Archive products */
  archiveProducts(body: ArchivePayload, options?: CallOptions): Promise<ArchiveResult>;
  /** Insert or replace up to 5,000 products */
  importProducts(body: ProductsPayload, options?: CallOptions): Promise<ImportSummary>;
  /** Insert up to 5,000 products or change the fields given */
  upsertProducts(body: ProductsPayload, options?: CallOptions): Promise<ImportSummary>;
  /** Show a product */
  getProduct(id: string, options?: CallOptions): Promise<ProductRecord>;
  /** Change the fields given */
  updateProduct(id: string, body: ProductPatch, options?: CallOptions): Promise<ProductRecord>;
  /** Report clicks, orders and commissions by affiliate */
  getAffiliateReport(query?: { from?: string; to?: string }, options?: CallOptions): Promise<FiguresReport>;
  /** Report clicks, orders and commissions by campaign */
  getCampaignReport(query?: { from?: string; to?: string }, options?: CallOptions): Promise<FiguresReport>;
  /** Report clicks, orders and commissions by day */
  getDailyReport(query?: { from?: string; to?: string }, options?: CallOptions): Promise<DailyReport>;
  /** Report clicks, orders and commissions by link */
  getLinkReport(query?: { from?: string; to?: string }, options?: CallOptions): Promise<LinkReport>;
  /** Report what was sold by product */
  getProductReport(query?: { from?: string; to?: string }, options?: CallOptions): Promise<ProductReport>;
  /** List the requests of this account, and why some were refused */
  listRequests(query?: { limit?: number; cursor?: string; sort?: Sort; errorCode?: string; status?: number; createdFrom?: string; createdTo?: string }, options?: CallOptions): Promise<RequestList>;
  /** List the requests of this account, and why some were refused: all of them, page after page as they are needed. */
  iterateRequests(query?: { limit?: number; sort?: Sort; errorCode?: string; status?: number; createdFrom?: string; createdTo?: string }, options?: CallOptions): AsyncGenerator<LoggedRequest>;
  /** List the orders that wait for a review */
  listReviews(query?: { limit?: number; cursor?: string; sort?: Sort }, options?: CallOptions): Promise<ConversionList>;
  /** List the orders that wait for a review: all of them, page after page as they are needed. */
  iterateReviews(query?: { limit?: number; sort?: Sort }, options?: CallOptions): AsyncGenerator<ConversionRecord>;
  /** List what you owe, month by month */
  listStatements(options?: CallOptions): Promise<StatementList>;
  /** List subscriptions to webhooks */
  listSubscriptions(options?: CallOptions): Promise<SubscriptionList>;
  /** Subscribe to webhooks */
  createSubscription(body: SubscriptionInput, options?: CallOptions): Promise<SubscriptionSecret>;
  /** Delete a subscription */
  deleteSubscription(id: string, options?: CallOptions): Promise<SubscriptionRecord>;
  /** Change where messages go, or which */
  updateSubscription(id: string, body: SubscriptionPatch, options?: CallOptions): Promise<SubscriptionRecord>;
  /** List the messages of a subscription */
  listDeliveries(id: string, query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<DeliveryList>;
  /** List the messages of a subscription: all of them, page after page as they are needed. */
  iterateDeliveries(id: string, query?: { limit?: number }, options?: CallOptions): AsyncGenerator<DeliveryRecord>;
  /** Pause a subscription */
  pauseSubscription(id: string, options?: CallOptions): Promise<SubscriptionRecord>;
  /** Send messages again */
  replayDeliveries(id: string, body: ReplayInput, options?: CallOptions): Promise<ReplayedDeliveries>;
  /** Resume a subscription */
  resumeSubscription(id: string, options?: CallOptions): Promise<SubscriptionRecord>;
  /** Try now what waits */
  retryDeliveries(id: string, body: RetryInput, options?: CallOptions): Promise<RetriedDeliveries>;
  /** Make a new secret */
  rotateSubscriptionSecret(id: string, body: RotationInput, options?: CallOptions): Promise<SubscriptionSecret>;
  /** Send a test message */
  testSubscription(id: string, body: SampleInput, options?: CallOptions): Promise<SampleMessage>;
  /** Upload a CSV file of orders */
  uploadOrders(body: string, query?: { dryRun?: TrueOrFalse }, options?: CallOptions): Promise<UploadRecord>;
  /** Upload a CSV file of products */
  uploadProducts(body: string, query?: { dryRun?: TrueOrFalse }, options?: CallOptions): Promise<UploadRecord>;
  /** Upload a CSV file of statuses */
  uploadStatuses(body: string, query?: { dryRun?: TrueOrFalse }, options?: CallOptions): Promise<UploadRecord>;
  /** Show how far an upload is */
  getUpload(id: string, options?: CallOptions): Promise<UploadRecord>;
  /** Download what became of each row */
  getUploadVerdicts(id: string, options?: CallOptions): Promise<string>;
  /** Send the webhook event order-cancelled */
  sendOrderCancelled(body: OrderCancelledWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
  /** Send the webhook event order-created */
  sendOrderCreated(body: OrderCreatedWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
  /** Send the webhook event order-delivered */
  sendOrderDelivered(body: OrderDeliveredWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
  /** Send the webhook event order-paid */
  sendOrderPaid(body: OrderPaidWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
  /** Send the webhook event order-refunded */
  sendOrderRefunded(body: OrderRefundedWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
  /** Send the webhook event order-returned */
  sendOrderReturned(body: OrderReturnedWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
  /** Send the webhook event product-stock-updated */
  sendProductStockUpdated(body: ProductStockUpdatedWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
  /** Send the webhook event product-updated */
  sendProductUpdated(body: ProductUpdatedWebhook, eventId: string, options?: CallOptions): Promise<WebhookAccepted>;
}
