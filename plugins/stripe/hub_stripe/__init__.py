"""The connector for Stripe: Checkout sessions, paid invoices with renewals, refunds and lost disputes."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Body, Connector, FieldPlace, Headers, TimestampHmac, Topic, hookimpl
from hub_stripe.bodies import EventBody
from hub_stripe.options import StripeOptions
from hub_stripe.translate import TRANSLATIONS, of_webhook

VERSION = "2025-02-24.acacia"
EVENTS = (
    "checkout.session.completed", "checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed",
    "invoice.paid", "charge.refunded", "charge.dispute.closed",
)  # fmt: skip
_ENDPOINT = (
    "In Stripe open Workbench > Shell (or a terminal with the Stripe CLI) and make the endpoint: stripe "
    f"webhook_endpoints create --api-version={VERSION} --url={{url}} "
    + " ".join(f"--enabled-events={event}" for event in EVENTS)
)
_CLICK = (
    "Give the click to Stripe as client_reference_id: in the address of payment links, as an attribute of pricing "
    "tables, or in the code that creates the session."
)
STEPS = (
    _ENDPOINT,
    "Copy the `secret` of the answer, which begins with whsec_, and add it to this connection as a secret.",
    _CLICK,
    "For subscriptions that your own code creates, set subscription_data.metadata.affiliate_click_id as well.",
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
            api="1.1",
        ),
    )
