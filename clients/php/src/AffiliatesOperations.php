<?php

// Generated from the hub's OpenAPI document: python -m clients.generator

declare(strict_types=1);

namespace AffiliateHub;

/**
 * A method for each operation of the API.
 *
 * @phpstan-type AffiliateDocument array{id: string, name: string, email: string, status: AffiliateStatus, coupons: list<string>, channels: string|null, createdAt: string}
 * @phpstan-type AffiliateStatus 'ACTIVE'|'INACTIVE'
 * @phpstan-type AwaitedStep 'REVIEW'|'ORDER_STATUS'|'HOLD_END'|'PLATFORM'|'DEPOSIT'|'PAYOUT'
 * @phpstan-type BalanceDocument array{currency: string, pending: string, payable: string, paid: string, underWay: string, negative: string}
 * @phpstan-type BalanceDocumentPage array{data: list<BalanceDocument>, nextCursor: string|null}
 * @phpstan-type CampaignStatus 'DRAFT'|'ACTIVE'|'PAUSED'|'EXPIRED'|'ARCHIVED'
 * @phpstan-type ChangeDocument array{type: ChangeType, id: string, merchantId: string, mode: Mode, changedAt: string, deleted: bool, record: array<string, mixed>|null}
 * @phpstan-type ChangeType 'affiliate'|'balance'|'campaign'|'commission'|'conversion'|'event'|'link'|'membership'|'product'|'statement'|'subscription'
 * @phpstan-type ChangesDocument array{data: list<ChangeDocument>, cursor: string, more: bool}
 * @phpstan-type ClickRecord array{id: string, clickedAt: string, linkCode: string, affiliateId: string, campaignId: string|null, subIds: array<string, mixed>, merchantId: string, mode: Mode}
 * @phpstan-type ClickRecordPage array{data: list<ClickRecord>, nextCursor: string|null}
 * @phpstan-type CommissionMessageType 'commission.created'|'commission.held'|'commission.payable'|'commission.rejected'|'commission.adjusted'|'commission.paid'
 * @phpstan-type CommissionNews array{commissionId: string, state: CommissionState, previousState: CommissionState|null, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, conversionId: string, externalOrderId?: string, campaignId: string|null, clickId: string|null, orderedAt: string, currency: Currency, amount: MoneySum, previousAmount: MoneySum|null, holdUntil: string|null, paidAt: string|null, affiliateId: string}
 * @phpstan-type CommissionNewsMessage array{type: CommissionMessageType, timestamp: string, data: CommissionNews}
 * @phpstan-type CommissionOfOrder array{id: string, state: CommissionState, amount: Money, currency: Currency, source: CommissionSource, type: CommissionType|null, value: string|null, base: Money, holdUntil: string|null, paidAt: string|null, payoutReference: string|null}
 * @phpstan-type CommissionSource 'PRODUCT'|'NEW_CUSTOMER'|'CAMPAIGN'|'MERCHANT'|'PLATFORM'|'MIXED'
 * @phpstan-type CommissionState 'PENDING'|'HOLD'|'APPROVED'|'PAYABLE'|'PAID'|'REJECTED'
 * @phpstan-type CommissionType 'PERCENTAGE'|'FIXED'
 * @phpstan-type CreateLinkBody array{campaignId: string, destination?: string, name?: string, subIds?: array<string, mixed>}
 * @phpstan-type CreateSubscriptionBody array{url: string, events: list<string>, description?: string, mode?: Mode, paused?: bool, payloadVersion?: string}
 * @phpstan-type CreatedSubscription array{id: string, secret: string|null, payloadVersion: string}
 * @phpstan-type Currency string
 * @phpstan-type DeliveryDocument array{id: string, type: string, payloadVersion: string, status: DeliveryStatus, attempts: int, createdAt: string, dueAt: string|null, finishedAt: string|null, answerStatus: int|null, answer: string|null, fault: string|null, data: array<string, mixed>}
 * @phpstan-type DeliveryDocumentPage array{data: list<DeliveryDocument>, nextCursor: string|null}
 * @phpstan-type DeliveryStatus 'WAITING'|'DELIVERED'|'GIVEN_UP'
 * @phpstan-type DepositNews array{currency: Currency, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, balance: MoneySum, waiting: MoneySum, commissions: int}
 * @phpstan-type DepositNewsMessage array{type: 'deposit.short', timestamp: string, data: DepositNews}
 * @phpstan-type ErrorBody array{statusCode: int, message: string|list<string>, error: string, code?: string, param?: string, docUrl?: string, requestId?: string}
 * @phpstan-type EventTypeRecord array{type: MessageType, about: string, forAffiliates: bool, version: string, schema: array<string, mixed>, example: WebhookMessage}
 * @phpstan-type EventTypeRecordPage array{data: list<EventTypeRecord>, nextCursor: string|null}
 * @phpstan-type JoinCampaignBody array{message?: string}
 * @phpstan-type LineDocument array{id: string, affiliateId: string, merchantId: string, merchantName: string, externalOrderId: string|null, amount: string, currency: string, reason: string|null, status: string}
 * @phpstan-type LinkCreated array{code: string, url: string, destination: string, affiliateId: string, campaignId: string|null, productId: string|null, merchantId: string, mode: Mode, name: string|null, subIds: array<string, mixed>}
 * @phpstan-type LinkRecord array{code: string, url: string, destination: string, affiliateId: string, campaignId: string|null, merchantId: string, merchantName: string, affiliateName: string|null, mode: Mode, createdAt: string, updatedAt: string, disabledAt: string|null, name: string|null, subIds: array<string, mixed>}
 * @phpstan-type MembershipDocument array{campaignId: string, campaignCode: string, campaignTitle: string, merchantId: string, merchantName: string, mode: Mode, affiliateId: string, affiliateName: string, affiliateEmail: string, status: MembershipStatus, commissionType: CommissionType|null, commissionValue: string|null, message: string|null, reason: string|null, appliedAt: string, decidedAt: string|null, channels: string|null}
 * @phpstan-type MembershipStatus 'APPLIED'|'APPROVED'|'REJECTED'|'REMOVED'
 * @phpstan-type MessageDocument array{id: string, author: 'affiliate'|'merchant'|'operator', text: string, writtenAt: string, readAt: string|null}
 * @phpstan-type MessageDocumentPage array{data: list<MessageDocument>, nextCursor: string|null}
 * @phpstan-type MessageType 'commission.created'|'commission.held'|'commission.payable'|'commission.rejected'|'commission.adjusted'|'commission.paid'|'conversion.review'|'connection.silent'|'connection.refused'|'connection.recovered'|'payout.released'|'deposit.short'
 * @phpstan-type Mode 'test'|'live'
 * @phpstan-type Money string
 * @phpstan-type MoneySum string
 * @phpstan-type NextPayout array{currency: string|null, payDate: string, payableBefore: string, payable: string|null, due: string|null, minimum: string|null, missing: list<'nothing_due'|'negative'|'below_minimum'|'below_own_minimum'|'own_wait'|'own_currency'|'on_hold'|'no_payee'|'payee_waits'|'no_method'|'no_rate'|'merchant_overdue'>, sentCurrency: string|null, sentAmount: string|null, exchangeRate: string|null}
 * @phpstan-type NextPayoutPage array{data: list<NextPayout>, nextCursor: string|null}
 * @phpstan-type OfferDocument array{id: string, code: string, title: string, description: string|null, terms: string|null, merchantId: string, merchantName: string, mode: Mode, domains: list<string>, currency: string, commissionType: CommissionType, commissionValue: string, newCustomerCommissionType: CommissionType|null, newCustomerCommissionValue: string|null, volumeRates: VolumeRates|null, windowMs: int, holdMs: int, status: CampaignStatus, byApproval: bool, whoEarns: string, membership: MembershipStatus|null, reason: string|null}
 * @phpstan-type OfferDocumentPage array{data: list<OfferDocument>, nextCursor: string|null}
 * @phpstan-type OwnCommissionDocument array{id: string, state: string, amount: string, currency: string, holdUntil: string|null, externalOrderId: string, orderedAt: string, merchantId: string, merchantName: string, campaignTitle: string|null, linkCode: string|null, subIds: array<string, mixed>}
 * @phpstan-type OwnCommissionDocumentPage array{data: list<OwnCommissionDocument>, nextCursor: string|null}
 * @phpstan-type OwnCorrection array{amount: MoneySum, payoutId: string|null, createdAt: string}
 * @phpstan-type OwnLinkDocument array{code: string, destination: string, merchantId: string, merchantName: string, campaignId: string|null, campaignTitle: string|null, name: string|null, subIds: array<string, mixed>, createdAt: string, disabledAt: string|null, stopped: string|null}
 * @phpstan-type OwnLinkDocumentPage array{data: list<OwnLinkDocument>, nextCursor: string|null}
 * @phpstan-type OwnOrder array{id: string, conversionId: string, externalOrderId: string, orderAmount: Money, currency: Currency, orderedAt: string, merchantId: string, merchantName: string, mode: Mode, campaignId: string|null, review: ReviewState|null, awaits: AwaitedStep|null, commission: CommissionOfOrder, facts: list<ReasonedFact>, corrections: list<OwnCorrection>, volume: VolumeOfOrder|null, linkCode: string|null, clickedAt: string|null, subIds: array<string, mixed>, updatedAt: string}
 * @phpstan-type OwnPayout array{payoutId: string, releasedAt: string, currency: string, amount: string, status: string, carriedReason: string|null, reference: string|null, returnedReason: string|null, sentCurrency: string|null, sentAmount: string|null, exchangeRate: string|null}
 * @phpstan-type OwnPayoutPage array{data: list<OwnPayout>, nextCursor: string|null}
 * @phpstan-type PayeeDocument array{affiliateId: string, legalName: string, street: string, postalCode: string, city: string, country: string, method: string, account: string, taxId: string|null, business: bool, selfBilling: bool, changedAt: string, waits: bool}
 * @phpstan-type PayeeLines array{name: string, address: list<string>, taxId: string|null}
 * @phpstan-type PayoutNews array{payoutId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, affiliateId: string, amount: MoneySum, currency: Currency}
 * @phpstan-type PayoutNewsMessage array{type: 'payout.released', timestamp: string, data: PayoutNews}
 * @phpstan-type PayoutTerms array{affiliateId: string, minimum: string, currencies: list<string>, waits: bool, paidIn: string, setBy: string|null, setAt: string|null}
 * @phpstan-type ReasonedFact array{status: string, at: string, receivedAt: string, applied: bool, skipReason: SkipReason|null, eventId: string, reason: string|null}
 * @phpstan-type RecoveredConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, at: string, read: int, unknownOrders: int}
 * @phpstan-type RecoveredConnectionMessage array{type: 'connection.recovered', timestamp: string, data: RecoveredConnection}
 * @phpstan-type RefusedConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, at: string, reason: string}
 * @phpstan-type RefusedConnectionMessage array{type: 'connection.refused', timestamp: string, data: RefusedConnection}
 * @phpstan-type RenameLinkBody array{name?: string}
 * @phpstan-type ReplayDeliveriesBody array{messageId?: string, since?: string}
 * @phpstan-type Replayed array{replayed: int}
 * @phpstan-type ReportLine array{key: string, name: string, clicks: int, orders: int, rejected: int, earned: array<string, mixed>}
 * @phpstan-type ReportLinePage array{data: list<ReportLine>, nextCursor: string|null}
 * @phpstan-type Retried array{retried: int}
 * @phpstan-type RetryDeliveriesBody array{messageId?: string}
 * @phpstan-type ReviewNews array{conversionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, externalOrderId?: string, campaignId: string|null, clickId: string|null, orderedAt: string, currency: Currency, orderAmount: Money, reason: string, candidateId: string|null}
 * @phpstan-type ReviewNewsMessage array{type: 'conversion.review', timestamp: string, data: ReviewNews}
 * @phpstan-type ReviewState 'OPEN'|'ATTRIBUTED'|'DISMISSED'
 * @phpstan-type RotateSubscriptionSecretBody array{overlap?: string}
 * @phpstan-type SampleQueued array{messageId: string, type: string}
 * @phpstan-type SetPayoutTermsBody array{minimum?: string, currencies?: string, paidIn?: string, waits?: bool}
 * @phpstan-type ShortLink array{code: string, short: string, url: string}
 * @phpstan-type ShortenLinkBody array{short: string}
 * @phpstan-type SilentConnection array{connectionId: string, merchantId: string, mode: Mode, subIds?: array<string, mixed>, sample?: bool, connector: string, title: string|null, lastDeliveryAt: string}
 * @phpstan-type SilentConnectionMessage array{type: 'connection.silent', timestamp: string, data: SilentConnection}
 * @phpstan-type SkipReason 'already_known'|'commission_paid'|'stale'|'superseded'|'taken_back'|'test_delivery'|'unknown_order'|'unknown_product'|'not_allowed_from_pending'|'not_allowed_from_hold'|'not_allowed_from_approved'|'not_allowed_from_payable'|'not_allowed_from_rejected'
 * @phpstan-type StatementDocument array{payoutId: string, mark: string|null, status: string, affiliateId: string, affiliateName: string, payee: PayeeLines|null, createdAt: string, releasedAt: string|null, issuer: string, rounding: string, parts: list<StatementPart>}
 * @phpstan-type StatementPart array{invoice: int|null, invoiceAmount: string|null, corrects: list<int>, invoiceNumber: string|null, corrected: list<string>, invoiceTo: list<string>, vatNote: string, currency: string, balanceBefore: string, commissions: string, adjustments: string, paid: string, balanceAfter: string, status: string, reference: string|null, sentCurrency: string|null, sentAmount: string|null, exchangeRate: string|null, lines: list<LineDocument>}
 * @phpstan-type SubscriptionDocument array{id: string, merchantId: string|null, mode: Mode|null, affiliateId: string|null, kind: SubscriptionKind, url: string, description: string|null, events: list<string>, payloadVersion: string, status: SubscriptionStatus, reason: string|null, failures: int, failingSince: string|null, waiting: int, createdAt: string}
 * @phpstan-type SubscriptionDocumentPage array{data: list<SubscriptionDocument>, nextCursor: string|null}
 * @phpstan-type SubscriptionKind 'WEBHOOK'|'POSTBACK'
 * @phpstan-type SubscriptionStatus 'ACTIVE'|'PAUSED'
 * @phpstan-type TestSubscriptionBody array{type?: MessageType}
 * @phpstan-type ThreadDocument array{conversionId: string, commissionId: string, externalOrderId: string, merchantId: string, merchantName: string, affiliateId: string, affiliateName: string, mode: Mode, messages: int, unread: int, unreadByMerchant: int, lastAt: string}
 * @phpstan-type ThreadDocumentPage array{data: list<ThreadDocument>, nextCursor: string|null}
 * @phpstan-type UpdateSubscriptionBody array{url?: string, events?: list<string>, description?: string, payloadVersion?: string}
 * @phpstan-type VolumeMeasure 'ORDERS'|'AMOUNT'
 * @phpstan-type VolumeOfOrder array{month: string, standing: VolumeStanding, place: int|null, begins: string|null, commissionType: CommissionType|null, commissionValue: string|null, amount: Money}
 * @phpstan-type VolumePeriod 'MONTH'|'EVER'
 * @phpstan-type VolumeRates array{period: VolumePeriod, measure: VolumeMeasure, tiers: list<array<string, mixed>>}
 * @phpstan-type VolumeStanding 'OPEN'|'COUNTED'|'LEFT_OUT'
 * @phpstan-type WebhookMessage CommissionNewsMessage|DepositNewsMessage|PayoutNewsMessage|RecoveredConnectionMessage|RefusedConnectionMessage|ReviewNewsMessage|SilentConnectionMessage
 * @phpstan-type WriteMessageBody array{text: string}
 */
