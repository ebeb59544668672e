"""Keys of the merchant API."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, patch, post
from hub.acts.authority import ADMINS, OWNERS, PROVED_OWNERS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OVERLAP, PAGED, needed, number, text, texts
from hub.operations.merchants.keys import (
    KeyChange,
    issue_key,
    keys_part,
    revoke_key,
    rotate_key,
    update_key,
)
from hub.records.credentials import IssuedKeyDocument, KeyDocument

ADDRESSES: Final = texts("Address ranges that it is accepted from; an empty list allows any.", "203.0.113.0/24")
LIFE: Final = text("How long it is valid, like 90d.", "90d")
NAME: Final = text("The merchant's name for it; empty for none.", "Shop server")


async def _issue(c: Call) -> Any:
    b = c.body
    return await issue_key(
        c.store, c.services.sealer, c.clock, merchant_id=c.path["merchant"], mode=b["mode"],
        allowed=b.get("allowed_ips", ()), expires_in=b.get("expires_in"),
        signature_version=b.get("signature_version", 1), name=b.get("name"),
    )  # fmt: skip


async def _rotate_key(c: Call) -> Any:
    overlap = c.body.get("overlap", "24h")
    return await rotate_key(c.store, c.services.sealer, c.clock, c.path["key"], overlap=overlap)


async def _keys(c: Call) -> Any:
    return answer(await keys_part(c.store, c.path["merchant"], wanted_of(c)))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/merchants/{merchant}/keys", "listKeys"), "List a merchant's keys", _keys, ListOfEntries(KeyDocument),
        query=PAGED),
    Act(post("/merchants/{merchant}/keys", "createKey", 201),
        "Issue a key; its secret is only in this answer", _issue,
        IssuedKeyDocument,
        body={"mode": needed(MODE), "allowedIps": ADDRESSES, "expiresIn": LIFE,
              "signatureVersion": number("The lowest version of the signature that it accepts.", 1, 2),
              "name": NAME},
        trail=("key.issued",),
        by=(ADMINS, PROVED_OWNERS), commands=("key create",), pages=("/merchant/keys",)),
    Act(patch("/keys/{key}", "updateKey"), "Rename a key, and change from where and until when it is accepted",
        lambda c: update_key(c.store, c.clock, c.path["key"], KeyChange(
            c.body.get("allowed_ips"), c.body.get("expires_in"), c.body.get("name"))),
        KeyDocument, body={"allowedIps": ADDRESSES, "expiresIn": LIFE, "name": NAME}, trail=("key.updated",),
        by=(ADMINS, OWNERS), commands=("key update",), pages=("/merchant/keys/{key}",)),
    Act(post("/keys/{key}/rotate", "rotateKey"), "Replace a key; the old one expires after a while", _rotate_key,
        IssuedKeyDocument, body={"overlap": OVERLAP}, trail=("key.issued",),
        by=(ADMINS, PROVED_OWNERS), commands=("key rotate",), pages=("/merchant/keys/{key}/rotate",)),
    Act(post("/keys/{key}/revoke", "revokeKey"), "Revoke a key",
        lambda c: revoke_key(c.store, c.clock, c.path["key"]), KeyDocument, trail=("key.revoked",),
        by=(ADMINS, OWNERS), commands=("key revoke",), pages=("/merchant/keys/{key}/revoke",)),
)  # fmt: skip
