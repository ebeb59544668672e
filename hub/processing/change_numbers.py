"""Numbers for changes, in the order in which they became visible.

Every write of a record that the API prints notes it in `new_changes`, in its own transaction, by a trigger. What is
noted and committed is numbered here, under the lock of one row that is held until the commit: the noted records get the
next numbers, and exactly these notes are deleted. So whoever sees a number sees everything with a lower one, and a note
whose transaction commits late gets a late number; no clock and no order of ids decides.

"Exactly these" are the notes of transactions below the oldest that is under way (`Tx.ended_before`): while that is so
for one statement it stays so for the next, whatever else commits between them.

Readers of the feed number what is there before they read, so they wait for no job; the job does it where nobody reads,
because `updatedAt` says the moment of the number.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.changes import moment_of, next_number
from hub.intake.throttle import Pause
from hub.storage import Row, Store, Tx

NUMBERS_SECONDS: Final = 1.0
NOTES_AT_ONCE: Final = 200
"""Notes of one transaction, which takes a few milliseconds."""
MOST_TURNS: Final = 20
"""Transactions that a reader makes before it reads: what is noted behind them is told the next time."""
EXPIRED_EVERY_MS: Final = 5_000
"""How often it is looked for campaigns that ended, of which nothing is written."""
SHOWING_NAMES: Final = {"conversion": "conversions_to_tell", "link": "links_to_tell"}
"""The records that show the names of affiliate and merchant, commissions with their orders, and the queries of them."""
LAST_ACCOUNT: Final = "z" * 40
"""Sorts behind every account, in any collation."""


@frozen(eq=False)
class ChangeNumbers:
    """Gives numbers to changes; `pause` is called with the seconds that a transaction took."""

    _store: Store
    _clock: Clock
    _pause: Pause

    async def give(self) -> int:
        """Give a number to every change whose transaction has ended; return how many notes that were."""
        await self._note_expired()
        await number_names(self._store, self._clock)
        given = 0
        while await self._store.fetch_one("new_change") is not None:
            started = monotonic()
            numbered = await self._store.transact(partial(_number, self._clock(), ""))
            if not numbered:
                break
            given += numbered
            await self._pause(monotonic() - started)
        return given

    async def _note_expired(self) -> None:
        head, now = await self._store.fetch_one("change_head"), self._clock()
        if head is None or now - head["expired_to"] >= EXPIRED_EVERY_MS:
            await self._store.transact(partial(_note_expired, now))


async def number_account(store: Store, clock: Clock, account_id: str | None) -> None:
    """Give numbers to the changes of an account that have committed, of all if None; others may be among them."""
    await number_names(store, clock)
    for _ in range(MOST_TURNS):
        if account_id is None:
            note = await store.fetch_one("new_change")
        else:
            note = await store.fetch_one("new_change_of_account", account_id=account_id)
        if note is None or not await store.transact(partial(_number, clock(), account_id or "")):
            return


async def numbered_by(store: Store, clock: Clock, account_id: str) -> int:
    """Give numbers to the changes of an account; return the moment (ms UTC) of which later ones will have theirs."""
    await number_account(store, clock, account_id)
    head = await store.fetch_one("change_head")
    return clock() if head is None else moment_of(head["number"])


async def number_names(store: Store, clock: Clock) -> None:
    """Give a number to every record that shows a name which changed, some at a time, and then forget the note of it."""
    if await store.fetch_one("new_name") is None:
        return
    for note in await store.transact(_names):
        for kind, query in SHOWING_NAMES.items():
            after: str | None = ""
            while after is not None:
                after = await store.transact(partial(_tell_some, clock(), note, kind, query, after))
        await store.transact(partial(_forget_name, note))


async def _names(tx: Tx) -> list[Row]:
    return await tx.all("new_names", horizon=await tx.ended_before())


async def _forget_name(note: Row, tx: Tx) -> None:
    await tx.run("forget_new_name", **dict(note))


async def _note_expired(now: int, tx: Tx) -> None:
    head = await _held(tx, now)
    await tx.run("note_expired_campaigns", since=head["expired_to"], now=now)
    await tx.run("move_expiry_of_campaigns", now=now)


async def _held(tx: Tx, now: int) -> Row:
    """Return the head, locked until the transaction ends."""
    head = await tx.one("hold_change_head")
    if head is None:
        await tx.run("make_change_head", now=now)
        head = await tx.one("hold_change_head")
        assert head is not None  # noqa: S101 - it is never deleted
    return head


async def _number(now: int, account_id: str, tx: Tx) -> int:
    """Give a number to the next notes from an account on; return how many notes that were."""
    head = await _held(tx, now)
    end = await tx.one("end_of_notes", account_id=account_id, place=NOTES_AT_ONCE - 1)
    last = (LAST_ACCOUNT, "", "") if end is None else (end["account_id"], end["record_type"], end["record_id"])
    span = {
        "account_id": account_id,
        "last_account_id": last[0],
        "last_record_type": last[1],
        "last_record_id": last[2],
        "horizon": await tx.ended_before(),
    }
    number = next_number(head["number"], now)
    await tx.run("number_changes", number=number, **span)
    await tx.run("number_conversions_of_events", number=number, **span)
    forgotten = await tx.run("forget_numbered", **span)
    if forgotten:
        await tx.run("move_change_head", number=number)
    return forgotten


async def _tell_some(now: int, note: Row, kind: str, query: str, after: str, tx: Tx) -> str | None:
    """Give a number to the next records of a kind that show a name; return the last of them, None at the end."""
    account_id = note["account_id"]
    head = await _held(tx, now)
    rows = await tx.all(
        query, account_id=account_id, affiliate_id=note["affiliate_id"], after=after, limit=NOTES_AT_ONCE
    )
    if not rows:
        return None
    number = next_number(head["number"], now)
    await tx.run("store_changes", changes=[(account_id, number, kind, row["record_id"]) for row in rows])
    await tx.run("move_change_head", number=number)
    return rows[-1]["record_id"] if len(rows) == NOTES_AT_ONCE else None
