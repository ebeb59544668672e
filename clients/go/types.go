// Code generated from the hub's OpenAPI document: python -m clients.generator. DO NOT EDIT.

package affiliatehub

// AcceptedEvent: A conversion or order status is durable; `conversionId` comes with a duplicate conversion.
type AcceptedEvent struct {
	// Ask GET /v1/events/{eventId} for it; a duplicate has the first one's id.
	EventID string `json:"eventId"`
	// RECEIVED, or DUPLICATE for what was accepted before. Both are a success.
	Status AcceptedStatus `json:"status"`
	// Whether the same thing was accepted before; nothing happens twice.
	Duplicate bool `json:"duplicate"`
	// The conversion that exists already; only in the answer to a duplicate conversion.
	ConversionID *string `json:"conversionId,omitempty"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// AcceptedStatus: RECEIVED, or DUPLICATE for what was accepted before.
type AcceptedStatus string

const (
	AcceptedStatusReceived  AcceptedStatus = "RECEIVED"
	AcceptedStatusDuplicate AcceptedStatus = "DUPLICATE"
)

// AffiliateList: A page of affiliates.
type AffiliateList struct {
	// The entries of this page.
	Data []AffiliateRecord `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// AffiliateRecord: An affiliate that has a link of this account or is a member of one of its campaigns.
type AffiliateRecord struct {
	// The hub's id.
	ID string `json:"id"`
	// The affiliate's name.
	Name string `json:"name"`
	// INACTIVE ones earn nothing.
	Status AffiliateStatus `json:"status"`
	// Where it promotes: websites, profiles, newsletters; empty for nothing.
	Channels *string `json:"channels"`
}

// AffiliateStatus: INACTIVE affiliates earn nothing.
type AffiliateStatus string

const (
	AffiliateStatusActive   AffiliateStatus = "ACTIVE"
	AffiliateStatusInactive AffiliateStatus = "INACTIVE"
)

// ApprovalStatus: Whether an admin's approval is needed, and given.
type ApprovalStatus string

const (
	ApprovalStatusNotRequired ApprovalStatus = "NOT_REQUIRED"
	ApprovalStatusPending     ApprovalStatus = "PENDING"
	ApprovalStatusApproved    ApprovalStatus = "APPROVED"
	ApprovalStatusRejected    ApprovalStatus = "REJECTED"
)

// ArchivePayload: The body of POST /v1/products/archive.
type ArchivePayload struct {
	// Products to archive, each by the hub's id or by externalProductId.
	ProductIDs []string `json:"productIds"`
}

// ArchiveResult: How many of the named products are archived now, and which ids named none.
type ArchiveResult struct {
	// How many of the named products are archived now.
	Archived int64 `json:"archived"`
	// The ids that name no product.
	NotFound []string `json:"notFound"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// AttributionExplained: Whose order it is and why (`reason` is "matched" or what was missing).
type AttributionExplained struct {
	// HIGH where a live click proves the order; LOW orders wait for review and earn nothing before.
	Confidence Confidence `json:"confidence"`
	// matched, or the first check that failed: click_missing, click_malformed, click_unknown, click_after_order, click_outside_window, campaign_not_live, affiliate_inactive. Only a campaign with a policy of its own has: coupon_owner (of older orders coupon_matched), coupon_excluded, sub_affiliate_excluded, customer_not_new, customer_unknown, renewal_matched, renewal_excluded, renewals_used_up, customer_matched.
	Reason AttributionReason `json:"reason"`
	// The click id that the order named.
	ClickID *string `json:"clickId"`
	// Whose click it was.
	AffiliateID *string `json:"affiliateId"`
	// The campaign of the click's link.
	CampaignID *string `json:"campaignId"`
	// How old the click was at the time of the order.
	ClickAgeSeconds *int64 `json:"clickAgeSeconds"`
	// How old it may have been.
	WindowSeconds *int64 `json:"windowSeconds"`
	// The campaign's policy if it has one of its own: `rule`, `decidedBy` and a `sentence`.
	Policy map[string]any `json:"policy,omitempty"`
	// The earlier order of the same customer that decided: `externalOrderId` and `orderedAt`.
	Customer map[string]any `json:"customer,omitempty"`
}

// AttributionInput: The body of POST /v1/conversions/{id}/attribute.
type AttributionInput struct {
	// The affiliate's id.
	AffiliateID string `json:"affiliateId"`
	// The campaign's id.
	CampaignID Nullable[string] `json:"campaignId,omitempty"`
}

// AttributionReason: matched, or the first check that failed.
type AttributionReason string

const (
	AttributionReasonMatched              AttributionReason = "matched"
	AttributionReasonClickMissing         AttributionReason = "click_missing"
	AttributionReasonClickMalformed       AttributionReason = "click_malformed"
	AttributionReasonClickUnknown         AttributionReason = "click_unknown"
	AttributionReasonClickAfterOrder      AttributionReason = "click_after_order"
	AttributionReasonClickOutsideWindow   AttributionReason = "click_outside_window"
	AttributionReasonCampaignNotLive      AttributionReason = "campaign_not_live"
	AttributionReasonAffiliateInactive    AttributionReason = "affiliate_inactive"
	AttributionReasonCouponOwner          AttributionReason = "coupon_owner"
	AttributionReasonCouponMatched        AttributionReason = "coupon_matched"
	AttributionReasonCouponExcluded       AttributionReason = "coupon_excluded"
	AttributionReasonSubAffiliateExcluded AttributionReason = "sub_affiliate_excluded"
	AttributionReasonCustomerNotNew       AttributionReason = "customer_not_new"
	AttributionReasonCustomerUnknown      AttributionReason = "customer_unknown"
	AttributionReasonRenewalMatched       AttributionReason = "renewal_matched"
	AttributionReasonRenewalExcluded      AttributionReason = "renewal_excluded"
	AttributionReasonRenewalsUsedUp       AttributionReason = "renewals_used_up"
	AttributionReasonCustomerMatched      AttributionReason = "customer_matched"
)

// AwaitedStep: What an order waits for.
type AwaitedStep string

const (
	AwaitedStepReview      AwaitedStep = "REVIEW"
	AwaitedStepOrderStatus AwaitedStep = "ORDER_STATUS"
	AwaitedStepHoldEnd     AwaitedStep = "HOLD_END"
	AwaitedStepPlatform    AwaitedStep = "PLATFORM"
	AwaitedStepDeposit     AwaitedStep = "DEPOSIT"
	AwaitedStepPayout      AwaitedStep = "PAYOUT"
)

// BalanceList: The balances of the account, by currency.
type BalanceList struct {
	// The lines.
	Data []BalanceRecord `json:"data"`
	// Always null: it is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// BalanceRecord: What the account's commissions come to by now, in one currency.
type BalanceRecord struct {
	// The currency of the money.
	Currency Currency `json:"currency"`
	// Commissions that are PENDING.
	Pending MoneySum `json:"pending"`
	// Commissions on HOLD.
	Hold MoneySum `json:"hold"`
	// Commissions that are APPROVED.
	Approved MoneySum `json:"approved"`
	// Commissions that are PAYABLE.
	Payable MoneySum `json:"payable"`
	// Commissions that are PAID.
	Paid MoneySum `json:"paid"`
	// Commissions that were REJECTED, with what they would have been.
	Rejected MoneySum `json:"rejected"`
}

// BilledWhen: When a merchant is billed a commission: when it is paid, or when it becomes payable.
type BilledWhen string

const (
	BilledWhenPaid    BilledWhen = "paid"
	BilledWhenPayable BilledWhen = "payable"
)

// CampaignCreated: The answer to a new campaign: a draft, whose links earn once it is activated.
type CampaignCreated struct {
	// The hub's id.
	ID string `json:"id"`
	// A short code for people.
	CampaignCode string `json:"campaignCode"`
	// The campaign's title.
	Title string `json:"title"`
	// The effective status: EXPIRED once endDate has passed.
	Status CampaignStatus `json:"status"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// CampaignInput: The body of POST /v1/campaigns; dates are milliseconds UTC.
type CampaignInput struct {
	// The campaign's title.
	Title string `json:"title"`
	// Free text.
	Description Nullable[string] `json:"description,omitempty"`
	// When the campaign starts; without one it has started.
	StartDate Nullable[string] `json:"startDate,omitempty"`
	// When the campaign expires; after startDate.
	EndDate Nullable[string] `json:"endDate,omitempty"`
	// How the commission is reckoned; comes with its value.
	DefaultCommissionType Nullable[CommissionType] `json:"defaultCommissionType,omitempty"`
	// PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.
	DefaultCommissionValue Nullable[string] `json:"defaultCommissionValue,omitempty"`
	// How orders with `metadata.newCustomer` are paid; comes with its value.
	NewCustomerCommissionType Nullable[CommissionType] `json:"newCustomerCommissionType,omitempty"`
	// Of these orders, as defaultCommissionValue.
	NewCustomerCommissionValue Nullable[string] `json:"newCustomerCommissionValue,omitempty"`
	// Higher rates by volume, paid as a bonus of the month: see docs/money.md.
	VolumeRates Nullable[VolumeRates] `json:"volumeRates,omitempty"`
	// How long after a click an order still counts; 0 means a session (24 hours).
	CookieDurationDays Nullable[int64] `json:"cookieDurationDays,omitempty"`
	// Where affiliates may advertise.
	AllowedTrafficSources Nullable[[]string] `json:"allowedTrafficSources,omitempty"`
	// Free text.
	TermsAndConditions Nullable[string] `json:"termsAndConditions,omitempty"`
	// Whether an admin must approve the campaign before it is activated.
	ApprovalRequired Nullable[bool] `json:"approvalRequired,omitempty"`
}

// CampaignList: One page of campaigns, newest first; `total` counts all that match.
type CampaignList struct {
	// The records of this page, newest first.
	Data []CampaignRecord `json:"data"`
	// The page, from 1.
	Page int64 `json:"page"`
	// Records per page.
	PageSize int64 `json:"pageSize"`
	// How many records match in all.
	Total int64 `json:"total"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// CampaignPatch: The body of a campaign PATCH.
type CampaignPatch struct {
	// The campaign's title.
	Title *string `json:"title,omitempty"`
	// Free text.
	Description Nullable[string] `json:"description,omitempty"`
	// When the campaign starts; without one it has started.
	StartDate Nullable[string] `json:"startDate,omitempty"`
	// When the campaign expires; after startDate.
	EndDate Nullable[string] `json:"endDate,omitempty"`
	// How the commission is reckoned; comes with its value.
	DefaultCommissionType Nullable[CommissionType] `json:"defaultCommissionType,omitempty"`
	// PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.
	DefaultCommissionValue Nullable[string] `json:"defaultCommissionValue,omitempty"`
	// How orders with `metadata.newCustomer` are paid; comes with its value.
	NewCustomerCommissionType Nullable[CommissionType] `json:"newCustomerCommissionType,omitempty"`
	// Of these orders, as defaultCommissionValue.
	NewCustomerCommissionValue Nullable[string] `json:"newCustomerCommissionValue,omitempty"`
	// Higher rates by volume, paid as a bonus of the month: see docs/money.md.
	VolumeRates Nullable[VolumeRates] `json:"volumeRates,omitempty"`
	// How long after a click an order still counts; 0 means a session (24 hours).
	CookieDurationDays Nullable[int64] `json:"cookieDurationDays,omitempty"`
	// Where affiliates may advertise.
	AllowedTrafficSources Nullable[[]string] `json:"allowedTrafficSources,omitempty"`
	// Free text.
	TermsAndConditions Nullable[string] `json:"termsAndConditions,omitempty"`
	// Whether an admin must approve the campaign before it is activated.
	ApprovalRequired *bool `json:"approvalRequired,omitempty"`
	// The status to move to; ARCHIVED is final.
	Status *SettableCampaignStatus `json:"status,omitempty"`
}

// CampaignRecord: A campaign as stored; `status` is the effective one: EXPIRED once `endDate` has passed.
type CampaignRecord struct {
	// The hub's id.
	ID string `json:"id"`
	// A short code for people.
	CampaignCode string `json:"campaignCode"`
	// The campaign's title.
	Title string `json:"title"`
	// Free text.
	Description *string `json:"description"`
	// When the campaign starts; without one it has started.
	StartDate *string `json:"startDate"`
	// When the campaign expires; after startDate.
	EndDate *string `json:"endDate"`
	// How the commission is reckoned; comes with its value.
	DefaultCommissionType *CommissionType `json:"defaultCommissionType"`
	// PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.
	DefaultCommissionValue *string `json:"defaultCommissionValue"`
	// How orders with `metadata.newCustomer` are paid; comes with its value.
	NewCustomerCommissionType *CommissionType `json:"newCustomerCommissionType"`
	// Of these orders, as defaultCommissionValue.
	NewCustomerCommissionValue *string `json:"newCustomerCommissionValue"`
	// Higher rates by volume, paid as a bonus of the month: see docs/money.md.
	VolumeRates *VolumeRates `json:"volumeRates"`
	// How long after a click an order still counts; 0 means a session (24 hours).
	CookieDurationDays *int64 `json:"cookieDurationDays"`
	// Where affiliates may advertise.
	AllowedTrafficSources []string `json:"allowedTrafficSources"`
	// Free text.
	TermsAndConditions *string `json:"termsAndConditions"`
	// Whether an admin must approve the campaign before it is activated.
	ApprovalRequired bool `json:"approvalRequired"`
	// The effective status: EXPIRED once endDate has passed.
	Status CampaignStatus `json:"status"`
	// Where an admin's approval stands; NOT_REQUIRED where none is asked for.
	ApprovalStatus ApprovalStatus `json:"approvalStatus"`
	// When it was created.
	CreatedAt string `json:"createdAt"`
	// When it last changed.
	UpdatedAt string `json:"updatedAt"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// CampaignStatus: EXPIRED comes with time and is never set.
type CampaignStatus string

const (
	CampaignStatusDraft    CampaignStatus = "DRAFT"
	CampaignStatusActive   CampaignStatus = "ACTIVE"
	CampaignStatusPaused   CampaignStatus = "PAUSED"
	CampaignStatusExpired  CampaignStatus = "EXPIRED"
	CampaignStatusArchived CampaignStatus = "ARCHIVED"
)

// ChangeList: A part of the change feed.
type ChangeList struct {
	// The records, the earliest change first; empty at the end.
	Data []ChangeRecord `json:"data"`
	// What to give as `after` the next time. It holds for ever.
	Cursor string `json:"cursor"`
	// Whether there is more by now.
	More bool `json:"more"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ChangeRecord: A record that changed, as it is now; it may be told again although nothing of it changed.
type ChangeRecord struct {
	// What kind of record it is.
	Type ChangeType `json:"type"`
	// Its id: a link's code, a balance's currency, a statement's month, a membership's campaign/affiliate.
	ID string `json:"id"`
	// The moment of its latest change.
	ChangedAt string `json:"changedAt"`
	// Whether it is gone.
	Deleted bool `json:"deleted"`
	// The record as its own endpoint prints it; null if it is gone.
	Record map[string]any `json:"record"`
}

// ChangeType: The kinds of records that the change feed tells.
type ChangeType string

const (
	ChangeTypeAffiliate    ChangeType = "affiliate"
	ChangeTypeBalance      ChangeType = "balance"
	ChangeTypeCampaign     ChangeType = "campaign"
	ChangeTypeCommission   ChangeType = "commission"
	ChangeTypeConversion   ChangeType = "conversion"
	ChangeTypeEvent        ChangeType = "event"
	ChangeTypeLink         ChangeType = "link"
	ChangeTypeMembership   ChangeType = "membership"
	ChangeTypeProduct      ChangeType = "product"
	ChangeTypeStatement    ChangeType = "statement"
	ChangeTypeSubscription ChangeType = "subscription"
)

// ClickList: A page of clicks.
type ClickList struct {
	// The entries of this page.
	Data []ClickRecord `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ClickRecord: A click on a tracking link; nothing of who clicked.
type ClickRecord struct {
	// The click's id, which the shop sends with the order.
	ID string `json:"id"`
	// When it happened.
	ClickedAt string `json:"clickedAt"`
	// The link.
	LinkCode string `json:"linkCode"`
	// Whose link it is.
	AffiliateID string `json:"affiliateId"`
	// The campaign that its orders count to; null without one.
	CampaignID *string `json:"campaignId"`
	// The affiliate's notes, sub1 to sub5.
	SubIDs map[string]any `json:"subIds"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
}

// CommissionExplained: The commission as it stood when the event was processed; `levels` holds each rule tried and why it lost.
type CommissionExplained struct {
	// PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED.
	State CommissionState `json:"state"`
	// What the affiliate earns, in `currency`.
	Amount Money `json:"amount"`
	// The order's currency.
	Currency Currency `json:"currency"`
	// The level whose rule won; MIXED where the lines differ.
	Source CommissionSource `json:"source"`
	// PERCENTAGE or FIXED; null where the lines differ.
	Type *CommissionType `json:"type"`
	// The rule's value; null where the lines differ.
	Value *string `json:"value"`
	// The money that the commission is taken from.
	Base Money `json:"base"`
	// When the hold ends; null where none runs.
	HoldUntil *string `json:"holdUntil"`
	// The order's parts, each with the rule that pays for it.
	Lines []CommissionLine `json:"lines"`
	// Every rule that was tried, and why it lost.
	Levels []CommissionLevel `json:"levels"`
}

// CommissionLevel: A rule that was tried; its type and value are told where there was one, the product where it was for one.
type CommissionLevel struct {
	// The level that was tried.
	Level RuleLevel `json:"level"`
	// won, or why not: no_product, no_rule, currency_differs.
	Outcome LevelOutcome `json:"outcome"`
	// The product that it was tried for.
	ExternalProductID *string `json:"externalProductId,omitempty"`
	// How the rule reckons.
	Type *CommissionType `json:"type,omitempty"`
	// The rule's value.
	Value *string `json:"value,omitempty"`
}

// CommissionLine: A part of the order and the rule that pays for it; the rest of the order is a line without a product.
type CommissionLine struct {
	// The product; null for the rest of the order.
	ExternalProductID *string `json:"externalProductId"`
	// The level whose rule pays for the line.
	Source RuleLevel `json:"source"`
	// How the rule reckons.
	Type CommissionType `json:"type"`
	// The rule's value.
	Value string `json:"value"`
	// The line's money.
	Base string `json:"base"`
	// How many were bought.
	Quantity int64 `json:"quantity"`
	// What the line earns.
	Amount string `json:"amount"`
}

// CommissionList: A page of commissions; `nextUpdatedSince` is there if `updatedSince` was.
type CommissionList struct {
	// The entries of this page.
	Data []CommissionRecord `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What to give as `updatedSince` the next time; that of the first page counts.
	NextUpdatedSince *string `json:"nextUpdatedSince,omitempty"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// CommissionMessageType: The kinds of messages about a commission.
type CommissionMessageType string

const (
	CommissionMessageTypeCommissionCreated  CommissionMessageType = "commission.created"
	CommissionMessageTypeCommissionHeld     CommissionMessageType = "commission.held"
	CommissionMessageTypeCommissionPayable  CommissionMessageType = "commission.payable"
	CommissionMessageTypeCommissionRejected CommissionMessageType = "commission.rejected"
	CommissionMessageTypeCommissionAdjusted CommissionMessageType = "commission.adjusted"
	CommissionMessageTypeCommissionPaid     CommissionMessageType = "commission.paid"
)

// CommissionNews: A commission after it changed.
type CommissionNews struct {
	// The commission.
	CommissionID string `json:"commissionId"`
	// Its state.
	State CommissionState `json:"state"`
	// Its state before; null for one that was just created.
	PreviousState *CommissionState `json:"previousState"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The affiliate's notes on the click, if there are any.
	SubIDs map[string]any `json:"subIds,omitempty"`
	// True in a message that was asked for as a test: nothing has happened.
	Sample *bool `json:"sample,omitempty"`
	// The order.
	ConversionID string `json:"conversionId"`
	// The shop's number of the order.
	ExternalOrderID *string `json:"externalOrderId,omitempty"`
	// The campaign that it counts to; null without one.
	CampaignID *string `json:"campaignId"`
	// The click that it came by; null without one.
	ClickID *string `json:"clickId"`
	// When it was placed.
	OrderedAt string `json:"orderedAt"`
	// The order's currency.
	Currency Currency `json:"currency"`
	// What the affiliate earns.
	Amount MoneySum `json:"amount"`
	// What it was before; null if it is new.
	PreviousAmount *MoneySum `json:"previousAmount"`
	// When its hold ends or ended; null if it has none.
	HoldUntil *string `json:"holdUntil"`
	// When it was paid; null until then.
	PaidAt *string `json:"paidAt"`
	// Who earns it.
	AffiliateID string `json:"affiliateId"`
}

// CommissionNewsMessage: A commission after it changed.
type CommissionNewsMessage struct {
	// What happened.
	Type CommissionMessageType `json:"type"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// What `data` says.
	Data CommissionNews `json:"data"`
}

// CommissionOfOrder: The commission of an order as it is now.
type CommissionOfOrder struct {
	// The hub's id.
	ID string `json:"id"`
	// PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED.
	State CommissionState `json:"state"`
	// What the affiliate earns, in `currency`.
	Amount Money `json:"amount"`
	// The order's currency.
	Currency Currency `json:"currency"`
	// The level whose rule won; MIXED if the lines differ.
	Source CommissionSource `json:"source"`
	// PERCENTAGE or FIXED; null if the lines differ.
	Type *CommissionType `json:"type"`
	// The rule's value; null if the lines differ.
	Value *string `json:"value"`
	// The money that the commission is taken from, refunds deducted.
	Base Money `json:"base"`
	// When the hold ends; null if none runs.
	HoldUntil *string `json:"holdUntil"`
	// When it was paid; null until then.
	PaidAt *string `json:"paidAt"`
	// The reference of the payment; null until it is paid.
	PayoutReference *string `json:"payoutReference"`
}

// CommissionRecord: A commission as it is now.
type CommissionRecord struct {
	// The hub's id.
	ID string `json:"id"`
	// PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED.
	State CommissionState `json:"state"`
	// What the affiliate earns, in `currency`.
	Amount Money `json:"amount"`
	// The order's currency.
	Currency Currency `json:"currency"`
	// The money that the commission is taken from, refunds deducted.
	Base Money `json:"base"`
	// The level whose rule won; MIXED if the lines differ.
	Source CommissionSource `json:"source"`
	// Who earns it.
	AffiliateID string `json:"affiliateId"`
	// The order that it is for.
	ConversionID string `json:"conversionId"`
	// When the hold ends; null if none runs.
	HoldUntil *string `json:"holdUntil"`
	// When it was paid; null until then.
	PaidAt *string `json:"paidAt"`
	// The reference of the payment; null until it is paid.
	Reference *string `json:"reference"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The merchant's name.
	MerchantName string `json:"merchantName"`
	// The affiliate's name.
	AffiliateName *string `json:"affiliateName"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The moment of its latest change, or of its order's.
	UpdatedAt string `json:"updatedAt"`
}

// CommissionSource: The level whose rule won; MIXED if the lines differ.
type CommissionSource string

const (
	CommissionSourceProduct     CommissionSource = "PRODUCT"
	CommissionSourceNewCustomer CommissionSource = "NEW_CUSTOMER"
	CommissionSourceCampaign    CommissionSource = "CAMPAIGN"
	CommissionSourceMerchant    CommissionSource = "MERCHANT"
	CommissionSourcePlatform    CommissionSource = "PLATFORM"
	CommissionSourceMixed       CommissionSource = "MIXED"
)

// CommissionState: PENDING, then HOLD or APPROVED, then PAYABLE and PAID; REJECTED if nothing is earned.
type CommissionState string

const (
	CommissionStatePending  CommissionState = "PENDING"
	CommissionStateHold     CommissionState = "HOLD"
	CommissionStateApproved CommissionState = "APPROVED"
	CommissionStatePayable  CommissionState = "PAYABLE"
	CommissionStatePaid     CommissionState = "PAID"
	CommissionStateRejected CommissionState = "REJECTED"
)

// CommissionType: A percentage of the money, or a fixed amount.
type CommissionType string

const (
	CommissionTypePercentage CommissionType = "PERCENTAGE"
	CommissionTypeFixed      CommissionType = "FIXED"
)

// Confidence: HIGH orders earn at once, LOW ones wait for a review.
type Confidence string

const (
	ConfidenceHigh Confidence = "HIGH"
	ConfidenceLow  Confidence = "LOW"
)

// ConversionInput: The body of POST /v1/conversions; `orderAmount` is money text that fits the order's currency.
type ConversionInput struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"externalOrderId"`
	// What the commission is reckoned from.
	OrderAmount Money `json:"orderAmount"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"clickId,omitempty"`
	// The merchant's own id of the product; the upsert key.
	ExternalProductID Nullable[string] `json:"externalProductId,omitempty"`
	// ISO 4217 code; without one it is the merchant's currency.
	Currency Nullable[Currency] `json:"currency,omitempty"`
	// The order's status when it is reported.
	OrderStatus Nullable[ConversionStatus] `json:"orderStatus,omitempty"`
	// When the buyer ordered; without it, the time of receipt.
	OrderedAt Nullable[string] `json:"orderedAt,omitempty"`
	// The coupon that the buyer used.
	CouponCode Nullable[string] `json:"couponCode,omitempty"`
	// Anything the merchant wants kept.
	Metadata Nullable[map[string]any] `json:"metadata,omitempty"`
	// The buyer's e-mail address, or an id that stays theirs; kept as a hash if a campaign asks.
	Customer Nullable[string] `json:"customer,omitempty"`
}

// ConversionList: A page of orders; `nextUpdatedSince` is there if `updatedSince` was.
type ConversionList struct {
	// The entries of this page.
	Data []ConversionRecord `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What to give as `updatedSince` the next time; that of the first page counts.
	NextUpdatedSince *string `json:"nextUpdatedSince,omitempty"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ConversionRecord: An order as it is now, with its commission, its facts, and what was submitted with it.
type ConversionRecord struct {
	// The hub's id.
	ID string `json:"id"`
	// The merchant's order number.
	ExternalOrderID string `json:"externalOrderId"`
	// What the commission is taken from, in `currency`.
	OrderAmount Money `json:"orderAmount"`
	// The order's currency.
	Currency Currency `json:"currency"`
	// HIGH if a live click, or a rule of the campaign, proves whose order it is; else LOW.
	Confidence Confidence `json:"confidence"`
	// matched, or the first check that failed.
	Reason AttributionReason `json:"reason"`
	// Whose order it is; null while nobody's.
	AffiliateID *string `json:"affiliateId"`
	// The campaign that it counts to.
	CampaignID *string `json:"campaignId"`
	// The affiliate that a weaker signal names.
	CandidateID *string `json:"candidateId"`
	// The click id that was reported.
	ClickID *string `json:"clickId"`
	// The coupon that was reported.
	CouponCode *string `json:"couponCode"`
	// OPEN while a person has to decide, ATTRIBUTED or DISMISSED afterwards; null if none was needed.
	Review *ReviewState `json:"review"`
	// When the buyer ordered.
	OrderedAt string `json:"orderedAt"`
	// When it was received.
	ReceivedAt string `json:"receivedAt"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The merchant's name.
	MerchantName string `json:"merchantName"`
	// The affiliate's name.
	AffiliateName *string `json:"affiliateName"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The submission that created it.
	EventID string `json:"eventId"`
	// What it earns; null if nothing.
	Commission *CommissionOfOrder `json:"commission"`
	// What was reported of the order, in the order in which it counts.
	Facts []ReasonedFact `json:"facts"`
	// What was submitted with it.
	Metadata map[string]any `json:"metadata"`
	// The sub-ids of its click, sub1 to sub5.
	SubIDs map[string]any `json:"subIds"`
	// What was decided when it was reported, and why; null if that is no longer known.
	Explanation *Explanation `json:"explanation"`
	// What it waits for: a person (REVIEW), your news of it (ORDER_STATUS), the end of its hold (HOLD_END), a last look at the order in its shop (PLATFORM), your deposit (DEPOSIT), the payout (PAYOUT); null if nothing.
	Awaits *AwaitedStep `json:"awaits"`
	// Where its campaign's rate rises by volume: what it counts for that.
	Volume *VolumeOfOrder `json:"volume,omitempty"`
	// The moment of its latest change, whatever it was.
	UpdatedAt string `json:"updatedAt"`
}

// ConversionState: The state of an order's commission, or of its review.
type ConversionState string

const (
	ConversionStatePending   ConversionState = "PENDING"
	ConversionStateHold      ConversionState = "HOLD"
	ConversionStateApproved  ConversionState = "APPROVED"
	ConversionStatePayable   ConversionState = "PAYABLE"
	ConversionStatePaid      ConversionState = "PAID"
	ConversionStateRejected  ConversionState = "REJECTED"
	ConversionStateInReview  ConversionState = "IN_REVIEW"
	ConversionStateDismissed ConversionState = "DISMISSED"
)

// ConversionStatus: The status of an order when it is reported.
type ConversionStatus string

const (
	ConversionStatusPending   ConversionStatus = "pending"
	ConversionStatusConfirmed ConversionStatus = "confirmed"
	ConversionStatusDelivered ConversionStatus = "delivered"
	ConversionStatusCancelled ConversionStatus = "cancelled"
	ConversionStatusReturned  ConversionStatus = "returned"
	ConversionStatusRefunded  ConversionStatus = "refunded"
)

// Currency: An ISO 4217 currency code in upper case.
type Currency = string

// DailyFigures: What happened on a day, in one currency; the clicks of a day are a line without a currency.
type DailyFigures struct {
	// The day, UTC: that of the orders, or of the clicks.
	Day string `json:"day"`
	// The currency of the money; null in the line of the clicks.
	Currency *Currency `json:"currency"`
	// Clicks on links of this account.
	Clicks int64 `json:"clicks"`
	// Orders, whoever they are attributed to.
	Orders int64 `json:"orders"`
	// Those of them that a click proves.
	Attributed int64 `json:"attributed"`
	// The orders' amounts.
	Revenue *MoneySum `json:"revenue"`
	// What was refunded of them.
	Refunds *MoneySum `json:"refunds"`
	// What they earn affiliates, by now: all that was not rejected.
	Commission *MoneySum `json:"commission"`
	// Commissions that are PENDING.
	Pending *MoneySum `json:"pending"`
	// Commissions on HOLD.
	Hold *MoneySum `json:"hold"`
	// Commissions that are APPROVED.
	Approved *MoneySum `json:"approved"`
	// Commissions that are PAYABLE.
	Payable *MoneySum `json:"payable"`
	// Commissions that are PAID.
	Paid *MoneySum `json:"paid"`
	// Commissions that were REJECTED, with what they would have been.
	Rejected *MoneySum `json:"rejected"`
}

// DailyReport: The days of a period on which something happened, oldest first.
type DailyReport struct {
	// The lines, by day and currency.
	Data []DailyFigures `json:"data"`
	// Always null: a report is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// DeliveryList: A page of messages.
type DeliveryList struct {
	// The messages, newest first.
	Data []DeliveryRecord `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// DeliveryRecord: A message: what was sent, and what the receiver last answered.
type DeliveryRecord struct {
	// The message's id, the same at each attempt.
	ID string `json:"id"`
	// What happened, such as commission.held.
	Type string `json:"type"`
	// In which version it is sent.
	PayloadVersion string `json:"payloadVersion"`
	// How far it is.
	Status DeliveryStatus `json:"status"`
	// How often it was sent.
	Attempts int64 `json:"attempts"`
	// When it happened.
	CreatedAt string `json:"createdAt"`
	// When it is sent next; null if it is not.
	DueAt *string `json:"dueAt"`
	// When it arrived or was given up; null until then.
	FinishedAt *string `json:"finishedAt"`
	// The HTTP status of the last answer; null without one.
	AnswerStatus *int64 `json:"answerStatus"`
	// The beginning of the last answer's body.
	Answer *string `json:"answer"`
	// Why the last attempt failed; null if it did not.
	Fault *string `json:"fault"`
	// What the message says, as things stood then.
	Data map[string]any `json:"data"`
}

// DeliveryStatus: How far a message is.
type DeliveryStatus string

const (
	DeliveryStatusWaiting   DeliveryStatus = "WAITING"
	DeliveryStatusDelivered DeliveryStatus = "DELIVERED"
	DeliveryStatusGivenUp   DeliveryStatus = "GIVEN_UP"
)

// DepositNews: A deposit that does not cover the next commission.
type DepositNews struct {
	// The deposit's currency.
	Currency Currency `json:"currency"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The affiliate's notes on the click, if there are any.
	SubIDs map[string]any `json:"subIds,omitempty"`
	// True in a message that was asked for as a test: nothing has happened.
	Sample *bool `json:"sample,omitempty"`
	// What is left of it.
	Balance MoneySum `json:"balance"`
	// What the commissions come to that wait for it.
	Waiting MoneySum `json:"waiting"`
	// How many wait.
	Commissions int64 `json:"commissions"`
}

// DepositNewsMessage: A deposit that does not cover the next commission.
type DepositNewsMessage struct {
	// What happened.
	Type string `json:"type"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// What `data` says.
	Data DepositNews `json:"data"`
}

// ErrorBody: Every refusal: the status, its reason phrase in `error`, and one message or, for validation, all faults.
type ErrorBody struct {
	// The HTTP status once more.
	StatusCode int64 `json:"statusCode"`
	// What is wrong: every fault of the input at once as an array, anything else as one string.
	Message any `json:"message"`
	// The status's reason phrase.
	Error string `json:"error"`
	// What is wrong, in a word to branch on: the errorCode of the request log. Not in a 401.
	Code *string `json:"code,omitempty"`
	// The first field, parameter or header that is wrong; only if one is.
	Param *string `json:"param,omitempty"`
	// The page that explains the code.
	DocURL *string `json:"docUrl,omitempty"`
	// The id of the request, as in X-Request-ID.
	RequestID *string `json:"requestId,omitempty"`
}

// EventList: A page of submissions; `nextUpdatedSince` is there if `updatedSince` was.
type EventList struct {
	// The entries of this page.
	Data []ListedEvent `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What to give as `updatedSince` the next time; that of the first page counts.
	NextUpdatedSince *string `json:"nextUpdatedSince,omitempty"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// EventRecord: An accepted submission and what became of it.
type EventRecord struct {
	// The id that the submission was answered with.
	EventID string `json:"eventId"`
	// What was submitted.
	Type EventType `json:"type"`
	// The webhook's kind, such as order-created; null for a conversion or an order status.
	Kind *WebhookKind `json:"kind"`
	// RECEIVED or QUEUED until processed, then PROCESSED, SKIPPED, PARKED, UNMATCHED or FAILED.
	Status EventStatus `json:"status"`
	// Always false: a duplicate has no event of its own.
	Duplicate bool `json:"duplicate"`
	// When it was accepted.
	ReceivedAt string `json:"receivedAt"`
	// When it was decided; null until then, and while PARKED.
	ProcessedAt *string `json:"processedAt"`
	// How often it was taken up.
	Attempts int64 `json:"attempts"`
	// The conversion it belongs to; null where there is none.
	ConversionID *string `json:"conversionId"`
	// What was decided and why, as it stood when the event was processed.
	Explanation Explanation `json:"explanation"`
	// The reason that an order status was reported with; null for others, and once deleted.
	Reason *string `json:"reason"`
	// What else it was reported with; null for others, and once its body is deleted.
	Metadata map[string]any `json:"metadata"`
}

// EventStatus: How far a submission is, and how it ended.
type EventStatus string

const (
	EventStatusReceived  EventStatus = "RECEIVED"
	EventStatusQueued    EventStatus = "QUEUED"
	EventStatusProcessed EventStatus = "PROCESSED"
	EventStatusSkipped   EventStatus = "SKIPPED"
	EventStatusParked    EventStatus = "PARKED"
	EventStatusUnmatched EventStatus = "UNMATCHED"
	EventStatusFailed    EventStatus = "FAILED"
)

// EventType: What was submitted.
type EventType string

const (
	EventTypeConversion  EventType = "conversion"
	EventTypeOrderStatus EventType = "order_status"
	EventTypeWebhook     EventType = "webhook"
)

// EventTypeList: Every kind of message.
type EventTypeList struct {
	// The lines.
	Data []EventTypeRecord `json:"data"`
	// Always null: it is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// EventTypeRecord: A kind of message that subscribers get.
type EventTypeRecord struct {
	// The type, as subscriptions name it.
	Type MessageType `json:"type"`
	// When it is sent.
	About string `json:"about"`
	// Whether affiliates are told, too.
	ForAffiliates bool `json:"forAffiliates"`
	// The version of what it says, as in the header `webhook-payload-version`.
	Version string `json:"version"`
	// A JSON Schema (2020-12) of the whole message, which refers to nothing.
	Schema map[string]any `json:"schema"`
	// A whole message.
	Example WebhookMessage `json:"example"`
}

// Explanation: What was decided about an event; the first three members are null until it is processed.
type Explanation struct {
	// Whose order it is; null for news of an order or a product.
	Attribution *AttributionExplained `json:"attribution"`
	// The order's commission; null where it earns none.
	Commission *CommissionExplained `json:"commission"`
	// Why the event changed nothing: commission_paid, not_allowed_from_<state>, already_known, stale, unknown_order, unknown_product, unmappable: ..., internal: ...; null where it was applied.
	SkipReason *SkipExplanation `json:"skipReason"`
	// The correction of the affiliate's next payout, if the commission was paid already.
	AdjustmentID *string `json:"adjustmentId,omitempty"`
	// What a newer snapshot of the platform's order changed.
	Restated map[string]any `json:"restated,omitempty"`
	// The amount that is kept and the one of a later report of the same order.
	AmountDiffers map[string]any `json:"amountDiffers,omitempty"`
	// What a privacy request of the platform found or erased, or until when it waits.
	Erasure map[string]any `json:"erasure,omitempty"`
}

// FactRecord: Something that was reported of an order, and whether it changed the commission.
type FactRecord struct {
	// What was reported, such as delivered.
	Status string `json:"status"`
	// When it happened.
	At string `json:"at"`
	// When it was received.
	ReceivedAt string `json:"receivedAt"`
	// Whether it changed the commission.
	Applied bool `json:"applied"`
	// Why it did not; null if it did, or if there is no commission.
	SkipReason *SkipReason `json:"skipReason"`
	// The submission that reported it.
	EventID string `json:"eventId"`
}

// FiguresOf: What a campaign or an affiliate brought in a period, in one currency; clicks are a line without a currency.
type FiguresOf struct {
	// The hub's id; null for what belongs to none.
	ID *string `json:"id"`
	// Its name.
	Name *string `json:"name"`
	// The currency of the money; null in the line of the clicks.
	Currency *Currency `json:"currency"`
	// Clicks on links of this account.
	Clicks int64 `json:"clicks"`
	// Orders, whoever they are attributed to.
	Orders int64 `json:"orders"`
	// Those of them that a click proves.
	Attributed int64 `json:"attributed"`
	// The orders' amounts.
	Revenue *MoneySum `json:"revenue"`
	// What was refunded of them.
	Refunds *MoneySum `json:"refunds"`
	// What they earn affiliates, by now: all that was not rejected.
	Commission *MoneySum `json:"commission"`
	// Commissions that are PENDING.
	Pending *MoneySum `json:"pending"`
	// Commissions on HOLD.
	Hold *MoneySum `json:"hold"`
	// Commissions that are APPROVED.
	Approved *MoneySum `json:"approved"`
	// Commissions that are PAYABLE.
	Payable *MoneySum `json:"payable"`
	// Commissions that are PAID.
	Paid *MoneySum `json:"paid"`
	// Commissions that were REJECTED, with what they would have been.
	Rejected *MoneySum `json:"rejected"`
}

// FiguresOfLink: What a link brought in a period, in one currency; clicks are a line without a currency.
type FiguresOfLink struct {
	// The link's code.
	Code string `json:"code"`
	// Whose link it is.
	AffiliateID string `json:"affiliateId"`
	// The campaign that it belongs to; null for none.
	CampaignID *string `json:"campaignId"`
	// Where it leads.
	Destination string `json:"destination"`
	// The currency of the money; null for the line of the clicks.
	Currency *Currency `json:"currency"`
	// Its clicks.
	Clicks int64 `json:"clicks"`
	// Orders that were attributed to it.
	Orders int64 `json:"orders"`
	// How many of them earn nothing.
	Rejections int64 `json:"rejections"`
	// What the others earn; null for the line of the clicks.
	Commission *MoneySum `json:"commission"`
}

// FiguresOfProduct: What was sold of a product in a period, in one currency.
type FiguresOfProduct struct {
	// Your id of the product; null for what is not in the catalogue.
	ExternalProductID *string `json:"externalProductId"`
	// Its name.
	Name *string `json:"name"`
	// The currency of the money.
	Currency Currency `json:"currency"`
	// Orders that have it.
	Orders int64 `json:"orders"`
	// How many were bought.
	Units int64 `json:"units"`
	// Their money.
	Revenue MoneySum `json:"revenue"`
}

// FiguresReport: The campaigns or the affiliates of a period, the most revenue first.
type FiguresReport struct {
	// The lines, at most 5,000.
	Data []FiguresOf `json:"data"`
	// Always null: it is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ImportFault: Why one item of an import was left out; `index` is its place in `products`, from 0.
type ImportFault struct {
	// The item's place in `products`, from 0.
	Index int64 `json:"index"`
	// The item's id as it was sent; null where it was no string.
	ExternalProductID *string `json:"externalProductId"`
	// What is wrong with the item.
	Message string `json:"message"`
}

// ImportSummary: What an import or upsert came to; `errors` tells of the first 100 items that failed.
type ImportSummary struct {
	// Items in the payload.
	Received int64 `json:"received"`
	// Items that are new products.
	Created int64 `json:"created"`
	// Items that were known products.
	Updated int64 `json:"updated"`
	// Items that were left out.
	Failed int64 `json:"failed"`
	// Why items failed: the first 100.
	Errors []ImportFault `json:"errors"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// LevelOutcome: Whether a rule won, or why it did not.
type LevelOutcome string

const (
	LevelOutcomeWon             LevelOutcome = "won"
	LevelOutcomeNoProduct       LevelOutcome = "no_product"
	LevelOutcomeNoRule          LevelOutcome = "no_rule"
	LevelOutcomeCurrencyDiffers LevelOutcome = "currency_differs"
)

// LinkCreated: A tracking link that was just created.
type LinkCreated struct {
	// What follows /t/ in the address.
	Code string `json:"code"`
	// The address that the affiliate shares.
	URL string `json:"url"`
	// Where it leads.
	Destination string `json:"destination"`
	// Whose link it is.
	AffiliateID string `json:"affiliateId"`
	// The campaign that its orders count to.
	CampaignID *string `json:"campaignId"`
	// The product that it leads to; null without one.
	ProductID *string `json:"productId"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// What the link is called, such as where it stands.
	Name *string `json:"name"`
	// The affiliate's notes, sub1 to sub5.
	SubIDs map[string]any `json:"subIds"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// LinkInput: The body of POST /v1/links.
type LinkInput struct {
	// The affiliate's id.
	AffiliateID string `json:"affiliateId"`
	// The campaign's id.
	CampaignID Nullable[string] `json:"campaignId,omitempty"`
	// The merchant's own id of the product; the upsert key.
	ExternalProductID Nullable[string] `json:"externalProductId,omitempty"`
	// Where the link leads: a page on one of your approved domains. Without it, the product's page.
	Destination Nullable[string] `json:"destination,omitempty"`
	// `sub1` to `sub5`: notes of at most 64 characters each.
	SubIDs Nullable[map[string]any] `json:"subIds,omitempty"`
	// What the link is called, such as where it stands.
	Name Nullable[string] `json:"name,omitempty"`
}

// LinkList: A page of tracking links; `nextUpdatedSince` is there if `updatedSince` was.
type LinkList struct {
	// The entries of this page.
	Data []LinkRecord `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What to give as `updatedSince` the next time; that of the first page counts.
	NextUpdatedSince *string `json:"nextUpdatedSince,omitempty"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// LinkRecord: A tracking link of an affiliate.
type LinkRecord struct {
	// What follows /t/ in the address.
	Code string `json:"code"`
	// The address that the affiliate shares.
	URL string `json:"url"`
	// Where it leads.
	Destination string `json:"destination"`
	// Whose link it is.
	AffiliateID string `json:"affiliateId"`
	// The campaign that its orders count to.
	CampaignID *string `json:"campaignId"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The merchant's name.
	MerchantName string `json:"merchantName"`
	// The affiliate's name.
	AffiliateName *string `json:"affiliateName"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// When it was created.
	CreatedAt string `json:"createdAt"`
	// When it last changed, as the change feed numbered it.
	UpdatedAt string `json:"updatedAt"`
	// Since when it records no clicks; null while it does.
	DisabledAt *string `json:"disabledAt"`
	// What the link is called, such as where it stands.
	Name *string `json:"name"`
	// The affiliate's notes, sub1 to sub5.
	SubIDs map[string]any `json:"subIds"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// LinkReport: The links of a period, the most clicks first.
type LinkReport struct {
	// The lines, at most 5,000.
	Data []FiguresOfLink `json:"data"`
	// Always null: it is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ListedEvent: An accepted submission, what became of it, and the order that it is about.
type ListedEvent struct {
	// The id that the submission was answered with.
	EventID string `json:"eventId"`
	// What was submitted.
	Type EventType `json:"type"`
	// The webhook's kind, such as order-created; null for a conversion or an order status.
	Kind *WebhookKind `json:"kind"`
	// RECEIVED or QUEUED until processed, then PROCESSED, SKIPPED, PARKED, UNMATCHED or FAILED.
	Status EventStatus `json:"status"`
	// Always false: a duplicate has no event of its own.
	Duplicate bool `json:"duplicate"`
	// When it was accepted.
	ReceivedAt string `json:"receivedAt"`
	// When it was decided; null until then, and while PARKED.
	ProcessedAt *string `json:"processedAt"`
	// How often it was taken up.
	Attempts int64 `json:"attempts"`
	// The conversion it belongs to; null where there is none.
	ConversionID *string `json:"conversionId"`
	// What was decided and why, as it stood when the event was processed.
	Explanation Explanation `json:"explanation"`
	// Your order number; null for news of a product, and until a webhook is read.
	ExternalOrderID *string `json:"externalOrderId"`
}

// LoggedRequest: A request of this account as the hub saw it; `errorCode` says more than its answer did.
type LoggedRequest struct {
	// The entry's place in the log.
	ID string `json:"id"`
	// When it came.
	At string `json:"at"`
	// Its method.
	Method string `json:"method"`
	// Its path, without the query.
	Path string `json:"path"`
	// The HTTP status of its answer.
	Status int64 `json:"status"`
	// Why it was refused; null if it was not.
	ErrorCode *string `json:"errorCode"`
	// The id that its answer carried as X-Request-ID.
	RequestID string `json:"requestId"`
	// The key that it named.
	KeyID *string `json:"keyId"`
	// The address that it came from.
	Client *string `json:"client"`
	// The mode of the account.
	Mode *Mode `json:"mode"`
	// How long the answer took, in milliseconds.
	DurationMs float64 `json:"durationMs"`
	// What was wrong, or which fields were ignored.
	Detail map[string]any `json:"detail"`
}

// MessageType: The kinds of messages that subscribers get.
type MessageType string

const (
	MessageTypeCommissionCreated   MessageType = "commission.created"
	MessageTypeCommissionHeld      MessageType = "commission.held"
	MessageTypeCommissionPayable   MessageType = "commission.payable"
	MessageTypeCommissionRejected  MessageType = "commission.rejected"
	MessageTypeCommissionAdjusted  MessageType = "commission.adjusted"
	MessageTypeCommissionPaid      MessageType = "commission.paid"
	MessageTypeConversionReview    MessageType = "conversion.review"
	MessageTypeConnectionSilent    MessageType = "connection.silent"
	MessageTypeConnectionRefused   MessageType = "connection.refused"
	MessageTypeConnectionRecovered MessageType = "connection.recovered"
	MessageTypePayoutReleased      MessageType = "payout.released"
	MessageTypeDepositShort        MessageType = "deposit.short"
)

// Mode: Whether money may move: test and live accounts have nothing in common.
type Mode string

const (
	ModeTest Mode = "test"
	ModeLive Mode = "live"
)

// Money: An amount in major units, as text, with at most as many decimals as its currency has.
type Money = string

// MoneySum: A sum in major units, as text, which may be less than nothing.
type MoneySum = string

// OrderCancelledWebhook: The body of order-cancelled in the hub's own form; further fields are allowed, and so is camelCase.
type OrderCancelledWebhook struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"external_order_id"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"click_id,omitempty"`
	// When it happened; without it, the time of receipt.
	OccurredAt Nullable[string] `json:"occurred_at,omitempty"`
	// A short explanation.
	Reason Nullable[string] `json:"reason,omitempty"`
}

// OrderCreatedWebhook: The body of order-created in the hub's own form; further fields are allowed, and so is camelCase.
type OrderCreatedWebhook struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"external_order_id"`
	// What the commission is reckoned from.
	OrderAmount Money `json:"order_amount"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"click_id,omitempty"`
	// ISO 4217 code; without one it is the merchant's currency.
	Currency Nullable[Currency] `json:"currency,omitempty"`
	// The coupon that the buyer used.
	CouponCode Nullable[string] `json:"coupon_code,omitempty"`
	// The buyer's e-mail address, or an id that stays theirs; kept as a hash if a campaign asks.
	Customer Nullable[string] `json:"customer,omitempty"`
	// The only product of the order, if it has no lines.
	ExternalProductID Nullable[string] `json:"external_product_id,omitempty"`
	// When the buyer ordered; without it, the time of receipt.
	OrderedAt Nullable[string] `json:"ordered_at,omitempty"`
	// Anything the merchant wants kept.
	Metadata Nullable[map[string]any] `json:"metadata,omitempty"`
	// The parts; without them, the whole.
	Lines []WebhookLine `json:"lines,omitempty"`
}

// OrderDeliveredWebhook: The body of order-delivered in the hub's own form; further fields are allowed, and so is camelCase.
type OrderDeliveredWebhook struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"external_order_id"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"click_id,omitempty"`
	// When it happened; without it, the time of receipt.
	OccurredAt Nullable[string] `json:"occurred_at,omitempty"`
	// A short explanation.
	Reason Nullable[string] `json:"reason,omitempty"`
}

// OrderPaidWebhook: The body of order-paid in the hub's own form; further fields are allowed, and so is camelCase.
type OrderPaidWebhook struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"external_order_id"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"click_id,omitempty"`
	// When it happened; without it, the time of receipt.
	OccurredAt Nullable[string] `json:"occurred_at,omitempty"`
	// A short explanation.
	Reason Nullable[string] `json:"reason,omitempty"`
}

// OrderRefundedWebhook: The body of order-refunded in the hub's own form; further fields are allowed, and so is camelCase.
type OrderRefundedWebhook struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"external_order_id"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"click_id,omitempty"`
	// When it happened; without it, the time of receipt.
	OccurredAt Nullable[string] `json:"occurred_at,omitempty"`
	// A short explanation.
	Reason Nullable[string] `json:"reason,omitempty"`
	// Your id of the refund, which counts once.
	RefundID Nullable[string] `json:"refund_id,omitempty"`
	// The money that went back; without it, all of it.
	RefundAmount Nullable[Money] `json:"refund_amount,omitempty"`
	// The parts; without them, the whole.
	Lines []WebhookLine `json:"lines,omitempty"`
}

// OrderReturnedWebhook: The body of order-returned in the hub's own form; further fields are allowed, and so is camelCase.
type OrderReturnedWebhook struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"external_order_id"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"click_id,omitempty"`
	// When it happened; without it, the time of receipt.
	OccurredAt Nullable[string] `json:"occurred_at,omitempty"`
	// A short explanation.
	Reason Nullable[string] `json:"reason,omitempty"`
}

// OrderStatus: What became of an order.
type OrderStatus string

const (
	OrderStatusPending            OrderStatus = "pending"
	OrderStatusConfirmed          OrderStatus = "confirmed"
	OrderStatusPaid               OrderStatus = "paid"
	OrderStatusDelivered          OrderStatus = "delivered"
	OrderStatusCancelled          OrderStatus = "cancelled"
	OrderStatusReturned           OrderStatus = "returned"
	OrderStatusRefunded           OrderStatus = "refunded"
	OrderStatusCommissionApproved OrderStatus = "commission_approved"
	OrderStatusCommissionRejected OrderStatus = "commission_rejected"
)

// OrderStatusInput: The body of POST /v1/order-status.
type OrderStatusInput struct {
	// The merchant's own order number; unique per account.
	ExternalOrderID string `json:"externalOrderId"`
	// What became of the order.
	Status OrderStatus `json:"status"`
	// The captured affiliate_click_id; one that matches no click makes the conversion LOW, not invalid.
	ClickID Nullable[string] `json:"clickId,omitempty"`
	// When the status changed at the merchant; without it, the time of receipt.
	StatusUpdatedAt Nullable[string] `json:"statusUpdatedAt,omitempty"`
	// A short explanation.
	Reason Nullable[string] `json:"reason,omitempty"`
	// Anything the merchant wants kept.
	Metadata Nullable[map[string]any] `json:"metadata,omitempty"`
}

// OwedAmount: What the account owes for a month in one currency.
type OwedAmount struct {
	// The currency of the money.
	Currency Currency `json:"currency"`
	// Commissions that were paid in the month, or became payable in it: `billed` says which.
	Commissions MoneySum `json:"commissions"`
	// How many.
	Payments int64 `json:"payments"`
	// Corrections of earlier ones.
	Corrections MoneySum `json:"corrections"`
	// The network's fee.
	Fee MoneySum `json:"fee"`
	// What your deposit has paid of it, at most nought.
	Deposit MoneySum `json:"deposit"`
	// What is owed.
	Total MoneySum `json:"total"`
}

// PayoutNews: An account's share of a payment to an affiliate.
type PayoutNews struct {
	// The run.
	PayoutID string `json:"payoutId"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The affiliate's notes on the click, if there are any.
	SubIDs map[string]any `json:"subIds,omitempty"`
	// True in a message that was asked for as a test: nothing has happened.
	Sample *bool `json:"sample,omitempty"`
	// Who is paid.
	AffiliateID string `json:"affiliateId"`
	// The share; less than nothing if corrections exceed it.
	Amount MoneySum `json:"amount"`
	// Its currency.
	Currency Currency `json:"currency"`
}

// PayoutNewsMessage: An account's share of a payment to an affiliate.
type PayoutNewsMessage struct {
	// What happened.
	Type string `json:"type"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// What `data` says.
	Data PayoutNews `json:"data"`
}

// ProductInput: An item of an import or upsert.
type ProductInput struct {
	// The merchant's own id of the product; the upsert key.
	ExternalProductID string `json:"externalProductId"`
	// The name buyers see.
	Name string `json:"name"`
	// The product's page: http or https, on an approved domain of the merchant or a subdomain of one.
	ProductURL string `json:"productUrl"`
	// The price in the product's currency.
	Price Money `json:"price"`
	// Free text.
	Description Nullable[string] `json:"description,omitempty"`
	// A picture of the product: http or https.
	ImageURL Nullable[string] `json:"imageUrl,omitempty"`
	// The merchant's own category.
	Category Nullable[string] `json:"category,omitempty"`
	// The maker's name.
	Brand Nullable[string] `json:"brand,omitempty"`
	// The reduced price in the product's currency.
	DiscountPrice Nullable[Money] `json:"discountPrice,omitempty"`
	// ISO 4217 code; without one it is the merchant's currency.
	Currency Nullable[Currency] `json:"currency,omitempty"`
	// Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status.
	StockStatus Nullable[string] `json:"stockStatus,omitempty"`
	// How the commission is reckoned; comes with its value.
	CommissionType Nullable[CommissionType] `json:"commissionType,omitempty"`
	// PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.
	CommissionValue Nullable[string] `json:"commissionValue,omitempty"`
	// A campaign of the same account, whose default the product inherits.
	CampaignID Nullable[string] `json:"campaignId,omitempty"`
}

// ProductList: One page of products, newest first; `total` counts all that match.
type ProductList struct {
	// The records of this page, newest first.
	Data []ProductRecord `json:"data"`
	// The page, from 1.
	Page int64 `json:"page"`
	// Records per page.
	PageSize int64 `json:"pageSize"`
	// How many records match in all.
	Total int64 `json:"total"`
	// The `cursor` of the next page; only if there is one.
	NextCursor *string `json:"nextCursor,omitempty"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ProductPatch: The body of a product PATCH.
type ProductPatch struct {
	// The name buyers see.
	Name *string `json:"name,omitempty"`
	// The price in the product's currency.
	Price *Money `json:"price,omitempty"`
	// The reduced price in the product's currency.
	DiscountPrice Nullable[Money] `json:"discountPrice,omitempty"`
	// Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status.
	StockStatus Nullable[string] `json:"stockStatus,omitempty"`
	// How the commission is reckoned; comes with its value.
	CommissionType Nullable[CommissionType] `json:"commissionType,omitempty"`
	// PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.
	CommissionValue Nullable[string] `json:"commissionValue,omitempty"`
	// The product's status.
	Status *ProductStatus `json:"status,omitempty"`
	// A campaign of the same account, whose default the product inherits.
	CampaignID Nullable[string] `json:"campaignId,omitempty"`
}

// ProductRecord: A product as stored; amounts are decimal strings in `currency`, times RFC 3339 in UTC.
type ProductRecord struct {
	// The hub's id.
	ID string `json:"id"`
	// The merchant's own id of the product; the upsert key.
	ExternalProductID string `json:"externalProductId"`
	// The name buyers see.
	Name string `json:"name"`
	// Free text.
	Description *string `json:"description"`
	// The product's page: http or https, on an approved domain of the merchant or a subdomain of one.
	ProductURL string `json:"productUrl"`
	// A picture of the product: http or https.
	ImageURL *string `json:"imageUrl"`
	// The merchant's own category.
	Category *string `json:"category"`
	// The maker's name.
	Brand *string `json:"brand"`
	// The price in the product's currency.
	Price Money `json:"price"`
	// The reduced price in the product's currency.
	DiscountPrice *Money `json:"discountPrice"`
	// ISO 4217 code; without one it is the merchant's currency.
	Currency Currency `json:"currency"`
	// Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status.
	StockStatus *string `json:"stockStatus"`
	// How the commission is reckoned; comes with its value.
	CommissionType *CommissionType `json:"commissionType"`
	// PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.
	CommissionValue *string `json:"commissionValue"`
	// A campaign of the same account, whose default the product inherits.
	CampaignID *string `json:"campaignId"`
	// ACTIVE until stock, a PATCH or archiving says otherwise.
	Status ProductStatus `json:"status"`
	// When it was created.
	CreatedAt string `json:"createdAt"`
	// When it last changed.
	UpdatedAt string `json:"updatedAt"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ProductReport: The products of a period, the most revenue first.
type ProductReport struct {
	// The lines, at most 5,000.
	Data []FiguresOfProduct `json:"data"`
	// Always null: it is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// ProductStatus: ACTIVE until stock, a PATCH or archiving says otherwise.
type ProductStatus string

const (
	ProductStatusActive     ProductStatus = "ACTIVE"
	ProductStatusInactive   ProductStatus = "INACTIVE"
	ProductStatusOutOfStock ProductStatus = "OUT_OF_STOCK"
	ProductStatusArchived   ProductStatus = "ARCHIVED"
)

// ProductStockUpdatedWebhook: The body of product-stock-updated in the hub's own form; further fields are allowed, and so is camelCase.
type ProductStockUpdatedWebhook struct {
	// The merchant's own id of the product; the upsert key.
	ExternalProductID string `json:"external_product_id"`
	// Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status.
	StockStatus Nullable[string] `json:"stock_status,omitempty"`
	// How many are left.
	Quantity Nullable[int64] `json:"quantity,omitempty"`
	// When it changed; older news is skipped.
	UpdatedAt Nullable[string] `json:"updated_at,omitempty"`
}

// ProductUpdatedWebhook: The body of product-updated in the hub's own form; further fields are allowed, and so is camelCase.
type ProductUpdatedWebhook struct {
	// The merchant's own id of the product; the upsert key.
	ExternalProductID string `json:"external_product_id"`
	// The name buyers see.
	Name Nullable[string] `json:"name,omitempty"`
	// Free text.
	Description Nullable[string] `json:"description,omitempty"`
	// The product's page: http or https, on an approved domain of the merchant or a subdomain of one.
	ProductURL Nullable[string] `json:"product_url,omitempty"`
	// A picture of the product: http or https.
	ImageURL Nullable[string] `json:"image_url,omitempty"`
	// The merchant's own category.
	Category Nullable[string] `json:"category,omitempty"`
	// The maker's name.
	Brand Nullable[string] `json:"brand,omitempty"`
	// The price in the product's currency.
	Price Nullable[Money] `json:"price,omitempty"`
	// The reduced price in the product's currency.
	DiscountPrice Nullable[Money] `json:"discount_price,omitempty"`
	// ISO 4217 code; without one it is the merchant's currency.
	Currency Nullable[Currency] `json:"currency,omitempty"`
	// Free text; IN_STOCK, OUT_OF_STOCK, instock, outofstock and onbackorder move the product's status.
	StockStatus Nullable[string] `json:"stock_status,omitempty"`
	// How the commission is reckoned; comes with its value.
	CommissionType Nullable[CommissionType] `json:"commission_type,omitempty"`
	// PERCENTAGE: 0 to 100 with up to 4 decimals. FIXED: money in the merchant's currency.
	CommissionValue Nullable[string] `json:"commission_value,omitempty"`
	// A campaign of the same account, whose default the product inherits.
	CampaignID Nullable[string] `json:"campaign_id,omitempty"`
	// When it changed; older news is skipped.
	UpdatedAt Nullable[string] `json:"updated_at,omitempty"`
}

// ProductsPayload: The body of import and upsert.
type ProductsPayload struct {
	// At most 5,000 items, each judged alone.
	Products []ProductInput `json:"products"`
}

// QueuedStatus: QUEUED, or DUPLICATE for what was accepted before.
type QueuedStatus string

const (
	QueuedStatusQueued    QueuedStatus = "QUEUED"
	QueuedStatusDuplicate QueuedStatus = "DUPLICATE"
)

// ReasonedFact: Something that was reported of an order, whether it changed the commission, and the reason given with it.
type ReasonedFact struct {
	// What was reported, such as delivered.
	Status string `json:"status"`
	// When it happened.
	At string `json:"at"`
	// When it was received.
	ReceivedAt string `json:"receivedAt"`
	// Whether it changed the commission.
	Applied bool `json:"applied"`
	// Why it did not; null if it did, or if there is no commission.
	SkipReason *SkipReason `json:"skipReason"`
	// The submission that reported it.
	EventID string `json:"eventId"`
	// The reason that was reported with it; null once its body is deleted.
	Reason *string `json:"reason"`
}

// RecoveredConnection: Orders that a reading found and that had never arrived.
type RecoveredConnection struct {
	// The connection.
	ConnectionID string `json:"connectionId"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The affiliate's notes on the click, if there are any.
	SubIDs map[string]any `json:"subIds,omitempty"`
	// True in a message that was asked for as a test: nothing has happened.
	Sample *bool `json:"sample,omitempty"`
	// The platform.
	Connector string `json:"connector"`
	// What you call it; null without a name.
	Title *string `json:"title"`
	// When the reading ended.
	At string `json:"at"`
	// How many orders were read.
	Read int64 `json:"read"`
	// How many of them had never arrived.
	UnknownOrders int64 `json:"unknownOrders"`
}

// RecoveredConnectionMessage: Orders that a reading found and that had never arrived.
type RecoveredConnectionMessage struct {
	// What happened.
	Type string `json:"type"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// What `data` says.
	Data RecoveredConnection `json:"data"`
}

// RefusedConnection: A platform that refuses the hub's credentials.
type RefusedConnection struct {
	// The connection.
	ConnectionID string `json:"connectionId"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The affiliate's notes on the click, if there are any.
	SubIDs map[string]any `json:"subIds,omitempty"`
	// True in a message that was asked for as a test: nothing has happened.
	Sample *bool `json:"sample,omitempty"`
	// The platform.
	Connector string `json:"connector"`
	// What you call it; null without a name.
	Title *string `json:"title"`
	// When it refused.
	At string `json:"at"`
	// What it answered, a sentence.
	Reason string `json:"reason"`
}

// RefusedConnectionMessage: A platform that refuses the hub's credentials.
type RefusedConnectionMessage struct {
	// What happened.
	Type string `json:"type"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// What `data` says.
	Data RefusedConnection `json:"data"`
}

// ReplayInput: The body of POST /v1/subscriptions/{id}/replay: a message, all of the last while, or one if it is of it.
type ReplayInput struct {
	// This message alone.
	MessageID Nullable[string] `json:"messageId,omitempty"`
	// Everything since this long ago, like 2d.
	Since Nullable[string] `json:"since,omitempty"`
}

// ReplayedDeliveries: What came of a replay.
type ReplayedDeliveries struct {
	// How many messages are sent again.
	Replayed int64 `json:"replayed"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// RequestList: A page of the request log.
type RequestList struct {
	// The entries of this page.
	Data []LoggedRequest `json:"data"`
	// The `cursor` of the next page; null on the last one.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// RetriedDeliveries: What is tried now.
type RetriedDeliveries struct {
	// How many messages wait, and are tried now.
	Retried int64 `json:"retried"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// RetryInput: The body of POST /v1/subscriptions/{id}/retry.
type RetryInput struct {
	// This message alone.
	MessageID Nullable[string] `json:"messageId,omitempty"`
}

// ReviewNews: An order that a person has to look at.
type ReviewNews struct {
	// The order.
	ConversionID string `json:"conversionId"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The affiliate's notes on the click, if there are any.
	SubIDs map[string]any `json:"subIds,omitempty"`
	// True in a message that was asked for as a test: nothing has happened.
	Sample *bool `json:"sample,omitempty"`
	// The shop's number of the order.
	ExternalOrderID *string `json:"externalOrderId,omitempty"`
	// The campaign that it counts to; null without one.
	CampaignID *string `json:"campaignId"`
	// The click that it came by; null without one.
	ClickID *string `json:"clickId"`
	// When it was placed.
	OrderedAt string `json:"orderedAt"`
	// The order's currency.
	Currency Currency `json:"currency"`
	// What the order came to.
	OrderAmount Money `json:"orderAmount"`
	// Why, a word.
	Reason string `json:"reason"`
	// The affiliate who may have earned it; null without one.
	CandidateID *string `json:"candidateId"`
}

// ReviewNewsMessage: An order that a person has to look at.
type ReviewNewsMessage struct {
	// What happened.
	Type string `json:"type"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// What `data` says.
	Data ReviewNews `json:"data"`
}

// ReviewState: OPEN while a person has to decide.
type ReviewState string

const (
	ReviewStateOpen       ReviewState = "OPEN"
	ReviewStateAttributed ReviewState = "ATTRIBUTED"
	ReviewStateDismissed  ReviewState = "DISMISSED"
)

// ReviewedConversion: An order as it is now, with its commission and everything that was reported of it.
type ReviewedConversion struct {
	// The hub's id.
	ID string `json:"id"`
	// The merchant's order number.
	ExternalOrderID string `json:"externalOrderId"`
	// What the commission is taken from, in `currency`.
	OrderAmount Money `json:"orderAmount"`
	// The order's currency.
	Currency Currency `json:"currency"`
	// HIGH if a live click, or a rule of the campaign, proves whose order it is; else LOW.
	Confidence Confidence `json:"confidence"`
	// matched, or the first check that failed.
	Reason AttributionReason `json:"reason"`
	// Whose order it is; null while nobody's.
	AffiliateID *string `json:"affiliateId"`
	// The campaign that it counts to.
	CampaignID *string `json:"campaignId"`
	// The affiliate that a weaker signal names.
	CandidateID *string `json:"candidateId"`
	// The click id that was reported.
	ClickID *string `json:"clickId"`
	// The coupon that was reported.
	CouponCode *string `json:"couponCode"`
	// OPEN while a person has to decide, ATTRIBUTED or DISMISSED afterwards; null if none was needed.
	Review *ReviewState `json:"review"`
	// When the buyer ordered.
	OrderedAt string `json:"orderedAt"`
	// When it was received.
	ReceivedAt string `json:"receivedAt"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The merchant's name.
	MerchantName string `json:"merchantName"`
	// The affiliate's name.
	AffiliateName *string `json:"affiliateName"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The submission that created it.
	EventID string `json:"eventId"`
	// What it earns; null if nothing.
	Commission *CommissionOfOrder `json:"commission"`
	// What was reported of the order, in the order in which it counts.
	Facts []FactRecord `json:"facts"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// RotationInput: The body of POST /v1/subscriptions/{id}/rotate.
type RotationInput struct {
	// How long the old secret signs too, like 24h.
	Overlap *string `json:"overlap,omitempty"`
}

// RuleLevel: The level of a commission rule, the first one that has one wins.
type RuleLevel string

const (
	RuleLevelProduct     RuleLevel = "PRODUCT"
	RuleLevelNewCustomer RuleLevel = "NEW_CUSTOMER"
	RuleLevelCampaign    RuleLevel = "CAMPAIGN"
	RuleLevelMerchant    RuleLevel = "MERCHANT"
	RuleLevelPlatform    RuleLevel = "PLATFORM"
)

// SampleInput: The body of POST /v1/subscriptions/{id}/test.
type SampleInput struct {
	// Of what kind; the first of its own without it.
	Type Nullable[MessageType] `json:"type,omitempty"`
}

// SampleMessage: A test message that is on its way.
type SampleMessage struct {
	// The message's id, as in the subscription's messages.
	MessageID string `json:"messageId"`
	// Its kind.
	Type MessageType `json:"type"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// SettableCampaignStatus: The statuses that a campaign can be moved to.
type SettableCampaignStatus string

const (
	SettableCampaignStatusDraft    SettableCampaignStatus = "DRAFT"
	SettableCampaignStatusActive   SettableCampaignStatus = "ACTIVE"
	SettableCampaignStatusPaused   SettableCampaignStatus = "PAUSED"
	SettableCampaignStatusArchived SettableCampaignStatus = "ARCHIVED"
)

// SignatureVersion: Which text is signed.
type SignatureVersion string

const (
	SignatureVersion1 SignatureVersion = "1"
	SignatureVersion2 SignatureVersion = "2"
)

// SilentConnection: A connected store that has sent nothing for a day.
type SilentConnection struct {
	// The connection.
	ConnectionID string `json:"connectionId"`
	// The merchant.
	MerchantID string `json:"merchantId"`
	// The mode of the account.
	Mode Mode `json:"mode"`
	// The affiliate's notes on the click, if there are any.
	SubIDs map[string]any `json:"subIds,omitempty"`
	// True in a message that was asked for as a test: nothing has happened.
	Sample *bool `json:"sample,omitempty"`
	// The platform.
	Connector string `json:"connector"`
	// What you call it; null without a name.
	Title *string `json:"title"`
	// When it last sent anything.
	LastDeliveryAt string `json:"lastDeliveryAt"`
}

// SilentConnectionMessage: A connected store that has sent nothing for a day.
type SilentConnectionMessage struct {
	// What happened.
	Type string `json:"type"`
	// When it happened.
	Timestamp string `json:"timestamp"`
	// What `data` says.
	Data SilentConnection `json:"data"`
}

// SkipExplanation: A SkipReason, or a sentence behind a word: `unmappable: ...`, `uninteresting: ...`.
type SkipExplanation = any

// SkipReason: Why something that was reported changed nothing.
type SkipReason string

const (
	SkipReasonAlreadyKnown           SkipReason = "already_known"
	SkipReasonCommissionPaid         SkipReason = "commission_paid"
	SkipReasonStale                  SkipReason = "stale"
	SkipReasonSuperseded             SkipReason = "superseded"
	SkipReasonTakenBack              SkipReason = "taken_back"
	SkipReasonTestDelivery           SkipReason = "test_delivery"
	SkipReasonUnknownOrder           SkipReason = "unknown_order"
	SkipReasonUnknownProduct         SkipReason = "unknown_product"
	SkipReasonNotAllowedFromPending  SkipReason = "not_allowed_from_pending"
	SkipReasonNotAllowedFromHold     SkipReason = "not_allowed_from_hold"
	SkipReasonNotAllowedFromApproved SkipReason = "not_allowed_from_approved"
	SkipReasonNotAllowedFromPayable  SkipReason = "not_allowed_from_payable"
	SkipReasonNotAllowedFromRejected SkipReason = "not_allowed_from_rejected"
)

// Sort: The newest first, or the oldest first.
type Sort string

const (
	SortCreatedAtDescending Sort = "-createdAt"
	SortCreatedAt           Sort = "createdAt"
)

// StatementList: The months in which something was owed, newest first.
type StatementList struct {
	// The lines.
	Data []StatementRecord `json:"data"`
	// Always null: it is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// StatementRecord: What the account owes for a month.
type StatementRecord struct {
	// The month, like 2026-11.
	Month string `json:"month"`
	// The time zone of the operator's books, in which the month begins and ends.
	TimeZone string `json:"timeZone"`
	// When a commission and the network's fee for it are owed: when it is `paid`, or when it becomes `payable`.
	Billed BilledWhen `json:"billed"`
	// What is owed for it, by currency.
	Owed []OwedAmount `json:"owed"`
}

// SubscriptionInput: The body of POST /v1/subscriptions.
type SubscriptionInput struct {
	// Where messages are sent.
	URL string `json:"url"`
	// What it is for, in your words; empty for nothing.
	Description Nullable[string] `json:"description,omitempty"`
	// Types or patterns.
	Events []string `json:"events"`
	// Whether messages are kept at first, until it is resumed.
	Paused *bool `json:"paused,omitempty"`
	// In which version messages are sent; the newest, if none is named.
	PayloadVersion Nullable[string] `json:"payloadVersion,omitempty"`
}

// SubscriptionKind: A signed POST, or a GET made of a template.
type SubscriptionKind string

const (
	SubscriptionKindWebhook  SubscriptionKind = "WEBHOOK"
	SubscriptionKindPostback SubscriptionKind = "POSTBACK"
)

// SubscriptionList: The subscriptions of the account.
type SubscriptionList struct {
	// The lines.
	Data []SubscriptionRecord `json:"data"`
	// Always null: it is one page.
	NextCursor *string `json:"nextCursor"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// SubscriptionPatch: The body of PATCH /v1/subscriptions/{id}: what is given is changed.
type SubscriptionPatch struct {
	// Where messages are sent.
	URL Nullable[string] `json:"url,omitempty"`
	// What it is for, in your words; empty for nothing.
	Description Nullable[string] `json:"description,omitempty"`
	// Types or patterns.
	Events Nullable[[]string] `json:"events,omitempty"`
	// In which version messages are sent from now on.
	PayloadVersion Nullable[string] `json:"payloadVersion,omitempty"`
}

// SubscriptionRecord: A subscription of the account to webhooks.
type SubscriptionRecord struct {
	// The hub's id.
	ID string `json:"id"`
	// The merchant: you.
	MerchantID *string `json:"merchantId"`
	// The mode of the account.
	Mode *Mode `json:"mode"`
	// Always null: affiliates have subscriptions of their own.
	AffiliateID *string `json:"affiliateId"`
	// A signed POST, or a GET made of a template.
	Kind SubscriptionKind `json:"kind"`
	// Where messages are sent.
	URL string `json:"url"`
	// What it is for, in your words; empty for nothing.
	Description *string `json:"description"`
	// The types and patterns, as they were given.
	Events []string `json:"events"`
	// In which version its messages are sent, as their header says.
	PayloadVersion string `json:"payloadVersion"`
	// PAUSED by somebody, or after five days of failures.
	Status SubscriptionStatus `json:"status"`
	// Why it is paused; null while it is not.
	Reason *string `json:"reason"`
	// How often it failed in a row.
	Failures int64 `json:"failures"`
	// Since when it fails; null while it does not.
	FailingSince *string `json:"failingSince"`
	// Messages that were not delivered yet, up to 10,000.
	Waiting int64 `json:"waiting"`
	// When it was created.
	CreatedAt string `json:"createdAt"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// SubscriptionSecret: The secret of a subscription that was just made, or made anew.
type SubscriptionSecret struct {
	// The hub's id.
	ID string `json:"id"`
	// whsec_...: keep it; it is never shown again.
	Secret *string `json:"secret"`
	// In which version its messages are sent.
	PayloadVersion string `json:"payloadVersion"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// SubscriptionStatus: Whether messages are sent.
type SubscriptionStatus string

const (
	SubscriptionStatusActive SubscriptionStatus = "ACTIVE"
	SubscriptionStatusPaused SubscriptionStatus = "PAUSED"
)

// TrueOrFalse: Yes or no, in a query.
type TrueOrFalse string

const (
	TrueOrFalseTrue  TrueOrFalse = "true"
	TrueOrFalseFalse TrueOrFalse = "false"
)

// UploadKind: What the rows of a file are.
type UploadKind string

const (
	UploadKindProducts UploadKind = "products"
	UploadKindOrders   UploadKind = "orders"
	UploadKindStatuses UploadKind = "statuses"
)

// UploadRecord: A CSV file on its way: it is applied in the background, and its counts grow as its rows are decided.
type UploadRecord struct {
	// Ask GET /v1/uploads/{id} for it.
	UploadID string `json:"uploadId"`
	// What its rows are.
	Kind UploadKind `json:"kind"`
	// Whether its rows are only judged.
	DryRun bool `json:"dryRun"`
	// QUEUED, RUNNING, DONE, or REFUSED: the file as a whole cannot be read.
	Status UploadStatus `json:"status"`
	// The file's size.
	Bytes int64 `json:"bytes"`
	// How much of it is decided.
	BytesRead int64 `json:"bytesRead"`
	// Rows that are decided.
	Rows int64 `json:"rows"`
	// Rows that brought something new.
	Created int64 `json:"created"`
	// Rows that changed a known product.
	Updated int64 `json:"updated"`
	// Rows that said what was known.
	Duplicate int64 `json:"duplicate"`
	// Rows that were left out; the verdicts say why.
	Failed int64 `json:"failed"`
	// Columns that mean nothing here.
	IgnoredColumns []string `json:"ignoredColumns"`
	// Why the file was refused.
	Faults []string `json:"faults"`
	// When it came in.
	CreatedAt string `json:"createdAt"`
	// When its turn came; null until then.
	StartedAt *string `json:"startedAt"`
	// When its last row was decided; null until then.
	FinishedAt *string `json:"finishedAt"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// UploadStatus: How far a file is.
type UploadStatus string

const (
	UploadStatusQueued  UploadStatus = "QUEUED"
	UploadStatusRunning UploadStatus = "RUNNING"
	UploadStatusDone    UploadStatus = "DONE"
	UploadStatusRefused UploadStatus = "REFUSED"
)

// VolumeMeasure: Whether a rate rises by how many orders there are, or by what they amount to.
type VolumeMeasure string

const (
	VolumeMeasureOrders VolumeMeasure = "ORDERS"
	VolumeMeasureAmount VolumeMeasure = "AMOUNT"
)

// VolumeOfOrder: What an order counts for the rates by volume of its campaign, and what they add to its commission.
type VolumeOfOrder struct {
	// The month in which it was placed, by the time zone of the books.
	Month string `json:"month"`
	// OPEN while its hold runs, COUNTED, or LEFT_OUT because it earns nothing.
	Standing VolumeStanding `json:"standing"`
	// Its place among the affiliate's orders; null until its month was reckoned.
	Place *int64 `json:"place"`
	// What the tier that it reached begins at; null below the first.
	Begins *string `json:"begins"`
	// PERCENTAGE or FIXED; null without a tier.
	CommissionType *CommissionType `json:"commissionType"`
	// The tier's rate; null without one.
	CommissionValue *string `json:"commissionValue"`
	// What the tier adds, in the order's currency.
	Amount Money `json:"amount"`
}

// VolumePeriod: Whether the volume begins anew with each calendar month.
type VolumePeriod string

const (
	VolumePeriodMonth VolumePeriod = "MONTH"
	VolumePeriodEver  VolumePeriod = "EVER"
)

// VolumeRates: Rates that rise by volume: see docs/money.md.
type VolumeRates struct {
	// What `period` says.
	Period VolumePeriod `json:"period"`
	// What `measure` says.
	Measure VolumeMeasure `json:"measure"`
	// The tiers, from the lowest beginning on; rates of one kind must rise.
	Tiers []map[string]any `json:"tiers"`
}

// VolumeStanding: Whether an order counts for rates by volume.
type VolumeStanding string

const (
	VolumeStandingOpen    VolumeStanding = "OPEN"
	VolumeStandingCounted VolumeStanding = "COUNTED"
	VolumeStandingLeftOut VolumeStanding = "LEFT_OUT"
)

// WebhookAccepted: A webhook is durable.
type WebhookAccepted struct {
	// Ask GET /v1/events/{eventId} for it; a duplicate has the first one's id.
	WebhookEventID string `json:"webhookEventId"`
	// QUEUED, or DUPLICATE for what was accepted before. Both are a success.
	Status QueuedStatus `json:"status"`
	// Whether the same thing was accepted before; nothing happens twice.
	Duplicate bool `json:"duplicate"`
	// What was ignored because its name is unknown, and what it looks like; only if something was.
	Warnings []string `json:"warnings,omitempty"`
}

// WebhookKind: The eight webhooks.
type WebhookKind string

const (
	WebhookKindOrderCreated        WebhookKind = "order-created"
	WebhookKindOrderPaid           WebhookKind = "order-paid"
	WebhookKindOrderDelivered      WebhookKind = "order-delivered"
	WebhookKindOrderCancelled      WebhookKind = "order-cancelled"
	WebhookKindOrderReturned       WebhookKind = "order-returned"
	WebhookKindOrderRefunded       WebhookKind = "order-refunded"
	WebhookKindProductUpdated      WebhookKind = "product-updated"
	WebhookKindProductStockUpdated WebhookKind = "product-stock-updated"
)

// WebhookLine: A part of an order or a refund.
type WebhookLine struct {
	// The product; without it, what is not in the catalogue.
	ExternalProductID Nullable[string] `json:"external_product_id,omitempty"`
	// How many of it.
	Quantity Nullable[int64] `json:"quantity,omitempty"`
	// The line's money, all of its pieces together.
	Amount Nullable[Money] `json:"amount,omitempty"`
}

// dataOf returns a place for what a message of this type says; nil for one that came later.
func dataOf(kind string) any {
	switch kind {
	case "commission.created", "commission.held", "commission.payable", "commission.rejected", "commission.adjusted", "commission.paid":
		return new(CommissionNews)
	case "deposit.short":
		return new(DepositNews)
	case "payout.released":
		return new(PayoutNews)
	case "connection.recovered":
		return new(RecoveredConnection)
	case "connection.refused":
		return new(RefusedConnection)
	case "conversion.review":
		return new(ReviewNews)
	case "connection.silent":
		return new(SilentConnection)
	}
	return nil
}
