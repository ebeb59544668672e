"""Webhooks and postbacks in the areas of merchants, affiliates and operators: one set of pages for all three.

A `Subscriber` is who looks and what they may reach; a subscription that is not theirs does not exist for them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from aiohttp import web
from attrs import frozen

from hub.domain.notifications import EVENT_TYPES
from hub.operations.checks import checked_duration
from hub.operations.errors import OperatorFault
from hub.operations.webhooks.sample_messages import send_sample
from hub.operations.webhooks.subscription_changes import SubscriptionChange, update_subscription
from hub.operations.webhooks.subscription_deliveries import (
    DELIVERIES,
    deliveries_part,
    replay_deliveries,
    retry_deliveries,
)
from hub.operations.webhooks.subscriptions import (
    CreatedSubscription,
    NewSubscription,
    SubscriptionDocument,
    create_subscription,
    delete_subscription,
    list_subscriptions,
    require_subscription,
    rotate_secret,
    set_subscription_status,
)
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.visit import Visit
from hub.records.messages import MESSAGE_KINDS

OVERLAPS: Final = (("24h", "one day"), ("1h", "one hour"), ("7d", "a week"))
SINCE: Final = (("1h", "of the last hour"), ("1d", "of the last day"), ("7d", "of the last week"))
DONE: Final = {
    "paused": "It is paused; messages are kept.",
    "resumed": "It is active; what was kept is sent now.",
    "deleted": "The subscription is deleted.",
    "replayed": "They are sent again.",
    "changed": "It is changed; what waits goes there now.",
    "tested": "A test message is on its way; it appears below.",
    "retried": "What waits is tried now.",
    "nothing": "There was nothing to send again.",
}


class NoSubscription(Exception):
    """What was asked for is not there, or is another's."""


@frozen(eq=False)
class Subscriber:
    """Who looks: `page` renders in their area, `form_account` is what their forms send back, `may_act` lets them act.

    Without a merchant and an affiliate it is an operator, who reaches all.
    """

    visit: Visit
    base: str
    page: Callable[..., web.Response]
    merchant_id: str | None = None
    mode: str | None = None
    affiliate_id: str | None = None
    form_account: str | None = None
    may_act: bool = True

    @property
    def is_operator(self) -> bool:
        """Whether all subscriptions are reached."""
        return self.merchant_id is None and self.affiliate_id is None

    def reaches(self, found: SubscriptionDocument) -> bool:
        """Return whether a subscription is theirs."""
        if self.affiliate_id is not None:
            return found["affiliateId"] == self.affiliate_id
        return self.is_operator or (found["merchantId"], found["mode"]) == (self.merchant_id, self.mode)


SubscriberHandler = Callable[[Subscriber], Awaitable[web.StreamResponse]]


def handlers(one: str) -> list[tuple[str, str, SubscriberHandler]]:
    """Return the method, the path behind the area's own and the handler of each page; `one` names a subscription."""
    return [
        ("GET", "", show),
        ("POST", "", create),
        ("GET", f"/{{{one}}}", show_one),
        ("POST", f"/{{{one}}}/change", change),
        ("POST", f"/{{{one}}}/test", test),
        ("POST", f"/{{{one}}}/retry", retry),
        ("POST", f"/{{{one}}}/pause", pause),
        ("POST", f"/{{{one}}}/resume", resume),
        ("POST", f"/{{{one}}}/rotate", rotate),
        ("POST", f"/{{{one}}}/replay", replay),
        ("POST", f"/{{{one}}}/delete", delete),
    ]


def kept(form: Mapping[str, str]) -> dict[str, str]:
    """Return what is filled in again after a proof."""
    return {name: form.get(name, "") for name in ("url", "events", "owner", "mode")}


async def show(of: Subscriber) -> web.StreamResponse:
    """Show the subscriptions, and the form for one more."""
    return await _list(of, 200, {})


async def create(of: Subscriber) -> web.StreamResponse:
    """Subscribe, and show the secret this once."""
    visit, services = of.visit, of.visit.services
    try:
        made = await create_subscription(
            services.store, services.sealer, services.clock, services.settings.outbound.allowed_networks,
            _wanted(of, kept(visit.form)),
        )  # fmt: skip
    except OperatorFault as fault:
        return await _list(of, 422, {_place_of(fault): str(fault)})
    return _secret(of, made)


async def show_one(of: Subscriber) -> web.StreamResponse:
    """Show a subscription with its messages and what the receiver answered."""
    return await _one(of, 200, {})


async def change(of: Subscriber) -> web.StreamResponse:
    """Send to another address, or other events; the secret stays."""
    found, services, form = await _found(of), of.visit.services, kept(of.visit.form)
    allowed = services.settings.outbound.allowed_networks
    wanted = SubscriptionChange(form["url"].strip() or None, _events(form) or None)
    try:
        await update_subscription(services.store, services.clock, allowed, found["id"], wanted)
    except OperatorFault as fault:
        return await _one(of, 422, {_place_of(fault): str(fault)})
    return see_other(f"{of.base}/{found['id']}?done=changed")


async def test(of: Subscriber) -> web.StreamResponse:
    """Send a test message of a kind."""
    found, services = await _found(of), of.visit.services
    try:
        await send_sample(services.store, services.clock, found["id"], of.visit.form.get("type") or None)
    except OperatorFault as fault:
        return await _one(of, 422, {"type": str(fault)})
    return see_other(f"{of.base}/{found['id']}?done=tested")


