"""Subscriptions to webhooks and postbacks."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from hub.acts import subscription_runs
from hub.acts.act import Act, ListOfEntries, delete, get, patch, post
from hub.acts.authority import AFFILIATES, OPERATORS, OWNERS, PROVED_AFFILIATES, PROVED_OPERATORS, PROVED_OWNERS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OF_AFFILIATE, OVERLAP, PAGED, choice, flag, needed, text, texts, texts_as_fields
from hub.acts.subscription_runs import Replayed, Retried
from hub.domain.messages.notifications import EVENT_TYPES
from hub.domain.words import MODES, PARTY_KINDS
from hub.operations.webhooks.sample_messages import SampleQueued
from hub.operations.webhooks.subscriptions import NewSubscription, subscriptions_part
from hub.records.messages import EventTypeRecord
from hub.records.subscriptions import CREATED_SUBSCRIPTION, DeliveryDocument, SubscriptionDocument
from hub.validation.inputs import SubscriptionTexts

MERCHANT: Final = text("The merchant's id.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84")
URL: Final = text("Where to send; with placeholders it is a postback.", "https://shop.example/hook", 2_048)
SUBSCRIPTION_MODE: Final = choice("Of these accounts' orders; live, unless you say test.", *MODES)
EVENTS: Final = texts("Events or patterns.", "commission.*", "conversion.review")
VERSION: Final = text("In which version messages are sent; the newest, if none is named.", "1", 8)
OTHER_VERSION: Final = text("In which version messages are sent from now on.", "1", 8)
PAUSED: Final = flag("Whether messages are kept at first, until it is resumed.")
MESSAGE: Final = text("This message alone.", "msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90")
EVENT_TYPE: Final = choice("Of what kind; the first of its own without it.", *EVENT_TYPES)
SUBSCRIPTION: Final = "/subscriptions/{subscription}"
TEXTS: Final = texts_as_fields(SubscriptionTexts)
WANTED: Final = {"url": needed(URL), "events": needed(EVENTS), **TEXTS}
AT_FIRST: Final = {"paused": PAUSED, "payloadVersion": VERSION}
OWN_GRANTS: Final = {OPERATORS: AFFILIATES, PROVED_OPERATORS: PROVED_AFFILIATES}
"""Who does to a subscription of an affiliate's what these do to any."""


async def _subscriptions(c: Call) -> Any:
    return answer(await subscriptions_part(c.store, wanted_of(c, *PARTY_KINDS)))


