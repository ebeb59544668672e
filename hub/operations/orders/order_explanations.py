"""Everything that an account knows of one order: its facts, click and commission, and each raw message behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from hub.operations.orders.conversions import ConversionDetails, assemble, require_conversion
from hub.operations.orders.order_progress import volumes_of
from hub.records.orders import VolumeOfOrder
from hub.storage import Row, Store, Tx

SENTINEL: Final = "\uffff"


@frozen
class OrderMessage:
    """A message about an order, as it was received; `body` is None once it was deleted.

    `reason` and `metadata` are what was submitted beside the facts; times are in ms UTC.
    """

    event_id: str
    type: str
    kind: str | None
    topic: str | None
    connection_id: str | None
    status: str
    received_at: int
    processed_at: int | None
    attempts: int
    external_event_id: str | None
    explanation: Mapping[str, Any] | None
    body: str | None

    @property
    def reason(self) -> str | None:
        """The reason that a status was reported with."""
        found: str | None = self._submitted("reason")
        return found

    @property
    def metadata(self) -> Mapping[str, Any] | None:
        """What the shop wanted kept beside the message."""
        found: Mapping[str, Any] | None = self._submitted("metadata")
        return found

    @property
    def skip_reason(self) -> str | None:
        """Why nothing followed from the message."""
        return None if self.explanation is None else self.explanation.get("skipReason")

    def _submitted(self, name: str) -> Any:
        if self.body is None or self.type == "webhook":
            return None
        try:
            return json.loads(self.body).get(name)
        except (ValueError, AttributeError):
            return None


@frozen
class ClickOfOrder:
    """The click that an order names, if the account has it; `cookie_duration_days` is its campaign's window."""

    click_id: str
    code: str
    affiliate_id: str
    affiliate_name: str | None
    campaign_id: str | None
    campaign_title: str | None
    clicked_at: int
    cookie_duration_days: int | None


@frozen
class Correction:
    """What an affiliate's balance changed by for an order after the payment, in minor units of its currency.

    `fact_key` names the news behind it, None if a person corrected it; `payout_id` is the run that took it along.
    """

    fact_key: str | None
    amount_minor: int
    payout_id: str | None
    created_at: int


@frozen
class ExplainedOrder:
    """An order with everything behind it; `attribution` is what was decided when it was recorded, None if unknown.

    `corrections` are those of whoever earns the commission.
    """

    details: ConversionDetails
    attribution: Mapping[str, Any] | None
    click: ClickOfOrder | None
    campaign_title: str | None
    candidate_name: str | None
    messages: Sequence[OrderMessage]
    corrections: Sequence[Correction] = ()
    volume: VolumeOfOrder | None = None
    """What it counts for the rates by volume of its campaign, None if it has none."""

    @property
    def reasons(self) -> dict[str, str]:
        """What was given as the reason of each status, by event id."""
        return {message.event_id: message.reason for message in self.messages if message.reason}

    @property
    def window_ends_at(self) -> int | None:
        """When the window closed that the click had opened (ms UTC), None without a click or a known window."""
        seconds = None if self.attribution is None else self.attribution.get("windowSeconds")
        return None if self.click is None or not seconds else self.click.clicked_at + int(seconds) * 1000


async def explain_order(store: Store, account_id: str, conversion_id: str) -> ExplainedOrder | None:
    """Return one order of an account with everything behind it, None if the account has no such order."""
    async with store.read() as tx:
        row = await tx.one(
            "conversion_of_account", account_id=account_id, conversion_id=conversion_id, external_order_id=None
        )
        return None if row is None else await _explained(tx, (await assemble(tx, [row]))[0])


