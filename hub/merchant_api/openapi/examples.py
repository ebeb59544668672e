"""Examples of answers; those of other bodies are made of their fields' examples."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any, Final

from hub.csv_import.verdict_file import COLUMNS
from hub.merchant_api import list_responses as lists
from hub.merchant_api import responses as r
from hub.merchant_api.act_responses import (
    CommissionRecord,
    LinkCreated,
    LinkRecord,
    ReviewedConversion,
    UploadRecord,
)
from hub.merchant_api.openapi.schemas import input_example
from hub.records.campaigns import CAMPAIGN_CREATED, CampaignRecord
from hub.records.events import EventRecord
from hub.records.explanations import AttributionExplained
from hub.records.figures import FiguresOfLink
from hub.records.messages import EventTypeRecord, example_message
from hub.records.orders import CommissionOfOrder, ConversionRecord, FactRecord, ReasonedFact
from hub.records.products import PRODUCT, ProductRecord
from hub.records.record import Shown
from hub.records.statements import OwedAmount, StatementRecord
from hub.records.subscriptions import DeliveryRecord, SubscriptionRecord, SubscriptionSecret
from hub.records.wire import example_of
from hub.validation.inputs import CampaignPatch, ProductInput, ProductPatch

Json = dict[str, Any]

EVENT: Final = "evt_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c"
CONVERSION: Final = "cnv_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d"
CAMPAIGN: Final = "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"
CLICK: Final = "clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c"
AFFILIATE: Final = "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"
TIMES: Final = {"createdAt": "2026-11-20T12:00:00.000Z", "updatedAt": "2026-11-20T12:00:00.000Z"}

PRODUCT_RECORD: Final[Json] = {
    "id": PRODUCT,
    **input_example(ProductInput),
    "campaignId": CAMPAIGN,
    "status": "ACTIVE",
    **TIMES,
}
CAMPAIGN_RECORD: Final[Json] = example_of(CampaignRecord)
ATTRIBUTION: Final[Json] = {
    "confidence": "HIGH",
    "reason": "matched",
    "clickId": CLICK,
    "affiliateId": AFFILIATE,
    "campaignId": CAMPAIGN,
    "clickAgeSeconds": 5_400,
    "windowSeconds": 2_592_000,
}
COMMISSION: Final[Json] = {
    "state": "HOLD",
    "amount": "3.99",
    "currency": "USD",
    "source": "CAMPAIGN",
    "type": "PERCENTAGE",
    "value": "8",
    "base": "49.90",
    "holdUntil": "2026-12-04T12:00:00.000Z",
    "lines": [
        {
            "externalProductId": None, "source": "CAMPAIGN", "type": "PERCENTAGE", "value": "8",
            "base": "49.90", "quantity": 1, "amount": "3.99",
        },
    ],
    "levels": [
        {"level": "PRODUCT", "outcome": "no_rule", "externalProductId": "SKU-1"},
        {"level": "CAMPAIGN", "outcome": "won", "type": "PERCENTAGE", "value": "8"},
    ],
}  # fmt: skip
DECIDED_EVENT: Final[Json] = {
    "eventId": EVENT,
    "type": "conversion",
    "kind": None,
    "status": "PROCESSED",
    "duplicate": False,
    "receivedAt": "2026-11-20T12:00:00.000Z",
    "processedAt": "2026-11-20T12:00:00.040Z",
    "attempts": 1,
    "conversionId": CONVERSION,
    "explanation": {"attribution": ATTRIBUTION, "commission": COMMISSION, "skipReason": None},
    "reason": None,
    "metadata": None,
}


def _event_without_effect(type_: str, status: str, reason: str, kind: str | None = None) -> Json:
    explanation = {"attribution": None, "commission": None, "skipReason": reason}
    changes = {"type": type_, "kind": kind, "status": status, "conversionId": None, "explanation": explanation}
    processed_at = None if status == "PARKED" else DECIDED_EVENT["processedAt"]
    return {**DECIDED_EVENT, **changes, "processedAt": processed_at}


UPLOAD: Final[Json] = example_of(UploadRecord)
_ENDED: Final[Json] = {"startedAt": "2026-11-20T12:00:00.200Z", "finishedAt": "2026-11-20T12:00:00.240Z"}
UPLOAD_DONE: Final[Json] = {
    **_ENDED, "status": "DONE", "bytesRead": 104, "rows": 2, "created": 1, "failed": 1, "ignoredColumns": ["notes"],
}  # fmt: skip
UPLOAD_REFUSED: Final[Json] = {
    **_ENDED, "status": "REFUSED", "faults": ["The file is empty."],
}  # fmt: skip

_CONVERSION: Final[Json] = example_of(
    ConversionRecord,
    commission=example_of(CommissionOfOrder),
    facts=[example_of(ReasonedFact)],
    explanation={"attribution": example_of(AttributionExplained), "commission": None, "skipReason": None},
)
_REVIEWED: Final[Json] = example_of(
    ReviewedConversion, commission=example_of(CommissionOfOrder), facts=[example_of(FactRecord)],
    confidence="LOW", reason="click_missing", review="ATTRIBUTED",
)  # fmt: skip
_COMMISSION: Final[Json] = example_of(CommissionRecord)
_LISTED_EVENT: Final[Json] = {
    "eventId": EVENT, "type": "webhook", "kind": "order-created", "status": "FAILED", "duplicate": False,
    "receivedAt": TIMES["createdAt"], "processedAt": TIMES["createdAt"], "attempts": 1, "conversionId": None,
    "explanation": {"attribution": None, "commission": None, "skipReason": "unmappable: `order_amount` is missing"},
    "externalOrderId": None,
}  # fmt: skip


def _page(entry: Json) -> Mapping[str, Json]:
    return {"last page": {"data": [entry], "nextCursor": None}}


ANSWERS: Final[Mapping[Shown, Mapping[str, Json]]] = {
    r.AcceptedEvent: {
        "new": {"eventId": EVENT, "status": "RECEIVED", "duplicate": False},
        "duplicate": {"eventId": EVENT, "status": "DUPLICATE", "duplicate": True, "conversionId": CONVERSION},
    },
    r.WebhookAccepted: {
        "new": {"webhookEventId": EVENT, "status": "QUEUED", "duplicate": False},
        "duplicate": {"webhookEventId": EVENT, "status": "DUPLICATE", "duplicate": True},
    },
    r.ImportSummary: {
        "all good": {"received": 2, "created": 1, "updated": 1, "failed": 0, "errors": []},
        "one left out": {
            "received": 2,
            "created": 1,
            "updated": 0,
            "failed": 1,
            "errors": [
                {"index": 1, "externalProductId": "SKU-2", "message": "`products[1].productUrl` must be given"},
            ],
        },
    },
    ProductRecord: {"product": PRODUCT_RECORD},
    r.ProductList: {"page": {"data": [PRODUCT_RECORD], "page": 1, "pageSize": 50, "total": 1}},
    r.ArchiveResult: {"archived": {"archived": 1, "notFound": ["SKU-2"]}},
    CAMPAIGN_CREATED: {"draft": example_of(CAMPAIGN_CREATED)},
    CampaignRecord: {"campaign": CAMPAIGN_RECORD},
    r.CampaignList: {"page": {"data": [CAMPAIGN_RECORD], "page": 1, "pageSize": 50, "total": 1}},
    UploadRecord: {
        "waiting": UPLOAD,
        "done": {**UPLOAD, **UPLOAD_DONE},
        "refused": {**UPLOAD, **UPLOAD_REFUSED},
    },
    EventRecord: {
        "attributed": DECIDED_EVENT,
        "waiting for its order": {
            **_event_without_effect("order_status", "PARKED", "unknown_order"),
            "reason": "Left on the porch.",
            "metadata": {"carrier": "DHL"},
        },
        "unreadable": _event_without_effect(
            "webhook", "FAILED", "unmappable: `external_order_id` is missing", "order-created"
        ),
    },
    ConversionRecord: {"held": _CONVERSION},
    lists.CONVERSIONS: _page(_CONVERSION),
    ReviewedConversion: {"attributed": _REVIEWED},
    CommissionRecord: {"held": _COMMISSION},
    lists.COMMISSIONS: _page(_COMMISSION),
    r.ChangeList: {
        "a commission": {
            "data": [
                {
                    "type": "commission",
                    "id": _COMMISSION["id"],
                    "changedAt": _COMMISSION["updatedAt"],
                    "deleted": False,
                    "record": _COMMISSION,
                }
            ],
            "cursor": "Y2hhbmdlcwoxODM4MjYwMjI0MDAwMDAwCnp6enp6Cg",
            "more": False,
        }
    },
    lists.EVENTS: _page(_LISTED_EVENT),
    LinkCreated: {"link": example_of(LinkCreated)},
    LinkRecord: {"disabled": {**example_of(LinkRecord), "disabledAt": TIMES["updatedAt"]}},
    lists.STATEMENTS: _page(example_of(StatementRecord, owed=[example_of(OwedAmount)])),
    lists.LINK_FIGURES: _page(example_of(FiguresOfLink)),
    SubscriptionRecord: {
        "active": example_of(SubscriptionRecord),
        "paused": example_of(SubscriptionRecord, status="PAUSED", reason="Somebody paused it."),
    },
    SubscriptionSecret: {"secret": example_of(SubscriptionSecret)},
    lists.DELIVERIES: _page(example_of(DeliveryRecord, answer="")),
    r.ReplayedDeliveries: {"replayed": example_of(r.ReplayedDeliveries)},
    r.RetriedDeliveries: {"retried": example_of(r.RetriedDeliveries)},
    lists.EVENT_TYPES: _page(
        example_of(
            EventTypeRecord,
            schema={"type": "object", "required": ["type", "timestamp", "data"]},
            example=example_message("payout.released"),
        )
    ),
    r.SampleMessage: {"sent": example_of(r.SampleMessage)},
    **{
        plain: _page(example_of(plain.record))
        for plain in (
            lists.LINKS,
            lists.CLICKS,
            lists.AFFILIATES,
            lists.REQUESTS,
            lists.DAYS,
            lists.PARTIES,
            lists.PRODUCTS,
            lists.BALANCES,
            lists.SUBSCRIPTIONS,
        )
    },
}
"""The examples of each response class, by their names."""

VERDICTS: Final = "".join(
    f"{','.join(line)}\n"
    for line in (
        COLUMNS,
        ("1", "2", "ORDER-1042", "created", "", "", EVENT),
        ("2", "3", "ORDER-1043", "failed", "orderAmount", "`orderAmount` must be given", ""),
    )
)
"""An example of a verdict file."""


def csv_example(cls: type) -> str:
    """Return a CSV file of one row, made of the fields' examples."""
    text = io.StringIO()
    row = {name: value if isinstance(value, str) else json.dumps(value) for name, value in input_example(cls).items()}
    lines = csv.DictWriter(text, row, lineterminator="\n")
    lines.writeheader()
    lines.writerow(row)
    return text.getvalue()


CHANGES: Final[Mapping[type, Mapping[str, Json]]] = {
    ProductPatch: {
        "a new price": {"price": "44.90", "discountPrice": None},
        "sold out": {"stockStatus": "OUT_OF_STOCK"},
    },
    CampaignPatch: {
        "a new title": {"title": "Spring and summer sale"},
        "archive": {"status": "ARCHIVED"},
    },
}
"""Further examples of PATCH bodies, by their names."""
