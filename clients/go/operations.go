// Code generated from the hub's OpenAPI document: python -m clients.generator. DO NOT EDIT.

package affiliatehub

import (
	"context"
	"net/url"
)

// ListAffiliatesQuery is what ListAffiliates may be asked for; what is nil is not said.
type ListAffiliatesQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
}

func (q ListAffiliatesQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	return given
}

// ListAffiliates: List the affiliates that may promote something of yours.
func (h *Hub) ListAffiliates(ctx context.Context, query ListAffiliatesQuery, options ...Option) (*AffiliateList, error) {
	var answer AffiliateList
	if err := h.send(ctx, call{method: "GET", path: "/v1/affiliates", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateAffiliates: List the affiliates that may promote something of yours; all of them, page after page as they are needed.
func (h *Hub) IterateAffiliates(query ListAffiliatesQuery, options ...Option) *Iterator[AffiliateRecord] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[AffiliateRecord]{fetch: func(ctx context.Context, at place) ([]AffiliateRecord, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListAffiliates(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// ListBalances: Show what your commissions come to.
func (h *Hub) ListBalances(ctx context.Context, options ...Option) (*BalanceList, error) {
	var answer BalanceList
	if err := h.send(ctx, call{method: "GET", path: "/v1/balances", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListCampaignsQuery is what ListCampaigns may be asked for; what is nil is not said.
type ListCampaignsQuery struct {
	// The page, from 1.
	Page *int64
	// Records per page.
	PageSize *int64
	// The effective status.
	Status *CampaignStatus
}

func (q ListCampaignsQuery) values() url.Values {
	given := url.Values{}
	put(given, "page", q.Page)
	put(given, "pageSize", q.PageSize)
	put(given, "status", q.Status)
	return given
}

// ListCampaigns: List campaigns, newest first.
func (h *Hub) ListCampaigns(ctx context.Context, query ListCampaignsQuery, options ...Option) (*CampaignList, error) {
	var answer CampaignList
	if err := h.send(ctx, call{method: "GET", path: "/v1/campaigns", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateCampaigns: List campaigns, newest first; all of them, page after page as they are needed.
func (h *Hub) IterateCampaigns(query ListCampaignsQuery, options ...Option) *Iterator[CampaignRecord] {
	if query.PageSize == nil {
		query.PageSize = Given[int64](200)
	}
	return &Iterator[CampaignRecord]{fetch: func(ctx context.Context, at place) ([]CampaignRecord, *place, error) {
		query.Page = &at.number
		page, err := h.ListCampaigns(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextPage(page.Page, page.PageSize, page.Total), nil
	}}
}

// CreateCampaign: Create a campaign, as a draft.
func (h *Hub) CreateCampaign(ctx context.Context, body CampaignInput, options ...Option) (*CampaignCreated, error) {
	var answer CampaignCreated
	if err := h.send(ctx, call{method: "POST", path: "/v1/campaigns", body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetCampaign: Show a campaign.
func (h *Hub) GetCampaign(ctx context.Context, id string, options ...Option) (*CampaignRecord, error) {
	var answer CampaignRecord
	if err := h.send(ctx, call{method: "GET", path: "/v1/campaigns/" + url.PathEscape(id), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UpdateCampaign: Change the fields given, or the status.
func (h *Hub) UpdateCampaign(ctx context.Context, id string, body CampaignPatch, options ...Option) (*CampaignRecord, error) {
	var answer CampaignRecord
	if err := h.send(ctx, call{method: "PATCH", path: "/v1/campaigns/" + url.PathEscape(id), body: body, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ActivateCampaign: Activate a campaign.
func (h *Hub) ActivateCampaign(ctx context.Context, id string, options ...Option) (*CampaignRecord, error) {
	var answer CampaignRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/campaigns/" + url.PathEscape(id) + "/activate", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// PauseCampaign: Pause an active campaign.
func (h *Hub) PauseCampaign(ctx context.Context, id string, options ...Option) (*CampaignRecord, error) {
	var answer CampaignRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/campaigns/" + url.PathEscape(id) + "/pause", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListChangesQuery is what ListChanges may be asked for; what is nil is not said.
type ListChangesQuery struct {
	// The `cursor` of an earlier answer; without it, the feed begins with everything that there is.
	After *string
	// Only records of these types, separated by commas: affiliate, balance, campaign, commission, conversion, event, link, membership, product, statement, subscription.
	Types *string
	// Entries per page.
	Limit *int64
	// Seconds to hold the request open until something changes.
	Wait *int64
}

func (q ListChangesQuery) values() url.Values {
	given := url.Values{}
	put(given, "after", q.After)
	put(given, "types", q.Types)
	put(given, "limit", q.Limit)
	put(given, "wait", q.Wait)
	return given
}

// ListChanges: Follow what changed, from a cursor that holds for ever.
func (h *Hub) ListChanges(ctx context.Context, query ListChangesQuery, options ...Option) (*ChangeList, error) {
	var answer ChangeList
	if err := h.send(ctx, call{method: "GET", path: "/v1/changes", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListClicksQuery is what ListClicks may be asked for; what is nil is not said.
type ListClicksQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
	// The newest first, or the oldest first.
	Sort *Sort
	// Only of this link.
	LinkCode *string
	// Only of this affiliate.
	AffiliateID *string
	// Only of this campaign.
	CampaignID *string
	// Only what was received at or after this moment.
	CreatedFrom *string
	// Only what was received before this moment.
	CreatedTo *string
}

func (q ListClicksQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	put(given, "sort", q.Sort)
	put(given, "linkCode", q.LinkCode)
	put(given, "affiliateId", q.AffiliateID)
	put(given, "campaignId", q.CampaignID)
	put(given, "createdFrom", q.CreatedFrom)
	put(given, "createdTo", q.CreatedTo)
	return given
}

// ListClicks: List clicks on tracking links.
func (h *Hub) ListClicks(ctx context.Context, query ListClicksQuery, options ...Option) (*ClickList, error) {
	var answer ClickList
	if err := h.send(ctx, call{method: "GET", path: "/v1/clicks", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateClicks: List clicks on tracking links; all of them, page after page as they are needed.
func (h *Hub) IterateClicks(query ListClicksQuery, options ...Option) *Iterator[ClickRecord] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[ClickRecord]{fetch: func(ctx context.Context, at place) ([]ClickRecord, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListClicks(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// ListCommissionsQuery is what ListCommissions may be asked for; what is nil is not said.
type ListCommissionsQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
	// The newest first, or the oldest first.
	Sort *Sort
	// Only commissions in this state.
	Status *CommissionState
	// Only of this affiliate.
	AffiliateID *string
	// Only of this campaign.
	CampaignID *string
	// Only what was received at or after this moment.
	CreatedFrom *string
	// Only what was received before this moment.
	CreatedTo *string
	// Only what changed at or after this moment.
	UpdatedSince *string
}

func (q ListCommissionsQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	put(given, "sort", q.Sort)
	put(given, "status", q.Status)
	put(given, "affiliateId", q.AffiliateID)
	put(given, "campaignId", q.CampaignID)
	put(given, "createdFrom", q.CreatedFrom)
	put(given, "createdTo", q.CreatedTo)
	put(given, "updatedSince", q.UpdatedSince)
	return given
}

// ListCommissions: List commissions.
func (h *Hub) ListCommissions(ctx context.Context, query ListCommissionsQuery, options ...Option) (*CommissionList, error) {
	var answer CommissionList
	if err := h.send(ctx, call{method: "GET", path: "/v1/commissions", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateCommissions: List commissions; all of them, page after page as they are needed.
func (h *Hub) IterateCommissions(query ListCommissionsQuery, options ...Option) *Iterator[CommissionRecord] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[CommissionRecord]{fetch: func(ctx context.Context, at place) ([]CommissionRecord, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListCommissions(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// GetCommission: Show a commission.
func (h *Hub) GetCommission(ctx context.Context, id string, options ...Option) (*CommissionRecord, error) {
	var answer CommissionRecord
	if err := h.send(ctx, call{method: "GET", path: "/v1/commissions/" + url.PathEscape(id), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListConversionsQuery is what ListConversions may be asked for; what is nil is not said.
type ListConversionsQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
	// The newest first, or the oldest first.
	Sort *Sort
	// Only of this order of yours.
	ExternalOrderID *string
	// Only orders whose commission is in this state, that wait for a review, or were dismissed.
	Status *ConversionState
	// Only of this affiliate.
	AffiliateID *string
	// Only of this campaign.
	CampaignID *string
	// Only what was received at or after this moment.
	CreatedFrom *string
	// Only what was received before this moment.
	CreatedTo *string
	// Only what changed at or after this moment.
	UpdatedSince *string
}

func (q ListConversionsQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	put(given, "sort", q.Sort)
	put(given, "externalOrderId", q.ExternalOrderID)
	put(given, "status", q.Status)
	put(given, "affiliateId", q.AffiliateID)
	put(given, "campaignId", q.CampaignID)
	put(given, "createdFrom", q.CreatedFrom)
	put(given, "createdTo", q.CreatedTo)
	put(given, "updatedSince", q.UpdatedSince)
	return given
}

// ListConversions: List orders with their commissions and facts.
func (h *Hub) ListConversions(ctx context.Context, query ListConversionsQuery, options ...Option) (*ConversionList, error) {
	var answer ConversionList
	if err := h.send(ctx, call{method: "GET", path: "/v1/conversions", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateConversions: List orders with their commissions and facts; all of them, page after page as they are needed.
func (h *Hub) IterateConversions(query ListConversionsQuery, options ...Option) *Iterator[ConversionRecord] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[ConversionRecord]{fetch: func(ctx context.Context, at place) ([]ConversionRecord, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListConversions(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// ReportConversion: Report an order.
func (h *Hub) ReportConversion(ctx context.Context, body ConversionInput, options ...Option) (*AcceptedEvent, error) {
	var answer AcceptedEvent
	if err := h.send(ctx, call{method: "POST", path: "/v1/conversions", body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetConversion: Show an order with its commission and facts.
func (h *Hub) GetConversion(ctx context.Context, id string, options ...Option) (*ConversionRecord, error) {
	var answer ConversionRecord
	if err := h.send(ctx, call{method: "GET", path: "/v1/conversions/" + url.PathEscape(id), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// AttributeConversion: Attribute an order under review.
func (h *Hub) AttributeConversion(ctx context.Context, id string, body AttributionInput, options ...Option) (*ReviewedConversion, error) {
	var answer ReviewedConversion
	if err := h.send(ctx, call{method: "POST", path: "/v1/conversions/" + url.PathEscape(id) + "/attribute", body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// DismissConversion: Close a review without a commission.
func (h *Hub) DismissConversion(ctx context.Context, id string, options ...Option) (*ReviewedConversion, error) {
	var answer ReviewedConversion
	if err := h.send(ctx, call{method: "POST", path: "/v1/conversions/" + url.PathEscape(id) + "/dismiss"}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListEventTypes: List the kinds of messages that subscribers get.
func (h *Hub) ListEventTypes(ctx context.Context, options ...Option) (*EventTypeList, error) {
	var answer EventTypeList
	if err := h.send(ctx, call{method: "GET", path: "/v1/event-types", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListEventsQuery is what ListEvents may be asked for; what is nil is not said.
type ListEventsQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
	// The newest first, or the oldest first.
	Sort *Sort
	// Only events in this status.
	Status *EventStatus
	// Only submissions of this type.
	Type *EventType
	// Only webhooks of this kind.
	Kind *string
	// Only of this order of yours.
	ExternalOrderID *string
	// Only what was received at or after this moment.
	CreatedFrom *string
	// Only what was received before this moment.
	CreatedTo *string
	// Only what changed at or after this moment.
	UpdatedSince *string
}

func (q ListEventsQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	put(given, "sort", q.Sort)
	put(given, "status", q.Status)
	put(given, "type", q.Type)
	put(given, "kind", q.Kind)
	put(given, "externalOrderId", q.ExternalOrderID)
	put(given, "createdFrom", q.CreatedFrom)
	put(given, "createdTo", q.CreatedTo)
	put(given, "updatedSince", q.UpdatedSince)
	return given
}

// ListEvents: List what was submitted, and what became of it.
func (h *Hub) ListEvents(ctx context.Context, query ListEventsQuery, options ...Option) (*EventList, error) {
	var answer EventList
	if err := h.send(ctx, call{method: "GET", path: "/v1/events", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateEvents: List what was submitted, and what became of it; all of them, page after page as they are needed.
func (h *Hub) IterateEvents(query ListEventsQuery, options ...Option) *Iterator[ListedEvent] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[ListedEvent]{fetch: func(ctx context.Context, at place) ([]ListedEvent, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListEvents(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// GetEvent: Show what became of an accepted submission, and why.
func (h *Hub) GetEvent(ctx context.Context, eventId string, options ...Option) (*EventRecord, error) {
	var answer EventRecord
	if err := h.send(ctx, call{method: "GET", path: "/v1/events/" + url.PathEscape(eventId), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListLinksQuery is what ListLinks may be asked for; what is nil is not said.
type ListLinksQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
	// Only of this affiliate.
	AffiliateID *string
	// Only of this campaign.
	CampaignID *string
	// Only what changed at or after this moment.
	UpdatedSince *string
}

func (q ListLinksQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	put(given, "affiliateId", q.AffiliateID)
	put(given, "campaignId", q.CampaignID)
	put(given, "updatedSince", q.UpdatedSince)
	return given
}

// ListLinks: List tracking links.
func (h *Hub) ListLinks(ctx context.Context, query ListLinksQuery, options ...Option) (*LinkList, error) {
	var answer LinkList
	if err := h.send(ctx, call{method: "GET", path: "/v1/links", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateLinks: List tracking links; all of them, page after page as they are needed.
func (h *Hub) IterateLinks(query ListLinksQuery, options ...Option) *Iterator[LinkRecord] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[LinkRecord]{fetch: func(ctx context.Context, at place) ([]LinkRecord, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListLinks(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// CreateLink: Create a tracking link of an affiliate.
func (h *Hub) CreateLink(ctx context.Context, body LinkInput, options ...Option) (*LinkCreated, error) {
	var answer LinkCreated
	if err := h.send(ctx, call{method: "POST", path: "/v1/links", body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// DisableLink: Disable a tracking link.
func (h *Hub) DisableLink(ctx context.Context, id string, options ...Option) (*LinkRecord, error) {
	var answer LinkRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/links/" + url.PathEscape(id) + "/disable", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ReportOrderStatus: Report what became of an order.
func (h *Hub) ReportOrderStatus(ctx context.Context, body OrderStatusInput, options ...Option) (*AcceptedEvent, error) {
	var answer AcceptedEvent
	if err := h.send(ctx, call{method: "POST", path: "/v1/order-status", body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListProductsQuery is what ListProducts may be asked for; what is nil is not said.
type ListProductsQuery struct {
	// The page, from 1.
	Page *int64
	// Records per page.
	PageSize *int64
	// The product's status.
	Status *ProductStatus
	// Only this category.
	Category *string
	// Looks in name, externalProductId and brand, ignoring case.
	Search *string
	// The `nextCursor` of the page before, with the same filters; `page` does not count beside it.
	Cursor *string
}

func (q ListProductsQuery) values() url.Values {
	given := url.Values{}
	put(given, "page", q.Page)
	put(given, "pageSize", q.PageSize)
	put(given, "status", q.Status)
	put(given, "category", q.Category)
	put(given, "search", q.Search)
	put(given, "cursor", q.Cursor)
	return given
}

// ListProducts: List products, newest first.
func (h *Hub) ListProducts(ctx context.Context, query ListProductsQuery, options ...Option) (*ProductList, error) {
	var answer ProductList
	if err := h.send(ctx, call{method: "GET", path: "/v1/products", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateProducts: List products, newest first; all of them, page after page as they are needed.
func (h *Hub) IterateProducts(query ListProductsQuery, options ...Option) *Iterator[ProductRecord] {
	if query.PageSize == nil {
		query.PageSize = Given[int64](200)
	}
	return &Iterator[ProductRecord]{fetch: func(ctx context.Context, at place) ([]ProductRecord, *place, error) {
		query.Page = &at.number
		page, err := h.ListProducts(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextPage(page.Page, page.PageSize, page.Total), nil
	}}
}

// ArchiveProducts: Archive products.
func (h *Hub) ArchiveProducts(ctx context.Context, body ArchivePayload, options ...Option) (*ArchiveResult, error) {
	var answer ArchiveResult
	if err := h.send(ctx, call{method: "POST", path: "/v1/products/archive", body: body, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ImportProducts: Insert or replace up to 5,000 products.
func (h *Hub) ImportProducts(ctx context.Context, body ProductsPayload, options ...Option) (*ImportSummary, error) {
	var answer ImportSummary
	if err := h.send(ctx, call{method: "POST", path: "/v1/products/import", body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UpsertProducts: Insert up to 5,000 products or change the fields given.
func (h *Hub) UpsertProducts(ctx context.Context, body ProductsPayload, options ...Option) (*ImportSummary, error) {
	var answer ImportSummary
	if err := h.send(ctx, call{method: "POST", path: "/v1/products/upsert", body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetProduct: Show a product.
func (h *Hub) GetProduct(ctx context.Context, id string, options ...Option) (*ProductRecord, error) {
	var answer ProductRecord
	if err := h.send(ctx, call{method: "GET", path: "/v1/products/" + url.PathEscape(id), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UpdateProduct: Change the fields given.
func (h *Hub) UpdateProduct(ctx context.Context, id string, body ProductPatch, options ...Option) (*ProductRecord, error) {
	var answer ProductRecord
	if err := h.send(ctx, call{method: "PATCH", path: "/v1/products/" + url.PathEscape(id), body: body, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetAffiliateReportQuery is what GetAffiliateReport may be asked for; what is nil is not said.
type GetAffiliateReportQuery struct {
	// The first day, UTC; with `to`.
	From *string
	// The last day, UTC, at most 800 days later.
	To *string
}

func (q GetAffiliateReportQuery) values() url.Values {
	given := url.Values{}
	put(given, "from", q.From)
	put(given, "to", q.To)
	return given
}

// GetAffiliateReport: Report clicks, orders and commissions by affiliate.
func (h *Hub) GetAffiliateReport(ctx context.Context, query GetAffiliateReportQuery, options ...Option) (*FiguresReport, error) {
	var answer FiguresReport
	if err := h.send(ctx, call{method: "GET", path: "/v1/reports/affiliates", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetCampaignReportQuery is what GetCampaignReport may be asked for; what is nil is not said.
type GetCampaignReportQuery struct {
	// The first day, UTC; with `to`.
	From *string
	// The last day, UTC, at most 800 days later.
	To *string
}

func (q GetCampaignReportQuery) values() url.Values {
	given := url.Values{}
	put(given, "from", q.From)
	put(given, "to", q.To)
	return given
}

// GetCampaignReport: Report clicks, orders and commissions by campaign.
func (h *Hub) GetCampaignReport(ctx context.Context, query GetCampaignReportQuery, options ...Option) (*FiguresReport, error) {
	var answer FiguresReport
	if err := h.send(ctx, call{method: "GET", path: "/v1/reports/campaigns", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetDailyReportQuery is what GetDailyReport may be asked for; what is nil is not said.
type GetDailyReportQuery struct {
	// The first day, UTC; with `to`.
	From *string
	// The last day, UTC, at most 800 days later.
	To *string
}

func (q GetDailyReportQuery) values() url.Values {
	given := url.Values{}
	put(given, "from", q.From)
	put(given, "to", q.To)
	return given
}

// GetDailyReport: Report clicks, orders and commissions by day.
func (h *Hub) GetDailyReport(ctx context.Context, query GetDailyReportQuery, options ...Option) (*DailyReport, error) {
	var answer DailyReport
	if err := h.send(ctx, call{method: "GET", path: "/v1/reports/daily", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetLinkReportQuery is what GetLinkReport may be asked for; what is nil is not said.
type GetLinkReportQuery struct {
	// The first day, UTC; with `to`.
	From *string
	// The last day, UTC, at most 800 days later.
	To *string
}

func (q GetLinkReportQuery) values() url.Values {
	given := url.Values{}
	put(given, "from", q.From)
	put(given, "to", q.To)
	return given
}

// GetLinkReport: Report clicks, orders and commissions by link.
func (h *Hub) GetLinkReport(ctx context.Context, query GetLinkReportQuery, options ...Option) (*LinkReport, error) {
	var answer LinkReport
	if err := h.send(ctx, call{method: "GET", path: "/v1/reports/links", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetProductReportQuery is what GetProductReport may be asked for; what is nil is not said.
type GetProductReportQuery struct {
	// The first day, UTC; with `to`.
	From *string
	// The last day, UTC, at most 800 days later.
	To *string
}

func (q GetProductReportQuery) values() url.Values {
	given := url.Values{}
	put(given, "from", q.From)
	put(given, "to", q.To)
	return given
}

// GetProductReport: Report what was sold by product.
func (h *Hub) GetProductReport(ctx context.Context, query GetProductReportQuery, options ...Option) (*ProductReport, error) {
	var answer ProductReport
	if err := h.send(ctx, call{method: "GET", path: "/v1/reports/products", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListRequestsQuery is what ListRequests may be asked for; what is nil is not said.
type ListRequestsQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
	// The newest first, or the oldest first.
	Sort *Sort
	// Only refusals with this code.
	ErrorCode *string
	// Only answers with this status.
	Status *int64
	// Only what was received at or after this moment.
	CreatedFrom *string
	// Only what was received before this moment.
	CreatedTo *string
}

func (q ListRequestsQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	put(given, "sort", q.Sort)
	put(given, "errorCode", q.ErrorCode)
	put(given, "status", q.Status)
	put(given, "createdFrom", q.CreatedFrom)
	put(given, "createdTo", q.CreatedTo)
	return given
}

// ListRequests: List the requests of this account, and why some were refused.
func (h *Hub) ListRequests(ctx context.Context, query ListRequestsQuery, options ...Option) (*RequestList, error) {
	var answer RequestList
	if err := h.send(ctx, call{method: "GET", path: "/v1/request-log", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateRequests: List the requests of this account, and why some were refused; all of them, page after page as they are needed.
func (h *Hub) IterateRequests(query ListRequestsQuery, options ...Option) *Iterator[LoggedRequest] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[LoggedRequest]{fetch: func(ctx context.Context, at place) ([]LoggedRequest, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListRequests(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// ListReviewsQuery is what ListReviews may be asked for; what is nil is not said.
type ListReviewsQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
	// The newest first, or the oldest first.
	Sort *Sort
}

func (q ListReviewsQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	put(given, "sort", q.Sort)
	return given
}

// ListReviews: List the orders that wait for a review.
func (h *Hub) ListReviews(ctx context.Context, query ListReviewsQuery, options ...Option) (*ConversionList, error) {
	var answer ConversionList
	if err := h.send(ctx, call{method: "GET", path: "/v1/review", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateReviews: List the orders that wait for a review; all of them, page after page as they are needed.
func (h *Hub) IterateReviews(query ListReviewsQuery, options ...Option) *Iterator[ConversionRecord] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[ConversionRecord]{fetch: func(ctx context.Context, at place) ([]ConversionRecord, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListReviews(ctx, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// ListStatements: List what you owe, month by month.
func (h *Hub) ListStatements(ctx context.Context, options ...Option) (*StatementList, error) {
	var answer StatementList
	if err := h.send(ctx, call{method: "GET", path: "/v1/statements", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListSubscriptions: List subscriptions to webhooks.
func (h *Hub) ListSubscriptions(ctx context.Context, options ...Option) (*SubscriptionList, error) {
	var answer SubscriptionList
	if err := h.send(ctx, call{method: "GET", path: "/v1/subscriptions", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// CreateSubscription: Subscribe to webhooks.
func (h *Hub) CreateSubscription(ctx context.Context, body SubscriptionInput, options ...Option) (*SubscriptionSecret, error) {
	var answer SubscriptionSecret
	if err := h.send(ctx, call{method: "POST", path: "/v1/subscriptions", body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// DeleteSubscription: Delete a subscription.
func (h *Hub) DeleteSubscription(ctx context.Context, id string, options ...Option) (*SubscriptionRecord, error) {
	var answer SubscriptionRecord
	if err := h.send(ctx, call{method: "DELETE", path: "/v1/subscriptions/" + url.PathEscape(id)}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UpdateSubscription: Change where messages go, or which.
func (h *Hub) UpdateSubscription(ctx context.Context, id string, body SubscriptionPatch, options ...Option) (*SubscriptionRecord, error) {
	var answer SubscriptionRecord
	if err := h.send(ctx, call{method: "PATCH", path: "/v1/subscriptions/" + url.PathEscape(id), body: body, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ListDeliveriesQuery is what ListDeliveries may be asked for; what is nil is not said.
type ListDeliveriesQuery struct {
	// Entries per page.
	Limit *int64
	// The `nextCursor` of the page before, with the same filters and the same sort.
	Cursor *string
}

func (q ListDeliveriesQuery) values() url.Values {
	given := url.Values{}
	put(given, "limit", q.Limit)
	put(given, "cursor", q.Cursor)
	return given
}

// ListDeliveries: List the messages of a subscription.
func (h *Hub) ListDeliveries(ctx context.Context, id string, query ListDeliveriesQuery, options ...Option) (*DeliveryList, error) {
	var answer DeliveryList
	if err := h.send(ctx, call{method: "GET", path: "/v1/subscriptions/" + url.PathEscape(id) + "/deliveries", query: query.values(), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// IterateDeliveries: List the messages of a subscription; all of them, page after page as they are needed.
func (h *Hub) IterateDeliveries(id string, query ListDeliveriesQuery, options ...Option) *Iterator[DeliveryRecord] {
	if query.Limit == nil {
		query.Limit = Given[int64](200)
	}
	return &Iterator[DeliveryRecord]{fetch: func(ctx context.Context, at place) ([]DeliveryRecord, *place, error) {
		query.Cursor = at.cursor
		page, err := h.ListDeliveries(ctx, id, query, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Data, nextCursor(page.NextCursor), nil
	}}
}

// PauseSubscription: Pause a subscription.
func (h *Hub) PauseSubscription(ctx context.Context, id string, options ...Option) (*SubscriptionRecord, error) {
	var answer SubscriptionRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/subscriptions/" + url.PathEscape(id) + "/pause", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ReplayDeliveries: Send messages again.
func (h *Hub) ReplayDeliveries(ctx context.Context, id string, body ReplayInput, options ...Option) (*ReplayedDeliveries, error) {
	var answer ReplayedDeliveries
	if err := h.send(ctx, call{method: "POST", path: "/v1/subscriptions/" + url.PathEscape(id) + "/replay", body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// ResumeSubscription: Resume a subscription.
func (h *Hub) ResumeSubscription(ctx context.Context, id string, options ...Option) (*SubscriptionRecord, error) {
	var answer SubscriptionRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/subscriptions/" + url.PathEscape(id) + "/resume", mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RetryDeliveries: Try now what waits.
func (h *Hub) RetryDeliveries(ctx context.Context, id string, body RetryInput, options ...Option) (*RetriedDeliveries, error) {
	var answer RetriedDeliveries
	if err := h.send(ctx, call{method: "POST", path: "/v1/subscriptions/" + url.PathEscape(id) + "/retry", body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// RotateSubscriptionSecret: Make a new secret.
func (h *Hub) RotateSubscriptionSecret(ctx context.Context, id string, body RotationInput, options ...Option) (*SubscriptionSecret, error) {
	var answer SubscriptionSecret
	if err := h.send(ctx, call{method: "POST", path: "/v1/subscriptions/" + url.PathEscape(id) + "/rotate", body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// TestSubscription: Send a test message.
func (h *Hub) TestSubscription(ctx context.Context, id string, body SampleInput, options ...Option) (*SampleMessage, error) {
	var answer SampleMessage
	if err := h.send(ctx, call{method: "POST", path: "/v1/subscriptions/" + url.PathEscape(id) + "/test", body: body}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UploadOrdersQuery is what UploadOrders may be asked for; what is nil is not said.
type UploadOrdersQuery struct {
	// true: every row is judged, nothing is applied.
	DryRun *TrueOrFalse
}

func (q UploadOrdersQuery) values() url.Values {
	given := url.Values{}
	put(given, "dryRun", q.DryRun)
	return given
}

// UploadOrders: Upload a CSV file of orders.
func (h *Hub) UploadOrders(ctx context.Context, body string, query UploadOrdersQuery, options ...Option) (*UploadRecord, error) {
	var answer UploadRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/uploads/orders", query: query.values(), body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UploadProductsQuery is what UploadProducts may be asked for; what is nil is not said.
type UploadProductsQuery struct {
	// true: every row is judged, nothing is applied.
	DryRun *TrueOrFalse
}

func (q UploadProductsQuery) values() url.Values {
	given := url.Values{}
	put(given, "dryRun", q.DryRun)
	return given
}

// UploadProducts: Upload a CSV file of products.
func (h *Hub) UploadProducts(ctx context.Context, body string, query UploadProductsQuery, options ...Option) (*UploadRecord, error) {
	var answer UploadRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/uploads/products", query: query.values(), body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// UploadStatusesQuery is what UploadStatuses may be asked for; what is nil is not said.
type UploadStatusesQuery struct {
	// true: every row is judged, nothing is applied.
	DryRun *TrueOrFalse
}

func (q UploadStatusesQuery) values() url.Values {
	given := url.Values{}
	put(given, "dryRun", q.DryRun)
	return given
}

// UploadStatuses: Upload a CSV file of statuses.
func (h *Hub) UploadStatuses(ctx context.Context, body string, query UploadStatusesQuery, options ...Option) (*UploadRecord, error) {
	var answer UploadRecord
	if err := h.send(ctx, call{method: "POST", path: "/v1/uploads/statuses", query: query.values(), body: body, isIdempotent: true, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetUpload: Show how far an upload is.
func (h *Hub) GetUpload(ctx context.Context, id string, options ...Option) (*UploadRecord, error) {
	var answer UploadRecord
	if err := h.send(ctx, call{method: "GET", path: "/v1/uploads/" + url.PathEscape(id), mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// GetUploadVerdicts: Download what became of each row.
func (h *Hub) GetUploadVerdicts(ctx context.Context, id string, options ...Option) (string, error) {
	var answer string
	if err := h.send(ctx, call{method: "GET", path: "/v1/uploads/" + url.PathEscape(id) + "/verdicts", mayRepeat: true}, &answer, options); err != nil {
		return "", err
	}
	return answer, nil
}

// SendOrderCancelled: Send the webhook event order-cancelled.
func (h *Hub) SendOrderCancelled(ctx context.Context, body OrderCancelledWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/order-cancelled", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendOrderCreated: Send the webhook event order-created.
func (h *Hub) SendOrderCreated(ctx context.Context, body OrderCreatedWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/order-created", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendOrderDelivered: Send the webhook event order-delivered.
func (h *Hub) SendOrderDelivered(ctx context.Context, body OrderDeliveredWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/order-delivered", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendOrderPaid: Send the webhook event order-paid.
func (h *Hub) SendOrderPaid(ctx context.Context, body OrderPaidWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/order-paid", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendOrderRefunded: Send the webhook event order-refunded.
func (h *Hub) SendOrderRefunded(ctx context.Context, body OrderRefundedWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/order-refunded", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendOrderReturned: Send the webhook event order-returned.
func (h *Hub) SendOrderReturned(ctx context.Context, body OrderReturnedWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/order-returned", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendProductStockUpdated: Send the webhook event product-stock-updated.
func (h *Hub) SendProductStockUpdated(ctx context.Context, body ProductStockUpdatedWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/product-stock-updated", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}

// SendProductUpdated: Send the webhook event product-updated.
func (h *Hub) SendProductUpdated(ctx context.Context, body ProductUpdatedWebhook, eventID string, options ...Option) (*WebhookAccepted, error) {
	var answer WebhookAccepted
	if err := h.send(ctx, call{method: "POST", path: "/v1/webhooks/product-updated", body: body, eventID: eventID, mayRepeat: true}, &answer, options); err != nil {
		return nil, err
	}
	return &answer, nil
}
