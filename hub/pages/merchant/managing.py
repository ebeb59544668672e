"""The pages in which a merchant manages what is its own."""

from __future__ import annotations

from hub.pages.merchant.campaigns import campaign_pages
from hub.pages.merchant.connections import connection_pages
from hub.pages.merchant.domains import domain_pages
from hub.pages.merchant.join_page import join_page_pages
from hub.pages.merchant.keys import key_pages
from hub.pages.merchant.links import link_pages
from hub.pages.merchant.materials import material_pages
from hub.pages.merchant.members import member_pages
from hub.pages.merchant.onboarding import onboarding_pages
from hub.pages.merchant.partner import one_partner_pages
from hub.pages.merchant.partners import partner_pages
from hub.pages.merchant.people import people_pages
from hub.pages.merchant.platforms import platform_pages
from hub.pages.merchant.policy import policy_pages
from hub.pages.merchant.products import product_pages
from hub.pages.merchant.profile import profile_pages
from hub.pages.merchant.rates import rate_pages
from hub.pages.merchant.reconcile import reconcile_pages
from hub.pages.merchant.test_mode import test_mode_pages
from hub.pages.merchant.tokens import token_pages
from hub.pages.merchant.uploads import upload_pages
from hub.pages.visit import Page


def managing_pages() -> list[Page]:
    """Return the pages."""
    return [
        *onboarding_pages(),
        *profile_pages(),
        *domain_pages(),
        *key_pages(),
        *token_pages(),
        *connection_pages(),
        *platform_pages(),
        *campaign_pages(),
        *policy_pages(),
        *rate_pages(),
        *member_pages(),
        *join_page_pages(),
        *material_pages(),
        *partner_pages(),
        *one_partner_pages(),
        *people_pages(),
        *product_pages(),
        *link_pages(),
        *upload_pages(),
        *reconcile_pages(),
        *test_mode_pages(),
    ]
