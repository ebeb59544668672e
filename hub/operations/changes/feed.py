"""Read what changed after a cursor: of an account, of what is an affiliate's, or of all accounts.

A cursor is the place behind the last change that was told, and holds for ever: what is told of a record is what it is
now, and its latest change is its only one. So a feed from the beginning is a snapshot, and one row for each record is
all that is kept. A record may be told again although nothing of it changed.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.changes import CHANGE_TYPES, OWN_TYPES, moment_of
from hub.domain.instants import format_instant
from hub.operations.changes.records import OF_CONVERSION, Reading, records_of, with_conversions
from hub.operations.errors import InvalidFields
from hub.processing.change_numbers import number_account
from hub.storage import Row, Store, Tx

BEHIND: Final = "z" * 40
"""Sorts behind every type, in any collation."""
NUMBER: Final = re.compile(r"[0-9]{1,18}")
FIRST_SPAN: Final = 1 << 24
"""How many numbers are looked through for the changes of all accounts at first: those of 16 seconds."""

NEVER_DELETED: Final = ("statement",)
"""A month that is not there has not been there: what stands in the ledger stays."""

Place = tuple[int, str, str, str]
"""The number, the type, the id and the account of a change; a feed of one account does without the last.

What is numbered in one transaction has one number, and a balance or a statement has the same id in every account.
"""
BEGINNING: Final[Place] = (0, "", "", "")


class ChangeCursorFault(InvalidFields):
    """A cursor that no feed of this hub handed out."""

    def __init__(self) -> None:
        super().__init__({
            "after": "must be a `cursor` that this hub's feed handed out; where it was set back to a backup, begin anew"
        })  # fmt: skip


@frozen
class Feed:
    """Whose changes are told, and of which types: an account's, an affiliate's in every account, or everybody's."""

    account_id: str | None = None
    affiliate_id: str | None = None
    types: Sequence[str] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """The types of records that are told."""
        known = CHANGE_TYPES if self.affiliate_id is None else OWN_TYPES
        return tuple(kind for kind in known if not self.types or kind in self.types)

    @property
    def stored(self) -> list[str]:
        """The types of the changes that tell them."""
        return sorted({*self.told, *(("conversion",) if {*OF_CONVERSION} & {*self.told} else ())})


@frozen
class Changes:
    """A part of a feed: records, the cursor behind them, and whether there are more by now."""

    data: list[dict[str, Any]]
    cursor: str
    more: bool


def cursor_of(place: Place) -> str:
    """Return the cursor of what comes after a place."""
    text = "\n".join(["changes", *map(str, place)]).removesuffix("\n")
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def place_of(cursor: str | None) -> Place:
    """Return the place behind which a feed goes on; raise `ChangeCursorFault`."""
    if cursor is None:
        return BEGINNING
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        name, number, kind, *ids = base64.b64decode(padded, b"-_", validate=True).decode().split("\n")
        record_id, account_id = (*ids, "")[:2]
    except (binascii.Error, ValueError):
        raise ChangeCursorFault from None
    if name != "changes" or len(ids) > 2 or NUMBER.fullmatch(number) is None or "\0" in kind + "".join(ids):
        raise ChangeCursorFault
    return int(number), kind, record_id, account_id


async def has_news(store: Store, feed: Feed, place: Place) -> bool:
    """Return whether anything may have changed behind a place that was the end; costs two looks at an index."""
    head = await store.fetch_one("change_head")
    if head is not None and head["number"] > place[0]:
        return True
    if feed.account_id is None:
        return await store.fetch_one("new_change") is not None
    return await store.fetch_one("new_change_of_account", account_id=feed.account_id) is not None


