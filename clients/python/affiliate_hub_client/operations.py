"""A method for each operation. Generated from the hub's OpenAPI document: `python -m clients.generator`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Protocol, cast

from affiliate_hub_client import models
from affiliate_hub_client.requests import Call, next_page, path_of, without_none


class Operations(Protocol):
    """The operations of the API, each returning its answer."""

    def send(self, call: Call) -> Any:
        """Send a call, and return the body of its answer."""
        ...

    def list_affiliates(self, *, limit: int | None = None, cursor: str | None = None) -> models.AffiliateList:
        """List the affiliates that may promote something of yours."""
        return cast(
            "models.AffiliateList",
            self.send(
                Call("GET", "/v1/affiliates", query=without_none({"limit": limit, "cursor": cursor}), may_repeat=True)
            ),
        )

    def iterate_affiliates(self, *, limit: int = 200) -> Iterator[models.AffiliateRecord]:
        """List the affiliates that may promote something of yours. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_affiliates(limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_balances(self) -> models.BalanceList:
        """Show what your commissions come to."""
        return cast("models.BalanceList", self.send(Call("GET", "/v1/balances", may_repeat=True)))

    def list_campaigns(
        self, *, page: int | None = None, page_size: int | None = None, status: models.CampaignStatus | None = None
    ) -> models.CampaignList:
        """List campaigns, newest first."""
        return cast(
            "models.CampaignList",
            self.send(
                Call(
                    "GET",
                    "/v1/campaigns",
                    query=without_none({"page": page, "pageSize": page_size, "status": status}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_campaigns(
        self, *, page_size: int = 200, status: models.CampaignStatus | None = None
    ) -> Iterator[models.CampaignRecord]:
        """List campaigns, newest first. Pages are fetched as they are needed."""
        place: int | None = 1
        while True:
            page = self.list_campaigns(page_size=page_size, status=status, page=place)
            yield from page["data"]
            place = next_page(page, "page")
            if place is None:
                return

    def create_campaign(
        self, body: models.CampaignInput, *, idempotency_key: str | None = None
    ) -> models.CampaignCreated:
        """Create a campaign, as a draft."""
        return cast(
            "models.CampaignCreated",
            self.send(
                Call(
                    "POST",
                    "/v1/campaigns",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_campaign(self, campaign_id: str) -> models.CampaignRecord:
        """Show a campaign."""
        return cast(
            "models.CampaignRecord",
            self.send(Call("GET", path_of("/v1/campaigns/{id}", id=campaign_id), may_repeat=True)),
        )

    def update_campaign(self, campaign_id: str, body: models.CampaignPatch) -> models.CampaignRecord:
        """Change the fields given, or the status."""
        return cast(
            "models.CampaignRecord",
            self.send(Call("PATCH", path_of("/v1/campaigns/{id}", id=campaign_id), body=body, may_repeat=True)),
        )

    def activate_campaign(self, campaign_id: str) -> models.CampaignRecord:
        """Activate a campaign."""
        return cast(
            "models.CampaignRecord",
            self.send(Call("POST", path_of("/v1/campaigns/{id}/activate", id=campaign_id), may_repeat=True)),
        )

    def pause_campaign(self, campaign_id: str) -> models.CampaignRecord:
        """Pause an active campaign."""
        return cast(
            "models.CampaignRecord",
            self.send(Call("POST", path_of("/v1/campaigns/{id}/pause", id=campaign_id), may_repeat=True)),
        )

    def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.ChangeList:
        """Follow what changed, from a cursor that holds for ever."""
        return cast(
            "models.ChangeList",
            self.send(
                Call(
                    "GET",
                    "/v1/changes",
                    query=without_none({"after": after, "types": types, "limit": limit, "wait": wait}),
                    may_repeat=True,
                )
            ),
        )

    def list_clicks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        link_code: str | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> models.ClickList:
        """List clicks on tracking links."""
        return cast(
            "models.ClickList",
            self.send(
                Call(
                    "GET",
                    "/v1/clicks",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "linkCode": link_code,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_clicks(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        link_code: str | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> Iterator[models.ClickRecord]:
        """List clicks on tracking links. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_clicks(
                limit=limit,
                sort=sort,
                link_code=link_code,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                created_from=created_from,
                created_to=created_to,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_commissions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        status: models.CommissionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> models.CommissionList:
        """List commissions."""
        return cast(
            "models.CommissionList",
            self.send(
                Call(
                    "GET",
                    "/v1/commissions",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "status": status,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_commissions(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        status: models.CommissionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> Iterator[models.CommissionRecord]:
        """List commissions. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_commissions(
                limit=limit,
                sort=sort,
                status=status,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                created_from=created_from,
                created_to=created_to,
                updated_since=updated_since,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_commission(self, commission_id: str) -> models.CommissionRecord:
        """Show a commission."""
        return cast(
            "models.CommissionRecord",
            self.send(Call("GET", path_of("/v1/commissions/{id}", id=commission_id), may_repeat=True)),
        )

    def list_conversions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        external_order_id: str | None = None,
        status: models.ConversionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> models.ConversionList:
        """List orders with their commissions and facts."""
        return cast(
            "models.ConversionList",
            self.send(
                Call(
                    "GET",
                    "/v1/conversions",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "externalOrderId": external_order_id,
                            "status": status,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_conversions(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        external_order_id: str | None = None,
        status: models.ConversionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> Iterator[models.ConversionRecord]:
        """List orders with their commissions and facts. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_conversions(
                limit=limit,
                sort=sort,
                external_order_id=external_order_id,
                status=status,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                created_from=created_from,
                created_to=created_to,
                updated_since=updated_since,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def report_conversion(
        self, body: models.ConversionInput, *, idempotency_key: str | None = None
    ) -> models.AcceptedEvent:
        """Report an order."""
        return cast(
            "models.AcceptedEvent",
            self.send(
                Call(
                    "POST",
                    "/v1/conversions",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_conversion(self, conversion_id: str) -> models.ConversionRecord:
        """Show an order with its commission and facts."""
        return cast(
            "models.ConversionRecord",
            self.send(Call("GET", path_of("/v1/conversions/{id}", id=conversion_id), may_repeat=True)),
        )

    def attribute_conversion(self, conversion_id: str, body: models.AttributionInput) -> models.ReviewedConversion:
        """Attribute an order under review."""
        return cast(
            "models.ReviewedConversion",
            self.send(Call("POST", path_of("/v1/conversions/{id}/attribute", id=conversion_id), body=body)),
        )

    def dismiss_conversion(self, conversion_id: str) -> models.ReviewedConversion:
        """Close a review without a commission."""
        return cast(
            "models.ReviewedConversion",
            self.send(Call("POST", path_of("/v1/conversions/{id}/dismiss", id=conversion_id))),
        )

    def list_event_types(self) -> models.EventTypeList:
        """List the kinds of messages that subscribers get."""
        return cast("models.EventTypeList", self.send(Call("GET", "/v1/event-types", may_repeat=True)))

    def list_events(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        status: models.EventStatus | None = None,
        type: models.EventType | None = None,
        kind: str | None = None,
        external_order_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> models.EventList:
        """List what was submitted, and what became of it."""
        return cast(
            "models.EventList",
            self.send(
                Call(
                    "GET",
                    "/v1/events",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "status": status,
                            "type": type,
                            "kind": kind,
                            "externalOrderId": external_order_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_events(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        status: models.EventStatus | None = None,
        type: models.EventType | None = None,
        kind: str | None = None,
        external_order_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> Iterator[models.ListedEvent]:
        """List what was submitted, and what became of it. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_events(
                limit=limit,
                sort=sort,
                status=status,
                type=type,
                kind=kind,
                external_order_id=external_order_id,
                created_from=created_from,
                created_to=created_to,
                updated_since=updated_since,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def get_event(self, event_id: str) -> models.EventRecord:
        """Show what became of an accepted submission, and why."""
        return cast(
            "models.EventRecord",
            self.send(Call("GET", path_of("/v1/events/{eventId}", eventId=event_id), may_repeat=True)),
        )

    def list_links(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        updated_since: str | None = None,
    ) -> models.LinkList:
        """List tracking links."""
        return cast(
            "models.LinkList",
            self.send(
                Call(
                    "GET",
                    "/v1/links",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_links(
        self,
        *,
        limit: int = 200,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        updated_since: str | None = None,
    ) -> Iterator[models.LinkRecord]:
        """List tracking links. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_links(
                limit=limit,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                updated_since=updated_since,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def create_link(self, body: models.LinkInput) -> models.LinkCreated:
        """Create a tracking link of an affiliate."""
        return cast("models.LinkCreated", self.send(Call("POST", "/v1/links", body=body)))

    def disable_link(self, link_id: str) -> models.LinkRecord:
        """Disable a tracking link."""
        return cast(
            "models.LinkRecord", self.send(Call("POST", path_of("/v1/links/{id}/disable", id=link_id), may_repeat=True))
        )

    def report_order_status(
        self, body: models.OrderStatusInput, *, idempotency_key: str | None = None
    ) -> models.AcceptedEvent:
        """Report what became of an order."""
        return cast(
            "models.AcceptedEvent",
            self.send(
                Call(
                    "POST",
                    "/v1/order-status",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def list_products(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        status: models.ProductStatus | None = None,
        category: str | None = None,
        search: str | None = None,
        cursor: str | None = None,
    ) -> models.ProductList:
        """List products, newest first."""
        return cast(
            "models.ProductList",
            self.send(
                Call(
                    "GET",
                    "/v1/products",
                    query=without_none(
                        {
                            "page": page,
                            "pageSize": page_size,
                            "status": status,
                            "category": category,
                            "search": search,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_products(
        self,
        *,
        page_size: int = 200,
        status: models.ProductStatus | None = None,
        category: str | None = None,
        search: str | None = None,
    ) -> Iterator[models.ProductRecord]:
        """List products, newest first. Pages are fetched as they are needed."""
        place: int | None = 1
        while True:
            page = self.list_products(page_size=page_size, status=status, category=category, search=search, page=place)
            yield from page["data"]
            place = next_page(page, "page")
            if place is None:
                return

    def archive_products(self, body: models.ArchivePayload) -> models.ArchiveResult:
        """Archive products."""
        return cast("models.ArchiveResult", self.send(Call("POST", "/v1/products/archive", body=body, may_repeat=True)))

    def import_products(
        self, body: models.ProductsPayload, *, idempotency_key: str | None = None
    ) -> models.ImportSummary:
        """Insert or replace up to 5,000 products."""
        return cast(
            "models.ImportSummary",
            self.send(
                Call(
                    "POST",
                    "/v1/products/import",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def upsert_products(
        self, body: models.ProductsPayload, *, idempotency_key: str | None = None
    ) -> models.ImportSummary:
        """Insert up to 5,000 products or change the fields given."""
        return cast(
            "models.ImportSummary",
            self.send(
                Call(
                    "POST",
                    "/v1/products/upsert",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_product(self, product_id: str) -> models.ProductRecord:
        """Show a product."""
        return cast(
            "models.ProductRecord", self.send(Call("GET", path_of("/v1/products/{id}", id=product_id), may_repeat=True))
        )

    def update_product(self, product_id: str, body: models.ProductPatch) -> models.ProductRecord:
        """Change the fields given."""
        return cast(
            "models.ProductRecord",
            self.send(Call("PATCH", path_of("/v1/products/{id}", id=product_id), body=body, may_repeat=True)),
        )

    def get_affiliate_report(self, *, from_: str | None = None, to: str | None = None) -> models.FiguresReport:
        """Report clicks, orders and commissions by affiliate."""
        return cast(
            "models.FiguresReport",
            self.send(
                Call("GET", "/v1/reports/affiliates", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    def get_campaign_report(self, *, from_: str | None = None, to: str | None = None) -> models.FiguresReport:
        """Report clicks, orders and commissions by campaign."""
        return cast(
            "models.FiguresReport",
            self.send(
                Call("GET", "/v1/reports/campaigns", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    def get_daily_report(self, *, from_: str | None = None, to: str | None = None) -> models.DailyReport:
        """Report clicks, orders and commissions by day."""
        return cast(
            "models.DailyReport",
            self.send(Call("GET", "/v1/reports/daily", query=without_none({"from": from_, "to": to}), may_repeat=True)),
        )

    def get_link_report(self, *, from_: str | None = None, to: str | None = None) -> models.LinkReport:
        """Report clicks, orders and commissions by link."""
        return cast(
            "models.LinkReport",
            self.send(Call("GET", "/v1/reports/links", query=without_none({"from": from_, "to": to}), may_repeat=True)),
        )

    def get_product_report(self, *, from_: str | None = None, to: str | None = None) -> models.ProductReport:
        """Report what was sold by product."""
        return cast(
            "models.ProductReport",
            self.send(
                Call("GET", "/v1/reports/products", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    def list_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        error_code: str | None = None,
        status: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> models.RequestList:
        """List the requests of this account, and why some were refused."""
        return cast(
            "models.RequestList",
            self.send(
                Call(
                    "GET",
                    "/v1/request-log",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "errorCode": error_code,
                            "status": status,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    def iterate_requests(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        error_code: str | None = None,
        status: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> Iterator[models.LoggedRequest]:
        """List the requests of this account, and why some were refused. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_requests(
                limit=limit,
                sort=sort,
                error_code=error_code,
                status=status,
                created_from=created_from,
                created_to=created_to,
                cursor=place,
            )
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_reviews(
        self, *, limit: int | None = None, cursor: str | None = None, sort: models.Sort | None = None
    ) -> models.ConversionList:
        """List the orders that wait for a review."""
        return cast(
            "models.ConversionList",
            self.send(
                Call(
                    "GET",
                    "/v1/review",
                    query=without_none({"limit": limit, "cursor": cursor, "sort": sort}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_reviews(
        self, *, limit: int = 200, sort: models.Sort | None = None
    ) -> Iterator[models.ConversionRecord]:
        """List the orders that wait for a review. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_reviews(limit=limit, sort=sort, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def list_statements(self) -> models.StatementList:
        """List what you owe, month by month."""
        return cast("models.StatementList", self.send(Call("GET", "/v1/statements", may_repeat=True)))

    def list_subscriptions(self) -> models.SubscriptionList:
        """List subscriptions to webhooks."""
        return cast("models.SubscriptionList", self.send(Call("GET", "/v1/subscriptions", may_repeat=True)))

    def create_subscription(self, body: models.SubscriptionInput) -> models.SubscriptionSecret:
        """Subscribe to webhooks."""
        return cast("models.SubscriptionSecret", self.send(Call("POST", "/v1/subscriptions", body=body)))

    def delete_subscription(self, subscription_id: str) -> models.SubscriptionRecord:
        """Delete a subscription."""
        return cast(
            "models.SubscriptionRecord",
            self.send(Call("DELETE", path_of("/v1/subscriptions/{id}", id=subscription_id))),
        )

    def update_subscription(self, subscription_id: str, body: models.SubscriptionPatch) -> models.SubscriptionRecord:
        """Change where messages go, or which."""
        return cast(
            "models.SubscriptionRecord",
            self.send(Call("PATCH", path_of("/v1/subscriptions/{id}", id=subscription_id), body=body, may_repeat=True)),
        )

    def list_deliveries(
        self, subscription_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.DeliveryList:
        """List the messages of a subscription."""
        return cast(
            "models.DeliveryList",
            self.send(
                Call(
                    "GET",
                    path_of("/v1/subscriptions/{id}/deliveries", id=subscription_id),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    def iterate_deliveries(self, subscription_id: str, *, limit: int = 200) -> Iterator[models.DeliveryRecord]:
        """List the messages of a subscription. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = self.list_deliveries(subscription_id, limit=limit, cursor=place)
            yield from page["data"]
            place = next_page(page, "cursor")
            if place is None:
                return

    def pause_subscription(self, subscription_id: str) -> models.SubscriptionRecord:
        """Pause a subscription."""
        return cast(
            "models.SubscriptionRecord",
            self.send(Call("POST", path_of("/v1/subscriptions/{id}/pause", id=subscription_id), may_repeat=True)),
        )

    def replay_deliveries(self, subscription_id: str, body: models.ReplayInput) -> models.ReplayedDeliveries:
        """Send messages again."""
        return cast(
            "models.ReplayedDeliveries",
            self.send(Call("POST", path_of("/v1/subscriptions/{id}/replay", id=subscription_id), body=body)),
        )

    def resume_subscription(self, subscription_id: str) -> models.SubscriptionRecord:
        """Resume a subscription."""
        return cast(
            "models.SubscriptionRecord",
            self.send(Call("POST", path_of("/v1/subscriptions/{id}/resume", id=subscription_id), may_repeat=True)),
        )

    def retry_deliveries(self, subscription_id: str, body: models.RetryInput) -> models.RetriedDeliveries:
        """Try now what waits."""
        return cast(
            "models.RetriedDeliveries",
            self.send(Call("POST", path_of("/v1/subscriptions/{id}/retry", id=subscription_id), body=body)),
        )

    def rotate_subscription_secret(self, subscription_id: str, body: models.RotationInput) -> models.SubscriptionSecret:
        """Make a new secret."""
        return cast(
            "models.SubscriptionSecret",
            self.send(Call("POST", path_of("/v1/subscriptions/{id}/rotate", id=subscription_id), body=body)),
        )

    def test_subscription(self, subscription_id: str, body: models.SampleInput) -> models.SampleMessage:
        """Send a test message."""
        return cast(
            "models.SampleMessage",
            self.send(Call("POST", path_of("/v1/subscriptions/{id}/test", id=subscription_id), body=body)),
        )

    def upload_orders(
        self, body: str, *, idempotency_key: str | None = None, dry_run: models.TrueOrFalse | None = None
    ) -> models.UploadRecord:
        """Upload a CSV file of orders."""
        return cast(
            "models.UploadRecord",
            self.send(
                Call(
                    "POST",
                    "/v1/uploads/orders",
                    query=without_none({"dryRun": dry_run}),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def upload_products(
        self, body: str, *, idempotency_key: str | None = None, dry_run: models.TrueOrFalse | None = None
    ) -> models.UploadRecord:
        """Upload a CSV file of products."""
        return cast(
            "models.UploadRecord",
            self.send(
                Call(
                    "POST",
                    "/v1/uploads/products",
                    query=without_none({"dryRun": dry_run}),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def upload_statuses(
        self, body: str, *, idempotency_key: str | None = None, dry_run: models.TrueOrFalse | None = None
    ) -> models.UploadRecord:
        """Upload a CSV file of statuses."""
        return cast(
            "models.UploadRecord",
            self.send(
                Call(
                    "POST",
                    "/v1/uploads/statuses",
                    query=without_none({"dryRun": dry_run}),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    def get_upload(self, upload_id: str) -> models.UploadRecord:
        """Show how far an upload is."""
        return cast(
            "models.UploadRecord", self.send(Call("GET", path_of("/v1/uploads/{id}", id=upload_id), may_repeat=True))
        )

    def get_upload_verdicts(self, upload_id: str) -> str:
        """Download what became of each row."""
        return cast("str", self.send(Call("GET", path_of("/v1/uploads/{id}/verdicts", id=upload_id), may_repeat=True)))

    def send_order_cancelled(self, body: models.OrderCancelledWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-cancelled."""
        return cast(
            "models.WebhookAccepted",
            self.send(Call("POST", "/v1/webhooks/order-cancelled", body=body, event_id=event_id, may_repeat=True)),
        )

    def send_order_created(self, body: models.OrderCreatedWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-created."""
        return cast(
            "models.WebhookAccepted",
            self.send(Call("POST", "/v1/webhooks/order-created", body=body, event_id=event_id, may_repeat=True)),
        )

    def send_order_delivered(self, body: models.OrderDeliveredWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-delivered."""
        return cast(
            "models.WebhookAccepted",
            self.send(Call("POST", "/v1/webhooks/order-delivered", body=body, event_id=event_id, may_repeat=True)),
        )

    def send_order_paid(self, body: models.OrderPaidWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-paid."""
        return cast(
            "models.WebhookAccepted",
            self.send(Call("POST", "/v1/webhooks/order-paid", body=body, event_id=event_id, may_repeat=True)),
        )

    def send_order_refunded(self, body: models.OrderRefundedWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-refunded."""
        return cast(
            "models.WebhookAccepted",
            self.send(Call("POST", "/v1/webhooks/order-refunded", body=body, event_id=event_id, may_repeat=True)),
        )

    def send_order_returned(self, body: models.OrderReturnedWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-returned."""
        return cast(
            "models.WebhookAccepted",
            self.send(Call("POST", "/v1/webhooks/order-returned", body=body, event_id=event_id, may_repeat=True)),
        )

    def send_product_stock_updated(
        self, body: models.ProductStockUpdatedWebhook, *, event_id: str
    ) -> models.WebhookAccepted:
        """Send the webhook event product-stock-updated."""
        return cast(
            "models.WebhookAccepted",
            self.send(
                Call("POST", "/v1/webhooks/product-stock-updated", body=body, event_id=event_id, may_repeat=True)
            ),
        )

    def send_product_updated(self, body: models.ProductUpdatedWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event product-updated."""
        return cast(
            "models.WebhookAccepted",
            self.send(Call("POST", "/v1/webhooks/product-updated", body=body, event_id=event_id, may_repeat=True)),
        )


class AsyncOperations(Protocol):
    """The operations of the API, awaited."""

    async def send(self, call: Call) -> Any:
        """Send a call, and return the body of its answer."""
        ...

    async def list_affiliates(self, *, limit: int | None = None, cursor: str | None = None) -> models.AffiliateList:
        """List the affiliates that may promote something of yours."""
        return cast(
            "models.AffiliateList",
            await self.send(
                Call("GET", "/v1/affiliates", query=without_none({"limit": limit, "cursor": cursor}), may_repeat=True)
            ),
        )

    async def iterate_affiliates(self, *, limit: int = 200) -> AsyncIterator[models.AffiliateRecord]:
        """List the affiliates that may promote something of yours. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_affiliates(limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_balances(self) -> models.BalanceList:
        """Show what your commissions come to."""
        return cast("models.BalanceList", await self.send(Call("GET", "/v1/balances", may_repeat=True)))

    async def list_campaigns(
        self, *, page: int | None = None, page_size: int | None = None, status: models.CampaignStatus | None = None
    ) -> models.CampaignList:
        """List campaigns, newest first."""
        return cast(
            "models.CampaignList",
            await self.send(
                Call(
                    "GET",
                    "/v1/campaigns",
                    query=without_none({"page": page, "pageSize": page_size, "status": status}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_campaigns(
        self, *, page_size: int = 200, status: models.CampaignStatus | None = None
    ) -> AsyncIterator[models.CampaignRecord]:
        """List campaigns, newest first. Pages are fetched as they are needed."""
        place: int | None = 1
        while True:
            page = await self.list_campaigns(page_size=page_size, status=status, page=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "page")
            if place is None:
                return

    async def create_campaign(
        self, body: models.CampaignInput, *, idempotency_key: str | None = None
    ) -> models.CampaignCreated:
        """Create a campaign, as a draft."""
        return cast(
            "models.CampaignCreated",
            await self.send(
                Call(
                    "POST",
                    "/v1/campaigns",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_campaign(self, campaign_id: str) -> models.CampaignRecord:
        """Show a campaign."""
        return cast(
            "models.CampaignRecord",
            await self.send(Call("GET", path_of("/v1/campaigns/{id}", id=campaign_id), may_repeat=True)),
        )

    async def update_campaign(self, campaign_id: str, body: models.CampaignPatch) -> models.CampaignRecord:
        """Change the fields given, or the status."""
        return cast(
            "models.CampaignRecord",
            await self.send(Call("PATCH", path_of("/v1/campaigns/{id}", id=campaign_id), body=body, may_repeat=True)),
        )

    async def activate_campaign(self, campaign_id: str) -> models.CampaignRecord:
        """Activate a campaign."""
        return cast(
            "models.CampaignRecord",
            await self.send(Call("POST", path_of("/v1/campaigns/{id}/activate", id=campaign_id), may_repeat=True)),
        )

    async def pause_campaign(self, campaign_id: str) -> models.CampaignRecord:
        """Pause an active campaign."""
        return cast(
            "models.CampaignRecord",
            await self.send(Call("POST", path_of("/v1/campaigns/{id}/pause", id=campaign_id), may_repeat=True)),
        )

    async def list_changes(
        self, *, after: str | None = None, types: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> models.ChangeList:
        """Follow what changed, from a cursor that holds for ever."""
        return cast(
            "models.ChangeList",
            await self.send(
                Call(
                    "GET",
                    "/v1/changes",
                    query=without_none({"after": after, "types": types, "limit": limit, "wait": wait}),
                    may_repeat=True,
                )
            ),
        )

    async def list_clicks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        link_code: str | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> models.ClickList:
        """List clicks on tracking links."""
        return cast(
            "models.ClickList",
            await self.send(
                Call(
                    "GET",
                    "/v1/clicks",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "linkCode": link_code,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_clicks(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        link_code: str | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> AsyncIterator[models.ClickRecord]:
        """List clicks on tracking links. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_clicks(
                limit=limit,
                sort=sort,
                link_code=link_code,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                created_from=created_from,
                created_to=created_to,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_commissions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        status: models.CommissionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> models.CommissionList:
        """List commissions."""
        return cast(
            "models.CommissionList",
            await self.send(
                Call(
                    "GET",
                    "/v1/commissions",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "status": status,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_commissions(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        status: models.CommissionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> AsyncIterator[models.CommissionRecord]:
        """List commissions. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_commissions(
                limit=limit,
                sort=sort,
                status=status,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                created_from=created_from,
                created_to=created_to,
                updated_since=updated_since,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_commission(self, commission_id: str) -> models.CommissionRecord:
        """Show a commission."""
        return cast(
            "models.CommissionRecord",
            await self.send(Call("GET", path_of("/v1/commissions/{id}", id=commission_id), may_repeat=True)),
        )

    async def list_conversions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        external_order_id: str | None = None,
        status: models.ConversionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> models.ConversionList:
        """List orders with their commissions and facts."""
        return cast(
            "models.ConversionList",
            await self.send(
                Call(
                    "GET",
                    "/v1/conversions",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "externalOrderId": external_order_id,
                            "status": status,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_conversions(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        external_order_id: str | None = None,
        status: models.ConversionState | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> AsyncIterator[models.ConversionRecord]:
        """List orders with their commissions and facts. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_conversions(
                limit=limit,
                sort=sort,
                external_order_id=external_order_id,
                status=status,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                created_from=created_from,
                created_to=created_to,
                updated_since=updated_since,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def report_conversion(
        self, body: models.ConversionInput, *, idempotency_key: str | None = None
    ) -> models.AcceptedEvent:
        """Report an order."""
        return cast(
            "models.AcceptedEvent",
            await self.send(
                Call(
                    "POST",
                    "/v1/conversions",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_conversion(self, conversion_id: str) -> models.ConversionRecord:
        """Show an order with its commission and facts."""
        return cast(
            "models.ConversionRecord",
            await self.send(Call("GET", path_of("/v1/conversions/{id}", id=conversion_id), may_repeat=True)),
        )

    async def attribute_conversion(
        self, conversion_id: str, body: models.AttributionInput
    ) -> models.ReviewedConversion:
        """Attribute an order under review."""
        return cast(
            "models.ReviewedConversion",
            await self.send(Call("POST", path_of("/v1/conversions/{id}/attribute", id=conversion_id), body=body)),
        )

    async def dismiss_conversion(self, conversion_id: str) -> models.ReviewedConversion:
        """Close a review without a commission."""
        return cast(
            "models.ReviewedConversion",
            await self.send(Call("POST", path_of("/v1/conversions/{id}/dismiss", id=conversion_id))),
        )

    async def list_event_types(self) -> models.EventTypeList:
        """List the kinds of messages that subscribers get."""
        return cast("models.EventTypeList", await self.send(Call("GET", "/v1/event-types", may_repeat=True)))

    async def list_events(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        status: models.EventStatus | None = None,
        type: models.EventType | None = None,
        kind: str | None = None,
        external_order_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> models.EventList:
        """List what was submitted, and what became of it."""
        return cast(
            "models.EventList",
            await self.send(
                Call(
                    "GET",
                    "/v1/events",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "status": status,
                            "type": type,
                            "kind": kind,
                            "externalOrderId": external_order_id,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_events(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        status: models.EventStatus | None = None,
        type: models.EventType | None = None,
        kind: str | None = None,
        external_order_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        updated_since: str | None = None,
    ) -> AsyncIterator[models.ListedEvent]:
        """List what was submitted, and what became of it. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_events(
                limit=limit,
                sort=sort,
                status=status,
                type=type,
                kind=kind,
                external_order_id=external_order_id,
                created_from=created_from,
                created_to=created_to,
                updated_since=updated_since,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def get_event(self, event_id: str) -> models.EventRecord:
        """Show what became of an accepted submission, and why."""
        return cast(
            "models.EventRecord",
            await self.send(Call("GET", path_of("/v1/events/{eventId}", eventId=event_id), may_repeat=True)),
        )

    async def list_links(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        updated_since: str | None = None,
    ) -> models.LinkList:
        """List tracking links."""
        return cast(
            "models.LinkList",
            await self.send(
                Call(
                    "GET",
                    "/v1/links",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "affiliateId": affiliate_id,
                            "campaignId": campaign_id,
                            "updatedSince": updated_since,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_links(
        self,
        *,
        limit: int = 200,
        affiliate_id: str | None = None,
        campaign_id: str | None = None,
        updated_since: str | None = None,
    ) -> AsyncIterator[models.LinkRecord]:
        """List tracking links. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_links(
                limit=limit,
                affiliate_id=affiliate_id,
                campaign_id=campaign_id,
                updated_since=updated_since,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def create_link(self, body: models.LinkInput) -> models.LinkCreated:
        """Create a tracking link of an affiliate."""
        return cast("models.LinkCreated", await self.send(Call("POST", "/v1/links", body=body)))

    async def disable_link(self, link_id: str) -> models.LinkRecord:
        """Disable a tracking link."""
        return cast(
            "models.LinkRecord",
            await self.send(Call("POST", path_of("/v1/links/{id}/disable", id=link_id), may_repeat=True)),
        )

    async def report_order_status(
        self, body: models.OrderStatusInput, *, idempotency_key: str | None = None
    ) -> models.AcceptedEvent:
        """Report what became of an order."""
        return cast(
            "models.AcceptedEvent",
            await self.send(
                Call(
                    "POST",
                    "/v1/order-status",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def list_products(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        status: models.ProductStatus | None = None,
        category: str | None = None,
        search: str | None = None,
        cursor: str | None = None,
    ) -> models.ProductList:
        """List products, newest first."""
        return cast(
            "models.ProductList",
            await self.send(
                Call(
                    "GET",
                    "/v1/products",
                    query=without_none(
                        {
                            "page": page,
                            "pageSize": page_size,
                            "status": status,
                            "category": category,
                            "search": search,
                            "cursor": cursor,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_products(
        self,
        *,
        page_size: int = 200,
        status: models.ProductStatus | None = None,
        category: str | None = None,
        search: str | None = None,
    ) -> AsyncIterator[models.ProductRecord]:
        """List products, newest first. Pages are fetched as they are needed."""
        place: int | None = 1
        while True:
            page = await self.list_products(
                page_size=page_size, status=status, category=category, search=search, page=place
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "page")
            if place is None:
                return

    async def archive_products(self, body: models.ArchivePayload) -> models.ArchiveResult:
        """Archive products."""
        return cast(
            "models.ArchiveResult", await self.send(Call("POST", "/v1/products/archive", body=body, may_repeat=True))
        )

    async def import_products(
        self, body: models.ProductsPayload, *, idempotency_key: str | None = None
    ) -> models.ImportSummary:
        """Insert or replace up to 5,000 products."""
        return cast(
            "models.ImportSummary",
            await self.send(
                Call(
                    "POST",
                    "/v1/products/import",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def upsert_products(
        self, body: models.ProductsPayload, *, idempotency_key: str | None = None
    ) -> models.ImportSummary:
        """Insert up to 5,000 products or change the fields given."""
        return cast(
            "models.ImportSummary",
            await self.send(
                Call(
                    "POST",
                    "/v1/products/upsert",
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_product(self, product_id: str) -> models.ProductRecord:
        """Show a product."""
        return cast(
            "models.ProductRecord",
            await self.send(Call("GET", path_of("/v1/products/{id}", id=product_id), may_repeat=True)),
        )

    async def update_product(self, product_id: str, body: models.ProductPatch) -> models.ProductRecord:
        """Change the fields given."""
        return cast(
            "models.ProductRecord",
            await self.send(Call("PATCH", path_of("/v1/products/{id}", id=product_id), body=body, may_repeat=True)),
        )

    async def get_affiliate_report(self, *, from_: str | None = None, to: str | None = None) -> models.FiguresReport:
        """Report clicks, orders and commissions by affiliate."""
        return cast(
            "models.FiguresReport",
            await self.send(
                Call("GET", "/v1/reports/affiliates", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    async def get_campaign_report(self, *, from_: str | None = None, to: str | None = None) -> models.FiguresReport:
        """Report clicks, orders and commissions by campaign."""
        return cast(
            "models.FiguresReport",
            await self.send(
                Call("GET", "/v1/reports/campaigns", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    async def get_daily_report(self, *, from_: str | None = None, to: str | None = None) -> models.DailyReport:
        """Report clicks, orders and commissions by day."""
        return cast(
            "models.DailyReport",
            await self.send(
                Call("GET", "/v1/reports/daily", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    async def get_link_report(self, *, from_: str | None = None, to: str | None = None) -> models.LinkReport:
        """Report clicks, orders and commissions by link."""
        return cast(
            "models.LinkReport",
            await self.send(
                Call("GET", "/v1/reports/links", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    async def get_product_report(self, *, from_: str | None = None, to: str | None = None) -> models.ProductReport:
        """Report what was sold by product."""
        return cast(
            "models.ProductReport",
            await self.send(
                Call("GET", "/v1/reports/products", query=without_none({"from": from_, "to": to}), may_repeat=True)
            ),
        )

    async def list_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.Sort | None = None,
        error_code: str | None = None,
        status: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> models.RequestList:
        """List the requests of this account, and why some were refused."""
        return cast(
            "models.RequestList",
            await self.send(
                Call(
                    "GET",
                    "/v1/request-log",
                    query=without_none(
                        {
                            "limit": limit,
                            "cursor": cursor,
                            "sort": sort,
                            "errorCode": error_code,
                            "status": status,
                            "createdFrom": created_from,
                            "createdTo": created_to,
                        }
                    ),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_requests(
        self,
        *,
        limit: int = 200,
        sort: models.Sort | None = None,
        error_code: str | None = None,
        status: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
    ) -> AsyncIterator[models.LoggedRequest]:
        """List the requests of this account, and why some were refused. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_requests(
                limit=limit,
                sort=sort,
                error_code=error_code,
                status=status,
                created_from=created_from,
                created_to=created_to,
                cursor=place,
            )
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_reviews(
        self, *, limit: int | None = None, cursor: str | None = None, sort: models.Sort | None = None
    ) -> models.ConversionList:
        """List the orders that wait for a review."""
        return cast(
            "models.ConversionList",
            await self.send(
                Call(
                    "GET",
                    "/v1/review",
                    query=without_none({"limit": limit, "cursor": cursor, "sort": sort}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_reviews(
        self, *, limit: int = 200, sort: models.Sort | None = None
    ) -> AsyncIterator[models.ConversionRecord]:
        """List the orders that wait for a review. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_reviews(limit=limit, sort=sort, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def list_statements(self) -> models.StatementList:
        """List what you owe, month by month."""
        return cast("models.StatementList", await self.send(Call("GET", "/v1/statements", may_repeat=True)))

    async def list_subscriptions(self) -> models.SubscriptionList:
        """List subscriptions to webhooks."""
        return cast("models.SubscriptionList", await self.send(Call("GET", "/v1/subscriptions", may_repeat=True)))

    async def create_subscription(self, body: models.SubscriptionInput) -> models.SubscriptionSecret:
        """Subscribe to webhooks."""
        return cast("models.SubscriptionSecret", await self.send(Call("POST", "/v1/subscriptions", body=body)))

    async def delete_subscription(self, subscription_id: str) -> models.SubscriptionRecord:
        """Delete a subscription."""
        return cast(
            "models.SubscriptionRecord",
            await self.send(Call("DELETE", path_of("/v1/subscriptions/{id}", id=subscription_id))),
        )

    async def update_subscription(
        self, subscription_id: str, body: models.SubscriptionPatch
    ) -> models.SubscriptionRecord:
        """Change where messages go, or which."""
        return cast(
            "models.SubscriptionRecord",
            await self.send(
                Call("PATCH", path_of("/v1/subscriptions/{id}", id=subscription_id), body=body, may_repeat=True)
            ),
        )

    async def list_deliveries(
        self, subscription_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> models.DeliveryList:
        """List the messages of a subscription."""
        return cast(
            "models.DeliveryList",
            await self.send(
                Call(
                    "GET",
                    path_of("/v1/subscriptions/{id}/deliveries", id=subscription_id),
                    query=without_none({"limit": limit, "cursor": cursor}),
                    may_repeat=True,
                )
            ),
        )

    async def iterate_deliveries(
        self, subscription_id: str, *, limit: int = 200
    ) -> AsyncIterator[models.DeliveryRecord]:
        """List the messages of a subscription. Pages are fetched as they are needed."""
        place: str | None = None
        while True:
            page = await self.list_deliveries(subscription_id, limit=limit, cursor=place)
            for each in page["data"]:
                yield each
            place = next_page(page, "cursor")
            if place is None:
                return

    async def pause_subscription(self, subscription_id: str) -> models.SubscriptionRecord:
        """Pause a subscription."""
        return cast(
            "models.SubscriptionRecord",
            await self.send(Call("POST", path_of("/v1/subscriptions/{id}/pause", id=subscription_id), may_repeat=True)),
        )

    async def replay_deliveries(self, subscription_id: str, body: models.ReplayInput) -> models.ReplayedDeliveries:
        """Send messages again."""
        return cast(
            "models.ReplayedDeliveries",
            await self.send(Call("POST", path_of("/v1/subscriptions/{id}/replay", id=subscription_id), body=body)),
        )

    async def resume_subscription(self, subscription_id: str) -> models.SubscriptionRecord:
        """Resume a subscription."""
        return cast(
            "models.SubscriptionRecord",
            await self.send(
                Call("POST", path_of("/v1/subscriptions/{id}/resume", id=subscription_id), may_repeat=True)
            ),
        )

    async def retry_deliveries(self, subscription_id: str, body: models.RetryInput) -> models.RetriedDeliveries:
        """Try now what waits."""
        return cast(
            "models.RetriedDeliveries",
            await self.send(Call("POST", path_of("/v1/subscriptions/{id}/retry", id=subscription_id), body=body)),
        )

    async def rotate_subscription_secret(
        self, subscription_id: str, body: models.RotationInput
    ) -> models.SubscriptionSecret:
        """Make a new secret."""
        return cast(
            "models.SubscriptionSecret",
            await self.send(Call("POST", path_of("/v1/subscriptions/{id}/rotate", id=subscription_id), body=body)),
        )

    async def test_subscription(self, subscription_id: str, body: models.SampleInput) -> models.SampleMessage:
        """Send a test message."""
        return cast(
            "models.SampleMessage",
            await self.send(Call("POST", path_of("/v1/subscriptions/{id}/test", id=subscription_id), body=body)),
        )

    async def upload_orders(
        self, body: str, *, idempotency_key: str | None = None, dry_run: models.TrueOrFalse | None = None
    ) -> models.UploadRecord:
        """Upload a CSV file of orders."""
        return cast(
            "models.UploadRecord",
            await self.send(
                Call(
                    "POST",
                    "/v1/uploads/orders",
                    query=without_none({"dryRun": dry_run}),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def upload_products(
        self, body: str, *, idempotency_key: str | None = None, dry_run: models.TrueOrFalse | None = None
    ) -> models.UploadRecord:
        """Upload a CSV file of products."""
        return cast(
            "models.UploadRecord",
            await self.send(
                Call(
                    "POST",
                    "/v1/uploads/products",
                    query=without_none({"dryRun": dry_run}),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def upload_statuses(
        self, body: str, *, idempotency_key: str | None = None, dry_run: models.TrueOrFalse | None = None
    ) -> models.UploadRecord:
        """Upload a CSV file of statuses."""
        return cast(
            "models.UploadRecord",
            await self.send(
                Call(
                    "POST",
                    "/v1/uploads/statuses",
                    query=without_none({"dryRun": dry_run}),
                    body=body,
                    idempotency_key=idempotency_key,
                    is_idempotent=True,
                    may_repeat=True,
                )
            ),
        )

    async def get_upload(self, upload_id: str) -> models.UploadRecord:
        """Show how far an upload is."""
        return cast(
            "models.UploadRecord",
            await self.send(Call("GET", path_of("/v1/uploads/{id}", id=upload_id), may_repeat=True)),
        )

    async def get_upload_verdicts(self, upload_id: str) -> str:
        """Download what became of each row."""
        return cast(
            "str", await self.send(Call("GET", path_of("/v1/uploads/{id}/verdicts", id=upload_id), may_repeat=True))
        )

    async def send_order_cancelled(
        self, body: models.OrderCancelledWebhook, *, event_id: str
    ) -> models.WebhookAccepted:
        """Send the webhook event order-cancelled."""
        return cast(
            "models.WebhookAccepted",
            await self.send(
                Call("POST", "/v1/webhooks/order-cancelled", body=body, event_id=event_id, may_repeat=True)
            ),
        )

    async def send_order_created(self, body: models.OrderCreatedWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-created."""
        return cast(
            "models.WebhookAccepted",
            await self.send(Call("POST", "/v1/webhooks/order-created", body=body, event_id=event_id, may_repeat=True)),
        )

    async def send_order_delivered(
        self, body: models.OrderDeliveredWebhook, *, event_id: str
    ) -> models.WebhookAccepted:
        """Send the webhook event order-delivered."""
        return cast(
            "models.WebhookAccepted",
            await self.send(
                Call("POST", "/v1/webhooks/order-delivered", body=body, event_id=event_id, may_repeat=True)
            ),
        )

    async def send_order_paid(self, body: models.OrderPaidWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-paid."""
        return cast(
            "models.WebhookAccepted",
            await self.send(Call("POST", "/v1/webhooks/order-paid", body=body, event_id=event_id, may_repeat=True)),
        )

    async def send_order_refunded(self, body: models.OrderRefundedWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-refunded."""
        return cast(
            "models.WebhookAccepted",
            await self.send(Call("POST", "/v1/webhooks/order-refunded", body=body, event_id=event_id, may_repeat=True)),
        )

    async def send_order_returned(self, body: models.OrderReturnedWebhook, *, event_id: str) -> models.WebhookAccepted:
        """Send the webhook event order-returned."""
        return cast(
            "models.WebhookAccepted",
            await self.send(Call("POST", "/v1/webhooks/order-returned", body=body, event_id=event_id, may_repeat=True)),
        )

    async def send_product_stock_updated(
        self, body: models.ProductStockUpdatedWebhook, *, event_id: str
    ) -> models.WebhookAccepted:
        """Send the webhook event product-stock-updated."""
        return cast(
            "models.WebhookAccepted",
            await self.send(
                Call("POST", "/v1/webhooks/product-stock-updated", body=body, event_id=event_id, may_repeat=True)
            ),
        )

    async def send_product_updated(
        self, body: models.ProductUpdatedWebhook, *, event_id: str
    ) -> models.WebhookAccepted:
        """Send the webhook event product-updated."""
        return cast(
            "models.WebhookAccepted",
            await self.send(
                Call("POST", "/v1/webhooks/product-updated", body=body, event_id=event_id, may_repeat=True)
            ),
        )
