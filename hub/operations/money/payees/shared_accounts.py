"""Accounts that several affiliates are paid to: one person behind several names, or a family; a person decides.

Payees are sealed, so they are opened page by page, and what they have in common is found by a digest under a key that
is forgotten at the end: nothing of an account is kept anywhere.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import AsyncIterator
from typing import Final, TypedDict

from hub.domain.payouts.payees import Payee
from hub.operations.money.payees.payees import load_payees
from hub.sealing import Sealer
from hub.storage import Store
from hub.storage.sqlite.temporary_table import TemporaryTable

OPENED_AT_ONCE: Final = 500
MOST_SHOWN: Final = 1_000


class SharedAccount(TypedDict):
    """An account that several affiliates are paid to; of `account` only the last digits."""

    method: str
    account: str
    affiliateIds: list[str]


class _Marks(TemporaryTable):
    definition = "CREATE TABLE marks (mark BLOB NOT NULL, affiliate_id TEXT NOT NULL, PRIMARY KEY (mark, affiliate_id))"

    def shared(self) -> list[str]:
        """Return the affiliates of each account that has several, with blanks between them."""
        rows = self.connection.execute(
            "SELECT group_concat(affiliate_id, ' ') FROM (SELECT * FROM marks ORDER BY mark, affiliate_id) "
            "GROUP BY mark HAVING COUNT(*) > 1 ORDER BY MIN(affiliate_id) LIMIT ?",
            (MOST_SHOWN,),
        )
        return [row[0] for row in rows]


async def shared_accounts(store: Store, sealer: Sealer) -> list[SharedAccount]:
    """Return the accounts that several affiliates are paid to, at most `MOST_SHOWN`; raise SealingFault."""
    key, found = secrets.token_bytes(32), list[SharedAccount]()
    with _Marks() as marks:
        async for payees in _pages(store, sealer):
            marks.write("INSERT INTO marks VALUES (?, ?)", [(_mark(key, each), name) for name, each in payees.items()])
        for names in marks.shared():
            affiliates = names.split()
            async with store.read() as tx:
                payee = (await load_payees(tx, sealer, affiliates[:1]))[affiliates[0]]
            found.append({"method": payee.method, "account": payee.masked_account, "affiliateIds": affiliates})
    return found


async def shares_account(store: Store, sealer: Sealer, affiliate_id: str) -> list[str]:
    """Return the other affiliates that are paid to the account of one; none if it has no payee."""
    async with store.read() as tx:
        own = (await load_payees(tx, sealer, [affiliate_id])).get(affiliate_id)
    if own is None:
        return []
    return [
        name
        async for payees in _pages(store, sealer)
        for name, each in payees.items()
        if name != affiliate_id and _account(each) == _account(own)
    ]


async def _pages(store: Store, sealer: Sealer) -> AsyncIterator[dict[str, Payee]]:
    after = ""
    while True:
        async with store.read() as tx:
            rows = await tx.all("sealed_payee_page", after=after, limit=OPENED_AT_ONCE)
            names = [row["affiliate_id"] for row in rows]
            payees = await load_payees(tx, sealer, names) if names else {}
        yield payees
        if len(rows) < OPENED_AT_ONCE:
            return
        after = names[-1]


def _account(payee: Payee) -> tuple[str, str, str]:
    return payee.method, payee.account.casefold(), payee.bank_code or ""


def _mark(key: bytes, payee: Payee) -> bytes:
    return hmac.digest(key, "\0".join(_account(payee)).encode(), "sha256")
