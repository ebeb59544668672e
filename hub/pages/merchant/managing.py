"""The pages in which a merchant manages what is its own."""

from __future__ import annotations

from hub.pages.merchant import (
    campaigns,
    connections,
    domains,
    join_page,
    keys,
    links,
    materials,
    members,
    onboarding,
    partner,
    partners,
    people,
    platforms,
    policy,
    products,
    profile,
    rates,
    reconcile,
    test_mode,
    tokens,
    uploads,
)
from hub.pages.visit import Page


def managing_pages() -> list[Page]:
    """Return the pages."""
    return [
        *onboarding.PAGES,
        *profile.PAGES,
        *domains.PAGES,
        *keys.PAGES,
        *tokens.PAGES,
        *connections.PAGES,
        *platforms.PAGES,
        *campaigns.PAGES,
        *policy.PAGES,
        *rates.PAGES,
        *members.PAGES,
        *join_page.PAGES,
        *materials.PAGES,
        *partners.PAGES,
        *partner.PAGES,
        *people.PAGES,
        *products.PAGES,
        *links.PAGES,
        *uploads.PAGES,
        *reconcile.PAGES,
        *test_mode.PAGES,
    ]
