"""What an account's books say in the end, without ids, moments and ways, so that two histories can be compared."""

from __future__ import annotations

from collections import Counter

from hub.operations.money.ledger.ledger import chain_ends, entry_pages
from hub.storage import Store

Books = list[tuple[object, ...]]


async def books_of(store: Store, account_id: str) -> Books:
    """Return what lies in each place of the ledger by order, in minor units, and each commission's state and amount.

    By which steps it came there depends on the order of arrival: an order that was cancelled before it came has no step
    at all. The store has the tests' queries.
    """
    places = Counter[tuple[str, str, str]]()
    for end in await chain_ends(store):
        if end.head.account_id != account_id:
            continue
        async for page in entry_pages(store, end.head):
            for entry in page:
                order = entry.external_order_id or ""
                places[order, entry.debit, entry.currency] -= entry.amount_minor
                places[order, entry.credit, entry.currency] += entry.amount_minor
    async with store.read() as tx:
        rows = await tx.all("commission_rows", account_id=account_id)
    commissions = [(row["external_order_id"], row["state"], row["amount_minor"], row["currency"]) for row in rows]
    return [*sorted((*key, minor) for key, minor in places.items() if minor), *commissions]
