"""One message of a webhook or postback: what is sent, each attempt, and sending it once more."""

from __future__ import annotations

from aiohttp import web

from hub.operations.checks import checked_duration
from hub.operations.errors import OperatorFault
from hub.operations.webhooks.subscription_deliveries import replay_deliveries, retry_deliveries, show_delivery
from hub.pages.rendering import see_other
from hub.pages.subscriptions import NoSubscription, Subscriber, found_subscription, one_page, shared
from hub.records.subscriptions import SubscriptionDocument


async def show_message(of: Subscriber) -> web.StreamResponse:
    """Show a message: what is sent, and each attempt with what the receiver answered."""
    found = await found_subscription(of)
    (message_id,) = [value for name, value in of.visit.path.items() if name.endswith("_message")]
    shown = await show_delivery(of.visit.services.store, found.id, message_id)
    if shown is None:
        raise NoSubscription
    return of.page("subscription_message.html", subscription=found, shown=shown, message=shown.document, **shared(of))


async def retry(of: Subscriber) -> web.StreamResponse:
    """Retry now what waits for another attempt."""
    found, services = await found_subscription(of), of.visit.services
    message = of.visit.form.get("message") or None
    try:
        waiting = await retry_deliveries(services.store, services.clock, found.id, message_id=message)
    except OperatorFault as fault:
        return await one_page(of, 422, {"": fault.reason})
    return see_other(f"{_back(of, found)}?done={'retried' if waiting else 'nothing'}")


async def replay(of: Subscriber) -> web.StreamResponse:
    """Send one message again, or those of the last while."""
    found, services, form = await found_subscription(of), of.visit.services, of.visit.form
    message = form.get("message") or None
    try:
        since = 0 if message else services.clock() - checked_duration(form.get("since", "1h"), "a time")
        again = await replay_deliveries(services.store, services.clock, found.id, message_id=message, since=since)
    except OperatorFault as fault:
        return await one_page(of, 422, {"": fault.reason})
    return see_other(f"{_back(of, found)}?done={'replayed' if again else 'nothing'}")


def _back(of: Subscriber, found: SubscriptionDocument) -> str:
    """Return the page that a form about messages came from: the subscription's, or that of its one message."""
    form, one = of.visit.form, f"{of.base}/{found.id}"
    return f"{one}/messages/{form['message']}" if form.get("back") == "message" and form.get("message") else one
