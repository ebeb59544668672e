"""Every stored secret, encrypted anew under the current master key, while the hub serves.

Each secret is opened, sealed under the current key and written back only if the row still holds what was read, page
by page in short transactions. So nothing is lost if a rotation is broken off, if two run at once, or if an operator
changes a secret meanwhile: the next run goes on with what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypedDict

import orjson
from attrs import frozen

from hub.clock import Clock
from hub.domain.connectors.deliveries import secret_identity
from hub.domain.payouts.dac7 import details_identity
from hub.domain.payouts.payees import payee_identity
from hub.domain.payouts.payout_formats import file_identity
from hub.domain.payouts.report_verdicts import report_identity, verdicts_identity
from hub.operations.errors import OperatorFault
from hub.operations.system.master_keys import require_known_key
from hub.operations.system.nodes import NodeDocument, list_nodes
from hub.platform_sync.apps import app_identity
from hub.platform_sync.sealed_values import access_identity
from hub.sealing import Sealer, sealed_under
from hub.storage import Row, Store

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


@frozen
class _Kind:
    """Where the secrets of a kind are: the queries for a page of rows and for one, the columns of key and text.

    `identity` returns what a secret is bound to, of its row and, if the text `is_list` of secrets, its own id there.
    """

    page: str
    write: str
    key: tuple[str, ...]
    text: str
    identity: Callable[[Row, str], str]
    is_list: bool = False
    is_large: bool = False
    """Whether a page is one row."""
    first: tuple[str | int, ...] = ()
    """What sorts before every key, if that is not the empty text in each column."""


_CONNECTION: Final = ("account_id", "connection_id")
KINDS: Final = (
    _Kind("sealed_key_page", "reseal_key", ("key_id",), "sealed_secret", lambda row, _: row["key_id"]),
    _Kind("sealed_connection_page", "reseal_connection", _CONNECTION, "secrets",
          lambda row, secret_id: secret_identity(row["connection_id"], secret_id), is_list=True),
    _Kind("sealed_mail_page", "reseal_mail", ("mail_id",), "sealed_link", lambda row, _: row["mail_id"]),
    _Kind("sealed_payee_page", "reseal_payee", ("affiliate_id",), "sealed",
          lambda row, _: payee_identity(row["affiliate_id"])),
    _Kind("sealed_tax_page", "reseal_tax_details", ("affiliate_id",), "sealed",
          lambda row, _: details_identity(row["affiliate_id"])),
    _Kind("sealed_invoice_page", "reseal_invoice", ("invoice_no",), "sealed_payee",
          lambda row, _: payee_identity(row["affiliate_id"]), first=(0,)),
    _Kind("sealed_file_page", "reseal_payout_file", ("file_id",), "sealed",
          lambda row, _: file_identity(row["file_id"], row["sha256"]), is_large=True),
    _Kind("sealed_report_page", "reseal_bank_report", ("report_id",), "sealed",
          lambda row, _: report_identity(row["report_id"], row["sha256"]), is_large=True),
    _Kind("sealed_verdicts_page", "reseal_verdicts", ("report_id", "first_row"), "sealed",
          lambda row, _: verdicts_identity(row["report_id"], row["first_row"]), first=("", -1)),
    _Kind("sealed_totp_page", "reseal_totp", ("user_id",), "totp_secret", lambda row, _: row["user_id"]),
    _Kind("subscription_secret_page", "set_subscription_secrets", ("subscription_id",), "secrets",
          lambda row, _: row["subscription_id"], is_list=True),
    _Kind("sealed_access_page", "reseal_platform_access", _CONNECTION, "sealed",
          lambda row, _: access_identity(row["connection_id"])),
    _Kind("sealed_app_page", "reseal_app", ("connector",), "sealed", lambda row, _: app_identity(row["connector"])),
)  # fmt: skip


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
        for kind in KINDS:
            rotated += await _reseal(store, sealer, kind)
        left = {key_id: count for key_id, count in (await count_sealed(store)).items() if key_id != sealer.current}
        if not left:
            return {"current": sealer.current, "rotated": rotated, "left": 0}
    raise OperatorFault(
        f"Secrets are still being sealed under {', '.join(sorted(left))}: somebody's HUB_MASTER_KEY does not end with "
        f"the key {sealer.current}. Correct it, and run this again."
    )


async def _reseal(store: Store, sealer: Sealer, kind: _Kind) -> int:
    """Seal all of a kind anew, each page in a transaction; return how many secrets there were."""
    limit, rotated = 1 if kind.is_large else PAGE, 0
    position: dict[str, Any] = dict(zip(kind.key, kind.first or [""] * len(kind.key), strict=True))
    while True:
        after = position if len(kind.key) > 1 else {"after": position[kind.key[0]]}
        if not kind.is_large:
            after = {**after, "limit": limit}
        async with store.write() as tx:
            rows = await tx.all(kind.page, **after)
            for row in rows:
                position = {name: row[name] for name in kind.key}
                old = row[kind.text]
                if set(sealed_under(old)) - {sealer.current}:
                    new, count = _resealed(sealer, kind, row)
                    rotated += count * await tx.run(kind.write, **position, old=old, new=new)
        if len(rows) < limit:
            return rotated


def _resealed(sealer: Sealer, kind: _Kind, row: Row) -> tuple[str, int]:
    """Return the text of a row sealed anew, and how many secrets it holds."""

    def anew(text: str, secret_id: str) -> str:
        identity = kind.identity(row, secret_id)
        return sealer.seal(sealer.open(text, identity), identity)

    if not kind.is_list:
        return anew(row[kind.text], ""), 1
    kept = orjson.loads(row[kind.text])
    return orjson.dumps([{**each, "sealed": anew(each["sealed"], each.get("id", ""))} for each in kept]).decode(), len(
        kept
    )
