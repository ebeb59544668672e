"""Bearer tokens of operators, affiliates and merchants: made once, kept as a digest, bounded in every way."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, Literal

from attrs import evolve, frozen

from hub.clock import Clock
from hub.domain.scopes import Holder
from hub.ids import new_id
from hub.operations.checks import checked_cidr, checked_duration, checked_name
from hub.operations.errors import OperatorFault, unknown
from hub.operations.lists import List, Page, Wanted, every, read
from hub.operations.references import account_of, affiliate_id_of, refuse_live
from hub.operations.trail import note_act
from hub.operations.users.token_scopes import checked_scopes, scopes_that_count
from hub.records.credentials import CreatedToken, KeyDocument, TokenDocument
from hub.records.rows import read_row, shared_values
from hub.storage import Row, Store, Tx

ROLES: Final = {
    "operator-admin": "admin_roles",
    "operator": "operator_roles",
    "affiliate": "affiliate_roles",
}
"""The roles that bound a token, and the columns that count its person's."""
SECRET_BYTES: Final = 32
MOST: Final = 50
"""Tokens of one person that have not ended."""
USUAL_LIFE: Final = "365d"
SEEN_EVERY_MS: Final = 60_000
"""How exact the time of the last use is."""

Refusal = Literal["unknown", "revoked", "expired", "owner_gone"]
TOKENS: Final = List("tokens")


@frozen
class NewToken:
    """A token as it is asked for: `expires_in` is like "90d", `allowed` are CIDR ranges, and none allow any address.

    It is an operator's, an affiliate's, or a merchant's in one mode; its scopes are those of its API. With a `user_id`
    it ends with its person's roles.
    """

    name: str
    scopes: Sequence[str]
    affiliate: str | None = None
    expires_in: str | None = USUAL_LIFE
    allowed: Sequence[str] = ()
    user_id: str | None = None
    merchant: str | None = None
    mode: str = "test"

    @property
    def holder(self) -> Holder:
        """Whose it is."""
        return "merchant" if self.merchant is not None else "operator" if self.affiliate is None else "affiliate"


@frozen
class TokenHolder:
    """A token that proved to be genuine: what it may do, and in whose name."""

    token_id: str
    scopes: frozenset[str]
    affiliate_id: str | None
    user_id: str | None
    allowed: tuple[str, ...]
    roles: frozenset[str] = frozenset()
    """Those that its person has now; a token of nobody was made at the terminal, which has no roles."""
    account_id: str | None = None

    @property
    def holder(self) -> Holder:
        """Whose it is, and so which API takes it."""
        return "merchant" if self.account_id is not None else "operator" if self.affiliate_id is None else "affiliate"


async def create_token(store: Store, clock: Clock, wanted: NewToken) -> CreatedToken:
    """Make a token; raise `OperatorFault` for a bad value, or scopes that do not go together."""
    if wanted.affiliate is not None and wanted.merchant is not None:
        raise OperatorFault("A token is an affiliate's or a merchant's; make one for each.")
    scopes, name = checked_scopes(wanted.holder, wanted.scopes), checked_name(wanted.name)
    ranges, now = list(dict.fromkeys(checked_cidr(text) for text in wanted.allowed)), clock()
    expires_at = None if wanted.expires_in is None else now + checked_duration(wanted.expires_in, "a token's life")
    token_id, secret = new_id("tok"), secrets.token_urlsafe(SECRET_BYTES)
    async with store.write() as tx:
        affiliate_id = None if wanted.affiliate is None else await affiliate_id_of(tx, wanted.affiliate)
        account_id = None if wanted.merchant is None else await _account_to_open(tx, wanted.merchant, wanted.mode)
        await _refuse_more(tx, wanted.user_id, now)
        await tx.run(
            "insert_token", token_id=token_id, name=name, scopes=json.dumps(scopes), affiliate_id=affiliate_id,
            account_id=account_id,
            user_id=wanted.user_id, secret_hash=digest_of(secret), allowed_cidrs=json.dumps(ranges),
            expires_at=expires_at, now=now,
        )  # fmt: skip
        row = await tx.one("token_by_id", token_id=token_id)
        if row is None or (account_id is not None and not scopes_that_count(row).issuperset(scopes)):
            raise OperatorFault("Viewers can only create tokens that read; choose scopes that end in :read.")
        made = _document(row)
        await note_act(tx, now, "token.created", token_id, after=made)
    return CreatedToken(**shared_values(CreatedToken, made), token=f"{token_id}_{secret}")


async def tokens_part(store: Store, wanted: Wanted) -> Page[TokenDocument]:
    """Return a part of the tokens, newest first; raise `CursorFault`."""
    return (await read(store, TOKENS, wanted)).of(_document)


