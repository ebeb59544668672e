"""Webhooks and postbacks in the areas of merchants, affiliates and operators: one set of pages for all three.

A `Subscriber` is who looks and what they may reach; a subscription that is not theirs does not exist for them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from aiohttp import web
from attrs import frozen

from hub.domain.messages.notifications import EVENT_TYPES
from hub.domain.messages.payload_versions import versions
from hub.operations.checks import checked_duration
from hub.operations.errors import OperatorFault
from hub.operations.webhooks.sample_messages import send_sample
from hub.operations.webhooks.subscription_deliveries import DELIVERIES, deliveries_part
from hub.operations.webhooks.subscriptions import (
    NewSubscription,
    SubscriptionChange,
    create_subscription,
    delete_subscription,
    list_subscriptions,
    require_subscription,
    rotate_secret,
    set_subscription_status,
    update_subscription,
)
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.shown_once import STORED, show_once
from hub.pages.visit import Visit
from hub.records.messages import MESSAGE_KINDS
from hub.records.subscriptions import SubscriptionDocument, SubscriptionSecret
from hub.records.words import text_at_fault, texts_asked, texts_said, texts_typed, texts_written
from hub.validation.inputs import SubscriptionTexts

OVERLAPS: Final = (("24h", "one day"), ("1h", "one hour"), ("7d", "a week"))
SINCE: Final = (("1h", "of the last hour"), ("1d", "of the last day"), ("7d", "of the last week"))
DONE: Final = {
    "paused": "It is paused; messages are kept.",
    "resumed": "It is active; what was kept is sent now.",
    "deleted": "The subscription is deleted.",
    "replayed": "They are sent again.",
    "changed": "Changed. Waiting messages go there now.",
    "tested": "A test message is on its way; it appears below.",
    "retried": "Waiting messages are being tried now.",
    "nothing": "There was nothing to send again.",
    **STORED,
}


TEXTS: Final = texts_asked(SubscriptionTexts)
ASKED: Final = ("url", "events", "owner", "mode", *(name for name, _, _ in TEXTS))


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
            return found.affiliate_id == self.affiliate_id
        return self.is_operator or (found.merchant_id, found.mode) == (self.merchant_id, self.mode)


SubscriberHandler = Callable[[Subscriber], Awaitable[web.StreamResponse]]


def _typed(form: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a subscription as they were typed."""
    return {name: form.get(name, "") for name in ASKED}


async def show(of: Subscriber) -> web.StreamResponse:
    """Show the subscriptions, and the form for one more."""
    return await _list(of, 200, {})


async def create(of: Subscriber) -> web.StreamResponse:
    """Subscribe, and lead on to the secret."""
    visit, services = of.visit, of.visit.services
    try:
        made = await create_subscription(
            services.store, services.sealer, services.clock, services.settings.outbound.allowed_networks,
            _wanted(of, _typed(visit.form)),
        )  # fmt: skip
    except OperatorFault as fault:
        return await _list(of, 422, {_place_of(fault): fault.reason})
    return await _secret(of, made)


async def show_one(of: Subscriber) -> web.StreamResponse:
    """Show a subscription with its messages and what the receiver answered."""
    return await one_page(of, 200, {})


async def change(of: Subscriber) -> web.StreamResponse:
    """Send to another address, other events, or in another version; the secret stays."""
    found, services, form = await found_subscription(of), of.visit.services, _typed(of.visit.form)
    allowed = services.settings.outbound.allowed_networks
    version = of.visit.form.get("version") or None
    wanted = SubscriptionChange(
        form["url"].strip() or None, _events(form) or None, version, **texts_typed(SubscriptionTexts, form)
    )
    try:
        await update_subscription(services.store, services.clock, allowed, found.id, wanted)
    except OperatorFault as fault:
        return await one_page(of, 422, {_place_of(fault): fault.reason})
    return see_other(f"{of.base}/{found.id}?done=changed")


async def test(of: Subscriber) -> web.StreamResponse:
    """Send a test message of a kind."""
    found, services = await found_subscription(of), of.visit.services
    try:
        await send_sample(services.store, services.clock, found.id, of.visit.form.get("type") or None)
    except OperatorFault as fault:
        return await one_page(of, 422, {"type": fault.reason})
    return see_other(f"{of.base}/{found.id}?done=tested")


async def pause(of: Subscriber) -> web.StreamResponse:
    """Send nothing more for now."""
    return await _set_status(of, "PAUSED", "paused")


async def resume(of: Subscriber) -> web.StreamResponse:
    """Resume, beginning with what was kept."""
    return await _set_status(of, "ACTIVE", "resumed")


