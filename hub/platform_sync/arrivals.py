"""What was read from a platform goes through intake like its deliveries: the same bytes count once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import orjson
from attrs import frozen

from hub.clock import Clock
from hub.ids import new_id
from hub.intake.stored_body import storable_body
from hub.intake.submission import Accepted, RequestGuards, Submission
from hub.intake.submission_batcher import SubmissionBatcher
from hub.platform_sync.access import Access
from hub.storage import Store

AT_ONCE: Final = 50
"""Submissions that share a commit."""


@frozen
class Arrived:
    """How many items were taken in, how many of them the hub did not know, how many stated something new."""

    items: int = 0
    unknown: int = 0
    new: int = 0


async def take_in(
    store: Store, intake: SubmissionBatcher, clock: Clock, access: Access, topic: str, bodies: Sequence[dict[str, Any]],
    *, read_id: str | None = None, order_ids: Sequence[str] = (),
) -> Arrived:  # fmt: skip
    """Submit bodies of a topic, and return once they are durable.

    `order_ids` are the orders that they are about, if they are, so that unknown ones can be counted; `read_id` marks
    the events. Raise `StoreUnavailable`.
    """
    unknown = await _unknown(store, access.account_id, order_ids)
    new = 0
    for begin in range(0, len(bodies), AT_ONCE):
        raw = [orjson.dumps(each) for each in bodies[begin : begin + AT_ONCE]]
        submissions = [
            submission(access.account_id, access.connection_id, topic, each, clock(), read_id) for each in raw
        ]
        for outcome in await asyncio.gather(*(intake.submit(each) for each in submissions)):
            if not isinstance(outcome, Accepted):
                raise TypeError(f"what the hub asked for was not accepted: {outcome}")
            new += not orjson.loads(outcome.body).get("duplicate", False)
    return Arrived(len(bodies), unknown, new)


def submission(
    account_id: str, connection_id: str, topic: str, raw: bytes, now: int, read_id: str | None
) -> Submission:
    """Return a body as a delivery of the connection, received at `now` (ms UTC)."""
    return Submission(
        guards=RequestGuards(account_id),
        type="webhook",
        kind=None,
        claim_scope="webhook",
        claim_key=f"{connection_id}:listed:{sha256(raw).hexdigest()}",
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=None,
        external_event_id=read_id,
        body=storable_body(raw),
        received_at=now,
        connection_id=connection_id,
        topic=topic,
        headers="{}",
    )


async def _unknown(store: Store, account_id: str, order_ids: Sequence[str]) -> int:
    if not order_ids:
        return 0
    async with store.read() as tx:
        rows = await tx.all("load_conversions", orders=[(account_id, each) for each in order_ids])
    known = {row["external_order_id"] for row in rows}
    return sum(each not in known for each in set(order_ids))
