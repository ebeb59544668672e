"""What a merchant's deposit covers: at the end of a hold, and given back once a payable commission shrinks.

All of it happens in a transaction that holds the locks of the orders. The rows of the deposits are locked after them
and before the ends of the ledger's chains, in the order of accounts and currencies, so that no two transactions can
wait for each other.

A commission that is not covered is marked and left alone, so that thousands that wait cost the timer nothing. Whatever
adds to a deposit takes the mark from the first ones, and the timer tries them again, in their order.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import orjson

from hub.domain.books.deposits import Due, cover_in_order
from hub.domain.books.ledger import Kind, Movement, Place
from hub.domain.messages.payload_versions import newest_version
from hub.domain.money import format_money
from hub.ids import new_id
from hub.processing.notifications import Message, is_watched, watched_accounts
from hub.storage import Row, Tx

TRIED_AGAIN: Final = 200
"""How many waiting commissions are tried at once."""
Key = tuple[str, str]


class Shortage(NamedTuple):
    """A deposit that does not cover the next of the `commissions` whose hold is over, in minor units."""

    account_id: str
    currency: str
    balance_minor: int
    waiting_minor: int
    commissions: int


OnShortage = Callable[[Tx, Shortage, int], Awaitable[None]]
"""Reports a shortage in the transaction that finds it, at a moment (ms UTC)."""


async def cover_due(
    tx: Tx, due: Sequence[Row], now: int, on_shortage: OnShortage | None = None
) -> tuple[set[Key], list[tuple[str, Movement]]]:
    """Cover commissions whose hold has ended as far as the deposits reach, in their order; mark those that wait.

    `due` are rows of `due_holds` whose orders are locked. Return which may be released, and their entries. A shortage
    is reported once: again only after a payment that was too small, or if nothing of it waits any more.
    """
    rows = await tx.all("due_under_lock", due=[(row["account_id"], row["commission_id"]) for row in due], now=now)
    rows = sorted(rows, key=_deposit)
    orders = {(row["account_id"], row["commission_id"]): row["external_order_id"] for row in due}
    released: set[Key] = set()
    entries: list[tuple[str, Movement]] = []
    deposits = await _locked(tx, {_deposit(row) for row in rows})
    for (account_id, currency), group in groupby(rows, _deposit):
        found = {row["commission_id"]: row for row in group}
        first = await tx.one("first_awaiting_deposit", account_id=account_id, currency=currency, now=now)
        covered, waiting = cover_in_order(
            [Due(row["hold_until"], row["commission_id"], row["amount_minor"]) for row in found.values()],
            deposits[account_id, currency]["balance_minor"],
            None if first is None else (first["hold_until"], first["commission_id"]),
        )
        released |= {(account_id, each.commission_id) for each in covered}
        entries += [
            (account_id, _entry("covered", found[each.commission_id]["affiliate_id"], currency, each.commission_id,
                                orders[account_id, each.commission_id], each.amount_minor, "hold ended"))
            for each in covered if each.amount_minor
        ]  # fmt: skip
        await _write(tx, (account_id, currency), covered, waiting, tried_again=first is not None)
        if waiting:
            earliest = waiting[0].hold_until if first is None else min(first["hold_until"], waiting[0].hold_until)
            await _report_shortage(tx, deposits[account_id, currency], earliest, waiting, now, on_shortage)
    return released, entries


async def give_back(
    tx: Tx, movements: Mapping[str, Sequence[Movement]], accounts: Iterable[str]
) -> dict[str, list[Movement]]:
    """Return, by account, the entries that give a deposit back what payable commissions of these accounts lost.

    Only what the deposit had covered comes back. The first commissions that wait are tried again, also if one of those
    that are held is less by now, or nothing: it may be the one for which the deposit was too small.
    """
    taken = [(account_id, each) for account_id in accounts for each in movements.get(account_id, ())]
    shrunk = {(account_id, e.currency) for account_id, e in taken if e.debit == "held" and e.kind == "clawed_back"}
    lost: dict[Key, int] = {}
    named: dict[Key, Movement] = {}
    for account_id, each in taken:
        if each.debit == "payable" and each.kind != "paid" and each.commission_id is not None:
            key = (account_id, each.commission_id)
            lost[key] = lost.get(key, 0) + each.amount_minor
            named[key] = each
    covers = await tx.all("load_deposit_covers", commissions=sorted(lost)) if lost else []
    back = {(r["account_id"], r["commission_id"]): min(r["amount_minor"], lost[r["account_id"], r["commission_id"]])
            for r in covers}  # fmt: skip
    if not back and not shrunk:
        return {}
    await _locked(tx, {(r["account_id"], r["currency"]) for r in covers} | shrunk)
    await tx.run("uncover_commissions", covers=[(*key, minor) for key, minor in sorted(back.items())])
    sums: dict[Key, int] = {}
    entries: dict[str, list[Movement]] = {}
    for (account_id, commission_id), minor in back.items():
        moved = named[account_id, commission_id]
        sums[account_id, moved.currency] = sums.get((account_id, moved.currency), 0) + minor
        entries.setdefault(account_id, []).append(
            _entry("uncovered", moved.affiliate_id, moved.currency, commission_id, moved.external_order_id, minor,
                   moved.cause)
        )  # fmt: skip
    await tx.run("move_deposits", deposits=[(*key, minor) for key, minor in sorted(sums.items())])
    for account_id, currency in sorted({*sums, *shrunk}):
        await try_again(tx, account_id, currency)
    return entries


async def try_again(tx: Tx, account_id: str, currency: str) -> None:
    """Let the first commissions be tried again that waited for more in this deposit."""
    await tx.run("try_deposit_again", account_id=account_id, currency=currency, limit=TRIED_AGAIN)


async def _write(tx: Tx, deposit: Key, covered: Sequence[Due], waiting: Sequence[Due], *, tried_again: bool) -> None:
    account_id, currency = deposit
    spent = sum(each.amount_minor for each in covered)
    if covered:
        await tx.run("move_deposits", deposits=[(account_id, currency, -spent)])
        await tx.run(
            "cover_commissions", covers=[(account_id, e.commission_id, currency, e.amount_minor) for e in covered]
        )
    if waiting:
        await tx.run("await_deposit", commissions=[(account_id, each.commission_id) for each in waiting])
    elif tried_again:
        await try_again(tx, account_id, currency)


async def _locked(tx: Tx, deposits: Iterable[Key]) -> dict[Key, Row]:
    rows = await tx.all("lock_deposits", deposits=sorted(deposits))
    return {(row["account_id"], row["currency"]): row for row in rows}


async def _report_shortage(
    tx: Tx, deposit: Row, earliest: int, waiting: Sequence[Due], now: int, on_shortage: OnShortage | None
) -> None:
    """Report that a deposit is too small, unless it is the shortage that was reported last.

    It is another one if the first hold that waits ended only after that, at `earliest` (ms UTC): nothing overtakes, so
    all that waited then was covered, or taken back, since.
    """
    account_id, currency = _deposit(deposit)
    if deposit["shortage_at"] is not None and earliest <= deposit["shortage_at"]:
        return
    await tx.run("note_shortage", account_id=account_id, currency=currency, at=now)
    left = await _locked(tx, [(account_id, currency)])
    total = sum(each.amount_minor for each in waiting)
    shortage = Shortage(account_id, currency, left[account_id, currency]["balance_minor"], total, len(waiting))
    await _queue(tx, shortage, now)
    if on_shortage is not None:
        await on_shortage(tx, shortage, now)


async def _queue(tx: Tx, shortage: Shortage, now: int) -> None:
    """Queue the message that the deposit has become too small."""
    account_id, currency = shortage.account_id, shortage.currency
    if not is_watched(await watched_accounts(tx, [account_id]), account_id):
        return
    data = {
        "currency": currency,
        "balance": format_money(shortage.balance_minor, currency),
        "waiting": format_money(shortage.waiting_minor, currency),
        "commissions": shortage.commissions,
    }
    message = Message(
        account_id, "", f"deposit/{currency}", 1, new_id("msg"), "deposit.short", orjson.dumps(data).decode(), now,
        newest_version(),
    )  # fmt: skip
    await tx.run("queue_messages", messages=[message])


def _deposit(row: Row) -> Key:
    return row["account_id"], row["currency"]


def _entry(
    kind: Kind, affiliate_id: str, currency: str, commission_id: str, order_id: str | None, minor: int, cause: str
) -> Movement:
    places: tuple[Place, Place] = ("deposit", "merchant") if kind == "covered" else ("merchant", "deposit")
    return Movement(kind, *places, minor, currency, affiliate_id, commission_id, None, order_id, cause)
