"""Notes on the members of reports, balances, statements and subscriptions, and their examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hub.merchant_api import report_responses as r
from hub.merchant_api import subscription_responses as s
from hub.merchant_api.openapi.list_answers import Json, Notes
from hub.records.figures import FiguresOf, PeriodFigures
from hub.records.messages import example_message
from hub.records.record import Shown, members_of
from hub.records.subscriptions import DeliveryRecord, SubscriptionRecord, SubscriptionSecret
from hub.records.wire import example_of

_BY_STATE: Final = ("pending", "hold", "approved", "payable", "paid", "rejected")
_ONE_PAGE: Final = {"data": "The lines.", "nextCursor": "Always null: it is one page."}
_REPORT: Final = {"data": "The lines, at most 5,000.", "nextCursor": "Always null: it is one page."}

REPORT_NOTES: Final[Mapping[type, Notes]] = {
    r.FiguresReport: _REPORT,
    r.FiguresOfProduct: {
        "externalProductId": "Your id of the product; null for what is not in the catalogue.",
        "name": "Its name.",
        "currency": "The currency of the money.",
        "orders": "Orders that have it.",
        "units": "How many were bought.",
        "revenue": "Their money.",
    },
    r.ProductReport: _REPORT,
    r.FiguresOfLink: {
        "code": "The link's code.",
        "affiliateId": "Whose link it is.",
        "campaignId": "The campaign that it belongs to; null for none.",
        "destination": "Where it leads.",
        "currency": "The currency of the money; null for the line of the clicks.",
        "clicks": "Its clicks.",
        "orders": "Orders that were attributed to it.",
        "rejections": "How many of them earn nothing.",
        "commission": "What the others earn; null for the line of the clicks.",
    },
    r.LinkReport: _REPORT,
    r.BalanceRecord: {
        "currency": "The currency of the money.",
        **{each.wire: each.note.text for each in members_of(PeriodFigures) if each.wire in _BY_STATE},
    },
    r.BalanceList: _ONE_PAGE,
    r.OwedAmount: {
        "currency": "The currency of the money.",
        "commissions": "Commissions that were paid in the month, or became payable in it: `billed` says which.",
        "payments": "How many.",
        "corrections": "Corrections of earlier ones.",
        "fee": "The network's fee.",
        "deposit": "What your deposit has paid of it, at most nought.",
        "total": "What is owed.",
    },
    r.StatementRecord: {
        "month": "The month, like 2026-11.",
        "timeZone": "The time zone of the operator's books, in which the month begins and ends.",
        "billed": "When a commission and the network's fee for it are owed: when it is `paid`, or when it becomes "
        "`payable`.",
        "owed": "What is owed for it, by currency.",
    },
    r.StatementList: _ONE_PAGE,
    s.SubscriptionList: _ONE_PAGE,
    s.DeliveryList: {
        "data": "The messages, newest first.",
        "nextCursor": "The `cursor` of the next page; null on the last one.",
    },
    s.ReplayedDeliveries: {"replayed": "How many messages are sent again."},
    s.RetriedDeliveries: {"retried": "How many messages wait, and are tried now."},
    s.EventTypeRecord: {
        "type": "The type, as subscriptions name it.",
        "about": "When it is sent.",
        "forAffiliates": "Whether affiliates are told, too.",
        "version": "The version of what it says, as in the header `webhook-payload-version`.",
        "schema": "A JSON Schema (2020-12) of the whole message, which refers to nothing.",
        "example": "A whole message.",
    },
    s.EventTypeList: _ONE_PAGE,
    s.SampleMessage: {"messageId": "The message's id, as in the subscription's messages.", "type": "Its kind."},
}
"""What each member means, by its name on the wire; with the format of a string that has one."""

_FIGURES: Final = example_of(PeriodFigures)
_BALANCE: Final = {name: _FIGURES[name] for name in ("currency", *_BY_STATE)}
_SUBSCRIPTION: Final = example_of(SubscriptionRecord)
_DELIVERY: Final = example_of(DeliveryRecord, answer="")


def _page(entry: Json) -> Mapping[str, Json]:
    return {"last page": {"data": [entry], "nextCursor": None}}


REPORT_ANSWERS: Final[Mapping[Shown, Mapping[str, Any]]] = {
    r.FiguresReport: _page(example_of(FiguresOf)),
    r.ProductReport: _page(
        {"externalProductId": "SKU-1", "name": "Walking shoe", "currency": "USD", "orders": 1, "units": 1,
         "revenue": "49.90"}
    ),
    r.LinkReport: _page(
        {"code": "Yj3kPq8sLm2T", "affiliateId": "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80",
         "campaignId": "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f", "destination": "https://shop.example/p/1",
         "currency": None, "clicks": 120, "orders": 0, "rejections": 0, "commission": None}
    ),
    r.BalanceList: _page(_BALANCE),
    r.StatementList: _page(
        {"month": "2026-11", "timeZone": "UTC", "billed": "paid",
         "owed": [{"currency": "USD", "commissions": "3.99", "payments": 1, "corrections": "0.00", "fee": "0.10",
                   "deposit": "0.00", "total": "4.09"}]}
    ),
    SubscriptionRecord: {
        "active": _SUBSCRIPTION,
        "paused": {**_SUBSCRIPTION, "status": "PAUSED", "reason": "Somebody paused it."},
    },
    SubscriptionSecret: {"secret": example_of(SubscriptionSecret)},
    s.SubscriptionList: _page(_SUBSCRIPTION),
    s.DeliveryList: _page(_DELIVERY),
    s.ReplayedDeliveries: {"replayed": {"replayed": 2}},
    s.RetriedDeliveries: {"retried": {"retried": 3}},
    s.EventTypeList: _page(
        {"type": "payout.released", "about": "A payment to an affiliate was released.", "forAffiliates": True,
         "version": "1",
         "schema": {"type": "object", "required": ["type", "timestamp", "data"]},
         "example": example_message("payout.released")}
    ),
    s.SampleMessage: {"sent": {"messageId": "msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90", "type": "commission.payable"}},
}  # fmt: skip
"""The examples of each response class, by their names."""
