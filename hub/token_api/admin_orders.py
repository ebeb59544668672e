"""Orders, commissions and submissions: the operators' acts on what was reported."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, TypedDict

from hub.operations.money.payouts import ListedCommission, PayoutDocument, list_commissions, pay_commission
from hub.operations.orders.conversions import (
    OPEN_REVIEW,
    ConversionDocument,
    ShownConversion,
    conversions_of_order,
    list_conversions,
    show_conversion,
)
from hub.operations.orders.event_lists import EventFilter, list_events
from hub.operations.orders.events import EventDocument, ShownEvent, replay_event, show_event
from hub.operations.orders.order_messages import MessageDocument, Notices, read_thread, write_message
from hub.operations.orders.order_reviews import OrderReviewDocument, close_order_reviews, list_order_reviews
from hub.operations.orders.request_log import RequestDocument, read_log
from hub.operations.orders.reviews import attribute_conversion, dismiss_conversion
from hub.operations.pages import Filters, Part
from hub.token_api.act import (
    MODE,
    PAGED,
    USUAL_ENTRIES,
    Act,
    Fields,
    ListOfEntries,
    TokenCall,
    choice,
    flag,
    needed,
    newest,
    sliced,
    text,
)

MERCHANT: Final = text("Of this merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84")
AFFILIATE: Final = text("Of this affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
STATES: Final = ("PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED")
STATUSES: Final = ("FAILED", "RECEIVED", "QUEUED", "PROCESSED", "SKIPPED", "PARKED", "UNMATCHED")
FILTERS: Final[Fields] = {"merchant": MERCHANT, "affiliate": AFFILIATE, "mode": MODE}
ORDER: Final = "/conversions/{conversion}"


class ClosedQuestions(TypedDict):
    """How many questions about an order were closed."""

    closed: int


def _filters(c: TokenCall) -> Filters:
    return Filters(c.query.get("merchant"), c.query.get("affiliate"), c.query.get("mode"))


def _part(c: TokenCall) -> Part:
    return Part(c.query.get("limit", USUAL_ENTRIES) + 1, c.query.get("cursor"))


async def _all(entries: AsyncIterator[Any]) -> list[Any]:
    return [entry async for entry in entries]


async def _conversions(c: TokenCall) -> Any:
    order, review = c.query.get("external_order_id"), OPEN_REVIEW if c.query.get("review") else None
    if order is not None:
        found = await conversions_of_order(c.store, c.clock, order, filters=_filters(c))
        return sliced(c, [each for each in found if review is None or each["review"] == review])
    found = await _all(list_conversions(c.store, c.clock, review=review, filters=_filters(c), part=_part(c)))
    return await newest(c, lambda _limit, _before: _given(found))


async def _given(entries: Any) -> Any:
    return entries


async def _commissions(c: TokenCall) -> Any:
    found = await list_commissions(c.store, state=c.query.get("state"), filters=_filters(c), part=_part(c))
    return await newest(c, lambda _limit, _before: _given(found))


async def _events(c: TokenCall) -> Any:
    wanted = EventFilter(c.query.get("status", "FAILED"), _filters(c), c.query.get("since", 0), c.query.get("reason"))
    return sliced(c, await list_events(c.store, wanted, Part(5_000)), "eventId")


async def _requests(c: TokenCall) -> Any:
    async def read(limit: int, before: str | None) -> list[RequestDocument]:
        refused = bool(c.query.get("refused"))
        return await read_log(c.store, c.path["merchant"], errors_only=refused, limit=limit, before=before)

    return await newest(c, read)


async def _attribute(c: TokenCall) -> Any:
    policy, b = c.services.shared.policy, c.body
    return await attribute_conversion(
        c.store, c.clock, policy, c.path["conversion"], affiliate=b["affiliate_id"], campaign=b.get("campaign_id")
    )


async def _messages(c: TokenCall) -> Any:
    found = await read_thread(c.store, c.clock, c.path["conversion"], "operator")
    return {"data": found, "nextCursor": None}


async def _write(c: TokenCall) -> Any:
    notices = Notices(c.services.outbox, await c.root())
    found = await write_message(c.store, c.clock, c.path["conversion"], "operator", c.body["text"], notices=notices)
    return {"data": found, "nextCursor": None}


async def _questions(c: TokenCall) -> Any:
    closed = bool(c.query.get("closed"))
    return {"data": await list_order_reviews(c.store, merchant=c.query.get("merchant"), closed=closed),
            "nextCursor": None}  # fmt: skip


async def _close_questions(c: TokenCall) -> ClosedQuestions:
    return {"closed": await close_order_reviews(c.store, c.clock, c.path["conversion"], c.body["note"])}


ORDERS: Final[tuple[Act, ...]] = (
    Act("GET", "/conversions", "listConversions", "List orders with their commissions and facts", _conversions,
        ListOfEntries(ShownConversion),
        query={**FILTERS, "externalOrderId": text("Of this order.", "ORDER-1042", 160),
               "review": flag("Only those that wait for a review."), **PAGED}),
    Act("GET", ORDER, "getConversion", "Show an order with its commission and facts",
        lambda c: show_conversion(c.store, c.clock, c.path["conversion"]), ShownConversion),
    Act("POST", f"{ORDER}/attribute", "attributeConversion", "Attribute an order under review", _attribute,
        ConversionDocument,
        body={"affiliateId": needed(AFFILIATE),
              "campaignId": text("The campaign that it counts to.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f")},
        doing=("conversion.attributed",)),
    Act("POST", f"{ORDER}/dismiss", "dismissConversion", "Close a review without a commission",
        lambda c: dismiss_conversion(c.store, c.clock, c.path["conversion"]), ConversionDocument,
        doing=("conversion.dismissed",)),
    Act("GET", f"{ORDER}/messages", "listMessages", "Read what was written about an order", _messages,
        ListOfEntries(MessageDocument)),
    Act("POST", f"{ORDER}/messages", "writeMessage", "Answer a question about an order", _write,
        ListOfEntries(MessageDocument), body={"text": needed(text("What is written.", "It was paid twice.", 4_000))},
        doing=("conversion.message-written",), success=201),
    Act("GET", "/questions", "listQuestions", "List what differs between reports of the same order", _questions,
        ListOfEntries(OrderReviewDocument), query={"merchant": MERCHANT, "closed": flag("Those that were closed.")}),
    Act("POST", f"{ORDER}/questions/close", "closeQuestions", "Close the questions about an order", _close_questions,
        ClosedQuestions, body={"note": needed(text("What was found.", "The shop edited it.", 1_000))},
        doing=("conversion.questions_closed",)),
    Act("GET", "/commissions", "listCommissions", "List commissions, newest first", _commissions,
        ListOfEntries(ListedCommission), query={**FILTERS, "state": choice("In this state.", *STATES), **PAGED}),
    Act("POST", "/commissions/{commission}/pay", "payCommission", "Note that a commission was paid",
        lambda c: pay_commission(c.store, c.clock, c.path["commission"], c.body["reference"]), PayoutDocument,
        body={"reference": needed(text("The reference of the payment.", "SEPA-2026-11"))}, doing=("commission.paid",)),
    Act("GET", "/events", "listEvents", "List submissions in a status, newest first", _events,
        ListOfEntries(EventDocument),
        query={**FILTERS, "status": choice("In this status; FAILED if it is left out.", *STATUSES),
               "reason": text("What the explanation contains.", "unmappable"), **PAGED}),
    Act("GET", "/events/{event}", "getEvent", "Show what became of a submission, and why",
        lambda c: show_event(c.store, c.path["event"]), ShownEvent),
    Act("POST", "/events/{event}/replay", "replayEvent", "Read a submission once more",
        lambda c: replay_event(c.store, c.clock, c.path["event"]), EventDocument, doing=("event.replayed",)),
    Act("GET", "/merchants/{merchant}/request-log", "listRequests", "List the requests of a merchant", _requests,
        ListOfEntries(RequestDocument), query={"refused": flag("Only those that were refused."), **PAGED}),
)  # fmt: skip
