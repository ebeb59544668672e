// Types and methods. Generated from the hub's OpenAPI document: python -m clients.generator

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

/** EXPIRED comes with time and is never set. */
export type CampaignStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "EXPIRED" | "ARCHIVED";

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

/** The body of createLink. */
export interface CreateLinkBody {
  /** The campaign. */
  campaignId: string;
  /** Where it leads, on a domain of theirs. */
  destination?: string;
  /** What the link is called, such as where it stands. */
  name?: string;
  /** sub1 to sub5. */
  subIds?: { [name: string]: unknown };
}

/** The body of createSubscription. */
export interface CreateSubscriptionBody {
  /** Where to send; with placeholders it is a postback. */
  url: string;
  /** Events or patterns. */
  events: Array<string>;
  /** What it is for, in your words; empty for nothing. */
  description?: string;
  /** Of these accounts' orders; live, unless you say test. */
  mode?: Mode;
  /** Whether messages are kept at first, until it is resumed. */
  paused?: boolean;
  /** In which version messages are sent; the newest, if none is named. */
  payloadVersion?: string;
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

/** An ISO 4217 currency code in upper case. */
export type Currency = string;

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

/** The body of joinCampaign. */
export interface JoinCampaignBody {
  /** To the merchant. */
  message?: string;
}

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

/** How far an affiliate's wish to take part in a campaign is. */
export type MembershipStatus = "APPLIED" | "APPROVED" | "REJECTED" | "REMOVED";

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

/** The next pay date of one currency, for one affiliate. */
export interface NextPayout {
  currency: string | null;
  payDate: string;
  payableBefore: string;
  payable: string | null;
  due: string | null;
  minimum: string | null;
  missing: Array<"nothing_due" | "negative" | "below_minimum" | "below_own_minimum" | "own_wait" | "own_currency" | "on_hold" | "no_payee" | "payee_waits" | "no_method" | "no_rate" | "merchant_overdue">;
  sentCurrency: string | null;
  sentAmount: string | null;
  exchangeRate: string | null;
}

/** A page of a list. */
export interface NextPayoutPage {
  data: Array<NextPayout>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A campaign with what it pays; `membership` is your own, null if you take no part. */
export interface OfferDocument {
  /** The hub's id. */
  id: string;
  /** A short code for people. */
  code: string;
  /** The campaign's title. */
  title: string;
  /** Free text. */
  description: string | null;
  /** Free text. */
  terms: string | null;
  /** Whose it is. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** The shop's domains. */
  domains: Array<string>;
  /** The merchant's currency, that of a FIXED rule. */
  currency: string;
  /** PERCENTAGE or FIXED. */
  commissionType: CommissionType;
  /** Percent of the order, or money in the merchant's currency. */
  commissionValue: string;
  /** How orders with `metadata.newCustomer` are paid; comes with its value. */
  newCustomerCommissionType: CommissionType | null;
  /** Of these orders, as defaultCommissionValue. */
  newCustomerCommissionValue: string | null;
  /** Higher rates by volume, paid as a bonus of the month: see docs/money.md. */
  volumeRates: VolumeRates | null;
  /** How long after a click an order counts, in milliseconds. */
  windowMs: number;
  /** How long commissions are held, in milliseconds. */
  holdMs: number;
  /** The effective status: EXPIRED once endDate has passed. */
  status: CampaignStatus;
  /** Whether the merchant approves each affiliate. */
  byApproval: boolean;
  /** The attribution policy in a sentence. */
  whoEarns: string;
  /** Your membership; null if you take no part. */
  membership: MembershipStatus | null;
  /** What the merchant gave as the reason of your membership's status. */
  reason: string | null;
}

/** A page of a list. */
export interface OfferDocumentPage {
  data: Array<OfferDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A commission of yours; `amount` is decimal text in `currency`. */
export interface OwnCommissionDocument {
  id: string;
  state: string;
  amount: string;
  currency: string;
  holdUntil: string | null;
  externalOrderId: string;
  orderedAt: string;
  merchantId: string;
  merchantName: string;
  campaignTitle: string | null;
  linkCode: string | null;
  subIds: { [name: string]: unknown };
}

/** A page of a list. */
export interface OwnCommissionDocumentPage {
  data: Array<OwnCommissionDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** What your balance changed by for the order after the payment. */
export interface OwnCorrection {
  /** What was added, or taken back, in the order's currency. */
  amount: MoneySum;
  /** The run that took it along; null until then. */
  payoutId: string | null;
  /** When it was booked. */
  createdAt: string;
}

/** A tracking link of yours; `stopped` says in words why it earns nothing, null if it earns. */
export interface OwnLinkDocument {
  /** What follows /t/ in the address. */
  code: string;
  /** Where it leads. */
  destination: string;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The campaign that its orders count to. */
  campaignId: string | null;
  /** The campaign's title. */
  campaignTitle: string | null;
  /** What the link is called, such as where it stands. */
  name: string | null;
  /** The affiliate's notes, sub1 to sub5. */
  subIds: { [name: string]: unknown };
  /** When it was created. */
  createdAt: string;
  /** Since when it records no clicks; null while it does. */
  disabledAt: string | null;
  /** Why it earns nothing, in words; null if it earns. */
  stopped: string | null;
}

/** A page of a list. */
export interface OwnLinkDocumentPage {
  data: Array<OwnLinkDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
}

/** A commission of yours with the order that it is for, what was reported of that, and what it waits for. */
export interface OwnOrder {
  /** The commission's id. */
  id: string;
  /** The order's id. */
  conversionId: string;
  /** The merchant's order number. */
  externalOrderId: string;
  /** What the commission is taken from, in `currency`. */
  orderAmount: Money;
  /** The order's currency. */
  currency: Currency;
  /** When the buyer ordered. */
  orderedAt: string;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The mode of the account. */
  mode: Mode;
  /** The campaign that it counts to. */
  campaignId: string | null;
  /** ATTRIBUTED if a person gave it to you; null if your click did. */
  review: ReviewState | null;
  /** What it waits for; null if nothing. */
  awaits: AwaitedStep | null;
  /** What you earn, by which rule, and until when it is held. */
  commission: CommissionOfOrder;
  /** What was reported of the order, in the order in which it counts. */
  facts: Array<ReasonedFact>;
  /** What changed after the payment. */
  corrections: Array<OwnCorrection>;
  /** What it counts for rates by volume; null without such rates. */
  volume: VolumeOfOrder | null;
  /** Your link that the buyer followed; null if it was attributed without. */
  linkCode: string | null;
  /** When the buyer followed it; null without one. */
  clickedAt: string | null;
  /** Your notes on the click, sub1 to sub5. */
  subIds: { [name: string]: unknown };
  /** The moment of its latest change. */
  updatedAt: string;
}

/** What a run pays an affiliate in one currency; `amount` is decimal text, `carriedReason` why it waits instead. */
export interface OwnPayout {
  payoutId: string;
  releasedAt: string;
  currency: string;
  amount: string;
  status: string;
  carriedReason: string | null;
  reference: string | null;
  returnedReason: string | null;
  sentCurrency: string | null;
  sentAmount: string | null;
  exchangeRate: string | null;
}

/** A page of a list. */
export interface OwnPayoutPage {
  data: Array<OwnPayout>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
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

/** The body of renameLink. */
export interface RenameLinkBody {
  /** What the link is called, such as where it stands. */
  name?: string;
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

/** A line of a report: `key` names the day, the campaign, the link or the sub-id; `earned` is money by currency. */
export interface ReportLine {
  key: string;
  name: string;
  clicks: number;
  orders: number;
  rejected: number;
  earned: { [name: string]: unknown };
}

/** A page of a list. */
export interface ReportLinePage {
  data: Array<ReportLine>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
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

/** The body of rotateSubscriptionSecret. */
export interface RotateSubscriptionSecretBody {
  /** How long the old secret still works, like 24h. */
  overlap?: string;
}

/** A test message that is on its way; what became of it is in the subscription's messages. */
export interface SampleQueued {
  messageId: string;
  type: string;
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

/** A short address of a link. */
export interface ShortLink {
  /** The link's code. */
  code: string;
  /** What follows /s/ in the address. */
  short: string;
  /** The short address. */
  url: string;
}

/** The body of shortenLink. */
export interface ShortenLinkBody {
  /** What follows /s/ in the address. */
  short: string;
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

/** Why something that was reported changed nothing. */
export type SkipReason = "already_known" | "commission_paid" | "stale" | "superseded" | "taken_back" | "test_delivery" | "unknown_order" | "unknown_product" | "not_allowed_from_pending" | "not_allowed_from_hold" | "not_allowed_from_approved" | "not_allowed_from_payable" | "not_allowed_from_rejected";

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

/** The body of testSubscription. */
export interface TestSubscriptionBody {
  /** Of what kind; the first of its own without it. */
  type?: MessageType;
}

/** An order that somebody wrote about, and how many messages were not seen yet. */
export interface ThreadDocument {
  /** The order. */
  conversionId: string;
  /** What the affiliate earns from it. */
  commissionId: string;
  /** The shop's number of the order. */
  externalOrderId: string;
  /** The merchant. */
  merchantId: string;
  /** The merchant's name. */
  merchantName: string;
  /** The affiliate. */
  affiliateId: string;
  /** The affiliate's name. */
  affiliateName: string;
  /** The mode of the account. */
  mode: Mode;
  /** How many messages there are. */
  messages: number;
  /** How many of those to the affiliate it has not seen. */
  unread: number;
  /** How many of the affiliate's the merchant has not seen. */
  unreadByMerchant: number;
  /** When the last one was written. */
  lastAt: string;
}

/** A page of a list. */
export interface ThreadDocumentPage {
  data: Array<ThreadDocument>;
  /** The `cursor` of the next page. */
  nextCursor: string | null;
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

/** A message to a subscriber. */
export type WebhookMessage = CommissionNewsMessage | DepositNewsMessage | PayoutNewsMessage | RecoveredConnectionMessage | RefusedConnectionMessage | ReviewNewsMessage | SilentConnectionMessage;

/** The body of writeMessage. */
export interface WriteMessageBody {
  /** What is written. */
  text: string;
}

import type { CallOptions } from "../types.js";

export interface Operations {
  /** Show who you are */
  getAffiliate(options?: CallOptions): Promise<AffiliateDocument>;
  /** Show your balances, by currency */
  listBalances(query?: { mode?: Mode }, options?: CallOptions): Promise<BalanceDocumentPage>;
  /** List the campaigns that you take part in */
  listCampaigns(query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<OfferDocumentPage>;
  /** List the campaigns that you take part in: all of them, page after page as they are needed. */
  iterateCampaigns(query?: { limit?: number }, options?: CallOptions): AsyncGenerator<OfferDocument>;
  /** List the campaigns that anybody may join */
  listPublicCampaigns(query?: { cursor?: string }, options?: CallOptions): Promise<OfferDocumentPage>;
  /** List the campaigns that anybody may join: all of them, page after page as they are needed. */
  iteratePublicCampaigns(options?: CallOptions): AsyncGenerator<OfferDocument>;
  /** Join a campaign, or apply to it */
  joinCampaign(campaign: string, body: JoinCampaignBody, options?: CallOptions): Promise<MembershipDocument>;
  /** Follow what changed of yours, from a cursor that never expires */
  listChanges(query?: { after?: string; types?: string; limit?: number; wait?: number }, options?: CallOptions): Promise<ChangesDocument>;
  /** List your commissions, newest first */
  listCommissions(query?: { mode?: Mode; status?: CommissionState; merchantId?: string; linkCode?: string; externalOrderId?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<OwnCommissionDocumentPage>;
  /** List your commissions, newest first: all of them, page after page as they are needed. */
  iterateCommissions(query?: { mode?: Mode; status?: CommissionState; merchantId?: string; linkCode?: string; externalOrderId?: string; limit?: number }, options?: CallOptions): AsyncGenerator<OwnCommissionDocument>;
  /** Show a commission with its order, and what it waits for */
  getCommission(commission: string, options?: CallOptions): Promise<OwnOrder>;
  /** Read what you and the merchant wrote about an order */
  listMessages(commission: string, options?: CallOptions): Promise<MessageDocumentPage>;
  /** Ask the merchant about an order, or answer it */
  writeMessage(commission: string, body: WriteMessageBody, options?: CallOptions): Promise<MessageDocumentPage>;
  /** List the kinds of messages that subscribers get */
  listEventTypes(options?: CallOptions): Promise<EventTypeRecordPage>;
  /** List your tracking links, newest first */
  listLinks(query?: { mode?: Mode; limit?: number; cursor?: string }, options?: CallOptions): Promise<OwnLinkDocumentPage>;
  /** List your tracking links, newest first: all of them, page after page as they are needed. */
  iterateLinks(query?: { mode?: Mode; limit?: number }, options?: CallOptions): AsyncGenerator<OwnLinkDocument>;
  /** Create a tracking link of a campaign */
  createLink(body: CreateLinkBody, options?: CallOptions): Promise<LinkCreated>;
  /** Show a tracking link */
  getLink(link: string, options?: CallOptions): Promise<LinkRecord>;
  /** List clicks on a link of yours, newest first */
  listClicks(link: string, query?: { createdFrom?: string; createdTo?: string; limit?: number; cursor?: string }, options?: CallOptions): Promise<ClickRecordPage>;
  /** List clicks on a link of yours, newest first: all of them, page after page as they are needed. */
  iterateClicks(link: string, query?: { createdFrom?: string; createdTo?: string; limit?: number }, options?: CallOptions): AsyncGenerator<ClickRecord>;
  /** Switch a link off: buyers reach the shop, and nobody earns */
  disableLink(link: string, options?: CallOptions): Promise<LinkRecord>;
  /** Switch a link on again that you had switched off */
  enableLink(link: string, options?: CallOptions): Promise<LinkRecord>;
  /** Name a link */
  renameLink(link: string, body: RenameLinkBody, options?: CallOptions): Promise<LinkRecord>;
  /** Give a link a short address, which stays its own */
  shortenLink(link: string, body: ShortenLinkBody, options?: CallOptions): Promise<ShortLink>;
  /** List the orders that somebody wrote about, those with the newest first */
  listThreads(query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<ThreadDocumentPage>;
  /** List the orders that somebody wrote about, those with the newest first: all of them, page after page as they are needed. */
  iterateThreads(query?: { limit?: number }, options?: CallOptions): AsyncGenerator<ThreadDocument>;
  /** Show your payment details; of an account only the last digits */
  getPayee(options?: CallOptions): Promise<PayeeDocument>;
  /** List what you were paid, newest first */
  listPayouts(query?: { mode?: Mode; limit?: number; cursor?: string }, options?: CallOptions): Promise<OwnPayoutPage>;
  /** List what you were paid, newest first: all of them, page after page as they are needed. */
  iteratePayouts(query?: { mode?: Mode; limit?: number }, options?: CallOptions): AsyncGenerator<OwnPayout>;
  /** Show your next pay date, and what is missing for it */
  listNextPayouts(options?: CallOptions): Promise<NextPayoutPage>;
  /** Show how you chose to be paid */
  getPayoutTerms(options?: CallOptions): Promise<PayoutTerms>;
  /** Set your own minimum, in which currencies you are paid, or wait */
  setPayoutTerms(body: SetPayoutTermsBody, options?: CallOptions): Promise<PayoutTerms>;
  /** Show your statement of a payout that was released */
  getStatement(payout: string, options?: CallOptions): Promise<StatementDocument>;
  /** Report clicks, orders and earnings */
  getReport(query?: { by?: "day" | "campaign" | "link" | "sub1" | "sub2" | "sub3" | "sub4" | "sub5"; mode?: Mode; from?: string; to?: string }, options?: CallOptions): Promise<ReportLinePage>;
  /** List your subscriptions to webhooks and postbacks */
  listSubscriptions(query?: { limit?: number; cursor?: string }, options?: CallOptions): Promise<SubscriptionDocumentPage>;
  /** List your subscriptions to webhooks and postbacks: all of them, page after page as they are needed. */
  iterateSubscriptions(query?: { limit?: number }, options?: CallOptions): AsyncGenerator<SubscriptionDocument>;
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
}
