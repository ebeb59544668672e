"""Prose of the OpenAPI document: on the API, its groups, its operations and their path parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.domain.orders.facts import FACTS_OF_KIND
from hub.merchant_api.openapi.webhook_bodies import field_names

TITLE: Final = "Affiliate Hub: merchant API"

INTRODUCTION: Final = """\
Report orders and what becomes of them, keep products and campaigns in step, and ask what every submission led to.

**Signing.** Every request carries three headers: `X-API-Key`, `X-Timestamp` (Unix time in seconds, at most 300 seconds
off) and `X-Signature`, the lowercase hex HMAC-SHA256 of `<X-Timestamp>.<raw body>` with the key's signing secret. A
request without a body signs the timestamp and the point alone. A signature is good for one write; a GET may be signed
alike for different paths and queries. `X-Nonce` and `X-Signature-Version` are optional. Whatever is wrong with a
signature, the answer is the same 401; the merchant's request log tells the reason.

**Modes.** `ak_test_` keys and `ak_live_` keys work alike, on data of their own.

**Bodies** are JSON objects in UTF-8, and CSV files where files are uploaded. Money is a decimal string (`"49.90"`),
never a number; times are RFC 3339 with an offset. An unknown field is ignored, and named in the answer's `warnings`
if it has any, and in the request log. Where null is taken it counts as absent; in a PATCH it clears the field. U+0000,
lone surrogates and more than 32 levels of nesting are refused.

**Retries.** Retry 409, 5xx, timeouts and broken connections, with the same body and the same idempotency key, signed
anew; retry 429 after `Retry-After` seconds. Any other 4xx stays what it is. 202 means accepted and durable, not yet
commissioned; `DUPLICATE` is a success.

**Errors** have one body: `statusCode`, `message` (a string, or an array that lists every fault of the input) and
`error`. More than those listed may come from below the operations: 405 for a method that a path does not have
(`Allow` names those it has), 417 for an `Expect` other than 100-continue, and 408, 413 or 415 for a body that an
operation does not ask for and that is too slow, too large or compressed.

**Versions.** This is v1. Fields may be added to answers at any time; nothing is removed or changes its meaning.
"""

TAGS: Final[Mapping[str, str]] = {
    "products": "The catalogue. `{id}` is the hub's id or the merchant's externalProductId.",
    "campaigns": "What affiliates are paid for promoting. A campaign starts as a DRAFT and earns while it is ACTIVE.",
    "conversions": "Orders, one call for each.",
    "order-status": "What becomes of an order after it was reported; it moves the commission.",
    "webhooks": "The same news in the shop's own words, deduplicated by the sender's event id.",
    "events": "What became of a submission, and why.",
    "uploads": (
        "Whole CSV files, of a million rows too: an extension of v1. A file is taken in at once and applied in the "
        "background, each row by the rules of its own endpoint."
    ),
    "commissions": "What affiliates earn, as it is now.",
    "review": "Orders whose affiliate nobody could prove: attribute or dismiss them.",
    "changes": "Everything that changes, in the order in which it was committed.",
    "links": "The tracking links of affiliates.",
    "clicks": "Clicks on tracking links, one by one.",
    "affiliates": "Who may promote something of yours.",
    "request-log": "What was sent with your keys, and why some of it was refused.",
    "reports": "Figures by day, campaign, affiliate and product, a second or two behind what happens.",
    "balances": "What your commissions come to.",
    "statements": "What you owe, month by month.",
    "event-types": "The kinds of messages that subscriptions send.",
    "subscriptions": "Webhooks from the hub to your server.",
}

WEBHOOK_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {kind: field_names(kind) for kind in FACTS_OF_KIND}
"""The fields that the hub's own form of each webhook kind may have."""

_WEBHOOKS: Final[Mapping[str, str]] = {
    "order-created": "Reports an order, as a conversion does. `lines` are {external_product_id, quantity, amount}.",
    "order-paid": "The buyer's money has arrived: a pending commission's hold starts.",
    "order-delivered": "The parcel has arrived: the hold starts, again if it ran already.",
    "order-cancelled": "The order was called off: an unpaid commission is rejected.",
    "order-returned": "The goods came back: an unpaid commission is rejected.",
    "order-refunded": (
        "Money went back. `refund_amount` or `lines` {external_product_id, quantity, amount} reduce the commission; "
        "without both the whole order was refunded and an unpaid commission is rejected. A `refund_id` counts once."
    ),
    "product-updated": (
        "Changes the fields that are there; null clears one that may be empty. An unknown product is created where "
        "name, product_url and price are there. News older than the last applied is skipped."
    ),
    "product-stock-updated": "Changes the stock alone, by `stock_status` or `quantity`.",
}


