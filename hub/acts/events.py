"""Submissions, and the log of requests."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import OPERATORS, OWNERS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OF_AFFILIATE, OF_MERCHANT, PAGED, Fields, choice, flag, text
from hub.domain.words import EVENT_STATUSES
from hub.operations.orders.event_lists import events_part
from hub.operations.orders.events import replay_event, show_event
from hub.operations.orders.request_log import read_log
from hub.records.events import EventDocument, ShownEvent
from hub.records.requests import RequestDocument

STATUSES: Final = tuple(sorted(EVENT_STATUSES, key="FAILED".__ne__))
FILTERS: Final[Fields] = {"merchant": OF_MERCHANT, "affiliate": OF_AFFILIATE, "mode": MODE}


async def _events(c: Call) -> Any:
    wanted = wanted_of(c, "merchant", "mode", "reason")
    filters = {**wanted.filters, "status": c.query.get("status", "FAILED")}
    return answer(await events_part(c.store, evolve(wanted, filters=filters)))


async def _requests(c: Call) -> Any:
    return answer(await read_log(c.store, c.path["merchant"], wanted_of(c), refused=bool(c.query.get("refused"))))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/events", "listEvents"), "List submissions in a status, newest first", _events,
        ListOfEntries(EventDocument),
        query={**FILTERS, "status": choice("In this status; FAILED if omitted.", *STATUSES),
               "reason": text("What the explanation contains.", "unmappable"), **PAGED}),
    Act(get("/events/{event}", "getEvent"), "Show what became of a submission, and why",
        lambda c: show_event(c.store, c.path["event"]), ShownEvent),
    Act(post("/events/{event}/replay", "replayEvent"), "Process a submission again",
        lambda c: replay_event(c.store, c.clock, c.path["event"]), EventDocument, trail=("event.replayed",),
        by=(OPERATORS, OWNERS), commands=("event replay",),
        pages=("/operator/messages/{event}/replay", "/operator/messages/replay", "/merchant/messages",
               "/merchant/messages/replay", "/merchant/messages/{event}/replay",
               "/merchant/connections/{connection}/replay")),
    Act(get("/merchants/{merchant}/request-log", "listRequests"), "List the requests of a merchant", _requests,
        ListOfEntries(RequestDocument), query={"refused": flag("Only those that were refused."), **PAGED}),
)  # fmt: skip
