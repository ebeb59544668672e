"""Each act of the product has its kinds of notices, its mails, or a reason why nobody is told."""

from __future__ import annotations

from typing import Final

from hub.acts.table import ACTS
from hub.domain.messages.notices import KINDS

TOLD: Final = {
    "merchant.profile-updated": ["merchant-waits"],
    "merchant.approved": ["merchant-decided"],
    "merchant.rejected": ["merchant-decided"],
    "merchant.suspended": ["merchant-decided"],
    "merchant.live-asked": ["live-asked"],
    "merchant.live-granted": ["live-decided"],
    "merchant.live-refused": ["live-decided"],
    "campaign.approved": ["campaign-decided"],
    "campaign.rejected": ["campaign-decided"],
    "membership.applied": ["partner-applied"],
    "membership.joined": ["partner-joined"],
    "membership.approved": ["membership-decided"],
    "membership.rejected": ["membership-decided"],
    "membership.removed": ["membership-decided"],
    "partner.accepted": ["partner-joined"],
    "conversion.message-written": ["question-asked", "question-answered"],
    "commission.rejected": ["commission-rejected"],
    "adjustment.approved": ["commission-taken-back", "balance-corrected"],
    "payee.changed": ["payee-changed"],
    "payout.released": ["payment-released"],
    "payout.settled": ["payment-settled", "payment-returned"],
    "payout.returned": ["payment-returned"],
    "invoice.issued": ["invoice-issued"],
    "statement.read": ["invoice-paid"],
    "receipt.assigned": ["invoice-paid"],
    "receipt.noted": ["invoice-paid"],
    "receipt.set-off": ["invoice-paid"],
}
"""The notices of acts, by what they leave in the trail."""
BY_THE_CLOCK: Final = {
    "commission-ended",
    "orders-to-review",
    "statement-ready",
    "store-silent",
    "deposit-short",
    "invoice-overdue",
    "balance-owed",
    "store-refuses",
    "messages-failing",
    "messages-paused",
}
"""Kinds that follow from no act of a person."""
OWN: Final = "who does it is of the party that it concerns, whose trail has it"
NEWS: Final = "nothing is to be done, and the page of the object says it"
INSIDE: Final = "it concerns the operators, who see it in the trail and on their first page"
LATER: Final = "the act that ends it tells: a release, an approval, a payment"
SILENT: Final = {
    OWN: """account. app. campaign. clock. connection. domain. key. link. material. matter. product. subscription.
        token. upload. user.signed- merchant.platform-set merchant.signatures-set merchant.taken-live event.
        partner.invitation-taken-back partner.page-set partner.noted conversion.reopened
        conversion.attributed conversion.dismissed conversion.questions_closed conversion.separated""",
    NEWS: """merchant.created merchant.updated merchant.closed merchant.issuer-set affiliate.created
        affiliate.activated affiliate.deactivated affiliate.payments- membership.rated rate. fee. deposit.
        commission.approved commission.paid user.disabled user.enabled""",
    INSIDE: """network. books. bank-report. exchange. receipt. mail. ledger. payout.questioned payout.exported
        payout.file-withdrawn payout.reinstated year. issuer. affiliate.tax-details-set vat.checked
        affiliate.issuer-set""",
    LATER: "payout.created payout.cancelled adjustment.created adjustment.rejected",
}
"""The beginnings of what acts leave of which nobody is told, by the reason."""


def test_each_act_has_its_kinds_or_says_why_none() -> None:
    mailed = {trail for act in ACTS if act.tells for trail in act.trail}
    left = {trail for act in ACTS for trail in act.trail} - TOLD.keys() - mailed
    begun = tuple(word for words in SILENT.values() for word in words.split())
    assert sorted(trail for trail in left if not trail.startswith(begun)) == []
    assert [word for word in begun if not any(trail.startswith(word) for trail in left)] == [], (
        "a reason without an act"
    )
    assert TOLD.keys() - {trail for act in ACTS for trail in act.trail} == set()


def test_each_kind_has_an_act_or_the_clock() -> None:
    told = {kind for kinds in TOLD.values() for kind in kinds}
    assert told | BY_THE_CLOCK == KINDS.keys()
    assert not told & BY_THE_CLOCK
