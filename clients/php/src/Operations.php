<?php

// Generated from the hub's OpenAPI document: python -m clients.generator

declare(strict_types=1);

namespace AffiliateHub;

/**
 * A method for each operation of the API.
 *
 * @phpstan-type AcceptedEvent array{eventId: string, status: AcceptedStatus, duplicate: bool, conversionId?: string, warnings?: list<string>}
 * @phpstan-type AcceptedStatus 'RECEIVED'|'DUPLICATE'
 * @phpstan-type AffiliateList array{data: list<AffiliateRecord>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type AffiliateRecord array{id: string, name: string, status: AffiliateStatus, channels: string|null}
 * @phpstan-type AffiliateStatus 'ACTIVE'|'INACTIVE'
 * @phpstan-type ApprovalStatus 'NOT_REQUIRED'|'PENDING'|'APPROVED'|'REJECTED'
 * @phpstan-type ArchivePayload array{productIds: list<string>}
 * @phpstan-type ArchiveResult array{archived: int, notFound: list<string>, warnings?: list<string>}
 * @phpstan-type AttributionExplained array{confidence: Confidence, reason: AttributionReason, clickId: string|null, affiliateId: string|null, campaignId: string|null, clickAgeSeconds: int|null, windowSeconds: int|null, policy?: array<string, mixed>, customer?: array<string, mixed>}
 * @phpstan-type AttributionInput array{affiliateId: string, campaignId?: string|null}
 * @phpstan-type AttributionReason 'matched'|'click_missing'|'click_malformed'|'click_unknown'|'click_after_order'|'click_outside_window'|'campaign_not_live'|'affiliate_inactive'|'coupon_owner'|'coupon_matched'|'coupon_excluded'|'sub_affiliate_excluded'|'customer_not_new'|'customer_unknown'|'renewal_matched'|'renewal_excluded'|'renewals_used_up'|'customer_matched'
 * @phpstan-type AwaitedStep 'REVIEW'|'ORDER_STATUS'|'HOLD_END'|'PLATFORM'|'DEPOSIT'|'PAYOUT'
 * @phpstan-type BalanceList array{data: list<BalanceRecord>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type BalanceRecord array{currency: Currency, pending: MoneySum, hold: MoneySum, approved: MoneySum, payable: MoneySum, paid: MoneySum, rejected: MoneySum}
 * @phpstan-type BilledWhen 'paid'|'payable'
 * @phpstan-type CampaignCreated array{id: string, campaignCode: string, title: string, status: CampaignStatus, warnings?: list<string>}
 * @phpstan-type CampaignInput array{title: string, description?: string|null, startDate?: string|null, endDate?: string|null, defaultCommissionType?: CommissionType|null, defaultCommissionValue?: string|null, newCustomerCommissionType?: CommissionType|null, newCustomerCommissionValue?: string|null, volumeRates?: VolumeRates|null, cookieDurationDays?: int|null, allowedTrafficSources?: list<string>|null, termsAndConditions?: string|null, approvalRequired?: bool|null}
 * @phpstan-type CampaignList array{data: list<CampaignRecord>, page: int, pageSize: int, total: int, warnings?: list<string>}
 * @phpstan-type CampaignPatch array{title?: string, description?: string|null, startDate?: string|null, endDate?: string|null, defaultCommissionType?: CommissionType|null, defaultCommissionValue?: string|null, newCustomerCommissionType?: CommissionType|null, newCustomerCommissionValue?: string|null, volumeRates?: VolumeRates|null, cookieDurationDays?: int|null, allowedTrafficSources?: list<string>|null, termsAndConditions?: string|null, approvalRequired?: bool, status?: SettableCampaignStatus}
 * @phpstan-type CampaignRecord array{id: string, campaignCode: string, title: string, description: string|null, startDate: string|null, endDate: string|null, defaultCommissionType: CommissionType|null, defaultCommissionValue: string|null, newCustomerCommissionType: CommissionType|null, newCustomerCommissionValue: string|null, volumeRates: VolumeRates|null, cookieDurationDays: int|null, allowedTrafficSources: list<string>|null, termsAndConditions: string|null, approvalRequired: bool, status: CampaignStatus, approvalStatus: ApprovalStatus, createdAt: string, updatedAt: string, warnings?: list<string>}
 * @phpstan-type CampaignStatus 'DRAFT'|'ACTIVE'|'PAUSED'|'EXPIRED'|'ARCHIVED'
 * @phpstan-type ChangeList array{data: list<ChangeRecord>, cursor: string, more: bool, warnings?: list<string>}
 * @phpstan-type ChangeRecord array{type: ChangeType, id: string, changedAt: string, deleted: bool, record: array<string, mixed>|null}
 * @phpstan-type ChangeType 'affiliate'|'balance'|'campaign'|'commission'|'conversion'|'event'|'link'|'membership'|'product'|'statement'|'subscription'
 * @phpstan-type ClickList array{data: list<ClickRecord>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type ClickRecord array{id: string, clickedAt: string, linkCode: string, affiliateId: string, campaignId: string|null, subIds: array<string, mixed>, merchantId: string, mode: Mode}
 * @phpstan-type CommissionExplained array{state: CommissionState, amount: Money, currency: Currency, source: CommissionSource, type: CommissionType|null, value: string|null, base: Money, holdUntil: string|null, lines: list<CommissionLine>, levels: list<CommissionLevel>}
 * @phpstan-type CommissionLevel array{level: RuleLevel, outcome: LevelOutcome, externalProductId?: string, type?: CommissionType, value?: string}
 * @phpstan-type CommissionLine array{externalProductId: string|null, source: RuleLevel, type: CommissionType, value: string, base: string, quantity: int, amount: string}
 * @phpstan-type CommissionList array{data: list<CommissionRecord>, nextCursor: string|null, nextUpdatedSince?: string, warnings?: list<string>}
 * @phpstan-type CommissionMessageType 'commission.created'|'commission.held'|'commission.payable'|'commission.rejected'|'commission.adjusted'|'commission.paid'
 * @phpstan-type CommissionNews array{commissionId: string, state: CommissionState, previousState: CommissionState|null, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, conversionId: string, externalOrderId?: string, campaignId: string|null, clickId: string|null, orderedAt: string, currency: Currency, amount: MoneySum, previousAmount: MoneySum|null, holdUntil: string|null, paidAt: string|null, affiliateId: string}
 * @phpstan-type CommissionNewsMessage array{type: CommissionMessageType, timestamp: string, data: CommissionNews}
 * @phpstan-type CommissionOfOrder array{id: string, state: CommissionState, amount: Money, currency: Currency, source: CommissionSource, type: CommissionType|null, value: string|null, base: Money, holdUntil: string|null, paidAt: string|null, payoutReference: string|null}
 * @phpstan-type CommissionRecord array{id: string, state: CommissionState, amount: Money, currency: Currency, base: Money, source: CommissionSource, affiliateId: string, conversionId: string, holdUntil: string|null, paidAt: string|null, reference: string|null, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, updatedAt: string}
 * @phpstan-type CommissionSource 'PRODUCT'|'NEW_CUSTOMER'|'CAMPAIGN'|'MERCHANT'|'PLATFORM'|'MIXED'
 * @phpstan-type CommissionState 'PENDING'|'HOLD'|'APPROVED'|'PAYABLE'|'PAID'|'REJECTED'
 * @phpstan-type CommissionType 'PERCENTAGE'|'FIXED'
 * @phpstan-type Confidence 'HIGH'|'LOW'
 * @phpstan-type ConversionInput array{externalOrderId: string, orderAmount: Money, clickId?: string|null, externalProductId?: string|null, currency?: Currency|null, orderStatus?: ConversionStatus|null, orderedAt?: string|null, couponCode?: string|null, metadata?: array<string, mixed>|null, customer?: string|null}
 * @phpstan-type ConversionList array{data: list<ConversionRecord>, nextCursor: string|null, nextUpdatedSince?: string, warnings?: list<string>}
 * @phpstan-type ConversionRecord array{id: string, externalOrderId: string, orderAmount: Money, currency: Currency, confidence: Confidence, reason: AttributionReason, affiliateId: string|null, campaignId: string|null, candidateId: string|null, clickId: string|null, couponCode: string|null, review: ReviewState|null, orderedAt: string, receivedAt: string, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, eventId: string, commission: CommissionOfOrder|null, facts: list<ReasonedFact>, metadata: array<string, mixed>|null, subIds: array<string, mixed>, explanation: Explanation|null, awaits: AwaitedStep|null, volume?: VolumeOfOrder, updatedAt: string}
 * @phpstan-type ConversionState 'PENDING'|'HOLD'|'APPROVED'|'PAYABLE'|'PAID'|'REJECTED'|'IN_REVIEW'|'DISMISSED'
 * @phpstan-type ConversionStatus 'pending'|'confirmed'|'delivered'|'cancelled'|'returned'|'refunded'
 * @phpstan-type Currency string
 * @phpstan-type DailyFigures array{day: string, currency: Currency|null, clicks: int, orders: int, attributed: int, revenue: MoneySum|null, refunds: MoneySum|null, commission: MoneySum|null, pending: MoneySum|null, hold: MoneySum|null, approved: MoneySum|null, payable: MoneySum|null, paid: MoneySum|null, rejected: MoneySum|null}
 * @phpstan-type DailyReport array{data: list<DailyFigures>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type DeliveryList array{data: list<DeliveryRecord>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type DeliveryRecord array{id: string, type: string, payloadVersion: string, status: DeliveryStatus, attempts: int, createdAt: string, dueAt: string|null, finishedAt: string|null, answerStatus: int|null, answer: string|null, fault: string|null, data: array<string, mixed>}
 * @phpstan-type DeliveryStatus 'WAITING'|'DELIVERED'|'GIVEN_UP'
 * @phpstan-type DepositNews array{currency: Currency, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, balance: MoneySum, waiting: MoneySum, commissions: int}
 * @phpstan-type DepositNewsMessage array{type: 'deposit.short', timestamp: string, data: DepositNews}
 * @phpstan-type ErrorBody array{statusCode: int, message: string|list<string>, error: string, code?: string, param?: string, docUrl?: string, requestId?: string}
 * @phpstan-type EventList array{data: list<ListedEvent>, nextCursor: string|null, nextUpdatedSince?: string, warnings?: list<string>}
 * @phpstan-type EventRecord array{eventId: string, type: EventType, kind: WebhookKind|null, status: EventStatus, duplicate: bool, receivedAt: string, processedAt: string|null, attempts: int, conversionId: string|null, explanation: Explanation, reason: string|null, metadata: array<string, mixed>|null}
 * @phpstan-type EventStatus 'RECEIVED'|'QUEUED'|'PROCESSED'|'SKIPPED'|'PARKED'|'UNMATCHED'|'FAILED'
 * @phpstan-type EventType 'conversion'|'order_status'|'webhook'
 * @phpstan-type EventTypeList array{data: list<EventTypeRecord>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type EventTypeRecord array{type: MessageType, about: string, forAffiliates: bool, version: string, schema: array<string, mixed>, example: WebhookMessage}
 * @phpstan-type Explanation array{attribution: AttributionExplained|null, commission: CommissionExplained|null, skipReason: SkipExplanation|null, adjustmentId?: string, restated?: array<string, mixed>, amountDiffers?: array<string, mixed>, erasure?: array<string, mixed>}
 * @phpstan-type FactRecord array{status: string, at: string, receivedAt: string, applied: bool, skipReason: SkipReason|null, eventId: string}
 * @phpstan-type FiguresOf array{id: string|null, name: string|null, currency: Currency|null, clicks: int, orders: int, attributed: int, revenue: MoneySum|null, refunds: MoneySum|null, commission: MoneySum|null, pending: MoneySum|null, hold: MoneySum|null, approved: MoneySum|null, payable: MoneySum|null, paid: MoneySum|null, rejected: MoneySum|null}
 * @phpstan-type FiguresOfLink array{code: string, affiliateId: string, campaignId: string|null, destination: string, currency: Currency|null, clicks: int, orders: int, rejections: int, commission: MoneySum|null}
 * @phpstan-type FiguresOfProduct array{externalProductId: string|null, name: string|null, currency: Currency, orders: int, units: int, revenue: MoneySum}
 * @phpstan-type FiguresReport array{data: list<FiguresOf>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type ImportFault array{index: int, externalProductId: string|null, message: string}
 * @phpstan-type ImportSummary array{received: int, created: int, updated: int, failed: int, errors: list<ImportFault>, warnings?: list<string>}
 * @phpstan-type LevelOutcome 'won'|'no_product'|'no_rule'|'currency_differs'
 * @phpstan-type LinkCreated array{code: string, url: string, destination: string, affiliateId: string, campaignId: string|null, productId: string|null, merchantId: string, mode: Mode, name: string|null, subIds: array<string, mixed>, warnings?: list<string>}
 * @phpstan-type LinkInput array{affiliateId: string, campaignId?: string|null, externalProductId?: string|null, destination?: string|null, subIds?: array<string, mixed>|null, name?: string|null}
 * @phpstan-type LinkList array{data: list<LinkRecord>, nextCursor: string|null, nextUpdatedSince?: string, warnings?: list<string>}
 * @phpstan-type LinkRecord array{code: string, url: string, destination: string, affiliateId: string, campaignId: string|null, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, createdAt: string, updatedAt: string, disabledAt: string|null, name: string|null, subIds: array<string, mixed>, warnings?: list<string>}
 * @phpstan-type LinkReport array{data: list<FiguresOfLink>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type ListedEvent array{eventId: string, type: EventType, kind: WebhookKind|null, status: EventStatus, duplicate: bool, receivedAt: string, processedAt: string|null, attempts: int, conversionId: string|null, explanation: Explanation, externalOrderId: string|null}
 * @phpstan-type LoggedRequest array{id: string, at: string, method: string, path: string, status: int, errorCode: string|null, requestId: string, keyId: string|null, client: string|null, mode: Mode|null, durationMs: float, detail: array<string, mixed>|null}
 * @phpstan-type MessageType 'commission.created'|'commission.held'|'commission.payable'|'commission.rejected'|'commission.adjusted'|'commission.paid'|'conversion.review'|'connection.silent'|'connection.refused'|'connection.recovered'|'payout.released'|'deposit.short'
 * @phpstan-type Mode 'test'|'live'
 * @phpstan-type Money string
 * @phpstan-type MoneySum string
 * @phpstan-type OrderCancelledWebhook array{external_order_id: string, click_id?: string|null, occurred_at?: string|null, reason?: string|null, ...}
 * @phpstan-type OrderCreatedWebhook array{external_order_id: string, order_amount: Money, click_id?: string|null, currency?: Currency|null, coupon_code?: string|null, customer?: string|null, external_product_id?: string|null, ordered_at?: string|null, metadata?: array<string, mixed>|null, lines?: list<WebhookLine>, ...}
 * @phpstan-type OrderDeliveredWebhook array{external_order_id: string, click_id?: string|null, occurred_at?: string|null, reason?: string|null, ...}
 * @phpstan-type OrderPaidWebhook array{external_order_id: string, click_id?: string|null, occurred_at?: string|null, reason?: string|null, ...}
 * @phpstan-type OrderRefundedWebhook array{external_order_id: string, click_id?: string|null, occurred_at?: string|null, reason?: string|null, refund_id?: string|null, refund_amount?: Money|null, lines?: list<WebhookLine>, ...}
 * @phpstan-type OrderReturnedWebhook array{external_order_id: string, click_id?: string|null, occurred_at?: string|null, reason?: string|null, ...}
 * @phpstan-type OrderStatus 'pending'|'confirmed'|'paid'|'delivered'|'cancelled'|'returned'|'refunded'|'commission_approved'|'commission_rejected'
 * @phpstan-type OrderStatusInput array{externalOrderId: string, status: OrderStatus, clickId?: string|null, statusUpdatedAt?: string|null, reason?: string|null, metadata?: array<string, mixed>|null}
 * @phpstan-type OwedAmount array{currency: Currency, commissions: MoneySum, payments: int, corrections: MoneySum, fee: MoneySum, deposit: MoneySum, total: MoneySum}
 * @phpstan-type PayoutNews array{payoutId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, affiliateId: string, amount: MoneySum, currency: Currency}
 * @phpstan-type PayoutNewsMessage array{type: 'payout.released', timestamp: string, data: PayoutNews}
 * @phpstan-type ProductInput array{externalProductId: string, name: string, productUrl: string, price: Money, description?: string|null, imageUrl?: string|null, category?: string|null, brand?: string|null, discountPrice?: Money|null, currency?: Currency|null, stockStatus?: string|null, commissionType?: CommissionType|null, commissionValue?: string|null, campaignId?: string|null}
 * @phpstan-type ProductList array{data: list<ProductRecord>, page: int, pageSize: int, total: int, nextCursor?: string, warnings?: list<string>}
 * @phpstan-type ProductPatch array{name?: string, price?: Money, discountPrice?: Money|null, stockStatus?: string|null, commissionType?: CommissionType|null, commissionValue?: string|null, status?: ProductStatus, campaignId?: string|null}
 * @phpstan-type ProductRecord array{id: string, externalProductId: string, name: string, description: string|null, productUrl: string, imageUrl: string|null, category: string|null, brand: string|null, price: Money, discountPrice: Money|null, currency: Currency, stockStatus: string|null, commissionType: CommissionType|null, commissionValue: string|null, campaignId: string|null, status: ProductStatus, createdAt: string, updatedAt: string, warnings?: list<string>}
 * @phpstan-type ProductReport array{data: list<FiguresOfProduct>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type ProductStatus 'ACTIVE'|'INACTIVE'|'OUT_OF_STOCK'|'ARCHIVED'
 * @phpstan-type ProductStockUpdatedWebhook array{external_product_id: string, stock_status?: string|null, quantity?: int|null, updated_at?: string|null, ...}
 * @phpstan-type ProductUpdatedWebhook array{external_product_id: string, name?: string|null, description?: string|null, product_url?: string|null, image_url?: string|null, category?: string|null, brand?: string|null, price?: Money|null, discount_price?: Money|null, currency?: Currency|null, stock_status?: string|null, commission_type?: CommissionType|null, commission_value?: string|null, campaign_id?: string|null, updated_at?: string|null, ...}
 * @phpstan-type ProductsPayload array{products: list<ProductInput>}
 * @phpstan-type QueuedStatus 'QUEUED'|'DUPLICATE'
 * @phpstan-type ReasonedFact array{status: string, at: string, receivedAt: string, applied: bool, skipReason: SkipReason|null, eventId: string, reason: string|null}
 * @phpstan-type RecoveredConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, at: string, read: int, unknownOrders: int}
 * @phpstan-type RecoveredConnectionMessage array{type: 'connection.recovered', timestamp: string, data: RecoveredConnection}
 * @phpstan-type RefusedConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, at: string, reason: string}
 * @phpstan-type RefusedConnectionMessage array{type: 'connection.refused', timestamp: string, data: RefusedConnection}
 * @phpstan-type ReplayInput array{messageId?: string|null, since?: string|null}
 * @phpstan-type ReplayedDeliveries array{replayed: int, warnings?: list<string>}
 * @phpstan-type RequestList array{data: list<LoggedRequest>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type RetriedDeliveries array{retried: int, warnings?: list<string>}
 * @phpstan-type RetryInput array{messageId?: string|null}
 * @phpstan-type ReviewNews array{conversionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, externalOrderId?: string, campaignId: string|null, clickId: string|null, orderedAt: string, currency: Currency, orderAmount: Money, reason: string, candidateId: string|null}
 * @phpstan-type ReviewNewsMessage array{type: 'conversion.review', timestamp: string, data: ReviewNews}
 * @phpstan-type ReviewState 'OPEN'|'ATTRIBUTED'|'DISMISSED'
 * @phpstan-type ReviewedConversion array{id: string, externalOrderId: string, orderAmount: Money, currency: Currency, confidence: Confidence, reason: AttributionReason, affiliateId: string|null, campaignId: string|null, candidateId: string|null, clickId: string|null, couponCode: string|null, review: ReviewState|null, orderedAt: string, receivedAt: string, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, eventId: string, commission: CommissionOfOrder|null, facts: list<FactRecord>, warnings?: list<string>}
 * @phpstan-type RotationInput array{overlap?: string}
 * @phpstan-type RuleLevel 'PRODUCT'|'NEW_CUSTOMER'|'CAMPAIGN'|'MERCHANT'|'PLATFORM'
 * @phpstan-type SampleInput array{type?: MessageType|null}
 * @phpstan-type SampleMessage array{messageId: string, type: MessageType, warnings?: list<string>}
 * @phpstan-type SettableCampaignStatus 'DRAFT'|'ACTIVE'|'PAUSED'|'ARCHIVED'
 * @phpstan-type SignatureVersion '1'|'2'
 * @phpstan-type SilentConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, lastDeliveryAt: string}
 * @phpstan-type SilentConnectionMessage array{type: 'connection.silent', timestamp: string, data: SilentConnection}
 * @phpstan-type SkipExplanation SkipReason|string
 * @phpstan-type SkipReason 'already_known'|'commission_paid'|'stale'|'superseded'|'taken_back'|'test_delivery'|'unknown_order'|'unknown_product'|'not_allowed_from_pending'|'not_allowed_from_hold'|'not_allowed_from_approved'|'not_allowed_from_payable'|'not_allowed_from_rejected'
 * @phpstan-type Sort '-createdAt'|'createdAt'
 * @phpstan-type StatementList array{data: list<StatementRecord>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type StatementRecord array{month: string, timeZone: string, billed: BilledWhen, owed: list<OwedAmount>}
 * @phpstan-type SubscriptionInput array{url: string, description?: string|null, events: list<string>, paused?: bool, payloadVersion?: string|null}
 * @phpstan-type SubscriptionKind 'WEBHOOK'|'POSTBACK'
 * @phpstan-type SubscriptionList array{data: list<SubscriptionRecord>, nextCursor: string|null, warnings?: list<string>}
 * @phpstan-type SubscriptionPatch array{url?: string|null, description?: string|null, events?: list<string>|null, payloadVersion?: string|null}
 * @phpstan-type SubscriptionRecord array{id: string, merchantId: string|null, mode: Mode|null, affiliateId: string|null, kind: SubscriptionKind, url: string, description: string|null, events: list<string>, payloadVersion: string, status: SubscriptionStatus, reason: string|null, failures: int, failingSince: string|null, waiting: int, createdAt: string, warnings?: list<string>}
 * @phpstan-type SubscriptionSecret array{id: string, secret: string|null, payloadVersion: string, warnings?: list<string>}
 * @phpstan-type SubscriptionStatus 'ACTIVE'|'PAUSED'
 * @phpstan-type TrueOrFalse 'true'|'false'
 * @phpstan-type UploadKind 'products'|'orders'|'statuses'
 * @phpstan-type UploadRecord array{uploadId: string, kind: UploadKind, dryRun: bool, status: UploadStatus, bytes: int, bytesRead: int, rows: int, created: int, updated: int, duplicate: int, failed: int, ignoredColumns: list<string>, faults: list<string>, createdAt: string, startedAt: string|null, finishedAt: string|null, warnings?: list<string>}
 * @phpstan-type UploadStatus 'QUEUED'|'RUNNING'|'DONE'|'REFUSED'
 * @phpstan-type VolumeMeasure 'ORDERS'|'AMOUNT'
 * @phpstan-type VolumeOfOrder array{month: string, standing: VolumeStanding, place: int|null, begins: string|null, commissionType: CommissionType|null, commissionValue: string|null, amount: Money}
 * @phpstan-type VolumePeriod 'MONTH'|'EVER'
 * @phpstan-type VolumeRates array{period: VolumePeriod, measure: VolumeMeasure, tiers: list<array<string, mixed>>}
 * @phpstan-type VolumeStanding 'OPEN'|'COUNTED'|'LEFT_OUT'
 * @phpstan-type WebhookAccepted array{webhookEventId: string, status: QueuedStatus, duplicate: bool, warnings?: list<string>}
 * @phpstan-type WebhookKind 'order-created'|'order-paid'|'order-delivered'|'order-cancelled'|'order-returned'|'order-refunded'|'product-updated'|'product-stock-updated'
 * @phpstan-type WebhookLine array{external_product_id?: string|null, quantity?: int|null, amount?: Money|null, ...}
 * @phpstan-type WebhookMessage CommissionNewsMessage|DepositNewsMessage|PayoutNewsMessage|RecoveredConnectionMessage|RefusedConnectionMessage|ReviewNewsMessage|SilentConnectionMessage
 */
