"""Acts on many things at once: what became of each is kept for a day, to be shown and to be taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from attrs import frozen

from hub.clock import Clock
from hub.domain.durations import MINUTE
from hub.domain.words import BulkAct
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.orders.review_undo import reopen_review
from hub.storage import Store

PORTION: Final = 50
"""How many are acted on by one request; the next goes on."""
MOST_AT_ONCE: Final = 10_000
"""How many an act on all that match takes."""
UNDO_MS: Final = 10 * MINUTE
SHOWN_REFUSALS: Final = 100
UNDOABLE: Final[frozenset[str]] = frozenset({"attributed", "dismissed"})


class Step(NamedTuple):
    """What became of one thing: `refusal` says why nothing did."""

    account_id: str
    bulk_id: str
    subject_id: str
    act: BulkAct
    refusal: str | None
    at: int


class Refusal(NamedTuple):
    """A thing that was not acted on, and why; its order's number if it has one."""

    subject_id: str
    refusal: str
    external_order_id: str | None


@frozen
class BulkOutcome:
    """What an act on many did, with the first refusals, and until when (ms UTC) it is taken back, None if never."""

    bulk_id: str
    act: BulkAct
    done: int
    refused: int
    refusals: list[Refusal]
    undo_until: int | None


async def act_on_many(
    store: Store, clock: Clock, account_id: str, act: BulkAct, ids: Sequence[str],
    do: Callable[[str], Awaitable[object]], bulk_id: str | None = None,
) -> str:  # fmt: skip
    """Await `do` for each id, each by itself, keep what became of it, and return the id of the whole.

    One that raises `OperatorFault` keeps no other back. With a `bulk_id` these are more of the same.
    """
    bulk, steps = bulk_id or new_id("blk"), list[Step]()
    for each in ids:
        refusal = None
        try:
            await do(each)
        except OperatorFault as fault:
            refusal = str(fault)
        steps.append(Step(account_id, bulk, each, act, refusal, clock()))
    if steps:
        async with store.write() as tx:
            await tx.run("write_bulk_steps", steps=steps)
    return bulk


async def bulk_outcome(store: Store, clock: Clock, account_id: str, bulk_id: str) -> BulkOutcome | None:
    """Return what an act on many of an account did; None if it is unknown, older than a day, or taken back."""
    async with store.read() as tx:
        sums = await tx.one("bulk_sums", account_id=account_id, bulk_id=bulk_id)
        if sums is None:
            return None
        refusals = await tx.records(
            Refusal, "bulk_refusals", account_id=account_id, bulk_id=bulk_id, limit=SHOWN_REFUSALS
        )
    until, done = int(sums["last_at"]) + UNDO_MS, int(sums["steps"]) - int(sums["refused"])
    undoable = sums["act"] in UNDOABLE and done > 0 and until > clock()
    return BulkOutcome(bulk_id, sums["act"], done, int(sums["refused"]), refusals, until if undoable else None)


async def undo_portion(store: Store, clock: Clock, account_id: str, bulk_id: str) -> bool:
    """Open up to `PORTION` reviews again that an act on many closed; return whether there are more.

    What cannot be taken back is kept as a refusal. Raise `OperatorFault` once it is too late.
    """
    outcome = await bulk_outcome(store, clock, account_id, bulk_id)
    if outcome is None or outcome.undo_until is None:
        raise OperatorFault("It is too late to undo all of it. Open an order to undo its decision.")
    async with store.read() as tx:
        rows = await tx.all("bulk_done", account_id=account_id, bulk_id=bulk_id, after="", limit=PORTION)
    undone, kept = list[tuple[str, str, str]](), list[Step]()
    for subject_id in (row["subject_id"] for row in rows):
        try:
            await reopen_review(store, clock, subject_id)
        except OperatorFault as fault:
            kept.append(Step(account_id, bulk_id, subject_id, outcome.act, f"Not undone: {fault}", clock()))
        else:
            undone.append((account_id, bulk_id, subject_id))
    async with store.write() as tx:
        if undone:
            await tx.run("forget_bulk_steps", steps=undone)
        if kept:
            await tx.run("write_bulk_steps", steps=kept)
    return len(rows) == PORTION
