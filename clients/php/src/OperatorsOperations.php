<?php

// Generated from the hub's OpenAPI document: python -m clients.generator

declare(strict_types=1);

namespace AffiliateHub;

/**
 * A method for each operation of the API.
 *
 * @phpstan-type AccountIds array{test: string, live: string}
 * @phpstan-type ActDocument array{id: string, at: string, actorKind: string, actor: string, act: string, subjectKind: string, subject: string, before: array<string, mixed>|null, after: array<string, mixed>|null, source: string, address: string|null}
 * @phpstan-type ActDocumentPage array{data: list<ActDocument>, nextCursor: string|null}
 * @phpstan-type AddConnectionSecretBody array{secret?: string}
 * @phpstan-type AddDepositBody array{amount: string, currency: string, reference: string}
 * @phpstan-type AddDomainBody array{domain: string}
 * @phpstan-type AddedSecret array{id: string, secretId: string, secret: string|null}
 * @phpstan-type AdjustmentDocument array{id: string, accountId: string, affiliateId: string, kind: string, amount: string, currency: string, reason: string, externalOrderId: string|null, commissionId: string|null, paidReference: string|null, payoutId: string|null, status: string, createdBy: string, createdAt: string, decidedBy: string|null, decidedAt: string|null}
 * @phpstan-type AdvanceTestClockBody array{by: string}
 * @phpstan-type AdvancedDocument array{merchantId: string, accountId: string, byMs: int, advancedMs: int}
 * @phpstan-type AffiliateDocument array{id: string, name: string, email: string, status: AffiliateStatus, coupons: list<string>, channels: string|null, createdAt: string}
 * @phpstan-type AffiliateStatus 'ACTIVE'|'INACTIVE'
 * @phpstan-type ApprovalStatus 'NOT_REQUIRED'|'PENDING'|'APPROVED'|'REJECTED'
 * @phpstan-type ApproveAdjustmentBody array{note?: string}
 * @phpstan-type AskedReading array{id: string}
 * @phpstan-type AssignReceiptBody array{invoice: int}
 * @phpstan-type AttributeConversionBody array{affiliateId: string, campaignId?: string}
 * @phpstan-type AttributionExplained array{confidence: Confidence, reason: AttributionReason, clickId: string|null, affiliateId: string|null, campaignId: string|null, clickAgeSeconds: int|null, windowSeconds: int|null, policy?: array<string, mixed>, customer?: array<string, mixed>}
 * @phpstan-type AttributionReason 'matched'|'click_missing'|'click_malformed'|'click_unknown'|'click_after_order'|'click_outside_window'|'campaign_not_live'|'affiliate_inactive'|'coupon_owner'|'coupon_matched'|'coupon_excluded'|'sub_affiliate_excluded'|'customer_not_new'|'customer_unknown'|'renewal_matched'|'renewal_excluded'|'renewals_used_up'|'customer_matched'
 * @phpstan-type AuditRunDocument array{id: string, startedAt: string, finishedAt: string, accepted: int, conversions: int, violations: int, followedAt: string|null}
 * @phpstan-type AwaitedStep 'REVIEW'|'ORDER_STATUS'|'HOLD_END'|'PLATFORM'|'DEPOSIT'|'PAYOUT'
 * @phpstan-type BalanceDocument array{currency: string, pending: string, payable: string, paid: string, underWay: string, negative: string}
 * @phpstan-type BalanceDocumentPage array{data: list<BalanceDocument>, nextCursor: string|null}
 * @phpstan-type BankReportDocument array{id: string, kind: 'results'|'statement', status: 'WAITING'|'CHECKING'|'NOTING'|'DONE'|'REFUSED', payoutId: string|null, fileId: string|null, reference: string, fileName: string, sha256: string, bytes: int, sentBy: string, sentAt: string, rows: int, done: int, verdicts: array<string, mixed>, fault: string|null, finishedAt: string|null}
 * @phpstan-type BankReportDocumentPage array{data: list<BankReportDocument>, nextCursor: string|null}
 * @phpstan-type BillByBody array{issuer: string}
 * @phpstan-type BilledBy array{merchantId: string, issuer: string, name: string|null}
 * @phpstan-type BilledWhen 'paid'|'payable'
 * @phpstan-type BooksDocument array{timeZone: string, billed: BilledWhen}
 * @phpstan-type CampaignDetails array{id: string, campaignCode: string, title: string, description: string|null, startDate: string|null, endDate: string|null, defaultCommissionType: CommissionType|null, defaultCommissionValue: string|null, newCustomerCommissionType: CommissionType|null, newCustomerCommissionValue: string|null, volumeRates: VolumeRates|null, cookieDurationDays: int|null, termsAndConditions: string|null, approvalRequired: bool, status: CampaignStatus, approvalStatus: ApprovalStatus, createdAt: string, updatedAt: string, allowedTrafficSources: list<string>, holdMs: int|null, listed: bool, joining: 'OPEN'|'BY_APPROVAL', merchantId: string, merchantName: string, mode: Mode}
 * @phpstan-type CampaignStatus 'DRAFT'|'ACTIVE'|'PAUSED'|'EXPIRED'|'ARCHIVED'
 * @phpstan-type CancelPayoutBody array{reason: string}
 * @phpstan-type ChangeDocument array{type: ChangeType, id: string, merchantId: string, mode: Mode, changedAt: string, deleted: bool, record: array<string, mixed>|null}
 * @phpstan-type ChangeType 'affiliate'|'balance'|'campaign'|'commission'|'conversion'|'event'|'link'|'membership'|'product'|'statement'|'subscription'
 * @phpstan-type Changed array{currency: string, before: string, after: string, difference: string}
 * @phpstan-type ChangedBy array{currency: string, before: string, after: string, difference: string, id: string}
 * @phpstan-type ChangesDocument array{data: list<ChangeDocument>, cursor: string, more: bool}
 * @phpstan-type ClickRecord array{id: string, clickedAt: string, linkCode: string, affiliateId: string, campaignId: string|null, subIds: array<string, mixed>, merchantId: string, mode: Mode}
 * @phpstan-type ClickRecordPage array{data: list<ClickRecord>, nextCursor: string|null}
 * @phpstan-type CloseMerchantBody array{reason?: string, anyway?: bool}
 * @phpstan-type CloseMonthBody array{month: string}
 * @phpstan-type CloseQuestionsBody array{note: string}
 * @phpstan-type CloseReceiptBody array{reason: string}
 * @phpstan-type ClosedMonth array{month: string, proposedBy: string, proposedAt: string, closedBy: string|null, closedAt: string|null, entries: int|null, head: string|null}
 * @phpstan-type ClosedMonthPage array{data: list<ClosedMonth>, nextCursor: string|null}
 * @phpstan-type ClosedQuestions array{id: string, closed: int}
 * @phpstan-type CommissionExplained array{state: CommissionState, amount: Money, currency: Currency, source: CommissionSource, type: CommissionType|null, value: string|null, base: Money, holdUntil: string|null, lines: list<CommissionLine>, levels: list<CommissionLevel>}
 * @phpstan-type CommissionLevel array{level: RuleLevel, outcome: LevelOutcome, externalProductId?: string, type?: CommissionType, value?: string}
 * @phpstan-type CommissionLine array{externalProductId: string|null, source: RuleLevel, type: CommissionType, value: string, base: string, quantity: int, amount: string}
 * @phpstan-type CommissionMessageType 'commission.created'|'commission.held'|'commission.payable'|'commission.rejected'|'commission.adjusted'|'commission.paid'
 * @phpstan-type CommissionNews array{commissionId: string, state: CommissionState, previousState: CommissionState|null, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, conversionId: string, externalOrderId?: string, campaignId: string|null, clickId: string|null, orderedAt: string, currency: Currency, amount: MoneySum, previousAmount: MoneySum|null, holdUntil: string|null, paidAt: string|null, affiliateId: string}
 * @phpstan-type CommissionNewsMessage array{type: CommissionMessageType, timestamp: string, data: CommissionNews}
 * @phpstan-type CommissionOfOrder array{id: string, state: CommissionState, amount: Money, currency: Currency, source: CommissionSource, type: CommissionType|null, value: string|null, base: Money, holdUntil: string|null, paidAt: string|null, payoutReference: string|null}
 * @phpstan-type CommissionSource 'PRODUCT'|'NEW_CUSTOMER'|'CAMPAIGN'|'MERCHANT'|'PLATFORM'|'MIXED'
 * @phpstan-type CommissionState 'PENDING'|'HOLD'|'APPROVED'|'PAYABLE'|'PAID'|'REJECTED'
 * @phpstan-type CommissionType 'PERCENTAGE'|'FIXED'
 * @phpstan-type Confidence 'HIGH'|'LOW'
 * @phpstan-type ConfirmedClocks array{confirmed: int}
 * @phpstan-type ConnectionDocument array{id: string, url: string, connector: string, title: string|null, merchantId: string, merchantName: string, mode: Mode, status: 'ACTIVE'|'CLOSED', options: array<string, mixed>, site: string|null, secrets: list<SecretDocument>, createdAt: string, closedAt: string|null}
 * @phpstan-type ConnectionDocumentPage array{data: list<ConnectionDocument>, nextCursor: string|null}
 * @phpstan-type ConnectionWithSteps array{id: string, url: string, connector: string, title: string|null, merchantId: string, merchantName: string, mode: Mode, status: 'ACTIVE'|'CLOSED', options: array<string, mixed>, site: string|null, secrets: list<SecretDocument>, createdAt: string, closedAt: string|null, steps: list<string>, erasures: list<ErasureDocument>}
 * @phpstan-type ConversionRecord array{id: string, externalOrderId: string, orderAmount: Money, currency: Currency, confidence: Confidence, reason: AttributionReason, affiliateId: string|null, campaignId: string|null, candidateId: string|null, clickId: string|null, couponCode: string|null, review: ReviewState|null, orderedAt: string, receivedAt: string, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, eventId: string, commission: CommissionOfOrder|null, facts: list<ReasonedFact>, metadata: array<string, mixed>|null, subIds: array<string, mixed>, explanation: Explanation|null, awaits: AwaitedStep|null, volume?: VolumeOfOrder, updatedAt: string}
 * @phpstan-type ConversionRecordPage array{data: list<ConversionRecord>, nextCursor: string|null}
 * @phpstan-type CreateAdjustmentBody array{affiliate: string, account: string, amount: string, currency: string, reason: string}
 * @phpstan-type CreateAffiliateBody array{name: string, email: string, coupons?: list<string>, channels?: string}
 * @phpstan-type CreateCampaignBody array{merchantId: string, mode: Mode, fields?: array<string, mixed>, hold?: string, listed?: bool, joining?: 'OPEN'|'BY_APPROVAL'}
 * @phpstan-type CreateConnectionBody array{merchantId: string, mode: Mode, connector: string, secrets?: list<string>, options?: list<string>, title?: string}
 * @phpstan-type CreateKeyBody array{mode: Mode, allowedIps?: list<string>, expiresIn?: string, signatureVersion?: int, name?: string}
 * @phpstan-type CreateLinkBody array{merchantId: string, mode: Mode, affiliateId: string, campaignId?: string, externalProductId?: string, destination?: string, subIds?: array<string, mixed>, name?: string}
 * @phpstan-type CreateMerchantBody array{name: string, email: string, domains: list<string>, currency?: string, commission?: string, hold?: string, approve?: bool}
 * @phpstan-type CreateMerchantTokenBody array{mode: Mode, scopes: list<string>, name?: string, allowedIps?: list<string>, expiresIn?: string}
 * @phpstan-type CreatePayoutBody array{mode: Mode, before?: string, currency?: string, minimum?: string}
 * @phpstan-type CreateSubscriptionBody array{url: string, events: list<string>, description?: string, merchantId?: string, mode?: Mode, affiliateId?: string, paused?: bool, payloadVersion?: string}
 * @phpstan-type CreateUserBody array{email: string, role: 'operator'|'operator-admin'|'merchant'|'affiliate', merchantId?: string, affiliateId?: string, level?: 'owner'|'viewer', name?: string}
 * @phpstan-type CreatedConnection array{id: string, url: string, secret: string|null, steps: list<string>}
 * @phpstan-type CreatedSubscription array{id: string, secret: string|null, payloadVersion: string}
 * @phpstan-type CreatedToken array{id: string, name: string, scopes: list<string>, affiliateId: string|null, merchantId: string|null, mode: Mode|null, userId: string|null, allowedIps: list<string>, expiresAt: string|null, revokedAt: string|null, lastUsedAt: string|null, lastAddress: string|null, createdAt: string, token: string}
 * @phpstan-type CredentialField array{name: string, label: string, secret: bool, hint: string, shown: string}
 * @phpstan-type Currency string
 * @phpstan-type DebtDocument array{affiliateId: string, affiliateName: string|null, currency: string, amount: string, since: string, days: int, proposed: string}
 * @phpstan-type DebtDocumentPage array{data: list<DebtDocument>, nextCursor: string|null}
 * @phpstan-type DecideLiveAccessBody array{granted: bool, reason?: string}
 * @phpstan-type DecideMembershipBody array{status: 'APPROVED'|'REJECTED'|'REMOVED', reason?: string}
 * @phpstan-type DeliveryDocument array{id: string, type: string, payloadVersion: string, status: DeliveryStatus, attempts: int, createdAt: string, dueAt: string|null, finishedAt: string|null, answerStatus: int|null, answer: string|null, fault: string|null, data: array<string, mixed>}
 * @phpstan-type DeliveryDocumentPage array{data: list<DeliveryDocument>, nextCursor: string|null}
 * @phpstan-type DeliveryStatus 'WAITING'|'DELIVERED'|'GIVEN_UP'
 * @phpstan-type DepositBalance array{currency: string, balance: string, covered: string, waiting: string, commissions: int, shortage: string}
 * @phpstan-type DepositDocument array{merchantId: string, merchantName: string, required: bool, balances: list<DepositBalance>, payments: list<DepositPayment>}
 * @phpstan-type DepositNews array{currency: Currency, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, balance: MoneySum, waiting: MoneySum, commissions: int}
 * @phpstan-type DepositNewsMessage array{type: 'deposit.short', timestamp: string, data: DepositNews}
 * @phpstan-type DepositPayment array{reference: string, amount: string, currency: string, madeBy: string, madeAt: string}
 * @phpstan-type DiskDocument array{freeBytes: int, totalBytes: int, databaseBytes: int, isShort: bool}
 * @phpstan-type DomainDocument array{domain: string, merchantId: string, approved: bool, provedAt: string|null, method: string|null, checkedAt: string|null, fault: string|null, proof: DomainProof|null}
 * @phpstan-type DomainDocumentPage array{data: list<DomainDocument>, nextCursor: string|null}
 * @phpstan-type DomainProof array{token: string, filePath: string, metaTag: string, dnsName: string}
 * @phpstan-type DraftDocument array{id: string, merchantId: string, merchantName: string, mode: Mode, level: string, subject: string, commission: string, status: 'DRAFT'|'PUBLISHED'|'DROPPED', createdBy: string, createdAt: string, decidedBy: string|null, decidedAt: string|null}
 * @phpstan-type DraftDocumentPage array{data: list<DraftDocument>, nextCursor: string|null}
 * @phpstan-type DraftRateBody array{commission: string, mode?: Mode, campaign?: string, merchant?: string, product?: string, new_customers?: bool}
 * @phpstan-type DueFetches array{fetches: int}
 * @phpstan-type EmptiedDocument array{merchantId: string, accountId: string, rows: int}
 * @phpstan-type EmptyTestAccountBody array{everything?: bool}
 * @phpstan-type ErasureDocument array{connectionId: string, eventId: string, subject: string, requestedAt: string, dueAt: string}
 * @phpstan-type ErrorBody array{statusCode: int, message: string|list<string>, error: string, code?: string, param?: string, docUrl?: string, requestId?: string}
 * @phpstan-type EventDocument array{eventId: string, type: EventType, kind: WebhookKind|null, connectionId: string|null, topic: string|null, status: EventStatus, externalEventId: string|null, externalOrderId: string|null, conversionId: string|null, receivedAt: string, processedAt: string|null, dueAt: string|null, attempts: int, merchantId: string, merchantName: string, mode: Mode, explanation: array<string, mixed>|null}
 * @phpstan-type EventDocumentPage array{data: list<EventDocument>, nextCursor: string|null}
 * @phpstan-type EventStatus 'RECEIVED'|'QUEUED'|'PROCESSED'|'SKIPPED'|'PARKED'|'UNMATCHED'|'FAILED'
 * @phpstan-type EventType 'conversion'|'order_status'|'webhook'
 * @phpstan-type EventTypeRecord array{type: MessageType, about: string, forAffiliates: bool, version: string, schema: array<string, mixed>, example: WebhookMessage}
 * @phpstan-type EventTypeRecordPage array{data: list<EventTypeRecord>, nextCursor: string|null}
 * @phpstan-type ExchangeRate array{setId: string, base: string, quote: string, rate: string, change: string|null, source: string, status: 'PROPOSED'|'APPROVED'|'DROPPED', proposedBy: string, proposedAt: string, decidedBy: string|null, decidedAt: string|null}
 * @phpstan-type ExchangeRatePage array{data: list<ExchangeRate>, nextCursor: string|null}
 * @phpstan-type ExpireConnectionSecretBody array{after?: string}
 * @phpstan-type ExpiredSecret array{id: string, secretId: string, expiresAt: string}
 * @phpstan-type Explanation array{attribution: AttributionExplained|null, commission: CommissionExplained|null, skipReason: SkipExplanation|null, adjustmentId?: string, restated?: array<string, mixed>, amountDiffers?: array<string, mixed>, erasure?: array<string, mixed>}
 * @phpstan-type FactRecord array{status: string, at: string, receivedAt: string, applied: bool, skipReason: SkipReason|null, eventId: string}
 * @phpstan-type FeeDocument array{merchantId: string, percentage: string, since: string, setBy: string}
 * @phpstan-type FeeDocumentPage array{data: list<FeeDocument>, nextCursor: string|null}
 * @phpstan-type FetchDocument array{kind: string, id: string, deliveries: int, attempts: int, reason: string|null, continuesAt: string|null, since: string}
 * @phpstan-type FiguresOf array{id: string|null, name: string|null, currency: Currency|null, clicks: int, orders: int, attributed: int, revenue: MoneySum|null, refunds: MoneySum|null, commission: MoneySum|null, pending: MoneySum|null, hold: MoneySum|null, approved: MoneySum|null, payable: MoneySum|null, paid: MoneySum|null, rejected: MoneySum|null}
 * @phpstan-type FiguresOfPage array{data: list<FiguresOf>, nextCursor: string|null}
 * @phpstan-type FileDocument array{id: string, payoutId: string, format: 'sepa'|'pain001'|'ach'|'bacs'|'paypal'|'wise'|'stripe'|'csv', messageId: string, sha256: string, payments: int, writtenBy: string, writtenAt: string, withdrawnBy: string|null, withdrawnAt: string|null}
 * @phpstan-type FileDocumentPage array{data: list<FileDocument>, nextCursor: string|null}
 * @phpstan-type GiveCredentialsBody array{values: array<string, mixed>, days?: int}
 * @phpstan-type GivenCredentials array{id: string, shop: string, currency: string, missingPermissions: list<string>, webhooksMade: list<string>, webhookFault: string|null, reads: list<string>}
 * @phpstan-type GrantRoleBody array{role: 'operator'|'operator-admin'|'merchant'|'affiliate', merchantId?: string, affiliateId?: string, level?: 'owner'|'viewer'}
 * @phpstan-type HealthDocument array{version: string, commit: string, python: string, database: string, schemaVersion: int, waiting: int, oldestWaitingSeconds: float, stuck: StuckDocument, nodes: list<NodeDocument>, timers: list<TimerDocument>, disk: DiskDocument|null, audit: AuditRunDocument|null, troubles: list<string>, troublesNow: list<TroubleDocument>}
 * @phpstan-type HoldDocument array{affiliateId: string, reason: string, setBy: string, setAt: string, until: string|null}
 * @phpstan-type HoldPaymentsBody array{reason: string, until?: string}
 * @phpstan-type HookDocument array{id: string, topic: string, alive: bool}
 * @phpstan-type InvitationDocument array{userId: string|null, email: string, mailed: bool, url: string|null, expiresAt: string|null}
 * @phpstan-type InviteUserBody array{email: string, role: 'operator'|'operator-admin'|'merchant'|'affiliate', merchantId?: string, affiliateId?: string, level?: 'owner'|'viewer', name?: string}
 * @phpstan-type IssuedKeyDocument array{keyId: string, signingSecret: string, mode: Mode, merchantId: string, allowedIps: list<string>, expiresAt: string|null, createdAt: string, signatureVersion: int, name: string|null}
 * @phpstan-type IssuerDocument array{code: string, name: string, address: string, country: string, vatNumber: string, vatRate: string, payTo: string, iban: string, nextNumber: string, setBy: string, setAt: string}
 * @phpstan-type IssuerDocumentPage array{data: list<IssuerDocument>, nextCursor: string|null}
 * @phpstan-type ItemDocument array{affiliateId: string, affiliateName: string|null, currency: string, amount: string, commissions: int, adjustments: int, adjustmentsAmount: string, carried: bool, carriedReason: string|null, status: string, reference: string|null, returnedReason: string|null, fileId: string|null, question: string|null, sentCurrency: string|null, sentAmount: string|null, exchangeRate: string|null}
 * @phpstan-type KeptConnection array{id: string, revoked: int}
 * @phpstan-type KeptWebhooks array{webhooks: list<HookDocument>, made: list<string>, deleted: list<string>}
 * @phpstan-type KeyDocument array{keyId: string, mode: Mode, merchantId: string, allowedIps: list<string>, expiresAt: string|null, revokedAt: string|null, createdAt: string, signatureVersion: int, name: string|null}
 * @phpstan-type KeyDocumentPage array{data: list<KeyDocument>, nextCursor: string|null}
 * @phpstan-type LastLook array{id: string, lastLook: string}
 * @phpstan-type LevelOutcome 'won'|'no_product'|'no_rule'|'currency_differs'
 * @phpstan-type LineDocument array{id: string, affiliateId: string, merchantId: string, merchantName: string, externalOrderId: string|null, amount: string, currency: string, reason: string|null, status: string}
 * @phpstan-type LinkCreated array{code: string, url: string, destination: string, affiliateId: string, campaignId: string|null, productId: string|null, merchantId: string, mode: Mode, name: string|null, subIds: array<string, mixed>}
 * @phpstan-type LinkRecord array{code: string, url: string, destination: string, affiliateId: string, campaignId: string|null, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, createdAt: string, updatedAt: string, disabledAt: string|null, name: string|null, subIds: array<string, mixed>}
 * @phpstan-type LinkRecordPage array{data: list<LinkRecord>, nextCursor: string|null}
 * @phpstan-type ListedAdjustment array{id: string, accountId: string, affiliateId: string, kind: string, amount: string, currency: string, reason: string, externalOrderId: string|null, commissionId: string|null, paidReference: string|null, payoutId: string|null, status: string, createdBy: string, createdAt: string, decidedBy: string|null, decidedAt: string|null, mode: string, affiliateName: string|null}
 * @phpstan-type ListedAdjustmentPage array{data: list<ListedAdjustment>, nextCursor: string|null}
 * @phpstan-type ListedAffiliate array{id: string, name: string, email: string, status: AffiliateStatus, channels: string|null, createdAt: string}
 * @phpstan-type ListedAffiliatePage array{data: list<ListedAffiliate>, nextCursor: string|null}
 * @phpstan-type ListedCampaign array{id: string, code: string, title: string, status: CampaignStatus, approvalStatus: ApprovalStatus, listed: bool, joining: 'OPEN'|'BY_APPROVAL', merchantId: string, merchantName: string, mode: Mode}
 * @phpstan-type ListedCampaignPage array{data: list<ListedCampaign>, nextCursor: string|null}
 * @phpstan-type ListedCommission array{id: string, state: CommissionState, amount: Money, currency: Currency, base: Money, source: CommissionSource, affiliateId: string, conversionId: string, holdUntil: string|null, paidAt: string|null, reference: string|null, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, updatedAt: string}
 * @phpstan-type ListedCommissionPage array{data: list<ListedCommission>, nextCursor: string|null}
 * @phpstan-type ListedMerchant array{id: string, name: string, email: string, domains: list<string>, status: 'PENDING'|'IN_REVIEW'|'APPROVED'|'REJECTED'|'SUSPENDED'|'CLOSED', liveAccess: LiveAccess|null, createdAt: string}
 * @phpstan-type ListedMerchantPage array{data: list<ListedMerchant>, nextCursor: string|null}
 * @phpstan-type LiveAccess 'ASKED'|'GRANTED'|'REFUSED'
 * @phpstan-type MailDocument array{id: string, to: string, template: string, status: 'WAITING'|'SENT'|'GIVEN_UP', attempts: int, createdAt: string, dueAt: string|null, finishedAt: string|null, fault: string|null}
 * @phpstan-type MailDocumentPage array{data: list<MailDocument>, nextCursor: string|null}
 * @phpstan-type MembershipDocument array{campaignId: string, campaignCode: string, campaignTitle: string, merchantId: string, merchantName: string, mode: Mode, affiliateId: string, affiliateName: string, affiliateEmail: string, status: MembershipStatus, commissionType: CommissionType|null, commissionValue: string|null, message: string|null, reason: string|null, appliedAt: string, decidedAt: string|null, channels: string|null}
 * @phpstan-type MembershipDocumentPage array{data: list<MembershipDocument>, nextCursor: string|null}
 * @phpstan-type MembershipStatus 'APPLIED'|'APPROVED'|'REJECTED'|'REMOVED'
 * @phpstan-type MerchantDocument array{id: string, status: 'PENDING'|'IN_REVIEW'|'APPROVED'|'REJECTED'|'SUSPENDED'|'CLOSED', name: string, email: string, domains: list<string>, currency: string, commissionType: CommissionType|null, commissionValue: string|null, holdMs: int|null, accounts: AccountIds, liveAccess: LiveAccess|null, createdAt: string, updatedAt: string, statusReason: string|null, closedAt: string|null}
 * @phpstan-type MerchantStatement array{merchantId: string, mode: Mode, mark: string|null, month: string, rounding: string, billed: BilledWhen, owed: list<OwedDocument>}
 * @phpstan-type MessageDocument array{id: string, author: 'affiliate'|'merchant'|'operator', text: string, writtenAt: string, readAt: string|null}
 * @phpstan-type MessageDocumentPage array{data: list<MessageDocument>, nextCursor: string|null}
 * @phpstan-type MessageType 'commission.created'|'commission.held'|'commission.payable'|'commission.rejected'|'commission.adjusted'|'commission.paid'|'conversion.review'|'connection.silent'|'connection.refused'|'connection.recovered'|'payout.released'|'deposit.short'
 * @phpstan-type Mode 'test'|'live'
 * @phpstan-type Money string
 * @phpstan-type MoneySum string
 * @phpstan-type NodeDocument array{nodeId: string, serves: bool, startedAt: string, seenAt: string, masterKeys: list<string>, clockJumpSeconds: float}
 * @phpstan-type NodeDocumentPage array{data: list<NodeDocument>, nextCursor: string|null}
 * @phpstan-type NoteReceiptBody array{invoice: int, reference: string, amount: string, bookedOn?: string}
 * @phpstan-type OrderReviewDocument array{conversionId: string, externalOrderId: string, merchantId: string, mode: Mode, reason: string, details: array<string, mixed>, eventId: string, openedAt: string, closedAt: string|null, note: string|null}
 * @phpstan-type OrderReviewDocumentPage array{data: list<OrderReviewDocument>, nextCursor: string|null}
 * @phpstan-type OwedDocument array{currency: Currency, commissions: MoneySum, payments: int, corrections: MoneySum, fee: MoneySum, deposit: MoneySum, total: MoneySum}
 * @phpstan-type PaidInvoice array{invoice: int, amount: string, currency: string}
 * @phpstan-type PartyDocument array{name: string, address: string, country: string, vatNumber: string, vatProof: string}
 * @phpstan-type PayCommissionBody array{reference: string}
 * @phpstan-type PayeeDocument array{affiliateId: string, legalName: string, street: string, postalCode: string, city: string, country: string, method: string, account: string, taxId: string|null, business: bool, selfBilling: bool, changedAt: string, waits: bool}
 * @phpstan-type PayeeLines array{name: string, address: list<string>, taxId: string|null}
 * @phpstan-type PayoutDocument array{id: string, state: CommissionState, amount: Money, currency: Currency, base: Money, source: CommissionSource, affiliateId: string, conversionId: string, holdUntil: string|null, paidAt: string|null, reference: string|null}
 * @phpstan-type PayoutNews array{payoutId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, affiliateId: string, amount: MoneySum, currency: Currency}
 * @phpstan-type PayoutNewsMessage array{type: 'payout.released', timestamp: string, data: PayoutNews}
 * @phpstan-type PayoutTerms array{affiliateId: string, minimum: string, currencies: list<string>, waits: bool, paidIn: string, setBy: string|null, setAt: string|null}
 * @phpstan-type PlatformDocument array{id: string, canAsk: bool, hasCredentials: bool, fields: list<CredentialField>, consent: string|null, consentReady: bool, consentFields: list<CredentialField>, consentFault: string|null, consentFaultSince: string|null, readsOrders: bool, readsProducts: bool, readsEvery: int, checkedAt: string|null, fault: string|null, faultSince: string|null, certainUntil: string|null, nextAt: string|null, webhooks: list<HookDocument>, webhooksWanted: list<string>, webhooksAt: string|null, lastLook: string|null, reads: list<ReadDocument>, fetches: list<FetchDocument>}
 * @phpstan-type PolicyDocument array{campaignId: string, campaignCode: string, rule: string, newCustomersOnly: bool, excludedCoupons: list<string>, excludedProducts: list<string>, excludedSubAffiliates: list<string>, flagsVisitors: bool, renewals: string, renewalTimes: int, customerDays: int, sentence: string}
 * @phpstan-type PreviewDocument array{target: string, commission: string, days: int, priced: int, changed: int, totals: list<Changed>, affiliates: list<ChangedBy>, products: list<ChangedBy>, orders: list<ChangedBy>}
 * @phpstan-type PreviewPayoutBody array{mode: Mode, before?: string, currency?: string, minimum?: string, after?: string, afterItem?: string}
 * @phpstan-type PreviewedRun array{id: string|null, status: string, mode: string, mark: string|null, currency: string|null, cutoff: string, createdBy: string|null, createdAt: string|null, releasedBy: string|null, releasedAt: string|null, minimum: string, totals: list<TotalDocument>, items: list<ItemDocument>, nextItem: string|null, lines: list<LineDocument>, nextLine: string|null, lineCount: int, stopped: list<StoppedMerchant>}
 * @phpstan-type ProductRecord array{id: string, externalProductId: string, name: string, description: string|null, productUrl: string, imageUrl: string|null, category: string|null, brand: string|null, price: Money, discountPrice: Money|null, currency: Currency, stockStatus: string|null, commissionType: CommissionType|null, commissionValue: string|null, campaignId: string|null, status: ProductStatus, createdAt: string, updatedAt: string}
 * @phpstan-type ProductRecordPage array{data: list<ProductRecord>, nextCursor: string|null}
 * @phpstan-type ProductStatus 'ACTIVE'|'INACTIVE'|'OUT_OF_STOCK'|'ARCHIVED'
 * @phpstan-type ProfileDocument array{merchantId: string, name: string, status: string, fields: array<string, mixed>, missing: list<string>, liveAccess: string|null, liveAskedAt: string|null, liveNote: string|null, liveReason: string|null}
 * @phpstan-type ProposeCloseBody array{month: string, anyway?: bool}
 * @phpstan-type ProposeExchangeRatesBody array{rates: string, source: string}
 * @phpstan-type ReadDocument array{id: string, kind: string, status: string, since: string, pages: int, items: int, unknownOrders: int, outcomes: array<string, mixed>, news: list<string>, reason: string|null, continuesAt: string|null, createdAt: string, finishedAt: string|null}
 * @phpstan-type ReasonedFact array{status: string, at: string, receivedAt: string, applied: bool, skipReason: SkipReason|null, eventId: string, reason: string|null}
 * @phpstan-type ReceiptDocument array{id: string, source: 'statement'|'by_hand'|'set_off', bookedOn: string, amount: string, currency: string, left: string, payer: string, remittance: string, status: 'OPEN'|'MATCHED'|'CLOSED', question: ReceiptQuestion|null, decision: string|null, pays: list<PaidInvoice>, notedBy: string, notedAt: string}
 * @phpstan-type ReceiptDocumentPage array{data: list<ReceiptDocument>, nextCursor: string|null}
 * @phpstan-type ReceiptQuestion 'unmatched'|'several'|'part_paid'|'overpaid'|'already_paid'|'other_currency'|'other_issuer'
 * @phpstan-type RecoveredConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, at: string, read: int, unknownOrders: int}
 * @phpstan-type RecoveredConnectionMessage array{type: 'connection.recovered', timestamp: string, data: RecoveredConnection}
 * @phpstan-type RefusedConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, at: string, reason: string}
 * @phpstan-type RefusedConnectionMessage array{type: 'connection.refused', timestamp: string, data: RefusedConnection}
 * @phpstan-type ReinstatePaymentBody array{affiliateId: string, reason: string, currency?: string}
 * @phpstan-type RejectAdjustmentBody array{note?: string}
 * @phpstan-type RejectMerchantBody array{reason?: string}
 * @phpstan-type ReplayDeliveriesBody array{messageId?: string, since?: string}
 * @phpstan-type Replayed array{replayed: int}
 * @phpstan-type RequestDocument array{id: string, at: string, method: string, path: string, status: int, errorCode: string|null, requestId: string, keyId: string|null, client: string, mode: Mode|null, durationMs: float, detail: array<string, mixed>|null}
 * @phpstan-type RequestDocumentPage array{data: list<RequestDocument>, nextCursor: string|null}
 * @phpstan-type RequireDepositBody array{required: bool}
 * @phpstan-type RequireSignaturesBody array{mode: Mode, required: bool}
 * @phpstan-type Retried array{retried: int}
 * @phpstan-type RetryDeliveriesBody array{messageId?: string}
 * @phpstan-type ReturnPaymentBody array{affiliateId: string, reason: string, currency?: string}
 * @phpstan-type ReviewNews array{conversionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, externalOrderId?: string, campaignId: string|null, clickId: string|null, orderedAt: string, currency: Currency, orderAmount: Money, reason: string, candidateId: string|null}
 * @phpstan-type ReviewNewsMessage array{type: 'conversion.review', timestamp: string, data: ReviewNews}
 * @phpstan-type ReviewState 'OPEN'|'ATTRIBUTED'|'DISMISSED'
 * @phpstan-type ReviewedConversion array{id: string, externalOrderId: string, orderAmount: Money, currency: Currency, confidence: Confidence, reason: AttributionReason, affiliateId: string|null, campaignId: string|null, candidateId: string|null, clickId: string|null, couponCode: string|null, review: ReviewState|null, orderedAt: string, receivedAt: string, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, eventId: string, commission: CommissionOfOrder|null, facts: list<FactRecord>}
 * @phpstan-type RevokeRoleBody array{role: 'operator'|'operator-admin'|'merchant'|'affiliate', merchantId?: string, affiliateId?: string, level?: 'owner'|'viewer'}
 * @phpstan-type RoleDocument array{role: string, merchantId: string|null, affiliateId: string|null, level: string|null}
 * @phpstan-type RotateKeyBody array{overlap?: string}
 * @phpstan-type RotateSubscriptionSecretBody array{overlap?: string}
 * @phpstan-type RuleLevel 'PRODUCT'|'NEW_CUSTOMER'|'CAMPAIGN'|'MERCHANT'|'PLATFORM'
 * @phpstan-type RunDocument array{id: string|null, status: string, mode: string, mark: string|null, currency: string|null, cutoff: string, createdBy: string|null, createdAt: string|null, releasedBy: string|null, releasedAt: string|null, minimum: string, totals: list<TotalDocument>, items: list<ItemDocument>, nextItem: string|null}
 * @phpstan-type RunDocumentPage array{data: list<RunDocument>, nextCursor: string|null}
 * @phpstan-type SampleQueued array{messageId: string, type: string}
 * @phpstan-type SecretDocument array{id: string, createdAt: string, expiresAt: string|null}
 * @phpstan-type SelfBillToBody array{issuer: string}
 * @phpstan-type SelfBilledTo array{affiliateId: string, issuer: string, name: string|null}
 * @phpstan-type SeparatedOrders array{conversionId: string, orders: list<string>}
 * @phpstan-type SetBillingBody array{billed: BilledWhen}
 * @phpstan-type SetBooksBody array{timeZone: string}
 * @phpstan-type SetCampaignPolicyBody array{rule?: 'CLICK'|'COUPON'|'COUPON_WITHOUT_CLICK', newCustomersOnly?: bool, excludedCoupons?: list<string>, excludedProducts?: list<string>, excludedSubAffiliates?: list<string>, flagsVisitors?: bool, renewals?: 'WITHIN_WINDOW'|'NEVER'|'TIMES'|'ALWAYS', renewalTimes?: int, customerDays?: int}
 * @phpstan-type SetConnectionSiteBody array{site?: string}
 * @phpstan-type SetFeeBody array{percentage: string}
 * @phpstan-type SetIssuerBody array{code: string, name: string, address: string, country: string, vatNumber?: string, vatRate?: string, payTo?: string, iban?: string}
 * @phpstan-type SetLastLookBody array{look: 'ask'|'off'}
 * @phpstan-type SetMemberRateBody array{rate: string}
 * @phpstan-type SetOffBody array{credit: int, invoice: int}
 * @phpstan-type SetPayeeBody array{legalName: string, street: string, postalCode: string, city: string, country: string, method: 'iban'|'ach'|'bacs'|'paypal'|'wise'|'stripe', account: string, bankCode?: string, accountType?: 'checking'|'savings', bic?: string, taxId?: string, business?: bool, selfBilling?: bool}
 * @phpstan-type SetPayoutTermsBody array{minimum?: string, currencies?: string, paidIn?: string, waits?: bool}
 * @phpstan-type SetTaxDetailsBody array{birthDate?: string, registrationNumber?: string, tin?: string, tinCountry?: string, accountHolder?: string}
 * @phpstan-type SettingDocument array{path: string, value: string, origin: string, meaning: string}
 * @phpstan-type SettingDocumentPage array{data: list<SettingDocument>, nextCursor: string|null}
 * @phpstan-type SettlePayoutBody array{reference: string, fileId?: string, affiliateId?: string, currency?: string}
 * @phpstan-type SettlementDocument array{id: string|null, status: string, mode: string, mark: string|null, currency: string|null, cutoff: string, createdBy: string|null, createdAt: string|null, releasedBy: string|null, releasedAt: string|null, minimum: string, totals: list<TotalDocument>, items: list<ItemDocument>, nextItem: string|null, settled: int, returned: int, pending: int, questions: int}
 * @phpstan-type SharedAccount array{method: string, account: string, affiliateIds: list<string>}
 * @phpstan-type SharedAccountPage array{data: list<SharedAccount>, nextCursor: string|null}
 * @phpstan-type ShownEvent array{eventId: string, type: EventType, kind: WebhookKind|null, status: EventStatus, receivedAt: string, processedAt: string|null, attempts: int, conversionId: string|null, connectionId: string|null, topic: string|null, externalEventId: string|null, externalOrderId: string|null, dueAt: string|null, merchantId: string, merchantName: string, mode: Mode, explanation: array<string, mixed>|null, reason: string|null, metadata: array<string, mixed>|null}
 * @phpstan-type ShownInvoice array{number: int, merchantId: string, billedTo: list<string>, month: string, currency: string, commissions: string, payments: int, corrections: string, fee: string, deposit: string, total: string, issuedAt: string, issuedBy: string, timeZone: string, issuer: list<string>, net: string, vatKind: 'none'|'domestic'|'reverse_charge'|'outside', vatRate: string, vat: string, vatNote: string, corrects: list<int>, payTo: string, dueAt: string, paymentReference: string, issuerDetails: PartyDocument, billedToDetails: PartyDocument, invoiceNumber: string, issuerCode: string, corrected: list<string>, billed: BilledWhen, state: 'open'|'overdue'|'paid'|'credit', paid: string, left: string, paidOn: string|null, overdueSince: string|null, reminders: int, remindedAt: string|null}
 * @phpstan-type ShownInvoicePage array{data: list<ShownInvoice>, nextCursor: string|null}
 * @phpstan-type ShownRun array{id: string|null, status: string, mode: string, mark: string|null, currency: string|null, cutoff: string, createdBy: string|null, createdAt: string|null, releasedBy: string|null, releasedAt: string|null, minimum: string, totals: list<TotalDocument>, items: list<ItemDocument>, nextItem: string|null, lines: list<LineDocument>, nextLine: string|null}
 * @phpstan-type SignaturesDocument array{merchantId: string, test: bool, live: bool}
 * @phpstan-type SilentConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, lastDeliveryAt: string}
 * @phpstan-type SilentConnectionMessage array{type: 'connection.silent', timestamp: string, data: SilentConnection}
 * @phpstan-type SkipExplanation SkipReason|string
 * @phpstan-type SkipReason 'already_known'|'commission_paid'|'stale'|'superseded'|'taken_back'|'test_delivery'|'unknown_order'|'unknown_product'|'not_allowed_from_pending'|'not_allowed_from_hold'|'not_allowed_from_approved'|'not_allowed_from_payable'|'not_allowed_from_rejected'
 * @phpstan-type StartReadingBody array{kind?: 'RECONCILIATION'|'CATALOGUE', since?: string}
 * @phpstan-type StatementDocument array{payoutId: string, mark: string|null, status: string, affiliateId: string, affiliateName: string, payee: PayeeLines|null, createdAt: string, releasedAt: string|null, issuer: string, rounding: string, parts: list<StatementPart>}
 * @phpstan-type StatementPart array{invoice: int|null, invoiceAmount: string|null, corrects: list<int>, invoiceNumber: string|null, corrected: list<string>, invoiceTo: list<string>, vatNote: string, currency: string, balanceBefore: string, commissions: string, adjustments: string, paid: string, balanceAfter: string, status: string, reference: string|null, sentCurrency: string|null, sentAmount: string|null, exchangeRate: string|null, lines: list<LineDocument>}
 * @phpstan-type StoppedMerchant array{merchantId: string, merchantName: string, currency: string, overdue: string, limit: string}
 * @phpstan-type StuckDocument array{failed: int, unmatched: int, parked: int}
 * @phpstan-type SubscriptionDocument array{id: string, merchantId: string|null, mode: Mode|null, affiliateId: string|null, kind: SubscriptionKind, url: string, description: string|null, events: list<string>, payloadVersion: string, status: SubscriptionStatus, reason: string|null, failures: int, failingSince: string|null, waiting: int, createdAt: string}
 * @phpstan-type SubscriptionDocumentPage array{data: list<SubscriptionDocument>, nextCursor: string|null}
 * @phpstan-type SubscriptionKind 'WEBHOOK'|'POSTBACK'
 * @phpstan-type SubscriptionStatus 'ACTIVE'|'PAUSED'
 * @phpstan-type SuspendMerchantBody array{reason?: string}
 * @phpstan-type TakeReceiptBackBody array{reason: string}
 * @phpstan-type TaxDocument array{affiliateId: string, collected: bool, birthDate: string|null, registrationNumber: string|null, tin: string|null, tinCountry: string|null, accountHolder: string|null, changedAt: string|null, missing: list<'payee'|'birth_date'|'registration_number'|'tin'|'tin_country'>}
 * @phpstan-type TestSubscriptionBody array{type?: MessageType}
 * @phpstan-type TimerDocument array{name: string, owner: string, until: string, isHeld: bool}
 * @phpstan-type TokenDocument array{id: string, name: string, scopes: list<string>, affiliateId: string|null, merchantId: string|null, mode: Mode|null, userId: string|null, allowedIps: list<string>, expiresAt: string|null, revokedAt: string|null, lastUsedAt: string|null, lastAddress: string|null, createdAt: string}
 * @phpstan-type TokenDocumentPage array{data: list<TokenDocument>, nextCursor: string|null}
 * @phpstan-type TotalDocument array{currency: string, amount: string, payments: int}
 * @phpstan-type TroubleDocument array{kind: 'nobody_serves'|'backlog'|'disk_short'|'pool_exhausted'|'clock_jumped'|'timers_late'|'audit_violated'|'mail_failing'|'messages_failed'|'mail_given_up'|'receivers_failing'|'plugin_set_aside'|'certificate_ending'|'keys_ending'|'platform_refuses'|'store_silent'|'uploads_stuck'|'replica_behind'|'audit_old'|'backup_old', sentence: string, object: string|null, since: string|null, isUrgent: bool, command: string, page: string|null, runbook: string}
 * @phpstan-type UpdateAffiliateBody array{name?: string, email?: string, added?: list<string>, removed?: list<string>, channels?: string}
 * @phpstan-type UpdateCampaignBody array{fields?: array<string, mixed>, hold?: string, listed?: bool, joining?: 'OPEN'|'BY_APPROVAL'}
 * @phpstan-type UpdateKeyBody array{allowedIps?: list<string>, expiresIn?: string, name?: string}
 * @phpstan-type UpdateMerchantBody array{name?: string, email?: string, domains?: list<string>, added?: list<string>, removed?: list<string>, commission?: string, hold?: string}
 * @phpstan-type UpdateMerchantProfileBody array{fields: array<string, mixed>}
 * @phpstan-type UpdateSubscriptionBody array{url?: string, events?: list<string>, description?: string, payloadVersion?: string}
 * @phpstan-type UploadDocument array{uploadId: string, kind: UploadKind, dryRun: bool, status: UploadStatus, bytes: int, bytesRead: int, rows: int, created: int, updated: int, duplicate: int, failed: int, ignoredColumns: list<string>, faults: list<string>, createdAt: string, startedAt: string|null, finishedAt: string|null}
 * @phpstan-type UploadDocumentPage array{data: list<UploadDocument>, nextCursor: string|null}
 * @phpstan-type UploadKind 'products'|'orders'|'statuses'
 * @phpstan-type UploadStatus 'QUEUED'|'RUNNING'|'DONE'|'REFUSED'
 * @phpstan-type UserDocument array{id: string, email: string, name: string, status: string, roles: list<RoleDocument>, hasPassword: bool, linkAskedAt: string|null, createdAt: string}
 * @phpstan-type UserDocumentPage array{data: list<UserDocument>, nextCursor: string|null}
 * @phpstan-type VatOutcome 'valid'|'invalid'|'unreached'
 * @phpstan-type VatStanding array{partyId: string, number: string|null, vatKind: 'none'|'domestic'|'reverse_charge'|'outside', asks: bool, outcome: VatOutcome|null, checkedAt: string|null, consultationNumber: string|null, askedAt: string|null, fault: string|null, warning: string|null}
 * @phpstan-type VersionDocument array{id: string, since: string, before: string|null, after: string|null, changedBy: string}
 * @phpstan-type VersionDocumentPage array{data: list<VersionDocument>, nextCursor: string|null}
 * @phpstan-type VolumeMeasure 'ORDERS'|'AMOUNT'
 * @phpstan-type VolumeOfOrder array{month: string, standing: VolumeStanding, place: int|null, begins: string|null, commissionType: CommissionType|null, commissionValue: string|null, amount: Money}
 * @phpstan-type VolumePeriod 'MONTH'|'EVER'
 * @phpstan-type VolumeRates array{period: VolumePeriod, measure: VolumeMeasure, tiers: list<array<string, mixed>>}
 * @phpstan-type VolumeStanding 'OPEN'|'COUNTED'|'LEFT_OUT'
 * @phpstan-type WebhookKind 'order-created'|'order-paid'|'order-delivered'|'order-cancelled'|'order-returned'|'order-refunded'|'product-updated'|'product-stock-updated'
 * @phpstan-type WebhookMessage CommissionNewsMessage|DepositNewsMessage|PayoutNewsMessage|RecoveredConnectionMessage|RefusedConnectionMessage|ReviewNewsMessage|SilentConnectionMessage
 * @phpstan-type WithdrawDepositBody array{amount: string, currency: string, reference: string}
 * @phpstan-type WriteMessageBody array{text: string}
 * @phpstan-type WriteOffDebtBody array{currency: string, reason: string, amount?: string}
 */
