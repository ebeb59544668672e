"""The answers of the lists: a page of records each, which the document describes under its name."""

from __future__ import annotations

from typing import Final

from hub.merchant_api.act_responses import CommissionRecord, LinkRecord
from hub.records.affiliates import AffiliateRecord
from hub.records.clicks import ClickRecord
from hub.records.events import ListedEvent
from hub.records.figures import DailyFigures, FiguresOf, FiguresOfLink, FiguresOfProduct
from hub.records.messages import EventTypeRecord
from hub.records.orders import ConversionRecord
from hub.records.record import PageOf
from hub.records.requests import LoggedRequest
from hub.records.statements import BalanceRecord, StatementRecord
from hub.records.subscriptions import DeliveryRecord, SubscriptionRecord

RESUMES: Final = "`next_updated_since` is there if `updatedSince` was."
ONE_PAGE: Final = ("The lines.", "Always null: it is one page.")
REPORT: Final = ("The lines, at most 5,000.", "Always null: it is one page.")

CONVERSIONS: Final = PageOf(ConversionRecord, "ConversionList", f"A page of orders; {RESUMES}", resumes=True)
COMMISSIONS: Final = PageOf(CommissionRecord, "CommissionList", f"A page of commissions; {RESUMES}", resumes=True)
EVENTS: Final = PageOf(ListedEvent, "EventList", f"A page of submissions; {RESUMES}", resumes=True)
LINKS: Final = PageOf(LinkRecord, "LinkList", f"A page of tracking links; {RESUMES}", resumes=True)
CLICKS: Final = PageOf(ClickRecord, "ClickList", "A page of clicks.")
AFFILIATES: Final = PageOf(AffiliateRecord, "AffiliateList", "A page of affiliates.")
REQUESTS: Final = PageOf(LoggedRequest, "RequestList", "A page of the request log.")
DELIVERIES: Final = PageOf(DeliveryRecord, "DeliveryList", "A page of messages.", "The messages, newest first.")
SUBSCRIPTIONS: Final = PageOf(SubscriptionRecord, "SubscriptionList", "The subscriptions of the account.", *ONE_PAGE)
EVENT_TYPES: Final = PageOf(EventTypeRecord, "EventTypeList", "Every kind of message.", *ONE_PAGE)
BALANCES: Final = PageOf(BalanceRecord, "BalanceList", "The balances of the account, by currency.", *ONE_PAGE)
STATEMENTS: Final = PageOf(
    StatementRecord, "StatementList", "The months in which something was owed, newest first.", *ONE_PAGE
)
DAYS: Final = PageOf(
    DailyFigures, "DailyReport", "The days of a period on which something happened, oldest first.",
    "The lines, by day and currency.", "Always null: a report is one page.",
)  # fmt: skip
PARTIES: Final = PageOf(
    FiguresOf, "FiguresReport", "The campaigns or the affiliates of a period, the most revenue first.", *REPORT
)
PRODUCTS: Final = PageOf(
    FiguresOfProduct, "ProductReport", "The products of a period, the most revenue first.", *REPORT
)
LINK_FIGURES: Final = PageOf(FiguresOfLink, "LinkReport", "The links of a period, the most clicks first.", *REPORT)
