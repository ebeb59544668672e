"""The pages in which a merchant reads what came in and what became of it."""

from __future__ import annotations

from hub.pages.merchant import (
    attention,
    commissions,
    delivery_doctor,
    logs,
    messages,
    order,
    orders,
    overview,
    questions,
    reviews,
    statements,
)
from hub.pages.visit import Page


def reading_pages() -> list[Page]:
    """Return the pages."""
    return [
        *overview.PAGES,
        *attention.PAGES,
        *orders.PAGES,
        *order.PAGES,
        *commissions.PAGES,
        *statements.PAGES,
        *reviews.PAGES,
        *messages.PAGES,
        *logs.PAGES,
        *delivery_doctor.PAGES,
        *questions.PAGES,
    ]