def _webhook_text(kind: str) -> str:
    names = ", ".join(f"`{name}`" for name in WEBHOOK_FIELDS[kind])
    return (
        f"{_WEBHOOKS[kind]}\n\nThe hub's own form has these fields, in snake_case or camelCase: {names}. Bodies of a "
        "platform that the hub has a plugin for are read as that platform writes them. A body that cannot be read is "
        "kept; its event ends FAILED and says why."
    )


_UPLOAD: Final = (
    " A header row names the columns by the fields' names, in any order; UTF-8; comma, semicolon or tab. A bad row "
    "fails alone, and the same file again changes nothing. The signature covers the whole file, as it covers any body, "
    "and the file has to arrive within ten minutes of its timestamp. Ask GET /v1/uploads/{id} for the rest."
)
_UPLOADS: Final[Mapping[str, str]] = {
    "products": "Takes a file of products, each an upsert: an empty cell clears its field, a missing column does not.",
    "orders": "Takes a file of orders, each reported as by POST /v1/conversions.",
    "statuses": "Takes a file of order statuses, each reported as by POST /v1/order-status.",
}

_LIST: Final = (
    " Follow `nextCursor` to the end: entries that are added or changed meanwhile neither repeat nor drop others. Send "
    "the `ETag` of the last answer as `If-None-Match`, and what did not change is a 304 without a body."
)

