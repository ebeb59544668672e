"""What people are told: the kinds of notices, who gets each, and how it is mailed unless somebody chose otherwise.

A notice is a sentence about one thing, with the address of its page. Everybody of the party that it is about gets it,
except who did it. A kind whose act mails by itself (to the party's own address) is shown, and mailed no second time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from hub.domain.durations import DAY, HOUR
from hub.domain.words import NoticeMail, Side

DIGEST_AT: Final = 7 * HOUR
"""When the digest of a day goes out, after midnight UTC."""
STALE_MS: Final = 2 * DAY
"""A notice that could not be mailed for so long is only shown."""


@frozen
class Kind:
    """A kind: who gets it, its words in the settings, and how it is mailed; `mails_itself` says that the act does."""

    side: Side
    words: str
    mail: NoticeMail = "AT_ONCE"
    mails_itself: bool = False


KINDS: Final[Mapping[str, Kind]] = {
    "merchant-waits": Kind("operator", "A merchant is waiting for approval"),
    "live-asked": Kind("operator", "A merchant asks for live access"),
    "merchant-decided": Kind("merchant", "The operator approved, rejected or suspended you"),
    "live-decided": Kind("merchant", "Live access is granted or refused"),
    "campaign-decided": Kind("merchant", "The operator approved or rejected a campaign"),
    "partner-applied": Kind("merchant", "A partner applies"),
    "partner-joined": Kind("merchant", "A partner joined, or accepted your invitation", "DAILY"),
    "orders-to-review": Kind("merchant", "Orders wait for your review", "DAILY"),
    "store-silent": Kind("merchant", "Your store has sent nothing for a day"),
    "store-refuses": Kind("merchant", "Your store refuses the hub", mails_itself=True),
    "messages-failing": Kind("merchant", "Your server does not take the hub's messages"),
    "messages-paused": Kind("merchant", "Your messages are paused", mails_itself=True),
    "question-asked": Kind("merchant", "A partner asks about an order", mails_itself=True),
    "statement-ready": Kind("merchant", "A month's statement is ready", "DAILY"),
    "invoice-issued": Kind("merchant", "An invoice is ready"),
    "invoice-overdue": Kind("merchant", "An invoice is overdue", mails_itself=True),
    "invoice-paid": Kind("merchant", "One of your invoices is paid", "DAILY"),
    "deposit-short": Kind("merchant", "The deposit does not cover every commission", mails_itself=True),
    "membership-decided": Kind("affiliate", "A merchant approved, rejected or removed you"),
    "question-answered": Kind("affiliate", "Your question about an order is answered", mails_itself=True),
    "commission-rejected": Kind("affiliate", "A merchant rejects one of your commissions", "DAILY"),
    "commission-ended": Kind("affiliate", "A commission ends because its order was cancelled or returned", "DAILY"),
    "commission-taken-back": Kind("affiliate", "A commission that you were paid is taken back", "DAILY"),
    "balance-corrected": Kind("affiliate", "Your balance is corrected, or you get a bonus"),
    "balance-owed": Kind("affiliate", "You owe what was refunded after you were paid"),
    "payee-changed": Kind("affiliate", "Your payment details were changed", mails_itself=True),
    "payment-released": Kind("affiliate", "A payment to you is on its way", "DAILY"),
    "payment-settled": Kind("affiliate", "You are paid"),
    "payment-returned": Kind("affiliate", "A payment came back"),
}
"""The kinds by name."""


def next_digest(now: int) -> int:
    """Return when the next digest goes out after `now`; both are ms UTC."""
    today = now // DAY * DAY + DIGEST_AT
    return today if today > now else today + DAY
