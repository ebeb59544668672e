"""Every stored secret, encrypted anew under the current master key, while the hub serves.

Each secret is opened, sealed under the current key and written back only if the row still holds what was read, page
by page in short transactions. So nothing is lost if a rotation is broken off, if two run at once, or if an operator
changes a secret meanwhile: the next run goes on with what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TypedDict

import orjson

from hub.clock import Clock
from hub.domain.deliveries import secret_identity
from hub.domain.payees import payee_identity
from hub.domain.payout_formats import file_identity
from hub.operations.errors import OperatorFault
from hub.operations.system.master_keys import require_known_key
from hub.operations.system.nodes import NodeDocument, list_nodes
from hub.platform_sync.access import access_identity, app_identity
from hub.sealing import Sealer, sealed_under
from hub.storage import Row, Store, Tx

PAGE = 200
PASSES = 5
"""How often what others sealed under an old key meanwhile is looked for."""


class MasterKeyDocument(TypedDict):
    """A master key: how many secrets it seals, and whether it is at hand."""

    id: str
    secrets: int
    here: bool


class SecretStatusDocument(TypedDict):
    """The key that seals, every key that is at hand or needed, and the processes that serve."""

    current: str
    masterKeys: list[MasterKeyDocument]
    processes: list[NodeDocument]


class RotationDocument(TypedDict):
    """How many secrets were sealed anew under the current key, and how many are left under others."""

    current: str
    rotated: int
    left: int


async def secret_status(store: Store, sealer: Sealer, clock: Clock) -> SecretStatusDocument:
    """Return how many secrets are sealed under each master key, which keys are here, and which the processes have."""
    counts = await count_sealed(store)
    ids = sorted({*counts, *sealer.keys})
    return {
        "current": sealer.current,
        "masterKeys": [{"id": each, "secrets": counts[each], "here": each in sealer.keys} for each in ids],
        "processes": [node for node in await list_nodes(store, clock) if node["serves"]],
    }


async def count_sealed(store: Store) -> Counter[str]:
    """Return how many secrets each master key has sealed, by its id."""
    async with store.read() as tx:
        rows = await tx.all("sealed_texts")
    return Counter(key_id for row in rows for key_id in sealed_under(row["sealed"]))


async def rotate_secrets(store: Store, sealer: Sealer, clock: Clock, *, shared: bool) -> RotationDocument:
    """Seal every secret under the current master key; return how many were sealed anew.

    `shared` says that the processes got their keys when they started, and cannot read a new one from the key file.
    Raises OperatorFault if one of them lacks the current key, and SealingFault for a secret that no key opens.
    """
    if shared:
        await require_known_key(store, sealer, clock)
    rotated, left = 0, dict[str, int]()
    for _ in range(PASSES):
        rotated += await _pages(store, _reseal_keys, sealer, ("", ""))
        rotated += await _pages(store, _reseal_connections, sealer, ("", ""))
        rotated += await _pages(store, _reseal_mails, sealer, ("", ""))
        rotated += await _pages(store, _reseal_payees, sealer, ("", ""))
        rotated += await _pages(store, _reseal_invoices, sealer, ("0", ""))
        rotated += await _pages(store, _reseal_files, sealer, ("", ""))
        rotated += await _pages(store, _reseal_apps, sealer, ("", ""))
        rotated += await _pages(store, _reseal_subscriptions, sealer, ("", ""))
        rotated += await _pages(store, _reseal_accesses, sealer, ("", ""))
        rotated += await _pages(store, _reseal_platform_apps, sealer, ("", ""))
        left = {key_id: count for key_id, count in (await count_sealed(store)).items() if key_id != sealer.current}
        if not left:
            return {"current": sealer.current, "rotated": rotated, "left": 0}
    raise OperatorFault(
        f"Secrets are still being sealed under {', '.join(sorted(left))}: somebody's HUB_MASTER_KEY does not end with "
        f"the key {sealer.current}. Correct it, and run this again."
    )


Position = tuple[str, str]
Page = Callable[[Tx, Sealer, Position], Awaitable[tuple[int, Position | None]]]


async def _pages(store: Store, page: Page, sealer: Sealer, position: Position | None) -> int:
    """Run the pages, each in a transaction; return how many secrets were sealed anew."""
    rotated = 0
    while position is not None:
        async with store.write() as tx:
            count, position = await page(tx, sealer, position)
        rotated += count
    return rotated


async def _reseal_keys(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_key_page", after=position[0], limit=PAGE)
    rotated = 0
    for row in rows:
        old, key_id = row["sealed_secret"], row["key_id"]
        if set(sealed_under(old)) != {sealer.current}:
            rotated += await tx.run("reseal_key", key_id=key_id, old=old, new=_resealed(sealer, old, key_id))
    return rotated, (rows[-1]["key_id"], "") if len(rows) == PAGE else None


async def _reseal_mails(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_mail_page", after=position[0], limit=PAGE)
    rotated = 0
    for row in rows:
        old, mail_id = row["sealed_link"], row["mail_id"]
        if set(sealed_under(old)) != {sealer.current}:
            rotated += await tx.run("reseal_mail", mail_id=mail_id, old=old, new=_resealed(sealer, old, mail_id))
    return rotated, (rows[-1]["mail_id"], "") if len(rows) == PAGE else None


async def _reseal_payees(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_payee_page", after=position[0], limit=PAGE)
    rotated = 0
    for row in rows:
        old, affiliate_id = row["sealed"], row["affiliate_id"]
        if set(sealed_under(old)) != {sealer.current}:
            new = _resealed(sealer, old, payee_identity(affiliate_id))
            rotated += await tx.run("reseal_payee", affiliate_id=affiliate_id, old=old, new=new)
    return rotated, (rows[-1]["affiliate_id"], "") if len(rows) == PAGE else None


async def _reseal_invoices(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_invoice_page", after=int(position[0]), limit=PAGE)
    rotated = 0
    for row in rows:
        old = row["sealed_payee"]
        if set(sealed_under(old)) != {sealer.current}:
            new = _resealed(sealer, old, payee_identity(row["affiliate_id"]))
            rotated += await tx.run("reseal_invoice", invoice_no=row["invoice_no"], old=old, new=new)
    return rotated, (str(rows[-1]["invoice_no"]), "") if len(rows) == PAGE else None


async def _reseal_files(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    row = await tx.one("sealed_file_page", after=position[0])
    if row is None:
        return 0, None
    old, file_id, rotated = row["sealed"], row["file_id"], 0
    if set(sealed_under(old)) != {sealer.current}:
        new = _resealed(sealer, old, file_identity(file_id, row["sha256"]))
        rotated = await tx.run("reseal_payout_file", file_id=file_id, old=old, new=new)
    return rotated, (file_id, "")


async def _reseal_apps(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_totp_page", after=position[0], limit=PAGE)
    rotated = 0
    for row in rows:
        old, user_id = row["totp_secret"], row["user_id"]
        if set(sealed_under(old)) != {sealer.current}:
            rotated += await tx.run("reseal_totp", user_id=user_id, old=old, new=_resealed(sealer, old, user_id))
    return rotated, (rows[-1]["user_id"], "") if len(rows) == PAGE else None


async def _reseal_connections(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_connection_page", account_id=position[0], connection_id=position[1], limit=PAGE)
    rotated = 0
    for row in rows:
        old = row["secrets"]
        if set(sealed_under(old)) - {sealer.current}:
            where = {"account_id": row["account_id"], "connection_id": row["connection_id"]}
            if await tx.run("reseal_connection", old=old, new=_resealed_all(sealer, row), **where):
                rotated += len(orjson.loads(old))
    return rotated, (rows[-1]["account_id"], rows[-1]["connection_id"]) if len(rows) == PAGE else None


async def _reseal_subscriptions(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("subscription_secret_page", after=position[0], limit=PAGE)
    rotated = 0
    for row in rows:
        old, name = row["secrets"], row["subscription_id"]
        kept = orjson.loads(old)
        if set(sealed_under(old)) - {sealer.current}:
            new = orjson.dumps([{**each, "sealed": _resealed(sealer, each["sealed"], name)} for each in kept]).decode()
            if await tx.run("set_subscription_secrets", subscription_id=name, old=old, new=new):
                rotated += len(kept)
    return rotated, (rows[-1]["subscription_id"], "") if len(rows) == PAGE else None


async def _reseal_accesses(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_access_page", account_id=position[0], connection_id=position[1], limit=PAGE)
    rotated = 0
    for row in rows:
        old, identity = row["sealed"], access_identity(row["connection_id"])
        if set(sealed_under(old)) != {sealer.current}:
            where = {"account_id": row["account_id"], "connection_id": row["connection_id"]}
            rotated += await tx.run("reseal_platform_access", **where, old=old, new=_resealed(sealer, old, identity))
    return rotated, (rows[-1]["account_id"], rows[-1]["connection_id"]) if len(rows) == PAGE else None


async def _reseal_platform_apps(tx: Tx, sealer: Sealer, position: Position) -> tuple[int, Position | None]:
    rows = await tx.all("sealed_app_page", after=position[0], limit=PAGE)
    rotated = 0
    for row in rows:
        old, connector = row["sealed"], row["connector"]
        if set(sealed_under(old)) != {sealer.current}:
            new = _resealed(sealer, old, app_identity(connector))
            rotated += await tx.run("reseal_app", connector=connector, old=old, new=new)
    return rotated, (rows[-1]["connector"], "") if len(rows) == PAGE else None


def _resealed_all(sealer: Sealer, row: Row) -> str:
    kept = orjson.loads(row["secrets"])
    for each in kept:
        each["sealed"] = _resealed(sealer, each["sealed"], secret_identity(row["connection_id"], each["id"]))
    return orjson.dumps(kept).decode()


def _resealed(sealer: Sealer, text: str, identity: str) -> str:
    return sealer.seal(sealer.open(text, identity), identity)