async def order_anywhere(store: Store, conversion_id: str) -> ExplainedOrder:
    """Return an order of whichever account, for an operator; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await _explained(tx, await require_conversion(tx, conversion_id))


async def _explained(tx: Tx, details: ConversionDetails) -> ExplainedOrder:
    conversion = details.conversion
    account_id = conversion.account_id
    messages = await _messages(tx, details)
    click = await _click(tx, account_id, conversion.click_id)
    campaign = await _campaign_title(tx, account_id, conversion.campaign_id)
    candidate = await _affiliate_name(tx, conversion.candidate_id)
    created = next((each for each in messages if each.event_id == conversion.event_id), None)
    explanation = None if created is None else created.explanation
    return ExplainedOrder(
        details=details,
        attribution=None if explanation is None else explanation.get("attribution"),
        click=click,
        campaign_title=campaign,
        candidate_name=candidate,
        messages=messages,
        corrections=await _corrections(tx, details),
        volume=(await volumes_of(tx, [conversion])).get(conversion.conversion_id),
    )


async def _corrections(tx: Tx, details: ConversionDetails) -> list[Correction]:
    conversion, commission = details.conversion, details.commission
    if commission is None or commission.paid_at is None:
        return []
    order_id = conversion.external_order_id
    rows = await tx.all("corrections_of_order", account_id=conversion.account_id, external_order_id=order_id)
    return [
        Correction(row["fact_key"], row["amount_minor"], row["payout_id"], row["created_at"])
        for row in rows
        if row["affiliate_id"] == commission.affiliate_id
    ]


async def _messages(tx: Tx, details: ConversionDetails) -> list[OrderMessage]:
    conversion = details.conversion
    account_id, order_id = conversion.account_id, conversion.external_order_id
    claim = f"{len(order_id)}:{order_id}:"
    claimed = await tx.all("status_events_of_order", account_id=account_id, first=claim, last=claim + SENTINEL)
    parked = await tx.all("parked_news_of", orders=[(account_id, order_id)])
    events = {conversion.event_id, *(fact.sequence for fact in details.facts)}
    events |= {row["event_id"] for row in [*claimed, *parked]}
    rows = await tx.all("messages_of_order", events=[(account_id, event_id) for event_id in sorted(events)])
    return [message_of(row) for row in rows]


def message_of(row: Row) -> OrderMessage:
    """Return the message of a row of `messages_of_order`."""
    return OrderMessage(
        event_id=row["event_id"],
        type=row["type"],
        kind=row["kind"],
        topic=row["topic"],
        connection_id=row["connection_id"],
        status=row["status"],
        received_at=row["received_at"],
        processed_at=row["processed_at"],
        attempts=row["attempts"],
        external_event_id=row["external_event_id"],
        explanation=None if row["explanation"] is None else json.loads(row["explanation"]),
        body=row["body"],
    )


async def _click(tx: Tx, account_id: str, click_id: str | None) -> ClickOfOrder | None:
    if click_id is None:
        return None
    row = await tx.one("click_shown_to_merchant", account_id=account_id, click_id=click_id)
    if row is None:
        return None
    return ClickOfOrder(
        row["click_id"],
        row["code"],
        row["affiliate_id"],
        row["affiliate_name"],
        row["campaign_id"],
        row["campaign_title"],
        row["clicked_at"],
        row["cookie_duration_days"],
    )


async def _campaign_title(tx: Tx, account_id: str, campaign_id: str | None) -> str | None:
    if campaign_id is None:
        return None
    row = await tx.one("title_of_campaign", account_id=account_id, campaign_id=campaign_id)
    return None if row is None else str(row["title"])


async def _affiliate_name(tx: Tx, affiliate_id: str | None) -> str | None:
    if affiliate_id is None:
        return None
    row = await tx.one("name_of_affiliate", affiliate_id=affiliate_id)
    return None if row is None else str(row["name"])


async def message_of_account(
    store: Store, account_id: str, event_id: str
) -> tuple[OrderMessage, str | None, Mapping[str, str]] | None:
    """Return a message, the conversion that it belongs to, and its headers; None if the account has no such message."""
    async with store.read() as tx:
        rows = await tx.all("messages_of_order", events=[(account_id, event_id)])
        if not rows:
            return None
        headers = await tx.one("message_headers", account_id=account_id, event_id=event_id)
    stored = None if headers is None else headers["headers"]
    return message_of(rows[0]), rows[0]["conversion_id"], {} if stored is None else json.loads(stored)
