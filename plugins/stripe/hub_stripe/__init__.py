"""The connector for Stripe: Checkout sessions, paid invoices with renewals, refunds and lost disputes."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Body, Connector, FieldPlace, Headers, TimestampHmac, Topic, hookimpl
from hub_stripe.bodies import EventBody
from hub_stripe.options import StripeOptions
from hub_stripe.requests import EVENTS, REQUESTS, VERSION
from hub_stripe.translate import TRANSLATIONS, of_webhook

_ENDPOINT = (
    "open Workbench > Shell (or a terminal with the Stripe CLI) and make the endpoint: stripe "
    f"webhook_endpoints create --api-version={VERSION} --url={{url}} "
    + " ".join(f"--enabled-events={event}" for event in EVENTS)
)
_CLICK = (
    "Give the click to Stripe as client_reference_id: in the address of payment links, as an attribute of pricing "
    "tables, or in the code that creates the session."
)
STEPS = (
    "In Stripe open Developers > API keys > Create restricted key; set Webhook Endpoints to write, the rest to none.",
    "Type the key on this connection's page: the hub makes the webhook endpoint, and keeps its secret.",
    _CLICK,
    "For subscriptions that your own code creates, set subscription_data.metadata.affiliate_click_id as well.",
    f"If you would rather give no key: {_ENDPOINT}",
    "The answer has a secret, which begins with whsec_; add it to this connection.",
)


def recognises(body: Body) -> bool:
    """Recognise an event of Stripe's by what only its envelope has."""
    return body.get("object") == "event" and isinstance(body.get("type"), str) and "api_version" in body


def is_test(body: Body, _: Headers) -> bool:
    """Return whether an event is of Stripe's test mode."""
    return body.get("livemode") is False


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Give the one connector of this plugin."""
    return (
        Connector(
            name="stripe",
            title="Stripe",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=90,
            auth=TimestampHmac("Stripe-Signature"),
            topic=FieldPlace("type"),
            delivery_id=FieldPlace("id"),
            topics=tuple(Topic(event, EventBody, TRANSLATIONS[event]) for event in EVENTS),
            options=StripeOptions,
            is_test=is_test,
            steps=STEPS,
            needs_https=True,
            requests=REQUESTS,
            api="1.1",
        ),
    )
