"""The kinds of messages that subscribers get: when each is sent, what it says, and an example.

Whoever makes a message writes these members (`hub/processing/notifications.py` and others); a test compares what is
sent with them. They are the catalogue of `GET /v1/event-types`, of the OpenAPI documents and of the clients' types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from attrs import field, frozen

from hub.domain.instants import format_instant, parse_instant
from hub.domain.words import CommissionState, Mode
from hub.records.explanations import AFFILIATE, CAMPAIGN, CLICK
from hub.records.orders import COMMISSION, CONVERSION, MERCHANT, NOON
from hub.records.record import ABSENT, Note
from hub.records.wire import example_of
from hub.validation.constraints import Instant
from hub.validation.inputs import leading

MessageType = Annotated[str, "MessageType"]


@frozen(kw_only=True, slots=False)
class EventTypeRecord:
    """A kind of message that subscribers get."""

    type: Annotated[MessageType, Note("The type, as subscriptions name it.", "payout.released")]
    about: Annotated[str, Note("When it is sent.", "A payment to an affiliate was released.")]
    for_affiliates: Annotated[bool, Note("Whether affiliates are told, too.", example=True)]
    version: Annotated[str, Note("The version of what it says, as in the header `webhook-payload-version`.", "1")]
    schema: Annotated[dict[str, Any], Note("A JSON Schema (2020-12) of the whole message, which refers to nothing.")]
    example: Annotated[dict[str, Any], "WebhookMessage", Note("A whole message.")]


@frozen(kw_only=True, slots=False)
class MessageData:
    """What every message says."""

    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    mode: Annotated[Mode, Note("The mode of the account.", "live")]
    sub_ids: Annotated[dict[str, str] | None, Note("The affiliate's notes on the click, if there are any.")] = field(
        default=None, metadata=ABSENT
    )
    sample: Annotated[bool | None, Note("True in a message that was asked for as a test: nothing has happened.")] = (
        field(default=None, metadata=ABSENT)
    )


@frozen(kw_only=True, slots=False)
class OrderNews(MessageData):
    """Which order a message is about."""

    conversion_id: Annotated[str, Note("The order.", CONVERSION)]
    external_order_id: Annotated[str | None, Note("The shop's number of the order.", "ORDER-1042")] = field(
        default=None, metadata=ABSENT
    )
    campaign_id: Annotated[str | None, Note("The campaign that it counts to; null without one.", CAMPAIGN)]
    click_id: Annotated[str | None, Note("The click that it came by; null without one.", CLICK)]
    ordered_at: Annotated[int, Instant("When it was placed.", NOON)]
    currency: Annotated[str, "Currency", Note("The order's currency.", "USD")]


@frozen(kw_only=True, slots=False, field_transformer=leading("commission_id", "state", "previous_state"))
class CommissionNews(OrderNews):
    """A commission after it changed."""

    commission_id: Annotated[str, Note("The commission.", COMMISSION)]
    state: Annotated[CommissionState, Note("Its state.", "PAYABLE")]
    previous_state: Annotated[
        CommissionState | None, Note("Its state before; null for one that was just created.", "HOLD")
    ]
    amount: Annotated[str, "MoneySum", Note("What the affiliate earns.", "3.99")]
    previous_amount: Annotated[str | None, "MoneySum", Note("What it was before; null if it is new.", "3.99")]
    hold_until: Annotated[int | None, Instant("When its hold ends or ended; null if it has none.", NOON)]
    paid_at: Annotated[int | None, Instant("When it was paid; null until then.", "")]
    affiliate_id: Annotated[str, Note("Who earns it.", AFFILIATE)]


@frozen(kw_only=True, slots=False, field_transformer=leading("conversion_id"))
class ReviewNews(OrderNews):
    """An order that a person has to look at."""

    order_amount: Annotated[str, "Money", Note("What the order came to.", "49.90")]
    reason: Annotated[str, Note("Why, a word.", "no_click")]
    candidate_id: Annotated[str | None, Note("The affiliate who may have earned it; null without one.", AFFILIATE)]


@frozen(kw_only=True, slots=False)
class ConnectionNews(MessageData):
    """Which connected store a message is about."""

    connection_id: Annotated[str, Note("The connection.", "con_01936f3e8c7a7b3e9d5a4c2b1f0e8d91")]
    connector: Annotated[str, Note("The platform.", "woocommerce")]
    title: Annotated[str | None, Note("What you call it; null without a name.", "Shop")]


@frozen(kw_only=True, slots=False, field_transformer=leading("connection_id"))
class SilentConnection(ConnectionNews):
    """A connected store that has sent nothing for a day."""

    last_delivery_at: Annotated[int, Instant("When it last sent anything.", NOON)]


@frozen(kw_only=True, slots=False, field_transformer=leading("connection_id"))
class RefusedConnection(ConnectionNews):
    """A platform that refuses the hub's credentials."""

    at: Annotated[int, Instant("When it refused.", NOON)]
    reason: Annotated[str, Note("What it answered, a sentence.", "The platform answered 401.")]


