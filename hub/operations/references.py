"""References to merchants, their accounts and affiliates: an id, or a name or an e-mail address that only one has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hub.operations.errors import OperatorFault, known, unknown
from hub.storage import Row, Store, Tx

CANDIDATES = 5
"""At most this many candidates are named if nothing has the reference itself."""
MOST_NAMED = 500
"""So many are offered to choose from; others are typed."""


async def merchant_id_of(tx: Tx, reference: str) -> str:
    """Return the id of the merchant with this id, name or e-mail address.

    Raise `OperatorFault` if there is none, with those that are similar, or if several have it.
    """
    return await _id_of(tx, "merchant", reference)


async def affiliate_id_of(tx: Tx, reference: str) -> str:
    """Return the id of the affiliate with this id, name or e-mail address; raise as `merchant_id_of` does."""
    return await _id_of(tx, "affiliate", reference)


async def account_of(tx: Tx, reference: str, mode: str) -> Row:
    """Return a merchant's account in a mode, with the merchant's status and domains: a row of `account_of_merchant`.

    `reference` is the merchant's id, name or e-mail address. Raise `OperatorFault` unless exactly one has it.
    """
    row = await tx.one("account_of_merchant", merchant_id=await merchant_id_of(tx, reference), mode=mode)
    return known(row, "merchant", reference, command="`hub merchant list` shows them all.")


def refuse_live(account: Row, mode: str, noun: str) -> None:
    """Raise `OperatorFault` for something live, like a "key", of a merchant's account if it is not APPROVED."""
    if mode == "live" and account["status"] != "APPROVED":
        raise OperatorFault(
            f"A live {noun} needs an APPROVED merchant, and {account['merchant_id']} is {account['status']}.",
            command=f"Approve it first: hub merchant approve {account['merchant_id']}",
        )


async def account_id_of(store: Store, merchant_id: str, mode: str) -> str:
    """Return the id of a merchant's account in a mode; raise `OperatorFault` if the merchant is unknown."""
    async with store.read() as tx:
        return str((await account_of(tx, merchant_id, mode))["account_id"])


async def _id_of(tx: Tx, noun: str, reference: str) -> str:
    rows = await tx.all("parties_named", noun=noun, reference=reference)
    ids = [str(row["id"]) for row in rows]
    if reference in ids:
        return reference
    if len(ids) > 1:
        raise OperatorFault(f"Several {noun}s are called {reference!r}; name one by its id: {_names(rows)}.")
    if ids:
        return ids[0]
    similar = await tx.all("parties_like", noun=noun, pattern=like_pattern(reference), limit=CANDIDATES)
    meant = f"Did you mean one of these? {_names(similar)}. " if similar else ""
    raise unknown(noun, reference, command=f"{meant}`hub {noun} list` shows them all.")


async def named_parties(store: Store, *nouns: str) -> dict[str, list[tuple[str, str]]]:
    """Return by noun the merchants, or affiliates, to choose from by name: a reference, and what it is, in their order.

    The reference is the name, or the e-mail address where several have the name; at most `MOST_NAMED` of a noun.
    """
    most = {f"{noun}s": MOST_NAMED if noun in nouns else 0 for noun in ("merchant", "affiliate")}
    async with store.read() as tx:
        rows = await tx.all("parties_to_choose", **most)
    return {noun: _choices([row for row in rows if row["noun"] == noun]) for noun in nouns}


def _choices(rows: Sequence[Row]) -> list[tuple[str, str]]:
    often = Counter(row["name"] for row in rows)
    found = [(str(row["name"]), str(row["email"])) for row in rows]
    return sorted((email, name) if often[name] > 1 else (name, email) for name, email in found)


def like_pattern(part: str) -> str:
    """Return the pattern for LIKE ... ESCAPE '!' of lower-case texts that contain a part."""
    text = part.lower()
    for special in "!%_":
        text = text.replace(special, "!" + special)
    return f"%{text}%"


def _names(rows: Iterable[Row]) -> str:
    return ", ".join(f"{row['id']} ({row['name']}, {row['email']})" for row in rows)