trait Operations
{
    /** @return mixed */
    abstract protected function send(Call $call);

    /** @return \Generator<int, array<string, mixed>> */
    abstract protected function pages(callable $page, string $place): \Generator;

    /**
     * List the affiliates that may promote something of yours.
     *
     * @param array{limit?: int, cursor?: string} $query
     * @return AffiliateList
     */
    public function listAffiliates(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/affiliates', $query, null, null, null, false, true));
    }

    /**
     * List the affiliates that may promote something of yours: all of them, page after page as they are needed.
     *
     * @param array{limit?: int} $query
     * @return \Generator<int, AffiliateRecord>
     */
    public function iterateAffiliates(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listAffiliates($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show what your commissions come to.
     *
     * @return BalanceList
     */
    public function listBalances(): array
    {
        return $this->send(new Call('GET', '/v1/balances', [], null, null, null, false, true));
    }

    /**
     * List campaigns, newest first.
     *
     * @param array{page?: int, pageSize?: int, status?: CampaignStatus} $query
     * @return CampaignList
     */
    public function listCampaigns(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/campaigns', $query, null, null, null, false, true));
    }

    /**
     * List campaigns, newest first: all of them, page after page as they are needed.
     *
     * @param array{pageSize?: int, status?: CampaignStatus} $query
     * @return \Generator<int, CampaignRecord>
     */
    public function iterateCampaigns(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listCampaigns($query + ['page' => $place] + ['pageSize' => 200]);
        }, 'page');
    }

