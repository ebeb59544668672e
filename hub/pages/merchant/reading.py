"""The pages in which a merchant reads what came in and what became of it."""

from __future__ import annotations

from hub.pages.merchant.attention import attention_pages
from hub.pages.merchant.commissions import commission_pages
from hub.pages.merchant.delivery_doctor import delivery_doctor_pages
from hub.pages.merchant.logs import log_pages
from hub.pages.merchant.messages import message_pages
from hub.pages.merchant.order import order_pages
from hub.pages.merchant.orders import order_list_pages
from hub.pages.merchant.overview import overview_pages
from hub.pages.merchant.questions import question_pages
from hub.pages.merchant.reviews import review_pages
from hub.pages.merchant.statements import statement_pages
from hub.pages.visit import Page


def reading_pages() -> list[Page]:
    """Return the pages."""
    return [
        *overview_pages(),
        *attention_pages(),
        *order_list_pages(),
        *order_pages(),
        *commission_pages(),
        *statement_pages(),
        *review_pages(),
        *message_pages(),
        *log_pages(),
        *delivery_doctor_pages(),
        *question_pages(),
    ]
