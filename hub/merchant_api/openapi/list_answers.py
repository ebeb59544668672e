"""Notes on the members of the lists' answers, and their examples, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hub.merchant_api import list_responses as r
from hub.merchant_api.act_responses import LinkCreated, LinkRecord, ReviewedConversion
from hub.records.affiliates import AffiliateRecord
from hub.records.clicks import ClickRecord
from hub.records.explanations import AttributionExplained
from hub.records.figures import DailyFigures
from hub.records.orders import CommissionOfOrder, ConversionRecord, FactRecord, ReasonedFact
from hub.records.record import Shown
from hub.records.requests import LoggedRequest
from hub.records.wire import example_of

Json = dict[str, Any]
Notes = Mapping[str, str | tuple[str, str]]

MOMENT: Final = "date-time"
EVENT: Final = "evt_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c"
CONVERSION: Final = "cnv_01936f3e8c7a7b3e9d5a4c2b1f0e8d7d"
COMMISSION: Final = "com_01936f3e8c7a7b3e9d5a4c2b1f0e8d83"
MERCHANT: Final = "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"
CAMPAIGN: Final = "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"
CLICK: Final = "clk_01936f3e8c7a7b3e9d5a4c2b1f0e8d7c"
AFFILIATE: Final = "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"
NOON: Final = "2026-11-20T12:00:00.000Z"

_PAGE: Final[Notes] = {
    "data": "The entries of this page.",
    "nextCursor": "The `cursor` of the next page; null on the last one.",
}
_NEXT: Final[Notes] = {
    "nextUpdatedSince": ("What to give as `updatedSince` the next time; that of the first page counts.", MOMENT)
}
_ACCOUNT: Final[Notes] = {"merchantId": "The merchant: you.", "mode": "The mode of the account."}
_OWNER: Final[Notes] = {**_ACCOUNT, "merchantName": "Your name.", "affiliateName": "The affiliate's name."}
_MONEY: Final[Notes] = {
    "state": "PENDING, HOLD, APPROVED, PAYABLE, PAID or REJECTED.",
    "amount": "What the affiliate earns, in `currency`.",
    "currency": "The order's currency.",
    "source": "The level whose rule won; MIXED if the lines differ.",
    "base": "The money that the commission is taken from, refunds deducted.",
    "holdUntil": ("When the hold ends; null if none runs.", MOMENT),
    "paidAt": ("When it was paid; null until then.", MOMENT),
}

LIST_NOTES: Final[Mapping[type, Notes]] = {
    r.CommissionRecord: {
        "id": "The hub's id.",
        "affiliateId": "Who earns it.",
        "conversionId": "The order that it is for.",
        "reference": "The reference of the payment; null until it is paid.",
        "updatedAt": ("The moment of its latest change, or of its order's.", MOMENT),
        **_MONEY,
        **_OWNER,
    },
    r.DailyReport: {"data": "The lines, by day and currency.", "nextCursor": "Always null: a report is one page."},
    r.ChangeRecord: {
        "type": "What kind of record it is.",
        "id": "Its id: a link's code, a balance's currency, a statement's month, a membership's campaign/affiliate.",
        "changedAt": ("The moment of its latest change.", MOMENT),
        "deleted": "Whether it is gone.",
        "record": "The record as its own endpoint prints it; null if it is gone.",
    },
    r.ChangeList: {
        "data": "The records, the earliest change first; empty at the end.",
        "cursor": "What to give as `after` the next time. It holds for ever.",
        "more": "Whether there is more by now.",
    },
    r.ConversionList: {**_PAGE, **_NEXT},
    r.CommissionList: {**_PAGE, **_NEXT},
    r.EventList: {**_PAGE, **_NEXT},
    r.LinkList: {**_PAGE, **_NEXT},
    r.ClickList: _PAGE,
    r.AffiliateList: _PAGE,
    r.RequestList: _PAGE,
}
"""What each member means, by its name on the wire; with the format of a string that has one."""

_OWNED: Final[Json] = {"merchantId": MERCHANT, "merchantName": "Shop", "affiliateName": "Anna's blog", "mode": "test"}
_EXPLANATION: Final[Json] = {"attribution": example_of(AttributionExplained), "commission": None, "skipReason": None}
CONVERSION_RECORD: Final[Json] = example_of(
    ConversionRecord,
    commission=example_of(CommissionOfOrder),
    facts=[example_of(ReasonedFact)],
    explanation=_EXPLANATION,
)
_REVIEWED: Final[Json] = example_of(
    ReviewedConversion, commission=example_of(CommissionOfOrder), facts=[example_of(FactRecord)],
    confidence="LOW", reason="click_missing", review="ATTRIBUTED",
)  # fmt: skip
COMMISSION_RECORD: Final[Json] = {
    "id": COMMISSION, "state": "HOLD", "amount": "3.99", "currency": "USD", "base": "49.90", "source": "CAMPAIGN",
    "affiliateId": AFFILIATE, "conversionId": CONVERSION, "holdUntil": "2026-12-04T12:00:00.000Z", "paidAt": None,
    "reference": None, **_OWNED, "updatedAt": NOON,
}  # fmt: skip
_LISTED_EVENT: Final[Json] = {
    "eventId": EVENT, "type": "webhook", "kind": "order-created", "status": "FAILED", "duplicate": False,
    "receivedAt": NOON, "processedAt": NOON, "attempts": 1, "conversionId": None,
    "explanation": {"attribution": None, "commission": None, "skipReason": "unmappable: `order_amount` is missing"},
    "externalOrderId": None,
}  # fmt: skip


def _page(*entries: Json) -> Mapping[str, Json]:
    return {"last page": {"data": list(entries), "nextCursor": None}}


LIST_ANSWERS: Final[Mapping[Shown, Mapping[str, Json]]] = {
    ConversionRecord: {"held": CONVERSION_RECORD},
    r.ConversionList: _page(CONVERSION_RECORD),
    ReviewedConversion: {"attributed": _REVIEWED},
    r.CommissionRecord: {"held": COMMISSION_RECORD},
    r.ChangeList: {
        "a commission": {
            "data": [{"type": "commission", "id": COMMISSION, "changedAt": NOON, "deleted": False,
                      "record": COMMISSION_RECORD}],
            "cursor": "Y2hhbmdlcwoxODM4MjYwMjI0MDAwMDAwCnp6enp6Cg", "more": False,
        }
    },
    r.CommissionList: _page(COMMISSION_RECORD),
    r.EventList: _page(_LISTED_EVENT),
    LinkCreated: {"link": example_of(LinkCreated)},
    LinkRecord: {"disabled": {**example_of(LinkRecord), "disabledAt": NOON}},
    r.LinkList: _page(example_of(LinkRecord)),
    r.ClickList: _page(example_of(ClickRecord)),
    r.AffiliateList: _page(example_of(AffiliateRecord)),
    r.RequestList: _page(example_of(LoggedRequest)),
    r.DailyReport: _page(example_of(DailyFigures)),
}  # fmt: skip
"""The examples of each response class, by their names."""
