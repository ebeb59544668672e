"""The resources of the acts, by the fixed parts of their paths; the longest that is named counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from hub.domain.scopes import Holder, scope_of

if TYPE_CHECKING:
    from hub.acts.act import Act

OPERATORS: Final[Mapping[str, str]] = {
    "merchants": "merchants",
    "merchants/keys": "keys",
    "merchants/tokens": "keys",
    "merchants/signatures": "keys",
    "merchants/deposit": "payouts",
    "merchants/fee": "payouts",
    "merchants/fees": "payouts",
    "merchants/issuer": "payouts",
    "merchants/statements": "payouts",
    "merchants/vat": "payouts",
    "merchants/products": "products",
    "merchants/uploads": "orders",
    "merchants/clicks": "links",
    "affiliates": "affiliates",
    "affiliates/balances": "payouts",
    "affiliates/payee": "payouts",
    "affiliates/tax-details": "payouts",
    "affiliates/vat": "payouts",
    "affiliates/issuer": "payouts",
    "affiliates/payout-terms": "payouts",
    "affiliates/write-off": "payouts",
    "affiliates/hold": "payouts",
    "affiliates/free": "payouts",
    "campaigns": "campaigns",
    "campaigns/members/rate": "rates",
    "memberships": "campaigns",
    "links": "links",
    "keys": "keys",
    "connections": "connections",
    "event-types": "webhooks",
    "subscriptions": "webhooks",
    "conversions": "orders",
    "questions": "orders",
    "reports": "orders",
    "commissions": "orders",
    "commissions/pay": "payouts",
    "events": "orders",
    "rates": "rates",
    "payouts": "payouts",
    "exchange-rates": "payouts",
    "adjustments": "payouts",
    "debts": "payouts",
    "invoices": "payouts",
    "issuers": "payouts",
    "receipts": "payouts",
    "bank-reports": "payouts",
    "shared-accounts": "payouts",
    "books": "payouts",
    "users": "people",
    "tokens": "people",
    "mails": "system",
    "trail": "system",
    "health": "system",
    "settings": "system",
    "nodes": "system",
    "clocks": "system",
}
"""Those of the operators' API."""
AFFILIATES: Final[Mapping[str, str]] = {
    "affiliate": "profile",
    "balances": "payouts",
    "commissions": "orders",
    "messages": "orders",
    "payouts": "payouts",
    "payee": "payouts",
    "reports": "reports",
    "campaigns": "campaigns",
    "links": "links",
    "event-types": "webhooks",
    "subscriptions": "webhooks",
}
"""Those of the affiliates' API."""
RESOURCES: Final[Mapping[Holder, Mapping[str, str]]] = {"operator": OPERATORS, "affiliate": AFFILIATES}

HOLDERS: Final[Mapping[str, Holder]] = {"admin": "operator", "affiliate": "affiliate"}
"""Whose tokens an API takes, by its kind."""


def needed_for(act: Act, holder: Holder) -> tuple[str, ...]:
    """Return the scopes of which a token needs one for an act, in the API of these holders."""
    return act.scopes or (scope_of(RESOURCES[holder], act.path, "write" if act.writes else "read"),)
