"""Whether a connection's platform is asked for each order once more before its hold ends."""

from __future__ import annotations

from typing import TypedDict

from hub.clock import Clock
from hub.domain.words import LAST_LOOKS
from hub.operations.connections.connections import connection_row
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.storage import Store


class LastLook(TypedDict):
    """The setting of a connection: ask, or off."""

    id: str
    lastLook: str


async def set_last_look(store: Store, clock: Clock, connection_id: str, look: str) -> LastLook:
    """Set whether holds end only after the platform has shown the order; raise `OperatorFault` if it is not asked."""
    if look not in LAST_LOOKS:
        raise OperatorFault(f"The last look is {' or '.join(LAST_LOOKS)}, not {look}.")
    async with store.write() as tx:
        row, now = await connection_row(tx, connection_id), clock()
        where = {"account_id": row["account_id"], "connection_id": connection_id}
        if not await tx.run("write_last_look", **where, last_look=look):
            raise OperatorFault("It has no credentials, so its platform cannot be asked.")
        await note_act(tx, now, "connection.last-look-set", connection_id, after={"lastLook": look})
    return {"id": connection_id, "lastLook": look}