trait OperatorsOperations
{
    /** @return mixed */
    abstract protected function send(Call $call);

    /** @return \Generator<int, array<string, mixed>> */
    abstract protected function pages(callable $page, string $place): \Generator;

    /**
     * List corrections, newest first.
     *
     * @param array{status?: 'PROPOSED'|'APPROVED'|'PAID'|'REJECTED', merchantId?: string, affiliateId?: string, mode?: Mode, limit?: int, cursor?: string} $query
     * @return ListedAdjustmentPage
     */
    public function listAdjustments(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/adjustments', $query, null, null, null, false, true));
    }

    /**
     * List corrections, newest first: all of them, page after page as they are needed.
     *
     * @param array{status?: 'PROPOSED'|'APPROVED'|'PAID'|'REJECTED', merchantId?: string, affiliateId?: string, mode?: Mode, limit?: int} $query
     * @return \Generator<int, ListedAdjustment>
     */
    public function iterateAdjustments(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listAdjustments($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Propose a correction of what an affiliate is paid.
     *
     * @param CreateAdjustmentBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AdjustmentDocument
     */
    public function createAdjustment(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/adjustments', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Approve a correction, as a second person.
     *
     * @param string $adjustment
     * @param ApproveAdjustmentBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AdjustmentDocument
     */
    public function approveAdjustment(string $adjustment, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/adjustments/' . rawurlencode($adjustment) . '/approve', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Reject a correction.
     *
     * @param string $adjustment
     * @param RejectAdjustmentBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AdjustmentDocument
     */
    public function rejectAdjustment(string $adjustment, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/adjustments/' . rawurlencode($adjustment) . '/reject', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List affiliates, newest first.
     *
     * @param array{search?: string, status?: AffiliateStatus, limit?: int, cursor?: string} $query
     * @return ListedAffiliatePage
     */
    public function listAffiliates(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates', $query, null, null, null, false, true));
    }

    /**
     * List affiliates, newest first: all of them, page after page as they are needed.
     *
     * @param array{search?: string, status?: AffiliateStatus, limit?: int} $query
     * @return \Generator<int, ListedAffiliate>
     */
    public function iterateAffiliates(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listAffiliates($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create an affiliate.
     *
     * @param CreateAffiliateBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AffiliateDocument
     */
    public function createAffiliate(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/affiliates', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show an affiliate.
     *
     * @param string $affiliate
     * @return AffiliateDocument
     */
    public function getAffiliate(string $affiliate): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates/' . rawurlencode($affiliate), [], null, null, null, false, true));
    }

    /**
     * Change an affiliate.
     *
     * @param string $affiliate
     * @param UpdateAffiliateBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AffiliateDocument
     */
    public function updateAffiliate(string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PATCH', '/admin/v1/affiliates/' . rawurlencode($affiliate), [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Let an affiliate earn again.
     *
     * @param string $affiliate
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AffiliateDocument
     */
    public function activateAffiliate(string $affiliate, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/activate', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Show an affiliate's balances, by currency.
     *
     * @param string $affiliate
     * @param array{mode?: Mode} $query
     * @return BalanceDocumentPage
     */
    public function listBalances(string $affiliate, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/balances', $query, null, null, null, false, true));
    }

    /**
     * Stop an affiliate from earning.
     *
     * @param string $affiliate
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AffiliateDocument
     */
    public function deactivateAffiliate(string $affiliate, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/deactivate', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Resume the payments of an affiliate.
     *
     * @param string $affiliate
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return HoldDocument
     */
    public function freePayments(string $affiliate, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/free', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Hold the payments of an affiliate.
     *
     * @param string $affiliate
     * @param HoldPaymentsBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return HoldDocument
     */
    public function holdPayments(string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/hold', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show to which company an affiliate is self-billed.
     *
     * @param string $affiliate
     * @return SelfBilledTo
     */
    public function getSelfBilledTo(string $affiliate): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/issuer', [], null, null, null, false, true));
    }

    /**
     * Have an affiliate's self-billed invoices be to a company from the next one on.
     *
     * @param string $affiliate
     * @param SelfBillToBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SelfBilledTo
     */
    public function selfBillTo(string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/issuer', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show an affiliate's payment details.
     *
     * @param string $affiliate
     * @return PayeeDocument
     */
    public function getPayee(string $affiliate): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/payee', [], null, null, null, false, true));
    }

    /**
     * Set an affiliate's payment details.
     *
     * @param string $affiliate
     * @param SetPayeeBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return PayeeDocument
     */
    public function setPayee(string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/payee', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show how an affiliate chose to be paid.
     *
     * @param string $affiliate
     * @return PayoutTerms
     */
    public function getPayoutTerms(string $affiliate): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/payout-terms', [], null, null, null, false, true));
    }

    /**
     * Set an affiliate's minimum and currencies.
     *
     * @param string $affiliate
     * @param SetPayoutTermsBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return PayoutTerms
     */
    public function setPayoutTerms(string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/payout-terms', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show what DAC7 asks of an affiliate.
     *
     * @param string $affiliate
     * @return TaxDocument
     */
    public function getTaxDetails(string $affiliate): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/tax-details', [], null, null, null, false, true));
    }

    /**
     * Say what DAC7 asks of an affiliate.
     *
     * @param string $affiliate
     * @param SetTaxDetailsBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return TaxDocument
     */
    public function setTaxDetails(string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/tax-details', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show what VIES says of an affiliate's VAT number.
     *
     * @param string $affiliate
     * @return VatStanding
     */
    public function getAffiliateVat(string $affiliate): array
    {
        return $this->send(new Call('GET', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/vat', [], null, null, null, false, true));
    }

    /**
     * Look an affiliate's VAT number up in VIES.
     *
     * @param string $affiliate
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return VatStanding
     */
    public function checkAffiliateVat(string $affiliate, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/vat', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Propose to write off what an affiliate owes.
     *
     * @param string $affiliate
     * @param WriteOffDebtBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AdjustmentDocument
     */
    public function writeOffDebt(string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/affiliates/' . rawurlencode($affiliate) . '/write-off', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List files from banks, newest first.
     *
     * @param array{payout?: string, status?: 'WAITING'|'CHECKING'|'NOTING'|'DONE'|'REFUSED', limit?: int, cursor?: string} $query
     * @return BankReportDocumentPage
     */
    public function listBankReports(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/bank-reports', $query, null, null, null, false, true));
    }

    /**
     * List files from banks, newest first: all of them, page after page as they are needed.
     *
     * @param array{payout?: string, status?: 'WAITING'|'CHECKING'|'NOTING'|'DONE'|'REFUSED', limit?: int} $query
     * @return \Generator<int, BankReportDocument>
     */
    public function iterateBankReports(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listBankReports($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show a file from a bank and how far it is read.
     *
     * @param string $report
     * @return BankReportDocument
     */
    public function getBankReport(string $report): array
    {
        return $this->send(new Call('GET', '/admin/v1/bank-reports/' . rawurlencode($report), [], null, null, null, false, true));
    }

    /**
     * Show how the books are kept.
     *
     * @return BooksDocument
     */
    public function getBooks(): array
    {
        return $this->send(new Call('GET', '/admin/v1/books', [], null, null, null, false, true));
    }

    /**
     * Set the time zone of the books, before the first invoice.
     *
     * @param SetBooksBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return BooksDocument
     */
    public function setBooks(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/books', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Set when merchants are billed a commission, before the first invoice.
     *
     * @param SetBillingBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return BooksDocument
     */
    public function setBilling(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/books/billing', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List the months that are closed or proposed to be, newest first.
     *
     * @return ClosedMonthPage
     */
    public function listClosedMonths(): array
    {
        return $this->send(new Call('GET', '/admin/v1/books/months', [], null, null, null, false, true));
    }

    /**
     * Propose to close a month of the books.
     *
     * @param ProposeCloseBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ClosedMonth
     */
    public function proposeClose(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/books/months', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Close a month of the books, as a second person.
     *
     * @param CloseMonthBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ClosedMonth
     */
    public function closeMonth(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/books/months/close', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List campaigns, newest first.
     *
     * @param array{search?: string, merchantId?: string, mode?: Mode, approval?: ApprovalStatus, limit?: int, cursor?: string} $query
     * @return ListedCampaignPage
     */
    public function listCampaigns(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/campaigns', $query, null, null, null, false, true));
    }

    /**
     * List campaigns, newest first: all of them, page after page as they are needed.
     *
     * @param array{search?: string, merchantId?: string, mode?: Mode, approval?: ApprovalStatus, limit?: int} $query
     * @return \Generator<int, ListedCampaign>
     */
    public function iterateCampaigns(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listCampaigns($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create a campaign of a merchant, as a draft.
     *
     * @param CreateCampaignBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignDetails
     */
    public function createCampaign(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/campaigns', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a campaign.
     *
     * @param string $campaign
     * @return CampaignDetails
     */
    public function getCampaign(string $campaign): array
    {
        return $this->send(new Call('GET', '/admin/v1/campaigns/' . rawurlencode($campaign), [], null, null, null, false, true));
    }

    /**
     * Change a campaign.
     *
     * @param string $campaign
     * @param UpdateCampaignBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignDetails
     */
    public function updateCampaign(string $campaign, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PATCH', '/admin/v1/campaigns/' . rawurlencode($campaign), [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Activate a campaign.
     *
     * @param string $campaign
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignDetails
     */
    public function activateCampaign(string $campaign, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/activate', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Approve a campaign.
     *
     * @param string $campaign
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignDetails
     */
    public function approveCampaign(string $campaign, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/approve', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Archive a campaign for good.
     *
     * @param string $campaign
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignDetails
     */
    public function archiveCampaign(string $campaign, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/archive', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Decide on an affiliate's membership.
     *
     * @param string $campaign
     * @param string $affiliate
     * @param DecideMembershipBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MembershipDocument
     */
    public function decideMembership(string $campaign, string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/members/' . rawurlencode($affiliate), [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Give an affiliate a rate of its own.
     *
     * @param string $campaign
     * @param string $affiliate
     * @param SetMemberRateBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MembershipDocument
     */
    public function setMemberRate(string $campaign, string $affiliate, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/members/' . rawurlencode($affiliate) . '/rate', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Pause a campaign.
     *
     * @param string $campaign
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignDetails
     */
    public function pauseCampaign(string $campaign, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/pause', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Show who earns from a campaign's orders.
     *
     * @param string $campaign
     * @return PolicyDocument
     */
    public function getCampaignPolicy(string $campaign): array
    {
        return $this->send(new Call('GET', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/policy', [], null, null, null, false, true));
    }

    /**
     * Change who earns from a campaign's orders.
     *
     * @param string $campaign
     * @param SetCampaignPolicyBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return PolicyDocument
     */
    public function setCampaignPolicy(string $campaign, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PATCH', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/policy', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Reject a campaign.
     *
     * @param string $campaign
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CampaignDetails
     */
    public function rejectCampaign(string $campaign, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/campaigns/' . rawurlencode($campaign) . '/reject', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Follow what changed in all accounts, from a cursor that never expires.
     *
     * @param array{after?: string, types?: string, limit?: int, wait?: int} $query
     * @return ChangesDocument
     */
    public function listChanges(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/changes', $query, null, null, null, false, true));
    }

    /**
     * Trust the clocks again after they jumped.
     *
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ConfirmedClocks
     */
    public function confirmClocks(?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/clocks/confirm', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List commissions, newest first.
     *
     * @param array{merchantId?: string, affiliateId?: string, mode?: Mode, status?: CommissionState, limit?: int, cursor?: string} $query
     * @return ListedCommissionPage
     */
    public function listCommissions(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/commissions', $query, null, null, null, false, true));
    }

    /**
     * List commissions, newest first: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, affiliateId?: string, mode?: Mode, status?: CommissionState, limit?: int} $query
     * @return \Generator<int, ListedCommission>
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
     * @param string $commission
     * @return ListedCommission
     */
    public function getCommission(string $commission): array
    {
        return $this->send(new Call('GET', '/admin/v1/commissions/' . rawurlencode($commission), [], null, null, null, false, true));
    }

    /**
     * Note that a commission was paid.
     *
     * @param string $commission
     * @param PayCommissionBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return PayoutDocument
     */
    public function payCommission(string $commission, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/commissions/' . rawurlencode($commission) . '/pay', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List connections of stores.
     *
     * @param array{merchantId?: string, limit?: int, cursor?: string} $query
     * @return ConnectionDocumentPage
     */
    public function listConnections(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/connections', $query, null, null, null, false, true));
    }

    /**
     * List connections of stores: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, limit?: int} $query
     * @return \Generator<int, ConnectionDocument>
     */
    public function iterateConnections(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listConnections($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Connect a store.
     *
     * @param CreateConnectionBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CreatedConnection
     */
    public function createConnection(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a connection.
     *
     * @param string $connection
     * @return ConnectionWithSteps
     */
    public function getConnection(string $connection): array
    {
        return $this->send(new Call('GET', '/admin/v1/connections/' . rawurlencode($connection), [], null, null, null, false, true));
    }

    /**
     * Close a connection.
     *
     * @param string $connection
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ConnectionDocument
     */
    public function closeConnection(string $connection, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections/' . rawurlencode($connection) . '/close', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Delete a platform's credentials, and the webhooks there.
     *
     * @param string $connection
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return KeptWebhooks
     */
    public function deleteCredentials(string $connection, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('DELETE', '/admin/v1/connections/' . rawurlencode($connection) . '/credentials', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Check a platform's credentials with it, store them, and begin to read.
     *
     * @param string $connection
     * @param GiveCredentialsBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return GivenCredentials
     */
    public function giveCredentials(string $connection, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/connections/' . rawurlencode($connection) . '/credentials', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Fetch again what deliveries only named.
     *
     * @param string $connection
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DueFetches
     */
    public function fetchAgain(string $connection, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections/' . rawurlencode($connection) . '/fetch', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Keep a store's data that was to be erased.
     *
     * @param string $connection
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return KeptConnection
     */
    public function keepConnection(string $connection, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections/' . rawurlencode($connection) . '/keep', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Set whether orders are checked before their holds end.
     *
     * @param string $connection
     * @param SetLastLookBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LastLook
     */
    public function setLastLook(string $connection, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/connections/' . rawurlencode($connection) . '/last-look', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show how a connection's platform is read.
     *
     * @param string $connection
     * @return PlatformDocument
     */
    public function getPlatform(string $connection): array
    {
        return $this->send(new Call('GET', '/admin/v1/connections/' . rawurlencode($connection) . '/platform', [], null, null, null, false, true));
    }

    /**
     * Have a platform's orders or its catalogue read.
     *
     * @param string $connection
     * @param StartReadingBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AskedReading
     */
    public function startReading(string $connection, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections/' . rawurlencode($connection) . '/readings', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Add a secret to a connection.
     *
     * @param string $connection
     * @param AddConnectionSecretBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AddedSecret
     */
    public function addConnectionSecret(string $connection, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections/' . rawurlencode($connection) . '/secrets', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Expire a secret of a connection.
     *
     * @param string $connection
     * @param string $secret
     * @param ExpireConnectionSecretBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ExpiredSecret
     */
    public function expireConnectionSecret(string $connection, string $secret, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections/' . rawurlencode($connection) . '/secrets/' . rawurlencode($secret) . '/expire', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Bind a connection to a site, or to none.
     *
     * @param string $connection
     * @param SetConnectionSiteBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ConnectionDocument
     */
    public function setConnectionSite(string $connection, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/connections/' . rawurlencode($connection) . '/site', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Check the webhooks on the platform, and create those again that are disabled or lost.
     *
     * @param string $connection
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return KeptWebhooks
     */
    public function keepWebhooks(string $connection, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/connections/' . rawurlencode($connection) . '/webhooks', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List orders with their commissions and facts.
     *
     * @param array{merchantId?: string, affiliateId?: string, mode?: Mode, externalOrderId?: string, review?: bool, limit?: int, cursor?: string} $query
     * @return ConversionRecordPage
     */
    public function listConversions(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/conversions', $query, null, null, null, false, true));
    }

    /**
     * List orders with their commissions and facts: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, affiliateId?: string, mode?: Mode, externalOrderId?: string, review?: bool, limit?: int} $query
     * @return \Generator<int, ConversionRecord>
     */
    public function iterateConversions(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listConversions($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show an order with its commission and facts.
     *
     * @param string $conversion
     * @return ConversionRecord
     */
    public function getConversion(string $conversion): array
    {
        return $this->send(new Call('GET', '/admin/v1/conversions/' . rawurlencode($conversion), [], null, null, null, false, true));
    }

    /**
     * Attribute an order under review.
     *
     * @param string $conversion
     * @param AttributeConversionBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ReviewedConversion
     */
    public function attributeConversion(string $conversion, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/conversions/' . rawurlencode($conversion) . '/attribute', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Close a review without a commission.
     *
     * @param string $conversion
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ReviewedConversion
     */
    public function dismissConversion(string $conversion, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/conversions/' . rawurlencode($conversion) . '/dismiss', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Read what was written about an order.
     *
     * @param string $conversion
     * @return MessageDocumentPage
     */
    public function listMessages(string $conversion): array
    {
        return $this->send(new Call('GET', '/admin/v1/conversions/' . rawurlencode($conversion) . '/messages', [], null, null, null, false, true));
    }

    /**
     * Answer a question about an order.
     *
     * @param string $conversion
     * @param WriteMessageBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MessageDocumentPage
     */
    public function writeMessage(string $conversion, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/conversions/' . rawurlencode($conversion) . '/messages', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Close the questions about an order.
     *
     * @param string $conversion
     * @param CloseQuestionsBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ClosedQuestions
     */
    public function closeQuestions(string $conversion, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/conversions/' . rawurlencode($conversion) . '/questions/close', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Count other orders of the same number as their own.
     *
     * @param string $conversion
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SeparatedOrders
     */
    public function separateOrders(string $conversion, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/conversions/' . rawurlencode($conversion) . '/separate', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List what affiliates owe, the oldest first.
     *
     * @return DebtDocumentPage
     */
    public function listDebts(): array
    {
        return $this->send(new Call('GET', '/admin/v1/debts', [], null, null, null, false, true));
    }

    /**
     * List the kinds of messages that subscribers get.
     *
     * @return EventTypeRecordPage
     */
    public function listEventTypes(): array
    {
        return $this->send(new Call('GET', '/admin/v1/event-types', [], null, null, null, false, true));
    }

    /**
     * List submissions in a status, newest first.
     *
     * @param array{merchantId?: string, affiliateId?: string, mode?: Mode, status?: EventStatus, reason?: string, limit?: int, cursor?: string} $query
     * @return EventDocumentPage
     */
    public function listEvents(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/events', $query, null, null, null, false, true));
    }

    /**
     * List submissions in a status, newest first: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, affiliateId?: string, mode?: Mode, status?: EventStatus, reason?: string, limit?: int} $query
     * @return \Generator<int, EventDocument>
     */
    public function iterateEvents(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listEvents($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show what became of a submission, and why.
     *
     * @param string $event
     * @return ShownEvent
     */
    public function getEvent(string $event): array
    {
        return $this->send(new Call('GET', '/admin/v1/events/' . rawurlencode($event), [], null, null, null, false, true));
    }

    /**
     * Process a submission again.
     *
     * @param string $event
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return EventDocument
     */
    public function replayEvent(string $event, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/events/' . rawurlencode($event) . '/replay', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List the exchange rates in force and those that are proposed.
     *
     * @return ExchangeRatePage
     */
    public function listExchangeRates(): array
    {
        return $this->send(new Call('GET', '/admin/v1/exchange-rates', [], null, null, null, false, true));
    }

    /**
     * Propose exchange rates.
     *
     * @param ProposeExchangeRatesBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ExchangeRatePage
     */
    public function proposeExchangeRates(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/exchange-rates', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Approve exchange rates, as a second person: runs follow them from now on.
     *
     * @param string $rates
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ExchangeRatePage
     */
    public function approveExchangeRates(string $rates, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/exchange-rates/' . rawurlencode($rates) . '/approve', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Drop exchange rates that are only proposed.
     *
     * @param string $rates
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ExchangeRatePage
     */
    public function dropExchangeRates(string $rates, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/exchange-rates/' . rawurlencode($rates) . '/drop', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Show how the hub is doing.
     *
     * @return HealthDocument
     */
    public function getHealth(): array
    {
        return $this->send(new Call('GET', '/admin/v1/health', [], null, null, null, false, true));
    }

    /**
     * List invoices to merchants with what was paid of them, newest first.
     *
     * @param array{merchantId?: string} $query
     * @return ShownInvoicePage
     */
    public function listInvoices(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/invoices', $query, null, null, null, false, true));
    }

    /**
     * List the companies that bill merchants, beside the one of the settings.
     *
     * @return IssuerDocumentPage
     */
    public function listIssuers(): array
    {
        return $this->send(new Call('GET', '/admin/v1/issuers', [], null, null, null, false, true));
    }

    /**
     * Add a company that bills merchants, or change one.
     *
     * @param SetIssuerBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return IssuerDocument
     */
    public function setIssuer(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/issuers', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Rename a key, and change from where and until when it is accepted.
     *
     * @param string $key
     * @param UpdateKeyBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return KeyDocument
     */
    public function updateKey(string $key, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PATCH', '/admin/v1/keys/' . rawurlencode($key), [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Revoke a key.
     *
     * @param string $key
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return KeyDocument
     */
    public function revokeKey(string $key, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/keys/' . rawurlencode($key) . '/revoke', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Replace a key; the old one expires after a while.
     *
     * @param string $key
     * @param RotateKeyBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return IssuedKeyDocument
     */
    public function rotateKey(string $key, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/keys/' . rawurlencode($key) . '/rotate', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List tracking links.
     *
     * @param array{merchantId?: string, limit?: int, cursor?: string} $query
     * @return LinkRecordPage
     */
    public function listLinks(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/links', $query, null, null, null, false, true));
    }

    /**
     * List tracking links: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, limit?: int} $query
     * @return \Generator<int, LinkRecord>
     */
    public function iterateLinks(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listLinks($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create a tracking link.
     *
     * @param CreateLinkBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LinkCreated
     */
    public function createLink(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/links', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a tracking link.
     *
     * @param string $link
     * @return LinkRecord
     */
    public function getLink(string $link): array
    {
        return $this->send(new Call('GET', '/admin/v1/links/' . rawurlencode($link), [], null, null, null, false, true));
    }

    /**
     * Disable a tracking link.
     *
     * @param string $link
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LinkRecord
     */
    public function disableLink(string $link, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/links/' . rawurlencode($link) . '/disable', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Enable a tracking link.
     *
     * @param string $link
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LinkRecord
     */
    public function enableLink(string $link, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/links/' . rawurlencode($link) . '/enable', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List mails, newest first.
     *
     * @param array{status?: 'WAITING'|'SENT'|'GIVEN_UP', to?: string, limit?: int, cursor?: string} $query
     * @return MailDocumentPage
     */
    public function listMails(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/mails', $query, null, null, null, false, true));
    }

    /**
     * List mails, newest first: all of them, page after page as they are needed.
     *
     * @param array{status?: 'WAITING'|'SENT'|'GIVEN_UP', to?: string, limit?: int} $query
     * @return \Generator<int, MailDocument>
     */
    public function iterateMails(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listMails($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Try a mail again.
     *
     * @param string $mail
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MailDocument
     */
    public function retryMail(string $mail, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/mails/' . rawurlencode($mail) . '/retry', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List who promotes what.
     *
     * @param array{merchantId?: string, mode?: Mode, campaignId?: string, affiliateId?: string, status?: MembershipStatus, limit?: int, cursor?: string} $query
     * @return MembershipDocumentPage
     */
    public function listMemberships(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/memberships', $query, null, null, null, false, true));
    }

    /**
     * List who promotes what: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, mode?: Mode, campaignId?: string, affiliateId?: string, status?: MembershipStatus, limit?: int} $query
     * @return \Generator<int, MembershipDocument>
     */
    public function iterateMemberships(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listMemberships($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * List merchants, newest first.
     *
     * @param array{search?: string, status?: 'PENDING'|'APPROVED'|'SUSPENDED'|'REJECTED'|'CLOSED', limit?: int, cursor?: string} $query
     * @return ListedMerchantPage
     */
    public function listMerchants(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants', $query, null, null, null, false, true));
    }

    /**
     * List merchants, newest first: all of them, page after page as they are needed.
     *
     * @param array{search?: string, status?: 'PENDING'|'APPROVED'|'SUSPENDED'|'REJECTED'|'CLOSED', limit?: int} $query
     * @return \Generator<int, ListedMerchant>
     */
    public function iterateMerchants(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listMerchants($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create a merchant with its two accounts.
     *
     * @param CreateMerchantBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MerchantDocument
     */
    public function createMerchant(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a merchant.
     *
     * @param string $merchant
     * @return MerchantDocument
     */
    public function getMerchant(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant), [], null, null, null, false, true));
    }

    /**
     * Change a merchant's settings.
     *
     * @param string $merchant
     * @param UpdateMerchantBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MerchantDocument
     */
    public function updateMerchant(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PATCH', '/admin/v1/merchants/' . rawurlencode($merchant), [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Approve a merchant.
     *
     * @param string $merchant
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MerchantDocument
     */
    public function approveMerchant(string $merchant, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/approve', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List clicks on a merchant's links, newest first.
     *
     * @param string $merchant
     * @param array{mode?: Mode, affiliateId?: string, campaignId?: string, linkCode?: string, createdFrom?: string, createdTo?: string, limit?: int, cursor?: string} $query
     * @return ClickRecordPage
     */
    public function listClicks(string $merchant, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/clicks', $query, null, null, null, false, true));
    }

    /**
     * List clicks on a merchant's links, newest first: all of them, page after page as they are needed.
     *
     * @param string $merchant
     * @param array{mode?: Mode, affiliateId?: string, campaignId?: string, linkCode?: string, createdFrom?: string, createdTo?: string, limit?: int} $query
     * @return \Generator<int, ClickRecord>
     */
    public function iterateClicks(string $merchant, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($merchant, $query) {
            return $this->listClicks($merchant, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Close a merchant for good.
     *
     * @param string $merchant
     * @param CloseMerchantBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MerchantDocument
     */
    public function closeMerchant(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/close', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a merchant's deposit.
     *
     * @param string $merchant
     * @return DepositDocument
     */
    public function getDeposit(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/deposit', [], null, null, null, false, true));
    }

    /**
     * Require a deposit of a merchant, or stop requiring it.
     *
     * @param string $merchant
     * @param RequireDepositBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DepositDocument
     */
    public function requireDeposit(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/merchants/' . rawurlencode($merchant) . '/deposit', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Record a payment into a merchant's deposit.
     *
     * @param string $merchant
     * @param AddDepositBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DepositDocument
     */
    public function addDeposit(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/deposit/add', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Record a repayment from a merchant's deposit.
     *
     * @param string $merchant
     * @param WithdrawDepositBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DepositDocument
     */
    public function withdrawDeposit(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/deposit/withdraw', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List a merchant's domains.
     *
     * @param string $merchant
     * @return DomainDocumentPage
     */
    public function listDomains(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/domains', [], null, null, null, false, true));
    }

    /**
     * Add a domain to a merchant.
     *
     * @param string $merchant
     * @param AddDomainBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DomainDocument
     */
    public function addDomain(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/domains', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Remove a domain from a merchant.
     *
     * @param string $merchant
     * @param string $domain
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DomainDocumentPage
     */
    public function removeDomain(string $merchant, string $domain, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('DELETE', '/admin/v1/merchants/' . rawurlencode($merchant) . '/domains/' . rawurlencode($domain), [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Export a merchant's records as CSV, oldest first.
     *
     * @param string $merchant
     * @param array{of?: 'conversions'|'commissions'|'products'|'request-log', mode?: Mode} $query
     * @return string
     */
    public function exportRecords(string $merchant, array $query = []): string
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/export', $query, null, null, null, false, true));
    }

    /**
     * Set the fee that a merchant owes the network for each commission.
     *
     * @param string $merchant
     * @param SetFeeBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return FeeDocument
     */
    public function setFee(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/merchants/' . rawurlencode($merchant) . '/fee', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List the fees of a merchant, by when each began.
     *
     * @param string $merchant
     * @return FeeDocumentPage
     */
    public function listFees(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/fees', [], null, null, null, false, true));
    }

    /**
     * Show which company bills a merchant.
     *
     * @param string $merchant
     * @return BilledBy
     */
    public function getIssuer(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/issuer', [], null, null, null, false, true));
    }

    /**
     * Have a company bill a merchant from its next invoice on.
     *
     * @param string $merchant
     * @param BillByBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return BilledBy
     */
    public function billBy(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/merchants/' . rawurlencode($merchant) . '/issuer', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List a merchant's keys.
     *
     * @param string $merchant
     * @param array{limit?: int, cursor?: string} $query
     * @return KeyDocumentPage
     */
    public function listKeys(string $merchant, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/keys', $query, null, null, null, false, true));
    }

    /**
     * List a merchant's keys: all of them, page after page as they are needed.
     *
     * @param string $merchant
     * @param array{limit?: int} $query
     * @return \Generator<int, KeyDocument>
     */
    public function iterateKeys(string $merchant, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($merchant, $query) {
            return $this->listKeys($merchant, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Issue a key; its secret is only in this answer.
     *
     * @param string $merchant
     * @param CreateKeyBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return IssuedKeyDocument
     */
    public function createKey(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/keys', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Grant or refuse live access.
     *
     * @param string $merchant
     * @param DecideLiveAccessBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ProfileDocument
     */
    public function decideLiveAccess(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/live-access', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List a merchant's products, newest first.
     *
     * @param string $merchant
     * @param array{mode?: Mode, status?: ProductStatus, search?: string, limit?: int, cursor?: string} $query
     * @return ProductRecordPage
     */
    public function listProducts(string $merchant, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/products', $query, null, null, null, false, true));
    }

    /**
     * List a merchant's products, newest first: all of them, page after page as they are needed.
     *
     * @param string $merchant
     * @param array{mode?: Mode, status?: ProductStatus, search?: string, limit?: int} $query
     * @return \Generator<int, ProductRecord>
     */
    public function iterateProducts(string $merchant, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($merchant, $query) {
            return $this->listProducts($merchant, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show a merchant's profile.
     *
     * @param string $merchant
     * @return ProfileDocument
     */
    public function getMerchantProfile(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/profile', [], null, null, null, false, true));
    }

    /**
     * Change a merchant's profile.
     *
     * @param string $merchant
     * @param UpdateMerchantProfileBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ProfileDocument
     */
    public function updateMerchantProfile(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PATCH', '/admin/v1/merchants/' . rawurlencode($merchant) . '/profile', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Reject a merchant.
     *
     * @param string $merchant
     * @param RejectMerchantBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MerchantDocument
     */
    public function rejectMerchant(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/reject', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List the requests of a merchant.
     *
     * @param string $merchant
     * @param array{refused?: bool, limit?: int, cursor?: string} $query
     * @return RequestDocumentPage
     */
    public function listRequests(string $merchant, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/request-log', $query, null, null, null, false, true));
    }

    /**
     * List the requests of a merchant: all of them, page after page as they are needed.
     *
     * @param string $merchant
     * @param array{refused?: bool, limit?: int} $query
     * @return \Generator<int, RequestDocument>
     */
    public function iterateRequests(string $merchant, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($merchant, $query) {
            return $this->listRequests($merchant, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show where a merchant accepts only signed requests.
     *
     * @param string $merchant
     * @return SignaturesDocument
     */
    public function getSignatures(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/signatures', [], null, null, null, false, true));
    }

    /**
     * Accept only signed requests in an account, or tokens too.
     *
     * @param string $merchant
     * @param RequireSignaturesBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SignaturesDocument
     */
    public function requireSignatures(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/admin/v1/merchants/' . rawurlencode($merchant) . '/signatures', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show what a merchant owes.
     *
     * @param string $merchant
     * @param string $month
     * @param array{mode?: Mode} $query
     * @return MerchantStatement
     */
    public function getMerchantStatement(string $merchant, string $month, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/statements/' . rawurlencode($month), $query, null, null, null, false, true));
    }

    /**
     * Suspend a merchant: its keys and links stop.
     *
     * @param string $merchant
     * @param SuspendMerchantBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MerchantDocument
     */
    public function suspendMerchant(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/suspend', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Move the clock of a test account forward.
     *
     * @param string $merchant
     * @param AdvanceTestClockBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return AdvancedDocument
     */
    public function advanceTestClock(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/test/clock', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Delete the orders of a test account.
     *
     * @param string $merchant
     * @param EmptyTestAccountBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return EmptiedDocument
     */
    public function emptyTestAccount(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/test/empty', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List a merchant's tokens, without their secrets.
     *
     * @param string $merchant
     * @param array{limit?: int, cursor?: string} $query
     * @return TokenDocumentPage
     */
    public function listMerchantTokens(string $merchant, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/tokens', $query, null, null, null, false, true));
    }

    /**
     * List a merchant's tokens, without their secrets: all of them, page after page as they are needed.
     *
     * @param string $merchant
     * @param array{limit?: int} $query
     * @return \Generator<int, TokenDocument>
     */
    public function iterateMerchantTokens(string $merchant, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($merchant, $query) {
            return $this->listMerchantTokens($merchant, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create a token for a merchant's account; it is only in this answer.
     *
     * @param string $merchant
     * @param CreateMerchantTokenBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CreatedToken
     */
    public function createMerchantToken(string $merchant, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/tokens', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List a merchant's files, newest first.
     *
     * @param string $merchant
     * @param array{mode?: Mode, limit?: int, cursor?: string} $query
     * @return UploadDocumentPage
     */
    public function listUploads(string $merchant, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/uploads', $query, null, null, null, false, true));
    }

    /**
     * List a merchant's files, newest first: all of them, page after page as they are needed.
     *
     * @param string $merchant
     * @param array{mode?: Mode, limit?: int} $query
     * @return \Generator<int, UploadDocument>
     */
    public function iterateUploads(string $merchant, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($merchant, $query) {
            return $this->listUploads($merchant, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show what VIES says of a merchant's VAT number.
     *
     * @param string $merchant
     * @return VatStanding
     */
    public function getMerchantVat(string $merchant): array
    {
        return $this->send(new Call('GET', '/admin/v1/merchants/' . rawurlencode($merchant) . '/vat', [], null, null, null, false, true));
    }

    /**
     * Look a merchant's VAT number up in VIES.
     *
     * @param string $merchant
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return VatStanding
     */
    public function checkMerchantVat(string $merchant, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/merchants/' . rawurlencode($merchant) . '/vat', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List the processes that serve.
     *
     * @return NodeDocumentPage
     */
    public function listNodes(): array
    {
        return $this->send(new Call('GET', '/admin/v1/nodes', [], null, null, null, false, true));
    }

    /**
     * List payout runs, newest first.
     *
     * @param array{mode?: Mode, limit?: int, cursor?: string} $query
     * @return RunDocumentPage
     */
    public function listPayouts(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/payouts', $query, null, null, null, false, true));
    }

    /**
     * List payout runs, newest first: all of them, page after page as they are needed.
     *
     * @param array{mode?: Mode, limit?: int} $query
     * @return \Generator<int, RunDocument>
     */
    public function iteratePayouts(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listPayouts($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Gather balances into a run.
     *
     * @param CreatePayoutBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return RunDocument
     */
    public function createPayout(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show the run that would be made now; nothing is reserved.
     *
     * @param PreviewPayoutBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return PreviewedRun
     */
    public function previewPayout(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts/preview', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a run with its lines.
     *
     * @param string $payout
     * @param array{after?: string, afterItem?: string} $query
     * @return ShownRun
     */
    public function getPayout(string $payout, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/payouts/' . rawurlencode($payout), $query, null, null, null, false, true));
    }

    /**
     * Cancel a draft: what it has reserved is payable again.
     *
     * @param string $payout
     * @param CancelPayoutBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return RunDocument
     */
    public function cancelPayout(string $payout, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts/' . rawurlencode($payout) . '/cancel', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List the files that were written of a run.
     *
     * @param string $payout
     * @return FileDocumentPage
     */
    public function listPayoutFiles(string $payout): array
    {
        return $this->send(new Call('GET', '/admin/v1/payouts/' . rawurlencode($payout) . '/files', [], null, null, null, false, true));
    }

    /**
     * Note that a file was never sent.
     *
     * @param string $payout
     * @param string $file
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return FileDocument
     */
    public function withdrawPayoutFile(string $payout, string $file, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts/' . rawurlencode($payout) . '/files/' . rawurlencode($file) . '/withdraw', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Take back a return that was noted by mistake.
     *
     * @param string $payout
     * @param ReinstatePaymentBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return RunDocument
     */
    public function reinstatePayment(string $payout, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts/' . rawurlencode($payout) . '/reinstate', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Release a run, another person than its creator if large.
     *
     * @param string $payout
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return RunDocument
     */
    public function releasePayout(string $payout, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts/' . rawurlencode($payout) . '/release', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Note that one payment of a run came back.
     *
     * @param string $payout
     * @param ReturnPaymentBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return RunDocument
     */
    public function returnPayment(string $payout, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts/' . rawurlencode($payout) . '/return', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Note that payments of a run arrived.
     *
     * @param string $payout
     * @param SettlePayoutBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SettlementDocument
     */
    public function settlePayout(string $payout, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/payouts/' . rawurlencode($payout) . '/settle', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show what a run pays an affiliate.
     *
     * @param string $payout
     * @param string $affiliate
     * @return StatementDocument
     */
    public function getStatement(string $payout, string $affiliate): array
    {
        return $this->send(new Call('GET', '/admin/v1/payouts/' . rawurlencode($payout) . '/statements/' . rawurlencode($affiliate), [], null, null, null, false, true));
    }

    /**
     * List what differs between reports of the same order.
     *
     * @param array{merchantId?: string, closed?: bool, limit?: int, cursor?: string} $query
     * @return OrderReviewDocumentPage
     */
    public function listQuestions(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/questions', $query, null, null, null, false, true));
    }

    /**
     * List what differs between reports of the same order: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, closed?: bool, limit?: int} $query
     * @return \Generator<int, OrderReviewDocument>
     */
    public function iterateQuestions(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listQuestions($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * List the rates of a place, by when each began.
     *
     * @param array{mode?: Mode, campaignId?: string, merchantId?: string, product?: string, new_customers?: bool, affiliateId?: string} $query
     * @return VersionDocumentPage
     */
    public function listRates(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/rates', $query, null, null, null, false, true));
    }

    /**
     * List rates that are not published.
     *
     * @param array{merchantId?: string} $query
     * @return DraftDocumentPage
     */
    public function listRateDrafts(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/rates/drafts', $query, null, null, null, false, true));
    }

    /**
     * Draft a rate.
     *
     * @param DraftRateBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DraftDocument
     */
    public function draftRate(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/rates/drafts', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Drop a draft.
     *
     * @param string $draft
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DraftDocument
     */
    public function dropRate(string $draft, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/rates/drafts/' . rawurlencode($draft) . '/drop', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Publish a rate: orders from now on follow it.
     *
     * @param string $draft
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return DraftDocument
     */
    public function publishRate(string $draft, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/rates/drafts/' . rawurlencode($draft) . '/publish', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Price the last real orders with a trial rate.
     *
     * @param array{commission?: string, volume?: 'MONTH:ORDERS'|'MONTH:AMOUNT'|'EVER:ORDERS'|'EVER:AMOUNT', tiers?: string, days?: int, mode?: Mode, campaignId?: string, merchantId?: string, product?: string, new_customers?: bool} $query
     * @return PreviewDocument
     */
    public function previewRate(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/rates/preview', $query, null, null, null, false, true));
    }

    /**
     * List what merchants paid of their invoices, newest first.
     *
     * @param array{status?: 'OPEN'|'MATCHED'|'CLOSED', limit?: int, cursor?: string} $query
     * @return ReceiptDocumentPage
     */
    public function listReceipts(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/receipts', $query, null, null, null, false, true));
    }

    /**
     * List what merchants paid of their invoices, newest first: all of them, page after page as they are needed.
     *
     * @param array{status?: 'OPEN'|'MATCHED'|'CLOSED', limit?: int} $query
     * @return \Generator<int, ReceiptDocument>
     */
    public function iterateReceipts(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listReceipts($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Note that an invoice was paid, or a credit note paid back.
     *
     * @param NoteReceiptBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ReceiptDocument
     */
    public function noteReceipt(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/receipts', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Apply a credit note to an invoice of the same merchant.
     *
     * @param SetOffBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ReceiptDocument
     */
    public function setOff(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/receipts/set-off', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a merchant's payment.
     *
     * @param string $receipt
     * @return ReceiptDocument
     */
    public function getReceipt(string $receipt): array
    {
        return $this->send(new Call('GET', '/admin/v1/receipts/' . rawurlencode($receipt), [], null, null, null, false, true));
    }

    /**
     * Say which invoice a payment is for.
     *
     * @param string $receipt
     * @param AssignReceiptBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ReceiptDocument
     */
    public function assignReceipt(string $receipt, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/receipts/' . rawurlencode($receipt) . '/assign', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Close the question of a payment; what it pays stays paid.
     *
     * @param string $receipt
     * @param CloseReceiptBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ReceiptDocument
     */
    public function closeReceipt(string $receipt, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/receipts/' . rawurlencode($receipt) . '/close', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Take a payment off the invoices that it pays.
     *
     * @param string $receipt
     * @param TakeReceiptBackBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ReceiptDocument
     */
    public function takeReceiptBack(string $receipt, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/receipts/' . rawurlencode($receipt) . '/take-back', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Report clicks, orders and commissions of all merchants.
     *
     * @param array{by?: 'day'|'merchant'|'campaign'|'affiliate', mode?: Mode, from?: string, to?: string} $query
     * @return FiguresOfPage
     */
    public function getReport(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/reports', $query, null, null, null, false, true));
    }

    /**
     * List every setting as it is in force.
     *
     * @return SettingDocumentPage
     */
    public function listSettings(): array
    {
        return $this->send(new Call('GET', '/admin/v1/settings', [], null, null, null, false, true));
    }

    /**
     * List the accounts that several affiliates are paid to.
     *
     * @return SharedAccountPage
     */
    public function listSharedAccounts(): array
    {
        return $this->send(new Call('GET', '/admin/v1/shared-accounts', [], null, null, null, false, true));
    }

    /**
     * List subscriptions to webhooks and postbacks.
     *
     * @param array{merchantId?: string, affiliateId?: string, limit?: int, cursor?: string} $query
     * @return SubscriptionDocumentPage
     */
    public function listSubscriptions(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/subscriptions', $query, null, null, null, false, true));
    }

    /**
     * List subscriptions to webhooks and postbacks: all of them, page after page as they are needed.
     *
     * @param array{merchantId?: string, affiliateId?: string, limit?: int} $query
     * @return \Generator<int, SubscriptionDocument>
     */
    public function iterateSubscriptions(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listSubscriptions($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Subscribe; the secret is only in this answer.
     *
     * @param CreateSubscriptionBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CreatedSubscription
     */
    public function createSubscription(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/subscriptions', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Delete a subscription and what waits for it.
     *
     * @param string $subscription
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SubscriptionDocument
     */
    public function deleteSubscription(string $subscription, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('DELETE', '/admin/v1/subscriptions/' . rawurlencode($subscription), [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Change where messages go, which, or in which version.
     *
     * @param string $subscription
     * @param UpdateSubscriptionBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SubscriptionDocument
     */
    public function updateSubscription(string $subscription, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PATCH', '/admin/v1/subscriptions/' . rawurlencode($subscription), [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List messages with the receiver's answers.
     *
     * @param string $subscription
     * @param array{limit?: int, cursor?: string} $query
     * @return DeliveryDocumentPage
     */
    public function listDeliveries(string $subscription, array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/subscriptions/' . rawurlencode($subscription) . '/deliveries', $query, null, null, null, false, true));
    }

    /**
     * List messages with the receiver's answers: all of them, page after page as they are needed.
     *
     * @param string $subscription
     * @param array{limit?: int} $query
     * @return \Generator<int, DeliveryDocument>
     */
    public function iterateDeliveries(string $subscription, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($subscription, $query) {
            return $this->listDeliveries($subscription, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Pause a subscription; messages are kept.
     *
     * @param string $subscription
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SubscriptionDocument
     */
    public function pauseSubscription(string $subscription, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/subscriptions/' . rawurlencode($subscription) . '/pause', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Send messages again.
     *
     * @param string $subscription
     * @param ReplayDeliveriesBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return Replayed
     */
    public function replayDeliveries(string $subscription, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/subscriptions/' . rawurlencode($subscription) . '/replay', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Resume a subscription, beginning with what was kept.
     *
     * @param string $subscription
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SubscriptionDocument
     */
    public function resumeSubscription(string $subscription, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/subscriptions/' . rawurlencode($subscription) . '/resume', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Retry now what waits.
     *
     * @param string $subscription
     * @param RetryDeliveriesBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return Retried
     */
    public function retryDeliveries(string $subscription, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/subscriptions/' . rawurlencode($subscription) . '/retry', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Make a new secret.
     *
     * @param string $subscription
     * @param RotateSubscriptionSecretBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return CreatedSubscription
     */
    public function rotateSubscriptionSecret(string $subscription, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/subscriptions/' . rawurlencode($subscription) . '/rotate', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Send a test message of a kind.
     *
     * @param string $subscription
     * @param TestSubscriptionBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return SampleQueued
     */
    public function testSubscription(string $subscription, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/subscriptions/' . rawurlencode($subscription) . '/test', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List tokens, without their secrets.
     *
     * @param array{limit?: int, cursor?: string} $query
     * @return TokenDocumentPage
     */
    public function listTokens(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/tokens', $query, null, null, null, false, true));
    }

    /**
     * List tokens, without their secrets: all of them, page after page as they are needed.
     *
     * @param array{limit?: int} $query
     * @return \Generator<int, TokenDocument>
     */
    public function iterateTokens(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listTokens($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Revoke a token at once.
     *
     * @param string $token
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return TokenDocument
     */
    public function revokeToken(string $token, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/tokens/' . rawurlencode($token) . '/revoke', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * List who did what, newest first.
     *
     * @param array{subject?: string, actor?: string, act?: string, since?: string, limit?: int, cursor?: string} $query
     * @return ActDocumentPage
     */
    public function listActs(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/trail', $query, null, null, null, false, true));
    }

    /**
     * List who did what, newest first: all of them, page after page as they are needed.
     *
     * @param array{subject?: string, actor?: string, act?: string, since?: string, limit?: int} $query
     * @return \Generator<int, ActDocument>
     */
    public function iterateActs(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listActs($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * List the people who sign in.
     *
     * @param array{search?: string, status?: 'ACTIVE'|'DISABLED', limit?: int, cursor?: string} $query
     * @return UserDocumentPage
     */
    public function listUsers(array $query = []): array
    {
        return $this->send(new Call('GET', '/admin/v1/users', $query, null, null, null, false, true));
    }

    /**
     * List the people who sign in: all of them, page after page as they are needed.
     *
     * @param array{search?: string, status?: 'ACTIVE'|'DISABLED', limit?: int} $query
     * @return \Generator<int, UserDocument>
     */
    public function iterateUsers(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listUsers($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create a user with a role.
     *
     * @param CreateUserBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UserDocument
     */
    public function createUser(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/users', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Invite a person to a role, by mail.
     *
     * @param InviteUserBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return InvitationDocument
     */
    public function inviteUser(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/users/invite', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Disable a user and sign them out everywhere.
     *
     * @param string $user
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UserDocument
     */
    public function disableUser(string $user, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/users/' . rawurlencode($user) . '/disable', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Let a disabled user sign in again.
     *
     * @param string $user
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UserDocument
     */
    public function enableUser(string $user, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/users/' . rawurlencode($user) . '/enable', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Remove a user's authenticator app and passkeys.
     *
     * @param string $user
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UserDocument
     */
    public function resetFactors(string $user, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/users/' . rawurlencode($user) . '/factors/reset', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Give a user one more role.
     *
     * @param string $user
     * @param GrantRoleBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UserDocument
     */
    public function grantRole(string $user, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/users/' . rawurlencode($user) . '/roles', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Remove a role from a user.
     *
     * @param string $user
     * @param RevokeRoleBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return UserDocument
     */
    public function revokeRole(string $user, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/admin/v1/users/' . rawurlencode($user) . '/roles/remove', [], $body, null, $idempotencyKey, true, true));
    }
}
