"""The table of the v1 endpoints: it determines routing, the pipeline and the OpenAPI document."""

from __future__ import annotations

from typing import Final

from hub.csv_import.kinds import KINDS
from hub.domain.orders.facts import FACTS_OF_KIND
from hub.merchant_api import list_responses as lists
from hub.merchant_api.act_responses import (
    CommissionRecord,
    LinkCreated,
    LinkRecord,
    ReviewedConversion,
    UploadRecord,
)
from hub.merchant_api.endpoint import CsvFile, Endpoint, Handler, HeaderField, JsonObject
from hub.merchant_api.responses import (
    AcceptedEvent,
    ArchiveResult,
    CampaignList,
    ChangeList,
    ImportSummary,
    ProductList,
    ReplayedDeliveries,
    RetriedDeliveries,
    SampleMessage,
    WebhookAccepted,
)
from hub.merchant_api.v1 import (
    acts,
    campaigns,
    changes,
    events,
    product_import,
    products,
    reading,
    reports,
    subscriptions,
    uploads,
)
from hub.merchant_api.v1.list_queries import (
    AffiliateQuery,
    AttributionInput,
    ClickQuery,
    CommissionQuery,
    ConversionQuery,
    EventQuery,
    LinkInput,
    LinkQuery,
    PageQuery,
    RequestQuery,
)
from hub.merchant_api.v1.reports import ReportQuery
from hub.merchant_api.v1.subscriptions import (
    DeliveryQuery,
    ReplayInput,
    RetryInput,
    RotationInput,
    SampleInput,
    SubscriptionInput,
    SubscriptionPatch,
)
from hub.records.campaigns import CAMPAIGN_CREATED, CampaignRecord
from hub.records.events import EventRecord
from hub.records.orders import ConversionRecord
from hub.records.products import ProductRecord
from hub.records.record import Shown
from hub.records.subscriptions import SubscriptionRecord, SubscriptionSecret
from hub.validation.inputs import (
    ArchivePayload,
    CampaignInput,
    CampaignPatch,
    CampaignQuery,
    ConversionInput,
    OrderStatusInput,
    ProductPatch,
    ProductQuery,
    ProductsPayload,
)

EXTERNAL_EVENT_ID: Final = HeaderField(
    "X-External-Event-Id",
    "The sender's id of the event, unique per account: a second delivery is a duplicate.",
    events.LONGEST_EVENT_ID,
)


def _webhook(kind: str) -> Endpoint:
    operation = "send" + "".join(part.title() for part in kind.split("-"))
    return Endpoint(
        "POST", f"/v1/webhooks/{kind}", operation, f"Send the webhook event {kind}", events.receive_webhook,
        202, WebhookAccepted, body=JsonObject, headers=(EXTERNAL_EVENT_ID,), idempotent=True,
    )  # fmt: skip


def _read(
    path: str, operation: str, summary: str, handler: Handler, response: Shown, query: type | None = None
) -> Endpoint:
    return Endpoint("GET", path, operation, summary, handler, 200, response, query=query, conditional=True)