async def _subscribe(c: Call) -> Any:
    return await subscription_runs.subscribe(c, NewSubscription(**c.body))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/event-types", "listEventTypes"), "List the kinds of messages that subscribers get",
        subscription_runs.event_types,
        ListOfEntries(EventTypeRecord), commands=("subscription types",)),
    Act(get("/subscriptions", "listSubscriptions"), "List subscriptions to webhooks and postbacks", _subscriptions,
        ListOfEntries(SubscriptionDocument), query={"merchant": MERCHANT,
        "affiliate": OF_AFFILIATE, **PAGED}),
    Act(post("/subscriptions", "createSubscription", 201), "Subscribe; the secret is only in this answer", _subscribe,
        CREATED_SUBSCRIPTION,
        body={**WANTED, "merchantId": MERCHANT, "mode": MODE,
              "affiliateId": text("Of this affiliate, over all merchants.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80"),
              **AT_FIRST},
        trail=("subscription.created",),
        by=(PROVED_OPERATORS, PROVED_OWNERS), commands=("subscription create",),
        pages=("/operator/webhooks", "/merchant/webhooks")),
    Act(patch(SUBSCRIPTION, "updateSubscription"), "Change where messages go, which, or in which version",
        subscription_runs.change, SubscriptionDocument,
        body={"url": URL, "events": EVENTS, **TEXTS, "payloadVersion": OTHER_VERSION}, trail=("subscription.updated",),
        by=(PROVED_OPERATORS, PROVED_OWNERS), commands=("subscription update",),
        pages=("/operator/webhooks/{subscription}/change", "/merchant/webhooks/{webhook}/change")),
    Act(post(f"{SUBSCRIPTION}/test", "testSubscription", 202), "Send a test message of a kind",
        subscription_runs.sample, SampleQueued,
        body={"type": EVENT_TYPE}, trail=("subscription.tested",),
        by=(OPERATORS, OWNERS), commands=("subscription test",),
        pages=("/operator/webhooks/{subscription}/test", "/merchant/webhooks/{webhook}/test")),
    Act(post(f"{SUBSCRIPTION}/retry", "retryDeliveries"), "Retry now what waits",
        subscription_runs.retry, Retried,
        body={"messageId": MESSAGE}, trail=("subscription.retried",),
        by=(OPERATORS, OWNERS), commands=("subscription retry",),
        pages=("/operator/webhooks/{subscription}/retry", "/merchant/webhooks/{webhook}/retry")),
    Act(post(f"{SUBSCRIPTION}/pause", "pauseSubscription"), "Pause a subscription; messages are kept",
        subscription_runs.switch("PAUSED"), SubscriptionDocument, trail=("subscription.paused",),
        by=(OPERATORS, OWNERS), commands=("subscription pause",),
        pages=("/operator/webhooks/{subscription}/pause", "/merchant/webhooks/{webhook}/pause")),
    Act(post(f"{SUBSCRIPTION}/resume", "resumeSubscription"), "Resume a subscription, beginning with what was kept",
        subscription_runs.switch("ACTIVE"), SubscriptionDocument, trail=("subscription.resumed",),
        by=(OPERATORS, OWNERS), commands=("subscription resume",),
        pages=("/operator/webhooks/{subscription}/resume", "/merchant/webhooks/{webhook}/resume")),
    Act(post(f"{SUBSCRIPTION}/rotate", "rotateSubscriptionSecret"), "Make a new secret",
        subscription_runs.rotate, CREATED_SUBSCRIPTION,
        body={"overlap": OVERLAP}, trail=("subscription.rotated",),
        by=(PROVED_OPERATORS, PROVED_OWNERS), commands=("subscription rotate",),
        pages=("/operator/webhooks/{subscription}/rotate", "/merchant/webhooks/{webhook}/rotate")),
    Act(delete(SUBSCRIPTION, "deleteSubscription"), "Delete a subscription and what waits for it",
        subscription_runs.remove,
        SubscriptionDocument, trail=("subscription.deleted",),
        by=(OPERATORS, OWNERS), commands=("subscription delete",),
        pages=("/operator/webhooks/{subscription}/delete", "/merchant/webhooks/{webhook}/delete")),
    Act(get(f"{SUBSCRIPTION}/deliveries", "listDeliveries"), "List messages with the receiver's answers",
        subscription_runs.deliveries,
        ListOfEntries(DeliveryDocument), query=PAGED),
    Act(post(f"{SUBSCRIPTION}/replay", "replayDeliveries"), "Send messages again",
        subscription_runs.replay, Replayed,
        body={"messageId": MESSAGE,
              "since": text("Everything since this long ago, like 2d.", "2d")},
        trail=("subscription.replayed",),
        by=(OPERATORS, OWNERS), commands=("subscription replay",),
        pages=("/operator/webhooks/{subscription}/replay", "/merchant/webhooks/{webhook}/replay")),
)  # fmt: skip


def acts_on_own() -> tuple[Act, ...]:
    """Return the acts on one subscription as affiliates do them: to their own, on their own pages."""
    return tuple(
        evolve(
            act,
            by=(OWN_GRANTS[act.by[0]],),
            commands=(),
            pages=tuple(page.replace("/operator/", "/affiliate/") for page in act.pages[:1]),
        )
        for act in ACTS
        if act.path.startswith(SUBSCRIPTION)
    )
