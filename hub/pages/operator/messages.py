"""/operator/messages: what did not work over all merchants, and why; one or many are done again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.acts.events import ACTS
from hub.operations.errors import OperatorFault
from hub.operations.orders.event_lists import EVENTS, events_part
from hub.operations.orders.events import NOT_REPLAYABLE, show_event
from hub.pages.form_faults import NO_FAULTS
from hub.pages.markup import status_word
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.order_words import message_title, skip_words
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.replays import ReplayPage
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.events import EventDocument, ShownEvent

HERE: Final = "/operator/messages"
STATUSES: Final = ("FAILED", "UNMATCHED", "PARKED")
NAMES: Final = ("status", "merchant", "mode", "reason")
ONE: Final = f"{HERE}/{{event}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_messages(visit: Visit) -> web.StreamResponse:
    """Show the messages that failed, are parked or found no order, newest first."""
    asked = parts.asked_for(visit, *NAMES)
    found, faults = await parts.read_list(events_part(visit.services.store, wanted_of(visit, EVENTS, _filters(asked))))
    columns = ("Message", "Status", "Arrived", "Merchant", "Order", "Why")
    empty = "Nothing is stuck here." if found.older is None else nothing_of("message", found)
    rows = [_row(each) for each in found.entries]
    listing = parts.Listing("Messages", columns, rows, empty, *beside(HERE, found, asked))
    filters = (
        parts.Field(
            "status", "Status", "choice", _status(asked), options=[(each, status_word(each)) for each in STATUSES]
        ),
        *await parts.party_filters(visit, asked, "merchant"),
        parts.mode_filter(asked),
        parts.Field("reason", "Reason contains", value=asked["reason"]),
    )
    given = {name: value for name, value in asked.items() if value}
    many = f"{HERE}/replay?{urlencode({**given, 'status': _status(asked)})}" if found.entries else None
    page = parts.ListPage(
        "Messages",
        HERE,
        listing,
        "What shops sent and the hub could not use yet.",
        filters,
        more=(("Replay all that match", many),) if many else (),
    )
    return parts.show_list(visit, page, faults)


@PAGES.get(f"{HERE}/replay")
async def ask_to_replay(visit: Visit) -> web.StreamResponse:
    """Count what a replay of all that match would do, before it is done, or show how far it has come."""
    try:
        values = await _replay_of(parts.asked_for(visit, *NAMES)).values(visit.services, visit.query)
    except OperatorFault as fault:
        return _refused(visit, str(fault))
    return visit.page("replay.html", faults={}, **values)


@PAGES.post(f"{HERE}/replay")
async def replay_many(visit: Visit) -> web.StreamResponse:
    """Queue all that match again, or the next portion of them."""
    try:
        return await _replay_of(visit.form).go_on(visit.services, visit.form)
    except OperatorFault as fault:
        return _refused(visit, str(fault))


async def _found(visit: Visit) -> ShownEvent:
    return await show_event(visit.services.store, visit.path["event"])


def _replay_of(asked: Mapping[str, str]) -> ReplayPage:
    kept = {name: asked[name] for name in NAMES if asked.get(name)}
    return ReplayPage(f"{HERE}/replay", HERE, {**kept, "status": _status(asked)}, _filters(asked))


def _refused(visit: Visit, fault: str) -> web.Response:
    return visit.page("fault.html", 422, title="They were not replayed", text=fault)


def _status(asked: Mapping[str, str]) -> str:
    status = asked.get("status", "")
    return status if status in STATUSES else "FAILED"


def _filters(asked: Mapping[str, str]) -> dict[str, str | None]:
    return {"status": _status(asked), **{name: asked.get(name) or None for name in ("merchant", "mode", "reason")}}


def _row(each: EventDocument) -> tuple[parts.Cell, ...]:
    why = (each.explanation or {}).get("skipReason")
    return (
        parts.link(message_title(each), f"{HERE}/{each.event_id}"),
        parts.state(each.status),
        parts.at(each.received_at),
        parts.link(each.merchant_name, f"/operator/merchants/{each.merchant_id}", each.mode),
        parts.text(each.external_order_id),
        parts.text(skip_words(why)),
    )


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show one message and what the worker decided of it."""
    found = await _found(visit)
    facts = [
        ("Id", parts.code(found.event_id)),
        ("Merchant", parts.link(found.merchant_name, f"/operator/merchants/{found.merchant_id}", found.mode)),
        ("Order", parts.text(found.external_order_id)),
        ("Why", parts.text(skip_words((found.explanation or {}).get("skipReason")))),
        ("Arrived", parts.at(found.received_at)),
        ("Worked on", parts.at(found.processed_at)),
        ("Due", parts.at(found.due_at)),
        ("Attempts", parts.text(found.attempts)),
        ("Sender's id", parts.code(found.external_event_id)),
        ("Activity", parts.link("Show", f"/operator/trail?subject={found.event_id}")),
    ]
    if found.conversion_id:
        facts.insert(2, ("Conversion", parts.link(found.conversion_id, f"/operator/orders/{found.conversion_id}")))
    if found.connection_id:
        facts.insert(2, ("Connection", parts.link(found.connection_id, f"/operator/connections/{found.connection_id}")))
    decided = json.dumps(found.explanation, indent=2, ensure_ascii=False) if found.explanation else "Nothing yet."
    one = f"{HERE}/{found.event_id}"
    forms = () if found.status in NOT_REPLAYABLE else (parts.Form(f"{one}/replay", "Replay", tone=""),)
    sections = (parts.Section("Message", facts), parts.Section("What was decided, and why", source=decided))
    shown = parts.Shown(message_title(found), (HERE, "Messages"), found.status, sections=sections, forms=forms)
    return parts.show_object(visit, shown, status, faults)


PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/replay": ("replayEvent", "replayed"),
}))  # fmt: skip