OPERATIONS: Final[Mapping[str, str]] = {
    "importProducts": (
        "Each item is judged alone and a bad one fails alone: look at `failed` and `errors` even after a 202. Import "
        "replaces a known product as a whole: optional fields that are left out become empty."
    ),
    "upsertProducts": (
        "Each item is judged alone and a bad one fails alone: look at `failed` and `errors` even after a 202. Upsert "
        "changes the fields given of a known product and leaves the others as they are."
    ),
    "listProducts": "Pages through the catalogue; count and page are of the same moment.",
    "archiveProducts": "Archives products by the hub's id or by externalProductId. Archiving again changes nothing.",
    "getProduct": "Shows one product.",
    "updateProduct": "Changes the fields given; null clears a field that may be empty.",
    "createCampaign": "Creates a DRAFT. Attach products through their campaignId, then activate it.",
    "listCampaigns": "Pages through the campaigns; `status` filters by the effective status.",
    "getCampaign": "Shows one campaign.",
    "updateCampaign": (
        "Changes the fields given; null clears a field that may be empty. `status` takes the same transitions as pause "
        "and activate, and ARCHIVED from any status, for good."
    ),
    "pauseCampaign": "Its links stop converting until it is activated. Pausing a paused campaign changes nothing.",
    "activateCampaign": (
        "Its links start earning. Refused with 400 while an approval is required and not given, and for an ARCHIVED or "
        "EXPIRED campaign. Activating an active campaign changes nothing."
    ),
    "reportConversion": (
        "Accepts an order once: a second report of the same externalOrderId is answered as a DUPLICATE with the "
        "conversionId of the first. Attribution and commission follow in the background."
    ),
    "reportOrderStatus": (
        "Accepts a status once: the same status of the same order at the same statusUpdatedAt is a DUPLICATE. News of "
        "an order that is not known yet waits 30 days for it. Disallowed transitions are skipped without an error."
    ),
    "getEvent": "Tells what became of a conversion, order status or webhook, and why.",
    **{f"upload{kind.title()}": text + _UPLOAD for kind, text in _UPLOADS.items()},
    "getUpload": (
        "QUEUED until its turn, RUNNING while rows are decided, then DONE; REFUSED where the file as a whole cannot be "
        "read, and `faults` says why. What a DONE upload says of its rows is in its verdicts."
    ),
    "getUploadVerdicts": (
        "A CSV file with the columns row, line, id, verdict (created, updated, duplicate or failed), column, message "
        "and eventId: a line for each row that is decided so far."
    ),
    **{"send" + "".join(map(str.title, kind.split("-"))): _webhook_text(kind) for kind in FACTS_OF_KIND},
    "listConversions": (
        "Each entry is an order as it is now. Filters narrow it; `externalOrderId` finds one order." + _LIST
    ),
    "getConversion": "Shows one order as it is now: its attribution, its commission, and each fact with its effect.",
    "attributeConversion": (
        "Gives an order whose review is OPEN to an affiliate; its commission follows the rules in force now and all "
        "that was reported so far. Refused with 400 if the review is closed or the affiliate is not active."
    ),
    "dismissConversion": "Closes an OPEN review; nobody earns from it. Refused with 400 if the review is closed.",
    "listChanges": (
        "Tells every record that changed after a cursor, as it is now, in the order in which the changes were "
        "committed; without a cursor it begins with everything there is. The last `cursor` is kept and asked again. "
        "What is gone is told with `deleted`. `wait` holds the request open until something changes, at most four of a "
        "key at once. With `Accept: application/x-ndjson` the answer is a line for each record up to the end, and "
        "after every 200 changes a line with the `cursor` to go on from."
    ),
    "listCommissions": "Each entry is a commission as it is now." + _LIST,
    "getCommission": "Shows one commission as it is now.",
    "listEvents": ("What was submitted, and what became of it. `externalOrderId` finds those of an order." + _LIST),
    "listReviews": "The orders whose review is OPEN, each as in the list of conversions." + _LIST,
    "listLinks": "By the links' codes." + _LIST,
    "listClicks": (
        "One by one, as long as they are kept. Filters other than `createdFrom` look through 5,000 clicks for a page, "
        "so a page may be short, or empty, and go on." + _LIST
    ),
    "createLink": "Creates a link of an affiliate: to a product, to a page of yours, or to your first domain.",
    "disableLink": "The link leads buyers on, but records no click any more. Disabling it again changes nothing.",
    "listAffiliates": "Those that have a link of this account or are members of one of its campaigns." + _LIST,
    "getCampaignReport": "The figures of each campaign between `from` and `to` (or the last 30 days), by currency.",
    "getAffiliateReport": "The figures of each affiliate between `from` and `to` (or the last 30 days), by currency.",
    "getProductReport": "What was sold of each product between `from` and `to` (or the last 30 days), by currency.",
    "getLinkReport": "Clicks and orders of each tracking link between `from` and `to` (or the last 30 days).",
    "listBalances": "What your commissions come to by now, by state and currency; a second or two behind what happens.",
    "listStatements": "What you owe for each of the last 24 months in which you owed something.",
    "listSubscriptions": "The subscriptions of this account, oldest first.",
    "createSubscription": (
        "Has your server told of changes, by the Standard Webhooks specification. `events` are types or patterns such "
        "as `commission.*`. The secret is in this answer alone."
    ),
    "listEventTypes": (
        "Every kind of message: when it is sent, a JSON Schema of the whole, and an example. The same are the webhooks "
        "of `/api/v1/openapi-3.1.json`."
    ),
    "updateSubscription": (
        "Changes the address or the events; the secret and the messages that wait stay. A webhook cannot become a "
        "postback, nor the other way round."
    ),
    "testSubscription": (
        "Sends a message as any other, signed and in the log, about the newest that the account has of its kind; it "
        "says `sample`. Nothing else happens."
    ),
    "retryDeliveries": "Tries messages now that wait for another attempt, and ends the pause of their receiver.",
    "pauseSubscription": "Sends nothing more for now; messages are kept.",
    "resumeSubscription": "Sends again, beginning with what was kept.",
    "rotateSubscriptionSecret": "Makes a new secret; the old one signs beside it for `overlap`.",
    "deleteSubscription": "Deletes a subscription and what waits for it.",
    "listDeliveries": "The messages of a subscription, newest first, with what the receiver answered." + _LIST,
    "replayDeliveries": "Sends messages again that arrived or were given up.",
    "getDailyReport": (
        "The figures of each day between `from` and `to` (or the last 30 days), by currency, as they are now: a refund "
        "changes the day of its order."
    ),
    "listRequests": (
        "`errorCode` says more than the answer did. A request appears a moment after it was answered." + _LIST
    ),
}
"""The description of each operation, beyond its summary."""

PATH_PARAMETERS: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("products", "id"): ("The hub's product id or the merchant's externalProductId.", "SKU-1"),
    ("campaigns", "id"): ("The hub's campaign id.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"),
    ("events", "eventId"): (
        "The eventId or webhookEventId of the answer to the submission.",
        "evt_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c",
    ),
    ("conversions", "id"): ("The hub's conversion id.", "cnv_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d"),
    ("commissions", "id"): ("The hub's commission id.", "com_01936f3e8c7a7b3e9d5a4c2b1f0e8d83"),
    ("links", "id"): ("The link's code: what follows /t/ in its address.", "x7Qp2mKd91Za"),
    ("subscriptions", "id"): ("The hub's id of the subscription.", "sub_01936f3e8c7a7b3e9d5a4c2b1f0e8d92"),
    ("uploads", "id"): ("The uploadId of the answer to the upload.", "upl_01936f3e8c7a7b3e9d5a4c2b1f0e8d82"),
}
"""The description and an example of each path parameter, by its group and name."""