async def list_tokens(
    store: Store, user_id: str | None = None, *, account_id: str | None = None
) -> list[TokenDocument]:
    """Return all tokens, newest first, those of a person or of a merchant's account if one is named."""
    wanted = Wanted({"user_id": user_id, "account_id": account_id})
    return [_document(row) async for row in every(store, TOKENS, wanted)]


async def tokens_of_merchant(store: Store, merchant: str, wanted: Wanted) -> Page[TokenDocument]:
    """Return a part of a merchant's tokens of both modes; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        merchant_id = (await account_of(tx, merchant, "test"))["merchant_id"]
    return await tokens_part(store, evolve(wanted, filters={"merchant_id": merchant_id}))


async def revoke_token(
    store: Store, clock: Clock, token_id: str, *, user_id: str | None = None, account_id: str | None = None
) -> TokenDocument:
    """End a token at once; repeat it without effect.

    Raise `OperatorFault` if it is unknown, or not this person's or account's, if one is named.
    """
    async with store.write() as tx:
        row, now = await tx.one("token_by_id", token_id=token_id), clock()
        if row is None or user_id not in (None, row["user_id"]) or account_id not in (None, row["account_id"]):
            raise _unknown(token_id)
        before = _document(row)
        if before.revoked_at is not None:
            return before
        await tx.run("revoke_token", token_id=token_id, now=now)
        after = evolve(before, revoked_at=now)
        await note_act(tx, now, "token.revoked", token_id, before=before, after=after)
        return after


async def revoke_tokens_of(store: Store, clock: Clock, user_id: str) -> int:
    """End all tokens of a person that still count; return how many there were."""
    now = clock()
    living = [token for token in await list_tokens(store, user_id) if is_living(token, now)]
    for token in living:
        await revoke_token(store, clock, token.id, user_id=user_id)
    return len(living)


def is_living(token: TokenDocument | KeyDocument, now: int) -> bool:
    """Return whether a token or key neither was revoked nor has expired at a moment (ms UTC)."""
    return token.revoked_at is None and (token.expires_at is None or token.expires_at > now)


async def open_token(store: Store, now: int, text: str) -> TokenHolder | Refusal:
    """Return whose token a text is, or why it does not count; the secret is compared in constant time."""
    token_id, secret = split_token(text)
    row = await store.fetch_one("token_by_id", token_id=token_id)
    known = row["secret_hash"] if row is not None else digest_of("")
    genuine = hmac.compare_digest(digest_of(secret), known)
    if row is None or not genuine:
        return "unknown"
    if row["revoked_at"] is not None:
        return "revoked"
    if _has_ended(row, now):
        return "expired"
    scopes = scopes_that_count(row)
    if not scopes:
        return "owner_gone"
    return TokenHolder(
        row["token_id"], scopes, row["affiliate_id"], row["user_id"], tuple(json.loads(row["allowed_cidrs"])),
        frozenset(role for role, had in ROLES.items() if row[had]), row["account_id"],
    )  # fmt: skip


async def note_token_use(store: Store, now: int, token_id: str, address: str) -> None:
    """Note when and from where a token was used, at most once a minute."""
    row = await store.fetch_one("token_by_id", token_id=token_id)
    if row is None or (row["last_used_at"] is not None and now - row["last_used_at"] < SEEN_EVERY_MS):
        return
    async with store.write() as tx:
        await tx.run("touch_token", token_id=token_id, now=now, address=address)


def _has_ended(row: Row, now: int) -> bool:
    return row["expires_at"] is not None and row["expires_at"] <= now


def split_token(text: str) -> tuple[str, str]:
    """Return the id and the secret of a token, whose secret may have underscores of its own."""
    kind, _, rest = text.partition("_")
    number, _, secret = rest.partition("_")
    return f"{kind}_{number}", secret


async def _account_to_open(tx: Tx, merchant: str, mode: str) -> str:
    """Return the account of a merchant in a mode; raise `OperatorFault` for a live one of a merchant not approved."""
    account = await account_of(tx, merchant, mode)
    refuse_live(account, mode, "token")
    return str(account["account_id"])


async def _refuse_more(tx: Tx, user_id: str | None, now: int) -> None:
    if user_id is None:
        return
    rows = await tx.all("living_tokens", user_id=user_id, now=now)
    if rows[0]["tokens"] >= MOST:
        raise OperatorFault(f"You have {MOST} tokens already; revoke one first.")


def _unknown(token_id: str) -> OperatorFault:
    return unknown("token", token_id, command="`hub token list` shows them all.")


def digest_of(secret: str) -> str:
    """Return the digest of a secret of 256 random bits, which needs no salt and no slow hash."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def _document(row: Row) -> TokenDocument:
    return read_row(TokenDocument, row, id=row["token_id"], allowed_ips=tuple(json.loads(row["allowed_cidrs"])))
