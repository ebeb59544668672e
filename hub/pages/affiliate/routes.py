"""Every page of an affiliate."""

from __future__ import annotations

from hub.pages.affiliate import (
    campaigns,
    commissions,
    home,
    links,
    materials,
    messages,
    payee,
    payouts,
    products,
    reports,
    settings,
    tax_details,
)
from hub.pages.visit import Page


def affiliate_pages() -> list[Page]:
    """Return the pages."""
    return [
        *home.PAGES,
        *campaigns.PAGES,
        *links.PAGES,
        *products.PAGES,
        *materials.PAGES,
        *reports.PAGES,
        *commissions.PAGES,
        *payouts.PAGES,
        *payee.PAGES,
        *tax_details.PAGES,
        *messages.PAGES,
        *settings.PAGES,
    ]
