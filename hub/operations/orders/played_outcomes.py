"""What became of a play: the state of each message that it sent, and the order with its commission."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.orders.order_explanations import OrderMessage, message_of_account
from hub.operations.orders.played_orders import PlayedDocument
from hub.records.orders import ConversionRecord
from hub.storage import Store

DECIDED_SECONDS: Final = 3.0
POLL_SECONDS: Final = 0.05
UNDECIDED: Final = ("RECEIVED", "QUEUED")


@frozen
class Outcome:
    """The messages of a play by event id, and the order if there is one by now."""

    messages: dict[str, OrderMessage]
    order: ConversionRecord | None

    @property
    def is_undecided(self) -> bool:
        """Whether the worker has yet to take up one of the messages."""
        return any(each.status in UNDECIDED for each in self.messages.values())


async def outcome_of(store: Store, clock: Clock, merchant_id: str, account_id: str, played: PlayedDocument) -> Outcome:
    """Return what became of a play in a merchant's test account."""
    wanted = {"merchant": merchant_id, "mode": "test"}
    orders = await conversions_of_order(store, clock, played["externalOrderId"], filters=wanted)
    return Outcome(await _messages(store, account_id, played), orders[0] if orders else None)


async def wait_for_decisions(store: Store, account_id: str, played: PlayedDocument) -> None:
    """Return once the worker has decided all that was sent, or after about `DECIDED_SECONDS`."""
    for _ in range(round(DECIDED_SECONDS / POLL_SECONDS)):
        if all(each.status not in UNDECIDED for each in (await _messages(store, account_id, played)).values()):
            return
        await asyncio.sleep(POLL_SECONDS)


async def _messages(store: Store, account_id: str, played: PlayedDocument) -> dict[str, OrderMessage]:
    ids = {step["eventId"] for step in played["steps"] if step["eventId"] is not None}
    found = {each: await message_of_account(store, account_id, each) for each in ids}
    return {each: message[0] for each, message in found.items() if message is not None}
