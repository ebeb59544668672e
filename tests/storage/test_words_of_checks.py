"""The words that the schema's CHECKs admit are those of the code: each list is compared with its closed set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from hub.domain import words
from hub.domain.books import ledger
from hub.domain.orders.rule_kinds import RuleType
from hub.operations.users.login_links import Purpose
from hub.people.steps import Kind as StepKind
from hub.storage.migrations.outcome import schema_text

SETS: dict[str, Any] = {
    "accounts.mode": words.Mode,
    "adjustments.kind": words.AdjustmentKind,
    "adjustments.status": words.AdjustmentStatus,
    "affiliates.status": words.AffiliateStatus,
    "campaigns.approval_status": words.ApprovalStatus,
    "campaigns.default_commission_type": RuleType,
    "campaigns.joining": words.Joining,
    "campaigns.new_customer_commission_type": RuleType,
    "campaigns.status": words.StoredCampaignStatus,
    "claims.scope": words.ClaimScope,
    "commissions.source": words.CommissionSource,
    "commissions.state": words.CommissionState,
    "connections.status": words.ConnectionStatus,
    "conversions.confidence": words.Confidence,
    "conversions.review": words.ReviewStatus,
    "events.status": words.EventStatus,
    "events.type": words.EventType,
    "introductions.means": words.IntroductionMeans,
    "join_pages.acceptance": words.Acceptance,
    "login_links.purpose": Purpose,
    "mails.status": words.MailStatus,
    "materials.kind": words.MaterialKind,
    "memberships.commission_type": RuleType,
    "memberships.status": words.MembershipStatus,
    "merchant_domains.method": words.Proof,
    "merchant_invoices.vat_kind": words.VatKind,
    "merchants.commission_type": RuleType,
    "merchants.live_access": words.LiveAccess,
    "merchants.platform": words.ShopPlatform,
    "merchants.status": words.MerchantStatus,
    "notice_choices.mail": words.NoticeMail,
    "order_messages.author": words.Side,
    "payees.method": words.PayoutMethod,
    "payout_items.status": words.PaymentStatus,
    "payout_lines.status": words.LineStatus,
    "payouts.mode": words.Mode,
    "payouts.status": words.PayoutStatus,
    "pictures.media_type": words.PictureType,
    "platform_access.last_look": words.LastLook,
    "platform_fetches.kind": words.FetchKind,
    "platform_reads.kind": words.ReadingKind,
    "platform_reads.status": words.ReadingStatus,
    "exchange_rates.status": words.ExchangeStatus,
    "products.commission_type": RuleType,
    "products.status": words.ProductStatus,
    "rate_changes.level": words.RateLevel,
    "rate_drafts.level": words.DraftLevel,
    "rate_drafts.status": words.RateDraftStatus,
    "books.billed": words.BilledWhen,
    "bank_reports.kind": words.BankReportKind,
    "bank_reports.actor_kind": words.ActorKind,
    "bank_reports.source": words.Channel,
    "bank_report_progress.status": words.BankReportStatus,
    "receipts.source": words.ReceiptSource,
    "receipts.status": words.ReceiptStatus,
    "rate_drafts.type": RuleType,
    "registrations.kind": words.PartyKind,
    "registrations.platform": words.ShopPlatform,
    "sign_in_steps.kind": StepKind,
    "bulk_steps.act": words.BulkAct,
    "set_asides.matter": words.Matter,
    "subscriptions.kind": words.SubscriptionKind,
    "subscriptions.mode": words.Mode,
    "subscriptions.status": words.StoredSubscriptionStatus,
    "trail.actor_kind": words.ActorKind,
    "trail.source": words.Channel,
    "uploads.kind": words.UploadKind,
    "uploads.source": words.UploadSource,
    "uploads.status": words.UploadStatus,
    "user_roles.level": words.Level,
    "user_roles.role": words.Role,
    "users.status": words.UserStatus,
    "users.theme": words.Theme,
    "webhook_deliveries.status": words.DeliveryStatus,
    "volume_orders.standing": words.VolumeStanding,
    "volume_orders.type": RuleType,
    "vat_checks.outcome": words.VatOutcome,
}
"""The closed set of the code behind each CHECK of words."""
UNCHECKED: dict[str, Any] = {
    "ledger_entries.credit": ledger.Place,
    "ledger_entries.debit": ledger.Place,
    "ledger_entries.kind": ledger.Kind,
}
"""Columns without a CHECK whose words stand in conditions of indexes."""

_TABLE = re.compile(r"CREATE (?:\{unlogged\} )?TABLE (\w+) \((.*?)\n\)", re.DOTALL)
_INDEX = re.compile(r"CREATE (?:UNIQUE )?INDEX \w+ ON (\w+) \([^;]*?\)\s+WHERE ([^;]*);")
_CHECK = re.compile(r"CHECK \((\w+) IN \(([^()]*)\)\)")
_CONDITION = re.compile(r"(\w+) (?:IN \(([^()]*)\)|(?:=|<>) ('[^']*'))")


def quoted_in(text: str) -> set[str]:
    return set(re.findall(r"'([^']*)'", text))


def checked(schema: str) -> dict[str, set[str]]:
    """Return the words that the schema admits in each column with a CHECK of words: {"table.column": words}."""
    found = {
        f"{table}.{column}": quoted_in(listed)
        for table, body in _TABLE.findall(schema)
        for column, listed in _CHECK.findall(body)
    }
    return {column: admitted for column, admitted in found.items() if admitted}


def apart(schema: str) -> Iterator[str]:
    """Give a sentence for each list of words in the schema that the code does not have, or not so."""
    lists = checked(schema)
    for column, admitted in lists.items():
        if column not in SETS:
            yield (
                f"{column} admits {sorted(admitted)}: write these words as a Literal in hub/domain/words.py,"
                f" and name it in SETS of {__name__.replace('.', '/')}.py."
            )
        elif admitted != set(get_args(SETS[column])):
            yield f"{column} admits {sorted(admitted)}, the code has {sorted(get_args(SETS[column]))}: change one."
    yield from (f"{column} of SETS has no CHECK of words any more." for column in SETS.keys() - lists.keys())


def unknown_in_indexes(schema: str) -> Iterator[str]:
    """Give a sentence for each word in the condition of an index that its column can never hold."""
    for table, condition in _INDEX.findall(schema):
        for column, listed, single in _CONDITION.findall(condition):
            known = {**SETS, **UNCHECKED}.get(f"{table}.{column}")
            strange = quoted_in(listed or single) - set(get_args(known)) - ({"*"} if known is None else set())
            if strange:
                yield f"An index of {table} asks for {column} {sorted(strange)}, which the code does not have."


def test_every_check_admits_the_words_of_the_code() -> None:
    """Whoever adds a word to one of them is told of the other."""
    assert list(apart(schema_text())) == []
    assert len(checked(schema_text())) == len(SETS)


def test_every_index_asks_for_words_of_the_code() -> None:
    """An index on a word that was renamed would hold nothing, and no query would say so."""
    assert list(unknown_in_indexes(schema_text())) == []


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (
            "CHECK (joining IN ('OPEN', 'BY_APPROVAL'))",
            "CHECK (joining IN ('OPEN'))",
            "campaigns.joining admits ['OPEN']",
        ),
        ("CHECK (method IN ('file',", "CHECK (method IN ('post', 'file',", "merchant_domains.method admits"),
        ("method      TEXT   CHECK (method IN ('file', 'meta', 'dns'))", "method TEXT", "method of SETS has no CHECK"),
        (
            "list       TEXT   NOT NULL,",
            "list TEXT CHECK (list IN ('a', 'b')),",
            "saved_views.list admits ['a', 'b']: write",
        ),
    ],
)
def test_a_list_that_differs_is_named(before: str, after: str, sentence: str) -> None:
    """The control: a word less, a word more, a list less and a list more."""
    text = schema_text()
    assert text.count(before) == 1
    assert sentence in "; ".join(apart(text.replace(before, after)))


@pytest.mark.parametrize("condition", ["state IN ('HOLD', 'APPROVED')", "WHERE state = 'PAYABLE'"])
def test_an_index_on_a_word_that_is_not_is_named(condition: str) -> None:
    """The control: one word of a list, and one alone."""
    text = schema_text()
    assert text.count(condition) == 1
    strange = text.replace(condition, re.sub(r"'\w+'", "'OLD'", condition))
    assert list(unknown_in_indexes(strange)) == [
        "An index of commissions asks for state ['OLD'], which the code does not have."
    ]
