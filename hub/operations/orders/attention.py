"""What needs a merchant's attention: each matter can be cured, or set aside with a reason until it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, get_args

from hub.clock import Clock
from hub.domain.durations import DAY
from hub.domain.words import Matter
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault, unknown
from hub.operations.trail import current_actor, note_act
from hub.processing.silent_connections import SILENT_MS
from hub.storage import Store, Tx

MOST_COUNTED: Final = 1_001
"""How far a matter is counted."""
FAILURES_SHOWN: Final = 3
"""A webhook fails now and then; this often in a row its receiver needs a look."""
MATTERS: Final = get_args(Matter)
FAILED: Final[Matter] = "messages-failed"


class OpenMatter(NamedTuple):
    """A matter with how much of it there is, and what changes with it."""

    matter: str
    number: int
    mark: str


class SetAside(NamedTuple):
    """Why a matter was set aside, by whom (a user's id) and when (ms UTC)."""

    reason: str
    aside_by: str
    aside_at: int


class Attention(NamedTuple):
    """The matters that are open, and those that were set aside and have not changed since."""

    open: list[OpenMatter]
    aside: list[tuple[OpenMatter, SetAside]]


async def attention(store: Store, clock: Clock, account_id: str) -> Attention:
    """Return an account's matters in the order of `MATTERS`; requests count for 24 hours after they were refused."""
    async with store.read() as tx:
        found = await _matters(tx, clock(), account_id)
        asides = {row["matter"]: row for row in await tx.all("set_asides_of", account_id=account_id)}
    seen = Attention([], [])
    for each in found:
        row = asides.get(each.matter)
        if row is not None and row["mark"] == each.mark:
            seen.aside.append((each, SetAside(row["reason"], row["aside_by"], row["aside_at"])))
        else:
            seen.open.append(each)
    return seen


async def set_aside(store: Store, clock: Clock, account_id: str, matter: str, mark: str, reason: str) -> None:
    """Set a matter aside as it was shown, by its `mark`, until it changes.

    Raise `OperatorFault` if it is none, for an unusable reason, and if it has changed since it was shown.
    """
    said = checked_name(reason, "A reason")
    async with store.write() as tx:
        now = clock()
        open_now = {each.matter: each for each in await _matters(tx, now, account_id)}
        if matter not in open_now:
            raise OperatorFault("This matter is settled already.")
        if open_now[matter].mark != mark:
            raise OperatorFault("It has changed since this page was loaded. Look at it again.")
        await _put(tx, now, account_id, (matter, "", mark), said)


async def take_up(store: Store, clock: Clock, account_id: str, matter: str) -> None:
    """Take a matter up again that was set aside."""
    async with store.write() as tx:
        await _take(tx, clock(), account_id, matter, "")


async def set_message_aside(store: Store, clock: Clock, account_id: str, event_id: str, reason: str) -> None:
    """Set a failed message of an account aside until it fails anew.

    Raise `OperatorFault` if it is unknown there, has not failed, or for an unusable reason.
    """
    said = checked_name(reason, "A reason")
    async with store.write() as tx:
        event = await tx.one("event_anywhere", event_id=event_id)
        if event is None or event["account_id"] != account_id:
            raise unknown("message", event_id)
        if event["status"] != "FAILED":
            raise OperatorFault("Only a message that failed is set aside.")
        await _put(tx, clock(), account_id, (FAILED, event_id, str(event["processed_at"])), said)


async def take_message_up(store: Store, clock: Clock, account_id: str, event_id: str) -> None:
    """Let a failed message count again that was set aside."""
    async with store.write() as tx:
        await _take(tx, clock(), account_id, FAILED, event_id)


async def messages_aside(store: Store, account_id: str, event_ids: Sequence[str]) -> Mapping[str, SetAside]:
    """Return which of some messages of an account are set aside, and why."""
    if not event_ids:
        return {}
    async with store.read() as tx:
        rows = await tx.all("messages_aside", keys=[(account_id, each) for each in event_ids])
    return {row["event_id"]: SetAside(row["reason"], row["aside_by"], row["aside_at"]) for row in rows}


async def _matters(tx: Tx, now: int, account_id: str) -> list[OpenMatter]:
    rows = await tx.records(
        OpenMatter, "matters_of_account", account_id=account_id, since=now - DAY, silent=now - SILENT_MS,
        failures=FAILURES_SHOWN, limit=MOST_COUNTED,
    )  # fmt: skip
    return sorted((each for each in rows if each.number), key=lambda each: MATTERS.index(each.matter))


async def _put(tx: Tx, now: int, account_id: str, what: tuple[str, str, str], reason: str) -> None:
    matter, subject_id, mark = what
    await tx.run(
        "put_aside", account_id=account_id, matter=matter, subject_id=subject_id, mark=mark, reason=reason,
        aside_by=current_actor().id, now=now,
    )  # fmt: skip
    await note_act(tx, now, "matter.set-aside", subject_id or account_id, after={"matter": matter, "reason": reason})


async def _take(tx: Tx, now: int, account_id: str, matter: str, subject_id: str) -> None:
    if await tx.run("take_up", account_id=account_id, matter=matter, subject_id=subject_id):
        await note_act(tx, now, "matter.taken-up", subject_id or account_id, after={"matter": matter})