async def rotate(of: Subscriber) -> web.StreamResponse:
    """Create a new secret, and lead on to it; the old one signs beside it for a while."""
    found, services = await found_subscription(of), of.visit.services
    try:
        overlap = checked_duration(of.visit.form.get("overlap", OVERLAPS[0][0]), "an overlap")
        made = await rotate_secret(services.store, services.sealer, services.clock, found.id, overlap)
    except OperatorFault as fault:
        return await one_page(of, 422, {"": fault.reason})
    return await _secret(of, made)


async def delete(of: Subscriber) -> web.StreamResponse:
    """Delete a subscription and what waits for it."""
    found, services = await found_subscription(of), of.visit.services
    await delete_subscription(services.store, services.clock, found.id)
    return see_other(f"{of.base}?done=deleted")


async def _set_status(of: Subscriber, status: str, done: str) -> web.StreamResponse:
    found, services = await found_subscription(of), of.visit.services
    await set_subscription_status(services.store, services.clock, found.id, status)
    return see_other(f"{of.base}/{found.id}?done={done}")


def _wanted(of: Subscriber, form: Mapping[str, str]) -> NewSubscription:
    merchant_id, mode, affiliate_id = _owner(of, form)
    return NewSubscription(
        form["url"].strip(), _events(form), merchant_id, mode, affiliate_id, **texts_typed(SubscriptionTexts, form)
    )


def _owner(of: Subscriber, form: Mapping[str, str]) -> tuple[str | None, str | None, str | None]:
    """Return the merchant, the mode and the affiliate of a subscription that is asked for."""
    if of.affiliate_id is not None:
        return None, form["mode"] or None, of.affiliate_id
    if not of.is_operator:
        return of.merchant_id, of.mode, None
    owner = form["owner"].strip()
    if owner.startswith("aff_"):
        return None, form["mode"] or None, owner
    return owner, form["mode"] or "test", None


def _events(form: Mapping[str, str]) -> list[str]:
    return form["events"].replace(",", " ").split()


def _place_of(fault: OperatorFault) -> str:
    """Return the field that a fault is about."""
    if "payload version" in fault.reason:
        return "version"
    usual = "events" if "event" in fault.reason.lower() and "URL" not in fault.reason else "url"
    return text_at_fault(TEXTS, fault.reason) or usual


async def found_subscription(of: Subscriber) -> SubscriptionDocument:
    """Return the subscription of the address; raise `NoSubscription` if it is none of theirs."""
    (subscription_id,) = [value for name, value in of.visit.path.items() if not name.endswith("_message")]
    try:
        async with of.visit.services.store.read() as tx:
            found = await require_subscription(tx, subscription_id)
    except OperatorFault:
        raise NoSubscription from None
    if not of.reaches(found):
        raise NoSubscription
    return found


async def _secret(of: Subscriber, made: SubscriptionSecret) -> web.Response:
    if made.secret is None:
        return see_other(f"{of.base}/{made.id}")
    return await show_once(of.visit, "webhook", f"{of.base}/{made.id}?done=stored", secret=made.secret)


async def _list(of: Subscriber, status: int, faults: Mapping[str, str]) -> web.Response:
    services = of.visit.services
    found = await list_subscriptions(services.store, merchant=of.merchant_id, affiliate=of.affiliate_id)
    return of.page(
        "subscriptions.html",
        status,
        subscriptions=[each for each in found if of.reaches(each)],
        types=EVENT_TYPES,
        takes_mode=of.affiliate_id is not None,
        given=_typed(of.visit.form),
        faults=faults,
        **shared(of),
    )


async def one_page(of: Subscriber, status: int, faults: Mapping[str, str]) -> web.Response:
    """Return the page of the subscription of the address."""
    found = await found_subscription(of)
    messages = await deliveries_part(of.visit.services.store, found.id, wanted_of(of.visit, DELIVERIES))
    older, newer = beside(f"{of.base}/{found.id}", messages, {})
    return of.page(
        "subscription.html",
        status,
        subscription=found,
        messages=messages.entries,
        older=older,
        newer=newer,
        overlaps=OVERLAPS,
        since=SINCE,
        versions=[(each, f"Version {each}") for each in versions()],
        types=[(each, each) for each in EVENT_TYPES if of.affiliate_id is None or MESSAGE_KINDS[each].for_affiliates],
        given={
            "url": of.visit.form.get("url", found.url),
            "events": of.visit.form.get("events", ", ".join(found.events)),
            "type": of.visit.form.get("type", ""),
            "version": of.visit.form.get("version", found.payload_version),
            **{name: of.visit.form.get(name, value) for name, value in texts_written(SubscriptionTexts, found).items()},
        },
        faults=faults,
        **shared(of),
    )


def shared(of: Subscriber) -> dict[str, Any]:
    """Return what the pages of one subscription have in common."""
    done = DONE.get(of.visit.query.get("done", ""))
    return {"base": of.base, "form_account": of.form_account, "may_act": of.may_act, "done": done,
            "is_operator": of.is_operator, "texts": TEXTS, "said": texts_said}  # fmt: skip
