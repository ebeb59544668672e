"""Orders under review, and what is written about them."""

from __future__ import annotations

from typing import Any, Final, TypedDict

from attrs import evolve

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import AFFILIATES, OPERATORS, OWNERS
from hub.acts.call import Call, answer, wanted_of, whole
from hub.acts.fields import MODE, OF_AFFILIATE, OF_MERCHANT, PAGED, Fields, flag, needed, text
from hub.operations.orders.conversions import OPEN_REVIEW, conversions_of_order, conversions_part, show_conversion
from hub.operations.orders.order_messages import Notices, read_thread, write_message
from hub.operations.orders.order_reviews import close_order_reviews, questions_part
from hub.operations.orders.other_orders import SeparatedOrders, separate_orders
from hub.operations.orders.reviews import attribute_conversion, dismiss_conversion
from hub.records.order_messages import MessageDocument, OrderReviewDocument
from hub.records.orders import ConversionRecord, ReviewedConversion

FILTERS: Final[Fields] = {"merchant": OF_MERCHANT, "affiliate": OF_AFFILIATE, "mode": MODE}
ORDER: Final = "/conversions/{conversion}"


class ClosedQuestions(TypedDict):
    """How many questions about an order were closed."""

    id: str
    closed: int


async def _conversions(c: Call) -> Any:
    order, review = c.query.get("external_order_id"), OPEN_REVIEW if c.query.get("review") else None
    wanted = wanted_of(c, "merchant", "affiliate", "mode")
    if order is not None:
        found = await conversions_of_order(c.store, c.clock, order, filters=wanted.filters)
        return whole([each for each in found if review is None or each.review == review])
    asked = evolve(wanted, filters={**wanted.filters, "review": review})
    return answer(await conversions_part(c.store, c.clock, asked))


async def _attribute(c: Call) -> Any:
    policy, b = c.services.policy, c.body
    return await attribute_conversion(
        c.store, c.clock, policy, c.path["conversion"], affiliate=b["affiliate_id"], campaign=b.get("campaign_id")
    )


async def _messages(c: Call) -> Any:
    found = await read_thread(c.store, c.clock, c.path["conversion"], "operator")
    return whole(found)


async def _write(c: Call) -> Any:
    notices = Notices(c.services.outbox, await c.root())
    found = await write_message(c.store, c.clock, c.path["conversion"], "operator", c.body["text"], notices=notices)
    return whole(found)


USUAL_QUESTIONS: Final = 500
"""How many questions an answer has if no limit is given."""


async def _questions(c: Call) -> Any:
    wanted = evolve(wanted_of(c, "merchant"), limit=c.query.get("limit", USUAL_QUESTIONS))
    return answer(await questions_part(c.store, wanted, closed=bool(c.query.get("closed"))))


async def _close_questions(c: Call) -> ClosedQuestions:
    conversion_id = c.path["conversion"]
    closed = await close_order_reviews(c.store, c.clock, conversion_id, c.body["note"])
    return {"id": conversion_id, "closed": closed}


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/conversions", "listConversions"), "List orders with their commissions and facts", _conversions,
        ListOfEntries(ConversionRecord),
        query={**FILTERS, "externalOrderId": text("Of this order.", "ORDER-1042", 160),
               "review": flag("Only those that wait for a review."), **PAGED}),
    Act(get(ORDER, "getConversion"), "Show an order with its commission and facts",
        lambda c: show_conversion(c.store, c.clock, c.path["conversion"]), ConversionRecord),
    Act(post(f"{ORDER}/attribute", "attributeConversion"), "Attribute an order under review", _attribute,
        ReviewedConversion,
        body={"affiliateId": needed(OF_AFFILIATE),
              "campaignId": text("The campaign that it counts to.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f")},
        trail=("conversion.attributed",),
        by=(OPERATORS, OWNERS), commands=("conversion attribute",),
        pages=("/operator/orders/{order}/attribute", "/merchant/reviews", "/merchant/reviews/all")),
    Act(post(f"{ORDER}/dismiss", "dismissConversion"), "Close a review without a commission",
        lambda c: dismiss_conversion(c.store, c.clock, c.path["conversion"]), ReviewedConversion,
        trail=("conversion.dismissed",),
        by=(OPERATORS, OWNERS), commands=("conversion dismiss",),
        pages=("/operator/orders/{order}/dismiss", "/merchant/reviews", "/merchant/reviews/all")),
    Act(get(f"{ORDER}/messages", "listMessages"), "Read what was written about an order", _messages,
        ListOfEntries(MessageDocument)),
    Act(post(f"{ORDER}/messages", "writeMessage", 201), "Answer a question about an order", _write,
        ListOfEntries(MessageDocument), body={"text": needed(text("What is written.", "It was paid twice.", 4_000))},
        trail=("conversion.message-written",),
        by=(OPERATORS, OWNERS, AFFILIATES), tells=("the other side",), commands=("conversion answer",),
        pages=("/operator/orders/{order}/messages", "/merchant/questions/{order}",
               "/affiliate/commissions/{commission}/messages")),
    Act(get("/questions", "listQuestions"), "List what differs between reports of the same order", _questions,
        ListOfEntries(OrderReviewDocument), query={"merchant": OF_MERCHANT, "closed": flag("Those that were closed."),
                                                   **PAGED}),
    Act(post(f"{ORDER}/questions/close", "closeQuestions"), "Close the questions about an order", _close_questions,
        ClosedQuestions, body={"note": needed(text("What was found.", "The shop edited it.", 1_000))},
        trail=("conversion.questions_closed",),
        commands=("conversion close-questions",), pages=("/operator/questions/close",)),
    Act(post(f"{ORDER}/separate", "separateOrders"), "Count other orders of the same number as their own",
        lambda c: separate_orders(c.store, c.clock, c.path["conversion"]), SeparatedOrders,
        trail=("conversion.separated",), by=(OPERATORS, OWNERS), commands=("conversion separate",),
        pages=("/operator/orders/{order}/separate", "/merchant/orders/{order}/separate")),
)  # fmt: skip
