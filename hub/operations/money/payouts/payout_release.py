"""The release of a run: its commissions become PAID, and from then on a refund is a correction.

A run has many lines, so it is released in slices, each a transaction that marks commissions, writes their entries and
notes what became of the lines. A commission is paid only if it is PAYABLE and its line is RESERVED, and both change
together: whatever was killed between two slices goes on with the lines that are left, and pays none of them twice. What
was refunded since the run was created is dropped. Orders are locked as for order news (hub/processing/post_entries.py).

Once no line is left, each item is released with what was really paid. If dropped lines left an affiliate owing money,
what was paid of its commissions goes back to its balance as a correction, and the item is carried on.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.fees import charging
from hub.domain.books.ledger import Movement, Owner, Place, paying
from hub.domain.books.money_notes import key_of
from hub.domain.money import format_money
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payouts.four_eyes import Alternative, Payment, paid_by, pay_alone
from hub.operations.money.payouts.payout_documents import ItemPlace, LinePlace, RunDocument, require_run
from hub.operations.money.payouts.payout_exchanges import at_bank, reckon_exchanges, refuse_old_rates
from hub.operations.money.payouts.payout_runs import found_run, pages_of_items
from hub.operations.money.payouts.release_guard import refuse_unproved_books
from hub.operations.money.rates.fees import fees_at_payment
from hub.operations.money.tax.billing import Billing, billing_of
from hub.operations.money.tax.self_billing import bill_item
from hub.operations.notices import tell
from hub.operations.second_person import is_of_nobody, why_not_second
from hub.operations.trail import TIMER, current_actor, note_act
from hub.processing.adjustments import BY_RULE, Adjustment
from hub.processing.ledger_rows import changed_order
from hub.processing.noted_rows import items_of, keys_of, note_rows
from hub.processing.notifications import ReleasedPayout, queue_moved, queue_released_payout
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

LINES_AT_ONCE: Final = 200
ITEMS_AT_ONCE: Final = 100
Entries = list[tuple[str, Movement]]


async def release_run(store: Store, clock: Clock, settings: PayoutSettings, payout_id: str) -> RunDocument:
    """Release a run and return it; one that is released already is returned as it is, one that was killed goes on.

    Raise `OperatorFault` if the run is unknown, or if it pays more than the limit and the person who created it
    releases it.
    """
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        run = await require_run(tx, payout_id)
        if run["status"] in ("RELEASED", "SETTLED"):
            return await found_run(tx, payout_id)
        if run["status"] in ("GATHERING", "CANCELLED"):
            raise OperatorFault(
                f"Payout {payout_id} is {run['status']}; only a DRAFT can be released.",
                command="One that was interrupted while it gathered goes on by `hub payout create`.",
            )
        if run["status"] == "DRAFT":
            now = clock()
            await refuse_old_rates(tx, now, settings, payout_id)
            await _refuse_same_person(tx, run, settings, now)
            await tx.run("begin_release", payout_id=payout_id, released_by=current_actor().id, now=now)
            await note_rows(tx, now, {"payouts": [(payout_id,)]})
            await note_act(tx, now, "payout.released", payout_id, after={"releasedBy": current_actor().id})
    place: LinePlace | None = LinePlace()
    while place is not None:
        place = await _release_lines(store, clock, payout_id, place)
    await _release_items(store, clock, settings, payout_id)
    async with store.write() as tx:
        if await tx.run("end_release", payout_id=payout_id):
            await note_rows(tx, clock(), {"payouts": [(payout_id,)]})
        return await found_run(tx, payout_id)


async def _refuse_same_person(tx: Tx, run: Row, settings: PayoutSettings, now: int) -> None:
    """Raise `OperatorFault` if one person alone would pay more than the limit in a currency.

    A second person beside the run's creator pays nothing alone, but for affiliates whose payee they changed lately:
    who says where the money goes does not send it.
    """
    if run["mode"] == "test":
        return
    await refuse_unproved_books(tx)
    after = settings.second_person_after
    why = await why_not_second(tx, now, run["created_by"], after=after)
    redirected: set[str] | None = None
    if why is None:
        redirected = await _redirected_by_actor(tx, now, run["payout_id"], after)
        why = "you, or a token that belongs to nobody, changed where some of its money goes"

    async def payments() -> AsyncIterator[Sequence[Payment]]:
        async for items in pages_of_items(tx, run["payout_id"], status="OPEN"):
            yield paid_by(item for item in items if redirected is None or item["affiliate_id"] in redirected)

    await pay_alone(tx, settings, now, "payout.released", payments, _alternative(run, why))


def _alternative(run: Row, why: str) -> Alternative:
    what, named = f"Payout {run['payout_id']} pays", "At the terminal that person is named with --by."
    if run["created_by"] == TIMER.id or is_of_nobody(run["created_by"]):
        maker = "clock" if run["created_by"] == TIMER.id else "token, which belongs to nobody"
        return Alternative(
            what, f"one person creates it in the place of the {maker}, and it stays as it is, and another releases it.",
            f"It is created by `hub payout create` with its mode and currency. {named}",
        )  # fmt: skip
    return Alternative(what, f"another person than the one who created it releases it: {why}.", named)


async def _redirected_by_actor(tx: Tx, now: int, payout_id: str, after: int) -> set[str]:
    """Return those paid by a run whose payee was changed lately by the one who acts, or by their hands."""
    rows = await tx.all("makers_of_payees", payout_id=payout_id, since=now - after)
    hands = {row["actor_id"] for row in rows if await why_not_second(tx, now, row["actor_id"], after=after)}
    if not hands:
        return set()
    rows = await tx.all("payees_made_by", payout_id=payout_id, since=now - after, makers=sorted(hands))
    return {row["affiliate_id"] for row in rows}


async def _release_lines(store: Store, clock: Clock, payout_id: str, after: LinePlace) -> LinePlace | None:
    """Pay lines that are left after a place, some in one transaction; return the place of the last, None at the end."""
    some = {"payout_id": payout_id, **after._asdict(), "limit": LINES_AT_ONCE}
    async with store.read() as tx:
        lines = await tx.all("reserved_lines", **some)
    if not lines:
        return None
    place = LinePlace.of(lines[-1])
    async with store.write() as tx:
        orders = {(line["account_id"], line["external_order_id"]) for line in lines if line["external_order_id"]}
        await tx.lock_orders([*orders, *RUN_LOCK])
        left = {_id(row) for row in await tx.all("lines_still_reserved", **some)}
        lines = [line for line in lines if _id(line) in left]
        now = clock()
        commissions = [_key(line) for line in lines if line["line_id"].startswith("com")]
        adjustments = [_key(line) for line in lines if not line["line_id"].startswith("com")]
        moved = await tx.all("pay_reserved_commissions", lines=commissions, payout_id=payout_id, now=now)
        taken = await tx.all("pay_reserved_adjustments", lines=adjustments, payout_id=payout_id)
        paid = {_id(row) for row in [*moved, *taken]}
        if moved:
            changes = [changed_order(row["account_id"], row["conversion_id"]) for row in moved]
            await tx.run("note_changed_orders", changes=changes)
            await queue_moved(tx, {(row["account_id"], row["conversion_id"]): "PAYABLE" for row in moved}, now)
        marks = [(line["account_id"], line["affiliate_id"], line["currency"], line["line_id"],
                  "PAID" if _id(line) in paid else "DROPPED") for line in lines]  # fmt: skip
        await tx.run("mark_payout_lines", lines=marks, payout_id=payout_id)
        fees = await fees_at_payment(tx, {line["account_id"] for line in lines}, now)
        entries: Entries = []
        for line in lines:
            if _id(line) in paid:
                account_id = line["account_id"]
                made = _paying(line, payout_id)
                if made and line["line_id"].startswith("com"):  # a correction's fee came with the correction
                    made += charging(made[-1], line["amount_minor"], fees.get(account_id))
                entries += [(account_id, each) for each in made]
        await post(tx, entries, now)
        await note_rows(tx, now, {"adjustments": [_id(row) for row in taken]})
    return place


def _id(row: Row) -> tuple[str, str]:
    return row["account_id"], row["line_id"]


def _key(line: Row) -> tuple[str, str, int]:
    return line["account_id"], line["line_id"], line["amount_minor"]


def _paying(line: Row, payout_id: str) -> list[Movement]:
    """Return the entries that put a line into its run; a correction that takes money back leaves the run poorer."""
    amount = line["amount_minor"]
    if line["line_id"].startswith("com"):
        owner = Owner(line["currency"], line["affiliate_id"], line["line_id"], line["external_order_id"])
        return paying(owner, amount, "payout", payout_id)
    places: tuple[Place, Place] = ("adjustments", "payout") if amount > 0 else ("payout", "adjustments")
    return [
        Movement("paid", *places, abs(amount), line["currency"], line["affiliate_id"], line["commission_id"],
                 line["line_id"], line["external_order_id"], payout_id)
    ]  # fmt: skip


async def _release_items(store: Store, clock: Clock, settings: PayoutSettings, payout_id: str) -> None:
    """Count and release each item with what its lines really paid, some in each transaction."""
    place: ItemPlace | None = ItemPlace()
    while place is not None:
        async with store.write() as tx:
            await tx.lock_orders(RUN_LOCK)
            items = await tx.all(
                "payout_items_page", payout_id=payout_id, **place._asdict(), status="OPEN", file_id=None,
                limit=ITEMS_AT_ONCE,
            )  # fmt: skip
            if items:
                await _release_some(tx, items, billing_of(settings.debtor_name, settings), clock())
        place = ItemPlace.of(items[-1]) if items else None


async def _release_some(tx: Tx, items: Sequence[Row], first: Billing, now: int) -> None:
    """Release items with what was really paid, or carry them on; those that were meanwhile are passed over."""
    moved, reopened, entries = list[Row](), list[Adjustment](), Entries()
    await tx.run("count_payout_items", items=items_of(items))
    exchanged = await reckon_exchanges(tx, items_of(items))
    for item in items:
        shares = await tx.all("paid_by_account", **item_key(item))
        amount = sum(share["minor"] for share in shares)
        sent = exchanged.get(key_of("payout_items", item), amount)
        if amount > 0 and sent > 0:
            if not await move_item(tx, item, "RELEASED", ("OPEN", "OPEN")):
                continue
            await bill_item(tx, item, first, now)
            paid = [(share["account_id"], share["minor"]) for share in shares if share["minor"]]
            await queue_released_payout(
                tx, ReleasedPayout(item["payout_id"], item["affiliate_id"], item["currency"], paid), now
            )
            if item["mode"] == "live":
                currency = item["sent_currency"] or item["currency"]
                words = f"{format_money(sent, currency)} {currency} are on their way to you."
                there = f"/affiliate/payouts/{item['payout_id']}"
                await tell(tx, now, "payment-released", item["affiliate_id"], words, there)
        elif await move_item(tx, item, "CARRIED", ("OPEN", "OPEN"), carried="changed"):
            reason = f"Carried over from payout {item['payout_id']}, because orders were refunded before its release."
            made, more = await reopen(tx, item, shares, "payout", "carried", reason, now)
            reopened += made
            entries += more
        else:
            continue
        moved.append(item)
    await post(tx, entries, now)
    invoices = await tx.all("invoice_keys", items=items_of(moved)) if moved else []
    await note_rows(tx, now, {
        "payout_items": items_of(items), "payout_exchanges": exchanged,
        "adjustments": [_key_of(each) for each in reopened], "invoices": keys_of("invoices", invoices),
    })  # fmt: skip


def _key_of(each: Adjustment) -> tuple[str, str]:
    return each.account_id, each.adjustment_id


def item_key(item: Row) -> dict[str, object]:
    """Return the parameters by which a query finds an item."""
    return {name: item[name] for name in ("payout_id", "affiliate_id", "currency")}


async def move_item(
    tx: Tx, item: Row, status: str, before: tuple[str, str], *, reference: str | None = None,
    carried: str | None = None, returned: str | None = None, settled_at: int | None = None,
) -> bool:  # fmt: skip
    """Give an item its next status if it has one of those before; return whether it had."""
    moved = await tx.run(
        "move_payout_item", **item_key(item), status=status, before=before[0], or_before=before[1],
        reference=reference, carried=carried, returned=returned, settled_at=settled_at,
    )  # fmt: skip
    return moved == 1


async def reopen(
    tx: Tx, item: Row, shares: Sequence[Row], place: Place, kind: str, reason: str, now: int
) -> tuple[list[Adjustment], Entries]:
    """Give back to an affiliate's balance what an item paid out of `place`: one approved correction for each account.

    `shares` are rows of `paid_by_account`, `kind` is "carried" or "returned", `now` is milliseconds UTC. Return the
    corrections, and the entries that the caller posts with those of its other items, before it notes the corrections.
    """
    made = [
        Adjustment(share["account_id"], new_id("adj"), item["affiliate_id"], kind, share["minor"], item["currency"],
                   reason, None, None, None, item["payout_id"], "APPROVED", BY_RULE, now, BY_RULE, now, None)
        for share in shares if share["minor"]
    ]  # fmt: skip
    if made:
        await tx.run("insert_adjustments", adjustments=made)
    return made, at_bank(item, shares, [(each.account_id, _returning(each, place)) for each in made])


def _returning(each: Adjustment, place: Place) -> Movement:
    places: tuple[Place, Place] = (place, "adjustments") if each.amount_minor > 0 else ("adjustments", place)
    return Movement("returned", *places, abs(each.amount_minor), each.currency, each.affiliate_id, None,
                    each.adjustment_id, None, each.paid_reference or "")  # fmt: skip
