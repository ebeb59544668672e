"""API keys: issued with a secret that is shown once, and revoked."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Sequence
from typing import Final

from attrs import evolve, frozen

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.operations.checks import checked_cidr, checked_duration, checked_name
from hub.operations.errors import OperatorFault, known
from hub.operations.lists import List, Page, Wanted, every, first, read
from hub.operations.references import account_of, refuse_live
from hub.operations.system.nodes import list_nodes
from hub.operations.trail import note_act
from hub.records.credentials import IssuedKeyDocument, KeyDocument
from hub.records.rows import read_row, shared_values
from hub.sealing import Sealer
from hub.storage import Row, Store, Tx
from hub.ttl_cache import STALE_MS

KEY_BYTES = 16
SECRET_BYTES = 32
LONGEST_NAME = 60
NEVER = "never"
"""Typed in place of a duration: the key does not end."""
KEYS: Final = List("keys")


async def issue_key(
    store: Store, sealer: Sealer, clock: Clock, *, merchant_id: str, mode: str, allowed: Sequence[str] = (),
    expires_in: str | None = None, signature_version: int = 1, name: str | None = None,
) -> IssuedKeyDocument:  # fmt: skip
    """Issue a key of a merchant's account; nothing else ever shows its signing secret.

    `allowed` are CIDR ranges (none: any address), `expires_in` is like "90d", and `signature_version` (1 or 2) is the
    lowest that the key takes; `name` is what its merchant calls it. Raise `OperatorFault` for a bad value, an unknown
    merchant, and a live key of a merchant that is not APPROVED.
    """
    ranges, now = list(dict.fromkeys(checked_cidr(text) for text in allowed)), clock()
    expires_at = None if expires_in is None else now + checked_duration(expires_in, "a key's life")
    named = _name_of(name)
    key_id = f"ak_{mode}_{secrets.token_hex(KEY_BYTES)}"
    secret = f"sec_{mode}_{secrets.token_urlsafe(SECRET_BYTES)}"
    async with store.write() as tx:
        account = await account_of(tx, merchant_id, mode)
        refuse_live(account, mode, "key")
        await tx.run(
            "insert_key", key_id=key_id, account_id=account["account_id"], allowed_cidrs=json.dumps(ranges),
            sealed_secret=sealer.seal(secret.encode(), key_id), signature_version=signature_version,
            expires_at=expires_at, now=now, name=named,
        )  # fmt: skip
        made = await _key(tx, key_id)
        await note_act(tx, now, "key.issued", key_id, after=made)
    return IssuedKeyDocument(**shared_values(IssuedKeyDocument, made), signing_secret=secret)


@frozen
class KeyChange:
    """A change of a key; None leaves it.

    No ranges allow any address, `expires_in` is like "90d" or "never", and an empty name takes the name away.
    """

    allowed: Sequence[str] | None = None
    expires_in: str | None = None
    name: str | None = None


async def update_key(store: Store, clock: Clock, key_id: str, change: KeyChange) -> KeyDocument:
    """Change a key's name, and from where and until when (from now on) it is accepted; its secret stays.

    Raise `OperatorFault` for a bad value, and for a key that is unknown or revoked.
    """
    async with store.write() as tx:
        before, now = await _key(tx, key_id), clock()
        if before.revoked_at is not None:
            raise OperatorFault(
                f"Key {key_id} is revoked since {format_instant(before.revoked_at)} and stays so.",
                command=f"Issue another one: hub key create --merchant {before.merchant_id} --mode {before.mode}",
            )
        ranges = before.allowed_ips if change.allowed is None else [checked_cidr(text) for text in change.allowed]
        await tx.run(
            "update_key",
            key_id=key_id,
            allowed_cidrs=json.dumps(list(dict.fromkeys(ranges))),
            expires_at=_expiry(before, change.expires_in, now),
            name=before.name if change.name is None else _name_of(change.name),
        )
        after = await _key(tx, key_id)
        await note_act(tx, now, "key.updated", key_id, before=before, after=after)
        return after


async def rotate_key(
    store: Store, sealer: Sealer, clock: Clock, key_id: str, *, overlap: str = "24h"
) -> IssuedKeyDocument:
    """Issue a key like this one, which ends after the overlap ("24h"), or when it would have ended if that is sooner.

    Both are accepted until then. Raise `OperatorFault` for a bad overlap, and for a key that is unknown or revoked.
    """
    lasts = checked_duration(overlap, "an overlap")
    async with store.read() as tx:
        old = await _key(tx, key_id)
    if old.revoked_at is not None:
        raise OperatorFault(f"Key {key_id} is revoked since {format_instant(old.revoked_at)}; issue a new one instead.")
    made = await issue_key(
        store,
        sealer,
        clock,
        merchant_id=old.merchant_id,
        mode=old.mode,
        allowed=old.allowed_ips,
        signature_version=old.signature_version,
        name=old.name,
    )
    if old.expires_at is None or old.expires_at > clock() + lasts:
        await update_key(store, clock, key_id, KeyChange(expires_in=overlap))
    return made


def _name_of(text: str | None) -> str | None:
    return checked_name(text, "A key's name", LONGEST_NAME) if text and text.strip() else None


def _expiry(key: KeyDocument, expires_in: str | None, now: int) -> int | None:
    if expires_in is None:
        return key.expires_at
    return None if expires_in == NEVER else now + checked_duration(expires_in, "a key's life")


async def revoke_key(store: Store, clock: Clock, key_id: str) -> KeyDocument:
    """End a key at once; revoking it again changes nothing. Raise `OperatorFault` if it is unknown."""
    async with store.write() as tx:
        before, now = await _key(tx, key_id), clock()
        await tx.run("revoke_key", key_id=key_id, now=now)
        after = await _key(tx, key_id)
        await note_act(tx, now, "key.revoked", key_id, before=before, after=after)
        return after


async def end_key(store: Store, clock: Clock, key_id: str) -> KeyDocument:
    """Revoke a key and return once no process takes it any more: each may remember it for STALE_MS."""
    ended = await revoke_key(store, clock, key_id)
    if any(node["serves"] for node in await list_nodes(store, clock)):
        await asyncio.sleep(STALE_MS / 1000)
    return ended


async def keys_part(store: Store, merchant_id: str, wanted: Wanted) -> Page[KeyDocument]:
    """Return a part of a merchant's keys of both modes, oldest first; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        within = {"merchant_id": str((await account_of(tx, merchant_id, "test"))["merchant_id"])}
        return (await read(tx, KEYS, evolve(wanted, oldest_first=True), within)).of(_document)


async def list_keys(store: Store, merchant_id: str) -> list[KeyDocument]:
    """Return a merchant's keys of both modes, oldest first; raise `OperatorFault` if the merchant is unknown."""
    async with store.read() as tx:
        within = {"merchant_id": str((await account_of(tx, merchant_id, "test"))["merchant_id"])}
    return [_document(row) async for row in every(store, KEYS, Wanted(oldest_first=True), within)]


async def _key(tx: Tx, key_id: str) -> KeyDocument:
    row = await first(tx, KEYS, key_id=key_id)
    return _document(known(row, "key", key_id, command="`hub key list --merchant ID` shows a merchant's keys."))


def _document(row: Row) -> KeyDocument:
    return read_row(KeyDocument, row, allowed_ips=tuple(json.loads(row["allowed_cidrs"])))
