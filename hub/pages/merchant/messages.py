"""/merchant/messages: what the store sent, by outcome; one with its body, and those that failed replayed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.domain.words import BulkAct
from hub.operations.errors import OperatorFault
from hub.operations.orders.attention import messages_aside, set_message_aside, take_message_up
from hub.operations.orders.bulk_acts import act_on_many
from hub.operations.orders.event_lists import EVENTS, REPLAYABLE, account_messages
from hub.operations.orders.events import replay_event
from hub.operations.orders.order_explanations import message_of_account
from hub.pages.filter_chips import Filters
from hub.pages.markup import status_word
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.bulk import outcome_of, shown_outcome, ticked
from hub.pages.merchant.order import pretty
from hub.pages.order_words import TYPES, message_title, skip_words
from hub.pages.paging import beside, here, wanted_of
from hub.pages.rendering import see_other
from hub.pages.replays import ReplayPage, replayed_words
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/messages"
FILTERS: Final = ("status", "type", "q")
WORDS: Final = {"status": "Outcome", "type": "Kind", "q": "Order or delivery"}
DONE: Final = {
    "replayed": "The message is queued again.",
    "aside": "Set aside. It counts again if it is retried and fails.",
    "taken-up": "It is no longer set aside.",
}
STATUSES: Final = ("FAILED", "PARKED", "UNMATCHED", "SKIPPED", "RECEIVED", "QUEUED", "PROCESSED")
PAGES: Final = RouteTable(merchant_page)


@PAGES.get("/merchant/messages")
async def show_messages(visit: MerchantVisit) -> web.StreamResponse:
    """Show a page of messages."""
    return await _messages(visit)


@PAGES.post("/merchant/messages")
async def replay_messages(visit: MerchantVisit) -> web.StreamResponse:
    """Queue the messages again that were ticked."""
    chosen = ticked(visit.form)
    if not chosen:
        return await _messages(visit, 422, {"": "Select the messages first."})
    return await _on_many(visit, "replayed", chosen, partial(_replay, visit))


@PAGES.get(f"{HERE}/replay", viewers=False)
async def ask_to_replay(visit: MerchantVisit) -> web.StreamResponse:
    """Count what a replay of all that match would do, before it is done, or show how far it has come."""
    values = await _replay_of(visit, visit.query).values(visit.services, visit.query)
    return visit.page("replay.html", faults={}, **values)


@PAGES.post(f"{HERE}/replay")
async def replay_all(visit: MerchantVisit) -> web.StreamResponse:
    """Queue all that match again, or the next portion of them."""
    return await _replay_of(visit, visit.form).go_on(visit.services, visit.form)


@PAGES.get("/merchant/messages/{event}")
async def show_message(visit: MerchantVisit) -> web.StreamResponse:
    """Show a message with its body and what came of it."""
    found = await message_of_account(visit.services.store, visit.account_id, visit.path["event"])
    if found is None:
        raise NotInAccount
    message, conversion_id, headers = found
    return visit.page(
        "merchant/message.html",
        message=message,
        title=message_title(message),
        conversion_id=conversion_id,
        headers=headers,
        skipped=skip_words(message.skip_reason),
        body=pretty(message),
        aside=(await messages_aside(visit.services.store, visit.account_id, [message.event_id])).get(message.event_id),
        said=DONE.get(visit.query.get("done", "")),
    )


@PAGES.post(f"{HERE}/aside")
async def put_aside(visit: MerchantVisit) -> web.StreamResponse:
    """Set the failed messages that were ticked aside."""
    chosen, reason = ticked(visit.form), visit.form.get("reason", "")
    if not chosen:
        return await _messages(visit, 422, {"": "Select the messages first."})
    if not reason.strip():
        return await _messages(visit, 422, {"reason": "Say why you set them aside."})
    act = partial(set_message_aside, visit.services.store, visit.services.clock, visit.account_id, reason=reason)
    return await _on_many(visit, "set-aside", chosen, act)


async def _on_many(
    visit: MerchantVisit, act: BulkAct, chosen: list[str], do: Callable[[str], Awaitable[object]]
) -> web.Response:
    """Do it for each message, and lead back to the list, which says what came of it."""
    services = visit.services
    bulk_id = await act_on_many(services.store, services.clock, visit.account_id, act, chosen, do)
    return outcome_of(visit, HERE, bulk_id, Filters.of(HERE, visit.query, FILTERS).given)


@PAGES.post(f"{HERE}/back")
async def bring_back(visit: MerchantVisit) -> web.StreamResponse:
    """Let messages count again that were set aside."""
    chosen = ticked(visit.form)
    for each in chosen:
        await take_message_up(visit.services.store, visit.services.clock, visit.account_id, each)
    return _after(visit, chosen, "taken-up")


def _after(visit: MerchantVisit, chosen: list[str], done: str) -> web.Response:
    """Lead back to the one message that it was about, else to the list of those that failed."""
    one = f"{HERE}/{chosen[0]}" if len(chosen) == 1 else HERE
    return see_other(f"{one}?{urlencode({'mode': visit.mode, 'done': done, 'status': 'FAILED'})}")


@PAGES.post("/merchant/messages/{event}/replay")
async def replay_message(visit: MerchantVisit) -> web.StreamResponse:
    """Queue a message again."""
    event_id = visit.path["event"]
    if await message_of_account(visit.services.store, visit.account_id, event_id) is None:
        raise NotInAccount
    try:
        await replay_event(visit.services.store, visit.services.clock, event_id)
    except OperatorFault as fault:
        return visit.page("fault.html", 422, title="It was not queued again", text=fault.reason)
    return see_other(f"/merchant/messages/{event_id}?mode={visit.mode}&done=replayed")


async def _replay(visit: MerchantVisit, event_id: str) -> None:
    if await message_of_account(visit.services.store, visit.account_id, event_id) is None:
        raise OperatorFault("there is no such message.")
    await replay_event(visit.services.store, visit.services.clock, event_id)


def _replay_of(visit: MerchantVisit, query: Mapping[str, str]) -> ReplayPage:
    """Return the replay of what a filter matches, of what failed unless it names another outcome that is replayed."""
    asked = Filters.of(HERE, query, FILTERS).given
    given = asked if asked.get("status") in REPLAYABLE else {**asked, "status": REPLAYABLE[0]}
    wanted = {
        "status": given["status"], "merchant": visit.merchant_id, "mode": visit.mode, "type": given.get("type"),
        "text": given.get("q"),
    }  # fmt: skip
    return ReplayPage(f"{HERE}/replay", HERE, given, wanted)


async def _messages(visit: MerchantVisit, status: int = 200, faults: dict[str, str] | None = None) -> web.Response:
    asked = Filters.of("/merchant/messages", visit.query, FILTERS)
    filters = {"status": asked.get("status"), "type": asked.get("type"), "text": asked.get("q")}
    page = await account_messages(visit.services.store, visit.account_id, wanted_of(visit.visit, EVENTS, filters))
    older, newer = beside(HERE, page, asked.given)
    words = {each: status_word(each) for each in STATUSES} | TYPES
    return visit.page(
        "merchant/messages.html",
        status,
        asked=asked,
        page=page,
        rows=[(each, message_title(each), skip_words(each.skip_reason)) for each in page.entries],
        chips=asked.chips(WORDS, words),
        statuses=[("", "Any"), *((each, status_word(each)) for each in STATUSES)],
        types=[("", "Any"), *TYPES.items()],
        may_replay=visit.is_owner and any(each.is_replayable for each in page.entries),
        may_set_aside=any(each.status == "FAILED" for each in page.entries),
        aside=await messages_aside(
            visit.services.store, visit.account_id, [each.event_id for each in page.entries if each.status == "FAILED"]
        ),
        replay_all=f"{HERE}/replay?{urlencode(asked.given)}" if asked.get("status") in REPLAYABLE else None,
        faults=faults or {},
        **await shown_outcome(visit),
        said=DONE.get(visit.query.get("done", "")) or replayed_words(visit.query.get("done", "")),
        newer=newer,
        older=older,
        part=here(visit.visit, HERE, asked.given),
    )
