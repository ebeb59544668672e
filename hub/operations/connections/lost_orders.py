"""Orders that were lost between a shop and the hub: those that changed are read and go through intake like deliveries.

What arrived before states nothing new, so it changes nothing; what was lost is created or caught up. So it may be done
at any time, be stopped anywhere, and be done again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, TypedDict

import orjson

from hub.domain.requests import Listing
from hub.ids import new_id
from hub.intake.stored_body import storable_body
from hub.intake.submission import Accepted, RequestGuards, Submission
from hub.intake.submission_batcher import SubmissionBatcher
from hub.operations.connections.connections import ConnectionAdmin, connection_row
from hub.operations.connections.connectors import named_in
from hub.operations.errors import OperatorFault
from hub.operations.system.checks import checked_duration
from hub.operations.trail import note_act
from hub.outbound.platform_client import PlatformClient, PlatformFault
from hub.outbound.platform_session import PlatformSession
from hub.outbound.public_addresses import Network
from hub.storage import Row

DAY_MS: Final = 86_400_000
LONGEST_DAYS: Final = 90
OVERLAP_MS: Final = 3_600_000
"""An hour more than was asked for is read, for shops whose clock is behind."""


class RecoveredOrders(TypedDict):
    """How many orders of a shop were read, how many the hub did not know, and how many states of orders were new."""

    id: str
    read: int
    unknownOrders: int
    newStates: int


async def recover_orders(
    admin: ConnectionAdmin, connection_id: str, credentials: dict[str, str], since: str, allowed: Sequence[Network]
) -> RecoveredOrders:
    """Read the orders that changed within a duration such as "3d", at most 90 days, and take each in.

    Raise `OperatorFault` if the connection is unknown or closed, its platform cannot be asked, or the shop cannot be
    read; what was read until then is taken in.
    """
    back = checked_duration(since, "the time to look back")
    if not 0 < back <= LONGEST_DAYS * DAY_MS:
        raise OperatorFault(f"Look back by more than nothing and at most {LONGEST_DAYS} days.")
    async with admin.store.read() as tx:
        row = await connection_row(tx, connection_id)
    if row["status"] != "ACTIVE":
        raise OperatorFault(f"{connection_id} is closed; its orders are not taken in any more.")
    connector = named_in(await admin.plugins.catalog(), row["connector"])
    declared = connector.requests
    if declared is None or (listing := declared.orders) is None:
        raise OperatorFault(f"{connector.title} cannot be asked for its orders; its connector declares no listing.")
    counts: Counter[str] = Counter()
    intake = SubmissionBatcher(admin.store, admin.clock, idempotency_ttl_ms=DAY_MS)
    await intake.start()
    try:
        async with PlatformSession(declared, credentials, allowed) as session:
            client = PlatformClient(declared, session.ask, credentials)
            async for page in client.pages(listing, admin.clock() - back - OVERLAP_MS):
                counts += await _take_in(admin, intake, row, listing, page.items)
    except PlatformFault as fault:
        raise OperatorFault(f"{fault} {counts['read']} orders were taken in before.") from None
    finally:
        await intake.stop()
    done: RecoveredOrders = {
        "id": connection_id,
        "read": counts["read"],
        "unknownOrders": counts["unknown"],
        "newStates": counts["new"],
    }
    async with admin.store.write() as tx:
        await note_act(tx, admin.clock(), "connection.reconciled", connection_id, after=dict(done))
    return done


async def _take_in(
    admin: ConnectionAdmin, intake: SubmissionBatcher, row: Row, listing: Listing, orders: list[dict[str, Any]]
) -> Counter[str]:
    counts = Counter(read=len(orders))
    numbers = [(row["account_id"], str(order.get(listing.item_id))) for order in orders]
    async with admin.store.read() as tx:
        known = {each["external_order_id"] for each in await tx.all("load_conversions", orders=numbers)}
    counts["unknown"] = sum(number not in known for _, number in numbers)
    for order in orders:
        outcome = await intake.submit(_submission(admin, row, listing, orjson.dumps(order)))
        counts["new"] += isinstance(outcome, Accepted) and not orjson.loads(outcome.body).get("duplicate", False)
    return counts


def _submission(admin: ConnectionAdmin, row: Row, listing: Listing, raw: bytes) -> Submission:
    """Return an order as a delivery of the connection: the same bytes are the same delivery, as with webhooks."""
    return Submission(
        guards=RequestGuards(row["account_id"]),
        type="webhook",
        kind=None,
        claim_scope="webhook",
        claim_key=f"{row['connection_id']}:listed:{sha256(raw).hexdigest()}",
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=None,
        external_event_id=None,
        body=storable_body(raw),
        received_at=admin.clock(),
        connection_id=row["connection_id"],
        topic=listing.topic,
        headers="{}",
    )