trait AffiliatesOperations
{
    /** @return mixed */
    abstract protected function send(Call $call);

    /** @return \Generator<int, array<string, mixed>> */
    abstract protected function pages(callable $page, string $place): \Generator;

    /**
     * Show who you are.
     *
     * @return AffiliateDocument
     */
    public function getAffiliate(): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/affiliate', [], null, null, null, false, true));
    }

    /**
     * Show your balances, by currency.
     *
     * @param array{mode?: Mode} $query
     * @return BalanceDocumentPage
     */
    public function listBalances(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/balances', $query, null, null, null, false, true));
    }

    /**
     * List the campaigns that you take part in.
     *
     * @param array{limit?: int, cursor?: string} $query
     * @return OfferDocumentPage
     */
    public function listCampaigns(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/campaigns', $query, null, null, null, false, true));
    }

    /**
     * List the campaigns that you take part in: all of them, page after page as they are needed.
     *
     * @param array{limit?: int} $query
     * @return \Generator<int, OfferDocument>
     */
    public function iterateCampaigns(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listCampaigns($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * List the campaigns that anybody may join.
     *
     * @param array{cursor?: string} $query
     * @return OfferDocumentPage
     */
    public function listPublicCampaigns(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/campaigns/public', $query, null, null, null, false, true));
    }

    /**
     * List the campaigns that anybody may join: all of them, page after page as they are needed.
     *
     * @return \Generator<int, OfferDocument>
     */
    public function iteratePublicCampaigns(): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listPublicCampaigns($query + ['cursor' => $place]);
        }, 'cursor');
    }

    /**
     * Join a campaign, or apply to it.
     *
     * @param string $campaign
     * @param JoinCampaignBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MembershipDocument
     */
    public function joinCampaign(string $campaign, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/affiliate/v1/campaigns/' . rawurlencode($campaign) . '/join', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Follow what changed of yours, from a cursor that never expires.
     *
     * @param array{after?: string, types?: string, limit?: int, wait?: int} $query
     * @return ChangesDocument
     */
    public function listChanges(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/changes', $query, null, null, null, false, true));
    }

    /**
     * List your commissions, newest first.
     *
     * @param array{mode?: Mode, status?: CommissionState, merchantId?: string, linkCode?: string, externalOrderId?: string, limit?: int, cursor?: string} $query
     * @return OwnCommissionDocumentPage
     */
    public function listCommissions(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/commissions', $query, null, null, null, false, true));
    }

    /**
     * List your commissions, newest first: all of them, page after page as they are needed.
     *
     * @param array{mode?: Mode, status?: CommissionState, merchantId?: string, linkCode?: string, externalOrderId?: string, limit?: int} $query
     * @return \Generator<int, OwnCommissionDocument>
     */
    public function iterateCommissions(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listCommissions($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show a commission with its order, and what it waits for.
     *
     * @param string $commission
     * @return OwnOrder
     */
    public function getCommission(string $commission): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/commissions/' . rawurlencode($commission), [], null, null, null, false, true));
    }

    /**
     * Read what you and the merchant wrote about an order.
     *
     * @param string $commission
     * @return MessageDocumentPage
     */
    public function listMessages(string $commission): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/commissions/' . rawurlencode($commission) . '/messages', [], null, null, null, false, true));
    }

    /**
     * Ask the merchant about an order, or answer it.
     *
     * @param string $commission
     * @param WriteMessageBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return MessageDocumentPage
     */
    public function writeMessage(string $commission, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/affiliate/v1/commissions/' . rawurlencode($commission) . '/messages', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List the kinds of messages that subscribers get.
     *
     * @return EventTypeRecordPage
     */
    public function listEventTypes(): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/event-types', [], null, null, null, false, true));
    }

    /**
     * List your tracking links, newest first.
     *
     * @param array{mode?: Mode, limit?: int, cursor?: string} $query
     * @return OwnLinkDocumentPage
     */
    public function listLinks(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/links', $query, null, null, null, false, true));
    }

    /**
     * List your tracking links, newest first: all of them, page after page as they are needed.
     *
     * @param array{mode?: Mode, limit?: int} $query
     * @return \Generator<int, OwnLinkDocument>
     */
    public function iterateLinks(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listLinks($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Create a tracking link of a campaign.
     *
     * @param CreateLinkBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LinkCreated
     */
    public function createLink(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/affiliate/v1/links', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show a tracking link.
     *
     * @param string $link
     * @return LinkRecord
     */
    public function getLink(string $link): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/links/' . rawurlencode($link), [], null, null, null, false, true));
    }

    /**
     * List clicks on a link of yours, newest first.
     *
     * @param string $link
     * @param array{createdFrom?: string, createdTo?: string, limit?: int, cursor?: string} $query
     * @return ClickRecordPage
     */
    public function listClicks(string $link, array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/links/' . rawurlencode($link) . '/clicks', $query, null, null, null, false, true));
    }

    /**
     * List clicks on a link of yours, newest first: all of them, page after page as they are needed.
     *
     * @param string $link
     * @param array{createdFrom?: string, createdTo?: string, limit?: int} $query
     * @return \Generator<int, ClickRecord>
     */
    public function iterateClicks(string $link, array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($link, $query) {
            return $this->listClicks($link, $query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Switch a link off: buyers reach the shop, and nobody earns.
     *
     * @param string $link
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LinkRecord
     */
    public function disableLink(string $link, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/affiliate/v1/links/' . rawurlencode($link) . '/disable', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Switch a link on again that you had switched off.
     *
     * @param string $link
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LinkRecord
     */
    public function enableLink(string $link, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/affiliate/v1/links/' . rawurlencode($link) . '/enable', [], null, null, $idempotencyKey, true, true));
    }

    /**
     * Name a link.
     *
     * @param string $link
     * @param RenameLinkBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return LinkRecord
     */
    public function renameLink(string $link, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/affiliate/v1/links/' . rawurlencode($link) . '/name', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Give a link a short address, which stays its own.
     *
     * @param string $link
     * @param ShortenLinkBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return ShortLink
     */
    public function shortenLink(string $link, array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('POST', '/affiliate/v1/links/' . rawurlencode($link) . '/short', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * List the orders that somebody wrote about, those with the newest first.
     *
     * @param array{limit?: int, cursor?: string} $query
     * @return ThreadDocumentPage
     */
    public function listThreads(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/messages', $query, null, null, null, false, true));
    }

    /**
     * List the orders that somebody wrote about, those with the newest first: all of them, page after page as they are needed.
     *
     * @param array{limit?: int} $query
     * @return \Generator<int, ThreadDocument>
     */
    public function iterateThreads(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listThreads($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show your payment details; of an account only the last digits.
     *
     * @return PayeeDocument
     */
    public function getPayee(): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/payee', [], null, null, null, false, true));
    }

    /**
     * List what you were paid, newest first.
     *
     * @param array{mode?: Mode, limit?: int, cursor?: string} $query
     * @return OwnPayoutPage
     */
    public function listPayouts(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/payouts', $query, null, null, null, false, true));
    }

    /**
     * List what you were paid, newest first: all of them, page after page as they are needed.
     *
     * @param array{mode?: Mode, limit?: int} $query
     * @return \Generator<int, OwnPayout>
     */
    public function iteratePayouts(array $query = []): \Generator
    {
        return $this->pages(function ($place) use ($query) {
            return $this->listPayouts($query + ['cursor' => $place] + ['limit' => 200]);
        }, 'cursor');
    }

    /**
     * Show your next pay date, and what is missing for it.
     *
     * @return NextPayoutPage
     */
    public function listNextPayouts(): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/payouts/next', [], null, null, null, false, true));
    }

    /**
     * Show how you chose to be paid.
     *
     * @return PayoutTerms
     */
    public function getPayoutTerms(): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/payouts/terms', [], null, null, null, false, true));
    }

    /**
     * Set your own minimum, in which currencies you are paid, or wait.
     *
     * @param SetPayoutTermsBody $body
     * @param string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing
     * @return PayoutTerms
     */
    public function setPayoutTerms(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send(new Call('PUT', '/affiliate/v1/payouts/terms', [], $body, null, $idempotencyKey, true, true));
    }

    /**
     * Show your statement of a payout that was released.
     *
     * @param string $payout
     * @return StatementDocument
     */
    public function getStatement(string $payout): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/payouts/' . rawurlencode($payout) . '/statement', [], null, null, null, false, true));
    }

    /**
     * Report clicks, orders and earnings.
     *
     * @param array{by?: 'day'|'campaign'|'link'|'sub1'|'sub2'|'sub3'|'sub4'|'sub5', mode?: Mode, from?: string, to?: string} $query
     * @return ReportLinePage
     */
    public function getReport(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/reports', $query, null, null, null, false, true));
    }

    /**
     * List your subscriptions to webhooks and postbacks.
     *
     * @param array{limit?: int, cursor?: string} $query
     * @return SubscriptionDocumentPage
     */
    public function listSubscriptions(array $query = []): array
    {
        return $this->send(new Call('GET', '/affiliate/v1/subscriptions', $query, null, null, null, false, true));
    }

    /**
     * List your subscriptions to webhooks and postbacks: all of them, page after page as they are needed.
     *
     * @param array{limit?: int} $query
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
        return $this->send(new Call('POST', '/affiliate/v1/subscriptions', [], $body, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('DELETE', '/affiliate/v1/subscriptions/' . rawurlencode($subscription), [], null, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('PATCH', '/affiliate/v1/subscriptions/' . rawurlencode($subscription), [], $body, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('GET', '/affiliate/v1/subscriptions/' . rawurlencode($subscription) . '/deliveries', $query, null, null, null, false, true));
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
        return $this->send(new Call('POST', '/affiliate/v1/subscriptions/' . rawurlencode($subscription) . '/pause', [], null, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('POST', '/affiliate/v1/subscriptions/' . rawurlencode($subscription) . '/replay', [], $body, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('POST', '/affiliate/v1/subscriptions/' . rawurlencode($subscription) . '/resume', [], null, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('POST', '/affiliate/v1/subscriptions/' . rawurlencode($subscription) . '/retry', [], $body, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('POST', '/affiliate/v1/subscriptions/' . rawurlencode($subscription) . '/rotate', [], $body, null, $idempotencyKey, true, true));
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
        return $this->send(new Call('POST', '/affiliate/v1/subscriptions/' . rawurlencode($subscription) . '/test', [], $body, null, $idempotencyKey, true, true));
    }
}
