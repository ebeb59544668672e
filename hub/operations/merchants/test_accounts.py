"""Two acts on test accounts only: moving the clock forward, and emptying the account.

**How a test account's clock moves.** There is one clock, and nothing that decides knows of another. Moving a test
account's clock forward by 30 days sets everything back that happened in the account, by 30 days: clicks, orders, facts,
ends of holds, dates of campaigns. All distances stay as they were but those to now. So a hold that had 14 days to go
has ended, a click is as old as it would be, and a campaign that ends next week has ended; the store's own clock, its
signatures and what it reports next are right as they are.

What is the hub's own time and not the account's stays: when an event is due, keys and their end, idempotency keys, the
request log, the trail, and how long bodies are kept. An explanation stays as it was written.

On PostgreSQL the account is locked against the worker (`Tx.lock_account`), which must not write what it read before.
The events that wait are locked first, as the worker does it, so that neither waits for the other.

**Emptying** deletes in slices, in an order in which a hub that serves meanwhile cannot leave anything behind: first the
events, so that nothing is decided any more, then what was decided. Only what arrived before the act began is deleted.
If it is interrupted, it is done again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.books.ledger import Movement
from hub.domain.durations import DAY
from hub.ids import new_id
from hub.operations.checks import checked_duration
from hub.operations.errors import OperatorFault, known
from hub.operations.references import merchant_id_of
from hub.operations.trail import note_act
from hub.processing.figures import start_anew
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

MOST_ROWS: Final = 100_000
"""An account with more events or clicks is not aged: all of it is one transaction, for which others wait."""
LONGEST_MS: Final = 3_660 * DAY
ROWS_AT_ONCE: Final = 2_000
AGED: Final = (
    "age_clicks",
    "age_events",
    "age_parked_news",
    "age_set_asides",
    "age_bulk_steps",
    "age_conversions",
    "age_facts",
    "age_commissions",
    "age_campaigns",
    "age_campaign_changes",
    "age_links",
    "age_memberships",
    "age_order_messages",
    "age_order_reviews",
    "age_order_looks",
    "age_order_namesakes",
    "age_customer_orders",
    "age_repeated_reports",
    "age_rate_changes",
    "age_rate_drafts",
    "age_volume_rates",
)
HAPPENED: Final = {
    "empty_events": "event_before",
    "empty_payloads": "event_before",
    "empty_claims": "event_before",
    "empty_parked_news": "event_before",
    "empty_set_asides": "now",
    "empty_bulk_steps": "now",
    "empty_idempotency_keys": "now",
    "empty_facts": "event_before",
    "empty_commissions": "conversion_before",
    "empty_conversions": "conversion_before",
    "empty_order_messages": "conversion_before",
    "empty_order_reviews": "conversion_before",
    "empty_order_looks": "conversion_before",
    "empty_order_namesakes": "now",
    "empty_subscription_orders": "conversion_before",
    "empty_customer_orders": "conversion_before",
    "empty_repeated_reports": "event_before",
    "empty_clicks": "click_before",
    "empty_attempts": "now",
    "empty_deliveries": "now",
}
"""What is deleted, in this order, and by which bound each query knows what arrived before."""
SET_UP: Final = ("empty_short_links", "empty_tracking_codes", "empty_links", "empty_products")
SET_UP_AT_ONCE: Final = (
    "empty_connection_items",
    "empty_connection_stock",
    "empty_memberships",
    "empty_rate_changes",
    "empty_rate_drafts",
    "empty_volume_rates",
    "empty_campaign_changes",
    "empty_campaign_materials",
    "empty_campaigns",
)


class AdvancedDocument(TypedDict):
    """A test account whose clock was moved forward by `byMs`, in all by `advancedMs`."""

    merchantId: str
    accountId: str
    byMs: int
    advancedMs: int


class EmptiedDocument(TypedDict):
    """A test account that was emptied, and how many rows that were in all."""

    merchantId: str
    accountId: str
    rows: int


async def advance_clock(store: Store, clock: Clock, merchant: str, by: str) -> AdvancedDocument:
    """Move the clock of a merchant's test account forward, by a duration like "30d".

    Raise `OperatorFault` if the merchant is unknown, for a bad duration, and for an account that is too large.
    """
    step = checked_duration(by, "a clock")
    if not 0 < step <= LONGEST_MS:
        raise OperatorFault(f"A clock is moved by more than nothing and at most {LONGEST_MS // DAY} days at once.")
    async with store.write() as tx:
        account = await _test_account(tx, merchant)
        account_id = account["account_id"]
        await _refuse_large(tx, account)
        await tx.run("hold_due_events", account_id=account_id)
        await tx.lock_account(account_id)
        for query in AGED:
            await tx.run(query, account_id=account_id, by=step)
        await tx.run("note_advance", account_id=account_id, by=step)
        await start_anew(tx, account_id)
        advanced = account["advanced_ms"] + step
        document: AdvancedDocument = {
            "merchantId": account["merchant_id"],
            "accountId": account_id,
            "byMs": step,
            "advancedMs": advanced,
        }
        await note_act(tx, clock(), "account.clock-advanced", account_id, after=document)
        return document


async def advanced_ms(store: Store, account_id: str) -> int:
    """Return by how much an account's clock was moved forward in all, in milliseconds."""
    async with store.read() as tx:
        row = await tx.one("advance_of_account", account_id=account_id)
    return 0 if row is None else int(row["advanced_ms"])


