"""Every page of an affiliate."""

from __future__ import annotations

from hub.pages.affiliate.campaigns import own_campaign_pages
from hub.pages.affiliate.commissions import commission_pages
from hub.pages.affiliate.home import home_pages
from hub.pages.affiliate.links import link_pages
from hub.pages.affiliate.materials import material_pages
from hub.pages.affiliate.messages import message_pages
from hub.pages.affiliate.payee import payee_pages
from hub.pages.affiliate.payouts import payout_pages
from hub.pages.affiliate.products import product_pages
from hub.pages.affiliate.reports import report_pages
from hub.pages.affiliate.settings import settings_pages
from hub.pages.affiliate.tax_details import tax_pages
from hub.pages.visit import Page


def affiliate_pages() -> list[Page]:
    """Return the pages."""
    return [
        *home_pages(),
        *own_campaign_pages(),
        *link_pages(),
        *product_pages(),
        *material_pages(),
        *report_pages(),
        *commission_pages(),
        *payout_pages(),
        *payee_pages(),
        *tax_pages(),
        *message_pages(),
        *settings_pages(),
    ]