def _upload(kind: str) -> Endpoint:
    return Endpoint(
        "POST", f"/v1/uploads/{kind}", f"upload{kind.title()}", f"Upload a CSV file of {kind}", uploads.take_upload,
        202, UploadRecord, body=CsvFile, query=uploads.UploadQuery, idempotent=True, limit="import", reads_body=True,
    )  # fmt: skip


ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    Endpoint("POST", "/v1/products/import", "importProducts", "Insert or replace up to 5,000 products",
             product_import.import_products, 202, ImportSummary,
             body=ProductsPayload, reads_body=True, idempotent=True, limit="import"),
    Endpoint("POST", "/v1/products/upsert", "upsertProducts", "Insert up to 5,000 products or change the fields given",
             product_import.upsert_products, 202, ImportSummary,
             body=ProductsPayload, reads_body=True, idempotent=True, limit="import"),
    Endpoint("GET", "/v1/products", "listProducts", "List products, newest first",
             products.list_products, 200, ProductList, query=ProductQuery),
    Endpoint("POST", "/v1/products/archive", "archiveProducts", "Archive products",
             products.archive_products, 200, ArchiveResult, body=ArchivePayload),
    Endpoint("GET", "/v1/products/{id}", "getProduct", "Show a product",
             products.get_product, 200, ProductRecord),
    Endpoint("PATCH", "/v1/products/{id}", "updateProduct", "Change the fields given",
             products.patch_product, 200, ProductRecord, body=ProductPatch),
    Endpoint("POST", "/v1/campaigns", "createCampaign", "Create a campaign, as a draft",
             campaigns.create_campaign, 201, CAMPAIGN_CREATED, body=CampaignInput, idempotent=True),
    Endpoint("GET", "/v1/campaigns", "listCampaigns", "List campaigns, newest first",
             campaigns.list_campaigns, 200, CampaignList, query=CampaignQuery),
    Endpoint("GET", "/v1/campaigns/{id}", "getCampaign", "Show a campaign",
             campaigns.get_campaign, 200, CampaignRecord),
    Endpoint("PATCH", "/v1/campaigns/{id}", "updateCampaign", "Change the fields given, or the status",
             campaigns.patch_campaign, 200, CampaignRecord, body=CampaignPatch),
    Endpoint("POST", "/v1/campaigns/{id}/pause", "pauseCampaign", "Pause an active campaign",
             campaigns.pause_campaign, 200, CampaignRecord),
    Endpoint("POST", "/v1/campaigns/{id}/activate", "activateCampaign", "Activate a campaign",
             campaigns.activate_campaign, 200, CampaignRecord),
    Endpoint("POST", "/v1/conversions", "reportConversion", "Report an order",
             events.report_conversion, 202, AcceptedEvent, body=ConversionInput, idempotent=True),
    Endpoint("POST", "/v1/order-status", "reportOrderStatus", "Report what became of an order",
             events.report_status, 202, AcceptedEvent, body=OrderStatusInput, idempotent=True),
    *(_webhook(kind) for kind in FACTS_OF_KIND),
    Endpoint("GET", "/v1/events/{eventId}", "getEvent", "Show what became of an accepted submission, and why",
             events.look_up_event, 200, EventRecord),
    *(_upload(kind) for kind in KINDS),
    Endpoint("GET", "/v1/uploads/{id}", "getUpload", "Show how far an upload is",
             uploads.get_upload, 200, UploadRecord),
    Endpoint("GET", "/v1/uploads/{id}/verdicts", "getUploadVerdicts", "Download what became of each row",
             uploads.get_verdicts, 200, CsvFile),
    _read("/v1/conversions", "listConversions", "List orders with their commissions and facts",
          reading.list_conversions, lists.CONVERSIONS, ConversionQuery),
    _read("/v1/conversions/{id}", "getConversion", "Show an order with its commission and facts",
          reading.get_conversion, ConversionRecord),
    Endpoint("POST", "/v1/conversions/{id}/attribute", "attributeConversion", "Attribute an order under review",
             acts.attribute_conversion, 200, ReviewedConversion, body=AttributionInput),
    Endpoint("POST", "/v1/conversions/{id}/dismiss", "dismissConversion", "Close a review without a commission",
             acts.dismiss_conversion, 200, ReviewedConversion),
    _read("/v1/events", "listEvents", "List what was submitted, and what became of it",
          reading.list_events, lists.EVENTS, EventQuery),
    _read("/v1/commissions", "listCommissions", "List commissions",
          reading.list_commissions, lists.COMMISSIONS, CommissionQuery),
    _read("/v1/commissions/{id}", "getCommission", "Show a commission", reading.get_commission, CommissionRecord),
    _read("/v1/review", "listReviews", "List the orders that wait for a review",
          reading.list_reviews, lists.CONVERSIONS, PageQuery),
    Endpoint("GET", "/v1/changes", "listChanges", "Follow what changed, from a cursor that holds for ever",
             changes.list_changes, 200, ChangeList, query=changes.ChangesQuery, waits=True,
             scopes=changes.SCOPES),
    _read("/v1/links", "listLinks", "List tracking links", acts.list_links, lists.LINKS, LinkQuery),
    Endpoint("POST", "/v1/links", "createLink", "Create a tracking link of an affiliate",
             acts.create_link, 201, LinkCreated, body=LinkInput),
    Endpoint("POST", "/v1/links/{id}/disable", "disableLink", "Disable a tracking link",
             acts.disable_link, 200, LinkRecord),
    _read("/v1/clicks", "listClicks", "List clicks on tracking links", reading.list_clicks, lists.CLICKS, ClickQuery),
    _read("/v1/affiliates", "listAffiliates", "List the affiliates that may promote something of yours",
          reading.list_affiliates, lists.AFFILIATES, AffiliateQuery),
    _read("/v1/request-log", "listRequests", "List the requests of this account, and why some were refused",
          reading.list_requests, lists.REQUESTS, RequestQuery),
    _read("/v1/reports/daily", "getDailyReport", "Report clicks, orders and commissions by day",
          reports.daily_report, lists.DAYS, ReportQuery),
    _read("/v1/reports/campaigns", "getCampaignReport", "Report clicks, orders and commissions by campaign",
          reports.campaign_report, lists.PARTIES, ReportQuery),
    _read("/v1/reports/affiliates", "getAffiliateReport", "Report clicks, orders and commissions by affiliate",
          reports.affiliate_report, lists.PARTIES, ReportQuery),
    _read("/v1/reports/products", "getProductReport", "Report what was sold by product",
          reports.product_report, lists.PRODUCTS, ReportQuery),
    _read("/v1/reports/links", "getLinkReport", "Report clicks, orders and commissions by link",
          reports.link_report, lists.LINK_FIGURES, ReportQuery),
    _read("/v1/balances", "listBalances", "Show what your commissions come to", reports.balances, lists.BALANCES),
    _read("/v1/statements", "listStatements", "List what you owe, month by month",
          reports.statements, lists.STATEMENTS),
    _read("/v1/event-types", "listEventTypes", "List the kinds of messages that subscribers get",
          subscriptions.event_types, lists.EVENT_TYPES),
    _read("/v1/subscriptions", "listSubscriptions", "List subscriptions to webhooks",
          subscriptions.list_own, lists.SUBSCRIPTIONS),
    Endpoint("POST", "/v1/subscriptions", "createSubscription", "Subscribe to webhooks",
             subscriptions.create, 201, SubscriptionSecret, body=SubscriptionInput),
    Endpoint("PATCH", "/v1/subscriptions/{id}", "updateSubscription", "Change where messages go, or which",
             subscriptions.change, 200, SubscriptionRecord, body=SubscriptionPatch),
    Endpoint("POST", "/v1/subscriptions/{id}/test", "testSubscription", "Send a test message",
             subscriptions.test, 202, SampleMessage, body=SampleInput),
    Endpoint("POST", "/v1/subscriptions/{id}/retry", "retryDeliveries", "Try now what waits",
             subscriptions.retry, 200, RetriedDeliveries, body=RetryInput),
    Endpoint("POST", "/v1/subscriptions/{id}/pause", "pauseSubscription", "Pause a subscription",
             subscriptions.pause, 200, SubscriptionRecord),
    Endpoint("POST", "/v1/subscriptions/{id}/resume", "resumeSubscription", "Resume a subscription",
             subscriptions.resume, 200, SubscriptionRecord),
    Endpoint("POST", "/v1/subscriptions/{id}/rotate", "rotateSubscriptionSecret", "Make a new secret",
             subscriptions.rotate, 200, SubscriptionSecret, body=RotationInput),
    _read("/v1/subscriptions/{id}/deliveries", "listDeliveries", "List the messages of a subscription",
          subscriptions.deliveries, lists.DELIVERIES, DeliveryQuery),
    Endpoint("POST", "/v1/subscriptions/{id}/replay", "replayDeliveries", "Send messages again",
             subscriptions.replay, 200, ReplayedDeliveries, body=ReplayInput),
    Endpoint("DELETE", "/v1/subscriptions/{id}", "deleteSubscription", "Delete a subscription",
             subscriptions.delete, 200, SubscriptionRecord),
)  # fmt: skip
