"""What is in each place of the ledger as of a moment, for each account, from its entries alone."""

from __future__ import annotations

from typing import TypedDict

from hub.domain.books.ledger import Place
from hub.domain.money import format_money
from hub.domain.words import Mode
from hub.storage import Store


class PlaceBalance(TypedDict):
    """What an account's entries leave in a place; `amount` is decimal text, below nought for a debit balance."""

    accountId: str
    merchantId: str
    merchantName: str
    mode: Mode
    place: Place
    currency: str
    amount: str


async def ledger_balances(store: Store, before: int) -> list[PlaceBalance]:
    """Return what entries posted before a moment (ms UTC) leave in each place, account by account; no noughts."""
    async with store.read() as tx:
        accounts = await tx.all("accounts_named")
    found = list[PlaceBalance]()
    for account in accounts:
        async with store.read() as tx:
            rows = await tx.all("place_balances", account_id=account["account_id"], before=before)
        found += [
            {
                "accountId": account["account_id"], "merchantId": account["merchant_id"],
                "merchantName": account["name"], "mode": account["mode"], "place": row["place"],
                "currency": row["currency"], "amount": format_money(row["minor"], row["currency"]),
            }
            for row in rows
        ]  # fmt: skip
    return found