    /**
     * Create a campaign, as a draft.
     *
     * @param CampaignInput $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignCreated
     */
    public function createCampaign(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/campaigns', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a campaign.
     *
     * @param string $id
     * @return CampaignRecord
     */
    public function getCampaign(string $id): array
    {
        return $this->send(new Call('GET', '/v1/campaigns/' . rawurlencode($id), [], null, null, null, false, true));
    }

    /**
     * Change the fields given, or the status.
     *
     * @param string $id
     * @param CampaignPatch $body
     * @return CampaignRecord
     */
    public function updateCampaign(string $id, array $body): array
    {
        return $this->send(new Call('PATCH', '/v1/campaigns/' . rawurlencode($id), [], $body, null, null, false, true));
    }

    /**
     * Activate a campaign.
     *
     * @param string $id
     * @return CampaignRecord
     */
    public function activateCampaign(string $id): array
    {
        return $this->send(new Call('POST', '/v1/campaigns/' . rawurlencode($id) . '/activate', [], null, null, null, false, true));
    }

    /**
     * Pause an active campaign.
     *
     * @param string $id
     * @return CampaignRecord
     */
    public function pauseCampaign(string $id): array
    {
        return $this->send(new Call('POST', '/v1/campaigns/' . rawurlencode($id) . '/pause', [], null, null, null, false, true));
    }

    /**
     * Follow what changed, from a cursor that holds for ever.
     *
     * @param array{after?: string, types?: string, limit?: int, wait?: int} $query
     * @return ChangeList
     */
    public function listChanges(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/changes', $query, null, null, null, false, true));
    }

    /**
     * List clicks on tracking links.
     *
     * @param array{limit?: int, cursor?: string, sort?: Sort, linkCode?: string, affiliateId?: string, campaignId?: string, createdFrom?: string, createdTo?: string} $query
     * @return ClickList
     */
    public function listClicks(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/clicks', $query, null, null, null, false, true));
    }

    /**
     * List clicks on tracking links: all of them, page after page as they are needed.
     *
     * @param array{limit?: int, sort?: Sort, linkCode?: string, affiliateId?: string, campaignId?: string, createdFrom?: string, createdTo?: string} $query
     * @return \Generator<int, ClickRecord>
     */
    public function iterateClicks(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listClicks($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * List commissions.
     *
     * @param array{limit?: int, cursor?: string, sort?: Sort, status?: CommissionState, affiliateId?: string, campaignId?: string, createdFrom?: string, createdTo?: string, updatedSince?: string} $query
     * @return CommissionList
     */
    public function listCommissions(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/commissions', $query, null, null, null, false, true));
    }

    /**
     * List commissions: all of them, page after page as they are needed.
     *
     * @param array{limit?: int, sort?: Sort, status?: CommissionState, affiliateId?: string, campaignId?: string, createdFrom?: string, createdTo?: string, updatedSince?: string} $query
     * @return \Generator<int, CommissionRecord>
     */
    public function iterateCommissions(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listCommissions($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show a commission.
     *
     * @param string $id
     * @return CommissionRecord
     */
    public function getCommission(string $id): array
    {
        return $this->send(new Call('GET', '/v1/commissions/' . rawurlencode($id), [], null, null, null, false, true));
    }

    /**
     * List orders with their commissions and facts.
     *
     * @param array{limit?: int, cursor?: string, sort?: Sort, externalOrderId?: string, status?: ConversionState, affiliateId?: string, campaignId?: string, createdFrom?: string, createdTo?: string, updatedSince?: string} $query
     * @return ConversionList
     */
    public function listConversions(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/conversions', $query, null, null, null, false, true));
    }

    /**
     * List orders with their commissions and facts: all of them, page after page as they are needed.
     *
     * @param array{limit?: int, sort?: Sort, externalOrderId?: string, status?: ConversionState, affiliateId?: string, campaignId?: string, createdFrom?: string, createdTo?: string, updatedSince?: string} $query
     * @return \Generator<int, ConversionRecord>
     */
    public function iterateConversions(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listConversions($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Report an order.
     *
     * @param ConversionInput $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AcceptedEvent
     */
    public function reportConversion(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/conversions', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show an order with its commission and facts.
     *
     * @param string $id
     * @return ConversionRecord
     */
    public function getConversion(string $id): array
    {
        return $this->send(new Call('GET', '/v1/conversions/' . rawurlencode($id), [], null, null, null, false, true));
    }

    /**
     * Attribute an order under review.
     *
     * @param string $id
     * @param AttributionInput $body
     * @return ReviewedConversion
     */
    public function attributeConversion(string $id, array $body): array
    {
        return $this->send(new Call('POST', '/v1/conversions/' . rawurlencode($id) . '/attribute', [], $body, null, null, false, false));
    }

    /**
     * Close a review without a commission.
     *
     * @param string $id
     * @return ReviewedConversion
     */
    public function dismissConversion(string $id): array
    {
        return $this->send(new Call('POST', '/v1/conversions/' . rawurlencode($id) . '/dismiss', [], null, null, null, false, false));
    }

    /**
     * List the kinds of messages that subscribers get.
     *
     * @return EventTypeList
     */
    public function listEventTypes(): array
    {
        return $this->send(new Call('GET', '/v1/event-types', [], null, null, null, false, true));
    }

    /**
     * List what was submitted, and what became of it.
     *
     * @param array{limit?: int, cursor?: string, sort?: Sort, status?: EventStatus, type?: EventType, kind?: string, externalOrderId?: string, createdFrom?: string, createdTo?: string, updatedSince?: string} $query
     * @return EventList
     */
    public function listEvents(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/events', $query, null, null, null, false, true));
    }

    /**
     * List what was submitted, and what became of it: all of them, page after page as they are needed.
     *
     * @param array{limit?: int, sort?: Sort, status?: EventStatus, type?: EventType, kind?: string, externalOrderId?: string, createdFrom?: string, createdTo?: string, updatedSince?: string} $query
     * @return \Generator<int, ListedEvent>
     */
    public function iterateEvents(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listEvents($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show what became of an accepted submission, and why.
     *
     * @param string $eventId
     * @return EventRecord
     */
    public function getEvent(string $eventId): array
    {
        return $this->send(new Call('GET', '/v1/events/' . rawurlencode($eventId), [], null, null, null, false, true));
    }

    /**
     * List tracking links.
     *
     * @param array{limit?: int, cursor?: string, affiliateId?: string, campaignId?: string, updatedSince?: string} $query
     * @return LinkList
     */
    public function listLinks(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/links', $query, null, null, null, false, true));
    }

    /**
     * List tracking links: all of them, page after page as they are needed.
     *
     * @param array{limit?: int, affiliateId?: string, campaignId?: string, updatedSince?: string} $query
     * @return \Generator<int, LinkRecord>
     */
    public function iterateLinks(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listLinks($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create a tracking link of an affiliate.
     *
     * @param LinkInput $body
     * @return LinkCreated
     */
    public function createLink(array $body): array
    {
        return $this->send(new Call('POST', '/v1/links', [], $body, null, null, false, false));
    }

    /**
     * Disable a tracking link.
     *
     * @param string $id
     * @return LinkRecord
     */
    public function disableLink(string $id): array
    {
        return $this->send(new Call('POST', '/v1/links/' . rawurlencode($id) . '/disable', [], null, null, null, false, true));
    }

    /**
     * Report what became of an order.
     *
     * @param OrderStatusInput $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AcceptedEvent
     */
    public function reportOrderStatus(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/order-status', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List products, newest first.
     *
     * @param array{page?: int, pageSize?: int, status?: ProductStatus, category?: string, search?: string, cursor?: string} $query
     * @return ProductList
     */
    public function listProducts(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/products', $query, null, null, null, false, true));
    }

    /**
     * List products, newest first: all of them, page after page as they are needed.
     *
     * @param array{pageSize?: int, status?: ProductStatus, category?: string, search?: string, cursor?: string} $query
     * @return \Generator<int, ProductRecord>
     */
    public function iterateProducts(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listProducts($query + ['page' => $place] + ['pageSize' => 200]);
        }, 'page');
    }

    /**
     * Archive products.
     *
     * @param ArchivePayload $body
     * @return ArchiveResult
     */
    public function archiveProducts(array $body): array
    {
        return $this->send(new Call('POST', '/v1/products/archive', [], $body, null, null, false, true));
    }

    /**
     * Insert or replace up to 5,000 products.
     *
     * @param ProductsPayload $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ImportSummary
     */
    public function importProducts(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/products/import', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Insert up to 5,000 products or change the fields given.
     *
     * @param ProductsPayload $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ImportSummary
     */
    public function upsertProducts(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/products/upsert', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a product.
     *
     * @param string $id
     * @return ProductRecord
     */
    public function getProduct(string $id): array
    {
        return $this->send(new Call('GET', '/v1/products/' . rawurlencode($id), [], null, null, null, false, true));
    }

    /**
     * Change the fields given.
     *
     * @param string $id
     * @param ProductPatch $body
     * @return ProductRecord
     */
    public function updateProduct(string $id, array $body): array
    {
        return $this->send(new Call('PATCH', '/v1/products/' . rawurlencode($id), [], $body, null, null, false, true));
    }

    /**
     * Report clicks, orders and commissions by affiliate.
     *
     * @param array{from?: string, to?: string} $query
     * @return FiguresReport
     */
    public function getAffiliateReport(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/reports/affiliates', $query, null, null, null, false, true));
    }

    /**
     * Report clicks, orders and commissions by campaign.
     *
     * @param array{from?: string, to?: string} $query
     * @return FiguresReport
     */
    public function getCampaignReport(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/reports/campaigns', $query, null, null, null, false, true));
    }

    /**
     * Report clicks, orders and commissions by day.
     *
     * @param array{from?: string, to?: string} $query
     * @return DailyReport
     */
    public function getDailyReport(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/reports/daily', $query, null, null, null, false, true));
    }

    /**
     * Report clicks, orders and commissions by link.
     *
     * @param array{from?: string, to?: string} $query
     * @return LinkReport
     */
    public function getLinkReport(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/reports/links', $query, null, null, null, false, true));
    }

    /**
     * Report what was sold by product.
     *
     * @param array{from?: string, to?: string} $query
     * @return ProductReport
     */
    public function getProductReport(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/reports/products', $query, null, null, null, false, true));
    }

    /**
     * List the requests of this account, and why some were refused.
     *
     * @param array{limit?: int, cursor?: string, sort?: Sort, errorCode?: string, status?: int, createdFrom?: string, createdTo?: string} $query
     * @return RequestList
     */
    public function listRequests(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/request-log', $query, null, null, null, false, true));
    }

    /**
     * List the requests of this account, and why some were refused: all of them, page after page as they are needed.
     *
     * @param array{limit?: int, sort?: Sort, errorCode?: string, status?: int, createdFrom?: string, createdTo?: string} $query
     * @return \Generator<int, LoggedRequest>
     */
    public function iterateRequests(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listRequests($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * List the orders that wait for a review.
     *
     * @param array{limit?: int, cursor?: string, sort?: Sort} $query
     * @return ConversionList
     */
    public function listReviews(array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/review', $query, null, null, null, false, true));
    }

    /**
     * List the orders that wait for a review: all of them, page after page as they are needed.
     *
     * @param array{limit?: int, sort?: Sort} $query
     * @return \Generator<int, ConversionRecord>
     */
    public function iterateReviews(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listReviews($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * List what you owe, month by month.
     *
     * @return StatementList
     */
    public function listStatements(): array
    {
        return $this->send(new Call('GET', '/v1/statements', [], null, null, null, false, true));
    }

    /**
     * List subscriptions to webhooks.
     *
     * @return SubscriptionList
     */
    public function listSubscriptions(): array
    {
        return $this->send(new Call('GET', '/v1/subscriptions', [], null, null, null, false, true));
    }

    /**
     * Subscribe to webhooks.
     *
     * @param SubscriptionInput $body
     * @return SubscriptionSecret
     */
    public function createSubscription(array $body): array
    {
        return $this->send(new Call('POST', '/v1/subscriptions', [], $body, null, null, false, false));
    }

    /**
     * Delete a subscription.
     *
     * @param string $id
     * @return SubscriptionRecord
     */
    public function deleteSubscription(string $id): array
    {
        return $this->send(new Call('DELETE', '/v1/subscriptions/' . rawurlencode($id), [], null, null, null, false, false));
    }

    /**
     * Change where messages go, or which.
     *
     * @param string $id
     * @param SubscriptionPatch $body
     * @return SubscriptionRecord
     */
    public function updateSubscription(string $id, array $body): array
    {
        return $this->send(new Call('PATCH', '/v1/subscriptions/' . rawurlencode($id), [], $body, null, null, false, true));
    }

    /**
     * List the messages of a subscription.
     *
     * @param string $id
     * @param array{limit?: int, cursor?: string} $query
     * @return DeliveryList
     */
    public function listDeliveries(string $id, array $query = []): array
    {
        return $this->send(new Call('GET', '/v1/subscriptions/' . rawurlencode($id) . '/deliveries', $query, null, null, null, false, true));
    }

    /**
     * List the messages of a subscription: all of them, page after page as they are needed.
     *
     * @param string $id
     * @param array{limit?: int} $query
     * @return \Generator<int, DeliveryRecord>
     */
    public function iterateDeliveries(string $id, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($id, $query) {
            return $this->listDeliveries($id, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Pause a subscription.
     *
     * @param string $id
     * @return SubscriptionRecord
     */
    public function pauseSubscription(string $id): array
    {
        return $this->send(new Call('POST', '/v1/subscriptions/' . rawurlencode($id) . '/pause', [], null, null, null, false, true));
    }

    /**
     * Send messages again.
     *
     * @param string $id
     * @param ReplayInput $body
     * @return ReplayedDeliveries
     */
    public function replayDeliveries(string $id, array $body): array
    {
        return $this->send(new Call('POST', '/v1/subscriptions/' . rawurlencode($id) . '/replay', [], $body, null, null, false, false));
    }

    /**
     * Resume a subscription.
     *
     * @param string $id
     * @return SubscriptionRecord
     */
    public function resumeSubscription(string $id): array
    {
        return $this->send(new Call('POST', '/v1/subscriptions/' . rawurlencode($id) . '/resume', [], null, null, null, false, true));
    }

    /**
     * Try now what waits.
     *
     * @param string $id
     * @param RetryInput $body
     * @return RetriedDeliveries
     */
    public function retryDeliveries(string $id, array $body): array
    {
        return $this->send(new Call('POST', '/v1/subscriptions/' . rawurlencode($id) . '/retry', [], $body, null, null, false, false));
    }

    /**
     * Make a new secret.
     *
     * @param string $id
     * @param RotationInput $body
     * @return SubscriptionSecret
     */
    public function rotateSubscriptionSecret(string $id, array $body): array
    {
        return $this->send(new Call('POST', '/v1/subscriptions/' . rawurlencode($id) . '/rotate', [], $body, null, null, false, false));
    }

    /**
     * Send a test message.
     *
     * @param string $id
     * @param SampleInput $body
     * @return SampleMessage
     */
    public function testSubscription(string $id, array $body): array
    {
        return $this->send(new Call('POST', '/v1/subscriptions/' . rawurlencode($id) . '/test', [], $body, null, null, false, false));
    }

    /**
     * Upload a CSV file of orders.
     *
     * @param string $body
     * @param array{dryRun?: TrueOrFalse} $query
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UploadRecord
     */
    public function uploadOrders(string $body, array $query = [], ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/uploads/orders', $query, $body, null, $idempotencyKey, true, true));
    }

    /**
     * Upload a CSV file of products.
     *
     * @param string $body
     * @param array{dryRun?: TrueOrFalse} $query
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UploadRecord
     */
    public function uploadProducts(string $body, array $query = [], ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/uploads/products', $query, $body, null, $idempotencyKey, true, true));
    }

    /**
     * Upload a CSV file of statuses.
     *
     * @param string $body
     * @param array{dryRun?: TrueOrFalse} $query
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UploadRecord
     */
    public function uploadStatuses(string $body, array $query = [], ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/v1/uploads/statuses', $query, $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show how far an upload is.
     *
     * @param string $id
     * @return UploadRecord
     */
    public function getUpload(string $id): array
    {
        return $this->send(new Call('GET', '/v1/uploads/' . rawurlencode($id), [], null, null, null, false, true));
    }

    /**
     * Download what became of each row.
     *
     * @param string $id
     * @return string
     */
    public function getUploadVerdicts(string $id): string
    {
        return $this->send(new Call('GET', '/v1/uploads/' . rawurlencode($id) . '/verdicts', [], null, null, null, false, true));
    }

    /**
     * Send the webhook event order-cancelled.
     *
     * @param OrderCancelledWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendOrderCancelled(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/order-cancelled', [], $body, $eventId, null, false, true));
    }

    /**
     * Send the webhook event order-created.
     *
     * @param OrderCreatedWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendOrderCreated(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/order-created', [], $body, $eventId, null, false, true));
    }

    /**
     * Send the webhook event order-delivered.
     *
     * @param OrderDeliveredWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendOrderDelivered(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/order-delivered', [], $body, $eventId, null, false, true));
    }

    /**
     * Send the webhook event order-paid.
     *
     * @param OrderPaidWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendOrderPaid(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/order-paid', [], $body, $eventId, null, false, true));
    }

    /**
     * Send the webhook event order-refunded.
     *
     * @param OrderRefundedWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendOrderRefunded(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/order-refunded', [], $body, $eventId, null, false, true));
    }

    /**
     * Send the webhook event order-returned.
     *
     * @param OrderReturnedWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendOrderReturned(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/order-returned', [], $body, $eventId, null, false, true));
    }

    /**
     * Send the webhook event product-stock-updated.
     *
     * @param ProductStockUpdatedWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendProductStockUpdated(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/product-stock-updated', [], $body, $eventId, null, false, true));
    }

    /**
     * Send the webhook event product-updated.
     *
     * @param ProductUpdatedWebhook $body
     * @param string $eventId
     * @return WebhookAccepted
     */
    public function sendProductUpdated(array $body, string $eventId): array
    {
        return $this->send(new Call('POST', '/v1/webhooks/product-updated', [], $body, $eventId, null, false, true));
    }
}