async def empty_account(
    store: Store, clock: Clock, merchant: str, mode: str, *, everything: bool = False
) -> EmptiedDocument:
    """Delete what happened in a merchant's test account, and with `everything` its catalogue, campaigns and links, too.

    Keys, connections, uploads and the request log stay. Raise `OperatorFault` if the merchant is unknown, and for the
    live account.
    """
    if mode != "test":
        raise OperatorFault("Only a test account is emptied; what happened in a live one is kept.")
    async with store.read() as tx:
        account = await _test_account(tx, merchant)
    account_id, now = account["account_id"], clock()
    bounds: dict[str, object] = {
        "event_before": new_id("evt"),
        "conversion_before": new_id("cnv"),
        "click_before": new_id("clk"),
        "now": now,
    }
    rows = 0
    for query, bound in HAPPENED.items():
        rows += await _emptied(store, clock, query, {"account_id": account_id, bound: bounds[bound]})
    if everything:
        rows += await _empty_set_up(store, clock, account_id)
    document: EmptiedDocument = {"merchantId": account["merchant_id"], "accountId": account_id, "rows": rows}
    async with store.write() as tx:
        await start_anew(tx, account_id)
        await note_act(tx, now, "account.emptied", account_id, after={**document, "everything": everything})
    return document


async def _empty_set_up(store: Store, clock: Clock, account_id: str) -> int:
    rows = sum([await _emptied(store, clock, query, {"account_id": account_id}) for query in SET_UP])
    async with store.write() as tx:
        return rows + sum([await tx.run(query, account_id=account_id) for query in SET_UP_AT_ONCE])


async def _emptied(store: Store, clock: Clock, query: str, values: Mapping[str, object]) -> int:
    """Run a query until it deletes nothing more, each time in a transaction of its own; return how many rows."""
    total = 0
    while True:
        async with store.write() as tx:
            if query == "empty_commissions":
                deleted = await _emptied_commissions(tx, clock(), limit=ROWS_AT_ONCE, **values)
            else:
                deleted = await tx.run(query, limit=ROWS_AT_ONCE, **values)
        total += deleted
        if deleted == 0:
            return total


async def _emptied_commissions(tx: Tx, now: int, **values: object) -> int:
    """Delete some commissions, and claw back what the ledger has of them: the ledger itself is only added to."""
    account_id = str(values["account_id"])
    await tx.lock_account(account_id)
    deleted = await tx.all("empty_commissions", **values)
    if deleted:
        owners = {row["commission_id"]: row for row in deleted}
        left = await tx.all("ledger_places_of", account_id=account_id, commissions=list(owners))
        back = [
            Movement("clawed_back", row["place"], "merchant", row["minor"], owners[row["commission_id"]]["currency"],
                     owners[row["commission_id"]]["affiliate_id"], row["commission_id"], None, None, "account emptied")
            for row in left if row["minor"] > 0
        ]  # fmt: skip
        await post(tx, [(account_id, each) for each in back], now)
    return len(deleted)


async def _test_account(tx: Tx, merchant: str) -> Row:
    merchant_id = await merchant_id_of(tx, merchant)
    row = await tx.one("test_account", merchant_id=merchant_id, mode="test")
    return known(row, "merchant", merchant, command="`hub merchant list` shows them all.")


async def _refuse_large(tx: Tx, account: Row) -> None:
    found = await tx.one("count_events_of_account", account_id=account["account_id"], limit=MOST_ROWS + 1)
    if found is not None and max(found["events"], found["clicks"]) > MOST_ROWS:
        raise OperatorFault(
            f"The test account of {account['name']} has more than {MOST_ROWS:,} events or clicks. Empty it first.",
            command=f"To empty it: hub account empty --merchant {account['merchant_id']} --mode test",
        )
