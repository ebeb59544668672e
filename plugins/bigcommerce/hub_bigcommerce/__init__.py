"""The connector for BigCommerce stores: webhooks that carry only ids, and an API that is asked for the rest."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Connector, FieldPlace, SecretHeader, hookimpl
from hub_bigcommerce.deliveries import TOPICS, is_test, of_webhook, order_of, recognises
from hub_bigcommerce.options import BigCommerceOptions
from hub_bigcommerce.requests import REQUESTS, SECRET_HEADER

_CREDENTIALS = (
    "Type store hash and token on this connection's page in the hub. It makes the webhooks to "
    "{url} by itself and keeps them alive."
)
STEPS = (
    "In the BigCommerce control panel open Settings > API > Store-level API accounts and press Create API account.",
    "Name it Affiliate Hub and set Orders, Order Transactions, Products and Information & Settings to read-only.",
    "Press Save. The store hash is the part after /stores/ of the API path that is shown, such as abc123.",
    _CREDENTIALS,
)


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Return the one connector of this plugin."""
    return (
        Connector(
            name="bigcommerce",
            title="BigCommerce",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=130,
            auth=SecretHeader(SECRET_HEADER),
            # The field `hash` names the resource rather than the event, so a delivery has no id of its own.
            topic=FieldPlace("scope"),
            source=FieldPlace("producer"),
            topics=TOPICS,
            options=BigCommerceOptions,
            is_test=is_test,
            issues_secret=True,
            steps=STEPS,
            needs_https=True,
            ports=(443,),
            requests=REQUESTS,
            order_of=order_of,
            api="1.1",
        ),
    )
