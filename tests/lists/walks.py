"""The table of all lists: where each is read, and which entries are stored of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

IDS: Final[Mapping[str, str]] = {
    "acts": "SELECT trail_id FROM trail",
    "adjustments": "SELECT adjustment_id FROM adjustments",
    "affiliates": "SELECT affiliate_id FROM affiliates",
    "all campaigns": "SELECT campaign_id FROM campaigns",
    "campaigns": "SELECT campaign_id FROM campaigns WHERE account_id = :account",
    "public campaigns": "SELECT campaign_id FROM campaigns WHERE account_id = :live",
    "clicks": "SELECT click_id FROM clicks WHERE account_id = :account",
    "clicks on the link": "SELECT click_id FROM clicks WHERE code = :link",
    "commissions": "SELECT commission_id FROM commissions",
    "connections": "SELECT connection_id FROM connections",
    "conversions": "SELECT conversion_id FROM conversions",
    "domains": "SELECT domain FROM merchant_domains WHERE merchant_id = :merchant UNION SELECT 'shop.example'",
    "drafts": "SELECT draft_id FROM rate_drafts",
    "earning affiliates": "SELECT affiliate_id FROM links UNION SELECT affiliate_id FROM memberships",
    "events": "SELECT event_id FROM events",
    "failed events": "SELECT event_id FROM events WHERE status = 'FAILED'",
    "fees": "SELECT strftime('%Y-%m-%dT%H:%M:%S', valid_from / 1000, 'unixepoch') "
    "|| printf('.%03dZ', valid_from % 1000) FROM merchant_fees",
    "keys": "SELECT key_id FROM api_keys",
    "links": "SELECT code FROM links",
    "mails": "SELECT mail_id FROM mails",
    "members": "SELECT campaign_id || affiliate_id FROM memberships",
    "merchants": "SELECT merchant_id FROM merchants",
    "messages of the order": "SELECT message_id FROM order_messages WHERE conversion_id = :order",
    "messages to the affiliate": "SELECT message_id FROM webhook_deliveries WHERE subscription_id = :subscription",
    "messages to the merchant": "SELECT message_id FROM webhook_deliveries WHERE subscription_id = :webhook",
    "nodes": "SELECT node_id FROM nodes",
    "payouts": "SELECT payout_id FROM payouts",
    "payments of the affiliate": "SELECT payout_id || currency FROM payout_items WHERE affiliate_id = :affiliate",
    "payouts of the affiliate": "SELECT payout_id FROM payout_items WHERE affiliate_id = :affiliate",
    "products": "SELECT product_id FROM products",
    "questions": "SELECT conversion_id || reason FROM order_reviews",
    "requests": "SELECT logged_at || '-' || log_id FROM request_log WHERE account_id = :account",
    "refused requests": "SELECT logged_at || '-' || log_id FROM request_log WHERE error_code = 'validation_failed'",
    "receipts": "SELECT receipt_id FROM receipts",
    "reports of banks": "SELECT report_id FROM bank_reports",
    "reviews": "SELECT conversion_id FROM conversions WHERE review = 'OPEN'",
    "subscriptions": "SELECT subscription_id FROM subscriptions",
    "subscriptions of the affiliate": "SELECT subscription_id FROM subscriptions WHERE affiliate_id IS NOT NULL",
    "subscriptions of the merchant": "SELECT subscription_id FROM subscriptions WHERE account_id IS NOT NULL",
    "tokens": "SELECT token_id FROM api_tokens",
    "tokens of the merchant": "SELECT token_id FROM api_tokens WHERE account_id IS NOT NULL",
    "threads": "SELECT conversion_id FROM order_messages",
    "uploads": "SELECT upload_id FROM uploads",
    "users": "SELECT user_id FROM users",
}
"""How the entries of each list are asked of the database."""


@frozen
class Walk:
    """A list: the key of its entries in `IDS`, and the members of an entry that say together which it is."""

    address: str
    entries: str
    members: tuple[str, ...] = ("id",)
    limit: str | None = "limit"
    """The parameter of the longest page, None if the list takes none."""


ADMIN_ROOT: Final = "/api/admin/v1"
AFFILIATE_ROOT: Final = "/api/affiliate/v1"
ADMIN: Final = (
    Walk("/merchants", "merchants"),
    Walk("/affiliates", "affiliates"),
    Walk("/campaigns", "all campaigns"),
    Walk("/campaigns?merchant={merchant}&mode=test", "campaigns"),
    Walk("/memberships", "members", ("campaignId", "affiliateId"), limit=None),
    Walk("/links", "links", ("code",)),
    Walk("/links?merchant={merchant}", "links", ("code",)),
    Walk("/merchants/{merchant}/keys", "keys", ("keyId",)),
    Walk("/merchants/{merchant}/tokens", "tokens of the merchant"),
    Walk("/merchants/{merchant}/products?mode=test", "products"),
    Walk("/merchants/{merchant}/clicks?mode=test", "clicks"),
    Walk("/merchants/{merchant}/uploads?mode=test", "uploads", ("uploadId",)),
    Walk("/connections", "connections"),
    Walk("/connections?merchant={merchant}", "connections"),
    Walk("/merchants/{merchant}/domains", "domains", ("domain",), limit=None),
    Walk("/subscriptions", "subscriptions"),
    Walk("/subscriptions?affiliate={affiliate}", "subscriptions of the affiliate"),
    Walk("/subscriptions/{subscription}/deliveries", "messages to the affiliate"),
    Walk("/conversions", "conversions"),
    Walk("/conversions?mode=test&merchant={merchant}", "conversions"),
    Walk("/conversions?review=true", "reviews"),
    Walk("/conversions/{conversion}/messages", "messages of the order", limit=None),
    Walk("/questions", "questions", ("conversionId", "reason"), limit=None),
    Walk("/commissions", "commissions"),
    Walk("/commissions?affiliate={affiliate}&mode=test", "commissions"),
    Walk("/events", "failed events", ("eventId",)),
    Walk("/events?merchant={merchant}&mode=test&reason=failed", "failed events", ("eventId",)),
    Walk("/merchants/{merchant}/request-log", "requests"),
    Walk("/merchants/{merchant}/request-log?refused=true", "refused requests"),
    Walk("/rates/drafts", "drafts", limit=None),
    Walk("/payouts", "payouts"),
    Walk("/adjustments", "adjustments"),
    Walk("/receipts", "receipts"),
    Walk("/receipts?status=OPEN", "receipts"),
    Walk("/bank-reports", "reports of banks"),
    Walk("/merchants/{merchant}/fees", "fees", ("since",), limit=None),
    Walk("/users", "users"),
    Walk("/tokens", "tokens"),
    Walk("/mails", "mails"),
    Walk("/mails?status=GIVEN_UP", "mails"),
    Walk("/trail", "acts"),
    Walk("/nodes", "nodes", ("nodeId",), limit=None),
)
AFFILIATE: Final = (
    Walk("/commissions?mode=test", "commissions"),
    Walk("/commissions/{commission}/messages", "messages of the order", limit=None),
    Walk("/messages", "threads", ("conversionId",)),
    Walk("/payouts?mode=test", "payments of the affiliate", ("payoutId", "currency")),
    Walk("/campaigns", "campaigns"),
    Walk("/campaigns/public", "public campaigns", limit=None),
    Walk("/links?mode=test", "links", ("code",)),
    Walk("/links/{link}/clicks", "clicks on the link"),
    Walk("/subscriptions", "subscriptions of the affiliate"),
    Walk("/subscriptions/{subscription}/deliveries", "messages to the affiliate"),
)
MERCHANT: Final = (
    Walk("/v1/products", "products", limit="pageSize"),
    Walk("/v1/campaigns", "campaigns", limit="pageSize"),
    Walk("/v1/conversions", "conversions"),
    Walk("/v1/conversions?sort=createdAt", "conversions"),
    Walk("/v1/conversions?updatedSince=2020-01-01T00:00:00Z", "conversions"),
    Walk("/v1/events", "events", ("eventId",)),
    Walk("/v1/events?status=FAILED", "failed events", ("eventId",)),
    Walk("/v1/events?status=FAILED&sort=createdAt", "failed events", ("eventId",)),
    Walk("/v1/commissions", "commissions"),
    Walk("/v1/review", "reviews"),
    Walk("/v1/links", "links", ("code",)),
    Walk("/v1/clicks", "clicks"),
    Walk("/v1/clicks?sort=createdAt", "clicks"),
    Walk("/v1/affiliates", "earning affiliates"),
    Walk("/v1/request-log", "requests"),
    Walk("/v1/request-log?errorCode=validation_failed", "refused requests"),
    Walk("/v1/subscriptions", "subscriptions of the merchant", limit=None),
    Walk("/v1/subscriptions/{id}/deliveries", "messages to the merchant"),
)


NO_WALKS: Final[Mapping[str, str]] = {
    "/api/admin/v1/rates": "of one place: a rate changes a few times a year",
    "/api/admin/v1/affiliates/{affiliate}/balances": "a line for each currency",
    "/api/admin/v1/payouts/{payout}/files": "of one run: a file for each format and currency",
    "/api/admin/v1/settings": "the settings of the file",
    "/api/admin/v1/debts": "affiliates that owe: a few, and each is asked about",
    "/api/admin/v1/shared-accounts": "accounts of several affiliates: a few, and each is asked about",
    "/api/admin/v1/books/months": "a line for each month",
    "/api/admin/v1/exchange-rates": "a line for each two currencies",
    "/api/admin/v1/issuers": "a network has a few companies",
    "/api/admin/v1/invoices": "an invoice for each month and currency of a merchant",
    "/api/affiliate/v1/balances": "a line for each currency",
    "/api/affiliate/v1/payouts/next": "a line for each currency",
    "/api/affiliate/v1/reports": "a report of at most a year",
    "/api/admin/v1/reports": "a report of at most a year, or its first 5,000 lines",
    "/api/admin/v1/event-types": "a line for each kind of message",
    "/api/affiliate/v1/event-types": "a line for each kind of message",
    "/v1/event-types": "a line for each kind of message",
    "/v1/changes": "a feed without an end: tests/merchant_api/test_changes.py follows it",
    "/v1/balances": "a line for each currency",
    "/v1/statements": "a line for each month",
    "/v1/reports/daily": "a report of at most a year",
    "/v1/reports/campaigns": "a report",
    "/v1/reports/affiliates": "a report",
    "/v1/reports/products": "a report of the best products",
    "/v1/reports/links": "a report",
}
"""Lists that no page has to part, each with the reason."""


@frozen
class PageWalk:
    """A list of a page: the key in `IDS` of what its pages show, or the statement that asks for it."""

    address: str
    entries: str


PAGES: Final = (
    PageWalk("/operator/merchants", "merchants"),
    PageWalk("/operator/affiliates", "affiliates"),
    PageWalk("/operator/campaigns", "all campaigns"),
    PageWalk("/operator/links", "links"),
    PageWalk("/operator/connections", "connections"),
    PageWalk("/operator/orders", "conversions"),
    PageWalk("/operator/reviews", "reviews"),
    PageWalk("/operator/commissions", "SELECT conversion_id FROM commissions"),
    PageWalk("/operator/payouts", "payouts"),
    PageWalk("/operator/payouts/{payout}", "SELECT affiliate_id FROM payout_items WHERE payout_id = :payout"),
    PageWalk("/operator/adjustments", "adjustments"),
    PageWalk("/operator/receipts", "receipts"),
    PageWalk("/operator/bank-reports", "reports of banks"),
    PageWalk("/operator/ledger?account={account}", "SELECT printf('%,d', entry_no) FROM ledger_entries"),
    PageWalk("/operator/owed", "merchants"),
    PageWalk("/operator/rates", "drafts"),
    PageWalk("/operator/messages", "failed events"),
    PageWalk("/operator/log?merchant={merchant}", "SELECT path FROM request_log WHERE account_id = :account"),
    PageWalk("/operator/questions", "SELECT conversion_id FROM order_reviews"),
    PageWalk("/operator/mails", "mails"),
    PageWalk("/operator/trail", "SELECT subject_id FROM trail WHERE subject_id LIKE 'mer_%'"),
    PageWalk("/operator/users", "users"),
    PageWalk("/operator/webhooks", "subscriptions"),
    PageWalk("/operator/webhooks/{subscription}", "messages to the affiliate"),
    PageWalk("/operator/campaigns/{campaign}", "SELECT affiliate_id FROM memberships WHERE campaign_id = :campaign"),
    PageWalk("/operator/approvals", "SELECT merchant_id FROM merchants WHERE status = 'IN_REVIEW'"),
    PageWalk("/merchant/orders?mode=test", "conversions"),
    PageWalk("/merchant/orders.csv?mode=test", "conversions"),
    PageWalk("/merchant/orders?mode=test&sort=oldest", "conversions"),
    PageWalk(
        "/merchant/orders?mode=test&number=O-",
        "SELECT external_order_id FROM conversions WHERE event_id LIKE 'evt_0000%'",
    ),
    PageWalk("/merchant/orders?mode=test&affiliate={affiliate}", "SELECT conversion_id FROM commissions"),
    PageWalk("/operator/ledger.csv", "SELECT hash FROM ledger_entries"),
    PageWalk("/merchant/commissions?mode=test", "SELECT conversion_id FROM commissions"),
    PageWalk("/merchant/reviews?mode=test", "reviews"),
    PageWalk("/merchant/messages?mode=test", "events"),
    PageWalk("/merchant/messages?mode=test&status=FAILED", "failed events"),
    PageWalk("/merchant/logs?mode=test", "SELECT log_id FROM request_log WHERE error_code = 'validation_failed'"),
    PageWalk("/merchant/questions?mode=test", "threads"),
    PageWalk("/merchant/domains?mode=test", "domains"),
    PageWalk("/merchant/keys?mode=test", "keys"),
    PageWalk("/merchant/tokens?mode=test", "tokens of the merchant"),
    PageWalk("/merchant/connections?mode=test", "connections"),
    PageWalk("/merchant/campaigns?mode=test", "campaigns"),
    PageWalk("/merchant/affiliates?mode=test", "SELECT name FROM affiliates"),
    PageWalk("/merchant/affiliates/{affiliate}?mode=test", "links"),
    PageWalk("/merchant/campaigns/{campaign}?mode=test", "SELECT name FROM affiliates"),
    PageWalk("/merchant/rates?mode=test", "drafts"),
    PageWalk("/merchant/products?mode=test", "products"),
    PageWalk("/merchant/links?mode=test", "links"),
    PageWalk(
        "/merchant/statements/month?mode=test&month=2026-11",
        "SELECT external_order_id FROM ledger_entries WHERE external_order_id LIKE 'L-%'",
    ),
    PageWalk("/merchant/uploads?mode=test", "uploads"),
    PageWalk("/merchant/webhooks?mode=test", "subscriptions of the merchant"),
    PageWalk("/merchant/webhooks/{webhook}?mode=test", "messages to the merchant"),
    PageWalk("/affiliate/campaigns?mode=test", "campaigns"),
    PageWalk("/affiliate/links?mode=test", "links"),
    PageWalk("/affiliate/campaigns/{campaign}/products", "SELECT external_product_id FROM products"),
    PageWalk("/affiliate/commissions?mode=test", "commissions"),
    PageWalk("/affiliate/payouts?mode=test", "payouts of the affiliate"),
    PageWalk(
        "/affiliate/messages?mode=test",
        "SELECT commission_id FROM commissions WHERE conversion_id IN (SELECT conversion_id FROM order_messages)",
    ),
    PageWalk("/affiliate/webhooks?mode=test", "subscriptions of the affiliate"),
    PageWalk("/affiliate/webhooks/{subscription}?mode=test", "messages to the affiliate"),
)
WHOLE_PAGES: Final[Mapping[str, str]] = {
    "/merchant/affiliates/{affiliate}": "one partner, with a line for each campaign of the account",
    "/operator/affiliates/{affiliate}/statement": "the statement of one period, whose lines add up",
    "/affiliate/statement": "the statement of one period, whose lines add up",
    "/affiliate/reports": "a line for each day of a period",
    "/affiliate/find": "the list of commissions, which is walked, where it finds nothing",
    "/merchant": "a line for each day of a period",
    "/operator/owed/{merchant}": "a line for each fee, of which a merchant has a few in its life",
    "/operator/books": "a line for each month",
    "/operator/exchange-rates": "a line for each two currencies",
    "/operator/issuers": "a network has a few companies",
    "/operator/debts": "affiliates that owe: a few, and each is asked about",
    "/operator/payouts/{payout}/export": "the page of the run, which is walked, with its files",
    "/operator/reports": "a line for each day of a period",
    "/operator/settings": "the settings of the file",
}
"""Pages with long tables that are no lists, each with the reason."""

COMMANDS: Final = (
    Walk("adjustment list", "adjustments"),
    Walk("affiliate list", "affiliates"),
    Walk("campaign list", "all campaigns"),
    Walk("campaign list --merchant {merchant}", "all campaigns"),
    Walk("campaign member list --merchant {merchant}", "members", ("campaignId", "affiliateId")),
    Walk("commission list", "commissions"),
    Walk("commission list --oldest-first", "commissions"),
    Walk("connection list", "connections"),
    Walk("connection list --merchant {merchant}", "connections"),
    Walk("conversion list", "conversions"),
    Walk("conversion list --oldest-first", "conversions"),
    Walk("conversion questions", "questions", ("conversionId", "reason")),
    Walk("domain list --merchant {merchant}", "domains", ("domain",)),
    Walk("event list", "failed events", ("eventId",)),
    Walk("event list --oldest-first", "failed events", ("eventId",)),
    Walk("key list --merchant {merchant}", "keys", ("keyId",)),
    Walk("link list", "links", ("code",)),
    Walk("mail list", "mails"),
    Walk("merchant list", "merchants"),
    Walk("payout list", "payouts"),
    Walk("receipt list", "receipts"),
    Walk("receipt list --oldest-first", "receipts"),
    Walk("bank list", "reports of banks"),
    Walk("product list --merchant {merchant} --mode test", "products"),
    Walk("rule list", "drafts"),
    Walk("subscription list", "subscriptions"),
    Walk("subscription deliveries {subscription}", "messages to the affiliate"),
    Walk("token list", "tokens"),
    Walk("user list", "users"),
)
WHOLE_COMMANDS: Final[Mapping[str, str]] = {
    "connection app list": "one for each platform",
    "exchange list": "a line for each two currencies",
    "issuer list": "a network has a few companies",
    "plugin list": "what is installed",
}
"""Commands whose lists are always short, each with the reason."""