@frozen(kw_only=True, slots=False, field_transformer=leading("connection_id"))
class RecoveredConnection(ConnectionNews):
    """Orders that a reading found and that had never arrived."""

    at: Annotated[int, Instant("When the reading ended.", NOON)]
    read: Annotated[int, Note("How many orders were read.", 120)]
    unknown_orders: Annotated[int, Note("How many of them had never arrived.", 2)]


@frozen(kw_only=True, slots=False, field_transformer=leading("payout_id"))
class PayoutNews(MessageData):
    """An account's share of a payment to an affiliate."""

    payout_id: Annotated[str, Note("The run.", "pay_01936f3e8c7a7b3e9d5a4c2b1f0e8d86")]
    affiliate_id: Annotated[str, Note("Who is paid.", AFFILIATE)]
    amount: Annotated[str, "MoneySum", Note("The share; less than nothing if corrections exceed it.", "25.00")]
    currency: Annotated[str, "Currency", Note("Its currency.", "USD")]


@frozen(kw_only=True, slots=False, field_transformer=leading("currency"))
class DepositNews(MessageData):
    """A deposit that does not cover the next commission."""

    currency: Annotated[str, "Currency", Note("The deposit's currency.", "USD")]
    balance: Annotated[str, "MoneySum", Note("What is left of it.", "12.50")]
    waiting: Annotated[str, "MoneySum", Note("What the commissions come to that wait for it.", "31.00")]
    commissions: Annotated[int, Note("How many wait.", 4)]


@frozen(eq=False)
class MessageKind:
    """A kind of message: when it is sent, what its `data` holds, who gets it, and where its example differs."""

    about: str
    data: type
    for_affiliates: bool = False
    example: Mapping[str, Any] = {}


def _commission(about: str, state: str, before: str | None, **example: Any) -> MessageKind:
    return MessageKind(about, CommissionNews, True, {"state": state, "previousState": before, **example})


MESSAGE_KINDS: Final[Mapping[str, MessageKind]] = {
    "commission.created": _commission(
        "an order was attributed, and earns", "PENDING", None, previousAmount=None, holdUntil=None
    ),
    "commission.held": _commission("its hold began, or began again", "HOLD", "PENDING"),
    "commission.payable": _commission("its hold ended", "PAYABLE", "HOLD"),
    "commission.rejected": _commission(
        "the order was cancelled, returned or refunded, or the commission was rejected", "REJECTED", "HOLD"
    ),
    "commission.adjusted": _commission(
        "its amount changed, or money was corrected after the payout", "HOLD", "HOLD", amount="2.99"
    ),
    "commission.paid": _commission("it was paid", "PAID", "PAYABLE", paidAt=format_instant(parse_instant(NOON))),
    "conversion.review": MessageKind(
        "an order waits for a person, or raises a question again (merchants only); `reason` says why", ReviewNews
    ),
    "connection.silent": MessageKind(
        "a connected store that delivered before has sent nothing for a day; once for each silence (merchants only)",
        SilentConnection,
    ),
    "connection.refused": MessageKind(
        "a platform refuses the credentials with which the hub asks it; `reason` says why (merchants only)",
        RefusedConnection,
    ),
    "connection.recovered": MessageKind(
        "a nightly reading found orders that had never arrived: `read`, `unknownOrders` (merchants only)",
        RecoveredConnection,
    ),
    "payout.released": MessageKind(
        "a payment to an affiliate was released: `payoutId`, `affiliateId`, `amount`, `currency`; one message for each "
        "merchant account, with its share",
        PayoutNews,
        True,
    ),
    "deposit.short": MessageKind(
        "a merchant's deposit does not cover the next commission whose hold is over, once for each shortage: "
        "`currency`, `balance`, `waiting`, `commissions`",
        DepositNews,
    ),
}
"""Every kind of message, by the type that it has on the wire (`EVENT_TYPES`)."""


def example_data(event_type: str) -> dict[str, Any]:
    """Return an example of the `data` of a message of a type."""
    kind = MESSAGE_KINDS[event_type]
    numbered = {"externalOrderId": "ORDER-1042"} if issubclass(kind.data, OrderNews) else {}
    return example_of(kind.data, **{**numbered, **kind.example})


def example_message(event_type: str) -> dict[str, Any]:
    """Return an example of a message of a type, as its receiver gets it."""
    return {"type": event_type, "timestamp": format_instant(parse_instant(NOON)), "data": example_data(event_type)}
