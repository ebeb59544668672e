"""The schema admits the closed sets of hub/domain/words.py: a word that was added there alone is named here."""

from __future__ import annotations

import re
from typing import get_args

from hub.domain import words as w
from hub.domain.rule_kinds import RULE_TYPES
from hub.storage.migrations.outcome import schema_text

SETS: dict[str, tuple[str, ...]] = {
    "merchants.commission_type": RULE_TYPES,
    "merchants.status": get_args(w.MerchantStatus),
    "accounts.mode": w.MODES,
    "merchant_domains.method": w.PROOFS,
    "affiliates.status": w.AFFILIATE_STATUSES,
    "users.status": get_args(w.UserStatus),
    "user_roles.role": w.ROLES,
    "user_roles.level": w.LEVELS,
    "trail.actor_kind": get_args(w.ActorKind),
    "trail.source": get_args(w.Channel),
    "campaigns.default_commission_type": RULE_TYPES,
    "campaigns.approval_status": w.APPROVAL_STATUSES,
    "campaigns.status": w.STORED_CAMPAIGN_STATUSES,
    "campaigns.joining": w.JOININGS,
    "memberships.status": w.MEMBERSHIP_STATUSES,
    "memberships.commission_type": RULE_TYPES,
    "products.commission_type": RULE_TYPES,
    "products.status": w.PRODUCT_STATUSES,
    "rate_changes.level": get_args(w.RateLevel),
    "rate_drafts.type": RULE_TYPES,
    "rate_drafts.status": get_args(w.RateDraftStatus),
    "events.type": w.EVENT_TYPES,
    "events.status": w.EVENT_STATUSES,
    "uploads.kind": w.UPLOAD_KINDS,
    "uploads.status": w.UPLOAD_STATUSES,
    "conversions.confidence": get_args(w.Confidence),
    "conversions.review": get_args(w.ReviewStatus),
    "commissions.state": w.COMMISSION_STATES,
    "commissions.source": get_args(w.CommissionSource),
    "order_messages.author": get_args(w.Side),
    "adjustments.kind": get_args(w.AdjustmentKind),
    "adjustments.status": w.ADJUSTMENT_STATUSES,
    "payees.method": w.PAYOUT_METHODS,
    "payouts.mode": w.MODES,
    "payouts.status": get_args(w.PayoutStatus),
    "payout_files.format": w.PAYOUT_FORMATS,
    "payout_items.status": get_args(w.PaymentStatus),
    "payout_lines.status": get_args(w.LineStatus),
    "platform_reads.kind": get_args(w.ReadingKind),
    "platform_reads.status": get_args(w.ReadingStatus),
    "mails.status": w.MAIL_STATUSES,
    "subscriptions.mode": w.MODES,
    "subscriptions.kind": get_args(w.SubscriptionKind),
    "subscriptions.status": get_args(w.StoredSubscriptionStatus),
    "webhook_deliveries.status": get_args(w.DeliveryStatus),
}
KNOWN = set(map(frozenset, SETS.values()))


def checks_of(text: str) -> dict[str, frozenset[str]]:
    """Return the words that the CHECK of each column admits, as "table.column": words."""
    found: dict[str, frozenset[str]] = {}
    for table in re.finditer(r"CREATE TABLE (\w+) \((.*?)\n\)", text, re.DOTALL):
        for column, listed in re.findall(r"CHECK \((\w+) IN \(([^)]*)\)", table[2]):
            texts = re.findall(r"'([^']*)'", listed)
            if texts:
                found[f"{table[1]}.{column}"] = frozenset(texts)
    return found


def test_each_column_admits_the_words_of_its_set() -> None:
    found = checks_of(schema_text())
    assert SETS.keys() - found.keys() == set()
    assert {name: sorted(found[name]) for name in SETS if found[name] != frozenset(SETS[name])} == {}


def test_a_column_with_the_words_of_a_set_is_compared_with_it() -> None:
    """Whoever writes a CHECK with the words of a set adds its row above."""
    found = checks_of(schema_text())
    assert [name for name, words in found.items() if words in KNOWN and name not in SETS] == []


def test_control_a_schema_that_misses_a_word_is_found() -> None:
    text = schema_text().replace("'CANCELLED'", "'GIVEN UP'")
    assert checks_of(text)["payouts.status"] != frozenset(SETS["payouts.status"])