async def retry(of: Subscriber) -> web.StreamResponse:
    """Try now what waits for another attempt."""
    found, services = await _found(of), of.visit.services
    message = of.visit.form.get("message") or None
    try:
        waiting = await retry_deliveries(services.store, services.clock, found["id"], message_id=message)
    except OperatorFault as fault:
        return await _one(of, 422, {"": str(fault)})
    return see_other(f"{of.base}/{found['id']}?done={'retried' if waiting else 'nothing'}")


async def pause(of: Subscriber) -> web.StreamResponse:
    """Send nothing more for now."""
    return await _set_status(of, "PAUSED", "paused")


async def resume(of: Subscriber) -> web.StreamResponse:
    """Send again, beginning with what was kept."""
    return await _set_status(of, "ACTIVE", "resumed")


async def rotate(of: Subscriber) -> web.StreamResponse:
    """Make a new secret, and show it this once; the old one signs beside it for a while."""
    found, services = await _found(of), of.visit.services
    try:
        overlap = checked_duration(of.visit.form.get("overlap", OVERLAPS[0][0]), "an overlap")
        made = await rotate_secret(services.store, services.sealer, services.clock, found["id"], overlap)
    except OperatorFault as fault:
        return await _one(of, 422, {"": str(fault)})
    return _secret(of, made)


async def replay(of: Subscriber) -> web.StreamResponse:
    """Send one message again, or those of the last while."""
    found, services, form = await _found(of), of.visit.services, of.visit.form
    message = form.get("message") or None
    try:
        since = 0 if message else services.clock() - checked_duration(form.get("since", "1h"), "a time")
        again = await replay_deliveries(services.store, services.clock, found["id"], message_id=message, since=since)
    except OperatorFault as fault:
        return await _one(of, 422, {"": str(fault)})
    return see_other(f"{of.base}/{found['id']}?done={'replayed' if again else 'nothing'}")


async def delete(of: Subscriber) -> web.StreamResponse:
    """Delete a subscription and what waits for it."""
    found, services = await _found(of), of.visit.services
    await delete_subscription(services.store, services.clock, found["id"])
    return see_other(f"{of.base}?done=deleted")


async def _set_status(of: Subscriber, status: str, done: str) -> web.StreamResponse:
    found, services = await _found(of), of.visit.services
    await set_subscription_status(services.store, services.clock, found["id"], status)
    return see_other(f"{of.base}/{found['id']}?done={done}")


def _wanted(of: Subscriber, form: Mapping[str, str]) -> NewSubscription:
    events = _events(form)
    if not of.is_operator:
        mode = of.mode if of.affiliate_id is None else form.get("mode") or None
        return NewSubscription(form["url"].strip(), events, of.merchant_id, mode, of.affiliate_id)
    owner = form["owner"].strip()
    if owner.startswith("aff_"):
        return NewSubscription(form["url"].strip(), events, mode=form["mode"] or None, affiliate=owner)
    return NewSubscription(form["url"].strip(), events, owner, form["mode"] or "test")


def _events(form: Mapping[str, str]) -> list[str]:
    return form["events"].replace(",", " ").split()


def _place_of(fault: OperatorFault) -> str:
    """Return the field that a fault is about."""
    return "events" if "event" in str(fault).lower() and "URL" not in str(fault) else "url"


async def _found(of: Subscriber) -> SubscriptionDocument:
    (subscription_id,) = of.visit.path.values()
    try:
        async with of.visit.services.store.read() as tx:
            found = await require_subscription(tx, subscription_id)
    except OperatorFault:
        raise NoSubscription from None
    if not of.reaches(found):
        raise NoSubscription
    return found


def _secret(of: Subscriber, made: CreatedSubscription) -> web.Response:
    if made["secret"] is None:
        return see_other(f"{of.base}/{made['id']}")
    return of.page("subscription_secret.html", made=made, base=of.base)


async def _list(of: Subscriber, status: int, faults: Mapping[str, str]) -> web.Response:
    services, given = of.visit.services, of.visit.form or of.visit.query
    found = await list_subscriptions(services.store, merchant=of.merchant_id, affiliate=of.affiliate_id)
    return of.page(
        "subscriptions.html",
        status,
        subscriptions=[each for each in found if of.reaches(each)],
        types=EVENT_TYPES,
        takes_mode=of.affiliate_id is not None,
        given={name: given.get(name, "") for name in ("url", "events", "owner", "mode")},
        faults=faults,
        **_shared(of),
    )


async def _one(of: Subscriber, status: int, faults: Mapping[str, str]) -> web.Response:
    found = await _found(of)
    messages = await deliveries_part(of.visit.services.store, found["id"], wanted_of(of.visit, DELIVERIES))
    older, newer = beside(f"{of.base}/{found['id']}", messages, {})
    return of.page(
        "subscription.html",
        status,
        subscription=found,
        messages=messages.entries,
        older=older,
        newer=newer,
        overlaps=OVERLAPS,
        since=SINCE,
        types=[(each, each) for each in EVENT_TYPES if of.affiliate_id is None or MESSAGE_KINDS[each].for_affiliates],
        given={
            "url": of.visit.form.get("url", found["url"]),
            "events": of.visit.form.get("events", ", ".join(found["events"])),
            "type": of.visit.form.get("type", ""),
        },
        faults=faults,
        **_shared(of),
    )


def _shared(of: Subscriber) -> dict[str, Any]:
    done = DONE.get(of.visit.query.get("done", ""))
    return {"base": of.base, "form_account": of.form_account, "may_act": of.may_act, "done": done,
            "is_operator": of.is_operator}  # fmt: skip