async def read_changes(
    store: Store, clock: Clock, root: str, feed: Feed, *, after: str | None = None, limit: int
) -> Changes:
    """Return about `limit` records that changed after a cursor, the earliest change first; raise `ChangeCursorFault`.

    A conversion is never parted from its commission and the event that made it, so there may be two more.
    """
    place = place_of(after)
    await number_account(store, clock, feed.account_id)
    rows_wanted = max(1, limit // max(1, len({*OF_CONVERSION} & {*feed.told})))
    async with store.read() as tx:
        head = await tx.one("change_head")
        number = 0 if head is None else head["number"]
        if place[0] > number:
            raise ChangeCursorFault
        rows = await _rows(tx, feed, place, number, rows_wanted + 1)
        more = len(rows) > rows_wanted
        rows = rows[:rows_wanted]
        data = await _told(tx, clock(), root, feed, rows)
    end = _place_behind(feed, rows[-1]) if more else (number, BEHIND, "", "")
    return Changes(data, cursor_of(max(place, end)), more)


def _place_behind(feed: Feed, row: Row) -> Place:
    account_id = row["account_id"] if feed.account_id is None and feed.affiliate_id is None else ""
    return row["number"], row["record_type"], row["record_id"], account_id


async def _rows(tx: Tx, feed: Feed, place: Place, head: int, limit: int) -> list[Row]:
    behind = {"number": place[0], "record_type": place[1], "record_id": place[2]}
    asked = {**behind, "types": feed.stored, "limit": limit}
    if feed.account_id is not None:
        return await tx.all("changes_of_account", account_id=feed.account_id, **asked)
    if feed.affiliate_id is not None:
        return await tx.all("changes_of_affiliate", affiliate_id=feed.affiliate_id, **asked)
    return await _rows_of_all(tx, {**asked, "account_id": place[3]}, head)


async def _rows_of_all(tx: Tx, asked: Mapping[str, Any], head: int) -> list[Row]:
    """Return the next changes of all accounts: of a span of numbers that is widened until it holds enough."""
    span, limit, begins = FIRST_SPAN, asked["limit"], asked["number"]
    while True:
        rows = await tx.all("changes_of_all", upto=min(begins + span, head), **asked)
        if len(rows) >= limit or begins + span >= head:
            return rows
        if rows:
            span *= 4
            continue
        following = await tx.one("next_change_of_any", number=begins + span)
        if following is None or following["number"] is None:
            return rows
        span = following["number"] - begins + FIRST_SPAN


Found = dict[tuple[str, str, str], list[tuple[str, str, Any]]]
"""By account, type and id of a change: the types, ids and records that it tells."""


async def _told(tx: Tx, now: int, root: str, feed: Feed, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the entries that rows tell, in their order."""
    found: Found = defaultdict(list)
    for account_id, ids in _by_account(rows).items():
        await _read(found, Reading(tx, account_id, now, root, feed.affiliate_id), feed, ids)
    owners = await _owners(tx, feed, rows)
    return [
        {
            "type": kind, "id": record_id, **owners.get(row["account_id"], {}),
            "changedAt": format_instant(moment_of(row["number"])), "deleted": record is None, "record": record,
        }
        for row in rows
        for kind, record_id, record in found.get((row["account_id"], row["record_type"], row["record_id"]), ())
        if record is not None or kind not in NEVER_DELETED
    ]  # fmt: skip


async def _read(found: Found, reading: Reading, feed: Feed, ids: Mapping[str, Sequence[str]]) -> None:
    """Add what the changes of an account tell."""
    for kind, of_kind in ids.items():
        if kind in feed.told:
            records = await records_of(reading, kind, of_kind)
            for each in of_kind:
                found[reading.account_id, kind, each].append((kind, each, records.get(each)))
    for kind in OF_CONVERSION[1:]:
        if kind in feed.told and "conversion" in ids:
            beside = await with_conversions(reading, kind, ids["conversion"])
            for each, (record_id, record) in beside.items():
                found[reading.account_id, "conversion", each].append((kind, record_id, record))


def _by_account(rows: Iterable[Row]) -> dict[str, dict[str, list[str]]]:
    """Return the ids of the rows by account and type."""
    ids: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        ids[row["account_id"]][row["record_type"]].append(row["record_id"])
    return ids


async def _owners(tx: Tx, feed: Feed, rows: Sequence[Row]) -> dict[str, dict[str, str]]:
    """Return whose each account is and its mode, for a feed of several accounts."""
    if feed.account_id is not None:
        return {}
    owners = {}
    for account_id in {row["account_id"] for row in rows}:
        account = await tx.one("account_to_tell", account_id=account_id)
        if account is not None:
            owners[account_id] = {"merchantId": account["merchant_id"], "mode": account["mode"]}
    return owners
