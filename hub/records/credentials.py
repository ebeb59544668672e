"""What callers of the APIs prove themselves by: a merchant's keys, and bearer tokens; none with its secret but once."""

from __future__ import annotations

from typing import Annotated, Final

from attrs import frozen

from hub.domain.words import Mode
from hub.records.explanations import AFFILIATE
from hub.records.orders import MERCHANT, NOON
from hub.records.record import Note
from hub.validation.constraints import Instant
from hub.validation.inputs import leading

KEY: Final = "ak_test_5f0c1a5227b14c0e9c553a1d7f8f2f60"
ISSUED: Final = "tok_01936f3e8c7a7b3e9d5a4c2b1f0e8d91"
Ranges = Annotated[
    tuple[str, ...], Note("Address ranges (CIDR) that it is accepted from; none allow any.", ("203.0.113.0/24",))
]
Ends = Annotated[int | None, Instant("When it ends; null if it does not.", "")]
Revoked = Annotated[int | None, Instant("When it was revoked; null if it was not.", "")]
Created = Annotated[int, Instant("When it was made.", NOON)]


@frozen(kw_only=True, slots=False)
class KeyTerms:
    """What a key counts for, and from where and until when."""

    key_id: Annotated[str, Note("The key's public id.", KEY)]
    mode: Annotated[Mode, Note("The mode of its account.", "test")]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    allowed_ips: Ranges
    expires_at: Ends
    created_at: Created
    signature_version: Annotated[int, Note("The lowest version of the signature that it takes.", 1)]
    name: Annotated[str | None, Note("What its merchant calls it; null for nothing.", "Shop server")]


@frozen(
    kw_only=True, slots=False,
    field_transformer=leading("key_id", "mode", "merchant_id", "allowed_ips", "expires_at", "revoked_at"),
)  # fmt: skip
class KeyDocument(KeyTerms):
    """A key without its secret."""

    revoked_at: Revoked


@frozen(kw_only=True, slots=False, field_transformer=leading("key_id", "signing_secret"))
class IssuedKeyDocument(KeyTerms):
    """A key that was just issued, with the secret that is never shown again."""

    signing_secret: Annotated[str, Note("What signs requests; it is only in this answer.", "sec_test_...")]


@frozen(kw_only=True, slots=False)
class TokenDocument:
    """A token without its secret; without `user_id` nobody's roles bound it."""

    id: Annotated[str, Note("The hub's id.", ISSUED)]
    name: Annotated[str, Note("What it is for.", "nightly export")]
    scopes: Annotated[tuple[str, ...], Note("What it may do.", ("orders:read",))]
    affiliate_id: Annotated[str | None, Note("The affiliate whose it is; null for others.", AFFILIATE)]
    merchant_id: Annotated[str | None, Note("The merchant whose it is; null for others.")]
    mode: Annotated[Mode | None, Note("The mode of the merchant's account; null without one.")]
    user_id: Annotated[str | None, Note("The person whose roles bound it; null for nobody.")]
    allowed_ips: Ranges
    expires_at: Ends
    revoked_at: Revoked
    last_used_at: Annotated[int | None, Instant("When it was used last; null if never.", "")]
    last_address: Annotated[str | None, Note("From where it was used last; null if never.")]
    created_at: Created


@frozen(kw_only=True, slots=False)
class CreatedToken(TokenDocument):
    """A token that was just made."""

    token: Annotated[str, Note("The token itself, which is never shown again.", f"{ISSUED}_...")]
